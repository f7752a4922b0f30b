//! A position and the game before it, and moves in words.

use cozy_chess::util::{display_uci_move, parse_uci_move};
use ttd_search::engine::{Board, Move, Position};
use ttd_search::positions::{fen_text, parse_game_fen};

/// The notation of castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// By the squares between which the king moves.
    Standard,
    /// As a king that takes its rook: the options call it `UCI_Chess960`.
    Chess960,
}

/// A position and the game before it.
#[derive(Clone, Debug)]
pub(super) struct Place {
    position: Position,
    past: Vec<u64>,
}

impl Place {
    /// The start of a game.
    pub(super) fn start() -> Place {
        Place { position: Position::new(Board::default()), past: Vec::new() }
    }

    /// The position after some moves from the start position or a FEN.
    ///
    /// # Errors
    /// The fault of the FEN, or the move that is not legal.
    pub(super) fn read(fen: Option<&str>, moves: &[String]) -> Result<Place, String> {
        let mut place = Place::start();
        if let Some(fen) = fen {
            let board = parse_game_fen(fen).map_err(|why| format!("position: {why}"))?;
            place.position = Position::new(board);
        }
        for word in moves {
            let Some(mv) = read_move(place.board(), word) else {
                let board = fen_text(place.board());
                return Err(format!("position: {word} found, a legal move expected in {board}"));
            };
            place.past.push(place.position.key());
            place.position = place.position.after(mv);
        }
        Ok(place)
    }

    /// The position.
    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// The keys of the positions before it, oldest first.
    pub(super) fn past(&self) -> &[u64] {
        &self.past
    }
}

/// All legal moves.
pub(super) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

/// A legal move in words; castling may be written either way.
pub(super) fn read_move(board: &Board, word: &str) -> Option<Move> {
    let lower = word.to_ascii_lowercase();
    let as_written = lower.parse().ok();
    let castling = parse_uci_move(board, &lower).ok();
    [as_written, castling].into_iter().flatten().find(|mv| board.is_legal(*mv))
}

/// A legal move in words.
pub(super) fn write_move(board: &Board, mv: Move, notation: Notation) -> String {
    match notation {
        Notation::Standard => display_uci_move(board, mv).to_string(),
        Notation::Chess960 => mv.to_string(),
    }
}

/// Moves one after another in words, until one is not legal.
pub(super) fn write_line(board: &Board, line: &[Move], notation: Notation) -> String {
    let mut board = board.clone();
    let mut words = Vec::new();
    for &mv in line {
        if !board.is_legal(mv) {
            break;
        }
        words.push(write_move(&board, mv, notation));
        board.play_unchecked(mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn place(fen: Option<&str>, moves: &str) -> Place {
        Place::read(fen, &words(moves)).expect("a position")
    }

    #[test]
    fn the_game_before_is_kept() {
        let there = place(None, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!(there.past().len(), 4);
        let key = Position::new(there.board().clone()).key();
        assert_eq!(there.past()[0], key, "the start position again");
    }

    #[test]
    fn what_is_not_legal_is_no_position() {
        let read = Place::read(None, &words("e2e4 e2e4 e7e5"));
        assert!(read.is_err_and(|why| why.starts_with("position: e2e4 found, a legal move")));
        assert!(Place::read(Some("8/8/8/8"), &[]).is_err_and(|why| why.starts_with("position: ")));
    }

    #[test]
    fn castling_is_read_either_way() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let board = place(Some(fen), "").board().clone();
        for (word, standard, chess960) in
            [("e1g1", "e1g1", "e1h1"), ("e1h1", "e1g1", "e1h1"), ("e1c1", "e1c1", "e1a1")]
        {
            let mv = read_move(&board, word).expect("legal");
            assert_eq!(write_move(&board, mv, Notation::Standard), standard);
            assert_eq!(write_move(&board, mv, Notation::Chess960), chess960);
        }
        assert_eq!(read_move(&board, "e1e3"), None);
        assert_eq!(read_move(&board, "O-O"), None);
    }

    #[test]
    fn chess960_castling() {
        let board = place(Some("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"), "").board().clone();
        let mv = read_move(&board, "e1g1").expect("the king takes its rook");
        assert_eq!(write_move(&board, mv, Notation::Chess960), "e1g1");
        let mv = read_move(&board, "e1b1").expect("the king takes its rook");
        assert_eq!(write_move(&board, mv, Notation::Chess960), "e1b1");
    }

    #[test]
    fn a_line_ends_where_it_is_not_legal() {
        let board = Board::default();
        let line = ["e2e4", "e7e5", "e4e5"].map(|mv| mv.parse().expect("a move"));
        assert_eq!(write_line(&board, &line, Notation::Standard), "e2e4 e7e5");
    }
}
