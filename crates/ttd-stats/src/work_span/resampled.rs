//! Intervals of the coefficients, by resampling.
//!
//! A replicate is refitted by steps of Newton's method from the fit of the runs themselves. Fewer
//! than 20 positions are drawn far from these, so there the steps go on until they end: each
//! replicate has its whole fit. From 20 on one step is enough, and sums over the runs are enough
//! for that step. It is the k-step bootstrap with k = 1 (Andrews, "Higher-order improvements of a
//! computationally attractive k-step bootstrap for extremum estimators", Econometrica 70(1), 2002).
//! A hundred thousand runs would otherwise take minutes. Where the first step is too long for that,
//! the replicate is fitted as the runs themselves were.
//!
//! That theory is of coefficients that are not 0. The interval of a coefficient that is 0 begins at
//! 0.

use super::{Run, WorkSpanFit, fit, mixture, scale};
use crate::bootstrap::{self, POSITIONS, REPLICATES, RUNS, expanded_confidence};
use crate::bounds::Bounds;
use crate::draw::Draw;
use crate::rounds::{Rounds, times_drawn};

/// The intervals of both coefficients at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// The interval of the coefficient of the share of the work.
    pub a: Bounds,
    /// The interval of the coefficient of the critical path.
    pub b: Bounds,
}

/// The runs of a position, cell by cell: the runs at each number of threads, with their rounds.
pub type Cells = Vec<Vec<(u32, Run)>>;

/// The intervals that tell how well the runs were measured. They draw whole rounds anew, with one
/// draw for all cells; none if a cell has fewer than two runs.
pub fn over_runs(fit: &WorkSpanFit, positions: &[Cells], seed: u64) -> Option<Coefficients> {
    let refit = Refit::near(fit, positions)?;
    let cells = || positions.iter().flatten();
    let least = cells().map(Vec::len).min().filter(|least| *least >= 2)?;
    let pools: Vec<Pool<'_>> = cells().map(|runs| refit.pool(runs)).collect();
    let of_runs = pools.iter().flat_map(|pool| &pool.rounds);
    let rounds = Rounds::new(of_runs, Draw::new(seed, RUNS), REPLICATES);
    let drawn = rounds.replicates().iter();
    let drawn = drawn.map(|drawn| pools.iter().flat_map(|pool| pool.drawn(drawn)).collect());
    // No medians are drawn, which would make good for Student's tails.
    refit.intervals(drawn, expanded_confidence(least))
}

/// The intervals that tell how other positions would differ. They draw positions anew, each with
/// all of its runs; none with fewer than two.
pub fn over_positions(fit: &WorkSpanFit, positions: &[Cells], seed: u64) -> Option<Coefficients> {
    let refit = Refit::near(fit, positions)?;
    if positions.len() < 2 {
        return None;
    }
    let confidence = expanded_confidence(positions.len());
    let positions: Vec<Drawable<'_>> =
        positions.iter().map(|cells| refit.drawable(cells.iter().flatten())).collect();
    let mut draw = Draw::new(seed, POSITIONS);
    let drawn = (0..REPLICATES)
        .map(|_| (0..positions.len()).map(|_| &positions[draw.below(positions.len())]).collect());
    refit.intervals(drawn, confidence)
}

/// The runs of a cell, each a unit of drawing, with their rounds.
struct Pool<'a> {
    rounds: Vec<u32>,
    runs: Vec<Drawable<'a>>,
}

impl<'a> Pool<'a> {
    /// The runs of the rounds drawn, as often as these are.
    fn drawn(&self, drawn: &[u32]) -> impl Iterator<Item = &Drawable<'a>> {
        let counts = times_drawn(&self.rounds, drawn).into_iter().zip(&self.runs);
        counts.flat_map(|(count, run)| std::iter::repeat_n(run, count as usize))
    }
}

/// A unit of drawing: a run, or all runs of a position.
struct Drawable<'a> {
    runs: Vec<&'a Run>,
    /// The sums at the mixture of the fit of the runs themselves.
    sums: Sums,
}

/// Sums over some runs. They give the mean of the errors, and the first two derivatives of the
/// variance of the errors by the mixture.
///
/// The slope of a run is the speed at which its error of log T falls with the mixture. The six sums
/// are those of 1, error, slope, error * slope, slope^2 and error * slope^2.
type Sums = [f64; 6];

fn total(all: impl Iterator<Item = Sums>) -> Sums {
    all.fold(Sums::default(), |sums, more| std::array::from_fn(|i| sums[i] + more[i]))
}

/// The fit from which replicates take their steps.
struct Refit {
    /// The mixture of that fit.
    p: f64,
    scale: f64,
    /// The greatest change of the logarithm of a run's modelled time by a unit of the mixture.
    steepest: f64,
    /// Whether the steps go on until they end.
    whole: bool,
}

/// The number of positions from which on one step is enough.
const MANY_POSITIONS: usize = 20;
/// The greatest relative change of a run's modelled time in one step. The mixture is linear in p.
/// The derivatives of its logarithm at the beginning of a longer step say too little of its end.
const LONGEST: f64 = 0.1;
/// The relative change in a step that is only rounding, and the most steps until then.
const ROUNDING: f64 = 1e-14;
const MOST_STEPS: usize = 50;
/// The least variation of the slopes of the drawn runs. Below it all runs have one ratio of W/N to
/// C.
const LEAST_SPREAD: f64 = 1e-12;

impl Refit {
    fn near(fit: &WorkSpanFit, positions: &[Cells]) -> Option<Refit> {
        let runs: Vec<Run> = positions.iter().flatten().flatten().map(|(_, run)| *run).collect();
        let scale = scale(&runs)?;
        let p = fit.a / (fit.a + fit.b / scale);
        let whole = positions.len() < MANY_POSITIONS;
        let mut refit = Refit { p, scale, steepest: 0.0, whole };
        let steep = runs.iter().map(|run| refit.error_and_slope(p, run).1.abs());
        refit.steepest = steep.fold(0.0, f64::max);
        Some(refit)
    }

    fn pool<'a>(&self, runs: &'a [(u32, Run)]) -> Pool<'a> {
        let rounds = runs.iter().map(|(round, _)| *round).collect();
        Pool { rounds, runs: runs.iter().map(|run| self.drawable([run])).collect() }
    }

    fn drawable<'a>(&self, runs: impl IntoIterator<Item = &'a (u32, Run)>) -> Drawable<'a> {
        let runs: Vec<&Run> = runs.into_iter().map(|(_, run)| run).collect();
        let sums = self.sums(self.p, runs.iter().copied());
        Drawable { runs, sums }
    }

    fn sums<'a>(&self, p: f64, runs: impl Iterator<Item = &'a Run>) -> Sums {
        total(runs.map(|run| {
            let (error, slope) = self.error_and_slope(p, run);
            [1.0, error, slope, error * slope, slope * slope, error * slope * slope]
        }))
    }

    fn error_and_slope(&self, p: f64, run: &Run) -> (f64, f64) {
        let modelled = mixture(p, self.scale, run);
        let slope = (run.share - self.scale * run.path) / modelled;
        ((run.time / modelled).ln(), slope)
    }

    /// The intervals from these draws.
    fn intervals<'a>(
        &self,
        drawn: impl Iterator<Item = Vec<&'a Drawable<'a>>>,
        confidence: f64,
    ) -> Option<Coefficients> {
        let (a, b): (Vec<Bounds>, Vec<Bounds>) = drawn.map(|drawn| self.refitted(&drawn)).unzip();
        Some(Coefficients {
            a: bootstrap::interval(&a, confidence)?,
            b: bootstrap::interval(&b, confidence)?,
        })
    }

    /// The coefficients of the drawn runs. Runs that cannot be fitted could have any.
    fn refitted(&self, drawn: &[&Drawable<'_>]) -> (Bounds, Bounds) {
        let runs = || drawn.iter().flat_map(|of| of.runs.iter().copied());
        let first = self.step(self.p, total(drawn.iter().map(|of| of.sums)));
        let stepped = match first {
            Some(first) if self.whole => self.stepped(first, runs),
            first => first,
        };
        let anew = || {
            let fit = fit(&runs().copied().collect::<Vec<Run>>())?;
            Some(Stepped { a: fit.a, b: fit.b, p: 0.0 })
        };
        let anything = Bounds { lower: 0.0, upper: f64::INFINITY };
        let found = stepped.or_else(anew);
        found.map_or((anything, anything), |at| (Bounds::exact(at.a), Bounds::exact(at.b)))
    }

    /// The end of all steps; none if they do not end.
    fn stepped<'a, R: Iterator<Item = &'a Run>>(
        &self,
        mut at: Stepped,
        runs: impl Fn() -> R,
    ) -> Option<Stepped> {
        for _ in 0..MOST_STEPS {
            let next = self.step(at.p, self.sums(at.p, runs()))?;
            if self.steepest * (next.p - at.p).abs() <= ROUNDING {
                return Some(next);
            }
            at = next;
        }
        None
    }

    /// A step from the mixture p by the sums at p; none if it is too long.
    fn step(&self, p: f64, sums: Sums) -> Option<Stepped> {
        let [_, error, slope, error_slope, curvature, error_curvature] =
            sums.map(|sum| sum / sums[0]);
        let rise = error_slope - error * slope;
        // Where the variance is not convex, the approximation of Gauss and Newton takes its place.
        let spread = curvature - slope * slope;
        let convex = spread + error_curvature - error * curvature;
        let step = rise / if convex > 0.0 { convex } else { spread };
        let next = (p + step).clamp(0.0, 1.0);
        let step = next - p;
        if spread < LEAST_SPREAD || self.steepest * step.abs() > LONGEST {
            return None;
        }
        let factor = (error - slope * step + curvature * step * step / 2.0).exp();
        Some(Stepped { p: next, a: factor * next, b: factor * (1.0 - next) * self.scale })
    }
}

/// The place to which a step leads.
#[derive(Clone, Copy, Debug)]
struct Stepped {
    /// The mixture there.
    p: f64,
    /// The coefficients there.
    a: f64,
    b: f64,
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests;
