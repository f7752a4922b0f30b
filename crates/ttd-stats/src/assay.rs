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
use lines::{Columns, Lines, common, covariance, losses_of, range_of_losses};
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
            // A draw whose losses do not fall leaves the ratio open.
            let known = |of: &Lines| Some(of.at_levels[which]).filter(|ratio| !ratio.is_nan());
            let all = replicates.iter().map(|of| known(of).map_or(Bounds::ANY, Bounds::exact));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A curve of five depths, numbered 5 to 9, over so many positions. In `point` the depths are
    /// counted from 0.
    fn curve(positions: usize, point: impl Fn(f64, f64) -> [f64; 2]) -> Curve {
        let at = |depth: u8| {
            let of = |position| point(position as f64, f64::from(depth));
            let point = |[log_time, loss]: [f64; 2]| Point { log_time, loss };
            (0..positions).map(|position| point(of(position))).collect()
        };
        Curve { depths: (5..10).collect(), points: (0..5).map(at).collect() }
    }

    fn base_time(position: f64, depth: f64) -> f64 {
        0.3 * position.sin() + 0.65 * depth - 6.0
    }

    /// The curves of `scripts/statistics-reference.py`.
    fn of_reference() -> [Curve; 2] {
        let base =
            curve(40, |i, d| [base_time(i, d), 20.0 - 3.0 * d + 8.0 * (1.7 * i + 0.9 * d).sin()]);
        let cell = curve(40, |i, d| {
            let time = base_time(i, d) - 0.8 + 0.1 * (2.0 * i + d).cos();
            [time, 21.0 - 3.1 * d + 8.0 * (1.7 * i + 1.3 * d).sin()]
        });
        [base, cell]
    }

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found / expected - 1.0).abs() < within, "{found}, {expected} expected");
    }

    /// The figures are exact; the ends of intervals follow from draws there and from derivatives in
    /// the other program.
    #[test]
    fn figures_agree_with_a_linear_model_of_numpy() {
        let [base, cell] = of_reference();
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        assert_eq!((of.positions, of.depths), (40, [(5, 9); 2]));
        near(of.equal.value, 1.872_971_355_46, 1e-10);
        near(of.slopes.value, 1.015_850_818_66, 1e-10);
        near(of.slope, -4.762_198_266_68, 1e-10);
        let (to_depth, quality) = of.to_depth.zip(of.quality).expect("depths are common");
        near(to_depth.value, 2.226_755_704_95, 1e-10);
        near(quality.value, 0.841_121_166_23, 1e-10);
        near(to_depth.value * quality.value, of.equal.value, 1e-10);
        near(of.bent.expect("enough points"), 1.872_433_69, 1e-6);
        near(of.curvature.expect("enough points"), 0.894_949_363, 1e-5);
        for (figure, lower, upper) in [
            (of.equal, 1.536_093_001_73, 2.177_303_272_44),
            (quality, 0.689_874_552_488, 0.977_560_389_435),
            (of.slopes, 0.817_483_154_412, 1.330_628_937_52),
            (to_depth, 2.214_231_195_65, 2.239_351_057_51),
        ] {
            let ends = figure.set.between().expect("an interval");
            near(ends.lower, lower, 0.015);
            near(ends.upper, upper, 0.015);
        }
        assert_eq!(of.parallel(), Parallel::Open);
    }

    /// A search that needs half the time, and is a third of it short in quality, at every position.
    #[test]
    fn a_shift_is_found_exactly_and_split() {
        let third = 1.5f64.ln();
        let base = curve(30, |i, d| [base_time(i, d), 30.0 - 4.0 * base_time(i, d) + i.cos()]);
        let cell = curve(30, |i, d| {
            let time = base_time(i, d) - 2f64.ln();
            [time, 30.0 - 4.0 * (time + 2f64.ln() - third) + i.cos()]
        });
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        near(of.equal.value, 2.0 / 1.5, 1e-9);
        near(of.to_depth.expect("common depths").value, 2.0, 1e-9);
        near(of.quality.expect("common depths").value, 1.0 / 1.5, 1e-9);
        near(of.bent.expect("points"), 2.0 / 1.5, 1e-6);
        near(of.curvature.expect("points"), 1.0, 1e-6);
        assert_eq!(of.parallel(), Parallel::Shown);
        let set = of.equal.set.between().expect("an interval");
        assert!(set.lower <= 2.0 / 1.5 + 1e-9 && set.upper >= 2.0 / 1.5 - 1e-9, "{set:?}");
    }

    /// A bent curve and its shifted like: the parabola finds the shift, and tells the bend.
    #[test]
    fn a_bend_is_reported() {
        let loss = |time: f64| 20.0 - 4.0 * time + 0.5 * time * time;
        let base = curve(30, |i, d| [base_time(0.0 * i, d), loss(base_time(0.0, d))]);
        let cell = curve(30, |i, d| {
            let time = base_time(0.0 * i, d) - 1.0;
            [time, loss(time + 0.7)]
        });
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        near(of.bent.expect("points"), 0.7f64.exp(), 1e-4);
        // From the shortest time to the longest: the cell's first loss is beyond those of the base.
        let slope = |time: f64| -4.0 + time;
        near(of.curvature.expect("points"), slope(-3.4) / slope(-6.0), 1e-3);
        // It is looked for within ln 2 of the lines' distance, and a bound is no best place.
        let levels = range_of_losses(&losses_of([&base, &cell]));
        let of = Columns::of([&base, &cell], &common(&base, &cell), levels);
        near(of.bent(0.1).expect("within").0, 0.7, 1e-4);
        assert_eq!((of.bent(-0.1), of.bent(1.5)), (None, None));
    }

    /// Only losses that both curves have count, and half a step beyond.
    #[test]
    fn only_common_losses_count() {
        let base = curve(30, |i, d| [base_time(i, d), 30.0 - 4.0 * d]);
        let cell = curve(30, |i, d| [base_time(i, d) - 1.0, 21.0 - 4.0 * d]);
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        // Losses 30 to 14 and 21 to 5: from 12 to 23.
        assert_eq!(of.depths, [(7, 9), (5, 7)]);
        // Nine of loss are 9/4 plies.
        near(of.equal.value, (1.0 + 0.65 * 9.0 / 4.0f64).exp(), 1e-9);
        of.at_losses
            .iter()
            .zip([21.0, 14.0])
            .for_each(|((loss, _), known)| near(*loss, known, 1e-12));
        let far = curve(30, |i, d| [base_time(i, d), 5.0 - d]);
        assert_eq!(Assay::of(&base, &far, 1), Err(NoAssay::NoCommonLosses));
    }

    /// A cell whose speedup grows with depth has no single ratio: it has one at each loss.
    #[test]
    fn lines_that_are_not_parallel_are_told_by_both_ends() {
        let loss = |depth: f64| 30.0 - 4.0 * depth;
        let base = curve(30, |i, d| [base_time(i, d), loss(d)]);
        // Times grow by 0.65 a ply in the base, and by 0.4 here.
        let cell = curve(30, |i, d| [base_time(i, d) - 0.25 * d, loss(d)]);
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        assert_eq!(of.parallel(), Parallel::Not);
        near(of.slopes.value, 0.65 / 0.4, 1e-9);
        let [(most, first), (least, last)] = of.at_losses;
        near(most, 30.0, 1e-12);
        near(least, 14.0, 1e-12);
        near(first.value, 1.0, 1e-9);
        near(last.value, 1f64.exp(), 1e-9);
    }

    #[test]
    fn no_ratio_has_a_reason() {
        let [base, cell] = of_reference();
        let one = |curve: &Curve| Curve {
            points: curve.points.iter().map(|points| points[..1].to_vec()).collect(),
            ..curve.clone()
        };
        assert_eq!(Assay::of(&one(&base), &one(&cell), 1), Err(NoAssay::FewPositions));
        let rising = curve(40, |i, d| [base_time(i, d), d]);
        assert_eq!(Assay::of(&rising, &rising, 1), Err(NoAssay::NoFall));
        let nothing = Curve::default();
        assert_eq!(Assay::of(&nothing, &nothing, 1), Err(NoAssay::FewPositions));
        assert!(NoAssay::NoFall.to_string().contains("does not fall"));
    }

    /// Losses that chance alone makes have a set without ends.
    #[test]
    fn a_slope_that_may_be_nothing_opens_the_set() {
        let chance = |i: f64, d: f64| 10.0 - 0.05 * d + 8.0 * (1.7 * i + 2.9 * d).sin();
        let base = curve(12, |i, d| [base_time(i, d), chance(i, d)]);
        let cell = curve(12, |i, d| [base_time(i, d) - 1.0, chance(i + 0.5, d)]);
        match Assay::of(&base, &cell, 1) {
            Ok(of) => {
                assert_eq!(of.equal.set.between(), None, "{of:?}");
                assert_ne!(of.parallel(), Parallel::Shown);
            }
            Err(why) => assert_eq!(why, NoAssay::NoFall),
        }
    }

    /// A draw of positions whose loss does not fall has no ratio at a loss: any is possible.
    #[test]
    fn draws_that_do_not_fall_open_the_interval_at_a_loss() {
        for rise in [0.0, 1.0] {
            let loss = |i: f64, d: f64| {
                if i < 1.0 { 20.0 + rise * d } else { 40.0 - 4.0 * d + i }
            };
            let base = curve(4, |i, d| [base_time(i, d), loss(i, d)]);
            let cell = curve(4, |i, d| [base_time(i, d) - 1.0, loss(i, d) + 0.1 * i]);
            let of = Assay::of(&base, &cell, 1).expect("an assay");
            for (loss, figure) in of.at_losses {
                let ends = figure.set.between().expect("two ends");
                assert_eq!((ends.lower, ends.upper), (0.0, f64::INFINITY), "{loss}: {figure:?}");
            }
        }
    }

    #[test]
    fn the_number_of_positions_follows_from_the_width() {
        let [base, cell] = of_reference();
        let of = Assay::of(&base, &cell, 1).expect("an assay");
        let width = |n: f64| {
            let reach = 2.022_690_92 * of.error * (40.0 / n).sqrt();
            2.0 * reach.sinh()
        };
        let needed = of.positions_for(0.1).expect("it varies") as f64;
        assert!(width(needed) <= 0.1 && width(needed - 1.0) > 0.1 - 1e-6, "{needed}");
        let as_now = of.positions_for(width(40.0)).expect("it varies");
        assert!((39..=41).contains(&as_now), "{as_now}");
        let exact = curve(30, |i, d| [base_time(0.0 * i, d), 30.0 - 4.0 * d]);
        assert_eq!(Assay::of(&exact, &exact, 1).expect("an assay").positions_for(0.1), None);
    }
}
