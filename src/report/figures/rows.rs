//! What is known of a cell, and of a thread count over positions.

use crate::report::figures::detail::Detail;
use crate::report::figures::estimate::Estimate;
use crate::report::figures::waste::Waste;
use ttd_search::cores::State;
use ttd_stats::summary::FiveNumbers;
use ttd_stats::{Account, Bounds, fits};

/// The figures of one cell: a row of `speedups.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Id of the position.
    pub position: String,
    /// How many samples reached the depth.
    pub ok: usize,
    /// How many were stopped by the time limit.
    pub censored: usize,
    /// How many failed.
    pub failed: usize,
    /// Median time in seconds.
    pub median_s: Option<Bounds>,
    /// Order-statistic interval of the median at 95% or more; from 6 samples.
    pub median_interval_s: Option<Bounds>,
    /// Standard deviation (n-1) in seconds; none with a censored sample or fewer than 2.
    pub sd_s: Option<f64>,
    /// Root mean square distance from the median in seconds; none as above.
    pub deviation_s: Option<f64>,
    /// Median distance from the median in seconds; none as above.
    pub mad_s: Option<f64>,
    /// Median time of the base over the median time of the cell.
    pub speedup: Option<Bounds>,
    /// Interval of the speedup by resampling both cells' samples.
    pub speedup_ci_runs: Option<Bounds>,
    /// Where the lost speedup went; none with a censored sample.
    pub account: Option<Account>,
}

/// The figures of one thread count over positions: a row of `summary.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of workers.
    pub threads: usize,
    /// Whether that is more than the cores that the process could use.
    pub oversubscribed: bool,
    /// How many positions have a speedup.
    pub positions: usize,
    /// How many samples reached the depth.
    pub ok: usize,
    /// How many were stopped by the time limit.
    pub censored: usize,
    /// How many failed.
    pub failed: usize,
    /// Median over positions of the base's median time, in seconds.
    pub base_s: Option<Bounds>,
    /// Median over positions of the cells' median time, in seconds.
    pub time_s: Option<Bounds>,
    /// Least, quartiles and greatest of the speedup over positions.
    pub quantiles: Option<[Bounds; 5]>,
    /// Median of the speedup over positions.
    pub median: Option<Estimate>,
    /// Geometric mean of the speedup over positions.
    pub geometric_mean: Option<Estimate>,
    /// Total time of the base over total time of the cells.
    pub total_time_ratio: Option<Estimate>,
    /// Median speedup over threads.
    pub efficiency: Option<Estimate>,
    /// Median over positions of the cells' standard deviation, in seconds.
    pub sd_s: Option<f64>,
    /// Median over positions of the cells' median absolute deviation, in seconds.
    pub mad_s: Option<f64>,
    /// Over positions, of the cells' deviation from their median, in seconds.
    pub deviations_s: Option<FiveNumbers>,
    /// Where the lost speedup went, by geometric means over positions.
    pub account: Option<Account>,
    /// How many positions have an account.
    pub account_positions: usize,
    /// Share of the workers' time in each state, in the order of [`State::ALL`]: means over positions
    /// with an account.
    pub states: Option<[f64; State::COUNT]>,
    /// What the workers' cooperation came to; none for one thread.
    pub waste: Option<Waste>,
    /// What each worker did, and what the table knew by depth; none if it was not to be kept.
    pub detail: Option<Detail>,
    /// Greatest share of the table filled by a sample, 0 to 1.
    pub table_fill: f64,
    /// Amdahl's parallel share that the median speedup implies; none for one thread.
    pub parallel_share: Option<Estimate>,
}

impl Row {
    /// The account's speedup over the median speedup; none unless every position has an account.
    pub fn account_to_median(&self) -> Option<f64> {
        if self.account_positions != self.positions {
            return None;
        }
        Some(self.account?.speedup / self.median?.value.value()?)
    }

    /// Amdahl's limit from the median speedup; none for one thread and p >= 1.
    pub fn amdahl_limit(&self) -> Option<f64> {
        fits::amdahl_limit(self.parallel_share?.value.value()?)
    }

    /// Karp and Flatt's serial share from the median speedup; none for one thread.
    pub fn karp_flatt(&self) -> Option<f64> {
        fits::karp_flatt(self.threads, self.median?.value.value()?)
    }
}

impl Cell {
    /// The account's geometric-mean speedup over the speedup from medians.
    pub fn account_to_median(&self) -> Option<f64> {
        Some(self.account?.speedup / self.speedup?.value()?)
    }
}
