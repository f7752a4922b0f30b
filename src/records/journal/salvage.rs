//! The usable rows of a damaged file.

use super::appended::JournalError;
use super::rows::{OtherHeader, Place, Rows};
use crate::records::row::Row;
use std::path::Path;

const TAKEN_BY_NAME: &str =
    "The columns are taken by their names, and the values of a missing column are unknown";

/// Passes every whole row of a file in `dir` to `take`, one after another. Returns the errors: rows
/// that cannot be read, and rows for which `take` returns an error. If the header is not the
/// expected one, the columns are found by their names.
///
/// # Errors
/// If the file cannot be read, or its header lacks needed names, or no row fits it.
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
        // No row fits these names, so the header itself is wrong.
        Some(what) if usable == 0 && !bad.is_empty() => return Err(wrong(1, what)),
        named => named.map(|what| wrong(1, format!("{what}. {TAKEN_BY_NAME}"))),
    };
    let no_end = || "the line has no end: it was not written whole".to_owned();
    let torn = rows.torn.map(|line| wrong(line, no_end()));
    Ok(Unusable { header, bad, torn })
}

/// The parts of a file that [`salvage`] cannot use.
#[derive(Debug)]
pub struct Unusable {
    /// The error of the header, if the columns were found by their names.
    pub header: Option<JournalError>,
    /// Whole lines with errors: a run that goes on refuses them.
    pub bad: Vec<JournalError>,
    /// The last line, if its end is missing. A run that goes on cuts it off, and takes its sample
    /// again.
    pub torn: Option<JournalError>,
}
