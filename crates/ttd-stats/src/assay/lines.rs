//! Two curves, the depths that they have in common, and the lines and the parabola through their
//! mean points.

use crate::least_squares::solve;
use crate::{minimise, summary};

/// The distance, to either side of the straight lines' one, at which bent curves are looked for.
const BENT_WITHIN: f64 = std::f64::consts::LN_2;
/// A distance nearer to the bound than this is the bound: no best one was met.
const NEAR_THE_BOUND: f64 = 1e-6;

/// The result of one search to one depth: its time, and the quality of its move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// The natural logarithm of the time.
    pub log_time: f64,
    /// The loss of the move, 0 or more, in any unit.
    pub loss: f64,
}

/// The points of one search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The depths, ascending.
    pub depths: Vec<u8>,
    /// The points of each depth, one for each position. Both curves of an assay have equal
    /// positions in equal order.
    pub points: Vec<Vec<Point>>,
}

/// The places of the depths whose mean losses lie in the range that both curves have. A loss that
/// lies beyond it by less than half a step between depths counts too. Otherwise chance would decide
/// which of two like curves loses its last depth.
pub(super) fn common(base: &Curve, cell: &Curve) -> [Vec<usize>; 2] {
    let losses = losses_of([base, cell]);
    let [high, low] = range_of_losses(&losses);
    let [most, least] = ends(&losses[0]);
    let half_a_step = (most - least) / (losses[0].len().max(2) as f64 - 1.0) / 2.0;
    let within = (low - half_a_step)..=(high + half_a_step);
    losses.map(|of| (0..of.len()).filter(|at| within.contains(&of[*at])).collect())
}

/// The mean loss of each depth.
pub(super) fn losses_of(curves: [&Curve; 2]) -> [Vec<f64>; 2] {
    let mean = |points: &Vec<Point>| {
        let losses: Vec<f64> = points.iter().map(|of| of.loss).collect();
        summary::mean(&losses).unwrap_or(f64::NAN)
    };
    curves.map(|curve| curve.points.iter().map(mean).collect())
}

/// The greatest and the least loss that both curves have.
pub(super) fn range_of_losses(losses: &[Vec<f64>; 2]) -> [f64; 2] {
    let [a, b] = [&losses[0], &losses[1]].map(|of| ends(of));
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The greatest and the least number.
fn ends(of: &[f64]) -> [f64; 2] {
    of.iter().fold([f64::NEG_INFINITY, f64::INFINITY], |[high, low], number| {
        [high.max(*number), low.min(*number)]
    })
}

/// The lines through the means of both curves.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    /// The common slope, and the slope of each curve.
    pub(super) slope: f64,
    pub(super) own: [f64; 2],
    /// The cell's loss less that of the base at equal time.
    pub(super) difference: f64,
    /// The mean difference of the logarithms of times over common depths; no number without one.
    pub(super) to_depth: f64,
    /// The difference of the logarithms of times at each of two losses, by lines of their own. No
    /// number if one of the lines does not fall.
    pub(super) at_levels: [f64; 2],
}

/// A curve column by column: for each depth the logarithms of times, and the losses.
pub(super) struct Columns {
    curves: [Vec<[Vec<f64>; 2]>; 2],
    /// The places of the common depths in both.
    common: Vec<(usize, usize)>,
    /// Two losses at which the times are compared.
    pub(super) levels: [f64; 2],
}

impl Columns {
    /// The depths of both curves at these places.
    pub(super) fn of(curves: [&Curve; 2], used: &[Vec<usize>; 2], levels: [f64; 2]) -> Columns {
        let depth = |which: usize, at: usize| curves[which].depths[used[which][at]];
        let pairs = (0..used[0].len()).filter_map(|at| {
            let other = (0..used[1].len()).find(|other| depth(1, *other) == depth(0, at))?;
            Some((at, other))
        });
        let column = |points: &[Point]| {
            [
                points.iter().map(|of| of.log_time).collect(),
                points.iter().map(|of| of.loss).collect(),
            ]
        };
        let columns = |which: usize| {
            used[which].iter().map(|at| column(&curves[which].points[*at])).collect()
        };
        Columns { common: pairs.collect(), curves: [columns(0), columns(1)], levels }
    }

    /// The mean point of each depth, if each position counts so many times.
    fn means(&self, times: &[f64]) -> [Vec<[f64; 2]>; 2] {
        let all: f64 = times.iter().sum();
        let mean = |column: &Vec<f64>| {
            column.iter().zip(times).map(|(value, times)| value * times).sum::<f64>() / all
        };
        let depths =
            |depths: &Vec<[Vec<f64>; 2]>| depths.iter().map(|[x, y]| [mean(x), mean(y)]).collect();
        [depths(&self.curves[0]), depths(&self.curves[1])]
    }

    /// The lines, if each position counts so many times. None if all times are equal.
    pub(super) fn lines(&self, times: &[f64]) -> Option<Lines> {
        let means = self.means(times);
        let [base, cell] = [&means[0], &means[1]].map(|points| Sums::of(points));
        let slope = (base.products + cell.products) / (base.squares + cell.squares);
        let apart = |(a, b): &(usize, usize)| means[0][*a][0] - means[1][*b][0];
        let apart: Vec<f64> = self.common.iter().map(apart).collect();
        let own = [base.products / base.squares, cell.products / cell.squares];
        let falls = own.iter().all(|slope| *slope < 0.0);
        let time = |of: &Sums, slope: f64, loss: f64| of.middle[0] + (loss - of.middle[1]) / slope;
        let apart_at = |loss| time(&base, own[0], loss) - time(&cell, own[1], loss);
        slope.is_finite().then(|| Lines {
            slope,
            own,
            at_levels: self.levels.map(|loss| if falls { apart_at(loss) } else { f64::NAN }),
            difference: cell.middle[1] - base.middle[1] - slope * (cell.middle[0] - base.middle[0]),
            to_depth: summary::mean(&apart).unwrap_or(f64::NAN),
        })
    }

    /// The distance of the curves along the time by which one parabola fits both best. The second
    /// value is its slope at the longest time over that at the shortest. None with too few points.
    /// None also if the parabola turns in between, or fits best at the bound of what is looked at.
    pub(super) fn bent(&self, straight: f64) -> Option<(f64, f64)> {
        let means = self.means(&vec![1.0; self.curves[0].first()?[0].len()]);
        let points = |distance: f64| -> Vec<[f64; 2]> {
            let moved = means[1].iter().map(|[x, y]| [x + distance, *y]);
            means[0].iter().copied().chain(moved).collect()
        };
        if points(0.0).len() < 5 {
            return None;
        }
        let error = |distance| parabola(&points(distance)).map_or(f64::INFINITY, |of| of.error);
        let distance = minimise(straight - BENT_WITHIN, straight + BENT_WITHIN, error);
        if (distance - straight).abs() > BENT_WITHIN - NEAR_THE_BOUND {
            return None;
        }
        let ends = points(distance);
        let [first, last] = [f64::min as fn(f64, f64) -> f64, f64::max]
            .map(|pick| ends.iter().map(|[x, _]| *x).reduce(pick).unwrap_or_default());
        let of = parabola(&ends)?;
        let slope = |x: f64| of.terms[1] + 2.0 * of.terms[2] * (x - of.middle);
        let curvature = slope(last) / slope(first);
        (slope(first) < 0.0 && curvature > 0.0).then_some((distance, curvature))
    }
}

/// The sums that a line through points takes.
struct Sums {
    middle: [f64; 2],
    squares: f64,
    products: f64,
}

impl Sums {
    fn of(points: &[[f64; 2]]) -> Sums {
        let mean =
            |which: usize| points.iter().map(|of| of[which]).sum::<f64>() / points.len() as f64;
        let middle = [mean(0), mean(1)];
        let sum = |of: fn([f64; 2]) -> f64| -> f64 {
            points.iter().map(|[x, y]| of([x - middle[0], y - middle[1]])).sum()
        };
        Sums { middle, squares: sum(|[x, _]| x * x), products: sum(|[x, y]| x * y) }
    }
}

/// A parabola through points: its terms about the middle of the times, and its squared error.
struct Parabola {
    middle: f64,
    terms: Vec<f64>,
    error: f64,
}

fn parabola(points: &[[f64; 2]]) -> Option<Parabola> {
    let middle = points.iter().map(|[x, _]| x).sum::<f64>() / points.len() as f64;
    let powers = |x: f64| [1.0, x - middle, (x - middle).powi(2)];
    let equation = |row: usize| -> Vec<f64> {
        let sum = |of: &dyn Fn([f64; 3], f64) -> f64| -> f64 {
            points.iter().map(|[x, y]| of(powers(*x), *y)).sum()
        };
        let left = (0..3).map(|column| sum(&|powers, _| powers[row] * powers[column]));
        left.chain([sum(&|powers, y| powers[row] * y)]).collect()
    };
    let terms = solve((0..3).map(equation).collect())?;
    let fitted =
        |x: f64| powers(x).iter().zip(&terms).map(|(power, term)| power * term).sum::<f64>();
    let error = points.iter().map(|[x, y]| (fitted(*x) - y).powi(2)).sum();
    Some(Parabola { middle, terms, error })
}

/// The covariance of two figures over replicates.
pub(super) fn covariance(all: &[Lines], a: fn(&Lines) -> f64, b: fn(&Lines) -> f64) -> f64 {
    let count = all.len() as f64;
    let mean = |of: fn(&Lines) -> f64| all.iter().map(of).sum::<f64>() / count;
    let (mean_a, mean_b) = (mean(a), mean(b));
    all.iter().map(|of| (a(of) - mean_a) * (b(of) - mean_b)).sum::<f64>() / (count - 1.0)
}
