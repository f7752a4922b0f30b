//! The pieces about to break in on a king.

use super::pieces::Force;
use super::side::{Side, beside, count};
use super::taper::Taper;
use cozy_chess::{BitBoard, Board, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

/// Danger of an attack on a square of the king's zone by a piece, from pawn to king.
const ZONE_DANGER: [i32; 6] = [1, 5, 4, 5, 6, 0];
/// Danger of a check that costs nothing, from pawn to king.
const CHECK_DANGER: [i32; 6] = [0, 11, 8, 13, 12, 0];
/// Danger of an attacked square beside the king that nothing but the king protects.
const WEAK_DANGER: i32 = 5;
/// Danger of an open file beside the king.
const FILE_DANGER: i32 = 4;
/// An attack on fewer squares is none: the pieces that happen to look that way.
const LEAST_ZONE_DANGER: i32 = 14;
/// Danger is squared, so that attackers together count for more, and divided by this.
const DIVISOR: i32 = 20;
/// The most, in centipawns.
const LIMIT: i32 = 600;

/// What the attack of side `S` on the enemy king is worth. `open_files` counts those near that
/// king.
pub(super) fn attack<S: Side>(board: &Board, own: &Force, enemy: &Force, open_files: u8) -> Taper {
    let king = board.king(S::Other::COLOR);
    let zone = zone::<S::Other>(king.bitboard());
    let by = |piece: Piece| own.attacks[piece as usize];
    let aimed = |piece: Piece| ZONE_DANGER[piece as usize] * count(by(piece) & zone);
    let on_zone = aimed(Piece::Pawn)
        + aimed(Piece::Knight)
        + aimed(Piece::Bishop)
        + aimed(Piece::Rook)
        + aimed(Piece::Queen);
    if on_zone < LEAST_ZONE_DANGER {
        return Taper::ZERO;
    }
    let near = enemy.attacks[Piece::King as usize];
    let weak = near & own.attacked & !enemy.attacked_without_king;
    let landing = !(board.colors(S::COLOR) | enemy.attacked);
    let occupied = board.occupied();
    let diagonal = get_bishop_moves(king, occupied) & landing;
    let straight = get_rook_moves(king, occupied) & landing;
    let check = |piece: Piece, from: BitBoard| {
        CHECK_DANGER[piece as usize] * i32::from(!(by(piece) & from).is_empty())
    };
    let danger = on_zone
        + WEAK_DANGER * count(weak)
        + FILE_DANGER * i32::from(open_files)
        + check(Piece::Knight, get_knight_moves(king) & landing)
        + check(Piece::Bishop, diagonal)
        + check(Piece::Rook, straight)
        + check(Piece::Queen, diagonal | straight);
    let danger = if by(Piece::Queen).is_empty() { danger / 2 } else { danger };
    Taper::new((danger * danger / DIVISOR).min(LIMIT), danger / 2)
}

/// The squares around `king`, of side `S`, that attackers aim at: its neighbours, and those one
/// rank further ahead.
fn zone<S: Side>(king: BitBoard) -> BitBoard {
    let row = king | beside(king);
    let ahead = S::forward(row);
    row | S::Other::forward(row) | ahead | S::forward(ahead)
}
