//! The results directories that are arguments of commands.

use super::format::count;
use super::{Usage, say};
use crate::records::{ResultsError, check_regular};
use crate::report::LeftOut;
use std::io;
use std::path::Path;

/// The largest number of warnings about rows that are given one by one.
const MOST_WARNINGS: usize = 20;

/// Whether a directory holds `file`. It does, too, if the file cannot be reached, or is none: then
/// [`require`] says why.
pub(super) fn holds(dir: &Path, file: &str) -> bool {
    found(dir, file).is_none_or(|error| !is_missing(&error))
}

/// Checks that a directory holds `file`, without which it is not an `expected` one.
///
/// # Errors
/// Wrong usage if there is no such file; the error of the system if it cannot be reached.
pub(super) fn require(dir: &Path, file: &str, expected: &str) -> anyhow::Result<()> {
    match found(dir, file) {
        None => Ok(()),
        Some(error) if is_missing(&error) => {
            let dir = dir.display();
            Err(Usage(format!("{dir}: there is no {file}: expected {expected}")).into())
        }
        Some(error) => Err(ResultsError::io(&dir.join(file))(error).into()),
    }
}

/// The reason why a file cannot be read, if there is one.
fn found(dir: &Path, file: &str) -> Option<io::Error> {
    check_regular(&dir.join(file)).err()
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Prints the parts of the results that could not be used.
pub(super) fn warn(dir: &Path, left_out: &LeftOut) {
    for words in left_out.words.iter().take(MOST_WARNINGS) {
        say(format_args!("ttd: left out: {}/{words}", dir.display()));
    }
    let more = left_out.words.len().saturating_sub(MOST_WARNINGS);
    if more > 0 {
        let kinds = count(more, "kind");
        say(format_args!("ttd: left out: {kinds} of rows more in {}", dir.display()));
    }
}
