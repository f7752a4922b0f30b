//! Why a journal cannot be used.

use std::io;
use std::path::{Path, PathBuf};

/// Why the journal of a results directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row or the header is not what this program writes.
    #[error("{path}:{line}: {what}")]
    Row {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl JournalError {
    /// Of this file.
    pub fn io(path: &Path, source: io::Error) -> JournalError {
        JournalError::Io { path: path.to_owned(), source }
    }
}
