//! The columns of `summary.csv` and `speedups.csv`, which several topics show.

use crate::report::columns::{Value, columns};
use crate::report::figures::{Cell, Figures, Row, SearcherFigures};
use crate::report::numbers::{bounds, known, ratio, words_if};
use ttd_search::cores::State;
use ttd_stats::{Account, Bounds};

/// One thread count of a searcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// The searcher's name.
    pub(crate) searcher: &'a str,
    /// The name of the base of its net speedups; empty without any.
    pub(crate) net_base: &'a str,
    /// Its figures.
    pub(crate) row: &'a Row,
}

/// One cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellLine<'a> {
    /// The searcher's name.
    pub(crate) searcher: &'a str,
    /// Its number of workers.
    pub(crate) threads: usize,
    /// The figures.
    pub(crate) cell: &'a Cell,
}

/// Every thread count that has samples.
pub(crate) fn lines(figures: &Figures) -> impl Iterator<Item = Line<'_>> {
    figures.searchers.iter().flat_map(lines_of)
}

/// Every thread count of a searcher.
pub(crate) fn lines_of(of: &SearcherFigures) -> impl Iterator<Item = Line<'_>> {
    let net_base = of.net_base.as_deref().unwrap_or_default();
    of.rows.iter().map(move |row| Line { searcher: &of.searcher, net_base, row })
}

/// Every thread count but a searcher's own base.
pub(crate) fn beside_base(figures: &Figures) -> impl Iterator<Item = Line<'_>> {
    let is_base = |row: &Row| row.median.is_some_and(|m| m.value == Bounds::exact(1.0));
    lines(figures).filter(move |line| line.row.threads > 1 || !is_base(line.row))
}

/// Every cell that has samples.
pub(crate) fn cells(figures: &Figures) -> impl Iterator<Item = CellLine<'_>> {
    let measured = |CellLine { cell, .. }: &CellLine<'_>| cell.ok + cell.censored + cell.failed > 0;
    figures.searchers.iter().flat_map(cells_of).filter(measured)
}

/// Every cell of a searcher, also those without samples.
pub(crate) fn cells_of(of: &SearcherFigures) -> impl Iterator<Item = CellLine<'_>> {
    let rows = of.rows.iter().zip(&of.cells);
    rows.flat_map(move |(row, cells)| {
        let (searcher, threads) = (of.searcher.as_str(), row.threads);
        cells.iter().map(move |cell| CellLine { searcher, threads, cell })
    })
}

/// The speedups of every cell of a searcher that has one, as the data of a chart.
pub(crate) fn known_speedups(of: &SearcherFigures) -> String {
    let known = cells_of(of).filter(|line| line.cell.speedup.is_some());
    speedups().only("searcher, threads, position, speedup").bare().file(known).csv()
}

/// A number of threads, marked where it is oversubscribed.
pub(crate) fn starred(threads: usize, oversubscribed: bool) -> String {
    format!("{threads}{}", if oversubscribed { "*" } else { "" })
}

impl Line<'_> {
    fn account(&self, factor: impl Fn(&Account) -> f64) -> Option<f64> {
        self.row.account.as_ref().map(factor)
    }

    fn quantile(&self, index: usize) -> Option<Bounds> {
        self.row.quantiles.map(|all| all[index])
    }

    /// The net speedup as text, with the sign of an upper bound.
    fn net_in_words(&self) -> String {
        known(self.row.net, |net| {
            format!("{}{}", words_if(net.at_most, "≤ "), bounds(Some(net.net.value), ratio))
        })
    }

    fn state(&self, state: State) -> Option<f64> {
        self.row.states.map(|shares| shares[state as usize])
    }
}

columns! {
    /// The columns of `summary.csv`.
    pub(crate) fn summary<'a>(of: Line<'a>);

    /// the row
    Words "searcher" = of.searcher, as "searcher";
    Whole "threads" = of.row.threads, as "threads", shown starred(of.row.threads, of.row.oversubscribed);
    /// `yes` if there are more threads than cores that the process could use (the least of all
    /// sittings), or than `processors` of `[virtual]`. Otherwise virtual cores are enough
    Flag "oversubscribed" = of.row.oversubscribed;
    /// positions that have a speedup
    Whole "positions" = of.row.positions, as "positions", tex "Positions";
    /// geometric mean of the speedups to depth x min(1, `tree_ratio`), both relative to `net_base`.
    /// Blank, like the next columns, where samples tell no nodes, or without one-thread samples
    Ratio "net_speedup" + Both = of.row.net.map(|net| net.net), as "net speedup", tex "NetSpeedup",
        shown of.net_in_words();
    /// `yes` if useless nodes may be among the nodes. They may with several workers that share
    /// nothing but the table, and with several threads of an outside engine
    Flag "net_at_most" = of.row.net.map_or("", |net| if net.at_most { "yes" } else { "no" });
    /// the competitor whose samples of one thread are the base. Of all with equal techniques it has
    /// the least geometric mean of median times; of equal means a competitor's own is taken.
    /// Settings with a competitor's own median nodes are its own search, and left out. Outside
    /// engines have themselves
    Words "net_base" = of.net_base;
    /// geometric mean over positions of the speedups to depth, relative to `net_base`
    Ratio "speedup_to_depth" + Both = of.row.net.map(|net| net.to_depth), as "to depth", tex "SpeedupToDepth";
    /// geometric mean over positions of median nodes over median nodes of the base. Aborted nodes
    /// and nodes of speculation do not count
    Three "tree_ratio" + Both = of.row.net.map(|net| net.tree_ratio), as "tree ratio", tex "TreeRatio";
    /// `speedup_to_depth` x `tree_ratio`
    Ratio "uncapped_speedup" + Both = of.row.net.map(|net| net.uncapped), as "uncapped", tex "UncappedSpeedup";
    Ratio "" + Both = of.row.net.map(|net| net.net.map(|s| s / of.row.threads as f64)), as "net efficiency", tex "NetEfficiency";
    /// samples of all positions, as in `speedups.csv`
    Whole "n" = of.row.ok + of.row.censored, as "samples", tex "Samples";
    Whole "censored" = of.row.censored, as "censored", tex "Censored";
    Whole "failed" = of.row.failed, tex "Failed";
    /// median over positions of the base's median time
    Seconds "base_median_s" = of.row.base_s, as "base (s)", tex "BaseTime";
    /// median over positions of the cells' median time
    Seconds "median_s" = of.row.time_s, as "time (s)", tex "Time";
    /// of the speedup over positions; quartiles by linear interpolation
    Ratio "speedup_min" = of.quantile(0), as "min", tex "LeastSpeedup";
    Ratio "speedup_q1" = of.quantile(1), as "q1", tex "LowerQuartile";
    Ratio "speedup_median" = Value::with(of.quantile(2), Value::from(of.row.median).over()), as "median";
    Ratio "speedup_q3" = of.quantile(3), as "q3", tex "UpperQuartile";
    Ratio "speedup_max" = of.quantile(4), as "max", tex "GreatestSpeedup";
    Ratio "speedup_median" only Both = of.row.median, tex "Speedup";
    /// of the speedup over positions
    Ratio "geometric_mean" + Both = of.row.geometric_mean, as "GM", tex "GeometricMean";
    /// sum of the base's median times / sum of the cells' median times
    Ratio "total_time_ratio" + Both = of.row.total_time_ratio, as "total", tex "TotalTimeRatio";
    /// `speedup_median` / `threads`
    Ratio "efficiency" + Both = of.row.efficiency, as "efficiency", tex "Efficiency";
    /// median over positions of `sd_s` and of `mad_s` in `speedups.csv`
    Seconds "sd_s" = of.row.sd_s, as "SD (s)", tex "StandardDeviation";
    Seconds "mad_s" = of.row.mad_s, as "MAD (s)", tex "AbsoluteDeviation";
    /// over positions, of `deviation_from_median_s` in `speedups.csv`
    Seconds "deviation_min_s" = of.row.deviations_s.map(|d| d.min), as "min", tex "LeastDeviation";
    Seconds "deviation_q1_s" = of.row.deviations_s.map(|d| d.q1), as "q1", tex "LowerDeviation";
    Seconds "deviation_median_s" = of.row.deviations_s.map(|d| d.median), as "median", tex "Deviation";
    Seconds "deviation_q3_s" = of.row.deviations_s.map(|d| d.q3), as "q3", tex "UpperDeviation";
    Seconds "deviation_max_s" = of.row.deviations_s.map(|d| d.max), as "max", tex "GreatestDeviation";
    /// positions that have an account
    Whole "account_positions" = of.row.account_positions, as "positions";
    /// the account, each factor (1 + search overhead) by its geometric mean over these positions;
    /// they multiply to `account_speedup`
    Percent "search_overhead" = of.account(|a| a.search_overhead), as "search overhead", tex "SearchOverhead" Three;
    Percent "busy_fraction" = of.row.account.and_then(|a| a.busy_fraction), as "busy fraction", tex "BusyFraction" Three;
    Three "node_rate" = of.account(|a| a.node_rate), as "node rate", tex "NodeRate";
    Ratio "account_speedup" = of.account(|a| a.speedup), as "account speedup", tex "AccountSpeedup";
    Ratio "" = of.account(|a| a.speedup / a.threads), as "efficiency (GM)";
    /// `account_speedup` / `speedup_median`; 1 for the base itself. Else blank unless every
    /// position has an account, or where `speedup_median` only has bounds
    Three "account_to_median" = of.row.account_to_median(), as "GM / median";
    /// shares of the workers' time in each state: means over samples, then over the positions that
    /// have an account
    Tenths "search_share" = of.state(State::Search), as "search";
    Tenths "split_share" = of.state(State::Split), as "split";
    Tenths "lock_share" = of.state(State::Lock), as "lock";
    Tenths "wait_helpers_share" = of.state(State::WaitHelpers), as "wait-helpers";
    Tenths "wait_work_share" = of.state(State::WaitWork), as "wait-work";
    Tenths "reduce_share" = of.state(State::Reduce), as "reduce";
    Tenths "finished_share" = of.state(State::Finished), as "finished";
    /// N (S-1) / ((N-1) S) with S = `speedup_median`; blank for one thread
    Three "amdahl_p" + Both = of.row.parallel_share, as "p", tex "AmdahlShare";
    /// 1 / (1 - p); blank for p >= 1. Where censored samples leave p open, a p that may be 1 has
    /// no upper end: `inf`
    Ratio "amdahl_limit" = of.row.amdahl_limit(), as "limit (extrapolated)", tex "AmdahlLimit";
    /// (1/S - 1/N) / (1 - 1/N)
    Three "karp_flatt" = of.row.karp_flatt(), as "e", tex "KarpFlatt";
    /// the share of each speedup that is left if every further worker that searches makes all nodes
    /// 10 thousandths dearer ([virtual-machine.md](virtual-machine.md#the-band-of-a-speedup)).
    /// Blank on real cores, and on one thread
    Three "slowed" = of.row.slowed, as "slowed";
    /// the greatest share of the table's entries that a sample wrote
    Percent "table_fill_max" = of.row.table_fill;
}

columns! {
    /// The columns of `speedups.csv`.
    pub(crate) fn speedups<'a>(of: CellLine<'a>);

    /// the cell
    Words "searcher" = of.searcher;
    Whole "threads" = of.threads;
    Words "position" = of.cell.position.as_str();
    /// samples with a time: those that reached the depth and those that were censored
    Whole "n" = of.cell.ok + of.cell.censored;
    /// of these, stopped by the time limit
    Whole "censored" = of.cell.censored;
    /// samples that failed
    Whole "failed" = of.cell.failed;
    /// median time to depth; of an even number the mean of the middle two
    Seconds "median_s" = of.cell.median_s;
    /// order statistics that enclose the median with at least 95% confidence, whatever the
    /// distribution; from 6 samples
    Seconds "median" only CiSeconds = Value::runs(of.cell.median_s, of.cell.median_interval_s);
    /// standard deviation of the times (n-1); blank with a censored sample
    Seconds "sd_s" = of.cell.sd_s;
    /// root mean square distance of the times from their median; blank as above
    Seconds "deviation_from_median_s" = of.cell.deviation_s;
    /// median distance of the times from their median, unscaled; blank as above
    Seconds "mad_s" = of.cell.mad_s;
    /// median time of the base / median time of the cell; 1 for the base itself
    Ratio "speedup" + Runs = Value::runs(of.cell.speedup, of.cell.speedup_ci_runs);
    /// n_N / n_1 - 1, n being the geometric mean of the nodes of the samples. Blank, like the next
    /// four, if the cell or its base has a censored sample
    Percent "search_overhead" = of.cell.account.map(|a| a.search_overhead);
    /// B_N / (N T_N), B and T being the geometric means of worker time in state `search` and of
    /// time to depth
    Percent "busy_fraction" = of.cell.account.and_then(|a| a.busy_fraction);
    /// (n_N / B_N) / (n_1 / T_1)
    Three "node_rate" = of.cell.account.map(|a| a.node_rate);
    /// T_1 / T_N = N / (1 + search overhead) x busy fraction x node rate
    Ratio "account_speedup" = of.cell.account.map(|a| a.speedup);
    /// `account_speedup` / `speedup`; 1 for the base itself
    Three "account_to_median" = of.cell.account_to_median();
}
