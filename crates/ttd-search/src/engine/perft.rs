//! Counts the leaves of the game tree: a check of the rules of chess.

use cozy_chess::{Board, Move};

/// The number of sequences of `depth` legal moves. The last move is counted, not made.
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
                    // The example of cozy-chess copies the board like this: a position that a
                    // function returns would be copied once more.
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

/// All legal moves, as they are generated.
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// Every legal move and the position after it, in the order in which moves are generated.
pub fn successors(board: &Board) -> Vec<(Move, Board)> {
    let after = |mv: Move| {
        let mut board = board.clone();
        board.play_unchecked(mv);
        (mv, board)
    };
    legal_moves(board).into_iter().map(after).collect()
}
