//! A position of a set.

use crate::engine::{Board, Move, Position};

/// A reader of the FEN of a line: [`parse_fen`](super::parse_fen), or [`parse_game_fen`](super::parse_game_fen) where
/// Chess960 and finished games are welcome.
pub type ReadFen = fn(&str) -> Result<Board, String>;

/// A position of a set.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// Unique in its set; `line N` where the file gives none.
    pub id: String,
    /// The line of the file it stands on, from 1.
    pub line: usize,
    /// The position, with the move counters that the file gives.
    pub board: Board,
    /// The best moves, if the file names any (`bm`). All legal.
    pub best: Vec<Move>,
    /// Moves to avoid, if the file names any (`am`). All legal.
    pub avoid: Vec<Move>,
    /// Numbers of leaves that perft must find, by depth (`D1`, `D2`...).
    pub perft: Vec<(u8, u64)>,
}

impl TestPosition {
    /// Whether the set says which moves are good or bad here.
    pub fn asks(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }

    /// Whether a move is one that the set asks for: among the best if it names any, and none to avoid.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        let wanted = self.best.is_empty() || self.best.contains(&mv);
        self.asks() && wanted && !self.avoid.contains(&mv)
    }

    /// As a search starts from it: without a past.
    pub fn position(&self) -> Position {
        Position::new(self.board.clone())
    }
}
