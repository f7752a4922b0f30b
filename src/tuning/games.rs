//! Finished games from a PGN file, for the tuner.

use crate::pgn::{Game, Games, LeftOut};
use std::io::BufRead;
use std::path::Path;
use ttd_search::engine::{Board, Move};
use ttd_search::positions::{self, FileError};

/// A game that ended on the board or by adjudication.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedGame {
    /// The position before the first move.
    pub start: Board,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The score of White: 1, 0.5 or 0.
    pub result: f64,
}

/// Words for the ends of games that a clock or a fault decided, in the tags of many programs.
const FORFEITS: [&str; 13] = [
    "time",
    "forfeit",
    "abandon",
    "infraction",
    "illegal",
    "stall",
    "disconnect",
    "crash",
    "unterminated",
    "fault",
    "died",
    "no answer",
    "emergency",
];

/// The finished games of a file, in order, and the ones that were left out.
///
/// Games that cannot be read are left out. So are games without a result, and games that a clock or
/// a fault ended: their results say nothing of their positions.
///
/// # Errors
/// If the file cannot be read.
pub fn read_games(path: &Path) -> Result<(Vec<RecordedGame>, LeftOut), FileError> {
    let io = |source| FileError::Io { path: path.to_owned(), source };
    games_of(positions::open_text(path).map_err(io)?).map_err(io)
}

/// The games of a text, as [`read_games`] takes them.
///
/// # Errors
/// If the text cannot be read.
pub fn games_of(text: impl BufRead) -> std::io::Result<(Vec<RecordedGame>, LeftOut)> {
    let (mut games, mut left_out) = (Vec::new(), LeftOut::default());
    for read in Games::new(text) {
        let Some(game) = left_out.good(read?) else { continue };
        if is_forfeit(&game) {
            left_out.because("that a clock or a fault ended");
        } else if let Some(result) = game.result {
            games.push(RecordedGame { start: game.start, moves: game.moves, result });
        } else {
            left_out.because("without a result");
        }
    }
    Ok((games, left_out))
}

fn is_forfeit(game: &Game) -> bool {
    let ended = game.tags.get("Termination").unwrap_or_default().to_ascii_lowercase();
    FORFEITS.iter().any(|word| ended.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n";

    fn kept(text: &str) -> (usize, Vec<String>) {
        let (games, left_out) = games_of(text.as_bytes()).expect("it is read");
        (games.len(), left_out.words("g.pgn"))
    }

    #[test]
    fn leaves_out_what_the_board_did_not_decide() {
        for (termination, games) in [
            ("normal", 1),
            ("Normal", 1),
            ("adjudication", 1),
            ("White won by resignation", 1),
            ("time forfeit", 0),
            ("Time forfeit", 0),
            ("Abandoned", 0),
            ("Rules infraction", 0),
            ("stalled connection", 0),
        ] {
            let (kept, words) = kept(&format!("[Termination \"{termination}\"]\n{GAME}"));
            assert_eq!((kept, words.len()), (games, 1 - games), "{termination}: {words:?}");
        }
        assert_eq!(kept("1. e4 *\n"), (0, vec!["g.pgn: left out 1 game without a result".into()]));
        assert_eq!(kept("1. e4\n").0, 0, "it was cut off");
    }

    #[test]
    fn a_bad_game_costs_only_itself() {
        let (games, words) = kept(&format!("{GAME}1. e4 e5 2. Ke3 1-0\n\n{GAME}"));
        assert_eq!(games, 2);
        assert!(words[0].starts_with(
            "g.pgn: left out 1 game that cannot be read as chess. Line 5: `Ke3`: expected a legal move"
        ), "{words:?}");
        let error = read_games(Path::new("no/such.pgn")).expect_err("no file").to_string();
        assert!(error.starts_with("no/such.pgn: "), "{error}");
    }
}
