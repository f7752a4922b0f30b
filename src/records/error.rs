//! The errors of a results directory: the reason, and how to go on. The words are those of its
//! contents: samples or games.

use super::journal::JournalError;
use super::number_list::count;
use super::refusal::Refusal;
use std::io;
use std::path::{Path, PathBuf};
use ttd_search::positions::PositionsError;

/// The contents of a results directory, with the words that messages need.
#[derive(Debug)]
pub struct Contents {
    /// The thing whose results these are, for people: experiment or match.
    pub what: &'static str,
    /// The file that describes it.
    pub file: &'static str,
    /// The command that goes on from that file.
    pub command: &'static str,
    /// That command, and its effect.
    pub again: &'static str,
    /// The file to which rows are appended.
    pub table: &'static str,
    /// The word for one of its rows, for people: sample or game.
    pub row: &'static str,
    /// The copy of the user's own position file.
    pub copy: &'static str,
    /// The options that name another directory.
    pub elsewhere: &'static str,
    /// The option that goes on although it is not known who took the rows, with its effect; none
    /// if there is no such option.
    pub mixed: Option<&'static str>,
    /// The files that runs make. No other file is discarded here: the command line removes the
    /// files of reports.
    pub made: &'static [&'static str],
}

/// The reasons why a TOML file of a results directory cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// It does not have the form that this program writes.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A newer program wrote the directory.
    #[error(transparent)]
    Newer(Refusal),
}

/// The reasons why a results directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// It cannot be written, or read.
    #[error("{path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// No run can write to it.
    #[error(
        "{path}: no results can be written here: {source}. Expected a directory that can be \
         written, or made (--out DIR names another)"
    )]
    Unwritable {
        /// The directory, or the file in it that could not be written.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// It holds files, and no results.
    #[error(
        "{dir}: it holds `{file}`, and no results: expected an empty directory, a new one, or one \
         with {expected} (--out DIR names another)",
        expected = contents.file
    )]
    Foreign {
        /// The directory.
        dir: PathBuf,
        /// One of the foreign files.
        file: String,
        /// The contents that were expected.
        contents: &'static Contents,
    },
    /// It holds the results of another experiment, or match.
    #[error(
        "{dir}: it holds another {what} ({differences}). `{command} {dir}/{file} --out {dir}` goes \
         on with that one. {elsewhere} measures this one in another directory. --fresh discards the \
         {rows}",
        what = contents.what,
        command = contents.command,
        file = contents.file,
        elsewhere = contents.elsewhere,
        rows = count(*rows, contents.row)
    )]
    Other {
        /// The directory.
        dir: PathBuf,
        /// The differences, in words.
        differences: String,
        /// The number of its rows.
        rows: usize,
        /// Its contents.
        contents: &'static Contents,
    },
    /// It was begun with another program or on another machine.
    #[error(
        "{dir}: {rows} in it, taken otherwise ({differences}). Go on with --mixed to mix them with \
         new ones; the report then says so. Or use --out DIR for another directory, or --fresh to \
         discard them",
        rows = count(*rows, contents.row)
    )]
    Elsewhere {
        /// The directory.
        dir: PathBuf,
        /// The differences, in words.
        differences: String,
        /// The number of its rows.
        rows: usize,
        /// Its contents.
        contents: &'static Contents,
    },
    /// It has rows, and nothing tells who took them.
    #[error(
        "{dir}: {rows} in it, and nothing tells which program and machine took them: \
         environment.toml was lost. Put it back. Or use {mixed}--out DIR for another directory, or \
         --fresh to discard them",
        rows = count(*rows, contents.row),
        mixed = contents.mixed.map_or_else(String::new, |option| format!("{option}, "))
    )]
    NoSitting {
        /// The directory.
        dir: PathBuf,
        /// The number of its rows.
        rows: usize,
        /// Its contents.
        contents: &'static Contents,
    },
    /// Another process writes to it.
    #[error("{dir}: another run writes to it: wait for its end, or use --out DIR")]
    Locked {
        /// The directory.
        dir: PathBuf,
    },
    /// A row is not the one that the plan has in its place.
    #[error(
        "{dir}/{table}:{line}: it is not the {row} that the plan has there ({why}): the files were \
         changed. Go on with --out DIR for another directory, or with --fresh to discard the {row}s \
         in this one",
        table = contents.table,
        row = contents.row
    )]
    Plan {
        /// The directory.
        dir: PathBuf,
        /// The number of its line, from 1.
        line: u64,
        /// The column in which it differs, in words.
        why: String,
        /// Its contents.
        contents: &'static Contents,
    },
    /// Its description or its environment cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Its rows cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its copy of the positions cannot be read.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}

impl ResultsError {
    /// Makes an error of this file or directory.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> ResultsError + '_ {
        move |source| ResultsError::Io { path: path.to_owned(), source }
    }

    /// Whether the command is wrong, and not the machine.
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Foreign { .. }
                | Self::Other { .. }
                | Self::Elsewhere { .. }
                | Self::NoSitting { .. }
                | Self::Plan { .. }
                | Self::Read(ReadError::Refused(_) | ReadError::Newer(_))
                | Self::Positions(_)
        )
    }
}
