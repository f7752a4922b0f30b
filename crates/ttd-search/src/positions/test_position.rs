//! A position of a set.

use crate::engine::{Board, Move, Position};

/// A reader of the FEN of a line.
///
/// It is [`parse_fen`](super::parse_fen), or [`parse_game_fen`](super::parse_game_fen) where
/// Chess960 and finished games are allowed.
pub type ReadFen = fn(&str) -> Result<Board, String>;

/// A position of a set.
#[derive(Clone, Debug)]
pub struct TestPosition {
    /// The id, unique in its set: `line N` where the file gives none.
    pub id: String,
    /// The number of its line in the file, from 1.
    pub line: usize,
    /// The position, with the move counters that the file gives.
    pub board: Board,
    /// The best moves, if the file names any (`bm`). All legal.
    pub best: Vec<Move>,
    /// Moves to avoid, if the file names any (`am`). All legal.
    pub avoid: Vec<Move>,
    /// The kind of position, if the file names one (`tag`): [`tag`](super::tag) is for all.
    pub tag: Option<String>,
    /// The numbers of leaves that perft must find, by depth (`D1`, `D2`...).
    pub perft: Vec<(u8, u64)>,
}

impl TestPosition {
    /// Whether the set names good or bad moves here.
    pub fn asks(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty()
    }

    /// Whether a move is one that the set asks for: among the best if there are any, and not to be
    /// avoided.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        let wanted = self.best.is_empty() || self.best.contains(&mv);
        self.asks() && wanted && !self.avoid.contains(&mv)
    }

    /// The position as a search starts from it, without a past.
    pub fn position(&self) -> Position {
        Position::new(self.board.clone())
    }
}
