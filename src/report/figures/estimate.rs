//! A figure and its intervals.

use ttd_stats::Bounds;
use ttd_stats::ratios::Ratio;

/// A figure with both of its intervals, each at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure; two ends where censored samples leave it open.
    pub value: Bounds,
    /// The interval when the positions stay and their samples are drawn anew: how well was it
    /// measured? None if a cell has a single sample.
    pub ci_runs: Option<Bounds>,
    /// The interval when positions are drawn anew: what would other positions give? None with a
    /// single position.
    pub ci_positions: Option<Bounds>,
}

impl From<Ratio> for Estimate {
    fn from(ratio: Ratio) -> Estimate {
        let Ratio { value, ci_runs, ci_positions, .. } = ratio;
        Estimate { value, ci_runs, ci_positions }
    }
}

impl Estimate {
    /// Applies an increasing function to the figure and its intervals.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            value: self.value.map(&increasing),
            ci_runs: self.ci_runs.map(|b| b.map(&increasing)),
            ci_positions: self.ci_positions.map(|b| b.map(&increasing)),
        }
    }
}

/// The intervals of a figure, each at 95%.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intervals {
    /// The interval when the positions stay and their samples are drawn anew.
    pub runs: Option<Bounds>,
    /// The interval when positions are drawn anew.
    pub positions: Option<Bounds>,
}
