//! What becomes of the speedups when a cost of the simulation is halved or doubled.

use super::figures::Figures;
use super::input::Input;
use super::numbers::{bounds, fixed};
use crate::experiment::{EXPERIMENT, Experiment, ResultsError, SampleStatus, Variation};
use crate::stats::Bounds;
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
    /// changed, `halved / doubled`, by thread counts above 1.
    pub(super) fn table(&self, figures: &Figures, searcher: &str) -> Vec<Vec<String>> {
        let Some(of) = figures.searchers.iter().find(|of| of.searcher == searcher) else {
            return Vec::new();
        };
        let threads: Vec<usize> =
            of.rows.iter().map(|row| row.threads).filter(|threads| *threads > 1).collect();
        let text = |value: Option<Bounds>| bounds(value, |v| fixed(v, 2));
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
        let mut text =
            "cost,change,searcher,threads,geometric_mean,ratio_to_unchanged\n".to_owned();
        for (variation, varied) in &self.0 {
            for of in varied.measured() {
                for row in of.rows.iter().filter(|row| row.threads > 1) {
                    let value = |figures| {
                        speedup(figures, &of.searcher, row.threads).and_then(Bounds::value)
                    };
                    let (changed, unchanged) = (value(varied), value(figures));
                    let number =
                        |x: Option<f64>| x.map_or_else(String::new, |x: f64| x.to_string());
                    let ratio = changed.zip(unchanged).map(|(a, b)| a / b);
                    let change = if variation.doubled { "doubled" } else { "halved" };
                    let fields = [
                        variation.cost.to_owned(),
                        change.to_owned(),
                        of.searcher.clone(),
                        row.threads.to_string(),
                        number(changed),
                        number(ratio),
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
fn speedup(figures: &Figures, searcher: &str, threads: usize) -> Option<Bounds> {
    let of = figures.searchers.iter().find(|of| of.searcher == searcher)?;
    let row = of.rows.iter().find(|row| row.threads == threads)?;
    row.geometric_mean.map(|estimate| estimate.value)
}
