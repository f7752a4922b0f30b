//! One pass over the pieces of a side: their mobility, and all squares that they attack.

use super::built_in::Source;
use super::pawns::Pawns;
use super::side::{Side, count, pawn_attacks};
use super::taper::Taper;
use crate::engine::generation::squares;
use cozy_chess::{
    BitBoard, Board, Piece, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// The value of a side's pieces on their squares, and the squares that they attack.
pub(super) struct Force {
    /// Mobility and placement, from the side's own view.
    pub(super) score: Taper,
    /// All attacked squares by piece, from pawn to king.
    pub(super) attacks: [BitBoard; 6],
    /// All squares attacked by any piece.
    pub(super) attacked: BitBoard,
    /// All squares attacked by any piece but the king.
    pub(super) attacked_without_king: BitBoard,
    /// The squares on which mobility counts: neither blocked for good nor attacked by an enemy
    /// pawn.
    area: BitBoard,
}

impl Force {
    /// The result for all pieces of side `S`.
    pub(super) fn of<S: Side, W: Source>(w: W, board: &Board, pawns: &Pawns) -> Force {
        let own = |piece| board.colored_pieces(S::COLOR, piece);
        let occupied = board.occupied();
        let mut force = Force::of_pawns::<S>(board);
        for square in squares(own(Piece::Knight)) {
            force.add(Piece::Knight, get_knight_moves(square), &w.knight_mobility);
        }
        for square in squares(own(Piece::Bishop)) {
            force.add(Piece::Bishop, get_bishop_moves(square, occupied), &w.bishop_mobility);
        }
        let [ours, theirs] = [S::COLOR, S::Other::COLOR].map(|c| pawns.open_files[c as usize]);
        for square in squares(own(Piece::Rook)) {
            force.add(Piece::Rook, get_rook_moves(square, occupied), &w.rook_mobility);
            let file = 1 << square.file() as u8;
            let emptiness = usize::from(ours & file != 0) + usize::from(ours & theirs & file != 0);
            force.score += w.rook_file[emptiness];
        }
        for square in squares(own(Piece::Queen)) {
            let moves = get_bishop_moves(square, occupied) | get_rook_moves(square, occupied);
            force.add(Piece::Queen, moves, &w.queen_mobility);
        }
        force.add_king(get_king_moves(board.king(S::COLOR)));

        let outposts = force.attacks[Piece::Pawn as usize] & pawns.secure[S::COLOR as usize];
        force.score += w.outpost * count((own(Piece::Knight) | own(Piece::Bishop)) & outposts);
        force.score += w.knight_outpost * count(own(Piece::Knight) & outposts);
        if own(Piece::Bishop).len() >= 2 {
            force.score += w.bishop_pair;
        }
        force
    }

    fn of_pawns<S: Side>(board: &Board) -> Force {
        let own = |piece| board.colored_pieces(S::COLOR, piece);
        let enemy_pawns = board.colored_pieces(S::Other::COLOR, Piece::Pawn);
        let by_pawns = pawn_attacks::<S>(own(Piece::Pawn));
        let blocked = own(Piece::Pawn) | own(Piece::King);
        let mut attacks = [BitBoard::EMPTY; 6];
        attacks[Piece::Pawn as usize] = by_pawns;
        Force {
            score: Taper::ZERO,
            attacks,
            attacked: BitBoard::EMPTY,
            attacked_without_king: BitBoard::EMPTY,
            area: !(blocked | pawn_attacks::<S::Other>(enemy_pawns)),
        }
    }

    /// Adds a knight, bishop, rook or queen that attacks the squares `moves`.
    fn add<const N: usize>(&mut self, piece: Piece, moves: BitBoard, mobility: &[Taper; N]) {
        self.attacks[piece as usize] |= moves;
        self.score += mobility[count(moves & self.area) as usize];
    }

    /// Adds the king, after all other pieces.
    fn add_king(&mut self, moves: BitBoard) {
        let [pawn, knight, bishop, rook, queen, _] = self.attacks;
        self.attacks[Piece::King as usize] = moves;
        self.attacked_without_king = pawn | knight | bishop | rook | queen;
        self.attacked = self.attacked_without_king | moves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::PawnCache;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::evaluation::side::White;
    use crate::engine::evaluation::table::WEIGHTS;
    use crate::engine::test_boards::board;
    use cozy_chess::Square;

    fn white(fen: &str) -> Force {
        let board = board(fen);
        let mut cache = PawnCache::new();
        Force::of::<White, _>(BuiltIn, &board, &cache.probe(BuiltIn, &board).of_pawns)
    }

    #[test]
    fn room_is_worth_something() {
        let grows = |mobility: &[Taper]| {
            let (first, last) = (mobility[0], mobility[mobility.len() - 1]);
            first.mg() < last.mg() && first.eg() < last.eg()
        };
        assert!(grows(&WEIGHTS.knight_mobility) && grows(&WEIGHTS.bishop_mobility));
        assert!(grows(&WEIGHTS.rook_mobility) && grows(&WEIGHTS.queen_mobility));
    }

    #[test]
    fn collects_what_is_attacked() {
        let force = white("4k3/8/8/8/8/8/1P6/R3K3 w - - 0 1");
        assert!(force.attacked.has(Square::A8) && force.attacked.has(Square::C3));
        assert_eq!(force.attacks[Piece::Pawn as usize], Square::A3.bitboard() | Square::C3.into());
        assert!(!force.attacked_without_king.has(Square::F1));
    }

    #[test]
    fn rooks_like_open_files_and_knights_outposts() {
        let score = |fen| white(fen).score.mg();
        let closed = score("4k3/3p4/8/8/8/8/3P4/3RK3 w - - 0 1");
        let open = score("4k3/2p5/8/8/8/8/2P5/3RK3 w - - 0 1");
        assert!(open > closed);
        let outpost = score("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1");
        let on_the_way_of_a_pawn = score("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1");
        assert!(outpost > on_the_way_of_a_pawn);
    }
}
