//! Samples sorted into cells.

use crate::experiment::{
    Base, DepthRow, Of, Sample, SampleKey, SampleStatus, WorkerRow, runs, sweep,
};
use crate::report::figures::detail::SampleDetail;
use std::collections::{BTreeMap, BTreeSet};
use ttd_search::cores::State;
use ttd_search::searchers::Searcher;
use ttd_stats::{Runs, Sweep, Totals};

/// The samples of an experiment by cell.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    cells: BTreeMap<(String, usize, String), Vec<Sample>>,
    /// The workers and depths of single samples; none if the experiment did not ask for them.
    details: Option<BTreeMap<SampleKey, SampleDetail>>,
}

impl Samples {
    /// Sorts samples into cells.
    pub fn new(samples: Vec<Sample>) -> Samples {
        let mut cells: BTreeMap<_, Vec<Sample>> = BTreeMap::new();
        for sample in samples {
            let key = (sample.searcher.clone(), sample.threads, sample.position.clone());
            cells.entry(key).or_default().push(sample);
        }
        Samples { cells, details: None }
    }

    /// Adds workers and depths to the samples. Parts of samples that are not here do not matter.
    #[must_use]
    pub fn with_detail(self, workers: Vec<Of<WorkerRow>>, depths: Vec<Of<DepthRow>>) -> Samples {
        let mut details: BTreeMap<SampleKey, SampleDetail> = BTreeMap::new();
        for Of { sample, part } in workers {
            details.entry(sample).or_default().workers.push(part);
        }
        for Of { sample, part } in depths {
            details.entry(sample).or_default().depths.push(part);
        }
        Samples { details: Some(details), ..self }
    }

    /// The workers and depths of a sample.
    pub(crate) fn detail(&self, sample: &Sample) -> Option<&SampleDetail> {
        self.details.as_ref()?.get(&sample.key())
    }

    /// The number of ok samples that lack workers and depths which add up to them. It is 0 if the
    /// experiment did not ask for them.
    pub fn without_detail(&self) -> usize {
        let whole = |s: &Sample| self.detail(s).is_some_and(|detail| detail.is_whole(s));
        let lacks = |s: &&Sample| s.status == SampleStatus::Ok && s.counters.is_some() && !whole(s);
        if self.details.is_some() { self.all().filter(lacks).count() } else { 0 }
    }

    /// The samples as if the stopped ones had finished when their limit came; none if no sample was
    /// stopped.
    pub fn as_finished(&self) -> Option<Samples> {
        let stopped = |s: &Sample| s.status == SampleStatus::Censored;
        if !self.all().any(stopped) {
            return None;
        }
        let mut finished = self.clone();
        for sample in finished.cells.values_mut().flatten().filter(|s| stopped(s)) {
            sample.status = SampleStatus::Ok;
        }
        Some(finished)
    }

    /// All samples, cell by cell.
    pub fn all(&self) -> impl Iterator<Item = &Sample> {
        self.cells.values().flatten()
    }

    /// The samples of a cell.
    pub fn cell(&self, searcher: &str, threads: usize, position: &str) -> &[Sample] {
        let key = (searcher.to_owned(), threads, position.to_owned());
        self.cells.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The positions of the set, and after them positions that only the samples name.
    pub(crate) fn positions(&self, set: &[String]) -> Vec<String> {
        let known: BTreeSet<&String> = set.iter().collect();
        let found: BTreeSet<&String> = self.cells.keys().map(|(_, _, id)| id).collect();
        set.iter().chain(found.difference(&known).copied()).cloned().collect()
    }

    /// The thread counts that have samples, ascending.
    pub fn threads(&self, searcher: &str) -> Vec<usize> {
        let counts: BTreeSet<usize> =
            self.cells.keys().filter(|(s, _, _)| s == searcher).map(|(_, n, _)| *n).collect();
        counts.into_iter().collect()
    }

    /// The times of one searcher and of its base.
    pub(crate) fn sweep(&self, searcher: &str, base: Base, positions: &[String]) -> Sweep {
        let threads = self.threads(searcher);
        sweep(searcher, threads, base, |searcher, n| {
            positions.iter().map(|p| timings(self.cell(searcher, n, p))).collect()
        })
    }

    /// The samples of the base of a searcher's cell.
    pub(crate) fn base_cell(&self, searcher: &str, base: Base, position: &str) -> &[Sample] {
        let searcher = match base {
            Base::SameSearcher => searcher,
            Base::Sequential => Searcher::baseline().name(),
        };
        self.cell(searcher, 1, position)
    }
}

/// The times of the samples that have one. A failed sample has none.
pub(crate) fn timings(samples: &[Sample]) -> Runs {
    runs(samples, Sample::timing)
}

/// The number of samples with this status.
pub(crate) fn count(samples: &[Sample], status: SampleStatus) -> usize {
    samples.iter().filter(|s| s.status == status).count()
}

/// The totals of a cell that the account needs; none if one of its samples is censored.
pub(crate) fn totals(samples: &[Sample]) -> Option<Vec<Totals>> {
    if count(samples, SampleStatus::Censored) > 0 {
        return None;
    }
    let ok = samples.iter().filter(|s| s.status == SampleStatus::Ok);
    let total = |sample: &Sample| Totals {
        time_s: sample.time.as_secs_f64(),
        nodes: sample.nodes as f64,
        search_s: sample.states().map(|states| states[State::Search as usize].as_secs_f64()),
    };
    Some(ok.map(total).collect())
}
