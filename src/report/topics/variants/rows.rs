//! Figures of variants of our engine beside a reference: time, nodes, growth, moves found, speedup.

use crate::experiment::{IterationRow, Sample, SampleStatus, runs};
use crate::report::columns::columns;
use crate::report::figures::{Estimate, Measurements, timings};
use crate::report::lists::ascending;
use crate::report::numbers::known;
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

/// One competitor of ours at one number of threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) reference: &'a str,
    pub(super) row: &'a VariantRow,
}

pub(super) fn lines(variants: &Variants) -> impl Iterator<Item = Line<'_>> {
    variants.rows.iter().map(|row| Line { reference: &variants.reference, row })
}

impl Line<'_> {
    /// The positions whose move was found, as people read them.
    fn found(&self) -> String {
        known(self.row.found, |found| format!("{} of {}", found.positions, found.asked))
    }

    /// The number of positions that were gained or lost. It is blank for the reference, which
    /// neither gains nor loses anything to itself.
    fn to_other(self, count: impl Fn(Found) -> usize) -> String {
        let found = self.row.found.filter(|_| self.row.searcher != self.reference);
        known(found, |found| count(found).to_string())
    }
}

columns! {
    /// The columns of `variants.csv`.
    pub(super) fn columns<'a>(of: Line<'a>);

    /// the row
    Words "searcher" = of.row.searcher.as_str(), as "searcher";
    Whole "threads" = of.row.threads, as "threads";
    /// the competitor that it is compared with: the key `reference` of the experiment
    Words "reference" = of.reference;
    /// positions that have a `time_ratio`
    Whole "positions" = of.row.time.map(|time| time.positions), as "positions";
    /// median time / median time of the reference: below 1 is faster
    Ratio "time_ratio" + Both = of.row.time.map(Estimate::from), as "time";
    /// median nodes / median nodes of the reference; samples that were stopped leave both ratios
    /// open
    Ratio "nodes_ratio" + Both = of.row.nodes.map(Estimate::from), as "nodes";
    /// the effective branching factor: (n_d / n_(d-k))^(1/k). Here n_i is the nodes to the end of
    /// iteration i (`iterations.csv`), d the depth and k the greatest even number up to d / 2. It
    /// is the growth of the nodes from iteration to iteration, over the deeper half of the search,
    /// and as many odd as even plies. Median over the samples that reached the depth, geometric
    /// mean over positions. The usual definition is the limit of the d-th root of the nodes to
    /// depth d (Knuth and Moore, Artificial Intelligence 6, 1975). At small d it also counts what
    /// small trees add. Blank for depths below 4, and for searches that do not deepen. `ci_runs` is
    /// blank where a position has a single such sample, `ci_positions` with a single position
    Ratio "branching_factor" + Both = of.row.branching.map(Estimate::from), as "branching factor";
    /// positions for which the set names moves (`bm`, `am`), and that have samples that reached the
    /// depth. Blank, like the next five, if there are none
    Whole "asked" = of.row.found.map(|found| found.asked);
    /// these samples
    Whole "samples" = of.row.found.map(|found| found.samples);
    /// the share of them whose best move is a `bm`, if the position has any, and no `am`
    Tenths "found_share" = of.row.found.map(|found| found.share()), as "in samples";
    /// positions in which more than half of the samples have such a move
    Whole "found" = of.row.found.map(|found| found.positions), as "found",
        shown of.found();
    /// of these, positions in which the reference's samples do not; and positions in which the
    /// reference's do and these do not
    Whole "gained" = of.row.found.map(|found| found.gained), as "gained", shown of.to_other(|found| found.gained);
    Whole "lost" = of.row.found.map(|found| found.lost), as "lost", shown of.to_other(|found| found.lost);
    /// geometric mean over positions of the speedup, to one thread of the same competitor:
    /// `geometric_mean` in `summary.csv`; blank for one thread
    Ratio "speedup" + Both = of.row.speedup, as "speedup";
    /// speedup / speedup of the reference, position by position; below 1, a variant gains less from
    /// its threads
    Ratio "speedup_ratio" + Both = of.row.speedup_ratio.map(Estimate::from), as "ratio";
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
