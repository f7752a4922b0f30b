//! All figures of a sweep that follow from its samples, searcher by searcher; and both together,
//! for the figures of topics.

use crate::experiment::{Competitor, Experiment, Sample};
use crate::report::figures::grouping::Samples;
use crate::report::figures::iterations::Iterations;
use crate::report::figures::rows::Row;
use crate::report::figures::searcher::{SearcherFigures, searcher};
use crate::report::lists::ascending;
use crate::report::numbers::count;
use ttd_search::positions::TestPosition;

/// The greatest number of competitors with which variants still have charts and tables of their
/// own.
const MOST_ON_THEIR_OWN: usize = 8;

/// All figures of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// The ids of the positions, in the order of the tables.
    pub positions: Vec<String>,
    /// The figures of each searcher, in the order of the experiment.
    pub searchers: Vec<SearcherFigures>,
    /// The base of the speedups, in words.
    pub base: String,
}

impl Figures {
    /// Computes all figures. `positions` are the ids of the set, in its order. Ids that only the
    /// samples name follow them. `cores` is the number of cores that the process could use, if it
    /// is known: greater thread counts are marked as oversubscribed.
    pub fn of(
        experiment: &Experiment,
        samples: &Samples,
        positions: &[String],
        cores: Option<usize>,
    ) -> Figures {
        let positions = samples.positions(positions);
        let competitors = experiment.competitors();
        let few = competitors.len() <= MOST_ON_THEIR_OWN;
        let figures = |competitor: Competitor| {
            let on_its_own = few || !matches!(competitor, Competitor::Variant(_));
            let of = searcher(competitor, samples, &positions, experiment, cores);
            SearcherFigures { on_its_own, ..of }
        };
        let searchers = competitors.into_iter().map(figures).collect();
        Figures { positions, searchers, base: experiment.base.words().to_owned() }
    }

    /// The searchers that have samples.
    pub fn measured(&self) -> impl Iterator<Item = &SearcherFigures> {
        self.searchers.iter().filter(|s| !s.rows.is_empty())
    }

    /// The searchers among them that have charts and tables of their own.
    pub fn on_their_own(&self) -> impl Iterator<Item = &SearcherFigures> {
        self.measured().filter(|of| of.on_its_own)
    }

    /// The searcher of this name.
    pub fn named(&self, name: &str) -> Option<&SearcherFigures> {
        self.searchers.iter().find(|of| of.searcher == name)
    }

    /// The figures of every thread count of every searcher.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.searchers.iter().flat_map(|of| &of.rows)
    }

    /// The rows that have such a number, in words, each with its searcher and its number of
    /// threads.
    pub(crate) fn places(&self, number: impl Fn(&Row) -> Option<usize>) -> String {
        let of_row = |of: &SearcherFigures, row: &Row| {
            let threads = count(row.threads, "thread");
            Some(format!("{} at {threads}: {}", of.searcher, number(row)?))
        };
        let places =
            self.searchers.iter().flat_map(|of| of.rows.iter().filter_map(|row| of_row(of, row)));
        places.collect::<Vec<_>>().join("; ")
    }

    /// Every thread count that has samples, ascending.
    pub fn threads(&self) -> Vec<usize> {
        ascending(self.rows().map(|row| row.threads))
    }

    /// The number of samples of a cell, of all cells that have any: the least and the greatest.
    /// None without samples.
    pub fn runs(&self) -> Option<(usize, usize)> {
        let cells = self.measured().flat_map(|of| of.cells.iter().flatten());
        let runs = cells.map(|cell| cell.ok + cell.censored + cell.failed);
        let runs: Vec<usize> = runs.filter(|samples| *samples > 0).collect();
        Some((*runs.iter().min()?, *runs.iter().max()?))
    }

    /// That number in words: `6 runs`, or `5 to 6 runs` if rounds are unfinished.
    pub fn runs_in_words(&self) -> String {
        match self.runs().unwrap_or_default() {
            (least, most) if least == most => count(most, "run"),
            (least, most) => format!("{least} to {}", count(most, "run")),
        }
    }

    /// The least thread count that is oversubscribed; none without one.
    pub fn oversubscribed_from(&self) -> Option<usize> {
        self.rows().filter(|row| row.oversubscribed).map(|row| row.threads).min()
    }
}

/// The measurements of an experiment, and the figures that follow from them.
#[derive(Clone, Copy)]
pub(crate) struct Measurements<'a> {
    pub(crate) experiment: &'a Experiment,
    /// The positions of the set; none if it cannot be read.
    pub(crate) set: &'a [TestPosition],
    pub(crate) samples: &'a Samples,
    pub(crate) iterations: &'a Iterations,
    pub(crate) figures: &'a Figures,
}

impl<'a> Measurements<'a> {
    /// The samples of a competitor at a number of threads, position by position.
    pub(crate) fn cells(self, name: &str, threads: usize) -> impl Iterator<Item = &'a [Sample]> {
        self.figures.positions.iter().map(move |id| self.samples.cell(name, threads, id))
    }

    /// The samples of the base of a competitor's cell.
    pub(crate) fn base_cell(self, name: &str, position: &str) -> &'a [Sample] {
        self.samples.base_cell(name, self.experiment.base, position)
    }
}
