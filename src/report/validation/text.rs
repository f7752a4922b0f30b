//! A comparison in words and as CSV.

use crate::report::charts::Chart;
use crate::report::columns::{Value, columns};
use crate::report::figures::Row;
use crate::report::front::setup::programs;
use crate::report::numbers::{count, fixed, interval};
use crate::report::validation::by_depth::{self, DepthPair};
use crate::report::validation::pair::Pair;
use crate::report::{Cores, Input, Report};
use std::collections::BTreeMap;
use ttd_stats::Bounds;
use ttd_stats::reliability::Reliability;

fn three(value: f64) -> String {
    fixed(value, 3)
}

/// The whole comparison.
pub(super) fn report<'c>(
    [real, simulated]: [&Input; 2],
    (pairs, by_depth): (&[Pair], &[DepthPair]),
    charts: &'c [Chart],
) -> Report<'c> {
    let mut report = Report::new(charts);
    let experiment = &real.experiment;
    report.heading(1, "Virtual cores beside real ones");
    report.paragraph(&format!(
        "Time to depth {} from {} of the set `{}`, once on {} ({} a cell) and once on \
         virtual cores ({} a cell). The cost model was not fitted to these positions unless \
         they are the ones it was calibrated on.",
        experiment.depth,
        count(real.figures.positions.len(), "position"),
        experiment.positions,
        real.cores.words(),
        real.figures.runs_in_words(),
        simulated.figures.runs_in_words(),
    ));
    if let Cores::Dilated(factor, _) = real.cores {
        report.paragraph(&format!(
            "Time on the real side was dilated {factor} times. So the simulation divides wakes, and \
             the time for which a section keeps others out, by {factor}. The comparison is one of \
             trees, busy fractions, joins and wakes. It says nothing of contention, races and \
             caches."
        ));
    }
    let [programs, others] = [real, simulated].map(|input| programs(&input.sittings).join(" and "));
    if programs == others {
        report.paragraph(&format!("Both by {programs}."));
    } else {
        report.paragraph(&format!(
            "**By different programs**: the real side by {programs}, the virtual one by {others}. \
             Their differences are part of the comparison."
        ));
    }
    for (side, input) in [("real", real), ("virtual", simulated)] {
        if let Some(left_out) = input.left_out.sentence(&format!(" of the {side} side")) {
            report.paragraph(&left_out);
        }
    }
    report.list(pairs.iter().map(verdict));
    report.table(
        "Virtual over real geometric-mean speedup, with its intervals over runs: the samples of \
         both sides drawn anew, independently.",
        &columns().table(pairs, "searcher, threads, real, virtual, ratio, 90%, 95%"),
    );
    report.table(
        "Both sides beside each other: nodes of the tree over those of one worker, the busy \
         fraction, joins of a sample, and the geometric-mean speedup. Of each the real figure \
         stands first.",
        &side_by_side(pairs),
    );
    let sides = pairs
        .iter()
        .flat_map(|pair| [(pair, "real", &pair.real), (pair, "virtual", &pair.simulated)]);
    report.table(
        "The account on both sides, by geometric means over samples and positions. GM is the \
         geometric mean of the speedups of the positions, with the 95% ci_runs.",
        &accounts().whole_table(sides),
    );
    if !by_depth.is_empty() {
        report.table(
            "Speedups to each depth on the way, by the same samples. Where the base takes less \
             than a millisecond, a search mostly starts workers and reads clocks.",
            &by_depth::columns().whole_table(by_depth),
        );
    }
    for chart in charts {
        report.chart(&chart.name);
    }
    report.table(
        "Position by position: the correlation of the logarithms of the virtual and the real \
         speedups. Reliability is the correlation of the real ones with themselves. For it, runs \
         are divided into halves at random, and the result is carried over to all runs by Spearman \
         and Brown's formula. Its square root (ceiling) is the most that any prediction could \
         reach.",
        &columns().table(pairs, "searcher, threads, correlation, reliability, ceiling"),
    );
    if let Some(costs) = &simulated.experiment.costs {
        let section = BTreeMap::from([("virtual", costs)]);
        report.heading(2, "The cost model");
        report.code(toml::to_string(&section).unwrap_or_default().trim_end());
    }
    report
}

/// The distance from 1 that all of an interval keeps within: a percentage, rounded up.
fn near(interval: Bounds) -> String {
    let farthest = (interval.lower - 1.0).abs().max((interval.upper - 1.0).abs());
    format!("{}%", fixed((1000.0 * farthest).ceil() / 10.0, 1))
}

pub(super) fn verdict(pair: &Pair) -> String {
    let known = match &pair.intervals {
        Some([ninety, _]) => {
            let interval = interval(Some(*ninety), three);
            format!(", 90% ci_runs {interval}: within {} of 1", near(*ninety))
        }
        None => " (no interval: a cell has a single run, or a censored sample)".to_owned(),
    };
    format!(
        "**{}, {} workers**: virtual / real = {}{known}.",
        pair.searcher,
        pair.threads,
        three(pair.ratio)
    )
}

columns! {
    /// The columns of `validation.csv`.
    pub(super) fn columns<'a>(of: &'a Pair);

    /// the row
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "depth" = usize::from(of.depth);
    Whole "threads" = of.threads, as "threads";
    /// `search_overhead`, `busy_fraction`, `node_rate` and `geometric_mean` of each side's
    /// `summary.csv`
    Percent "real_search_overhead" = of.real.account.map(|a| a.search_overhead);
    Percent "real_busy_fraction" = of.real.account.and_then(|a| a.busy_fraction);
    Three "real_node_rate" = of.real.account.map(|a| a.node_rate);
    Ratio "real_geometric_mean" = of.real.geometric_mean.and_then(|e| e.value.value());
    Percent "virtual_search_overhead" = of.simulated.account.map(|a| a.search_overhead);
    Percent "virtual_busy_fraction" = of.simulated.account.and_then(|a| a.busy_fraction);
    Three "virtual_node_rate" = of.simulated.account.map(|a| a.node_rate);
    Ratio "virtual_geometric_mean" = of.simulated.geometric_mean.and_then(|e| e.value.value());
    /// joins of a sample, on either side
    Ratio "real_joins" = joins(&of.real);
    Ratio "virtual_joins" = joins(&of.simulated);
    /// virtual / real geometric-mean speedup
    Three "ratio" = of.ratio, as "virtual / real";
    Ratio "" = of.real.geometric_mean, as "real";
    Ratio "" = of.simulated.geometric_mean, as "virtual";
    /// its intervals over runs: samples of both sides drawn anew, independently. Blank if a real
    /// cell has a single sample
    Three "ratio_90" only Bare = Value::runs(of.ratio, of.intervals.map(|both| both[0]));
    Three "ratio_95" only Bare = Value::runs(of.ratio, of.intervals.map(|both| both[1]));
    Words "" = interval(of.intervals.map(|both| both[0]), three), as "90%";
    Words "" = interval(of.intervals.map(|both| both[1]), three), as "95%";
    /// over positions, of the logarithms of the real and the virtual speedup
    Ratio "correlation" = of.correlation, as "correlation";
    /// of the real speedups of the positions: the median correlation between random halves of the
    /// runs. It is carried over to all runs by Spearman and Brown's k r / (1 + (k - 1) r). Here k
    /// is the runs over those of a half (2, if they are even)
    Ratio "reliability" = of.reliability.map(|r| r.whole), as "reliability";
    /// its square root: the greatest correlation that any prediction could reach
    Ratio "ceiling" = of.reliability.and_then(Reliability::ceiling), as "ceiling";
}

columns! {
    /// The table of both sides beside each other.
    fn sides<'a>(of: &'a Pair);

    Words "" = of.searcher.as_str(), as "searcher";
    Whole "" = usize::from(of.depth), as "depth";
    Whole "" = of.threads, as "threads";
    Three "" = tree(&of.real), as "tree";
    Three "" = tree(&of.simulated), as "virtual tree";
    Three "" = of.real.account.and_then(|a| a.busy_fraction), as "busy";
    Three "" = of.simulated.account.and_then(|a| a.busy_fraction), as "virtual busy";
    Ratio "" = joins(&of.real), as "joins";
    Ratio "" = joins(&of.simulated), as "virtual joins";
    Ratio "" = of.real.geometric_mean, as "speedup";
    Ratio "" = of.simulated.geometric_mean, as "virtual speedup";
    Three "" = of.ratio, as "virtual / real";
}

/// The nodes of all workers over those of one.
fn tree(row: &Row) -> Option<f64> {
    row.account.map(|account| 1.0 + account.search_overhead)
}

/// The joins of a sample.
fn joins(row: &Row) -> Option<f64> {
    row.cooperation.map(|cooperation| cooperation.joins_per_sample(row.ok))
}

/// The table of both sides beside each other, with its header.
pub(crate) fn side_by_side(pairs: &[Pair]) -> Vec<Vec<String>> {
    sides().whole_table(pairs)
}

columns! {
    /// The table of the account on both sides: a pair, and one of its sides.
    fn accounts<'a>(of: (&'a Pair, &'a str, &'a Row));

    Words "" = of.0.searcher.as_str(), as "searcher";
    Whole "" = of.0.threads, as "threads";
    Words "" = of.1, as "cores";
    Three "" = of.2.account.map(|a| a.search_overhead), as "search overhead";
    Three "" = of.2.account.and_then(|a| a.busy_fraction), as "busy fraction";
    Three "" = of.2.account.map(|a| a.node_rate), as "node rate";
    Three "" = of.2.account.map(|a| a.speedup), as "speedup";
    Three "" = of.2.geometric_mean, as "GM";
    Words "" = interval(of.2.geometric_mean.and_then(|e| e.ci_runs), three), as "ci_runs";
}

/// The table of a documentation page that gives the meaning of the columns.
pub(crate) fn columns_page() -> String {
    columns().page()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_an_interval_is_as_near_as_is_said() {
        let near = |lower, upper| near(Bounds { lower, upper });
        assert_eq!(near(0.896, 0.980), "10.4%");
        assert_eq!(near(0.9299, 1.0), "7.1%", "never nearer than it is");
        assert_eq!(near(0.99, 1.0701), "7.1%");
        assert_eq!(near(1.0, 1.0), "0.0%");
    }
}
