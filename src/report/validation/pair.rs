//! Both sides of a comparison, and the reasons why there is none.

use crate::records::ResultsError;
use crate::report::charts::ChartError;
use crate::report::figures::Row;
use crate::report::numbers::{ratio, with_interval};
use ttd_stats::Bounds;
use ttd_stats::reliability::Reliability;

/// The reason why two directories cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum ValidationError {
    /// A directory cannot be read, or the comparison not be written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// The directories are not of the expected kind, or do not fit together.
    #[error("{0}")]
    Unlike(String),
}

/// Both sides of one searcher and thread count.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Name of the searcher.
    pub searcher: String,
    /// Its place in the experiment's list.
    pub(super) index: usize,
    /// The depth, plies.
    pub depth: u8,
    /// Number of workers; above 1, and not more than the real machine has cores.
    pub threads: usize,
    /// The figures on real cores.
    pub real: Row,
    /// The figures on virtual cores.
    pub simulated: Row,
    /// Virtual over real geometric-mean speedup.
    pub ratio: f64,
    /// The interval of `ratio` over the runs at 90% and at 95%; none where the real side has a
    /// single run.
    pub intervals: Option<[Bounds; 2]>,
    /// The positions that both have: the real and the virtual speedup, and the interval of the real
    /// one over runs.
    pub(super) points: Vec<Point>,
    /// The correlation between the logarithms of the real and the virtual speedups of the
    /// positions.
    pub correlation: Option<f64>,
    /// The agreement of the real speedups of the positions with themselves.
    pub reliability: Option<Reliability>,
}

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) position: String,
    pub(super) real: f64,
    pub(super) real_ci_runs: Option<Bounds>,
    pub(super) simulated: f64,
}

impl Point {
    /// The position and its speedups in words.
    pub(super) fn in_words(&self) -> String {
        let real = with_interval(ratio(self.real), self.real_ci_runs, ratio);
        format!("{}: real {real}, virtual {}", self.position, ratio(self.simulated))
    }
}

impl Pair {
    /// The series of a chart: a name, a place in the list, and the points.
    pub(super) fn series(&self) -> (&str, usize, &[Point]) {
        (&self.searcher, self.index, &self.points)
    }
}
