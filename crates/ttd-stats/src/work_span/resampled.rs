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

use super::model::{Run, WorkSpanFit, fit, mixture, scale};
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
mod tests {
    use super::super::model::tests::{NO_PATH, NO_WORK, runs};
    use super::*;

    /// Runs of 20 positions and four thread counts, three each. T = 1.1 W/N + 0.9 C but for errors
    /// of each run and of each position.
    fn cells() -> Vec<Cells> {
        let wave = |x: u32| (f64::from(x) * 12.9898).sin();
        let cell = |position: u32, threads: u32| {
            let work = (1.5 * wave(position)).exp();
            let path = 0.1 * work * (0.5 * wave(7 * position + 3)).exp();
            let run = |number: u32| {
                let share = work / f64::from(1 << threads);
                let of_run = 0.05 * wave(100 * position + 10 * threads + number);
                let error = of_run + 0.1 * wave(position + 41);
                Run { time: (1.1 * share + 0.9 * path) * error.exp(), share, path }
            };
            (0..3).map(|number| (number + 1, run(number))).collect()
        };
        (0..20).map(|position| (1..5).map(|threads| cell(position, threads)).collect()).collect()
    }

    fn fitted(positions: &[Cells]) -> WorkSpanFit {
        let runs: Vec<Run> = positions.concat().concat().into_iter().map(|(_, run)| run).collect();
        fit(&runs).expect("enough runs")
    }

    /// Positions drawn anew, as runs and as units of drawing.
    fn drawn(draw: &mut Draw, positions: &[Cells]) -> Vec<Cells> {
        let count = positions.len();
        (0..count).map(|_| positions[draw.below(count)].clone()).collect()
    }

    /// The coefficients of positions by these steps, and by a whole fit.
    fn refit_and_fit(refit: &Refit, drawn: &[Cells]) -> ([f64; 2], [f64; 2]) {
        let units: Vec<Drawable<'_>> =
            drawn.iter().map(|cells| refit.drawable(cells.iter().flatten())).collect();
        let (a, b) = refit.refitted(&units.iter().collect::<Vec<_>>());
        let exact = fitted(drawn);
        ([a.lower, b.lower], [exact.a, exact.b])
    }

    /// Positions of which little is known of b. Then a step that hardly changes the times of most
    /// runs may change b several times over.
    fn poorly_known(count: u32) -> Vec<Cells> {
        let wave = |x: u32| (f64::from(x) * 78.233).sin();
        let position = |n: u32| -> Cells {
            let run = |threads: u32| {
                let share = 1.0 / f64::from(1 << threads);
                let path = 0.002 * wave(n).exp();
                let error = (0.4 * wave(50 * n + threads)).exp();
                vec![(1, Run { time: (share + 2.0 * path) * error, share, path })]
            };
            (1..6).map(run).collect()
        };
        (0..count).map(position).collect()
    }

    /// With few positions an end of an interval is that of whole fits.
    #[test]
    fn few_positions_are_fitted_whole() {
        for positions in [cells()[..8].to_vec(), poorly_known(8), poorly_known(19)] {
            let whole = fitted(&positions);
            let refit = Refit::near(&whole, &positions).expect("a scale");
            let mut draw = Draw::new(3, POSITIONS);
            for _ in 0..300 {
                let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
                for (found, exact) in found.into_iter().zip(exact) {
                    assert!((found - exact).abs() < 1e-9 * exact.max(1e-3), "{found} {exact}");
                }
            }
        }
    }

    #[test]
    fn one_step_is_nearly_the_whole_way() {
        let positions = cells();
        let whole = fitted(&positions);
        let refit = Refit::near(&whole, &positions).expect("a scale");
        let over = over_positions(&whole, &positions, 1).expect("twenty positions");
        let widths = [over.a, over.b].map(|ci| ci.upper - ci.lower);
        let mut draw = Draw::new(3, POSITIONS);
        let mut exactly = 0;
        for _ in 0..200 {
            let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
            exactly += usize::from(found == exact);
            for ((found, exact), width) in found.into_iter().zip(exact).zip(widths) {
                assert!((found - exact).abs() < 0.05 * width, "{found} {exact}");
            }
        }
        assert!(exactly < 50, "{exactly}: those whose step was too long");
    }

    /// The runs as positions of one run each.
    fn alone(rows: &[[f64; 3]]) -> Vec<Cells> {
        runs(rows).into_iter().map(|run| vec![vec![(1, run)]]).collect()
    }

    #[test]
    fn what_is_poorly_known_goes_the_whole_way() {
        let positions = poorly_known(8);
        let whole = fitted(&positions);
        let refit = Refit::near(&whole, &positions).expect("a scale");
        let refit = Refit { whole: false, ..refit };
        let mut draw = Draw::new(3, POSITIONS);
        let mut exactly = 0;
        for _ in 0..200 {
            let (found, exact) = refit_and_fit(&refit, &drawn(&mut draw, &positions));
            exactly += usize::from(found == exact);
            let off = [found[0] - exact[0], found[1] - exact[1]].map(f64::abs);
            assert!(off[0] < 0.01 && off[1] < 0.15, "{found:?} {exact:?}");
        }
        assert!((20..160).contains(&exactly), "{exactly}");
    }

    #[test]
    fn a_coefficient_of_nothing_may_be_nothing() {
        let (no_path, no_work) = (alone(&NO_PATH), alone(&NO_WORK));
        let over = over_positions(&fitted(&no_path), &no_path, 1).expect("twelve positions");
        assert!(over.b.lower == 0.0 && over.b.upper.is_finite(), "{over:?}");
        assert!(over.a.lower > 0.0 && over.a.lower < 0.56 && over.a.upper > 0.57, "{over:?}");
        let over = over_positions(&fitted(&no_work), &no_work, 1).expect("twelve positions");
        assert!(over.a.lower == 0.0 && over.a.upper.is_finite(), "{over:?}");
        assert!(over.b.lower > 0.0 && over.b.lower < 0.33 && over.b.upper > 0.34, "{over:?}");
    }

    /// At one number of threads a position has one ratio of W/N to C: that position alone tells
    /// nothing.
    #[test]
    fn what_cannot_be_told_apart_leaves_everything_open() {
        let position = |share: f64, path: f64| -> Cells {
            let run =
                |round, error: f64| (round, Run { time: error * (share + path), share, path });
            vec![vec![run(1, 1.0), run(2, 1.02)]]
        };
        let positions = [position(1.0, 0.1), position(1.0, 0.4)];
        let whole = fitted(&positions);
        let over = over_positions(&whole, &positions, 1).expect("two positions");
        let anything = Bounds { lower: 0.0, upper: f64::INFINITY };
        assert_eq!((over.a, over.b), (anything, anything));
    }

    /// All runs of a round are slowed alike. Draws of each cell on its own would take that for
    /// luck, which the many cells leave no trace of.
    #[test]
    fn a_slow_round_is_drawn_for_all_cells() {
        let slowed = |(round, run): (u32, Run)| {
            let slow = [1.0, 1.05, 0.95, 1.02, 0.97, 1.01][round as usize - 1];
            (round, Run { time: run.time * slow, ..run })
        };
        let six = |cell: Vec<(u32, Run)>| (1..7).map(|n| slowed((n, cell[0].1))).collect();
        let cells_of = |cells: Cells| cells.into_iter().map(six).collect();
        let positions: Vec<Cells> = cells().into_iter().map(cells_of).collect();
        let over = over_runs(&fitted(&positions), &positions, 1).expect("six rounds");
        // The mean of six draws from factors with a deviation of 3.3% has one of 1.3%. The ends
        // reach 2.8 of these to each side.
        let half = (over.a.upper / over.a.lower).ln() / 2.0;
        assert!((0.03..0.05).contains(&half), "{half}");
    }

    #[test]
    fn intervals_are_about_the_fit() {
        let positions = cells();
        let whole = fitted(&positions);
        let narrow = over_runs(&whole, &positions, 1).expect("three runs a cell");
        let wide = over_positions(&whole, &positions, 1).expect("twenty positions");
        for (value, narrow, wide) in [(whole.a, narrow.a, wide.a), (whole.b, narrow.b, wide.b)] {
            assert!(wide.lower < narrow.lower && narrow.upper < wide.upper, "{narrow:?} {wide:?}");
            assert!(narrow.lower < value && value < narrow.upper, "{value} {narrow:?}");
        }
        let again = over_runs(&whole, &positions, 1);
        assert_eq!(again, Some(narrow), "an equal seed, an equal interval");
        let mut single = positions.clone();
        single[5][1].truncate(1);
        assert_eq!(over_runs(&whole, &single, 1), None);
        assert_eq!(over_positions(&whole, &positions[..1], 1), None);
    }
}
