//! Endings in which material says little: drawish ones, and the drive of a lone king to the edge.

use super::built_in::Source;
use super::side::distance;
use cozy_chess::{BitBoard, Board, Color, Piece};

/// The whole of an endgame advantage, in the unit of [`winnable`].
pub(super) const WHOLE: i32 = 64;

/// The share of an endgame advantage of `stronger` that can be won, in parts of [`WHOLE`].
pub(super) fn winnable<W: Source>(w: W, board: &Board, stronger: Color) -> i32 {
    if board.colored_pieces(stronger, Piece::Pawn).is_empty() {
        return winnable_without_pawns(w, board, stronger);
    }
    let bishops = board.pieces(Piece::Bishop);
    let one_each = Color::ALL.into_iter().all(|color| (bishops & board.colors(color)).len() == 1);
    if one_each && (bishops & BitBoard::DARK_SQUARES).len() == 1 {
        let others =
            board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        return w.opposite_bishops[usize::from(!others.is_empty())];
    }
    WHOLE
}

/// [`winnable`] without pawns of the stronger side. To win takes an advantage of more than a minor
/// piece, and one or two knights alone cannot mate.
fn winnable_without_pawns<W: Source>(w: W, board: &Board, stronger: Color) -> i32 {
    let own = force(board, stronger);
    let knights = 3 * board.colored_pieces(stronger, Piece::Knight).len() as i32;
    if own <= 3 || own == 6 && knights == 6 {
        w.pawnless[0]
    } else if own - force(board, !stronger) <= 3 {
        w.pawnless[1]
    } else {
        WHOLE
    }
}

/// The bonus for `stronger` when the opponent has only a king and a mate is possible.
pub(super) fn drive<W: Source>(w: W, board: &Board, stronger: Color) -> i32 {
    if board.colors(!stronger).len() > 1 || force(board, stronger) < 5 {
        return 0;
    }
    let king = board.king(!stronger);
    let off_centre = |line: i32| (2 * line - 7).abs() / 2;
    let steps = off_centre(king.file() as i32) + off_centre(king.rank() as i32);
    w.driven[0] * steps + w.driven[1] * (7 - distance(king, board.king(stronger)))
}

/// The value of a side's pieces, without its pawns, in pawns.
fn force(board: &Board, color: Color) -> i32 {
    let number = |piece| board.colored_pieces(color, piece).len() as i32;
    3 * (number(Piece::Knight) + number(Piece::Bishop))
        + 5 * number(Piece::Rook)
        + 9 * number(Piece::Queen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::evaluation::built_in::BuiltIn;
    use crate::engine::test_boards::board;

    fn winnable_by_white(fen: &str) -> i32 {
        winnable(BuiltIn, &board(fen), Color::White)
    }

    #[test]
    fn knows_what_cannot_be_won() {
        assert_eq!(winnable_by_white("4k3/8/8/8/8/8/8/3QK3 w - - 0 1"), WHOLE);
        assert_eq!(winnable_by_white("4k3/8/8/8/8/8/8/2BNK3 w - - 0 1"), WHOLE);
        assert!(winnable_by_white("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1") < WHOLE / 10);
        assert!(winnable_by_white("4k3/7p/8/8/8/8/8/3BK3 w - - 0 1") < WHOLE / 10);
        assert!(winnable_by_white("r3k3/8/8/8/8/8/8/2BRK3 w - - 0 1") < WHOLE / 4);
        assert_eq!(winnable_by_white("r3k3/8/8/8/8/8/P7/2BRK3 w - - 0 1"), WHOLE);
        // Bishops of the same colour, then of opposite ones.
        assert_eq!(winnable_by_white("3bk3/8/8/8/8/8/P7/2B1K3 w - - 0 1"), WHOLE);
        assert!(winnable_by_white("2b1k3/8/8/8/8/8/P7/2B1K3 w - - 0 1") < WHOLE);
    }

    #[test]
    fn drives_the_lone_king_to_the_edge() {
        let driven = |fen| drive(BuiltIn, &board(fen), Color::White);
        let centre = driven("8/8/8/4k3/8/8/8/3QK3 w - - 0 1");
        let edge = driven("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
        let corner = driven("7k/8/8/8/8/8/8/3QK3 w - - 0 1");
        let together = driven("7k/8/5K2/8/8/8/8/3Q4 w - - 0 1");
        assert!(centre < edge && edge < corner && corner < together);
        assert_eq!(driven("4k3/7p/8/8/8/8/8/3QK3 w - - 0 1"), 0);
        assert_eq!(driven("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), 0);
    }
}
