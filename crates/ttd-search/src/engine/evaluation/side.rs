//! The direction in which a side's pawns go, so that each term is written once for both sides.

use cozy_chess::{BitBoard, Color, File, Square};

/// White or Black, known when compiling.
pub(super) trait Side {
    /// The other side.
    type Other: Side<Other = Self>;
    /// Its colour.
    const COLOR: Color;
    /// Every square of `set`, moved one rank ahead as this side's pawns go.
    fn forward(set: BitBoard) -> BitBoard;
    /// Every square ahead of one of `set` on its file.
    fn ahead(set: BitBoard) -> BitBoard;
}

/// The side whose pawns go up the board.
pub(super) enum White {}

/// The side whose pawns go down the board.
pub(super) enum Black {}

impl Side for White {
    type Other = Black;
    const COLOR: Color = Color::White;

    fn forward(set: BitBoard) -> BitBoard {
        BitBoard(set.0 << 8)
    }

    fn ahead(set: BitBoard) -> BitBoard {
        let mut fill = set.0 << 8;
        fill |= fill << 8;
        fill |= fill << 16;
        BitBoard(fill | fill << 32)
    }
}

impl Side for Black {
    type Other = White;
    const COLOR: Color = Color::Black;

    fn forward(set: BitBoard) -> BitBoard {
        BitBoard(set.0 >> 8)
    }

    fn ahead(set: BitBoard) -> BitBoard {
        let mut fill = set.0 >> 8;
        fill |= fill >> 8;
        fill |= fill >> 16;
        BitBoard(fill | fill >> 32)
    }
}

/// The squares beside `set` on its ranks.
pub(super) fn beside(set: BitBoard) -> BitBoard {
    let right = (set - File::H.bitboard()).0 << 1;
    let left = (set - File::A.bitboard()).0 >> 1;
    BitBoard(right | left)
}

/// The squares that pawns of side `S` on `pawns` attack.
pub(super) fn pawn_attacks<S: Side>(pawns: BitBoard) -> BitBoard {
    beside(S::forward(pawns))
}

/// The files with a square of `set`, file A in the lowest bit.
pub(super) fn files_of(set: BitBoard) -> u8 {
    let mut files = set.0 | set.0 >> 32;
    files |= files >> 16;
    (files | files >> 8) as u8
}

/// The number of king's steps between two squares.
pub(super) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32).abs_diff(b.file() as i32);
    let ranks = (a.rank() as i32).abs_diff(b.rank() as i32);
    files.max(ranks) as i32
}

/// The number of squares of `set`.
pub(super) fn count(set: BitBoard) -> i32 {
    set.len() as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::get_pawn_attacks;

    fn attacks_agree<S: Side>() {
        for square in Square::ALL {
            let attacks = pawn_attacks::<S>(square.bitboard());
            assert_eq!(attacks, get_pawn_attacks(square, S::COLOR));
        }
    }

    #[test]
    fn pawns_attack_as_the_library_says() {
        attacks_agree::<White>();
        attacks_agree::<Black>();
    }

    #[test]
    fn ahead_is_the_rest_of_the_file() {
        for square in Square::ALL {
            let file = square.file().bitboard();
            let (up, down) = (White::ahead(square.into()), Black::ahead(square.into()));
            assert_eq!(up | down | square.bitboard(), file);
            assert!(up.is_disjoint(down));
            assert_eq!(files_of(square.into()), 1 << square.file() as u8);
        }
        assert_eq!(White::ahead(Square::C6.into()), Square::C7.bitboard() | Square::C8.bitboard());
        assert_eq!(Black::ahead(Square::C2.into()), Square::C1.bitboard());
    }
}
