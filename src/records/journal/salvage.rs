//! What can be used of a damaged file.

use super::error::JournalError;
use super::rows::{OtherHeader, Place, Rows};
use crate::records::row::Row;
use std::path::Path;

const TAKEN_BY_NAME: &str =
    "The columns are taken by their names, and what is not named is not known";

/// Hands every whole row of a file in `dir` to `take`, one after another, and gives what is wrong with the others: with
/// those that are no such rows, and with those of which `take` says so. Of a header that is not that of such a file the columns
/// are taken by their names.
///
/// # Errors
/// If the file cannot be read, or its header names too little, or what no row can be.
pub fn salvage<R: Row>(
    dir: &Path,
    mut take: impl FnMut(R) -> Result<(), String>,
) -> Result<Unusable, JournalError> {
    let (mut usable, mut bad) = (0, Vec::new());
    let wrong = |line, what| JournalError::Row { path: dir.join(R::FILE), line, what };
    let rows =
        Rows::scan(dir, OtherHeader::ByName, |row: Result<R, String>, Place { line, .. }| {
            match row.and_then(&mut take) {
                Ok(()) => usable += 1,
                Err(what) => bad.push(wrong(line, what)),
            }
            Ok(())
        })?;
    let header = match rows.misnamed {
        // Names that no row bears out.
        Some(what) if usable == 0 && !bad.is_empty() => return Err(wrong(1, what)),
        named => named.map(|what| wrong(1, format!("{what}. {TAKEN_BY_NAME}"))),
    };
    let no_end = || "the line has no end: it was not written whole".to_owned();
    let torn = rows.torn.map(|line| wrong(line, no_end()));
    Ok(Unusable { header, bad, torn })
}

/// What [`salvage`] cannot use of a file.
#[derive(Debug)]
pub struct Unusable {
    /// The header, if its columns were taken by their names.
    pub header: Option<JournalError>,
    /// Whole lines: a run that goes on refuses them.
    pub bad: Vec<JournalError>,
    /// The last line, if its end is missing: a run that goes on cuts it off, and takes its sample again.
    pub torn: Option<JournalError>,
}
