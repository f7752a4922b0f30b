//! The reasons why a position set cannot be used.

use super::built_in::set_names;
use crate::value::nearest;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a position set cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PositionsError {
    /// The name is neither a set of the program nor a file.
    #[error("there is no position set `{name}`: {}", which(.name))]
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// The name looks like a path, and there is no file at it.
    #[error(
        "there is no file `{path}`: expected the path of an EPD file, or one of {}",
        set_names().join(", ")
    )]
    Missing {
        /// The path.
        path: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Lines of the file are no positions, or none that can be searched.
    #[error("{}", told(.file, .bad, *.all))]
    Lines {
        /// The path of the file, or the name of a set of positions.
        file: String,
        /// The first of the lines.
        bad: Vec<BadLine>,
        /// The number of all of them.
        all: usize,
    },
    /// The file has no position: comments and blank lines at most.
    #[error("{0}: there is no position in it")]
    Empty(String),
    /// The file says that it is of another game.
    #[error("{file}: it is a set of {game}. Expected positions of chess or Chess960")]
    OtherGame {
        /// The path of the file.
        file: String,
        /// The game.
        game: &'static str,
    },
    /// The file has games and not positions.
    #[error("{0}: it is a PGN file, of games: expected an EPD file, with a position in each line")]
    Games(String),
}

/// The reason why a text file of a user cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line has something that does not belong there.
    #[error("{file}:{line}: {what}")]
    Line {
        /// The path of the file, or the name of a set of positions.
        file: String,
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line, and a form that would be right.
        what: String,
    },
}

impl PositionsError {
    /// The error for a name that a user has given, and the path at which no file was found.
    pub fn not_found(said: &str, path: &str) -> PositionsError {
        let has_extension =
            Path::new(said).extension().is_some_and(|e| e.eq_ignore_ascii_case("epd"));
        if has_extension || said.contains(std::path::is_separator) {
            PositionsError::Missing { path: path.to_owned() }
        } else {
            PositionsError::Unknown { name: said.to_owned() }
        }
    }
}

/// A line of a file that is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault of the line, and a form that would be right.
    pub what: String,
}

/// The sets that a user may have meant.
fn which(name: &str) -> String {
    match nearest(name, set_names()) {
        Some(near) => format!("did you mean `{near}`? (A file has a name that ends in `.epd`)"),
        None => format!("expected {}, or the path of an EPD file", set_names().join(", ")),
    }
}

/// The bad lines of a file, each in a line of its own.
fn told(file: &str, bad: &[BadLine], all: usize) -> String {
    let mut lines: Vec<String> =
        bad.iter().map(|BadLine { line, what }| format!("{file}:{line}: {what}")).collect();
    if all > bad.len() {
        let more = all - bad.len();
        let lines_more = if more == 1 { "line is no position" } else { "lines are no positions" };
        lines.push(format!("{file}: and {more} more {lines_more}"));
    }
    lines.join("\n")
}
