//! Attacks of the pieces on a king.

use super::built_in::Source;
use super::pieces::Force;
use super::side::{Side, count};
use super::taper::Taper;
use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

/// The least danger on the king's zone that counts as an attack. Below it, pieces only happen to
/// look that way.
const LEAST_ZONE_DANGER: i32 = 14;
/// The divisor of the squared danger. The square makes attackers together count for more.
const DIVISOR: i32 = 20;
/// The greatest value of an attack, centipawns.
const LIMIT: i32 = 600;

/// The value of the attack of side `S` on the enemy king. `open_files` is the number of open files
/// near that king.
pub(super) fn attack<S: Side, W: Source>(
    w: W,
    board: &Board,
    own: &Force,
    enemy: &Force,
    open_files: u8,
) -> Taper {
    let king = board.king(S::Other::COLOR);
    let zone = ZONES[S::Other::COLOR as usize][king as usize];
    let by = |piece: Piece| own.attacks[piece as usize];
    let aimed = |piece: Piece| w.zone_danger[by_attacker(piece)] * count(by(piece) & zone);
    let on_zone =
        aimed(Piece::Knight) + aimed(Piece::Bishop) + aimed(Piece::Rook) + aimed(Piece::Queen);
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
        w.check_danger[by_attacker(piece)] * i32::from(!(by(piece) & from).is_empty())
    };
    let danger = on_zone
        + w.weak_danger * count(weak)
        + w.file_danger * i32::from(open_files)
        + check(Piece::Knight, get_knight_moves(king) & landing)
        + check(Piece::Bishop, diagonal)
        + check(Piece::Rook, straight)
        + check(Piece::Queen, diagonal | straight);
    let danger = if by(Piece::Queen).is_empty() { danger / 2 } else { danger };
    Taper::new((danger * danger / DIVISOR).min(LIMIT), danger / 2)
}

/// The index of a piece, from knight to queen, in a table without pawn and king.
const fn by_attacker(piece: Piece) -> usize {
    piece as usize - Piece::Knight as usize
}

/// The squares that attackers aim at, by colour and square of a king. They are its own square, its
/// neighbours, and the squares one rank ahead of them.
static ZONES: [[BitBoard; 64]; 2] = zones();

const fn zones() -> [[BitBoard; 64]; 2] {
    let mut zones = [[BitBoard::EMPTY; 64]; 2];
    let mut square = 0;
    while square < 64 {
        let king = Square::index_const(square);
        let around = get_king_moves(king).0 | king.bitboard().0;
        zones[Color::White as usize][square] = BitBoard(around | around << 8);
        zones[Color::Black as usize][square] = BitBoard(around | around >> 8);
        square += 1;
    }
    zones
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::evaluation::side::{Black, White};
    use crate::engine::test_boards::board;

    /// The middlegame value of White's attack.
    fn attack_of_white(fen: &str) -> i32 {
        let board = board(fen);
        let mut cache = PawnCache::new();
        let known = cache.probe(BuiltIn, &board);
        let white = Force::of::<White, _>(BuiltIn, &board, &known.of_pawns);
        let black = Force::of::<Black, _>(BuiltIn, &board, &known.of_pawns);
        attack::<White, _>(BuiltIn, &board, &white, &black, known.of_kings.open_files[1]).mg()
    }

    #[test]
    fn a_zone_looks_ahead() {
        let [white, black] = [Color::White, Color::Black].map(|c| ZONES[c as usize]);
        assert_eq!(white[Square::E1 as usize].len(), 9);
        assert!(white[Square::E1 as usize].has(Square::F3));
        assert_eq!(black[Square::H8 as usize].len(), 6);
        assert!(black[Square::H8 as usize].has(Square::G6));
    }

    #[test]
    fn attackers_together_are_worth_more_than_apart() {
        let queen = attack_of_white("6k1/5ppp/8/7Q/8/8/5PPP/6K1 w - - 0 1");
        let knight = attack_of_white("6k1/5ppp/8/6N1/8/8/5PPP/6K1 w - - 0 1");
        let both = attack_of_white("6k1/5ppp/8/6NQ/8/8/5PPP/6K1 w - - 0 1");
        assert!(both > queen + knight);
        assert_eq!(knight, 0);
    }

    #[test]
    fn open_files_and_free_checks_help_the_attack() {
        let closed = attack_of_white("6k1/5ppp/8/6NQ/8/8/5PPP/3R2K1 w - - 0 1");
        let open = attack_of_white("6k1/5pp1/8/6NQ/8/8/5PPP/3R2K1 w - - 0 1");
        assert!(open > closed);
        let no_check = attack_of_white("r5k1/5pp1/8/6NQ/8/8/5PPP/3R2K1 w - - 0 1");
        assert!(no_check < open);
    }
}
