//! How far the pieces let a passed pawn go. What it is worth without them is known with the
//! pawns and the kings.

use super::pawns::{Pawns, steps};
use super::pieces::Force;
use super::side::Side;
use super::taper::Taper;
use cozy_chess::Board;

/// Nothing stands before the pawn.
const FREE_STEP: Taper = Taper::new(4, 8);
/// No enemy stands on its way or attacks a square of it.
const FREE_WAY: Taper = Taper::new(5, 14);
/// The square before it is protected.
const PROTECTED_STEP: Taper = Taper::new(4, 8);

/// For the passed pawns of side `S`. Each value counts for every step that the pawn has made beyond
/// the first.
pub(super) fn passed<S: Side>(board: &Board, pawns: &Pawns, own: &Force, enemy: &Force) -> Taper {
    let mut score = Taper::ZERO;
    for square in pawns.passed & board.colors(S::COLOR) {
        let weight = steps::<S>(square) - 1;
        if weight <= 0 {
            continue;
        }
        let stop = S::forward(square.bitboard());
        let way = S::ahead(square.bitboard());
        let mut value = Taper::ZERO;
        if (stop & board.occupied()).is_empty() {
            value += FREE_STEP;
        }
        if (way & (enemy.attacked | board.colors(S::Other::COLOR))).is_empty() {
            value += FREE_WAY;
        }
        if !(stop & own.attacked).is_empty() {
            value += PROTECTED_STEP;
        }
        score += value * weight;
    }
    score
}
