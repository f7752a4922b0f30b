//! By how much searches have shown the static evaluation to be wrong, by the structure of the pawns: what the pieces
//! around the same pawns were misjudged by tends to be so again. (The chess programming wiki's "static evaluation
//! correction history".)
//!
//! As in [`super::History`], entries are relaxed atomics: an update lost to another worker does no harm.

use super::score::Score;
use cozy_chess::{Board, Color, Piece};
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// Parts of a centipawn that an entry counts.
const GRAIN: i32 = 64;
/// What a weight is a part of.
const WHOLE: i32 = 256;
/// No error counts for more, centipawns; an entry is an average of such errors, and fits its type.
const MOST_ERROR: i32 = 400;
/// Structures that are told apart, as a power of two.
const BITS: u32 = 14;

/// The running averages of the errors, by side to move and pawns.
pub struct Corrections(Box<[[AtomicI16; 1 << BITS]]>);

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections((0..2).map(|_| [const { AtomicI16::new(0) }; 1 << BITS]).collect())
    }
}

impl Corrections {
    /// What is to be added to the static evaluation of a position, centipawns from the side to move.
    pub fn of(&self, board: &Board) -> Score {
        i32::from(self.entry(board).load(Relaxed)) / GRAIN
    }

    /// A search has found a score that lies so many centipawns above the static evaluation. It counts for `weight`
    /// 256ths, and what was known for the rest.
    pub fn learn(&self, board: &Board, error: Score, weight: i32) {
        let entry = self.entry(board);
        let error = error.clamp(-MOST_ERROR, MOST_ERROR) * GRAIN;
        let old = i32::from(entry.load(Relaxed));
        entry.store(((old * (WHOLE - weight) + error * weight) / WHOLE) as i16, Relaxed);
    }

    /// Takes over all that another one has, as far as it can be seen.
    pub(super) fn copy_from(&self, other: &Corrections) {
        for (to, from) in self.0.as_flattened().iter().zip(other.0.as_flattened()) {
            to.store(from.load(Relaxed), Relaxed);
        }
    }

    fn entry(&self, board: &Board) -> &AtomicI16 {
        let pawns = |color: Color| board.colored_pieces(color, Piece::Pawn).0;
        // The upper bits of a product depend on all bits of its factor.
        let mix = pawns(Color::White).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ pawns(Color::Black).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        &self.0[board.side_to_move() as usize][(mix >> (u64::BITS - BITS)) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_boards::board;

    #[test]
    fn errors_are_averaged_by_side_and_pawns() {
        let (one, other) = (Corrections::default(), Corrections::default());
        let white = board("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1");
        let same_pawns = board("4k1r1/pp6/8/8/8/8/PP6/4K3 w - - 0 1");
        for _ in 0..1_000 {
            one.learn(&white, 30, 16);
        }
        assert!((28..=30).contains(&one.of(&white)), "{}", one.of(&white));
        assert_eq!(one.of(&same_pawns), one.of(&white));
        assert_eq!(one.of(&board("4k3/pp6/8/8/8/8/PP6/R3K3 b - - 0 1")), 0);
        assert_eq!(one.of(&board("4k3/1p6/8/8/8/8/PP6/R3K3 w - - 0 1")), 0);
        other.copy_from(&one);
        assert_eq!(other.of(&white), one.of(&white));
    }

    #[test]
    fn entries_stay_within_their_type() {
        let all = Corrections::default();
        let board = Board::default();
        for error in [100_000, -100_000] {
            for _ in 0..2_000 {
                all.learn(&board, error, 256);
            }
            assert_eq!(all.of(&board), error.signum() * MOST_ERROR);
        }
    }
}
