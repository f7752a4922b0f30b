//! Is the simulation true? The same experiment on virtual cores and on real ones, side by side.
//!
//! What is compared is the ratio of the virtual to the real geometric-mean speedup, the factors of the
//! account, and the speedups of single positions: their correlation beside the highest that any
//! prediction could reach, given how well the real ones are known.

mod compare;
mod text;

use super::charts::ChartError;
use super::figures::Row;
use super::{Input, LeftOut, files};
use crate::records::{CoresKind, ResultsError};
use std::path::{Path, PathBuf};
use ttd_stats::Bounds;
use ttd_stats::reliability::Reliability;

/// Why two directories cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ValidationError {
    /// A directory cannot be read, or the comparison not be written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// They are not what was expected.
    #[error("{0}")]
    Unlike(String),
}

/// Both sides of one searcher and thread count.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Name of the searcher.
    pub searcher: String,
    /// Its place in the experiment's list.
    index: usize,
    /// Number of workers; above 1, and not more than the real machine has cores.
    pub threads: usize,
    /// On real cores.
    pub real: Row,
    /// On virtual ones.
    pub simulated: Row,
    /// Virtual over real geometric-mean speedup.
    pub ratio: f64,
    /// Its interval over the runs at 90% and at 95%; none where the real side has a single run.
    pub intervals: Option<[Bounds; 2]>,
    /// Of each position that both have: the real and the virtual speedup, and the interval of the real one
    /// over runs.
    points: Vec<Point>,
    /// Between the logarithms of the real and the virtual speedups of the positions.
    pub correlation: Option<f64>,
    /// How far the real speedups of the positions agree with themselves.
    pub reliability: Option<Reliability>,
}

/// One position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) real: f64,
    pub(super) real_ci_runs: Option<Bounds>,
    pub(super) simulated: f64,
}

impl Pair {
    /// What the chart shows: a name, a place in the list, and the points.
    pub(super) fn series(&self) -> (&str, usize, &[Point]) {
        (&self.searcher, self.index, &self.points)
    }
}

/// What was compared.
#[derive(Clone, Debug)]
pub struct Validation {
    /// One for each searcher and thread count that both directories have.
    pub pairs: Vec<Pair>,
    /// Each in words.
    pub verdicts: Vec<String>,
    /// The report.
    pub report: PathBuf,
    /// What of the real and of the simulated results could not be used.
    pub left_out: [LeftOut; 2],
}

/// Compares a results directory of real cores with one of virtual cores, and writes `validation.md`,
/// `validation.html`, `validation.csv` and charts into `out`.
///
/// # Errors
/// If a directory cannot be read, they differ in more than their cores, or nothing can be compared.
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
    let charts = super::charts::agreement(&pairs, [&measured, &predicted])?;
    let report = out.join("validation.md");
    let text = text::report(&measured, &predicted, &pairs, &charts);
    files::write(&report, text.markdown().as_bytes())?;
    files::write(&out.join("validation.html"), text.html().as_bytes())?;
    files::write(&out.join("validation.csv"), text::csv(&pairs).as_bytes())?;
    for chart in &charts {
        files::write(&out.join(format!("charts/{}.svg", chart.name)), chart.svg.as_bytes())?;
        files::write(&out.join(format!("charts/{}.png", chart.name)), &chart.png()?)?;
    }
    let verdicts = pairs.iter().map(text::verdict).collect();
    Ok(Validation { pairs, verdicts, report, left_out: [measured.left_out, predicted.left_out] })
}
