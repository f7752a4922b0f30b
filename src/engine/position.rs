//! SKELETON.
use super::evaluation::{PHASE, Taper, material_square};
use cozy_chess::{Board, Color, Piece};

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    squares: Taper,
    phase: i32,
}

impl Position {
    /// A position without a past.
    pub fn new(board: Board) -> Position {
        let (mut squares, mut phase) = (Taper::ZERO, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                for square in board.colored_pieces(color, piece) {
                    squares += material_square(color, piece, square);
                    phase += PHASE[piece as usize];
                }
            }
        }
        Position { board, squares, phase }
    }
    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }
    /// The sum of [`material_square`] over all pieces.
    pub fn squares(&self) -> Taper {
        self.squares
    }
    /// The sum of [`PHASE`] over all pieces.
    pub fn phase(&self) -> i32 {
        self.phase
    }
}
