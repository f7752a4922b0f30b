//! The figures of a cell, and of a thread count over positions.

use crate::report::figures::cooperation::Cooperation;
use crate::report::figures::detail::Detail;
use crate::report::figures::estimate::Estimate;
use crate::report::figures::net::NetRow;
use ttd_search::cores::State;
use ttd_stats::summary::FiveNumbers;
use ttd_stats::{Account, Bounds, fits};

/// The figures of one cell: a row of `speedups.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Id of the position.
    pub position: String,
    /// The number of samples that reached the depth.
    pub ok: usize,
    /// The number of samples that the time limit stopped.
    pub censored: usize,
    /// The number of samples that failed.
    pub failed: usize,
    /// Median time in seconds.
    pub median_s: Option<Bounds>,
    /// The interval of the median at 95% or more, by order statistics; none with fewer than 6
    /// samples.
    pub median_interval_s: Option<Bounds>,
    /// Standard deviation (n-1) in seconds; none with a censored sample or fewer than 2.
    pub sd_s: Option<f64>,
    /// Root mean square distance from the median in seconds; none as above.
    pub deviation_s: Option<f64>,
    /// Median distance from the median in seconds; none as above.
    pub mad_s: Option<f64>,
    /// Median time of the base over the median time of the cell.
    pub speedup: Option<Bounds>,
    /// The interval of the speedup when both cells' samples are drawn anew.
    pub speedup_ci_runs: Option<Bounds>,
    /// The account of the lost speedup; none with a censored sample.
    pub account: Option<Account>,
    /// Whether the cell is its own base: every speedup of it is 1, with censored samples too.
    pub is_base: bool,
}

/// The figures of one thread count over positions: a row of `summary.csv`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Number of workers.
    pub threads: usize,
    /// Whether the row is its own base.
    pub is_base: bool,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// The number of positions that have a speedup.
    pub positions: usize,
    /// The number of samples that reached the depth.
    pub ok: usize,
    /// The number of samples that the time limit stopped.
    pub censored: usize,
    /// The number of samples that failed.
    pub failed: usize,
    /// Median over positions of the base's median time, in seconds.
    pub base_s: Option<Bounds>,
    /// Median over positions of the cells' median time, in seconds.
    pub time_s: Option<Bounds>,
    /// The net speedup, and the figures that it follows from.
    pub net: Option<NetRow>,
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
    /// The deviation of each cell from its median, in seconds: five numbers over positions.
    pub deviations_s: Option<FiveNumbers>,
    /// The account of the lost speedup, by geometric means over positions.
    pub account: Option<Account>,
    /// The number of positions that have an account.
    pub account_positions: usize,
    /// Shares of the workers' time in each state, in the order of [`State::ALL`]: the means over
    /// the positions with an account.
    pub states: Option<[f64; State::COUNT]>,
    /// The share of its speedups that is left if nodes cost more. Rows on real cores have none.
    pub slowed: Option<f64>,
    /// Splits, joins, aborted and doubled work; none for one thread.
    pub cooperation: Option<Cooperation>,
    /// The figures of single workers, and of the table by depth; none if the experiment did not ask
    /// for them.
    pub detail: Option<Detail>,
    /// The greatest share of the table that a sample filled, 0 to 1.
    pub table_fill: f64,
    /// The parallel share that the median speedup implies by Amdahl's law; none for one thread.
    pub parallel_share: Option<Estimate>,
}

/// The rise of all nodes' price for each further worker that searches, at the far end of the band
/// of a simulation's speedups: thousandths.
pub(crate) const BAND_PERMILLE: u64 = 10;

/// The share of a speedup that is left if nodes become dearer. Each further worker that searches
/// adds [`BAND_PERMILLE`] thousandths to the `known` ones.
///
/// A moment at which k workers search becomes 1 + (k - 1) s times as long. Over a search the mean
/// of k is N x the busy fraction of its account. Nothing else is taken to change: not the tree, and
/// not who waits for whom. `docs/virtual-machine.md` compares that with simulations.
pub(crate) fn slowed(account: &Account, known: u64) -> Option<f64> {
    let others = (account.threads * account.busy_fraction? - 1.0).max(0.0);
    let longer = |permille: u64| 1.0 + others * permille as f64 / 1000.0;
    Some(longer(known) / longer(known + BAND_PERMILLE))
}

impl Row {
    /// The account's speedup over the median speedup; none unless every position has an account. It
    /// is 1 for the base.
    pub fn account_to_median(&self) -> Option<f64> {
        if self.is_base {
            return Some(1.0);
        }
        if self.account_positions != self.positions {
            return None;
        }
        Some(self.account?.speedup / self.median?.value.value()?)
    }

    /// Amdahl's limit from the median speedup; none for one thread, and where the parallel share is
    /// 1 or more.
    pub fn amdahl_limit(&self) -> Option<Bounds> {
        let Bounds { lower, upper } = self.parallel_share?.value;
        let lower = fits::amdahl_limit(lower)?;
        // A share that may be 1 leaves the limit open.
        let upper = fits::amdahl_limit(upper).unwrap_or(f64::INFINITY);
        Some(Bounds { lower, upper })
    }

    /// The serial share that Karp and Flatt (1990) determine from one speedup, here the median:
    /// `(1/S - 1/n) / (1 - 1/n)`. Where it grows with n, overhead grows with the threads. None for
    /// one thread.
    pub fn karp_flatt(&self) -> Option<Bounds> {
        // It is 1 - p: the greater p, the smaller it is.
        let Bounds { lower, upper } = self.parallel_share?.value;
        Some(Bounds { lower: 1.0 - upper, upper: 1.0 - lower })
    }
}

impl Cell {
    /// The account's geometric-mean speedup over the speedup from medians. It is 1 for the base.
    pub fn account_to_median(&self) -> Option<f64> {
        if self.is_base {
            return self.speedup.map(|_| 1.0);
        }
        Some(self.account?.speedup / self.speedup?.value()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use ttd_search::cores::{CostModel, State, Time};
    use ttd_search::engine::Techniques;
    use ttd_search::positions;
    use ttd_search::searchers::{Lab, Outcome, Searcher, Settings, Task};
    use ttd_stats::summary::geometric_mean;

    /// One search of each position, with this slowdown.
    fn searched(searcher: &str, threads: usize, slowdown_permille: u64) -> Vec<Outcome> {
        let model = CostModel { slowdown_permille, ..CostModel::default() };
        let lab = Lab::new(4, Techniques::default(), Settings::default()).expect("memory");
        let mut lab = lab.on_virtual_cores(model.into(), None);
        let set = positions::load("bratko-kopec").expect("a built-in set");
        let mut one = |root| {
            let task =
                Task { searcher: Searcher::named(searcher), threads, ..Task::to_depth(root, 9) };
            lab.clear();
            lab.search(&task, &AtomicBool::new(false))
        };
        set.iter().map(|position| one(position.position())).collect()
    }

    /// The share of the speedup that is left, as simulated and as computed from the account. Trees
    /// differ, so that times are those of a node.
    fn shares(searcher: &str, threads: usize) -> (f64, f64) {
        let [plain, dearer] = [0, BAND_PERMILLE].map(|of| searched(searcher, threads, of));
        let time = |of: &Outcome| of.time.as_secs_f64() / of.counters().nodes as f64;
        let ratios: Vec<f64> =
            plain.iter().zip(&dearer).map(|(plain, dearer)| time(plain) / time(dearer)).collect();
        let busy = |of: &Outcome| {
            let search: Time =
                of.workers.iter().map(|worker| worker.states[State::Search as usize]).sum();
            search.as_secs_f64() / (threads as f64 * of.time.as_secs_f64())
        };
        let busy = geometric_mean(&plain.iter().map(busy).collect::<Vec<_>>());
        let account = Account {
            threads: threads as f64,
            search_overhead: 0.0,
            busy_fraction: busy,
            node_rate: 1.0,
            speedup: 1.0,
        };
        let simulated = geometric_mean(&ratios).expect("times");
        (simulated, slowed(&account, 0).expect("it is busy"))
    }

    #[test]
    fn the_band_is_what_simulations_with_dearer_nodes_find() {
        for threads in [4, 16] {
            let (simulated, computed) = shares("lazy-smp", threads);
            let ratio = computed / simulated;
            assert!((0.97..1.03).contains(&ratio), "{threads}: {simulated} and {computed}");
        }
    }

    #[test]
    fn a_known_slowdown_is_not_counted_twice() {
        let account = Account {
            threads: 11.0,
            search_overhead: 0.0,
            busy_fraction: Some(1.0),
            node_rate: 1.0,
            speedup: 1.0,
        };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(slowed(&account, 0).expect("busy"), 1.0 / 1.1));
        assert!(near(slowed(&account, 100).expect("busy"), 2.0 / 2.1));
        let alone = Account { threads: 1.0, ..account };
        assert!(near(slowed(&alone, 0).expect("busy"), 1.0));
        assert_eq!(slowed(&Account { busy_fraction: None, ..account }, 0), None);
    }
}
