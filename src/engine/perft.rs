//! Counting the leaves of the game tree: the check of the rules that we play by.

use super::{Board, Move};

/// How many sequences of `depth` legal moves there are. The last move is counted, not made.
///
/// ```
/// use ttd::engine::{Board, perft};
/// assert_eq!(perft(&Board::default(), 4), 197_281);
/// ```
pub fn perft(board: &Board, depth: u8) -> u64 {
    let mut leaves = 0;
    match depth {
        0 => leaves = 1,
        1 => {
            board.generate_moves(|moves| {
                leaves += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for mv in moves {
                    leaves += perft(&after(board, mv), depth - 1);
                }
                false
            });
        }
    }
    leaves
}

/// As [`perft`], for each first move apart, in the order in which moves are generated. None at
/// depth 0.
pub fn perft_divided(board: &Board, depth: u8) -> Vec<(Move, u64)> {
    let mut divided = Vec::new();
    if let Some(rest) = depth.checked_sub(1) {
        board.generate_moves(|moves| {
            divided.extend(moves.into_iter().map(|mv| (mv, perft(&after(board, mv), rest))));
            false
        });
    }
    divided
}

fn after(board: &Board, mv: Move) -> Board {
    let mut board = board.clone();
    board.play_unchecked(mv);
    board
}
