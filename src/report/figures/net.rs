//! Net speedups: to the best one-thread setting of the engine, without credit for a smaller tree.

use crate::experiment::{Competitor, Experiment, Sample, runs};
use crate::report::figures::estimate::Estimate;
use crate::report::figures::grouping::Samples;
use ttd_stats::bootstrap::REPLICATES;
use ttd_stats::{Base, Bounds, Net, NetSpeedups, Runs, Sweep, Timing, censoring, summary};

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
    let base = best_base(competitor, samples, positions, experiment).ok_or(NO_BASE)?;
    let cells = Cells { samples, positions, name: experiment.name_of(competitor), base: &base };
    if cells.all().any(tells_no_nodes) {
        return Err(NO_NODES);
    }
    let (times, nodes) = (cells.sweep(Sample::timing), cells.sweep(useful_nodes));
    let speedups = NetSpeedups::of(&times, &nodes, experiment.seed, REPLICATES);
    // Workers that share nothing but the table cannot tell which of their nodes were of no use.
    let tells = experiment.tells_useless_nodes(competitor);
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

/// The samples of a competitor, and those of its base.
struct Cells<'a> {
    samples: &'a Samples,
    positions: &'a [String],
    name: &'a str,
    base: &'a str,
}

impl<'a> Cells<'a> {
    /// The cells of a competitor at a thread count, by position.
    fn row(&self, name: &str, threads: usize) -> impl Iterator<Item = &'a [Sample]> {
        self.positions.iter().map(move |id| self.samples.cell(name, threads, id))
    }

    fn threads(&self) -> Vec<usize> {
        self.samples.threads(self.name)
    }

    fn all(&self) -> impl Iterator<Item = &'a Sample> {
        let own = self.threads().into_iter().flat_map(|n| self.row(self.name, n));
        own.chain(self.row(self.base, 1)).flatten()
    }

    /// A figure of the competitor's samples and of the base's.
    fn sweep(&self, figure: fn(&Sample) -> Option<Timing>) -> Sweep {
        let row = |name: &str, n| -> Vec<Runs> {
            self.row(name, n).map(|cell| runs(cell, figure)).collect()
        };
        let threads = self.threads();
        let own = threads.iter().position(|n| *n == 1).filter(|_| self.base == self.name);
        Sweep {
            cells: threads.iter().map(|n| row(self.name, *n)).collect(),
            base: own.map_or_else(|| Base::Other(row(self.base, 1)), Base::Own),
            threads,
        }
    }
}

fn tells_no_nodes(sample: &Sample) -> bool {
    sample.timing().is_some() && sample.node_count().is_none()
}

/// The nodes of a sample that were of use. Aborted ones do not count, nor speculation beside the
/// tree, where the searcher tells them.
pub(crate) fn useful_nodes(sample: &Sample) -> Option<Timing> {
    let useless = sample.counters.map_or(0, |of| of.aborted_nodes.all() + of.speculative_nodes);
    let useful = |nodes: f64| nodes - useless as f64;
    Some(match sample.node_count()? {
        Timing::Exact(nodes) => Timing::Exact(useful(nodes)),
        Timing::AtLeast(nodes) => Timing::AtLeast(useful(nodes)),
    })
}

/// The name of the best one-thread setting of a competitor's engine. It has the least geometric
/// mean of median times, over the positions that all settings have. None without one-thread
/// samples.
///
/// An engine of ours is the same with another searcher, or other parameters of it, if its
/// techniques are equal. An outside engine is only itself. A setting with the nodes of the
/// competitor itself is the same search: only noise tells their times apart, and it is left out.
pub(super) fn best_base(
    competitor: Competitor,
    samples: &Samples,
    positions: &[String],
    experiment: &Experiment,
) -> Option<String> {
    let engine = |one: Competitor| experiment.settings_of(one).map(|own| own.engine);
    let alike =
        |other: &Competitor| engine(*other).is_some_and(|of| engine(competitor) == Some(of));
    let setting = |one: Competitor| Setting::of(experiment.name_of(one), samples, positions);
    let own = setting(competitor);
    let others = (experiment.competitors().into_iter())
        .filter(|other| *other != competitor && alike(other))
        .filter_map(setting)
        .filter(|other| own.as_ref().is_none_or(|own| !own.is_same_search(other)));
    // Of equals the competitor itself comes first, then the order of the experiment.
    let settings: Vec<Setting<'_>> = own.iter().cloned().chain(others).collect();
    let in_all = |place: &usize| settings.iter().all(|setting| setting.times[*place].is_some());
    let common: Vec<usize> = (0..positions.len()).filter(in_all).collect();
    let best = settings.iter().min_by(|a, b| a.mean(&common).total_cmp(&b.mean(&common)))?;
    Some(best.name.to_owned())
}

/// One thread of a competitor: median times and nodes by position.
#[derive(Clone)]
struct Setting<'a> {
    name: &'a str,
    times: Vec<Option<Bounds>>,
    nodes: Vec<Option<Bounds>>,
}

impl<'a> Setting<'a> {
    /// None without samples.
    fn of(name: &'a str, samples: &Samples, positions: &[String]) -> Option<Setting<'a>> {
        let medians = |figure: fn(&Sample) -> Option<Timing>| -> Vec<Option<Bounds>> {
            let median =
                |id: &String| censoring::median_time(&runs(samples.cell(name, 1, id), figure));
            positions.iter().map(median).collect()
        };
        let (times, nodes) = (medians(Sample::timing), medians(Sample::node_count));
        times.iter().any(Option::is_some).then_some(Setting { name, times, nodes })
    }

    /// Whether the median nodes are equal at each position that both have, and there is one.
    fn is_same_search(&self, other: &Setting<'_>) -> bool {
        let mut both =
            self.nodes.iter().zip(&other.nodes).filter_map(|(a, b)| a.zip(*b)).peekable();
        both.peek().is_some() && both.all(|(a, b)| a == b)
    }

    /// The geometric mean of the times at these places. The lower end of a censored one counts.
    fn mean(&self, places: &[usize]) -> f64 {
        let known: Vec<f64> = places.iter().filter_map(|p| Some(self.times[*p]?.lower)).collect();
        summary::geometric_mean(&known).unwrap_or(f64::INFINITY)
    }
}
