//! Static exchange evaluation: the material that a move wins if both sides go on capturing on its
//! square. They capture with the least valuable piece first, for as long as it pays.
//!
//! Pins are ignored. A pawn that recaptures on the last rank stays a pawn.

use super::{Position, Score};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// The value of a piece in an exchange and in ordering, from pawn to king, in centipawns. The king
/// is never captured.
pub const PIECE_VALUES: [Score; 6] = [100, 325, 340, 500, 975, 0];

/// Whether a legal `mv` wins at least `threshold` in the exchanges on its target square.
pub fn see_at_least(position: &Position, mv: Move, threshold: Score) -> bool {
    let board = position.board();
    let us = board.side_to_move();
    if board.colors(us).has(mv.to) {
        // Castling is written as the king taking its own rook: nothing is exchanged.
        return threshold <= 0;
    }
    let exchange = Exchange::after(position, mv);
    let mut balance = exchange.gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= PIECE_VALUES[exchange.standing as usize];
    balance >= 0 || exchange.we_come_out_ahead(board, us, balance)
}

/// The position of an exchange after its first move.
struct Exchange {
    target: Square,
    /// The pieces on the board, without the one on the target.
    occupied: BitBoard,
    /// The material that the first move has won.
    gain: Score,
    /// The piece now on the target.
    standing: Piece,
}

impl Exchange {
    fn after(position: &Position, mv: Move) -> Exchange {
        let board = position.board();
        let mover = position.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let mut occupied = board.occupied() - mv.from.bitboard() - mv.to.bitboard();
        let mut gain = position.piece_on(mv.to).map_or(0, |victim| PIECE_VALUES[victim as usize]);
        if mover == Piece::Pawn && is_en_passant(board, mv) {
            let victim = Square::new(mv.to.file(), mv.from.rank());
            occupied -= victim.bitboard();
            gain = PIECE_VALUES[Piece::Pawn as usize];
        }
        let standing = mv.promotion.unwrap_or(mover);
        if mv.promotion.is_some() {
            gain += PIECE_VALUES[standing as usize] - PIECE_VALUES[Piece::Pawn as usize];
        }
        Exchange { target: mv.to, occupied, gain, standing }
    }

    /// Whether we reach the threshold, from the opponent's first recapture on.
    ///
    /// `balance`, less than 0, is our gain above the threshold if the piece on the target is lost
    /// and nothing is taken for it.
    fn we_come_out_ahead(mut self, board: &Board, us: Color, mut balance: Score) -> bool {
        let pawns = board.colored_pieces(!us, Piece::Pawn);
        let taken_by_pawn = !(get_pawn_attacks(self.target, us) & pawns).is_empty();
        if taken_by_pawn && -balance > PIECE_VALUES[Piece::Pawn as usize] {
            // After that only the pawn can be won back, which is too little.
            return false;
        }
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let mut attackers = self.attackers(board, diagonal, straight);
        let mut to_move = !us;
        loop {
            attackers &= self.occupied;
            let ours = attackers & board.colors(to_move);
            let Some((piece, one)) = least_valuable(board, ours) else { break };
            if piece == Piece::King && !(attackers & board.colors(!to_move)).is_empty() {
                // A king cannot take a protected piece.
                break;
            }
            self.occupied -= one;
            match piece {
                Piece::Pawn | Piece::Bishop => attackers |= self.bishops(diagonal),
                Piece::Rook => attackers |= self.rooks(straight),
                Piece::Queen => attackers |= self.bishops(diagonal) | self.rooks(straight),
                Piece::Knight | Piece::King => {}
            }
            to_move = !to_move;
            // The side that has just taken is counted as losing the taker at once. If it is ahead
            // even so, the other side can do no better than stop, and has lost.
            balance = -balance - 1 - PIECE_VALUES[piece as usize];
            if balance >= 0 {
                break;
            }
        }
        to_move != us
    }

    fn attackers(&self, board: &Board, diagonal: BitBoard, straight: BitBoard) -> BitBoard {
        let mut attackers = (get_knight_moves(self.target) & board.pieces(Piece::Knight))
            | (get_king_moves(self.target) & board.pieces(Piece::King));
        for color in Color::ALL {
            // A pawn attacks the target from each square that a pawn of the other colour on the
            // target would attack.
            attackers |=
                get_pawn_attacks(self.target, !color) & board.colored_pieces(color, Piece::Pawn);
        }
        if !(get_bishop_rays(self.target) & diagonal).is_empty() {
            attackers |= self.bishops(diagonal);
        }
        if !(get_rook_rays(self.target) & straight).is_empty() {
            attackers |= self.rooks(straight);
        }
        attackers
    }

    fn bishops(&self, diagonal: BitBoard) -> BitBoard {
        get_bishop_moves(self.target, self.occupied) & diagonal
    }

    fn rooks(&self, straight: BitBoard) -> BitBoard {
        get_rook_moves(self.target, self.occupied) & straight
    }
}

fn is_en_passant(board: &Board, mv: Move) -> bool {
    let sixth = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().is_some_and(|file| mv.to == Square::new(file, sixth))
        && mv.from.file() != mv.to.file()
}

/// The least valuable piece of a set, and one square where it stands.
fn least_valuable(board: &Board, of: BitBoard) -> Option<(Piece, BitBoard)> {
    if of.is_empty() {
        return None;
    }
    Piece::ALL.into_iter().find_map(|piece| {
        let set = (of & board.pieces(piece)).0;
        (set != 0).then_some((piece, BitBoard(set & set.wrapping_neg())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_boards::{board, from_random_play, from_sets, legal_moves};

    /// The exact outcome: the greatest threshold that is reached.
    fn outcome(position: &Position, mv: Move) -> Score {
        (-3000..=3000)
            .rev()
            .step_by(5)
            .find(|&threshold| see_at_least(position, mv, threshold))
            .expect("no exchange loses more than a queen")
    }

    fn check(fen: &str, mv: &str, expected: Score) {
        let mv = mv.parse().expect("the test's own move");
        assert_eq!(outcome(&Position::new(board(fen)), mv), expected, "{fen} {mv}");
    }

    #[test]
    fn known_exchanges() {
        let [pawn, knight, bishop, rook, queen, _] = PIECE_VALUES;
        check("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", pawn);
        // Three attackers on two defenders, each in line behind another.
        check("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", pawn - knight);
        check("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn);
        check("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", pawn - rook);
        check("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn - rook);
        check("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn);
        check("4k3/8/5b2/8/3q4/8/1B6/4K3 w - - 0 1", "b2d4", queen - bishop);
        // A quiet move onto an attacked square.
        check("4k3/8/4p3/8/8/4N3/8/4K3 w - - 0 1", "e3d5", -knight);
        check("4k3/8/8/8/8/4N3/8/4K3 w - - 0 1", "e3d5", 0);
    }

    #[test]
    fn special_moves() {
        let [pawn, _, _, rook, queen, _] = PIECE_VALUES;
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn);
        check("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0);
        check("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", queen - pawn);
        check("8/4Pk2/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -pawn);
        check("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", rook + queen - pawn);
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", 0);
    }

    #[test]
    fn the_king_takes_last_and_never_what_is_protected() {
        let [pawn, .., rook, _, _] = PIECE_VALUES;
        check("8/8/8/3pk3/8/8/8/3R2K1 w - - 0 1", "d1d5", pawn - rook);
        check("8/8/8/3pk3/8/8/3R4/3R2K1 w - - 0 1", "d2d5", pawn);
    }

    /// The gain of the side to move on the target. It may stop at any time, and each capture is by
    /// one of the `tried` least valuable attackers.
    fn best_capture(board: &Board, exchange: &Exchange, to_move: Color, tried: usize) -> Score {
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let attackers = exchange.attackers(board, diagonal, straight) & exchange.occupied;
        let protected = !(attackers & board.colors(!to_move)).is_empty();
        let by_value = Piece::ALL.into_iter().flat_map(|piece| {
            let of_kind = attackers & board.colored_pieces(to_move, piece);
            of_kind.into_iter().map(move |square| (piece, square))
        });
        let mut best = 0;
        for (standing, square) in by_value.take(tried) {
            if standing == Piece::King && protected {
                continue;
            }
            let occupied = exchange.occupied - square.bitboard();
            let next = Exchange { occupied, standing, ..*exchange };
            let won = PIECE_VALUES[exchange.standing as usize];
            best = best.max(won - best_capture(board, &next, !to_move, tried));
        }
        best
    }

    #[test]
    fn agrees_with_a_recursive_search_of_the_exchange() {
        let (mut exchanges, mut other_order_is_better) = (0, 0);
        for board in from_sets().iter().chain(&from_random_play()) {
            let us = board.side_to_move();
            let position = Position::new(board.clone());
            for mv in legal_moves(board) {
                if board.colors(us).has(mv.to) {
                    continue;
                }
                let exchange = Exchange::after(&position, mv);
                let outcome = |tried| exchange.gain - best_capture(board, &exchange, !us, tried);
                let exact = outcome(1);
                assert!(see_at_least(&position, mv, exact), "{board} {mv}");
                assert!(!see_at_least(&position, mv, exact + 1), "{board} {mv}");
                exchanges += 1;
                other_order_is_better += u32::from(exact != outcome(usize::MAX));
            }
        }
        // The least valuable piece first is nearly always the best order. An exception is a capture
        // that opens a line behind.
        assert!(exchanges > 100_000);
        assert!(other_order_is_better * 1000 < exchanges, "{other_order_is_better}");
    }
}
