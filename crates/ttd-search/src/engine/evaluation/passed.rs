//! The terms of passed pawns that depend on the pieces. The others are terms of pawns and kings.

use super::built_in::Source;
use super::pawns::{Pawns, steps};
use super::pieces::Force;
use super::side::Side;
use super::taper::Taper;
use crate::engine::generation::squares;
use cozy_chess::Board;

/// The value of the squares before the passed pawns of side `S`: free, attacked or protected. Each
/// term counts once for every step that the pawn has made beyond the first.
pub(super) fn passed<S: Side, W: Source>(
    w: W,
    board: &Board,
    pawns: &Pawns,
    own: &Force,
    enemy: &Force,
) -> Taper {
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
            value += w.free_step;
        }
        if (way & (enemy.attacked | board.colors(S::Other::COLOR))).is_empty() {
            value += w.free_way;
        }
        if !(stop & own.attacked).is_empty() {
            value += w.protected_step;
        }
        score += value * weight;
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::evaluation::side::{Black, White};
    use crate::engine::evaluation::table::WEIGHTS;
    use crate::engine::test_boards::board;

    fn passed_of_white(fen: &str) -> Taper {
        let board = board(fen);
        let mut cache = PawnCache::new();
        let pawns = &cache.probe(BuiltIn, &board).of_pawns;
        let white = Force::of::<White, _>(BuiltIn, &board, pawns);
        let black = Force::of::<Black, _>(BuiltIn, &board, pawns);
        passed::<White, _>(BuiltIn, &board, pawns, &white, &black)
    }

    #[test]
    fn asks_what_stands_in_the_way() {
        let way = WEIGHTS.free_step + WEIGHTS.free_way;
        assert_eq!(passed_of_white("8/8/8/3P4/8/8/8/k1K5 w - - 0 1"), way * 2);
        let escorted = passed_of_white("8/8/2K5/3P4/8/8/8/k7 w - - 0 1");
        assert_eq!(escorted, (way + WEIGHTS.protected_step) * 2);
        assert_eq!(passed_of_white("3k4/8/8/3P4/8/8/8/2K5 w - - 0 1"), WEIGHTS.free_step * 2);
        assert_eq!(passed_of_white("8/8/3k4/3P4/8/8/8/2K5 w - - 0 1"), Taper::ZERO);
        assert_eq!(passed_of_white("8/8/8/8/3P4/8/8/k1K5 w - - 0 1"), way);
        // A pawn that is too far back to count.
        assert_eq!(passed_of_white("8/8/8/8/8/3P4/8/k6K w - - 0 1"), Taper::ZERO);
    }
}
