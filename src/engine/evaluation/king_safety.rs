//! How safe the kings are: the pawns before them, and the pieces about to break in.

use super::pawns::Pawns;
use super::pieces::Force;
use super::side::{Side, beside, count};
use super::taper::Taper;
use cozy_chess::{BitBoard, Board, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

/// A pawn of the king's own one rank ahead of it, on its file or beside; and two ranks ahead.
const SHIELD: [Taper; 2] = [Taper::new(15, 1), Taper::new(9, 0)];
/// An enemy pawn on those files, up to four ranks ahead.
const STORM: Taper = Taper::new(-5, -1);
/// One of those files without an own pawn; and with no pawn at all.
const OPEN_FILE: [Taper; 2] = [Taper::new(-10, 0), Taper::new(-10, 0)];

/// Danger of an attack on a square of the king's zone, from pawn to king.
pub(super) const ZONE_DANGER: [i32; 6] = [0, 5, 4, 5, 6, 0];
/// Danger of a check that costs nothing, from pawn to king.
const CHECK_DANGER: [i32; 6] = [0, 10, 7, 12, 11, 0];
/// Danger of an attacked square beside the king that nothing but the king protects.
const WEAK_DANGER: i32 = 5;
/// Danger of an open file beside the king.
const FILE_DANGER: i32 = 4;
/// Danger is squared, so that attackers together count for more, and divided by this.
const DIVISOR: i32 = 20;
/// No more than this many centipawns.
const LIMIT: i32 = 600;

/// The squares around the king of side `S` that attackers aim at: its neighbours, and those
/// one rank further ahead.
pub(super) fn zone<S: Side>(board: &Board) -> BitBoard {
    let king = board.king(S::COLOR).bitboard();
    let row = king | beside(king);
    let zone = row | S::forward(row) | S::Other::forward(row);
    zone | S::forward(zone)
}

/// What its pawns do for the king of side `S`.
pub(super) fn shelter<S: Side>(board: &Board, pawns: &Pawns) -> Taper {
    let king = board.colored_pieces(S::COLOR, Piece::King);
    let own = board.colored_pieces(S::COLOR, Piece::Pawn);
    let enemy = board.colored_pieces(S::Other::COLOR, Piece::Pawn);
    let first = S::forward(king | beside(king));
    let second = S::forward(first);
    let third = S::forward(second);
    let near = first | second | third | S::forward(third);
    let [unprotected, open] = open_files::<S>(board, pawns);
    SHIELD[0] * count(own & first)
        + SHIELD[1] * count(own & second)
        + STORM * count(enemy & near)
        + OPEN_FILE[0] * unprotected
        + OPEN_FILE[1] * open
}

/// Of the files of the king of side `S` and beside it, those without an own pawn, and without any.
fn open_files<S: Side>(board: &Board, pawns: &Pawns) -> [i32; 2] {
    let file = board.king(S::COLOR).file() as u32;
    let near = |files: u8| (u32::from(files) << 1 >> file & 0b111).count_ones() as i32;
    let [own, enemy] = [S::COLOR, S::Other::COLOR].map(|c| pawns.open_files[c as usize]);
    [near(own), near(own & enemy)]
}

/// What the attack of side `S` on the enemy king is worth.
pub(super) fn attack<S: Side>(board: &Board, own: &Force, enemy: &Force, pawns: &Pawns) -> Taper {
    let with_queen = !own.attacks[Piece::Queen as usize].is_empty();
    if own.attackers < if with_queen { 1 } else { 2 } {
        return Taper::ZERO;
    }
    let king = board.king(S::Other::COLOR);
    let defended = enemy.attacked_without_king;
    let near = enemy.attacks[Piece::King as usize];
    let weak = near & own.attacked & !defended;
    let landing = !(board.colors(S::COLOR) | defended) & !(near - own.attacked_twice);

    let occupied = board.occupied();
    let diagonal = get_bishop_moves(king, occupied) & landing;
    let straight = get_rook_moves(king, occupied) & landing;
    let checks = |piece: Piece, from: BitBoard| {
        CHECK_DANGER[piece as usize] * count(own.attacks[piece as usize] & from).min(1)
    };
    let danger = own.zone_danger
        + WEAK_DANGER * count(weak)
        + FILE_DANGER * open_files::<S::Other>(board, pawns)[0]
        + checks(Piece::Knight, get_knight_moves(king) & landing)
        + checks(Piece::Bishop, diagonal)
        + checks(Piece::Rook, straight)
        + checks(Piece::Queen, diagonal | straight);
    let danger = if with_queen { danger } else { danger / 2 };
    Taper::new((danger * danger / DIVISOR).min(LIMIT), danger / 2)
}
