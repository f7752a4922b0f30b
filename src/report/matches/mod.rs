//! The report of a match: from its results directory to derived CSV files, charts and a text.
//!
//! | file | what it holds |
//! |---|---|
//! | `input` | the content of a results directory |
//! | `figures` | all figures that follow from it |
//! | `series` | entries that differ only in threads |
//! | `outcomes` | the results of every entry against every other, and the reasons for the ends of games |
//! | `ratings` | the likeliest ratings, the running ones, and both by threads with their trends |
//! | `topics` | the parts of the report |
//! | `setup`, `methods`, `notes`, `text` | the text around the topics, and the file for LaTeX |

mod figures;
pub(crate) mod input;
mod methods;
mod notes;
mod outcomes;
pub(crate) mod ratings;
mod series;
mod setup;
pub(crate) mod text;
pub(crate) mod topics;

#[cfg(test)]
pub(crate) mod synthetic;
#[cfg(test)]
mod tests;

use crate::records::turn;
use crate::report::matches::topics::{TOPICS, sketches};
use crate::report::topic::draw;
use crate::report::written::{Made, Texts, Written};
use crate::report::{MatchInput, ReportError};
use std::path::Path;

/// Writes every table and chart and the report of a match, finished or not. Each file is there
/// whole or as it was before. Files that only an earlier report had are removed.
///
/// # Errors
/// If the directory's match or games cannot be read, or a file cannot be written.
pub fn write_match(dir: &Path) -> Result<Written, ReportError> {
    let (written, all) = make_match(dir)?;
    all?;
    Ok(written)
}

/// Writes a report as [`write_match`] does. It is made, too, if its files cannot be written.
///
/// # Errors
/// The errors of [`write_match`], but for files that cannot be written.
pub fn make_match(dir: &Path) -> Result<Made, ReportError> {
    let _turn = turn(dir);
    let input = MatchInput::read(dir)?;
    let charts = draw(sketches(&input)).map_err(ReportError::charts)?;
    let report = text::report(&input, &TOPICS, &charts);
    let texts = Texts { report: &report, latex: text::latex(&input, &report) };
    Written::new(dir, &texts, &TOPICS, &input, &charts, input.left_out.clone())
        .map_err(ReportError::charts)
}
