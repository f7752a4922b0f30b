//! One pass over the pieces of a side: where they can go, and all that they attack.

use super::pawns::Pawns;
use super::side::{Side, count, pawn_attacks};
use super::taper::Taper;
use cozy_chess::{
    BitBoard, Board, Piece, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// Two bishops or more.
const BISHOP_PAIR: Taper = Taper::new(28, 48);
/// A minor piece protected by a pawn where no enemy pawn can ever attack it.
const OUTPOST: Taper = Taper::new(18, 10);
/// A knight's outpost, on top of that.
const KNIGHT_OUTPOST: Taper = Taper::new(12, 8);
/// A rook on a file with none of the own pawns, and with no pawn at all.
const ROOK_FILE: [Taper; 3] = [Taper::ZERO, Taper::new(10, 6), Taper::new(26, 10)];

static KNIGHT_MOBILITY: [Taper; 9] = mobility(16, 14, 4);
static BISHOP_MOBILITY: [Taper; 14] = mobility(16, 17, 6);
static ROOK_MOBILITY: [Taper; 15] = mobility(9, 20, 7);
static QUEEN_MOBILITY: [Taper; 28] = mobility(6, 12, 13);

/// Values of a number of squares, growing as its root: the first squares count most. `usual` squares
/// are worth nothing.
const fn mobility<const N: usize>(mg: i32, eg: i32, usual: i32) -> [Taper; N] {
    let mut values = [Taper::ZERO; N];
    let mut squares = 0;
    while squares < N {
        // In sixteenths of a root.
        let root = (256 * squares as i32).isqrt() - (256 * usual).isqrt();
        values[squares] = Taper::new(mg * root / 16, eg * root / 16);
        squares += 1;
    }
    values
}

/// What a side's pieces are worth where they stand, and what they attack.
pub(super) struct Force {
    /// Mobility and placement, for this side.
    pub(super) score: Taper,
    /// By piece, from pawn to king: all squares attacked.
    pub(super) attacks: [BitBoard; 6],
    /// All squares attacked by anything.
    pub(super) attacked: BitBoard,
}

impl Force {
    /// Looks at every piece of side `S`.
    pub(super) fn of<S: Side>(board: &Board, pawns: &Pawns) -> Force {
        let own = |piece| board.colored_pieces(S::COLOR, piece);
        let enemy_pawns = board.colored_pieces(S::Other::COLOR, Piece::Pawn);
        let occupied = board.occupied();
        let by_pawns = pawn_attacks::<S>(own(Piece::Pawn));
        let area = !(own(Piece::Pawn) | own(Piece::King) | pawn_attacks::<S::Other>(enemy_pawns));
        let mut score = Taper::ZERO;
        let mut attacks = [BitBoard::EMPTY; 6];

        for square in own(Piece::Knight) {
            let moves = get_knight_moves(square);
            attacks[Piece::Knight as usize] |= moves;
            score += KNIGHT_MOBILITY[(moves & area).len() as usize];
        }
        for square in own(Piece::Bishop) {
            let moves = get_bishop_moves(square, occupied);
            attacks[Piece::Bishop as usize] |= moves;
            score += BISHOP_MOBILITY[(moves & area).len() as usize];
        }
        for square in own(Piece::Rook) {
            let moves = get_rook_moves(square, occupied);
            attacks[Piece::Rook as usize] |= moves;
            score += ROOK_MOBILITY[(moves & area).len() as usize];
            let [ours, theirs] = [S::COLOR, S::Other::COLOR]
                .map(|c| pawns.open_files[c as usize] >> square.file() as u8 & 1);
            score += ROOK_FILE[(ours + (ours & theirs)) as usize];
        }
        for square in own(Piece::Queen) {
            let moves = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            attacks[Piece::Queen as usize] |= moves;
            score += QUEEN_MOBILITY[(moves & area).len() as usize];
        }
        attacks[Piece::Pawn as usize] = by_pawns;
        attacks[Piece::King as usize] = get_king_moves(board.king(S::COLOR));

        let outposts = by_pawns & pawns.secure[S::COLOR as usize];
        score += OUTPOST * count((own(Piece::Knight) | own(Piece::Bishop)) & outposts);
        score += KNIGHT_OUTPOST * count(own(Piece::Knight) & outposts);
        if own(Piece::Bishop).len() >= 2 {
            score += BISHOP_PAIR;
        }
        let attacked = attacks.into_iter().fold(BitBoard::EMPTY, |all, set| all | set);
        Force { score, attacks, attacked }
    }
}
