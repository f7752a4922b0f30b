//! The value of a piece and of its square: the part of the evaluation that follows each move.

use super::table::WEIGHTS;
use super::{Taper, Weights};
use crate::engine::generation::squares;
use cozy_chess::{Board, Color, Piece, Square};

/// The part that each piece, from pawn to king, has in the phase of a game. The greater the sum,
/// the more the middlegame counts.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sum of [`PHASE`] over the pieces of the initial position. Promotions can exceed it.
pub const FULL_PHASE: i32 = 24;

/// The value of every piece on every square, by colour, from White's view.
static TABLE: [[[Taper; 64]; 6]; 2] = table();

/// The value of a piece on a square, from White's view: negative for a black piece.
pub fn material_square(color: Color, piece: Piece, square: Square) -> Taper {
    TABLE[color as usize][piece as usize][square as usize]
}

const fn table() -> [[[Taper; 64]; 6]; 2] {
    let mut table = [[[Taper::ZERO; 64]; 6]; 2];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let value = of_white(&WEIGHTS, piece, square);
            table[Color::White as usize][piece][square] = value;
            table[Color::Black as usize][piece][mirrored(square)] = value.negative();
            square += 1;
        }
        piece += 1;
    }
    table
}

/// The value of a white piece on a square.
const fn of_white(weights: &Weights, piece: usize, square: usize) -> Taper {
    let (rank, file) = (square / 8, square % 8);
    let from_edge = if file < 4 { file } else { 7 - file };
    let places = match Piece::ALL[piece] {
        Piece::Pawn => &weights.pawn_squares,
        Piece::Knight => &weights.knight_squares,
        Piece::Bishop => &weights.bishop_squares,
        Piece::Rook => &weights.rook_squares,
        Piece::Queen => &weights.queen_squares,
        Piece::King => &weights.king_squares,
    };
    let place = places[4 * rank + from_edge];
    if piece < weights.material.len() { weights.material[piece].plus(place) } else { place }
}

/// The square on the mirrored rank. A black piece there is worth the same as a white one here.
const fn mirrored(square: usize) -> usize {
    (7 - square / 8) * 8 + square % 8
}

/// The sum over all pieces of a board by any weights, from White's view.
pub(super) fn sum(weights: &Weights, board: &Board) -> Taper {
    let mut sum = Taper::ZERO;
    for piece in Piece::ALL {
        for square in squares(board.colored_pieces(Color::White, piece)) {
            sum += of_white(weights, piece as usize, square as usize);
        }
        for square in squares(board.colored_pieces(Color::Black, piece)) {
            sum -= of_white(weights, piece as usize, mirrored(square as usize));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Position;
    use crate::engine::test_boards::from_sets;
    use cozy_chess::File;

    #[test]
    fn black_is_the_mirror_of_white() {
        for piece in Piece::ALL {
            for square in Square::ALL {
                assert_eq!(
                    material_square(Color::White, piece, square),
                    -material_square(Color::Black, piece, square.flip_rank()),
                );
            }
        }
    }

    #[test]
    fn pieces_like_the_centre_and_the_king_hides_until_the_endgame() {
        let white = |piece, square| material_square(Color::White, piece, square);
        for piece in [Piece::Knight, Piece::Bishop, Piece::Queen] {
            assert!(white(piece, Square::E4).mg() > white(piece, Square::H1).mg());
            assert!(white(piece, Square::E4).eg() > white(piece, Square::H1).eg());
        }
        assert!(white(Piece::King, Square::G1).mg() > white(Piece::King, Square::E4).mg());
        assert!(white(Piece::King, Square::G1).eg() < white(Piece::King, Square::E4).eg());
    }

    #[test]
    fn an_endgame_pawn_gains_by_advancing() {
        for file in File::ALL {
            let on = |rank: usize| Square::index(rank * 8 + file as usize);
            let value = |rank| material_square(Color::White, Piece::Pawn, on(rank)).eg();
            assert!(value(1) < value(6));
        }
    }

    #[test]
    fn the_sum_is_that_which_follows_the_moves() {
        for board in from_sets() {
            assert_eq!(sum(&WEIGHTS, &board), Position::new(board).squares());
        }
    }
}
