//! A file that is appended to, the line of a row, and the errors of such files.

use crate::records::opened;
use crate::records::row::Row;
use std::fs::File;
use std::io::{self, Write};
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

/// A file that is appended to.
#[derive(Debug)]
pub(crate) struct Appended {
    path: PathBuf,
    file: File,
    /// The number of fields of a row; the others are left out.
    columns: usize,
}

impl Appended {
    pub(crate) fn open(path: PathBuf) -> Result<Appended, JournalError> {
        Appended::of_columns(path, usize::MAX)
    }

    /// A file whose rows have only the first so many fields: an older program wrote it.
    pub(super) fn of_columns(path: PathBuf, columns: usize) -> Result<Appended, JournalError> {
        match opened::append(&path) {
            Ok(file) => Ok(Appended { path, file, columns }),
            Err(e) => Err(JournalError::io(&path, e)),
        }
    }

    /// Gives rows, each as its fields, to the operating system in one step.
    pub(crate) fn append(
        &mut self,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Result<(), JournalError> {
        let line = |fields: Vec<String>| csv_line(&fields[..fields.len().min(self.columns)]);
        let lines: Vec<u8> = rows.into_iter().flat_map(line).collect();
        self.write(&lines)
    }

    /// Gives a row to the operating system in one step.
    pub(crate) fn append_row(&mut self, row: &impl Row) -> Result<(), JournalError> {
        self.append([row.values()])
    }

    /// Waits until all that was appended is on the disk.
    pub(crate) fn sync(&self) -> Result<(), JournalError> {
        // Some systems have files that know no disk, and say so.
        match self.file.sync_data() {
            Err(e) if e.kind() != io::ErrorKind::InvalidInput => {
                Err(JournalError::io(&self.path, e))
            }
            _ => Ok(()),
        }
    }

    /// Gives bytes to the operating system in one step.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.file.write_all(bytes).map_err(|e| JournalError::io(&self.path, e))
    }
}

/// The fields as one line of a file.
pub(crate) fn csv_line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("a vector takes every write");
    writer.into_inner().expect("a vector takes every write")
}
