//! What a piece is worth, and where it stands well: the part of the evaluation that a
//! position keeps up to date move by move.
//!
//! Every square's value is a short formula of its rank, its file and its distance from the
//! centre; the formulas and their numbers are this project's own.

use super::taper::Taper;
use cozy_chess::{Color, Piece, Square};

/// How much each piece, from pawn to king, counts toward the middlegame.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sum of [`PHASE`] over the pieces of the initial position. Promotions can exceed it.
pub const FULL_PHASE: i32 = 24;

/// The worth of a piece wherever it stands, from pawn to king.
const MATERIAL: [Taper; 6] = [
    Taper::new(85, 115),
    Taper::new(325, 300),
    Taper::new(340, 320),
    Taper::new(485, 540),
    Taper::new(1000, 980),
    Taper::ZERO,
];

/// Worth and place of every piece on every square, by colour, from White's view.
static TABLE: [[[Taper; 64]; 6]; 2] = table();

/// The worth of a piece on a square, from White's view: negative for a black piece.
pub fn material_square(color: Color, piece: Piece, square: Square) -> Taper {
    TABLE[color as usize][piece as usize][square as usize]
}

const fn table() -> [[[Taper; 64]; 6]; 2] {
    let mut table = [[[Taper::ZERO; 64]; 6]; 2];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let value = MATERIAL[piece].plus(placement(Piece::ALL[piece], square));
            table[Color::White as usize][piece][square] = value;
            // A black piece stands as the white one on the mirrored rank.
            let mirrored = (7 - square / 8) * 8 + square % 8;
            table[Color::Black as usize][piece][mirrored] = value.negative();
            square += 1;
        }
        piece += 1;
    }
    table
}

/// The value of a place for a white piece.
const fn placement(piece: Piece, square: usize) -> Taper {
    let (rank, file) = (square as i32 / 8, square as i32 % 8);
    // 0 on the edge to 3 in the middle.
    let central_rank = if rank < 4 { rank } else { 7 - rank };
    let central_file = if file < 4 { file } else { 7 - file };
    let centre = central_rank + central_file;
    match piece {
        Piece::Pawn => pawn(rank, central_file),
        Piece::Knight => {
            let outpost = if rank >= 3 && rank <= 5 { 10 } else { 0 };
            Taper::new(9 * centre - 36 + outpost, 7 * centre - 24)
        }
        Piece::Bishop => {
            let long_diagonal = if central_rank == central_file { 6 } else { 0 };
            let at_home = if rank == 0 { 10 } else { 0 };
            Taper::new(3 * centre - 8 + long_diagonal - at_home, 3 * centre - 9)
        }
        Piece::Rook => {
            let seventh = if rank == 6 { 12 } else { 0 };
            Taper::new(4 * central_file - 6 + seventh, 2 * rank - 7 + seventh)
        }
        Piece::Queen => {
            let at_home = if rank == 0 { 4 } else { 0 };
            Taper::new(2 * centre - 4 - at_home, 7 * centre - 21)
        }
        Piece::King => {
            // Behind its pawns on a wing in the middlegame, in the centre in the endgame.
            let wing = [18, 28, 4, -6][central_file as usize];
            let exposed = if rank < 3 { 22 * rank } else { 44 + 12 * (rank - 2) };
            Taper::new(wing - exposed, 11 * centre - 36)
        }
    }
}

/// A pawn likes the centre while there are pieces, and to advance, above all without them.
const fn pawn(rank: i32, central_file: i32) -> Taper {
    if rank == 0 || rank == 7 {
        return Taper::ZERO;
    }
    let steps = rank - 1;
    let centre =
        if rank >= 2 && rank <= 4 { 4 * central_file + steps * central_file * 2 } else { 0 };
    Taper::new(centre + steps * steps - 6, 2 * steps * steps - 6)
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn an_endgame_pawn_never_loses_by_advancing() {
        for file in File::ALL {
            for (near, far) in (1..6).map(|rank| (rank, rank + 1)) {
                let on = |rank: usize| Square::index(rank * 8 + file as usize);
                let value = |rank| material_square(Color::White, Piece::Pawn, on(rank)).eg();
                assert!(value(near) < value(far));
            }
        }
    }
}
