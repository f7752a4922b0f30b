//! From tags and words to games.

use super::game::{BadGame, Game, GameEnd, Tags};
use super::lexer::{Lexer, Token};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use ttd_search::engine::{Board, Move};
use ttd_search::positions::{
    self, is_chess, is_mark, is_null_move, other_game, parse_game_fen, read_move,
};

/// The most moves of a game, of both sides. The longest game that the rules allow is shorter.
const MOST_MOVES: usize = 20_000;
/// Words that editors put between moves: a novelty, a diagram.
const EDITORS: [&str; 4] = ["N", "TN", "D", "RR"];

/// The games of a text, one after another.
pub struct Games<R> {
    lexer: Lexer<R>,
    /// The first token of the next game.
    next: Option<(Token, usize)>,
}

/// The games of a file.
///
/// # Errors
/// If it cannot be opened, or is compressed.
pub fn open(path: &Path) -> io::Result<Games<BufReader<File>>> {
    Ok(Games::new(positions::open_text(path)?))
}

/// Whether a file has games rather than positions: by its name, or by its first line.
pub fn is_pgn(path: &Path, text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut lines = text.split(|&byte| byte == b'\n' || byte == b'\r').map(<[u8]>::trim_ascii);
    let first = lines.find(|line| !line.is_empty() && !b"%;#{".contains(&line[0]));
    let begins = |sign: &[u8]| first.is_some_and(|line| line.starts_with(sign));
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pgn")) || begins(b"[") || begins(b"1.")
}

impl<R: BufRead> Games<R> {
    /// The games of a text.
    pub fn new(text: R) -> Games<R> {
        Games { lexer: Lexer::new(text), next: None }
    }

    fn game(&mut self) -> io::Result<Option<Result<Game, BadGame>>> {
        let mut begun = Begun::default();
        loop {
            let token = match self.next.take() {
                None => self.lexer.next()?,
                token => token,
            };
            let Some((token, line)) = token else {
                return Ok(begun.is_begun().then(|| begun.end(None)));
            };
            if begun.is_before(&token) {
                self.next = Some((token, line));
                return Ok(Some(begun.end(None)));
            }
            begun.line.get_or_insert(line);
            match token {
                Token::Tag(name, value) => begun.tags.add(name, value),
                Token::Unclosed(what) => begun.fault(line, what.to_owned()),
                Token::Word(word) => match Ending::read(&word) {
                    // A result of nothing: the game before it has had its own.
                    Some(_) if begun.is_empty() => begun = Begun::default(),
                    Some(ending) => return Ok(Some(begun.end(Some(ending)))),
                    None => begun.word(&word, line),
                },
            }
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = io::Result<Result<Game, BadGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.game().transpose()
    }
}

/// A word that ends a game.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    /// The score of White.
    Score(f64),
    /// `*`: unfinished, or not known.
    Open,
}

impl Ending {
    /// The ending that a word says; none if the game goes on.
    fn read(word: &str) -> Option<Ending> {
        Some(match word {
            "1-0" | "1–0" | "1:0" => Ending::Score(1.0),
            "0-1" | "0–1" | "0:1" => Ending::Score(0.0),
            "1/2-1/2" | "1/2–1/2" | "1/2" | "½-½" | "½–½" | "½" | "0.5-0.5" => {
                Ending::Score(0.5)
            }
            "*" => Ending::Open,
            _ => return None,
        })
    }

    const fn score(self) -> Option<f64> {
        match self {
            Ending::Score(score) => Some(score),
            Ending::Open => None,
        }
    }
}

/// The game that is being read.
#[derive(Default)]
struct Begun {
    line: Option<usize>,
    tags: Tags,
    /// The position before the moves and after them, once there are words.
    boards: Option<(Board, Board)>,
    moves: Vec<Move>,
    /// Whether a null move ended its moves.
    ended: bool,
    fault: Option<BadGame>,
}

impl Begun {
    fn is_begun(&self) -> bool {
        self.line.is_some()
    }

    /// Whether there are neither tags nor moves.
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.boards.is_none() && self.fault.is_none()
    }

    /// Whether a token is of the next game: a tag after moves, or one that this game has already.
    fn is_before(&self, token: &Token) -> bool {
        let Token::Tag(name, _) = token else { return false };
        self.boards.is_some() || self.fault.is_some() || self.tags.has(name)
    }

    fn fault(&mut self, line: usize, what: String) {
        self.fault.get_or_insert(BadGame { line, what });
    }

    /// Reads a move, or a word beside one.
    fn word(&mut self, word: &str, line: usize) {
        let is_number = word.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if self.fault.is_some() || self.ended {
            return;
        }
        if is_null_move(word) {
            self.ended = true;
        }
        if self.ended || is_number {
            return;
        }
        if self.boards.is_none() {
            match self.first_board() {
                Ok(board) => self.boards = Some((board.clone(), board)),
                Err(what) => return self.fault(line, what),
            }
        }
        let Some((_, board)) = &mut self.boards else { return };
        if let Some(mv) = read_move(board, word) {
            board.play_unchecked(mv);
            self.moves.push(mv);
            if self.moves.len() > MOST_MOVES {
                self.fault(line, format!("more than {MOST_MOVES} moves"));
            }
        } else if word.contains(char::is_alphanumeric)
            && !is_mark(word)
            && !EDITORS.contains(&word)
            && !word.starts_with('<')
        {
            let what = format!("`{word}`: expected a legal move in {board}");
            let game = self.tags.get("Event").and_then(other_game);
            let game = game.map_or_else(String::new, |game| format!(" (its event is of {game})"));
            self.fault(line, what + &game);
        }
    }

    fn first_board(&self) -> Result<Board, String> {
        let fen = self.tags.get("FEN").map_or_else(|| Ok(Board::default()), parse_game_fen);
        match self.tags.get("Variant") {
            Some(variant) if !is_chess(variant) => {
                Err(format!("a game of {variant} found, one of chess or Chess960 expected"))
            }
            _ => fen.map_err(|why| format!("FEN: {why}")),
        }
    }

    /// The game at its end, with the word that ends its moves, if there is one.
    fn end(mut self, ending: Option<Ending>) -> Result<Game, BadGame> {
        let line = self.line.unwrap_or(1);
        let boards = self.boards.take().map(|(start, _)| Ok(start));
        let start = boards.unwrap_or_else(|| self.first_board());
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let start = start.map_err(|what| BadGame { line, what })?;
        let told = self.tags.get("Result").and_then(Ending::read).and_then(Ending::score);
        let found = ending.and_then(Ending::score);
        if let (Some(told), Some(found)) = (told, found)
            && told.to_bits() != found.to_bits()
        {
            let what = "its tag has another result than the end of its moves".to_owned();
            return Err(BadGame { line, what });
        }
        let end = match ending {
            _ if self.ended => GameEnd::NullMove,
            Some(_) => GameEnd::Told,
            None => GameEnd::CutOff,
        };
        Ok(Game { line, tags: self.tags, start, moves: self.moves, result: found.or(told), end })
    }
}
