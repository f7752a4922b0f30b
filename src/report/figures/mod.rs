//! Every figure of a report, computed in one place from the samples: what the CSV files, the tables
//! and the charts show is read off here.

mod by_depth;
mod comparisons;
mod compute;
mod detail;
mod grouping;
mod iterations;
mod models;
mod outliers;
mod rows;
mod stability;
mod variants;
mod waste;
mod work_span;

pub(super) use by_depth::by_depth;
pub use by_depth::{ByDepthPoint, ByDepthRow, SHORT_S, SpeedupsByDepth};
pub use comparisons::{Comparison, Comparisons};
pub use detail::{Detail, Spread};
pub use grouping::Samples;
pub(super) use grouping::timings;
pub use iterations::Iterations;
pub use models::{Enough, FittedModel, Intervals, WORTH};
pub(super) use outliers::outliers;
pub use outliers::{Decisive, Outlier};
pub use rows::{Cell, Row};
pub use stability::StabilityRow;
pub(super) use stability::stability;
pub use variants::{Found, VariantRow, Variants};
pub use waste::Waste;
pub use work_span::{WorkSpanFigures, WorkSpanRow};

use crate::experiment::{Contender, Experiment};
use crate::report::numbers::count;
use ttd_stats::Bounds;
use ttd_stats::ratios::Ratio;

/// If there are more contenders, variants have no charts and tables of their own.
const MOST_ON_THEIR_OWN: usize = 8;

/// A figure with both of its intervals, each at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure; two ends where censored samples leave it open.
    pub value: Bounds,
    /// These positions, their samples drawn anew: how well was it measured? None with a single sample in
    /// a cell.
    pub ci_runs: Option<Bounds>,
    /// Positions drawn anew: what would others give? None with a single position.
    pub ci_positions: Option<Bounds>,
}

impl From<Ratio> for Estimate {
    fn from(ratio: Ratio) -> Estimate {
        let Ratio { value, ci_runs, ci_positions, .. } = ratio;
        Estimate { value, ci_runs, ci_positions }
    }
}

impl Estimate {
    /// Applies an increasing function to the figure and its intervals.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            value: self.value.map(&increasing),
            ci_runs: self.ci_runs.map(|b| b.map(&increasing)),
            ci_positions: self.ci_positions.map(|b| b.map(&increasing)),
        }
    }
}

/// The figures of one searcher.
#[derive(Clone, Debug, PartialEq)]
pub struct SearcherFigures {
    /// Its name.
    pub searcher: String,
    /// Whether it has charts and tables of its own: where there are many variants, these do not.
    pub on_its_own: bool,
    /// One for each thread count that has samples, ascending.
    pub rows: Vec<Row>,
    /// By thread count (as in `rows`) and position (as in [`Figures::positions`]).
    pub cells: Vec<Vec<Cell>>,
    /// One for each model.
    pub models: Vec<FittedModel>,
}

/// All figures of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The ids of the positions, in the order of the tables.
    pub positions: Vec<String>,
    /// In the order of the experiment.
    pub searchers: Vec<SearcherFigures>,
    /// What the speedups are relative to, in words.
    pub base: String,
}

impl Figures {
    /// Computes all figures. `positions` are the ids of the set in its order; those found only
    /// among the samples follow. `cores` is the number of cores that the process could use, where
    /// known: thread counts beyond are marked as oversubscribed.
    pub fn of(
        experiment: &Experiment,
        samples: &Samples,
        positions: &[String],
        cores: Option<usize>,
    ) -> Figures {
        let positions = samples.positions(positions);
        let contenders = experiment.contenders();
        let few = contenders.len() <= MOST_ON_THEIR_OWN;
        let figures = |contender: Contender| {
            let name = experiment.name_of(contender);
            let on_its_own = few || !matches!(contender, Contender::Variant(_));
            let of = compute::searcher(name, samples, &positions, experiment, cores);
            SearcherFigures { on_its_own, ..of }
        };
        let searchers = contenders.into_iter().map(figures).collect();
        Figures { positions, searchers, base: experiment.base.words().to_owned() }
    }

    /// The searchers that have samples.
    pub fn measured(&self) -> impl Iterator<Item = &SearcherFigures> {
        self.searchers.iter().filter(|s| !s.rows.is_empty())
    }

    /// Those of them that have charts and tables of their own.
    pub fn on_their_own(&self) -> impl Iterator<Item = &SearcherFigures> {
        self.measured().filter(|of| of.on_its_own)
    }

    /// Every thread count that has samples, ascending.
    pub fn threads(&self) -> Vec<usize> {
        let mut threads: Vec<usize> =
            self.measured().flat_map(|s| s.rows.iter().map(|row| row.threads)).collect();
        threads.sort_unstable();
        threads.dedup();
        threads
    }

    /// How many samples a cell has that has any: the least and the most; none without samples.
    pub fn runs(&self) -> Option<(usize, usize)> {
        let cells = self.measured().flat_map(|of| of.cells.iter().flatten());
        let runs = cells.map(|cell| cell.ok + cell.censored + cell.failed);
        let runs: Vec<usize> = runs.filter(|samples| *samples > 0).collect();
        Some((*runs.iter().min()?, *runs.iter().max()?))
    }

    /// The same in words: `6 runs`, and of unfinished rounds `5 to 6 runs`.
    pub fn runs_in_words(&self) -> String {
        match self.runs().unwrap_or_default() {
            (least, most) if least == most => count(most, "run"),
            (least, most) => format!("{least} to {}", count(most, "run")),
        }
    }

    /// The least thread count that is oversubscribed.
    pub fn oversubscribed_from(&self) -> Option<usize> {
        let rows = self.measured().flat_map(|s| &s.rows);
        rows.filter(|row| row.oversubscribed).map(|row| row.threads).min()
    }
}
