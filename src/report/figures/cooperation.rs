//! The workers' cooperation, and the part of it that was in vain.

use crate::experiment::{Sample, SampleStatus};
use ttd_search::search::{ByKind, Counters};

/// Splits, joins, aborted and doubled work: sums over samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cooperation {
    counters: Counters,
    /// Nodes that another worker had searched too; none if a sample does not tell.
    doubled_nodes: Option<u64>,
}

impl Cooperation {
    /// The sums over the samples that are ok; none without any, or without several workers.
    pub fn of<'a>(samples: impl Iterator<Item = &'a Sample>) -> Option<Cooperation> {
        let mut cooperation = Cooperation { doubled_nodes: Some(0), ..Cooperation::default() };
        let ok = samples.filter(|s| s.status == SampleStatus::Ok && s.threads > 1);
        for sample in ok {
            let Some(counters) = &sample.counters else { continue };
            cooperation.counters += counters;
            let known = cooperation.doubled_nodes.zip(sample.known(1, |of| of.doubled_nodes));
            cooperation.doubled_nodes = known.map(|(sum, more)| sum + more);
        }
        (cooperation.counters.nodes > 0).then_some(cooperation)
    }

    /// The number of split points for each million nodes.
    pub fn splits_per_million(&self) -> f64 {
        1e6 * self.splits() / self.counters.nodes as f64
    }

    /// The shares of the kinds of nodes among the split points, 0 to 1; none without split points.
    pub fn splits_by_kind(&self) -> Option<[f64; 3]> {
        shares(self.counters.splits, self.splits())
    }

    /// The number of joins of each sample, of which there are so many.
    pub fn joins_per_sample(&self, samples: usize) -> f64 {
        sum(self.counters.joins) / samples.max(1) as f64
    }

    /// The number of joins for each split point; none without split points.
    pub fn joins_per_split(&self) -> Option<f64> {
        (self.splits() > 0.0).then(|| sum(self.counters.joins) / self.splits())
    }

    /// The share of split points that no worker joined, 0 to 1; none without split points.
    pub fn unjoined(&self) -> Option<f64> {
        (self.splits() > 0.0).then(|| sum(self.counters.unjoined) / self.splits())
    }

    /// The share of nodes that were aborted, 0 to 1.
    pub fn aborted(&self) -> f64 {
        sum(self.counters.aborted_nodes) / self.counters.nodes as f64
    }

    /// The shares of the kinds of split point among the aborted nodes, 0 to 1: of the split points
    /// that were cut off. None without aborted nodes.
    pub fn aborted_by_kind(&self) -> Option<[f64; 3]> {
        shares(self.counters.aborted_nodes, sum(self.counters.aborted_nodes))
    }

    /// The share of nodes that another worker had searched too, 0 to 1; none if it is unknown.
    pub fn doubled(&self) -> Option<f64> {
        self.doubled_nodes.map(|doubled| doubled as f64 / self.counters.nodes as f64)
    }

    fn splits(&self) -> f64 {
        sum(self.counters.splits)
    }
}

fn sum(counts: ByKind) -> f64 {
    counts.0.iter().sum::<u64>() as f64
}

fn shares(counts: ByKind, whole: f64) -> Option<[f64; 3]> {
    (whole > 0.0).then(|| counts.0.map(|count| count as f64 / whole))
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::report::synthetic::Made;

    #[test]
    fn sums_over_samples() {
        let sample = |threads, nodes, doubled: Option<u64>| {
            let doubled_nodes = doubled.unwrap_or_default();
            let mut counters = Counters { nodes, doubled_nodes, ..Counters::default() };
            counters.splits = ByKind([1, 0, 3]);
            counters.joins = ByKind([2, 0, 4]);
            counters.unjoined = ByKind([0, 0, 1]);
            counters.aborted_nodes = ByKind([0, 50, 0]);
            let (counters, additions) = (Some(counters), doubled.map_or(0, |_| 1));
            Sample { threads, counters, additions, ..Made::default().samples()[0].clone() }
        };
        let of = |samples: &[Sample]| Cooperation::of(samples.iter());
        assert_eq!(of(&[sample(1, 1000, Some(0))]), None, "one worker wastes nothing");
        let cooperation =
            of(&[sample(2, 1000, Some(100)), sample(2, 3000, Some(300))]).expect("two");
        assert_eq!(cooperation.splits_per_million(), 2000.0);
        assert_eq!(cooperation.splits_by_kind(), Some([0.25, 0.0, 0.75]));
        assert_eq!(
            (cooperation.joins_per_split(), cooperation.unjoined()),
            (Some(1.5), Some(0.25))
        );
        assert_eq!(
            (cooperation.aborted(), cooperation.aborted_by_kind()),
            (0.025, Some([0.0, 1.0, 0.0]))
        );
        assert_eq!(cooperation.doubled(), Some(0.1));
        let older = of(&[sample(2, 1000, Some(100)), sample(2, 3000, None)]).expect("two");
        assert_eq!(older.doubled(), None);
    }
}
