//! How far the pieces let a passed pawn go. What it is worth without them is known with the
//! pawns and the kings.

use super::pawns::{Pawns, steps};
use super::pieces::Force;
use super::side::Side;
use super::taper::Taper;
use crate::engine::squares::squares;
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
    for square in squares(pawns.passed & board.colors(S::COLOR)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::side::{Black, White};
    use crate::engine::test_boards::board;

    fn passed_of_white(fen: &str) -> Taper {
        let board = board(fen);
        let mut cache = PawnCache::new();
        let pawns = &cache.probe(&board).of_pawns;
        let (white, black) = (Force::of::<White>(&board, pawns), Force::of::<Black>(&board, pawns));
        passed::<White>(&board, pawns, &white, &black)
    }

    #[test]
    fn asks_what_stands_in_the_way() {
        let way = FREE_STEP + FREE_WAY;
        assert_eq!(passed_of_white("8/8/8/3P4/8/8/8/k1K5 w - - 0 1"), way * 2);
        let escorted = passed_of_white("8/8/2K5/3P4/8/8/8/k7 w - - 0 1");
        assert_eq!(escorted, (way + PROTECTED_STEP) * 2);
        assert_eq!(passed_of_white("3k4/8/8/3P4/8/8/8/2K5 w - - 0 1"), FREE_STEP * 2);
        assert_eq!(passed_of_white("8/8/3k4/3P4/8/8/8/2K5 w - - 0 1"), Taper::ZERO);
        assert_eq!(passed_of_white("8/8/8/8/3P4/8/8/k1K5 w - - 0 1"), way);
        // Too far back to count.
        assert_eq!(passed_of_white("8/8/8/8/8/3P4/8/k6K w - - 0 1"), Taper::ZERO);
    }
}
