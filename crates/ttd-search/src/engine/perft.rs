//! Counting the leaves of the game tree: the check of the rules that we play by.

use cozy_chess::{Board, Move};

/// How many sequences of `depth` legal moves there are. The last move is counted, not made.
///
/// ```
/// use ttd_search::engine::{Board, perft};
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
                    // As cozy-chess's example does it: a position that a function gives back is copied once more.
                    let mut board = board.clone();
                    board.play_unchecked(mv);
                    leaves += perft(&board, depth - 1);
                }
                false
            });
        }
    }
    leaves
}

/// Every legal move and the position after it, in the order in which moves are generated.
pub fn successors(board: &Board) -> Vec<(Move, Board)> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves.into_iter().map(|mv| {
            let mut board = board.clone();
            board.play_unchecked(mv);
            (mv, board)
        }));
        false
    });
    all
}
