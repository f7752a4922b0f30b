//! The report of a match: from its results directory to derived CSV files, charts and a text.
//!
//! | file | what it holds |
//! |---|---|
//! | `input` | what a results directory holds |
//! | `figures` | all that follows from it |
//! | `series` | entries that differ only in threads |
//! | `crosstable` | everybody's results against everybody |
//! | `likelihood`, `running`, `by_threads` | the likeliest ratings, the running ones, and both by threads with their trends |
//! | `endings` | why games ended |
//! | `csv`, `tables`, `setup`, `methods`, `notes`, `text` | the figures as files, as tables, and in words |

mod by_threads;
mod crosstable;
mod csv;
mod endings;
mod figures;
mod input;
mod likelihood;
mod methods;
mod notes;
mod running;
mod series;
mod setup;
mod tables;
mod text;

#[cfg(test)]
pub(in crate::report) mod synthetic;
#[cfg(test)]
mod tests;

pub(super) use by_threads::{RatingLine, Scale};
pub(super) use input::MatchInput;
pub(super) use methods::methods;
pub(super) use setup::paces;
pub(super) use text::beside_speedups;

use super::charts::match_charts;
use super::{LATEX, LeftOut, PAGE, REPORT, ReportError, Written, files, latex};
use std::path::Path;

/// The file with one row an entry, and one each of its opponents.
const STANDINGS: &str = "standings.csv";
/// The file with one row an entry: the likeliest ratings.
const RATINGS: &str = "ratings.csv";
/// The file with one row a challenger, K and game.
const RUNNING: &str = "running.csv";
/// The file with one row a series and kind of rating.
const TRENDS: &str = "trends.csv";
/// The file with one row an entry and reason.
const ENDINGS: &str = "endings.csv";
/// The file with one row an entry, at each fixed depth.
const MOVES: &str = "moves.csv";

/// Writes every table and chart and the report of a match, finished or not. Each file is there whole or as it was before; what an earlier report had and this one has
/// not goes.
///
/// # Errors
/// If the directory's match or games cannot be read, or a file cannot be written.
pub fn write_match(dir: &Path) -> Result<Written, ReportError> {
    let input = MatchInput::read(dir)?;
    let charts = match_charts::draw(&input).map_err(ReportError::charts)?;
    let report = text::report(&input, &charts);
    let mut written = Vec::new();
    for (name, text) in [
        (REPORT, Some(report.markdown())),
        (PAGE, Some(report.html())),
        (LATEX, Some(latex::of_match(&input, &report))),
        (STANDINGS, Some(csv::standings(&input))),
        (RATINGS, Some(csv::ratings(&input))),
        (RUNNING, csv::running(&input)),
        (TRENDS, csv::trends(&input.figures.lines)),
        (ENDINGS, Some(csv::endings(&input))),
        (MOVES, Some(csv::moves(&input))),
    ] {
        let path = dir.join(name);
        match text {
            Some(text) => {
                files::write(&path, text.as_bytes())?;
                written.push(path);
            }
            None => files::remove(&path)?,
        }
    }
    written.extend(super::write_charts(dir, &charts)?);
    Ok(Written { files: written, left_out: LeftOut::default() })
}
