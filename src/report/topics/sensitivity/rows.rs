//! The figures of an experiment with one cost changed.

use crate::experiment::{EXPERIMENT, Experiment, SampleStatus, Variation};
use crate::records::ResultsError;
use crate::report::Input;
use crate::report::figures::{Estimate, Figures, Row, SearcherFigures};
use crate::report::lists::{row, without_neighbours};
use crate::report::numbers::{estimate, ratio, with_interval};
use std::path::Path;

/// The variations of an experiment that were measured, each with its figures.
#[derive(Clone, Debug, Default)]
pub struct Sensitivity(Vec<(Variation, Figures)>);

impl Sensitivity {
    /// Reads the variations from below the experiment's directory. A variation is left out if it is
    /// not finished or has failed samples. It is also left out if it was measured with other
    /// settings than the experiment now has.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn read(dir: &Path, experiment: &Experiment) -> Result<Sensitivity, ResultsError> {
        let mut measured = Vec::new();
        for variation in Variation::all(experiment) {
            let dir = variation.dir(dir);
            if !dir.join(EXPERIMENT).is_file() {
                continue;
            }
            let input = Input::read(&dir)?;
            let name = variation.experiment.name.clone(); // it may be called otherwise
            let same = Experiment { name, ..input.experiment } == variation.experiment;
            let failed = input.samples.all().any(|sample| sample.status == SampleStatus::Failed);
            if same && !failed && input.planned == Some(input.samples.all().count()) {
                measured.push((variation, input.figures));
            }
        }
        Ok(Sensitivity(measured))
    }

    /// Whether there are no variations.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Geometric-mean speedups of one searcher by thread counts above 1, each with its `ci_runs`
    /// where there is one. A row has the costs as they are. Each changed cost has a row too,
    /// `halved / doubled`.
    pub(super) fn table(&self, figures: &Figures, searcher: &str) -> Vec<Vec<String>> {
        let mut threads = figures.named(searcher).map_or_else(Vec::new, SearcherFigures::threads);
        threads.retain(|threads| *threads > 1);
        let text = |speedup: Option<Estimate>| {
            with_interval(estimate(speedup, ratio), speedup.and_then(|s| s.ci_runs), ratio)
        };
        let as_they_are = threads.iter().map(|n| text(speedup(figures, searcher, *n)));
        let mut rows = vec![
            row(["cost"], threads.iter().map(ToString::to_string)),
            row(["as they are"], as_they_are),
        ];
        for cost in without_neighbours(self.0.iter().map(|(variation, _)| variation.cost)) {
            let side = |doubled: bool, threads: usize| {
                let found = self.0.iter().find(|(v, _)| v.cost == cost && v.doubled == doubled);
                text(found.and_then(|(_, figures)| speedup(figures, searcher, threads)))
            };
            let both = |n: &usize| format!("{} / {}", side(false, *n), side(true, *n));
            rows.push(row([&format!("`{cost}`")], threads.iter().map(both)));
        }
        rows
    }

    /// Every changed cost, searcher and thread count above 1.
    pub(super) fn lines<'a>(&'a self, figures: &'a Figures) -> impl Iterator<Item = Line<'a>> {
        self.0.iter().flat_map(move |(variation, varied)| {
            let rows = varied.measured().flat_map(|of| of.rows.iter().map(move |row| (of, row)));
            let several = rows.filter(|(_, row)| row.threads > 1);
            several.map(move |(of, row)| {
                let unchanged = speedup(figures, &of.searcher, row.threads);
                Line { variation, searcher: &of.searcher, row, unchanged }
            })
        })
    }
}

/// A changed cost at one thread count of a searcher.
pub(super) struct Line<'a> {
    pub(super) variation: &'a Variation,
    pub(super) searcher: &'a str,
    pub(super) row: &'a Row,
    /// The geometric mean with the costs as they are.
    pub(super) unchanged: Option<Estimate>,
}

/// The geometric-mean speedup of a searcher at a number of workers.
fn speedup(figures: &Figures, searcher: &str, threads: usize) -> Option<Estimate> {
    figures.named(searcher)?.row(threads)?.geometric_mean
}
