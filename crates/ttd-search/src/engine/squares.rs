//! Walking over a set of squares; a move as the bits of its squares.

use cozy_chess::{BitBoard, Move, Piece, Square};

/// The squares of a set, lowest first. The library's own iterator does this too, but checks at each
/// step that a square's number is valid.
pub(super) fn squares(set: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = set.0;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lowest = left.trailing_zeros() as usize & 63;
        left &= left - 1;
        Some(Square::index(lowest))
    })
}

/// The number of bits that [`pack_move`] uses.
pub(super) const MOVE_BITS: u32 = 15;

/// A move, or 0 for none, in the lowest bits.
pub(super) fn pack_move(best: Option<Move>) -> u16 {
    best.map_or(0, |mv| {
        mv.from as u16 | (mv.to as u16) << 6 | mv.promotion.map_or(0, |piece| piece as u16) << 12
    })
}

/// The move from the bits of [`pack_move`].
pub(super) fn unpack_move(bits: u16) -> Option<Move> {
    (bits != 0).then(|| Move {
        from: Square::index(usize::from(bits & 63)),
        to: Square::index(usize::from(bits >> 6 & 63)),
        promotion: Piece::try_index(usize::from(bits >> 12)).filter(|&p| p != Piece::Pawn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_as_the_library_does() {
        for set in [0, 1, 0x8000_0000_0000_0001, 0x00ff_3c18_8001_ff00, u64::MAX] {
            let set = BitBoard(set);
            assert!(squares(set).eq(set));
        }
    }
}
