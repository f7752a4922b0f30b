//! Staged move picking: moves that are likely to cut off come first. Later ones are generated only
//! when they are needed.

use super::generation::{is_proved, quiet_moves, squares, tactical_moves};
use super::ranked::{MAX_MOVES, Ranked, victim_over_attacker};
use super::{Checks, Context, Hints, History, Position, see_at_least};
use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Move, PieceMoves};

/// The stage of the order from which a move comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The table's best move.
    Table,
    /// Captures and promotions that lose nothing by static exchange.
    Capture,
    /// Quiet moves that cut off nearby: killers and the countermove.
    Refutation,
    /// The other quiet moves.
    Quiet,
    /// Captures that lose material.
    LosingCapture,
}

/// A move and its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    /// The move.
    pub mv: Move,
    /// Its stage.
    pub stage: Stage,
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Table,
    GenerateCaptures,
    Captures,
    Refutations(u8),
    GenerateQuiets,
    Quiets,
    LosingCaptures(usize),
    BeforeAllCaptures,
    AllCaptures,
    Listed,
    Done,
}

/// The quiet moves that are handed out.
#[derive(Clone, Copy, Debug)]
enum Quiets {
    All,
    Checks(Checks),
    None,
}

/// Hands out the legal moves of a position, one at a time, best first.
#[derive(Debug)]
pub struct Picker {
    hints: Hints,
    next: Next,
    quiets: Quiets,
    victims: BitBoard,
    ranked: Ranked,
    losing: ArrayVec<Move, MAX_MOVES>,
}

impl Picker {
    /// A picker of all legal moves.
    #[inline]
    pub fn new(position: &Position, hints: Hints) -> Picker {
        let victims = position.board().colors(!position.side_to_move());
        Picker::begin(position, hints, (Quiets::All, victims), Next::Table)
    }

    // Inlined: otherwise more than a kilobyte of lists is copied for each node.
    #[inline(always)]
    fn begin(
        position: &Position,
        mut hints: Hints,
        (quiets, victims): (Quiets, BitBoard),
        next: Next,
    ) -> Picker {
        hints.table = hints.table.filter(|&mv| position.board().is_legal(mv));
        Picker { hints, next, quiets, victims, ranked: Ranked::new(), losing: ArrayVec::new() }
    }

    /// A picker of promotions, captures of `victims`, and with `checks` quiet moves giving check.
    #[inline(always)]
    pub fn tactical(
        position: &Position,
        table: Option<Move>,
        victims: BitBoard,
        checks: Option<Checks>,
    ) -> Picker {
        let table = table.filter(|&mv| position.is_tactical(mv));
        let quiets = checks.map_or(Quiets::None, Quiets::Checks);
        let hints = Hints { table, ..Hints::default() };
        Picker::begin(position, hints, (quiets, victims), Next::Table)
    }

    /// A picker that has handed out nothing yet, with captures that lose material not last: victim
    /// and attacker place them.
    #[must_use]
    pub fn captures_together(self) -> Picker {
        Picker { next: Next::BeforeAllCaptures, ..self }
    }

    /// A picker of these legal moves, in this order.
    pub fn in_order(position: &Position, moves: &[Move]) -> Picker {
        let quiets = (Quiets::All, BitBoard::EMPTY);
        let mut picker = Picker::begin(position, Hints::default(), quiets, Next::Listed);
        for (place, &mv) in (0..).zip(moves) {
            picker.ranked.push(mv, -place);
        }
        picker.ranked.seal();
        picker
    }

    /// Leaves out the quiet moves that were not handed out yet.
    pub const fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// Leaves out the quiet moves that were not handed out yet and give no check.
    #[inline(always)]
    pub fn skip_quiets_without_check(&mut self, position: &Position, checks: &Checks) {
        if matches!(self.quiets, Quiets::All) {
            self.quiets = Quiets::Checks(*checks);
            if self.next == Next::Quiets {
                self.ranked.retain(|mv| checks.given_by(position.moved(mv), mv));
            }
        }
    }

    /// Whether it has come to the quiet moves, all of them, and ranked them by their records.
    #[inline]
    pub const fn has_ranked_quiets(&self) -> bool {
        matches!(self.quiets, Quiets::All)
            && matches!(self.next, Next::Quiets | Next::LosingCaptures(_) | Next::Done)
    }

    /// The features of the node on which the order of quiet moves depends.
    pub const fn context(&self) -> Context {
        self.hints.context
    }

    /// The next move, if there is one left.
    pub fn next(&mut self, position: &Position, history: &History) -> Option<Picked> {
        loop {
            match self.next {
                Next::Table => {
                    self.next = Next::GenerateCaptures;
                    if let Some(mv) = self.hints.table {
                        let quiet = !position.is_tactical(mv);
                        return Some(Picked { mv, stage: Stage::Table, quiet });
                    }
                }
                Next::GenerateCaptures => {
                    self.rank_captures(position);
                    self.next = Next::Captures;
                }
                Next::Captures => match self.ranked.pop_best() {
                    Some(mv) if !is_proved(position.board(), mv) => {}
                    Some(mv) if see_at_least(position, mv, 0) => {
                        return Some(Picked { mv, stage: Stage::Capture, quiet: false });
                    }
                    Some(mv) => self.losing.push(mv),
                    None => self.next = Next::Refutations(0),
                },
                Next::Refutations(n)
                    if self.hints.has(n.into()) && !matches!(self.quiets, Quiets::None) =>
                {
                    self.next = Next::Refutations(n + 1);
                    if let Some(mv) = self.refutation(position, usize::from(n)) {
                        return Some(Picked { mv, stage: Stage::Refutation, quiet: true });
                    }
                }
                Next::Refutations(_) => self.next = Next::GenerateQuiets,
                Next::GenerateQuiets => {
                    if !matches!(self.quiets, Quiets::None) {
                        self.rank_quiets(position, history);
                    }
                    self.next = Next::Quiets;
                }
                Next::Quiets => {
                    let wanted = !matches!(self.quiets, Quiets::None);
                    match self.ranked.pop_best().filter(|_| wanted) {
                        Some(mv) if !self.hints.names(mv) && is_proved(position.board(), mv) => {
                            return Some(Picked { mv, stage: Stage::Quiet, quiet: true });
                        }
                        Some(_) => {}
                        None => self.next = Next::LosingCaptures(0),
                    }
                }
                Next::LosingCaptures(index) => {
                    if let Some(&mv) = self.losing.get(index) {
                        self.next = Next::LosingCaptures(index + 1);
                        return Some(Picked { mv, stage: Stage::LosingCapture, quiet: false });
                    }
                    self.next = Next::Done;
                }
                Next::BeforeAllCaptures | Next::AllCaptures | Next::Listed => {
                    let picked = self.next_together(position);
                    if picked.is_some() {
                        return picked;
                    }
                }
                Next::Done => return None,
            }
        }
    }

    /// The next move of a list, or of all captures together. At their end `self.next` becomes the
    /// next stage.
    #[cold]
    #[inline(never)]
    fn next_together(&mut self, position: &Position) -> Option<Picked> {
        if self.next == Next::BeforeAllCaptures {
            self.rank_captures(position);
            self.next = Next::AllCaptures;
            if let Some(mv) = self.hints.table {
                let quiet = !position.is_tactical(mv);
                return Some(Picked { mv, stage: Stage::Table, quiet });
            }
        }
        while let Some(mv) = self.ranked.pop_best() {
            if !is_proved(position.board(), mv) {
                continue;
            }
            let picked = in_place(position, mv);
            if !picked.quiet || self.wants(position, mv) {
                return Some(picked);
            }
        }
        let of_list = self.next == Next::Listed;
        self.next = if of_list { Next::Done } else { Next::Refutations(0) };
        None
    }

    fn refutation(&self, position: &Position, n: usize) -> Option<Move> {
        let hints = &self.hints;
        let mv = hints.refutations[n]?;
        let repeated = hints.refutations[..n].contains(&Some(mv)) || hints.table == Some(mv);
        let legal = !repeated && position.board().is_legal(mv) && !position.is_tactical(mv);
        (legal && self.wants(position, mv)).then_some(mv)
    }

    /// Whether a quiet move is to be handed out.
    fn wants(&self, position: &Position, mv: Move) -> bool {
        match &self.quiets {
            Quiets::All => true,
            Quiets::Checks(checks) => checks.given_by(position.moved(mv), mv),
            Quiets::None => false,
        }
    }

    // Work that is done once a node stays out of `next`, whose many calls are shorter without it.
    #[inline(never)]
    fn rank_captures(&mut self, position: &Position) {
        let board = position.board();
        let (ranked, table) = (&mut self.ranked, self.hints.table);
        tactical_moves(board, self.victims, |moves| {
            for mv in moves {
                if Some(mv) != table {
                    ranked.push(mv, victim_over_attacker(position, moves.piece, mv));
                }
            }
        });
        ranked.seal();
    }

    #[inline(never)]
    fn rank_quiets(&mut self, position: &Position, history: &History) {
        let board = position.board();
        let color = board.side_to_move();
        let Picker { hints, quiets, ranked, .. } = self;
        let answers = history.answers(color, hints.context);
        ranked.clear();
        quiet_moves(board, |PieceMoves { piece, from, mut to }| {
            if let Quiets::Checks(checks) = quiets {
                to &= checks.targets(piece, from);
            }
            if to.is_empty() {
                return;
            }
            let records = answers.of(piece, from);
            for to in squares(to) {
                ranked.push(Move { from, to, promotion: None }, records.score(to));
            }
        });
        ranked.seal();
    }
}

/// A move whose place others have chosen. Its stage still says whether a capture loses material:
/// pruning and reductions ask for it.
fn in_place(position: &Position, mv: Move) -> Picked {
    let quiet = !position.is_tactical(mv);
    let stage = match () {
        () if quiet => Stage::Quiet,
        () if see_at_least(position, mv, 0) => Stage::Capture,
        () => Stage::LosingCapture,
    };
    Picked { mv, stage, quiet }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::capture_rank;
    use crate::engine::test_boards::legal_moves;
    use std::collections::BTreeSet;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ];

    /// Every legal move comes once, whatever the hints are, even impossible ones.
    #[test]
    fn hands_out_each_legal_move_once() {
        for fen in FENS {
            let position = Position::new(fen.parse().expect("a valid FEN"));
            let legal = legal_moves(position.board());
            let hints = ["a1a2", "e2e4", "e1g1", "h2h4", "e5f7", "d5e6", "f4e3"];
            let mut hints: Vec<Option<Move>> = hints.iter().map(|m| m.parse().ok()).collect();
            hints.extend(legal.iter().map(|&mv| Some(mv)));
            for (place, window) in hints.windows(6).enumerate() {
                let [table, first, second, third, fourth, fifth] = window else { continue };
                let few = [*first, *second, *third, None, None];
                let many = [*first, *second, *third, *fourth, *fifth];
                let hints = Hints {
                    table: *table,
                    refutations: if place % 2 == 0 { many } else { few },
                    context: Context::default(),
                };
                let picker = || Picker::new(&position, hints);
                for picker in [picker(), picker().captures_together()] {
                    let picked = drained(&position, picker);
                    assert!(picked.iter().all(|p| p.quiet != position.is_tactical(p.mv)));
                    let seen = picked.iter().map(|picked| picked.mv.to_string());
                    let unique: BTreeSet<_> = seen.collect();
                    assert_eq!(unique.len(), picked.len(), "{fen} {hints:?}");
                    let all: BTreeSet<_> = legal.iter().map(ToString::to_string).collect();
                    assert_eq!(unique, all, "{fen} {hints:?}");
                }
            }
        }
    }

    fn drained(position: &Position, mut picker: Picker) -> Vec<Picked> {
        let history = History::default();
        std::iter::from_fn(|| picker.next(position, &history)).collect()
    }

    #[test]
    fn losing_captures_come_last_or_where_victim_and_attacker_place_them() {
        for fen in FENS {
            let position = Position::new(fen.parse().expect("a valid FEN"));
            let apart = drained(&position, Picker::new(&position, Hints::default()));
            assert!(apart.is_sorted_by_key(|picked| picked.stage), "{fen}");
            let picker = Picker::new(&position, Hints::default()).captures_together();
            let together = drained(&position, picker);
            assert!(together.is_sorted_by_key(|picked| picked.quiet), "{fen}");
            let rank = |picked: &Picked| std::cmp::Reverse(capture_rank(&position, picked.mv));
            assert!(together.iter().filter(|picked| !picked.quiet).is_sorted_by_key(rank));
            // The stage of a capture does not depend on its place.
            let stages = |all: &[Picked]| {
                let each = all.iter().map(|picked| (picked.mv.to_string(), picked.stage as u8));
                each.collect::<BTreeSet<_>>()
            };
            assert_eq!(stages(&apart), stages(&together), "{fen}");
        }
    }

    #[test]
    fn a_list_is_handed_out_as_it_is() {
        for fen in FENS {
            let position = Position::new(fen.parse().expect("a valid FEN"));
            let mut moves = legal_moves(position.board());
            moves.reverse();
            let all = drained(&position, Picker::in_order(&position, &moves));
            assert!(all.iter().map(|picked| picked.mv).eq(moves.iter().copied()), "{fen}");
            let mut picker = Picker::in_order(&position, &moves);
            picker.skip_quiets();
            let tactical = drained(&position, picker);
            assert_eq!(tactical.len(), all.iter().filter(|picked| !picked.quiet).count(), "{fen}");
            assert!(tactical.iter().all(|picked| !picked.quiet), "{fen}");
        }
    }
}
