//! The end of a game by the rules of chess.

use super::ending::{Ending, GameResult, Reason};
use cozy_chess::{BitBoard, GameStatus, Piece};
use ttd_search::engine::Board;

/// The ending, if the game is over; `boards` are all its positions, the present one last.
///
/// # Panics
/// If there is no position.
pub(super) fn ended(boards: &[Board]) -> Option<Ending> {
    let (board, before) = boards.split_last().expect("a game has a position");
    let draw = |reason| Some(Ending::new(GameResult::Draw, reason));
    match board.status() {
        GameStatus::Won => {
            return Some(Ending::new(GameResult::loss(board.side_to_move()), Reason::Mate));
        }
        GameStatus::Drawn if board.halfmove_clock() < 100 => return draw(Reason::Stalemate),
        GameStatus::Drawn if !board.generate_moves(|_| true) => return draw(Reason::Stalemate),
        GameStatus::Drawn => return draw(Reason::FiftyMoves),
        GameStatus::Ongoing => {}
    }
    if is_dead(board) {
        return draw(Reason::Material);
    }
    // Positions before a capture or a move of a pawn cannot be repeated.
    let reversible = before.iter().rev().take(board.halfmove_clock().into());
    let earlier = reversible.filter(|earlier| earlier.same_position(board)).count();
    if earlier >= 2 { draw(Reason::Repetition) } else { None }
}

/// Whether no sequence of moves leads to mate. This is so for a king and at most one minor piece
/// against a king. It is so too if all other pieces are bishops on squares of one colour.
fn is_dead(board: &Board) -> bool {
    let of = |piece| board.pieces(piece);
    if !(of(Piece::Pawn) | of(Piece::Rook) | of(Piece::Queen)).is_empty() {
        return false;
    }
    let (knights, bishops) = (of(Piece::Knight), of(Piece::Bishop));
    if (knights | bishops).len() <= 1 {
        return true;
    }
    knights.is_empty()
        && (bishops.is_subset(BitBoard::LIGHT_SQUARES) || bishops.is_subset(BitBoard::DARK_SQUARES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::parse_uci_move;

    /// The reason why a game ends that goes on with these moves from a position.
    fn after(fen: &str, moves: &str) -> Option<Reason> {
        let mut boards: Vec<Board> = vec![fen.parse().expect("a position")];
        for mv in moves.split_whitespace() {
            assert_eq!(ended(&boards), None, "before {mv}");
            let mut board = boards[boards.len() - 1].clone();
            board.play(parse_uci_move(&board, mv).expect("a move"));
            boards.push(board);
        }
        ended(&boards).map(|ending| ending.reason)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn mate_and_stalemate() {
        assert_eq!(after(START, "f2f3 e7e5 g2g4 d8h4"), Some(Reason::Mate));
        assert_eq!(after("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7"), Some(Reason::Stalemate));
        // Mate comes before the fifty moves, and so does stalemate.
        assert_eq!(after("7k/8/6K1/8/8/8/8/1Q6 w - - 99 80", "b1b8"), Some(Reason::Mate));
        assert_eq!(after("7k/8/6K1/8/8/8/8/5Q2 w - - 99 80", "f1f7"), Some(Reason::Stalemate));
    }

    #[test]
    fn fifty_moves() {
        let fen = "7k/8/8/8/8/8/R7/K7 w - - 98 80";
        assert_eq!(after(fen, "a2b2"), None);
        assert_eq!(after(fen, "a2b2 h8g8"), Some(Reason::FiftyMoves));
    }

    #[test]
    fn the_third_time_is_a_repetition() {
        let dance = "g1f3 g8f6 f3g1 f6g8";
        assert_eq!(after(START, dance), None);
        assert_eq!(after(START, &format!("{dance} {dance}")), Some(Reason::Repetition));
    }

    #[test]
    fn a_lost_right_makes_another_position() {
        let fen = "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1";
        let dance = "h1g1 a8b8 g1h1 b8a8";
        // The first two positions, with a right to castle, occur only once.
        assert_eq!(after(fen, &format!("{dance} {dance} h1g1")), None);
        let third = after(fen, &format!("{dance} {dance} h1g1 a8b8"));
        assert_eq!(third, Some(Reason::Repetition));
    }

    #[test]
    fn material() {
        for (pieces, dead) in [
            ("4k3/8/8/8/8/8/8/4K3", true),
            ("4k3/8/8/8/8/8/8/4KN2", true),
            ("4kb2/8/8/8/8/8/8/4K3", true),
            // c1 and f8 are dark; c8 is light.
            ("4kb2/8/8/8/8/8/8/2B1K3", true),
            ("2b1k3/8/8/8/8/8/8/2B1K3", false),
            ("4k3/8/8/8/8/8/8/3NKN2", false),
            ("4kn2/8/8/8/8/8/8/4KN2", false),
            ("4k3/7p/8/8/8/8/8/4K3", false),
            ("4k3/8/8/8/8/8/8/4K2R", false),
        ] {
            let ended = after(&format!("{pieces} w - - 0 1"), "");
            assert_eq!(ended == Some(Reason::Material), dead, "{pieces}");
        }
    }
}
