//! The base of net speedups: the best one-thread setting of an engine.

use crate::experiment::{Competitor, Experiment, Sample, runs};
use crate::report::figures::grouping::Samples;
use ttd_stats::{Bounds, Timing, censoring, summary};

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
