//! The precision of an experiment's speedups: from samples to the input of the statistics.

use super::journal::read_samples;
use super::keys::{Base, Experiment};
use super::resolve::Resolved;
use super::rows::Sample;
use crate::records::JournalError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use ttd_search::searchers::Searcher;
use ttd_stats::precision::{Precision, Width};
use ttd_stats::{Runs, Sweep, Timing};

/// A figure of the samples of a cell, each with its round, as far as it is known.
pub fn runs<'a>(
    samples: impl IntoIterator<Item = &'a Sample>,
    figure: impl Fn(&Sample) -> Option<Timing>,
) -> Runs {
    samples.into_iter().filter_map(|sample| Some((sample.round, figure(sample)?))).collect()
}

/// The times of one competitor and of its base. `row` gives the times of a competitor at a thread
/// count, by position.
pub fn sweep(
    searcher: &str,
    threads: Vec<usize>,
    base: Base,
    row: impl Fn(&str, usize) -> Vec<Runs>,
) -> Sweep {
    let own = threads.iter().position(|n| *n == 1);
    let sequential = Searcher::baseline().name();
    let base = match (base, own) {
        (Base::SameSearcher, Some(index)) => ttd_stats::Base::Own(index),
        (Base::Sequential, Some(index)) if searcher == sequential => ttd_stats::Base::Own(index),
        (Base::Sequential, _) => ttd_stats::Base::Other(row(sequential, 1)),
        (Base::SameSearcher, None) => ttd_stats::Base::Missing,
    };
    let cells = threads.iter().map(|n| row(searcher, *n)).collect();
    Sweep { threads, cells, base }
}

/// The precision of the speedups, from the samples of a results directory so far.
///
/// # Errors
/// If the samples cannot be read.
pub fn precision(dir: &Path, resolved: &Resolved) -> Result<Precision, JournalError> {
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    Ok(precision_of(&resolved.experiment, &read_samples(dir)?, &ids))
}

/// The precision of the speedups, from these samples of positions with these ids.
pub fn precision_of<'a>(
    experiment: &Experiment,
    samples: impl IntoIterator<Item = &'a Sample>,
    ids: &[&str],
) -> Precision {
    let mut rounds = 0;
    let mut times: BTreeMap<(&str, usize, &str), Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        rounds = rounds.max(sample.round);
        let cell = (sample.searcher.as_str(), sample.threads, sample.position.as_str());
        times.entry(cell).or_default().push(sample);
    }
    let row = |searcher: &str, n| -> Vec<Runs> {
        let cell = |id: &&str| {
            let samples = times.get(&(searcher, n, *id));
            runs(samples.into_iter().flatten().copied(), Sample::timing)
        };
        ids.iter().map(cell).collect()
    };
    let mut widths = Vec::new();
    for competitor in experiment.competitors() {
        let name = experiment.name_of(competitor);
        let threads: BTreeSet<usize> =
            times.keys().filter(|(who, _, _)| *who == name).map(|(_, n, _)| *n).collect();
        let sweep = sweep(name, threads.into_iter().collect(), experiment.base, row);
        let mut all = Width::of_sweep(name, &sweep, experiment.seed);
        all.retain(|width| !experiment.is_base(competitor, width.threads));
        widths.append(&mut all);
    }
    Precision { rounds, widths }
}
