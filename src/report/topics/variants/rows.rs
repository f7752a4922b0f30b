//! Figures of variants of our engine beside a reference: time, nodes, growth, moves found, speedup.

use crate::experiment::{IterationRow, Sample, SampleStatus, runs};
use crate::report::figures::{Estimate, Measurements, timings};
use crate::report::lists::ascending;
use cozy_chess::util::parse_uci_move;
use ttd_search::engine::Move;
use ttd_search::positions::TestPosition;
use ttd_stats::ratios::{self, Quotient, Ratio};
use ttd_stats::{Runs, Timing};

/// All competitors of ours beside one of them, the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Variants {
    /// The name of the reference.
    pub reference: String,
    /// The rows of all competitors that have samples, the reference among them. They stand in the
    /// order of the experiment, then by thread count.
    pub rows: Vec<VariantRow>,
}

/// One competitor of ours at one number of threads: a row of `variants.csv`. Ratios are to the
/// reference at that number of threads. The reference has no ratios itself.
#[derive(Clone, Debug, PartialEq)]
pub struct VariantRow {
    /// Its name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// The ratio of the median times.
    pub time: Option<Ratio>,
    /// The ratio of the median nodes.
    pub nodes: Option<Ratio>,
    /// The effective branching factor.
    pub branching: Option<Ratio>,
    /// The moves found; none if the set asks for none.
    pub found: Option<Found>,
    /// Geometric mean of the speedup over positions.
    pub speedup: Option<Estimate>,
    /// The ratio of the speedups; none for one thread.
    pub speedup_ratio: Option<Ratio>,
}

/// Counts of the moves found that the set asks for, in samples that reached the depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Found {
    /// Positions that ask for a move, and have such a sample.
    pub asked: usize,
    /// The samples of these positions.
    pub samples: usize,
    /// The samples that found the move.
    pub in_samples: usize,
    /// Positions in which more than half of the samples found the move.
    pub positions: usize,
    /// Positions among these in which the reference did not find it.
    pub gained: usize,
    /// Positions in which the reference found it, and this competitor did not.
    pub lost: usize,
}

impl Found {
    /// The share of samples that found the move, 0 to 1.
    pub fn share(&self) -> f64 {
        self.in_samples as f64 / self.samples as f64
    }
}

impl Variants {
    /// Compares variants with the reference; none if the experiment has no reference.
    pub(crate) fn of(all: Measurements<'_>) -> Option<Variants> {
        let Measurements { experiment, figures, .. } = all;
        let reference = experiment.reference.clone()?;
        let compared = Compared { all, seed: experiment.seed, reference: &reference };
        let ours = experiment.all_ours().map(|(competitor, _)| experiment.name_of(competitor));
        let mut rows = Vec::new();
        for of in ours.filter_map(|name| figures.named(name)) {
            rows.extend(of.rows.iter().map(|row| {
                let speedup = row.geometric_mean.filter(|_| row.threads > 1);
                VariantRow { speedup, ..compared.row(&of.searcher, row.threads) }
            }));
        }
        Some(Variants { reference, rows })
    }

    /// Every thread count, ascending.
    pub fn threads(&self) -> Vec<usize> {
        ascending(self.rows.iter().map(|row| row.threads))
    }
}

/// A figure of every sample, position by position.
type Cells = Vec<Runs>;

/// The data from which rows are computed.
struct Compared<'a> {
    all: Measurements<'a>,
    seed: u64,
    reference: &'a str,
}

impl Compared<'_> {
    fn row(&self, name: &str, threads: usize) -> VariantRow {
        let other = (name != self.reference).then_some(self.reference);
        let ratio = |cells: &dyn Fn(&str, usize) -> Cells| {
            let (own, of_reference) = (cells(name, threads), cells(other?, threads));
            ratios::geometric_mean(&[Quotient::of(&own, Some(&of_reference))], self.seed)
        };
        let times = |name: &str, threads| self.cells(name, threads, timings);
        let speedup_ratio = || {
            let reference = other.filter(|_| threads > 1)?;
            let (one, many) = (times(name, 1), times(name, threads));
            let (one_of_it, many_of_it) = (times(reference, 1), times(reference, threads));
            let (above, below) = (vec![&one[..], &many_of_it[..]], vec![&many[..], &one_of_it[..]]);
            ratios::geometric_mean(&[Quotient { above, below }], self.seed)
        };
        let growth = self.cells(name, threads, |samples| {
            let completed = samples.iter().filter(|sample| sample.status == SampleStatus::Ok);
            let growth = |sample: &Sample| growth(self.all.iterations.of(sample));
            runs(completed, |sample| growth(sample).map(Timing::Exact))
        });
        VariantRow {
            searcher: name.to_owned(),
            threads,
            time: ratio(&times),
            nodes: ratio(&|name: &str, threads| {
                self.cells(name, threads, |samples| runs(samples, Sample::node_count))
            }),
            branching: ratios::geometric_mean(&[Quotient::of(&growth, None)], self.seed),
            found: self.found(name, threads),
            speedup: None,
            speedup_ratio: speedup_ratio(),
        }
    }

    /// A figure of every position's samples.
    fn cells(&self, name: &str, threads: usize, of: impl Fn(&[Sample]) -> Runs) -> Cells {
        self.all.cells(name, threads).map(of).collect()
    }

    fn found(&self, name: &str, threads: usize) -> Option<Found> {
        let mut found = Found::default();
        for position in self.all.set.iter().filter(|position| position.asks()) {
            let in_samples =
                |name| solved(position, self.all.samples.cell(name, threads, &position.id));
            let Some((solved, of)) = in_samples(name) else { continue };
            found.asked += 1;
            found.samples += of;
            found.in_samples += solved;
            let here = 2 * solved > of;
            found.positions += usize::from(here);
            if let Some((solved, of)) = in_samples(self.reference) {
                let there = 2 * solved > of;
                found.gained += usize::from(here && !there);
                found.lost += usize::from(there && !here);
            }
        }
        (found.asked > 0).then_some(found)
    }
}

/// The number of samples that found the move, and the number of samples, of those that reached the
/// depth. None without such samples.
fn solved(position: &TestPosition, samples: &[Sample]) -> Option<(usize, usize)> {
    let completed: Vec<&Sample> = samples.iter().filter(|s| s.status == SampleStatus::Ok).collect();
    let found = |sample: &&&Sample| {
        let mv: Option<Move> = parse_uci_move(&position.board, &sample.best_move).ok();
        mv.is_some_and(|mv| position.is_solved_by(mv))
    };
    let of = completed.len();
    (of > 0).then(|| (completed.iter().filter(found).count(), of))
}

/// The factor by which the nodes grow from iteration to iteration: the geometric mean over the
/// deeper half of the search. The number of plies is even, as trees of odd and of even depth
/// differ. The usual definition is the limit of the d-th root of the nodes to depth d. (Source:
/// Knuth and Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6, 1975.) This
/// factor estimates that limit from the depths that were searched. The nodes of small trees, which
/// distort the root, do not count.
fn growth(iterations: &[IterationRow]) -> Option<f64> {
    let last = iterations.iter().max_by_key(|row| row.depth)?;
    let plies = last.depth / 4 * 2;
    let before = iterations.iter().find(|row| row.depth + plies == last.depth)?;
    let ratio = last.nodes as f64 / before.nodes as f64;
    (plies > 0 && before.nodes > 0).then(|| ratio.powf(1.0 / f64::from(plies)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::Time;

    #[test]
    fn growth_is_that_of_the_deeper_half() {
        let row = |(depth, nodes)| IterationRow {
            depth,
            worker: 0,
            time: Time::ZERO,
            nodes,
            ..IterationRow::default()
        };
        let growth =
            |nodes: &[u64]| growth(&(1..).zip(nodes.iter().copied()).map(row).collect::<Vec<_>>());
        // Nodes double at first. From depth 4 on two plies make nine times the nodes: odd plies
        // five times, even ones 9/5 times. So the growth is 3.
        let nodes = [20, 40, 80, 160, 800, 1440, 7200, 12960];
        assert!(growth(&nodes).is_some_and(|factor| (factor - 3.0).abs() < 1e-9));
        assert_eq!((growth(&nodes[..3]), growth(&[])), (None, None), "too shallow");
        assert_eq!(super::growth(&[row((8, 100))]), None, "without iterations");
    }
}
