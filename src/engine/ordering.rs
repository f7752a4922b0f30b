//! Staged move picking: what is most likely to cut off comes first, and what comes later is only
//! generated when it is needed.

use super::history::{Before, History};
use super::position::{Checks, Position};
use super::see::{PIECE_VALUES, see_at_least};
use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Board, Move, Piece, PieceMoves, Rank};

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

/// Moves and their scores, handed out best first.
///
/// The keys stand apart from the moves and hold the score above the place, so that the greatest is
/// found by comparing whole vectors of numbers; a move handed out leaves [`Ranked::GONE`].
#[derive(Debug, Default)]
struct Ranked {
    keys: ArrayVec<i32, MAX_MOVES>,
    moves: ArrayVec<Move, MAX_MOVES>,
}

impl Ranked {
    const GONE: i32 = i32::MIN;

    /// Adds a move; `score` lies within 2^22 of zero.
    fn push(&mut self, mv: Move, score: i32) {
        // Of two equals the first comes first.
        self.keys.push(score << 8 | (255 - self.keys.len() as i32));
        self.moves.push(mv);
    }

    fn pop_best(&mut self) -> Option<Move> {
        let best = self.keys.iter().copied().fold(Ranked::GONE, i32::max);
        if best == Ranked::GONE {
            return None;
        }
        let place = (255 - (best & 255)) as usize;
        self.keys[place] = Ranked::GONE;
        Some(self.moves[place])
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
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

/// The most sets of moves, one a piece, that cozy-chess generates for a position.
const MAX_SETS: usize = 18;

/// Hands out the legal moves of a position, one at a time, best first.
#[derive(Debug)]
pub struct Picker {
    hints: Hints,
    next: Next,
    quiets: Quiets,
    legal: ArrayVec<PieceMoves, MAX_SETS>,
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
            legal: ArrayVec::new(),
            ranked: Ranked::default(),
            losing: ArrayVec::new(),
        }
    }

    /// The captures and promotions only, and perhaps the quiet moves that give check.
    pub fn tactical(position: &Position, table: Option<Move>, checks: Option<Checks>) -> Picker {
        let table = table.filter(|&mv| position.is_tactical(mv));
        let quiets = checks.map_or(Quiets::None, Quiets::Checks);
        Picker { quiets, ..Picker::new(position, Hints { table, ..Hints::default() }) }
    }

    /// Leaves out the quiet moves that were not handed out yet.
    pub const fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
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
                    self.generate(position);
                    self.rank_captures(position);
                    self.next = Next::Captures;
                }
                Next::Captures => match self.ranked.pop_best() {
                    Some(mv) if see_at_least(position.board(), mv, 0) => {
                        return Some(Picked { mv, stage: Stage::Capture, quiet: false });
                    }
                    Some(mv) => self.losing.push(mv),
                    None => self.next = Next::Refutations(0),
                },
                Next::Refutations(n) if n < 3 && matches!(self.quiets, Quiets::All) => {
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
                    if !matches!(self.quiets, Quiets::None)
                        && let Some(mv) = self.ranked.pop_best()
                    {
                        return Some(Picked { mv, stage: Stage::Quiet, quiet: true });
                    }
                    self.next = Next::LosingCaptures(0);
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
        let good = !repeated && self.is_legal(mv) && !position.is_tactical(mv);
        good.then_some(mv)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.legal.iter().any(|moves| moves.from == mv.from && moves.has(mv))
    }

    // What is done once a node stays out of `next`, whose many calls are shorter without it.
    #[inline(never)]
    fn generate(&mut self, position: &Position) {
        let legal = &mut self.legal;
        position.board().generate_moves(|moves| {
            legal.push(moves);
            false
        });
    }

    #[inline(never)]
    fn rank_captures(&mut self, position: &Position) {
        let board = position.board();
        let color = board.side_to_move();
        let victims = board.colors(!color);
        let for_pawns = victims | en_passant(board) | Rank::Eighth.relative_to(color).bitboard();
        for &(mut moves) in &self.legal {
            moves.to &= if moves.piece == Piece::Pawn { for_pawns } else { victims };
            for mv in moves {
                if Some(mv) != self.hints.table {
                    let victim = board.piece_on(mv.to).filter(|_| victims.has(mv.to));
                    let gain = victim.map_or(0, |piece| PIECE_VALUES[piece as usize])
                        + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize]);
                    self.ranked.push(mv, gain * 8 - moves.piece as i32);
                }
            }
        }
    }

    #[inline(never)]
    fn rank_quiets(&mut self, position: &Position, history: &History) {
        let board = position.board();
        let color = board.side_to_move();
        let promotions = Rank::Eighth.relative_to(color).bitboard();
        let (victims, en_passant) = (board.colors(!color), en_passant(board));
        let hints = &self.hints;
        let known = [hints.table, hints.refutations[0], hints.refutations[1], hints.refutations[2]];
        self.ranked.clear();
        for &PieceMoves { piece, from, mut to } in &self.legal {
            to &= !victims;
            if piece == Piece::Pawn {
                // Straight ahead onto the en-passant square is a quiet move all the same.
                to &= !promotions & (!en_passant | from.file().bitboard());
            }
            if let Quiets::Checks(checks) = &self.quiets {
                to &= checks.targets(piece, from);
            }
            for mv in known.into_iter().flatten().filter(|mv| mv.from == from) {
                to &= !mv.to.bitboard();
            }
            if to.is_empty() {
                continue;
            }
            let records = history.records(color, piece, from, hints.before);
            for to in to {
                self.ranked.push(Move { from, to, promotion: None }, records.score(to));
            }
        }
    }
}

/// Where a pawn would take in passing.
fn en_passant(board: &Board) -> BitBoard {
    board.en_passant().map_or(BitBoard::EMPTY, |file| {
        file.bitboard() & Rank::Sixth.relative_to(board.side_to_move()).bitboard()
    })
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
