//! The agreement of the runs of a cell, in moves and scores, with runs of one thread, and the
//! spread of their times.

use crate::experiment::{Sample, SampleStatus};
use crate::report::figures::{Measurements, Row, timings};
use crate::report::topics::summary::{Line, lines_of};
use ttd_search::engine::Score;
use ttd_stats::agreement::{self, Agreement};
use ttd_stats::censoring;
use ttd_stats::summary::{self, FiveNumbers};

/// The stability of one searcher at one number of threads: a row of `stability.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityRow {
    /// Its name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// The share of pairs with one best move. A pair is a run and a run of one thread. At one
    /// thread it is two runs of one thread.
    pub moves: Option<Agreement>,
    /// The share of such pairs with one score, to the centipawn.
    pub scores: Option<Agreement>,
    /// The distance between the scores of such pairs, in centipawns: the median in each position,
    /// and the median of these over positions.
    pub score_distance: Option<f64>,
    /// The coefficient of variation of the times of a cell (standard deviation over mean): five
    /// numbers over positions.
    pub variation: Option<FiveNumbers>,
}

/// The stability of every searcher and thread count that has samples.
pub(crate) fn stability(all: Measurements<'_>) -> Vec<StabilityRow> {
    let rows = all.figures.searchers.iter().flat_map(lines_of);
    rows.map(|Line { searcher, row, .. }| {
        let cells = all.figures.positions.iter().map(|id| {
            let cell = all.samples.cell(searcher, row.threads, id);
            Compared {
                these: completed(cell),
                those: (row.threads > 1).then(|| one_thread(all, searcher, id)),
                times: censoring::exact_times(&timings(cell)),
            }
        });
        stable(all.experiment.seed, (searcher, row), &cells.collect::<Vec<_>>())
    })
    .collect()
}

/// The runs of one thread that a cell's runs are compared with: the searcher's own, or else the
/// base's.
fn one_thread<'a>(all: Measurements<'a>, searcher: &str, position: &str) -> Vec<&'a Sample> {
    let own = all.samples.cell(searcher, 1, position);
    completed(if own.is_empty() { all.base_cell(searcher, position) } else { own })
}

/// The samples that reached the depth. Move and score of others are not of that depth.
fn completed(samples: &[Sample]) -> Vec<&Sample> {
    samples.iter().filter(|sample| sample.status == SampleStatus::Ok).collect()
}

/// The runs of a position.
struct Compared<'a> {
    these: Vec<&'a Sample>,
    /// The runs that they are compared with; none if they are compared with each other.
    those: Option<Vec<&'a Sample>>,
    /// The times of `these` in seconds; none if some are censored.
    times: Option<Vec<f64>>,
}

impl Compared<'_> {
    /// The share of pairs that agree in this property.
    fn share<T: PartialEq>(&self, of: impl Fn(&Sample) -> T) -> Option<f64> {
        let all = |samples: &[&Sample]| samples.iter().map(|sample| of(sample)).collect::<Vec<T>>();
        match &self.those {
            Some(those) => agreement::between(&all(&self.these), &all(those)),
            None => agreement::within(&all(&self.these)),
        }
    }

    /// The median distance between the scores of the pairs.
    fn score_distance(&self) -> Option<f64> {
        let distance = |a: Score, b: Score| (f64::from(a) - f64::from(b)).abs();
        let mut distances = Vec::new();
        for (place, this) in self.these.iter().enumerate() {
            let those = self.those.as_deref().unwrap_or(&self.these[place + 1..]);
            distances.extend(those.iter().map(|that| distance(this.score, that.score)));
        }
        summary::median(&distances)
    }

    fn variation(&self) -> Option<f64> {
        let times = self.times.as_deref()?;
        Some(summary::standard_deviation(times)? / summary::mean(times)?)
    }
}

fn stable(seed: u64, (searcher, row): (&str, &Row), cells: &[Compared<'_>]) -> StabilityRow {
    let agreement = |share: &dyn Fn(&Compared<'_>) -> Option<f64>| {
        let shares: Vec<f64> = cells.iter().filter_map(share).collect();
        Agreement::of(&shares, seed)
    };
    let distances: Vec<f64> = cells.iter().filter_map(Compared::score_distance).collect();
    let variations: Vec<f64> = cells.iter().filter_map(Compared::variation).collect();
    StabilityRow {
        searcher: searcher.to_owned(),
        threads: row.threads,
        oversubscribed: row.oversubscribed,
        moves: agreement(&|cell| cell.share(|sample| sample.best_move.clone())),
        scores: agreement(&|cell| cell.share(|sample| sample.score)),
        score_distance: summary::median(&distances),
        variation: FiveNumbers::of(&variations),
    }
}
