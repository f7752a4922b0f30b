//! Models of speedup by threads, with intervals.

use crate::report::figures::estimate::{Estimate, Intervals};
use ttd_stats::Bounds;
use ttd_stats::bootstrap::Replicates;
use ttd_stats::fits::selection::{self, Support};
use ttd_stats::fits::{self, Fit, Limit, Model};

/// The shares for which a report says how many threads are enough. A share is the speedup that
/// another thread must add at least to be worth it: 0.5 is half of what one core does alone.
pub(crate) const WORTH: [f64; 3] = [0.5, 0.25, 0.1];

/// One model fitted to the speedups of a searcher: a row of `fits.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedModel {
    /// The model.
    pub model: Model,
    /// The fit, or the reason why there is none.
    pub fit: Result<Fit, &'static str>,
    /// The reason why this law does not describe these speedups, if it does not. Nothing is then
    /// concluded from it. A trend is no law, and has no such reason.
    pub against: Option<&'static str>,
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
    /// The fit, if there is one and the law describes what was measured.
    pub fn describing(&self) -> Option<&Fit> {
        self.fit.as_ref().ok().filter(|_| self.against.is_none())
    }

    /// The speedup that it cannot exceed; none if there is no such speedup.
    pub fn bound(&self) -> Option<Limit> {
        self.describing()?.limit()
    }

    /// Whether another model fits better, but not by enough for the data to tell the two apart.
    pub fn is_rival(&self) -> bool {
        !self.best && self.support.is_some_and(|support| !support.is_told_apart())
    }

    /// The model that fits best, if the data tell it from all others and it describes them.
    pub fn told_apart(models: &[FittedModel]) -> Option<&FittedModel> {
        let best = models.iter().find(|model| model.best && model.against.is_none());
        best.filter(|_| !models.iter().any(Self::is_rival))
    }
}

/// The reason if there are too few thread counts to judge a model by.
const NOT_ENOUGH: &str = "not enough thread counts";
/// The reason if only bounds of a median are known.
pub(crate) const CENSORED: &str = "censored";

/// The speedups of a searcher that models are fitted to.
pub(crate) struct Measured<'a, T> {
    /// The thread counts that have a core for each thread, with their place among all of the
    /// searcher. Others say more of the machine than of the searcher.
    pub(crate) threads: Vec<(usize, usize)>,
    /// The speedup at a place; none where there is none.
    pub(crate) speedup: &'a dyn Fn(usize) -> Option<Estimate>,
    /// The replicates over runs and over positions.
    pub(crate) replicates: [&'a Replicates<T>; 2],
    /// The speedup of a replicate.
    pub(crate) figure: fn(&T) -> Bounds,
}

/// Fits every model.
pub(crate) fn fitted<T>(measured: &Measured<'_, T>) -> Vec<FittedModel> {
    let points: Vec<(usize, Estimate)> = (measured.threads.iter())
        .filter_map(|&(place, n)| Some((n, (measured.speedup)(place)?)))
        .collect();
    let values: Vec<(usize, Bounds)> = points.iter().map(|(n, of)| (*n, of.value)).collect();
    let fits = Model::ALL.map(|model| fit(model, &values));
    let known = fits.each_ref().map(Result::is_ok);
    let refits = measured.replicates.map(|of| Refits::new(known, measured, of));
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
            ..one(index, fit, &points, &refits)
        })
        .collect()
}

fn fit(model: Model, speedups: &[(usize, Bounds)]) -> Result<Fit, &'static str> {
    let known: Option<Vec<(usize, f64)>> =
        speedups.iter().map(|(n, speedup)| Some((*n, speedup.value()?))).collect();
    fits::fit(model, &known.ok_or(CENSORED)?).ok_or(NOT_ENOUGH)
}

/// The reason why a law does not describe the speedups that it was fitted to.
fn against(fit: &Fit, points: &[(usize, Estimate)]) -> Option<&'static str> {
    if fit.model.is_trend() {
        return None;
    }
    let share = fit.parameters[0];
    if fit.model == Model::Amdahl && !(0.0..=1.0).contains(&share) {
        return Some("its p is no share");
    }
    if fit.r_squared.is_some_and(|r| r < 0.0) {
        return Some("a constant would fit better");
    }
    let misses = |&(n, of): &(usize, Estimate)| {
        let whole = of.ci_runs.into_iter().chain(of.ci_positions).reduce(Bounds::hull);
        whole.is_some_and(|whole| !whole.holds(fit.speedup(n as f64)))
    };
    points.iter().filter(|(n, _)| *n > 1).any(misses).then_some("it misses what was measured")
}

/// Every model, refitted to one replicate.
type Refit = [Option<Fit>; Model::ALL.len()];

/// The refits, to each replicate, of the models that could be fitted. There are none if a thread
/// count has no replicates.
struct Refits<'a, T> {
    replicates: &'a Replicates<T>,
    /// The indices of the thread counts in the replicates.
    places: Vec<usize>,
    all: Vec<Refit>,
}

impl<'a, T> Refits<'a, T> {
    fn new(
        known: [bool; Model::ALL.len()],
        measured: &Measured<'_, T>,
        replicates: &'a Replicates<T>,
    ) -> Refits<'a, T> {
        let of_threads: Vec<(usize, &Vec<T>)> = (measured.threads.iter())
            .map(|&(place, n)| (n, &replicates.headlines[place]))
            .filter(|(_, headlines)| !headlines.is_empty())
            .collect();
        let whole = of_threads.len() == measured.threads.len() && known.contains(&true);
        let count = of_threads.iter().map(|(_, headlines)| headlines.len()).min().unwrap_or(0);
        let refit = |replicate: usize| {
            let speedups: Vec<(usize, Bounds)> = of_threads
                .iter()
                .map(|(n, headlines)| (*n, (measured.figure)(&headlines[replicate])))
                .collect();
            std::array::from_fn(|index| {
                known[index].then(|| fit(Model::ALL[index], &speedups).ok()).flatten()
            })
        };
        let all = (0..count).filter(|_| whole).map(refit).collect();
        Refits {
            replicates,
            places: measured.threads.iter().map(|(place, _)| *place).collect(),
            all,
        }
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
        let figures: Vec<Bounds> = self.all.iter().map(bounds).collect();
        self.replicates.interval_of_several(&self.places, &figures)
    }
}

/// The model at this index, with the intervals of all figures that follow from it.
fn one<T>(
    index: usize,
    fit: Result<Fit, &'static str>,
    points: &[(usize, Estimate)],
    refits: &[Refits<'_, T>; 2],
) -> FittedModel {
    let model = Model::ALL[index];
    let against = fit.as_ref().ok().and_then(|fit| against(fit, points));
    let concludes = against.is_none() && !model.is_trend();
    let intervals = |least: f64, of: &dyn Fn(&Fit) -> f64| {
        let [runs, positions] = refits.each_ref().map(|refits| refits.interval(index, least, of));
        if fit.is_ok() { Intervals { runs, positions } } else { Intervals::default() }
    };
    let limit = |fit: &Fit| fit.limit().map_or(f64::INFINITY, |limit| limit.speedup);
    let threads = |fit: &Fit, share| fit.enough(share).map_or(f64::INFINITY, |n| n as f64);
    let enough = |share: f64| {
        let Some(fit) = fit.as_ref().ok().filter(|_| concludes) else {
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
        limit: if concludes { intervals(0.0, &limit) } else { Intervals::default() },
        enough: WORTH.map(enough),
        support: None,
        best: false,
        wins: [None; 2],
        against,
        fit,
    }
}
