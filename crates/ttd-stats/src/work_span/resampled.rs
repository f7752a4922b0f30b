//! Intervals of the coefficients, by resampling.
//!
//! A replicate is refitted by one step of Newton's method from the fit of the runs themselves; sums
//! over its runs are enough for that. It is the k-step bootstrap with k = 1 (Andrews, "Higher-order
//! improvements of a computationally attractive k-step bootstrap for extremum estimators",
//! Econometrica 70(1), 2002). A hundred thousand runs would otherwise take minutes. Where the step
//! is too long for that, the replicate is fitted as the runs themselves were.
//!
//! That theory is of coefficients that are not 0. The interval of a coefficient that is 0 begins at
//! 0.

use super::model::{Run, WorkSpanFit, fit, mixture, scale};
use crate::bootstrap::{
    self, Draw, POSITIONS, REPLICATES, RUNS, expanded_confidence, rescaled_confidence,
};
use crate::bounds::Bounds;

/// The intervals of both coefficients at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// The interval of the coefficient of the share of the work.
    pub a: Bounds,
    /// The interval of the coefficient of the critical path.
    pub b: Bounds,
}

/// The intervals that tell how well the runs were measured. They draw the runs of each cell anew;
/// none if a cell has fewer than two.
pub fn over_runs(fit: &WorkSpanFit, cells: &[Vec<Run>], seed: u64) -> Option<Coefficients> {
    let refit = Refit::near(fit, cells)?;
    let least = cells.iter().map(Vec::len).min().filter(|least| *least >= 2)?;
    let cells: Vec<Vec<Drawable<'_>>> =
        cells.iter().map(|runs| runs.chunks(1).map(|run| refit.drawable(run)).collect()).collect();
    refit.intervals(&cells, Draw::new(seed, RUNS), rescaled_confidence(least))
}

/// The intervals that tell how other positions would differ. They draw positions anew, each with
/// all of its runs; none with fewer than two.
pub fn over_positions(
    fit: &WorkSpanFit,
    positions: &[Vec<Run>],
    seed: u64,
) -> Option<Coefficients> {
    let refit = Refit::near(fit, positions)?;
    if positions.len() < 2 {
        return None;
    }
    let confidence = expanded_confidence(positions.len());
    let positions = positions.iter().map(|runs| refit.drawable(runs)).collect();
    refit.intervals(&[positions], Draw::new(seed, POSITIONS), confidence)
}

/// A unit of drawing: a run, or all runs of a position.
struct Drawable<'a> {
    runs: &'a [Run],
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

/// The fit from which replicates take their step.
struct Refit {
    /// The mixture of that fit.
    p: f64,
    scale: f64,
    /// The greatest change of the logarithm of a run's modelled time by a unit of the mixture.
    steepest: f64,
}

/// The greatest relative change of a run's modelled time in one step. The mixture is linear in p.
/// The derivatives of its logarithm at the beginning of a longer step say too little of its end.
const LONGEST: f64 = 0.1;
/// The least variation of the slopes of the drawn runs. Below it all runs have one ratio of W/N to
/// C.
const LEAST_SPREAD: f64 = 1e-12;

impl Refit {
    fn near(fit: &WorkSpanFit, groups: &[Vec<Run>]) -> Option<Refit> {
        let runs = groups.concat();
        let scale = scale(&runs)?;
        let mut refit = Refit { p: fit.a / (fit.a + fit.b / scale), scale, steepest: 0.0 };
        let steep = runs.iter().map(|run| refit.error_and_slope(run).1.abs());
        refit.steepest = steep.fold(0.0, f64::max);
        Some(refit)
    }

    fn drawable<'a>(&self, runs: &'a [Run]) -> Drawable<'a> {
        Drawable { runs, sums: total(runs.iter().map(|run| self.sums(run))) }
    }

    fn sums(&self, run: &Run) -> Sums {
        let (error, slope) = self.error_and_slope(run);
        [1.0, error, slope, error * slope, slope * slope, error * slope * slope]
    }

    fn error_and_slope(&self, run: &Run) -> (f64, f64) {
        let modelled = mixture(self.p, self.scale, run);
        let slope = (run.share - self.scale * run.path) / modelled;
        ((run.time / modelled).ln(), slope)
    }

    /// The intervals from draws within each group, each draw as large as the group.
    fn intervals(
        &self,
        groups: &[Vec<Drawable<'_>>],
        mut draw: Draw,
        confidence: f64,
    ) -> Option<Coefficients> {
        let replicate = |_| {
            let mut drawn = Vec::new();
            for group in groups {
                drawn.extend((0..group.len()).map(|_| &group[draw.below(group.len())]));
            }
            self.refitted(&drawn)
        };
        let (a, b): (Vec<Bounds>, Vec<Bounds>) = (0..REPLICATES).map(replicate).unzip();
        Some(Coefficients {
            a: bootstrap::interval(&a, confidence)?,
            b: bootstrap::interval(&b, confidence)?,
        })
    }

    /// The coefficients of the drawn runs. Runs that cannot be fitted could have any.
    fn refitted(&self, drawn: &[&Drawable<'_>]) -> (Bounds, Bounds) {
        let anew = || {
            let runs: Vec<Run> = drawn.iter().flat_map(|of| of.runs).copied().collect();
            fit(&runs).map(|fit| [fit.a, fit.b])
        };
        let found = self.step(total(drawn.iter().map(|of| of.sums))).or_else(anew);
        let anything = Bounds { lower: 0.0, upper: f64::INFINITY };
        found.map_or((anything, anything), |[a, b]| (Bounds::exact(a), Bounds::exact(b)))
    }

    /// The coefficients of runs with these sums; none where a step does not lead to them.
    fn step(&self, sums: Sums) -> Option<[f64; 2]> {
        let [_, error, slope, error_slope, curvature, error_curvature] =
            sums.map(|sum| sum / sums[0]);
        let rise = error_slope - error * slope;
        // Where the variance is not convex, the approximation of Gauss and Newton takes its place.
        let spread = curvature - slope * slope;
        let convex = spread + error_curvature - error * curvature;
        let step = rise / if convex > 0.0 { convex } else { spread };
        let p = (self.p + step).clamp(0.0, 1.0);
        let step = p - self.p;
        if spread < LEAST_SPREAD || self.steepest * step.abs() > LONGEST {
            return None;
        }
        let factor = (error - slope * step + curvature * step * step / 2.0).exp();
        Some([factor * p, factor * (1.0 - p) * self.scale])
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::{NO_PATH, NO_WORK, runs};
    use super::*;

    /// Runs of 20 positions and four thread counts, three each. T = 1.1 W/N + 0.9 C but for errors
    /// of each run and of each position.
    fn cells() -> Vec<Vec<Vec<Run>>> {
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
            (0..3).map(run).collect()
        };
        (0..20).map(|position| (1..5).map(|threads| cell(position, threads)).collect()).collect()
    }

    fn fitted(groups: &[Vec<Run>]) -> WorkSpanFit {
        fit(&groups.concat()).expect("enough runs")
    }

    #[test]
    fn one_step_is_nearly_the_whole_way() {
        let positions: Vec<Vec<Run>> = cells().iter().map(|cells| cells.concat()).collect();
        let whole = fitted(&positions);
        let refit = Refit::near(&whole, &positions).expect("a scale");
        let over = over_positions(&whole, &positions, 1).expect("twenty positions");
        let mut draw = Draw::new(3, POSITIONS);
        let mut far = 0;
        for _ in 0..200 {
            let drawn: Vec<Vec<Run>> = (0..20).map(|_| positions[draw.below(20)].clone()).collect();
            let sums = total(drawn.iter().flatten().map(|run| refit.sums(run)));
            let Some([a, b]) = refit.step(sums) else {
                far += 1;
                continue;
            };
            let exact = fitted(&drawn);
            let off =
                |one: f64, other: f64, ci: Bounds| (one - other).abs() / (ci.upper - ci.lower);
            let [a, b] = [off(a, exact.a, over.a), off(b, exact.b, over.b)];
            assert!(a < 0.05 && b < 0.05, "{a} {b}");
        }
        assert!(far < 50, "{far}");
    }

    /// The runs as positions of one run each.
    fn alone(rows: &[[f64; 3]]) -> Vec<Vec<Run>> {
        runs(rows).into_iter().map(|run| vec![run]).collect()
    }

    /// Little may be known of b. Then a step that hardly changes the times of most runs may change
    /// b several times over.
    #[test]
    fn what_is_poorly_known_goes_the_whole_way() {
        let wave = |x: u32| (f64::from(x) * 78.233).sin();
        let position = |n: u32| -> Vec<Run> {
            let run = |threads: u32| {
                let share = 1.0 / f64::from(1 << threads);
                let path = 0.002 * wave(n).exp();
                let error = (0.4 * wave(50 * n + threads)).exp();
                Run { time: (share + 2.0 * path) * error, share, path }
            };
            (1..6).map(run).collect()
        };
        let positions: Vec<Vec<Run>> = (0..8).map(position).collect();
        let whole = fitted(&positions);
        let refit = Refit::near(&whole, &positions).expect("a scale");
        let mut draw = Draw::new(3, POSITIONS);
        let mut far = 0;
        for _ in 0..200 {
            let drawn: Vec<Vec<Run>> = (0..8).map(|_| positions[draw.below(8)].clone()).collect();
            let exact = fitted(&drawn);
            let sums = total(drawn.iter().flatten().map(|run| refit.sums(run)));
            match refit.step(sums) {
                None => far += 1,
                Some([a, b]) => {
                    let off = [a - exact.a, b - exact.b].map(f64::abs);
                    assert!(off[0] < 0.01 && off[1] < 0.15, "{a} {b} {exact:?}");
                }
            }
        }
        assert!((20..160).contains(&far), "{far}");
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
        let position = |share: f64, path: f64| -> Vec<Run> {
            let run = |error: f64| Run { time: error * (share + path), share, path };
            [1.0, 1.02].map(run).to_vec()
        };
        let positions = [position(1.0, 0.1), position(1.0, 0.4)];
        let whole = fitted(&positions);
        let over = over_positions(&whole, &positions, 1).expect("two positions");
        let anything = Bounds { lower: 0.0, upper: f64::INFINITY };
        assert_eq!((over.a, over.b), (anything, anything));
    }

    #[test]
    fn intervals_are_about_the_fit() {
        let cells = cells();
        let (of_cells, of_positions): (Vec<_>, Vec<_>) =
            (cells.concat(), cells.iter().map(|cells| cells.concat()).collect());
        let whole = fitted(&of_cells);
        let narrow = over_runs(&whole, &of_cells, 1).expect("three runs a cell");
        let wide = over_positions(&whole, &of_positions, 1).expect("twenty positions");
        for (value, narrow, wide) in [(whole.a, narrow.a, wide.a), (whole.b, narrow.b, wide.b)] {
            assert!(wide.lower < narrow.lower && narrow.upper < wide.upper, "{narrow:?} {wide:?}");
            assert!(narrow.lower < value && value < narrow.upper, "{value} {narrow:?}");
        }
        assert_eq!(
            over_runs(&whole, &of_cells, 1),
            Some(narrow),
            "the same seed, the same interval"
        );
        let mut single = of_cells;
        single[5].truncate(1);
        assert_eq!(over_runs(&whole, &single, 1), None);
        assert_eq!(over_positions(&whole, &of_positions[..1], 1), None);
    }
}
