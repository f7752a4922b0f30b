//! Staged move picking: what is most likely to cut off comes first, and what comes later is only
//! generated when it is needed.

use super::generation::{is_proved, quiet_moves, tactical_moves};
use super::history::{Before, History};
use super::position::{Checks, Position};
use super::see::{PIECE_VALUES, see_at_least};
use super::squares::squares;
use super::transposition::{MOVE_BITS, pack_move, unpack_move};
use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Move, PieceMoves};

/// The most moves that a legal position has.
pub const MAX_MOVES: usize = 218;

/// Where a move comes from in the order.
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

/// A move and where it stands in the order.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    /// The move.
    pub mv: Move,
    /// Its stage.
    pub stage: Stage,
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
}

/// What is known about good moves before any is generated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The table's best move; checked for legality by the picker.
    pub table: Option<Move>,
    /// Two killers and the countermove, the most trusted first.
    pub refutations: [Option<Move>; 3],
    /// What was moved before.
    pub before: Before,
}

impl Hints {
    /// Whether a move is one of those named.
    fn name(&self, mv: Move) -> bool {
        self.table == Some(mv) || self.refutations.contains(&Some(mv))
    }
}

/// Moves handed out best first. Each is one number, its score above its squares: all differ, and
/// the best one left is the greatest below the last one handed out, which is found by comparing
/// whole lanes of them.
#[derive(Debug)]
struct Ranked {
    /// Ended by [`Ranked::GONE`] to full lanes.
    keys: ArrayVec<i32, { MAX_MOVES.next_multiple_of(LANES) }>,
    last: i32,
}

/// As many keys as a vector of 256 bits holds.
const LANES: usize = 8;

impl Ranked {
    const GONE: i32 = i32::MIN;

    const fn new() -> Ranked {
        Ranked { keys: ArrayVec::new_const(), last: i32::MAX }
    }

    /// Adds a move; `score` lies within 2^16 of zero.
    #[inline]
    fn push(&mut self, mv: Move, score: i32) {
        self.keys.push(score << MOVE_BITS | i32::from(pack_move(Some(mv))));
    }

    /// Fills the last lane, after the last move was added.
    fn seal(&mut self) {
        while !self.keys.len().is_multiple_of(LANES) {
            self.keys.push(Ranked::GONE);
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.last = i32::MAX;
    }

    fn pop_best(&mut self) -> Option<Move> {
        let (lanes, _) = self.keys.as_chunks::<LANES>();
        let mut greatest = [Ranked::GONE; LANES];
        for lane in lanes {
            for (best, &key) in greatest.iter_mut().zip(lane) {
                *best = (*best).max(if key < self.last { key } else { Ranked::GONE });
            }
        }
        self.last = greatest.into_iter().fold(Ranked::GONE, i32::max);
        if self.last == Ranked::GONE { None } else { Ranked::unpack(self.last) }
    }

    fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        for key in &mut self.keys {
            if *key != Ranked::GONE && !Ranked::unpack(*key).is_some_and(&wanted) {
                *key = Ranked::GONE;
            }
        }
    }

    fn unpack(key: i32) -> Option<Move> {
        unpack_move(key as u16 & ((1 << MOVE_BITS) - 1))
    }
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
    Done,
}

/// Which quiet moves are handed out.
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
    /// All legal moves.
    pub fn new(position: &Position, mut hints: Hints) -> Picker {
        hints.table = hints.table.filter(|&mv| position.board().is_legal(mv));
        Picker {
            hints,
            next: Next::Table,
            quiets: Quiets::All,
            victims: position.board().colors(!position.side_to_move()),
            ranked: Ranked::new(),
            losing: ArrayVec::new(),
        }
    }

    /// The captures of `victims` and the promotions only, and perhaps the quiet moves that give
    /// check.
    pub fn tactical(
        position: &Position,
        table: Option<Move>,
        victims: BitBoard,
        checks: Option<Checks>,
    ) -> Picker {
        let table = table.filter(|&mv| position.is_tactical(mv));
        let quiets = checks.map_or(Quiets::None, Quiets::Checks);
        Picker { quiets, victims, ..Picker::new(position, Hints { table, ..Hints::default() }) }
    }

    /// Leaves out the quiet moves that were not handed out yet.
    pub const fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// Leaves out the quiet moves that were not handed out yet and give no check.
    pub fn skip_quiets_without_check(&mut self, position: &Position, checks: &Checks) {
        if matches!(self.quiets, Quiets::All) {
            self.quiets = Quiets::Checks(*checks);
            if self.next == Next::Quiets {
                self.ranked.retain(|mv| checks.given_by(position.moved(mv), mv));
            }
        }
    }

    /// The next move.
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
                Next::Refutations(n) if n < 3 && !matches!(self.quiets, Quiets::None) => {
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
                        Some(mv) if !self.hints.name(mv) && is_proved(position.board(), mv) => {
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
                Next::Done => return None,
            }
        }
    }

    fn refutation(&self, position: &Position, n: usize) -> Option<Move> {
        let hints = &self.hints;
        let mv = hints.refutations[n]?;
        let repeated = hints.refutations[..n].contains(&Some(mv)) || hints.table == Some(mv);
        let wanted = |mv| match &self.quiets {
            Quiets::All => true,
            Quiets::Checks(checks) => checks.given_by(position.moved(mv), mv),
            Quiets::None => false,
        };
        let legal = !repeated && position.board().is_legal(mv) && !position.is_tactical(mv);
        (legal && wanted(mv)).then_some(mv)
    }

    // What is done once a node stays out of `next`, whose many calls are shorter without it.
    #[inline(never)]
    fn rank_captures(&mut self, position: &Position) {
        let board = position.board();
        let (ranked, table) = (&mut self.ranked, self.hints.table);
        tactical_moves(board, self.victims, |moves| {
            for mv in moves {
                if Some(mv) != table {
                    // In passing nothing stands on the target: the least gain, as it is.
                    let victim = position.piece_on(mv.to);
                    let gain = victim.map_or(0, |piece| PIECE_VALUES[piece as usize])
                        + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize]);
                    ranked.push(mv, gain * 8 - moves.piece as i32);
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
        let answers = history.answers(color, hints.before);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const FENS: [&str; 4] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    ];

    /// Every legal move once, whatever the hints say, even impossible ones.
    #[test]
    fn hands_out_each_legal_move_once() {
        let history = History::default();
        for fen in FENS {
            let position = Position::new(fen.parse().expect("a valid FEN"));
            let mut legal = Vec::new();
            position.board().generate_moves(|moves| {
                legal.extend(moves);
                false
            });
            let hints = ["a1a2", "e2e4", "e1g1", "h2h4", "e5f7", "d5e6", "f4e3"];
            let mut hints: Vec<Option<Move>> = hints.iter().map(|m| m.parse().ok()).collect();
            hints.extend(legal.iter().map(|&mv| Some(mv)));
            for window in hints.windows(4) {
                let hints = Hints {
                    table: window[0],
                    refutations: [window[1], window[2], window[3]],
                    before: [None, None],
                };
                let mut picker = Picker::new(&position, hints);
                let mut seen = Vec::new();
                while let Some(picked) = picker.next(&position, &history) {
                    assert_eq!(picked.quiet, !position.is_tactical(picked.mv));
                    seen.push(picked.mv.to_string());
                }
                let unique: BTreeSet<_> = seen.iter().cloned().collect();
                assert_eq!(unique.len(), seen.len(), "{fen} {hints:?}");
                let all: BTreeSet<_> = legal.iter().map(ToString::to_string).collect();
                assert_eq!(unique, all, "{fen} {hints:?}");
            }
        }
    }
}
