//! The number of moves, for the evaluation of the MPI study.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};

/// The number of pseudo-legal moves of `color`.
///
/// Castling and en passant are not counted. A promotion counts once for each of its four pieces.
/// Moves that leave the own king in check count too.
pub(super) fn pseudo_legal_moves(board: &Board, color: Color) -> i32 {
    let occupied = board.occupied();
    let own = board.colors(color);
    let mut count = 0;
    for square in own - board.pieces(Piece::Pawn) {
        count += (attacks(board, square, occupied) - own).len();
    }
    let last_rank = Rank::Eighth.relative_to(color).bitboard();
    for square in board.colored_pieces(color, Piece::Pawn) {
        let moves = get_pawn_quiets(square, color, occupied)
            | (get_pawn_attacks(square, color) & board.colors(!color));
        count += moves.len() + 3 * (moves & last_rank).len();
    }
    count as i32
}

/// The squares that the piece on `square`, not a pawn, attacks.
fn attacks(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let is = |piece| board.pieces(piece).has(square);
    if is(Piece::Knight) {
        return get_knight_moves(square);
    }
    if is(Piece::King) {
        return get_king_moves(square);
    }
    let mut attacks = BitBoard::EMPTY;
    if is(Piece::Bishop) || is(Piece::Queen) {
        attacks |= get_bishop_moves(square, occupied);
    }
    if is(Piece::Rook) || is(Piece::Queen) {
        attacks |= get_rook_moves(square, occupied);
    }
    attacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_boards::{board, from_sets, legal_moves};

    #[test]
    fn twenty_moves_at_the_start_and_four_promotions() {
        assert_eq!(pseudo_legal_moves(&Board::default(), Color::White), 20);
        let promoting = board("8/P7/8/8/8/8/8/k6K w - - 0 1");
        assert_eq!(pseudo_legal_moves(&promoting, Color::White), 4 + 3);
    }

    #[test]
    fn never_fewer_than_the_legal_moves() {
        for board in from_sets() {
            // Castling and en passant are legal moves that are not counted.
            let special = legal_moves(&board).len() as i32;
            assert!(pseudo_legal_moves(&board, board.side_to_move()) + 3 >= special);
        }
    }
}
