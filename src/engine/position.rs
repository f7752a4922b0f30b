//! SKELETON.
use cozy_chess::Board;

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Position {
        Position { board }
    }
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
}
