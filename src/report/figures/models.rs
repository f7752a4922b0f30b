//! Models of the median speedup by threads, with intervals.

use crate::report::figures::estimate::Intervals;
use ttd_stats::bootstrap::Replicates;
use ttd_stats::fits::selection::{self, Support};
use ttd_stats::fits::{self, Fit, Limit, Model};
use ttd_stats::{Bounds, Speedups};

/// The shares for which a report says how many threads are enough. A share is the speedup that
/// another thread must add at least to be worth it: 0.5 is half of what one core does alone.
pub(crate) const WORTH: [f64; 3] = [0.5, 0.25, 0.1];

/// One model fitted to the median speedups of a searcher: a row of `fits.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedModel {
    /// The model.
    pub model: Model,
    /// The fit, or the reason why there is none.
    pub fit: Result<Fit, &'static str>,
    /// The intervals of each parameter.
    pub parameters: Vec<Intervals>,
    /// The interval of the limit, infinite where a refit has none.
    pub limit: Intervals,
    /// The number of threads that are enough, for each share of `WORTH`; infinite if the model
    /// never falls below the share.
    pub enough: [Enough; WORTH.len()],
    /// The support that the data give it beside the other models; none if fewer than two models
    /// have a criterion.
    pub support: Option<Support>,
    /// Whether its `AICc` is the least, of at least two models.
    pub best: bool,
    /// The share of the replicates in which its `AICc` is the least: over runs, and over positions.
    /// None without replicates, or if the model has no `AICc`.
    pub wins: [Option<f64>; 2],
}

/// The number of threads from which on another one adds less than a share of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Enough {
    /// The number; infinite if that never comes. None without a fit, and for trends.
    pub threads: Option<f64>,
    /// Its intervals.
    pub intervals: Intervals,
}

impl FittedModel {
    /// The speedup that it cannot exceed; none if there is no such speedup.
    pub fn bound(&self) -> Option<Limit> {
        self.fit.as_ref().ok()?.limit()
    }

    /// Whether another model fits better, but not by enough for the data to tell the two apart.
    pub fn is_rival(&self) -> bool {
        !self.best && self.support.is_some_and(|support| !support.is_told_apart())
    }

    /// The model that fits best, if the data tell it from all others.
    pub fn told_apart(models: &[FittedModel]) -> Option<&FittedModel> {
        models.iter().find(|model| model.best).filter(|_| !models.iter().any(Self::is_rival))
    }
}

/// The reason if there are too few thread counts to judge a model by.
const NOT_ENOUGH: &str = "not enough thread counts";
/// The reason if only bounds of a median are known.
pub(crate) const CENSORED: &str = "censored";

/// Fits every model.
pub(crate) fn fitted(
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
    let fits = Model::ALL.map(|model| fit(model, &medians));
    let known = fits.each_ref().map(Result::is_ok);
    let refits = [by_runs, by_positions].map(|replicates| Refits::new(known, threads, replicates));
    let criteria = fits.each_ref().map(|fit| fit.as_ref().ok().and_then(|fit| fit.aicc));
    let support = selection::support(&criteria);
    let best = selection::best(&criteria);
    let wins = refits.each_ref().map(Refits::wins);
    fits.into_iter()
        .enumerate()
        .map(|(index, fit)| FittedModel {
            support: support[index],
            best: best == Some(index),
            wins: wins.map(|wins| criteria[index].and(wins).map(|wins| wins[index])),
            ..one(index, fit, &refits)
        })
        .collect()
}

fn fit(model: Model, medians: &[(usize, Bounds)]) -> Result<Fit, &'static str> {
    let known: Option<Vec<(usize, f64)>> =
        medians.iter().map(|(n, median)| Some((*n, median.value()?))).collect();
    fits::fit(model, &known.ok_or(CENSORED)?).ok_or(NOT_ENOUGH)
}

/// Every model, refitted to one replicate.
type Refit = [Option<Fit>; Model::ALL.len()];

/// The refits, to each replicate, of the models that could be fitted. There are none if a thread
/// count has no replicates.
struct Refits<'a> {
    replicates: &'a Replicates,
    all: Vec<Refit>,
}

impl<'a> Refits<'a> {
    fn new(
        known: [bool; Model::ALL.len()],
        threads: &[usize],
        replicates: &'a Replicates,
    ) -> Refits<'a> {
        let of_threads: Vec<_> =
            threads.iter().zip(&replicates.headlines).filter(|(_, h)| !h.is_empty()).collect();
        let whole = of_threads.len() == threads.len() && known.contains(&true);
        let count = of_threads.iter().map(|(_, headlines)| headlines.len()).min().unwrap_or(0);
        let refit = |replicate: usize| {
            let medians: Vec<(usize, Bounds)> = of_threads
                .iter()
                .map(|(n, headlines)| (**n, headlines[replicate].median))
                .collect();
            std::array::from_fn(|index| {
                known[index].then(|| fit(Model::ALL[index], &medians).ok()).flatten()
            })
        };
        Refits { replicates, all: (0..count).filter(|_| whole).map(refit).collect() }
    }

    /// The share of the replicates in which each model has the least criterion; none without
    /// replicates.
    fn wins(&self) -> Option<[f64; Model::ALL.len()]> {
        if self.all.is_empty() {
            return None;
        }
        let mut wins = [0; Model::ALL.len()];
        for refit in &self.all {
            let criteria = refit.each_ref().map(|fit| fit.as_ref().and_then(|fit| fit.aicc));
            if let Some(best) = selection::best(&criteria) {
                wins[best] += 1;
            }
        }
        Some(wins.map(|wins| f64::from(wins) / self.all.len() as f64))
    }

    /// The interval of a figure of the model at this index. Some replicates cannot be refitted,
    /// because a resampled median only has bounds. Such a replicate counts as if it could have
    /// given any figure from the `least` that there is.
    fn interval(&self, index: usize, least: f64, of: &dyn Fn(&Fit) -> f64) -> Option<Bounds> {
        let anything = Bounds { lower: least, upper: f64::INFINITY };
        let bounds =
            |refit: &Refit| refit[index].as_ref().map_or(anything, |fit| Bounds::exact(of(fit)));
        self.replicates.interval_of_all(&self.all.iter().map(bounds).collect::<Vec<_>>())
    }
}

/// The model at this index, with the intervals of all figures that follow from it.
fn one(index: usize, fit: Result<Fit, &'static str>, refits: &[Refits<'_>; 2]) -> FittedModel {
    let model = Model::ALL[index];
    let intervals = |least: f64, of: &dyn Fn(&Fit) -> f64| {
        let [runs, positions] = refits.each_ref().map(|refits| refits.interval(index, least, of));
        if fit.is_ok() { Intervals { runs, positions } } else { Intervals::default() }
    };
    let limit = |fit: &Fit| fit.limit().map_or(f64::INFINITY, |limit| limit.speedup);
    let threads = |fit: &Fit, share| fit.enough(share).map_or(f64::INFINITY, |n| n as f64);
    let enough = |share: f64| {
        let Some(fit) = fit.as_ref().ok().filter(|_| !model.is_trend()) else {
            return Enough::default();
        };
        let intervals = intervals(1.0, &|fit| threads(fit, share));
        Enough { threads: Some(threads(fit, share)), intervals }
    };
    let parameters = 0..model.parameters().len();
    let least = if model == Model::Usl { 0.0 } else { f64::NEG_INFINITY };
    FittedModel {
        model,
        parameters: parameters.map(|at| intervals(least, &|fit| fit.parameters[at])).collect(),
        limit: if model.is_trend() { Intervals::default() } else { intervals(0.0, &limit) },
        enough: WORTH.map(enough),
        support: None,
        best: false,
        wins: [None; 2],
        fit,
    }
}
