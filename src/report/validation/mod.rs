//! Is the simulation true? One experiment on virtual cores and on real ones, side by side.
//!
//! The comparison is of the ratio of the virtual to the real geometric-mean speedup, and of the
//! factors of the account. It goes on to speedups by depth and those of single positions. The
//! correlation of these stands beside the
//! highest that any prediction could reach. That ceiling follows from the precision of the real
//! ones.
//!
//! | file | what it holds |
//! |---|---|
//! | `pair` | both sides of one searcher and thread count |
//! | `compare` | the pairs of two directories, and their figures |
//! | `by_depth` | both sides by depth |
//! | `grid` | several comparisons together: a regression |
//! | `scatter` | the chart of positions |
//! | `text` | the report, and the columns of files |

mod by_depth;
mod compare;
mod grid;
mod pair;
mod scatter;
mod text;

use crate::records::{CoresKind, ResultsError, turn, write_whole};
use crate::report::{Input, LeftOut, Table};
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use by_depth::columns_page as depths_page;
pub use grid::Regression;
pub use pair::{Pair, ValidationError};
pub(crate) use text::{columns_page, side_by_side};

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct Validation {
    /// The pairs, one for each searcher and thread count that both directories have.
    pub pairs: Vec<Pair>,
    /// The verdicts, each in words.
    pub verdicts: Vec<String>,
    /// The report.
    pub report: PathBuf,
    /// The parts of the real and of the simulated results that could not be used.
    pub left_out: [LeftOut; 2],
}

/// The pairs as `validation.csv` has them.
pub fn table(pairs: &[Pair]) -> Table {
    text::columns().file(pairs)
}

/// Compares a results directory of real cores with one of virtual cores. Writes `validation.md`,
/// `validation.html`, `validation.csv`, `by-depth.csv` and charts into `out`.
///
/// # Errors
/// If a directory cannot be read, if they differ in more than their cores, or if nothing can be
/// compared.
pub fn write(real: &Path, simulated: &Path, out: &Path) -> Result<Validation, ValidationError> {
    let (measured, predicted) = (Input::read(real)?, Input::read(simulated)?);
    for (dir, input, kind, word) in [
        (real, &measured, CoresKind::Real, "real"),
        (simulated, &predicted, CoresKind::Virtual, "virtual"),
    ] {
        if input.experiment.cores != kind {
            let what = format!("{}: not of {word} cores, as expected", dir.display());
            return Err(ValidationError::Unlike(what));
        }
    }
    let pairs = compare::pairs(&measured, &predicted)?;
    let by_depth = by_depth::pairs([&measured, &predicted]);
    let charts = scatter::agreement(&pairs, [&measured, &predicted])?;
    let report = out.join("validation.md");
    let text = text::report([&measured, &predicted], (&pairs, &by_depth), &charts);
    fs::create_dir_all(out).map_err(ResultsError::io(out))?;
    let _turn = turn(out);
    write_whole(&report, text.markdown().as_bytes())?;
    write_whole(&out.join("validation.html"), text.html().as_bytes())?;
    write_whole(&out.join("validation.csv"), text::columns().file(&pairs).csv().as_bytes())?;
    let depths = by_depth::columns().file(&by_depth);
    write_whole(&out.join("by-depth.csv"), depths.csv().as_bytes())?;
    for chart in &charts {
        let file = |extension: &str| out.join(format!("charts/{}.{extension}", chart.name));
        write_whole(&file("svg"), chart.picture.svg.as_bytes())?;
        write_whole(&file("png"), &chart.picture.png()?)?;
    }
    let verdicts = pairs.iter().map(text::verdict).collect();
    let left_out = [measured.left_out, predicted.left_out];
    Ok(Validation { pairs, verdicts, report, left_out })
}
