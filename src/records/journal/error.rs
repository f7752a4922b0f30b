//! The errors of a journal.

use std::io;
use std::path::{Path, PathBuf};

/// The reasons why the journal of a results directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A row or the header does not have the form that this program writes.
    #[error("{path}:{line}: {what}")]
    Row {
        /// The path of the file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The error in the line.
        what: String,
    },
}

impl JournalError {
    /// An error of this file.
    pub fn io(path: &Path, source: io::Error) -> JournalError {
        JournalError::Io { path: path.to_owned(), source }
    }
}
