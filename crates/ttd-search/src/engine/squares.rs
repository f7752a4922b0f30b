//! Walking over a set of squares.

use cozy_chess::{BitBoard, Square};

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
