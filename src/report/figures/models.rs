//! Models of the median speedup by threads, with intervals.

use crate::stats::bootstrap::{self, CONFIDENCE, Replicates};
use crate::stats::fits::{self, Fit, Model};
use crate::stats::{Bounds, Speedups};

/// One model fitted to the median speedups of a searcher: a row of `fits.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedModel {
    /// Which.
    pub model: Model,
    /// The fit, or why there is none.
    pub fit: Result<Fit, &'static str>,
    /// For each parameter, with the positions kept and their samples drawn anew.
    pub ci_runs: Vec<Option<Bounds>>,
    /// For each parameter, with positions drawn anew.
    pub ci_positions: Vec<Option<Bounds>>,
    /// Whether its `AICc` is the least of at least two.
    pub best: bool,
}

/// Too few thread counts to judge a model by.
const NOT_ENOUGH: &str = "not enough thread counts";
/// A median that only has bounds.
const CENSORED: &str = "censored";

/// Fits every model.
pub(super) fn fitted(
    threads: &[usize],
    speedups: &Speedups,
    by_runs: &Replicates,
    by_positions: &Replicates,
) -> Vec<FittedModel> {
    let all: Vec<usize> = (0..speedups.base.len()).collect();
    let medians: Vec<(usize, Bounds)> = threads
        .iter()
        .enumerate()
        .filter_map(|(index, n)| Some((*n, speedups.headline(index, &all)?.median)))
        .collect();
    let mut models: Vec<FittedModel> = Model::ALL
        .into_iter()
        .map(|model| {
            let fit = fit(model, &medians);
            let interval = |replicates| match &fit {
                Ok(_) => intervals(model, threads, replicates),
                Err(_) => vec![None; model.parameters().len()],
            };
            FittedModel {
                model,
                ci_runs: interval(by_runs),
                ci_positions: interval(by_positions),
                fit,
                best: false,
            }
        })
        .collect();
    mark_best(&mut models);
    models
}

fn fit(model: Model, medians: &[(usize, Bounds)]) -> Result<Fit, &'static str> {
    let known: Option<Vec<(usize, f64)>> =
        medians.iter().map(|(n, median)| Some((*n, median.value()?))).collect();
    fits::fit(model, &known.ok_or(CENSORED)?).ok_or(NOT_ENOUGH)
}

/// Refits every replicate. One that cannot be fitted (a resampled median only has bounds) could
/// have given anything. None if a thread count has no replicates.
fn intervals(model: Model, threads: &[usize], replicates: &Replicates) -> Vec<Option<Bounds>> {
    let mut parameters: Vec<Vec<Bounds>> = vec![Vec::new(); model.parameters().len()];
    let of_threads: Vec<_> =
        threads.iter().zip(&replicates.headlines).filter(|(_, h)| !h.is_empty()).collect();
    let count = of_threads.iter().map(|(_, headlines)| headlines.len()).min().unwrap_or(0);
    let whole = of_threads.len() == threads.len();
    for replicate in (0..count).filter(|_| whole) {
        let medians: Vec<(usize, Bounds)> =
            of_threads.iter().map(|(n, headlines)| (**n, headlines[replicate].median)).collect();
        let fit = fit(model, &medians);
        for (index, values) in parameters.iter_mut().enumerate() {
            values.push(match &fit {
                Ok(fit) => Bounds::exact(fit.parameters[index]),
                Err(_) => Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY },
            });
        }
    }
    parameters.iter().map(|values| bootstrap::interval(values, CONFIDENCE)).collect()
}

fn mark_best(models: &mut [FittedModel]) {
    let aicc = |model: &FittedModel| model.fit.as_ref().ok().and_then(|fit| fit.aicc);
    let compared: Vec<f64> = models.iter().filter_map(aicc).collect();
    let least = compared.iter().copied().fold(f64::INFINITY, f64::min);
    if compared.len() >= 2 {
        for model in models.iter_mut() {
            model.best = aicc(model).is_some_and(|value| value <= least);
        }
    }
}
