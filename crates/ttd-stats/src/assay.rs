//! Relative potency: how much less time a search needs for moves of equal quality.
//!
//! Each search has a curve: the mean loss of its moves by the mean logarithm of its time, depth by
//! depth. Two curves that are parallel lines lie one distance apart, measured along the time. That
//! distance is the logarithm of the ratio of times at equal loss, whatever the loss. Source: the
//! parallel-line assay in D. J. Finney, "Statistical Method in Biological Assay", third edition,
//! 1978. The time is the dose, and the loss is the response.
//!
//! The means of different depths are of the same positions, so that they vary together. Their
//! covariances come from positions that are drawn anew, each with both curves. Both lines are
//! fitted again to every draw. The interval is [`Fieller`]'s, because the distance is a ratio: the
//! difference of the lines over their slope.

mod lines;

pub use lines::{Curve, Point};

use super::Bounds;
use super::bootstrap::{POSITIONS, REPLICATES, expanded_confidence, interval};
use super::draw::Draw;
use super::fieller::{Fieller, Pair};
use super::sittings::student;
use lines::{Columns, Lines, common, losses_of, range_of_losses};
use std::fmt;

/// The ratios of slopes that count as parallel: 0.8 to 1.25, a range that is its own inverse.
pub const PARALLEL: Bounds = Bounds { lower: 0.8, upper: 1.25 };

/// The reasons why there is no ratio of times at equal loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAssay {
    /// There are fewer than two positions.
    FewPositions,
    /// One of the curves has fewer than two depths whose losses the other one has too.
    NoCommonLosses,
    /// The loss of one of the curves, or of both together, does not fall as the time grows.
    NoFall,
}

impl fmt::Display for NoAssay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoAssay::FewPositions => "fewer than two positions are judged whole",
            NoAssay::NoCommonLosses => "fewer than two depths of each have losses in common",
            NoAssay::NoFall => "the loss does not fall as the time grows",
        })
    }
}

/// A figure and its 95% set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The set.
    pub set: Fieller,
}

/// Whether two curves are parallel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// The whole interval of the ratio of slopes lies within [`PARALLEL`].
    Shown,
    /// The interval lies partly within.
    Open,
    /// The interval lies outside.
    Not,
}

/// The ratio of times at equal loss, and the figures that it follows from.
#[derive(Clone, Debug, PartialEq)]
pub struct Assay {
    /// The number of positions.
    pub positions: usize,
    /// The first and the last depth of the base, and of the cell, whose losses the other has too.
    pub depths: [(u8, u8); 2],
    /// The time of the base over that of the cell, at equal loss.
    pub equal: Figure,
    /// The geometric mean of the base's time over the cell's, over positions and common depths.
    /// None if no depth is common.
    pub to_depth: Option<Figure>,
    /// The rest: `equal` over `to_depth`. Below 1 the cell's moves are worse at equal depth.
    pub quality: Option<Figure>,
    /// The loss that e times as much time saves, by the common slope: below 0.
    pub slope: f64,
    /// The slope of the cell over that of the base, each fitted alone.
    pub slopes: Figure,
    /// The slope at the longest time over that at the shortest, by one parabola through both
    /// curves: 1 for straight lines. None with fewer than five depths of both together.
    pub curvature: Option<f64>,
    /// The time of the base over that of the cell, by that parabola.
    pub bent: Option<f64>,
    /// The greatest and the least loss that both curves have, each with the ratio of times there by
    /// lines with slopes of their own. The intervals are expanded percentiles of the draws, because
    /// a slope that may be 0 has no useful error.
    pub at_losses: [(f64, Figure); 2],
    /// The standard error of the logarithm of `equal`.
    pub error: f64,
}

impl Assay {
    /// Compares a cell with its base. Equal seeds draw equal positions.
    ///
    /// # Errors
    /// The reason, if there is no such ratio.
    pub fn of(base: &Curve, cell: &Curve, seed: u64) -> Result<Assay, NoAssay> {
        let positions = base.points.first().map_or(0, Vec::len);
        let deviations = student(positions).ok_or(NoAssay::FewPositions)?;
        let used = common(base, cell);
        if used.iter().any(|depths| depths.len() < 2) {
            return Err(NoAssay::NoCommonLosses);
        }
        let of = Columns::of([base, cell], &used, range_of_losses(&losses_of([base, cell])));
        let found = of.lines(&vec![1.0; positions]).ok_or(NoAssay::NoFall)?;
        if [found.slope, found.own[0], found.own[1]].iter().any(|slope| *slope >= 0.0) {
            return Err(NoAssay::NoFall);
        }
        let mut draw = Draw::new(seed, POSITIONS);
        let replicates: Vec<Lines> = (0..REPLICATES)
            .filter_map(|_| {
                let mut times = vec![0.0; positions];
                (0..positions).for_each(|_| times[draw.below(positions)] += 1.0);
                of.lines(&times)
            })
            .collect();
        // Resampling takes variances too small by (n - 1) / n.
        let scale = positions as f64 / (positions as f64 - 1.0);
        let pair = |above: fn(&Lines) -> f64, below: fn(&Lines) -> f64| {
            let covariance = |a, b| scale * covariance(&replicates, a, b);
            Pair {
                numerator: above(&found),
                denominator: below(&found),
                variances: [
                    covariance(above, above),
                    covariance(above, below),
                    covariance(below, below),
                ],
            }
        };
        let figure = |pair: &Pair| Figure { value: pair.ratio(), set: pair.set(deviations) };
        let power = |pair: &Pair| {
            let of = figure(pair);
            Figure { value: of.value.exp(), set: of.set.map(f64::exp) }
        };
        let at_level = |which: usize| {
            let all = replicates.iter().map(|of| Bounds::exact(of.at_levels[which]));
            let within = interval(&all.collect::<Vec<_>>(), expanded_confidence(positions));
            Figure {
                value: found.at_levels[which].exp(),
                set: within.map_or(Fieller::All, |within| Fieller::Between(within.map(f64::exp))),
            }
        };
        let equal = pair(|of| of.difference, |of| of.slope);
        let bent = of.bent(equal.ratio());
        let has_common = found.to_depth.is_finite();
        let ends = |curve: &Curve, used: &[usize]| {
            let at = |index: Option<&usize>| index.map_or(0, |index| curve.depths[*index]);
            (at(used.first()), at(used.last()))
        };
        Ok(Assay {
            positions,
            depths: [ends(base, &used[0]), ends(cell, &used[1])],
            equal: power(&equal),
            to_depth: has_common.then(|| power(&pair(|of| of.to_depth, |_| 1.0))),
            quality: has_common
                .then(|| power(&pair(|of| of.difference - of.to_depth * of.slope, |of| of.slope))),
            slope: found.slope,
            slopes: figure(&pair(|of| of.own[1], |of| of.own[0])),
            curvature: bent.map(|(_, curvature)| curvature),
            bent: bent.map(|(distance, _)| distance.exp()),
            at_losses: [(of.levels[0], at_level(0)), (of.levels[1], at_level(1))],
            error: equal.error(),
        })
    }

    /// Whether the curves are parallel.
    pub fn parallel(&self) -> Parallel {
        match self.slopes.set {
            Fieller::Between(ends) if PARALLEL.holds(ends.lower) && PARALLEL.holds(ends.upper) => {
                Parallel::Shown
            }
            Fieller::Between(ends)
                if ends.upper < PARALLEL.lower || ends.lower > PARALLEL.upper =>
            {
                Parallel::Not
            }
            // Two rays, with all parallel slopes between them.
            Fieller::Outside(ends)
                if ends.lower < PARALLEL.lower && ends.upper > PARALLEL.upper =>
            {
                Parallel::Not
            }
            _ => Parallel::Open,
        }
    }

    /// The number of positions whose interval is about this wide, relative to the figure (0.25:
    /// 25%), if they vary as these do. None if nothing varies.
    pub fn positions_for(&self, width: f64) -> Option<u64> {
        // From exp(-reach) to exp(reach): the width is twice the hyperbolic sine.
        let reach = student(self.positions)? * self.error;
        let wanted = (width / 2.0).asinh();
        let times = (reach / wanted).powi(2);
        // Below this only rounding varies.
        (reach > 1e-9 && times.is_finite()).then(|| (self.positions as f64 * times).ceil() as u64)
    }
}

/// The covariance of two figures over replicates.
fn covariance(all: &[Lines], a: fn(&Lines) -> f64, b: fn(&Lines) -> f64) -> f64 {
    let count = all.len() as f64;
    let mean = |of: fn(&Lines) -> f64| all.iter().map(of).sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(a), mean(b));
    all.iter().map(|of| (a(of) - mean_a) * (b(of) - mean_b)).sum::<f64>() / (count - 1.0)
}

#[cfg(test)]
mod tests;
