//! The results directories that are arguments of commands.

use super::format::count;
use super::{Usage, say};
use crate::report::LeftOut;
use std::path::Path;

/// The largest number of warnings about rows that are given one by one.
const MOST_WARNINGS: usize = 20;

/// Checks that a directory holds `file`, without which it is not an `expected` one.
pub(super) fn require(dir: &Path, file: &str, expected: &str) -> Result<(), Usage> {
    if dir.join(file).is_file() {
        return Ok(());
    }
    Err(Usage(format!("{}: there is no {file}: expected {expected}", dir.display())))
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
