//! A game, and the reason why one is left out.

use ttd_search::engine::{Board, Move};

/// The tags of a game, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

/// The most tags that are kept of a game.
const MOST_TAGS: usize = 200;

impl Tags {
    /// The value of a tag, if there is one and it is neither empty nor `?`.
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.0.iter().find(|(tag, _)| tag.eq_ignore_ascii_case(name))?.1.trim();
        (!value.is_empty() && value != "?").then_some(value)
    }

    /// Whether there is a tag of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(tag, _)| tag == name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, name: String, value: String) {
        if self.0.len() < MOST_TAGS {
            self.0.push((name, value));
        }
    }
}

/// The end of a game's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// A result, or `*`.
    Told,
    /// The text ends, or the next game begins.
    CutOff,
    /// A null move, as comments have it. Words behind it are of no game.
    NullMove,
}

/// A game whose moves are all legal.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The number of its first line.
    pub line: usize,
    /// Its tags.
    pub tags: Tags,
    /// The position before the first move.
    pub start: Board,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The score of White, 1, 0.5 or 0; none if the text gives none.
    pub result: Option<f64>,
    /// The end of its moves.
    pub end: GameEnd,
}

impl Game {
    /// The position after so many of its moves, or after all if there are no more.
    pub fn board_after(&self, plies: usize) -> Board {
        let mut board = self.start.clone();
        for &mv in self.moves.iter().take(plies) {
            board.play(mv);
        }
        board
    }
}

/// A game that cannot be read, or is none of chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// The line of its fault, from 1.
    pub line: usize,
    /// The fault.
    pub what: String,
}
