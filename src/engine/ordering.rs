//! Staged move picking: what is most likely to cut off comes first, and what comes later is only
//! generated when it is needed.

use super::history::{Before, History, Moved};
use super::position::Position;
use super::see::{PIECE_VALUES, see_at_least};
use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Move, Piece, Rank};

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

#[derive(Clone, Copy, Debug)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Table,
    GenerateCaptures,
    Captures,
    Refutations(u8),
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    Done,
}

/// Hands out the legal moves of a position, one at a time, best first.
#[derive(Debug)]
pub struct Picker {
    hints: Hints,
    next: Next,
    index: usize,
    losing: usize,
    quiets_wanted: bool,
    captures: ArrayVec<Scored, MAX_MOVES>,
    quiets: ArrayVec<Scored, MAX_MOVES>,
}

impl Picker {
    /// All legal moves.
    pub fn new(position: &Position, mut hints: Hints) -> Picker {
        hints.table = hints.table.filter(|&mv| position.board().is_legal(mv));
        Picker {
            hints,
            next: Next::Table,
            index: 0,
            losing: 0,
            quiets_wanted: true,
            captures: ArrayVec::new(),
            quiets: ArrayVec::new(),
        }
    }

    /// The captures and promotions only; in check, every evasion.
    pub fn tactical(position: &Position, mut hints: Hints) -> Picker {
        let in_check = position.in_check();
        hints.table = hints.table.filter(|&mv| in_check || position.is_tactical(mv));
        Picker { quiets_wanted: in_check, ..Picker::new(position, hints) }
    }

    /// Leaves out the quiet moves that were not handed out yet.
    pub const fn skip_quiets(&mut self) {
        self.quiets_wanted = false;
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
                    self.generate_captures(position);
                    self.next = Next::Captures;
                }
                Next::Captures => match self.next_capture(position) {
                    Some(mv) => return Some(Picked { mv, stage: Stage::Capture, quiet: false }),
                    None => self.next = Next::Refutations(0),
                },
                Next::Refutations(n) if n < 3 && self.quiets_wanted => {
                    self.next = Next::Refutations(n + 1);
                    if let Some(mv) = self.refutation(position, usize::from(n)) {
                        return Some(Picked { mv, stage: Stage::Refutation, quiet: true });
                    }
                }
                Next::Refutations(_) => self.next = Next::GenerateQuiets,
                Next::GenerateQuiets => {
                    if self.quiets_wanted {
                        self.generate_quiets(position, history);
                    }
                    self.index = 0;
                    self.next = Next::Quiets;
                }
                Next::Quiets => {
                    if self.quiets_wanted && self.index < self.quiets.len() {
                        let mv = select(&mut self.quiets, self.index);
                        self.index += 1;
                        return Some(Picked { mv, stage: Stage::Quiet, quiet: true });
                    }
                    self.index = 0;
                    self.next = Next::LosingCaptures;
                }
                Next::LosingCaptures => {
                    if self.index < self.losing {
                        self.index += 1;
                        let mv = self.captures[self.index - 1].mv;
                        return Some(Picked { mv, stage: Stage::LosingCapture, quiet: false });
                    }
                    self.next = Next::Done;
                }
                Next::Done => return None,
            }
        }
    }

    /// The best capture left that loses nothing; those that lose something gather at the front.
    fn next_capture(&mut self, position: &Position) -> Option<Move> {
        while self.index < self.captures.len() {
            let mv = select(&mut self.captures, self.index);
            self.index += 1;
            if see_at_least(position.board(), mv, 0) {
                return Some(mv);
            }
            self.captures.swap(self.losing, self.index - 1);
            self.losing += 1;
        }
        None
    }

    fn refutation(&self, position: &Position, n: usize) -> Option<Move> {
        let hints = &self.hints;
        let mv = hints.refutations[n]?;
        let repeated = hints.refutations[..n].contains(&Some(mv)) || hints.table == Some(mv);
        let good = !repeated && position.board().is_legal(mv) && !position.is_tactical(mv);
        good.then_some(mv)
    }

    fn generate_captures(&mut self, position: &Position) {
        let board = position.board();
        let color = board.side_to_move();
        let victims = board.colors(!color);
        let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
            file.bitboard() & Rank::Sixth.relative_to(color).bitboard()
        });
        let promotions = Rank::Eighth.relative_to(color).bitboard();
        let (table, captures) = (self.hints.table, &mut self.captures);
        board.generate_moves(|mut moves| {
            let pawn = moves.piece == Piece::Pawn;
            moves.to &= if pawn { victims | en_passant | promotions } else { victims };
            for mv in moves {
                if Some(mv) != table {
                    let victim = board.piece_on(mv.to).filter(|_| victims.has(mv.to));
                    let gain = victim.map_or(0, |piece| PIECE_VALUES[piece as usize])
                        + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize]);
                    captures.push(Scored { mv, score: gain * 8 - moves.piece as i32 });
                }
            }
            false
        });
    }

    fn generate_quiets(&mut self, position: &Position, history: &History) {
        let board = position.board();
        let color = board.side_to_move();
        let hints = &self.hints;
        let promotions = Rank::Eighth.relative_to(color).bitboard();
        let en_passant = board.en_passant().map_or(BitBoard::EMPTY, |file| {
            file.bitboard() & Rank::Sixth.relative_to(color).bitboard()
        });
        let (victims, quiets) = (board.colors(!color), &mut self.quiets);
        let killers = hints.refutations;
        board.generate_moves(|mut moves| {
            moves.to &= !victims;
            if moves.piece == Piece::Pawn {
                // Straight ahead onto the en-passant square is a quiet move all the same.
                let straight = moves.from.file().bitboard();
                moves.to &= !promotions & (!en_passant | straight);
            }
            for mv in moves {
                if Some(mv) != hints.table && !killers.contains(&Some(mv)) {
                    let moved = Moved::new(color, moves.piece, mv.to);
                    let score = history.score(color, mv, moved, hints.before);
                    quiets.push(Scored { mv, score });
                }
            }
            false
        });
    }
}

/// Moves the best entry from `index` on to `index`.
fn select(moves: &mut [Scored], index: usize) -> Move {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].score > moves[best].score {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index].mv
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
