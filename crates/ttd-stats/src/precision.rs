//! The precision of speedups: the width of their intervals over runs, and the number of rounds that
//! would make them narrower.

use crate::bootstrap::{self, REPLICATES};
use crate::{Bounds, Sweep};

/// The least number of rounds for an interval of a median.
pub const LEAST_ROUNDS: u32 = 6;

/// The geometric-mean speedup of one searcher and thread count, with its precision.
#[derive(Clone, Debug, PartialEq)]
pub struct Width {
    /// Name of the searcher.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// The speedup; two ends where censored samples leave it open.
    pub speedup: Bounds,
    /// The interval of the speedup over runs at 95%; none with a single sample in a cell.
    pub ci_runs: Option<Bounds>,
}

impl Width {
    /// The widths of one searcher's sweep, by thread count; none where there is no speedup. Samples
    /// are drawn anew with this seed.
    pub fn of_sweep(searcher: &str, sweep: &Sweep, seed: u64) -> Vec<Width> {
        let (speedups, all): (_, Vec<usize>) = (sweep.speedups(), (0..sweep.positions()).collect());
        let by_runs = bootstrap::resample_runs(sweep, seed, REPLICATES);
        let width = |(index, &threads)| {
            Some(Width {
                searcher: searcher.to_owned(),
                threads,
                speedup: speedups.headline(index, &all)?.geometric_mean,
                ci_runs: by_runs.interval(index, |headline| headline.geometric_mean),
            })
        };
        sweep.threads.iter().enumerate().filter_map(width).collect()
    }

    /// The whole width of the interval, divided by the speedup. Infinite if either is open, or
    /// without an interval.
    pub fn relative(&self) -> f64 {
        let relative = self
            .speedup
            .value()
            .zip(self.ci_runs)
            .map(|(speedup, runs)| (runs.upper - runs.lower) / speedup);
        relative.filter(|width| width.is_finite()).unwrap_or(f64::INFINITY)
    }
}

/// The widths of all speedups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Precision {
    /// The number of rounds, unfinished ones included.
    pub rounds: u32,
    /// The widths by searcher, then thread count. A base that serves other searchers has none, nor
    /// has a cell without a speedup.
    pub widths: Vec<Width>,
}

impl Precision {
    /// The speedup with the widest interval; none if there are none.
    pub fn widest(&self) -> Option<&Width> {
        self.widths.iter().max_by(|a, b| a.relative().total_cmp(&b.relative()))
    }

    /// Whether every interval is narrower than this share of its speedup.
    pub fn is_narrower(&self, wanted: f64) -> bool {
        self.widest().is_none_or(|widest| widest.relative() < wanted)
    }

    /// The estimated number of rounds at which this interval has a relative width of `wanted`. A
    /// width falls with the root of the number. None if the width is open, or if there are fewer
    /// rounds than [`LEAST_ROUNDS`].
    pub fn rounds_for(&self, wanted: f64, width: &Width) -> Option<u64> {
        let times = (width.relative() / wanted).powi(2);
        let known = times.is_finite() && self.rounds >= LEAST_ROUNDS;
        // With fewer than two rounds there is no interval.
        known.then(|| ((f64::from(self.rounds) * times).ceil() as u64).max(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(lower: f64, upper: f64) -> Width {
        let ci_runs = Some(Bounds { lower, upper });
        Width { searcher: "ybwc".to_owned(), threads: 2, speedup: Bounds::exact(2.0), ci_runs }
    }

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn widths_are_whole_and_relative() {
        near(width(1.9, 2.1).relative(), 0.1);
        assert!(width(0.0, f64::INFINITY).relative().is_infinite());
        let none = Width { ci_runs: None, ..width(1.9, 2.1) };
        let open = Width { speedup: Bounds { lower: 0.0, upper: 2.0 }, ..width(0.0, 2.0) };
        assert!(none.relative().is_infinite() && open.relative().is_infinite());
    }

    #[test]
    fn a_quarter_of_the_width_takes_sixteen_times_the_rounds() {
        let precision = |rounds| Precision { rounds, widths: Vec::new() };
        let takes = |rounds, wanted| precision(rounds).rounds_for(wanted, &width(1.75, 2.25));
        assert_eq!(takes(8, 0.125), Some(32));
        assert_eq!(takes(8, 0.0625), Some(128));
        assert_eq!(takes(8, 10.0), Some(2), "never fewer");
        assert_eq!(takes(5, 0.125), None, "too few rounds to say");
        let open = width(0.0, f64::INFINITY);
        assert_eq!(precision(8).rounds_for(0.05, &open), None);
    }

    #[test]
    fn the_widest_decides() {
        let precision = Precision { rounds: 6, widths: vec![width(1.9, 2.1), width(1.99, 2.01)] };
        assert!(precision.is_narrower(0.11) && !precision.is_narrower(0.09));
        assert!(Precision::default().is_narrower(0.01), "there is nothing to wait for");
    }
}
