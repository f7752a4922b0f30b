//! Enemy pieces that should not stand where they are attacked.

use super::pieces::Force;
use super::side::{Side, count};
use super::taper::Taper;
use cozy_chess::{Board, Piece};

/// A pawn attacks a piece.
const BY_PAWN: Taper = Taper::new(52, 34);
/// A minor piece attacks a rook or a queen.
const BY_MINOR: Taper = Taper::new(36, 28);
/// A rook attacks a queen.
const BY_ROOK: Taper = Taper::new(38, 22);
/// Something attacks a piece that nothing protects.
const LOOSE_PIECE: Taper = Taper::new(26, 22);
/// Something attacks a pawn that nothing protects.
const LOOSE_PAWN: Taper = Taper::new(7, 16);

/// What side `S` threatens.
pub(super) fn threats<S: Side>(board: &Board, own: &Force, enemy: &Force) -> Taper {
    let theirs = board.colors(S::Other::COLOR);
    let pawns = board.pieces(Piece::Pawn) & theirs;
    let pieces = theirs - pawns - board.pieces(Piece::King);
    let queens = board.pieces(Piece::Queen) & theirs;
    let major = queens | board.pieces(Piece::Rook) & theirs;
    let by = |piece: Piece| own.attacks[piece as usize];
    let loose = own.attacked - enemy.attacked;
    BY_PAWN * count(by(Piece::Pawn) & pieces)
        + BY_MINOR * count((by(Piece::Knight) | by(Piece::Bishop)) & major)
        + BY_ROOK * count(by(Piece::Rook) & queens)
        + LOOSE_PIECE * count(loose & pieces)
        + LOOSE_PAWN * count(loose & pawns)
}
