//! The results directories that commands are given.

use super::{Usage, say};
use crate::report::LeftOut;
use std::path::Path;

/// So many warnings about rows are given one by one.
const MOST_WARNINGS: usize = 20;

/// Whether a directory holds a file without which it is not what is expected.
pub(super) fn require(dir: &Path, file: &str, expected: &str) -> Result<(), Usage> {
    if dir.join(file).is_file() {
        return Ok(());
    }
    Err(Usage(format!("{}: there is no {file}: expected {expected}", dir.display())))
}

/// Says what of the results could not be used.
pub(super) fn warn(dir: &Path, left_out: &LeftOut) {
    for words in left_out.words.iter().take(MOST_WARNINGS) {
        say(format_args!("ttd: left out: {}/{words}", dir.display()));
    }
    let more = left_out.words.len().saturating_sub(MOST_WARNINGS);
    if more > 0 {
        say(format_args!("ttd: left out: {more} more kinds of rows in {}", dir.display()));
    }
}
