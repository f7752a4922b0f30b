//! Enemy pieces that should not stand where they are attacked.

use super::pieces::Force;
use super::side::{Side, count};
use super::taper::Taper;
use cozy_chess::{Board, Piece};

/// A pawn attacks a piece.
const BY_PAWN: Taper = Taper::new(52, 34);
/// A minor piece attacks a rook or a queen.
const BY_MINOR: Taper = Taper::new(36, 28);
/// Something attacks a piece that nothing protects.
const LOOSE_PIECE: Taper = Taper::new(26, 22);
/// Something attacks a pawn that nothing protects.
const LOOSE_PAWN: Taper = Taper::new(7, 16);

/// What side `S` threatens.
pub(super) fn threats<S: Side>(board: &Board, own: &Force, enemy: &Force) -> Taper {
    let theirs = board.colors(S::Other::COLOR);
    let pawns = board.pieces(Piece::Pawn) & theirs;
    let pieces = theirs - pawns - board.pieces(Piece::King);
    let major = (board.pieces(Piece::Queen) | board.pieces(Piece::Rook)) & theirs;
    let by = |piece: Piece| own.attacks[piece as usize];
    let loose = own.attacked - enemy.attacked;
    BY_PAWN * count(by(Piece::Pawn) & pieces)
        + BY_MINOR * count((by(Piece::Knight) | by(Piece::Bishop)) & major)
        + LOOSE_PIECE * count(loose & pieces)
        + LOOSE_PAWN * count(loose & pawns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::side::{Black, White};
    use crate::engine::test_boards::board;

    fn threats_of_white(fen: &str) -> Taper {
        let board = board(fen);
        let mut cache = PawnCache::new();
        let pawns = &cache.probe(&board).of_pawns;
        let (white, black) = (Force::of::<White>(&board, pawns), Force::of::<Black>(&board, pawns));
        threats::<White>(&board, &white, &black)
    }

    #[test]
    fn adds_up_what_is_attacked() {
        let none = threats_of_white("4k3/8/8/8/8/2N5/8/4K3 w - - 0 1");
        assert_eq!(none, Taper::ZERO);
        let pawn_on_knight = threats_of_white("4k3/4p3/3n4/4P3/8/8/8/4K3 w - - 0 1");
        assert_eq!(pawn_on_knight, BY_PAWN);
        let knight_on_loose_queen = threats_of_white("4k3/8/8/1q6/8/2N5/8/4K3 w - - 0 1");
        assert_eq!(knight_on_loose_queen, BY_MINOR + LOOSE_PIECE);
        let rook_on_loose_pawn = threats_of_white("4k3/3p4/8/p7/8/8/8/R3K3 w - - 0 1");
        assert_eq!(rook_on_loose_pawn, LOOSE_PAWN);
    }
}
