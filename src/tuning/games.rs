//! Finished games from a PGN file, as `ttd match` writes it.

use cozy_chess::util::parse_san_move;
use std::path::Path;
use ttd_search::engine::{Board, Move};
use ttd_search::positions::{FileError, parse_game_fen, read_text};

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

/// The finished games of a file, in order. Games without a result are left out. Games that a clock
/// or a fault ended are left out too: their results say nothing of their positions.
///
/// # Errors
/// If the file cannot be read, or a line of it is no part of a game.
pub fn read_games(path: &Path) -> Result<Vec<RecordedGame>, FileError> {
    let text = read_text(path).map_err(|source| FileError::Io { path: path.to_owned(), source })?;
    parse_games(&text, &path.display().to_string())
}

/// The games of a text; errors call it by the name `file`.
///
/// # Errors
/// The errors of [`read_games`].
pub fn parse_games(text: &str, file: &str) -> Result<Vec<RecordedGame>, FileError> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        reader.line(line).map_err(|what| {
            let file = file.to_owned();
            FileError::Line { file, line: index + 1, what }
        })?;
    }
    Ok(reader.games)
}

/// The reader of a text, line by line.
#[derive(Default)]
struct Reader {
    games: Vec<RecordedGame>,
    game: Begun,
    in_comment: bool,
}

/// The game that is being read.
#[derive(Default)]
struct Begun {
    start: Board,
    moves: Vec<Move>,
    /// The position after the moves.
    board: Board,
    /// Whether a clock or a fault ended the game.
    forfeited: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if !self.in_comment && self.game.moves.is_empty() && line.starts_with('[') {
            return self.tag(line);
        }
        let mut rest = line;
        while let Some(at) = rest.find(if self.in_comment { '}' } else { '{' }) {
            self.words(&rest[..at])?;
            self.in_comment = !self.in_comment;
            rest = &rest[at + 1..];
        }
        self.words(rest)
    }

    fn tag(&mut self, line: &str) -> Result<(), String> {
        let (name, value) = line
            .trim_end()
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix("\"]"))
            .and_then(|line| line.split_once(" \""))
            .ok_or_else(|| format!("`{line}`: expected a tag such as [Result \"1-0\"]"))?;
        match name {
            "FEN" => {
                self.game.start = parse_game_fen(value)?;
                self.game.board = self.game.start.clone();
            }
            "Termination" => self.game.forfeited = !["normal", "adjudication"].contains(&value),
            _ => {}
        }
        Ok(())
    }

    fn words(&mut self, text: &str) -> Result<(), String> {
        if self.in_comment {
            Ok(())
        } else {
            text.split_whitespace().try_for_each(|w| self.word(w))
        }
    }

    /// Reads a move, its number, a glyph, or the result.
    fn word(&mut self, word: &str) -> Result<(), String> {
        let result = match word {
            "1-0" => Some(1.0),
            "0-1" => Some(0.0),
            "1/2-1/2" => Some(0.5),
            "*" => None,
            _ => return self.game.go_on(word),
        };
        let Begun { start, moves, forfeited, .. } = std::mem::take(&mut self.game);
        let result = result.filter(|_| !forfeited);
        self.games.extend(result.map(|result| RecordedGame { start, moves, result }));
        Ok(())
    }
}

impl Begun {
    fn go_on(&mut self, word: &str) -> Result<(), String> {
        let san = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if san.is_empty() || word.starts_with('$') {
            return Ok(());
        }
        let mv = parse_san_move(&self.board, san)
            .ok()
            .filter(|&mv| self.board.is_legal(mv))
            .ok_or_else(|| format!("`{word}`: expected a legal move in {}", self.board))?;
        self.board.play_unchecked(mv);
        self.moves.push(mv);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::display_uci_move;

    const MATE: &str = "[White \"a \\\"b\\\"\"]\n[Result \"0-1\"]\n\n1. f3 {[%eval 0.31,12] a\n\
                        1. e4 } 1... e5 {}\n2. g4 $2 2...Qh4# {black mates} 0-1\n\n";
    const DRAWN: &str = "[FEN \"4k3/P7/8/8/8/8/8/R3K2R b KQ - 0 30\"]\n[Result \"1/2-1/2\"]\n\n\
                         30... Kf7\n31. O-O+ Ke6 32. a8=Q 1/2-1/2\n";

    fn moves(game: &RecordedGame) -> Vec<String> {
        let mut board = game.start.clone();
        let play = |&mv: &Move| {
            let text = display_uci_move(&board, mv).to_string();
            board.play(mv);
            text
        };
        game.moves.iter().map(play).collect()
    }

    #[test]
    fn reads_one_game_after_another() {
        let games = parse_games(&format!("{MATE}{DRAWN}{MATE}"), "games.pgn").expect("games");
        let [first, second, third] = games.as_slice() else { panic!("{games:?}") };
        assert_eq!(moves(first), ["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert_eq!(first, third);
        assert_eq!(first.result.to_bits(), 0f64.to_bits());
        assert_eq!(moves(second), ["e8f7", "e1g1", "f7e6", "a7a8q"]);
        assert_eq!(second.result.to_bits(), 0.5f64.to_bits());
    }

    #[test]
    fn leaves_out_what_the_board_did_not_decide() {
        let kept = |text: &str| parse_games(text, "games.pgn").expect("games").len();
        for (termination, games) in
            [("normal", 1), ("adjudication", 1), ("time forfeit", 0), ("abandoned", 0)]
        {
            assert_eq!(kept(&format!("[Termination \"{termination}\"]\n{MATE}")), games);
        }
        assert_eq!(kept("1. e4 *\n"), 0);
        assert_eq!(kept("1. e4\n"), 0, "it was cut off");
    }

    #[test]
    fn says_which_line_is_wrong() {
        let refused = |text: &str| parse_games(text, "g.pgn").expect_err("no game").to_string();
        let error = refused("[Event \"x\"]\n\n1. e4 e5\n2. Ke3\n");
        assert!(error.starts_with("g.pgn:4: `Ke3`: expected a legal move in rnbq"), "{error}");
        assert!(refused("\n[Event x]").starts_with("g.pgn:2: `[Event x]`: expected a tag"));
        assert!(refused("[FEN \"8/8\"]").starts_with("g.pgn:1: "));
        let error = read_games(Path::new("no/such.pgn")).expect_err("no file").to_string();
        assert!(error.starts_with("no/such.pgn: "), "{error}");
    }
}
