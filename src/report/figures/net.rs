//! Net speedups: to the best one-thread setting of the engine, without credit for a smaller tree.

use crate::experiment::{Competitor, Experiment, Sample, runs};
use crate::report::figures::estimate::Estimate;
use crate::report::figures::grouping::{Samples, timings};
use ttd_stats::bootstrap::REPLICATES;
use ttd_stats::{Bounds, Net, NetSpeedups, Runs, Sweep, Timing, censoring, summary};

/// The net speedups of a competitor, or the reason why there are none.
pub(crate) struct NetFigures {
    /// The base: the name of the competitor whose one-thread samples it is.
    pub(crate) base: String,
    /// The figures by thread count.
    pub(crate) rows: Vec<Option<NetRow>>,
    /// The speedups and their replicates.
    pub(crate) speedups: NetSpeedups,
}

/// The net speedup at one thread count, and the figures that it follows from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetRow {
    /// The net speedup.
    pub net: Estimate,
    /// Whether useless nodes may be among the nodes, so that net is an upper bound.
    pub at_most: bool,
    /// The speedup to depth: a geometric mean over positions.
    pub to_depth: Estimate,
    /// Nodes over nodes of the base: a geometric mean over positions.
    pub tree_ratio: Estimate,
    /// The speedup to depth times the tree ratio.
    pub uncapped: Estimate,
}

/// The reason if an engine tells no nodes.
const NO_NODES: &str = "samples without nodes";
/// The reason if there is no one-thread setting to compare with.
const NO_BASE: &str = "no samples of one thread";

/// The net speedups of a competitor.
///
/// # Errors
/// The reason why there are none.
pub(crate) fn net(
    competitor: Competitor,
    samples: &Samples,
    positions: &[String],
    experiment: &Experiment,
) -> Result<NetFigures, &'static str> {
    let name = experiment.name_of(competitor);
    let base = best_base(competitor, samples, positions, experiment).ok_or(NO_BASE)?;
    let cells = |name: &str, n: usize| -> Vec<&[Sample]> {
        positions.iter().map(|id| samples.cell(name, n, id)).collect()
    };
    let of_base = cells(&base, 1);
    let threads = samples.threads(name);
    let all = || threads.iter().flat_map(|n| cells(name, *n)).chain(of_base.iter().copied());
    let untold = |sample: &Sample| sample.timing().is_some() && sample.node_count().is_none();
    if all().flatten().any(untold) {
        return Err(NO_NODES);
    }
    let sweep = |figure: fn(&Sample) -> Option<Timing>| {
        let row = |name: &str, n| -> Vec<Runs> {
            cells(name, n).into_iter().map(|cell| runs(cell, figure)).collect()
        };
        let own = threads.iter().position(|n| *n == 1).filter(|_| base == name);
        Sweep {
            cells: threads.iter().map(|n| row(name, *n)).collect(),
            base: own.map_or_else(|| ttd_stats::Base::Other(row(&base, 1)), ttd_stats::Base::Own),
            threads: threads.clone(),
        }
    };
    let (times, nodes) = (sweep(Sample::timing), sweep(useful_nodes));
    let speedups = NetSpeedups::of(&times, &nodes, experiment.seed, REPLICATES);
    // Workers that share nothing but the table cannot tell which of their nodes were of no use.
    let tells = !experiment.searches_apart(competitor);
    let row = |(index, threads): (usize, &usize)| {
        let figure = speedups.figures[index].as_ref()?;
        let estimate = |of: fn(&Net) -> Bounds| Estimate {
            value: of(figure),
            ci_runs: speedups.by_runs.interval(index, of),
            ci_positions: speedups.by_positions.interval(index, of),
        };
        Some(NetRow {
            net: estimate(Net::net),
            at_most: *threads > 1 && !tells,
            to_depth: estimate(|of| of.speedup),
            tree_ratio: estimate(|of| of.tree_ratio),
            uncapped: estimate(Net::uncapped),
        })
    };
    let rows = times.threads.iter().enumerate().map(row).collect();
    Ok(NetFigures { base, rows, speedups })
}

/// The nodes of a sample that were of use. Aborted ones do not count, nor speculation beside the
/// tree, where the searcher tells them.
fn useful_nodes(sample: &Sample) -> Option<Timing> {
    let useless = sample.counters.map_or(0, |of| of.aborted_nodes.all() + of.speculative_nodes);
    let useful = |nodes: f64| nodes - useless as f64;
    Some(match sample.node_count()? {
        Timing::Exact(nodes) => Timing::Exact(useful(nodes)),
        Timing::AtLeast(nodes) => Timing::AtLeast(useful(nodes)),
    })
}

/// The name of the best one-thread setting of a competitor's engine. It has the least geometric
/// mean of median times, over the positions that all settings have. An engine of ours is the
/// same with another searcher, or other parameters of it, if its techniques are equal. An outside
/// engine is only itself. None without one-thread samples.
fn best_base(
    competitor: Competitor,
    samples: &Samples,
    positions: &[String],
    experiment: &Experiment,
) -> Option<String> {
    let engine = |one: Competitor| experiment.settings_of(one).map(|own| own.engine);
    let alike = |other: &Competitor| {
        *other == competitor || engine(*other).is_some_and(|of| engine(competitor) == Some(of))
    };
    let row = |one: Competitor| -> (Competitor, Vec<Option<Bounds>>) {
        let name = experiment.name_of(one);
        let median = |id: &String| censoring::median_time(&timings(samples.cell(name, 1, id)));
        (one, positions.iter().map(median).collect())
    };
    let rows: Vec<_> = (experiment.competitors().into_iter().filter(alike).map(row))
        .filter(|(_, medians)| medians.iter().any(Option::is_some))
        .collect();
    let common = |place: &usize| rows.iter().all(|(_, medians)| medians[*place].is_some());
    let common: Vec<usize> = (0..positions.len()).filter(common).collect();
    let mean = |medians: &[Option<Bounds>]| {
        let known: Vec<f64> = common.iter().filter_map(|p| Some(medians[*p]?.lower)).collect();
        summary::geometric_mean(&known).unwrap_or(f64::INFINITY)
    };
    // Of equals the competitor itself comes first, then the order of the experiment.
    let rank =
        |(one, medians): &(Competitor, Vec<Option<Bounds>>)| (mean(medians), *one != competitor);
    let before = |a: &(f64, bool), b: &(f64, bool)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let best = rows.iter().min_by(|a, b| before(&rank(a), &rank(b)))?;
    Some(experiment.name_of(best.0).to_owned())
}
