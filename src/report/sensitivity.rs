//! What becomes of the speedups when a cost of the simulation is halved or doubled.

use super::figures::{Estimate, Figures};
use super::input::Input;
use super::numbers::{estimate, interval, ratio};
use crate::experiment::{EXPERIMENT, Experiment, SampleStatus, Variation};
use crate::records::ResultsError;
use std::path::Path;

/// The variations of an experiment that were measured, whole or in part.
#[derive(Clone, Debug, Default)]
pub struct Sensitivity(Vec<(Variation, Figures)>);

impl Sensitivity {
    /// Reads them from below the experiment's directory. What is not finished, has failed samples, or was
    /// measured with other settings than the experiment now has, is left out.
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

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Geometric-mean speedups of one searcher: a row for the costs as they are, and one for each that was
    /// changed, `halved / doubled`, by thread counts above 1; each with its `ci_runs` where there is one.
    pub(super) fn table(&self, figures: &Figures, searcher: &str) -> Vec<Vec<String>> {
        let Some(of) = figures.searchers.iter().find(|of| of.searcher == searcher) else {
            return Vec::new();
        };
        let threads: Vec<usize> =
            of.rows.iter().map(|row| row.threads).filter(|threads| *threads > 1).collect();
        let text = |speedup: Option<Estimate>| {
            let runs = speedup.and_then(|s| s.ci_runs);
            let runs = runs.map(|runs| format!(" ({})", interval(Some(runs), ratio)));
            estimate(speedup, ratio) + &runs.unwrap_or_default()
        };
        let mut header = vec!["cost".to_owned()];
        header.extend(threads.iter().map(ToString::to_string));
        let mut as_it_is = vec!["as they are".to_owned()];
        as_it_is.extend(threads.iter().map(|n| text(speedup(figures, searcher, *n))));
        let mut rows = vec![header, as_it_is];
        let mut costs: Vec<&str> = self.0.iter().map(|(variation, _)| variation.cost).collect();
        costs.dedup();
        for cost in costs {
            let side = |doubled: bool, threads: usize| {
                let found = self.0.iter().find(|(v, _)| v.cost == cost && v.doubled == doubled);
                text(found.and_then(|(_, figures)| speedup(figures, searcher, threads)))
            };
            let mut row = vec![format!("`{cost}`")];
            let both = |n: &usize| format!("{} / {}", side(false, *n), side(true, *n));
            row.extend(threads.iter().map(both));
            rows.push(row);
        }
        rows
    }

    /// The text of `sensitivity.csv`: one row a changed cost, searcher and thread count.
    pub(super) fn csv(&self, figures: &Figures) -> String {
        let mut text = "cost,change,searcher,threads,geometric_mean,geometric_mean_ci_runs_lower,\
             geometric_mean_ci_runs_upper,ratio_to_unchanged\n"
            .to_owned();
        for (variation, varied) in &self.0 {
            for of in varied.measured() {
                for row in of.rows.iter().filter(|row| row.threads > 1) {
                    let value = |e: Option<Estimate>| e.and_then(|e| e.value.value());
                    let unchanged = value(speedup(figures, &of.searcher, row.threads));
                    let changed = value(row.geometric_mean);
                    let runs = row.geometric_mean.and_then(|e| e.ci_runs);
                    let number =
                        |x: Option<f64>| x.map_or_else(String::new, |x: f64| x.to_string());
                    let to_unchanged = changed.zip(unchanged).map(|(a, b)| a / b);
                    let change = if variation.doubled { "doubled" } else { "halved" };
                    let fields = [
                        variation.cost.to_owned(),
                        change.to_owned(),
                        of.searcher.clone(),
                        row.threads.to_string(),
                        number(changed),
                        number(runs.map(|runs| runs.lower)),
                        number(runs.map(|runs| runs.upper)),
                        number(to_unchanged),
                    ];
                    text.push_str(&fields.join(","));
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// The geometric-mean speedup of a searcher at a number of workers.
fn speedup(figures: &Figures, searcher: &str, threads: usize) -> Option<Estimate> {
    let of = figures.searchers.iter().find(|of| of.searcher == searcher)?;
    of.rows.iter().find(|row| row.threads == threads)?.geometric_mean
}
