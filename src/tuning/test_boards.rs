//! Boards for the tests of this module.

use ttd_search::engine::{Board, Move};
use ttd_search::positions::load;

/// Every position of five of the position sets.
pub(crate) fn from_sets() -> Vec<Board> {
    ["bratko-kopec", "hyatt-dts", "middlegames", "win-at-chess", "perft"]
        .iter()
        .flat_map(|set| load(set).expect("a set of the program"))
        .map(|position| position.board)
        .collect()
}

/// The board of a FEN that is known to be right.
pub(crate) fn board(fen: &str) -> Board {
    fen.parse().expect("the test's own FEN")
}

/// Every legal move.
pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}
