//! The agreement of the runs of a cell, in moves and scores, with runs of one thread, and the
//! spread of their times.

use crate::experiment::{Experiment, Sample, SampleStatus};
use crate::report::figures::{Figures, Row, Samples, timings};
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
pub(crate) fn stability(
    experiment: &Experiment,
    samples: &Samples,
    figures: &Figures,
) -> Vec<StabilityRow> {
    let rows = figures.measured().flat_map(|of| of.rows.iter().map(move |row| (of, row)));
    rows.map(|(of, row)| {
        let cells = figures.positions.iter().map(|id| {
            let cell = samples.cell(&of.searcher, row.threads, id);
            Compared {
                these: completed(cell),
                those: one_thread(samples, experiment, (&of.searcher, row.threads), id),
                times: censoring::exact_times(&timings(cell)),
            }
        });
        stable(experiment, (&of.searcher, row), &cells.collect::<Vec<_>>())
    })
    .collect()
}

/// The runs of one thread that a cell's runs are compared with: the searcher's own, or else the
/// base's. None if the cell has one thread itself.
fn one_thread<'a>(
    samples: &'a Samples,
    experiment: &Experiment,
    (searcher, threads): (&str, usize),
    position: &str,
) -> Option<Vec<&'a Sample>> {
    let own = samples.cell(searcher, 1, position);
    let base = samples.base_cell(searcher, experiment.base, position);
    (threads > 1).then(|| completed(if own.is_empty() { base } else { own }))
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

fn stable(
    experiment: &Experiment,
    (searcher, row): (&str, &Row),
    cells: &[Compared<'_>],
) -> StabilityRow {
    let agreement = |share: &dyn Fn(&Compared<'_>) -> Option<f64>| {
        let shares: Vec<f64> = cells.iter().filter_map(share).collect();
        Agreement::of(&shares, experiment.seed)
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
