//! Hash keys of positions (Zobrist, "A new hashing method with application for game playing",
//! 1970).
//!
//! These keys replace the library's for two reasons. The en-passant file counts only where a pawn
//! can take. And the key after a move is known before the move is made, early enough to fetch the
//! table's cache line.

use cozy_chess::{Board, Color, Piece, Rank, Square, get_pawn_attacks};

const PIECES: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut n = 0;
    while n < 2 * 6 * 64 {
        keys[n / 384][n / 64 % 6][n % 64] = random(n as u64);
        n += 1;
    }
    keys
};
const CASTLING: u64 = 1_000;
const EN_PASSANT: u64 = 2_000;
/// The key of "Black is to move".
pub(super) const BLACK: u64 = random(3_000);

/// The key of a renamed position: `Position::renamed`.
pub(super) const RENAMED: u64 = random(4_000);

/// The `n`th random number, by `SplitMix64` (Steele, Lea and Flood, 2014).
pub const fn random(n: u64) -> u64 {
    mix(n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// The last step of `SplitMix64`: numbers that look random, from any that differ.
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a piece on a square.
pub(super) const fn piece(color: Color, piece: Piece, square: Square) -> u64 {
    PIECES[color as usize][piece as usize][square as usize]
}

/// The key of the rights to castle.
pub(super) fn castling(board: &Board) -> u64 {
    const KEYS: [[u64; 8]; 4] = {
        let mut keys = [[0; 8]; 4];
        let mut n = 0;
        while n < 32 {
            keys[n / 8][n % 8] = random(CASTLING + n as u64);
            n += 1;
        }
        keys
    };
    let [white, black] = [board.castle_rights(Color::White), board.castle_rights(Color::Black)];
    let rights = [white.short, white.long, black.short, black.long];
    let key = |(keys, right): (&[u64; 8], Option<cozy_chess::File>)| {
        right.map_or(0, |file| keys[file as usize])
    };
    KEYS.iter().zip(rights).map(key).fold(0, |sum, key| sum ^ key)
}

/// The key of the right to take en passant, where a pawn can.
pub(super) fn en_passant(board: &Board) -> u64 {
    let Some(file) = board.en_passant() else { return 0 };
    let color = board.side_to_move();
    let target = Square::new(file, Rank::Sixth.relative_to(color));
    let takers = get_pawn_attacks(target, !color) & board.colored_pieces(color, Piece::Pawn);
    if takers.is_empty() { 0 } else { random(EN_PASSANT + file as u64) }
}

/// Factors without a pattern: the golden ratio's bits, times odd numbers.
pub(super) const fn factor(number: u64) -> u64 {
    0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(2 * number + 1)
}

/// The product of a board and a factor, both halves folded into one: all squares reach the upper
/// bits.
pub(super) const fn product(board: u64, factor: u64) -> u64 {
    let wide = board as u128 * factor as u128;
    (wide >> 64) as u64 ^ wide as u64
}

/// A hash of all pawns. Its upper bits depend on all squares.
pub(super) fn pawns(board: &Board) -> u64 {
    let of = |color| board.colored_pieces(color, Piece::Pawn).0;
    product(of(Color::White), factor(1)) ^ product(of(Color::Black), factor(2))
}
