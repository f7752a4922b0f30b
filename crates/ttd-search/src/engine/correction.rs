//! Corrections of the static evaluation, learned from the search.
//!
//! Positions with equal pawns, or with equal pieces of one side, are often misjudged alike. So the
//! difference between a node's score and its evaluation is kept by such a feature, and added to the
//! evaluation of later nodes.
//!
//! Source: the correction history of Caissa and Stockfish (Chess Programming Wiki, "Static
//! Evaluation Correction History"). The numbers here are this project's own.

use super::rounding::nudge;
use super::zobrist::{factor, pawns, product};
use super::{Position, Score};
use cozy_chess::{Board, Color, Piece};
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// The number of features of a position: its pawns, and the other pieces of each side.
const FEATURES: usize = 3;
const BITS: u32 = 13;
/// The entries of a cache line.
const ENTRIES_OF_LINE: usize = 32;

/// The entries of a position, by number. Other positions may have some of them too.
pub type CorrectionsAt = [usize; FEATURES];

/// The errors that static evaluations had, by features of positions.
///
/// Written during a search by the workers that it belongs to, without locks: an update lost to
/// another worker does no harm. Lives for one sample, and in a game from move to move.
pub struct Corrections {
    /// By side to move, feature and a hash of the feature.
    entries: Box<[AtomicI16]>,
}

impl Default for Corrections {
    fn default() -> Corrections {
        let entries = 0..(2 * FEATURES) << BITS;
        Corrections { entries: entries.map(|_| AtomicI16::new(0)).collect() }
    }
}

impl Corrections {
    /// Their memory, bytes.
    pub const BYTES: usize = size_of::<AtomicI16>() * ((2 * FEATURES) << BITS);

    /// The entries of a position.
    #[inline]
    pub fn at(position: &Position) -> CorrectionsAt {
        let board = position.board();
        let side = position.side_to_move() as usize * FEATURES;
        let [white, black] = Color::ALL.map(|color| pieces(board, color));
        let hashes = [pawns(board), white, black];
        std::array::from_fn(|feature| {
            let hash = hashes[feature] >> (u64::BITS - BITS);
            ((side + feature) << BITS) | hash as usize
        })
    }

    /// The sum of a position's entries: each from -16,384 to 16,384.
    #[inline]
    pub fn sum(&self, at: CorrectionsAt) -> i32 {
        at.into_iter().map(|entry| i32::from(self.entries[entry].load(Relaxed))).sum()
    }

    /// Moves each entry of a position by `error`, less the more it has already.
    pub fn learn(&self, at: CorrectionsAt, error: Score) {
        for entry in at {
            nudge(&self.entries[entry], error);
        }
    }

    /// The cache lines of these entries, by number.
    pub fn lines(at: CorrectionsAt) -> [u64; FEATURES] {
        at.map(|entry| (entry / ENTRIES_OF_LINE) as u64)
    }
}

/// A hash of one side's pieces without its pawns.
fn pieces(board: &Board, color: Color) -> u64 {
    let kinds = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
    let hash = |kind| product(board.colored_pieces(color, kind).0, factor(3 + kind as u64));
    kinds.into_iter().fold(0, |sum, kind| sum ^ hash(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::{BoardBuilder, Square};
    use std::collections::BTreeSet;

    fn position(fen: &str) -> Position {
        Position::new(fen.parse().expect("a position"))
    }

    #[test]
    fn a_correction_holds_for_positions_with_the_feature() {
        let corrections = Corrections::default();
        let learned = position("4k3/pp3n2/8/8/8/8/PP3N2/4K3 w - - 0 1");
        corrections.learn(Corrections::at(&learned), 300);
        let sum = |fen| corrections.sum(Corrections::at(&position(fen)));
        assert_eq!(sum("4k3/pp3n2/8/8/8/8/PP3N2/4K3 w - - 9 30"), 900);
        assert_eq!(sum("4k3/pp3b2/8/8/8/8/PP3B2/4K3 w - - 0 1"), 300, "pawns alone");
        assert_eq!(sum("4k3/pp3n2/8/8/8/P7/1P3N2/4K3 w - - 0 1"), 600, "both sides' pieces");
        assert_eq!(sum("4k3/pp3n2/8/8/8/8/PP3N2/4K3 b - - 0 1"), 0, "the other side to move");
    }

    #[test]
    fn entries_stay_within_bounds_and_fade() {
        let corrections = Corrections::default();
        let at = Corrections::at(&Position::new(Board::default()));
        for _ in 0..1000 {
            corrections.learn(at, 4_000);
        }
        assert!((40_000..=3 * 16_384).contains(&corrections.sum(at)));
        for _ in 0..1000 {
            corrections.learn(at, -4_000);
        }
        assert!(corrections.sum(at) <= -40_000);
    }

    /// Four pieces of one side on its first rank: most placements have entries of their own.
    #[test]
    fn the_entries_of_both_sides_are_spread() {
        for color in Color::ALL {
            let (mut found, mut placements) = (BTreeSet::new(), 0);
            for number in 0..8_usize.pow(4) {
                let squares = [number % 8, number / 8 % 8, number / 64 % 8, number / 512];
                let mut builder = BoardBuilder::empty();
                let flip = |at: usize| if color == Color::White { at } else { 63 - at };
                let kinds = [Piece::King, Piece::Queen, Piece::Rook, Piece::Knight];
                for (at, kind) in squares.into_iter().zip(kinds) {
                    *builder.square_mut(Square::index(flip(at))) = Some((kind, color));
                }
                *builder.square_mut(Square::index(flip(63))) = Some((Piece::King, !color));
                let Ok(board) = builder.build() else { continue };
                placements += 1;
                found.insert(Corrections::at(&Position::new(board))[1 + color as usize]);
            }
            assert!(placements > 500, "{placements}");
            assert!(found.len() * 4 > placements * 3, "{color}: {} of {placements}", found.len());
        }
    }
}
