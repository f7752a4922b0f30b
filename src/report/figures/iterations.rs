//! The iterations of every sample.

use crate::experiment::{IterationRow, Of, Sample, SampleKey, SampleStatus};
use std::collections::BTreeMap;
use ttd_stats::{Bounds, Timing, censoring, summary};

/// The median times of a cell to each depth, in seconds: the first is to depth 1. None at a depth
/// that no sample reached.
pub(crate) type MedianTimes = Vec<Option<Bounds>>;

/// The iterations that samples completed.
#[derive(Clone, Debug, Default)]
pub struct Iterations(BTreeMap<SampleKey, Vec<IterationRow>>);

impl Iterations {
    /// Adds one iteration.
    pub(crate) fn add(&mut self, row: Of<IterationRow>) {
        self.0.entry(row.sample).or_default().push(row.part);
    }

    /// Whether no sample has iterations.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The iterations of a sample in the order of the file: depths ascending.
    pub fn of(&self, sample: &Sample) -> &[IterationRow] {
        self.0.get(&sample.key()).map_or(&[], Vec::as_slice)
    }

    /// The median times to each depth, of the samples of a cell. A stopped sample counts at depths
    /// that it did not reach: its time is only known to be longer. Failed samples do not count.
    pub(crate) fn median_times(&self, samples: &[Sample]) -> MedianTimes {
        let mut times = by_depth(samples);
        for sample in samples.iter().filter(|sample| sample.status != SampleStatus::Failed) {
            let completed = self.of(sample);
            for iteration in completed {
                if let Some(of_depth) = at(&mut times, iteration.depth) {
                    of_depth.push(Timing::Exact(iteration.time.as_secs_f64()));
                }
            }
            if sample.status == SampleStatus::Censored {
                let reached = completed.last().map_or(0, |last| usize::from(last.depth));
                let stopped = Timing::AtLeast(sample.time.as_secs_f64());
                times.iter_mut().skip(reached).for_each(|of_depth| of_depth.push(stopped));
            }
        }
        times.iter().map(|of_depth| censoring::median_time(of_depth)).collect()
    }

    /// The median nodes to each depth on the way, of the samples that reached the depth asked for.
    pub(crate) fn median_nodes(&self, samples: &[Sample]) -> Vec<Option<f64>> {
        let mut nodes = by_depth(samples);
        for sample in samples.iter().filter(|sample| sample.status == SampleStatus::Ok) {
            for iteration in self.of(sample) {
                if let Some(of_depth) = at(&mut nodes, iteration.depth) {
                    of_depth.push(iteration.nodes as f64);
                }
            }
        }
        nodes.iter().map(|of_depth| summary::median(of_depth)).collect()
    }
}

/// An empty list for each depth that was asked for.
fn by_depth<T: Clone>(samples: &[Sample]) -> Vec<Vec<T>> {
    let deepest = samples.iter().map(|sample| sample.depth).max().unwrap_or(0);
    vec![Vec::new(); usize::from(deepest)]
}

/// The list of a depth; none if there is no such depth.
fn at<T>(lists: &mut [Vec<T>], depth: u8) -> Option<&mut Vec<T>> {
    lists.get_mut(usize::from(depth.checked_sub(1)?))
}
