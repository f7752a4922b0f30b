//! Threats: attacks on enemy pieces.

use super::built_in::Source;
use super::pieces::Force;
use super::side::{Side, count};
use super::taper::Taper;
use cozy_chess::{Board, Piece};

/// The value of the threats of side `S`.
pub(super) fn threats<S: Side, W: Source>(
    w: W,
    board: &Board,
    own: &Force,
    enemy: &Force,
) -> Taper {
    let theirs = board.colors(S::Other::COLOR);
    let pawns = board.pieces(Piece::Pawn) & theirs;
    let pieces = theirs - pawns - board.pieces(Piece::King);
    let major = (board.pieces(Piece::Queen) | board.pieces(Piece::Rook)) & theirs;
    let by = |piece: Piece| own.attacks[piece as usize];
    let loose = own.attacked - enemy.attacked;
    w.by_pawn * count(by(Piece::Pawn) & pieces)
        + w.by_minor * count((by(Piece::Knight) | by(Piece::Bishop)) & major)
        + w.loose_piece * count(loose & pieces)
        + w.loose_pawn * count(loose & pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::evaluation::side::{Black, White};
    use crate::engine::evaluation::table::WEIGHTS;
    use crate::engine::test_boards::board;

    fn threats_of_white(fen: &str) -> Taper {
        let board = board(fen);
        let mut cache = PawnCache::new();
        let pawns = &cache.probe(BuiltIn, &board).of_pawns;
        let white = Force::of::<White, _>(BuiltIn, &board, pawns);
        let black = Force::of::<Black, _>(BuiltIn, &board, pawns);
        threats::<White, _>(BuiltIn, &board, &white, &black)
    }

    #[test]
    fn adds_up_what_is_attacked() {
        let none = threats_of_white("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1");
        assert_eq!(none, Taper::ZERO);
        let pawn_on_knight = threats_of_white("4k3/4p3/3n4/4P3/8/8/8/4K3 w - - 0 1");
        assert_eq!(pawn_on_knight, WEIGHTS.by_pawn);
        let knight_on_loose_queen = threats_of_white("4k3/8/8/1q6/8/2N5/8/4K3 w - - 0 1");
        assert_eq!(knight_on_loose_queen, WEIGHTS.by_minor + WEIGHTS.loose_piece);
        let rook_on_loose_pawn = threats_of_white("4k3/3p4/8/p7/8/8/8/R3K3 w - - 0 1");
        assert_eq!(rook_on_loose_pawn, WEIGHTS.loose_pawn);
    }
}
