//! Least squares: the parameters of each model.
//!
//! Every parameter is where the slope of the sum of squares is 0. The sum itself tells half of the
//! digits only.

use crate::minimise::{minimise, sharpened};

/// Amdahl's p, by least squares on log S.
///
/// With `f = 1 - p`, each residual is `ln S + ln(f + (1-f)/N)`. It grows with f, and is zero at
/// Karp and Flatt's f of that point. So the best f lies between the least and the greatest of
/// these.
pub(super) fn amdahl(points: &[(f64, f64)]) -> f64 {
    let serial = |(n, s): &(f64, f64)| (1.0 / s - 1.0 / n) / (1.0 - 1.0 / n);
    let (low, high) = range(points.iter().map(serial));
    // Below this the law gives no speedup at the greatest N at all.
    let low = low.max(-1.0 / (most(points) - 1.0) * (1.0 - 1e-9));
    let points = logarithms(points, |_, s| s.ln());
    let time = |f: f64, n: f64| f + (1.0 - f) / n;
    let residual = |f: f64, (n, log_s): &(f64, f64)| log_s + time(f, *n).ln();
    let squares = |f: f64| points.iter().map(|point| residual(f, point).powi(2)).sum::<f64>();
    let slope = |f: f64| {
        let one =
            |point: &(f64, f64)| residual(f, point) * (1.0 - 1.0 / point.0) / time(f, point.0);
        points.iter().map(one).sum::<f64>()
    };
    1.0 - valley(low, high, squares, slope)
}

/// The exponent of a power, by least squares on log S: a line through the origin over log N.
pub(super) fn power(points: &[(f64, f64)]) -> f64 {
    let products: f64 = points.iter().map(|(n, s)| n.ln() * s.ln()).sum();
    let squares: f64 = points.iter().map(|(n, _)| n.ln().powi(2)).sum();
    products / squares
}

/// The gain of `1 + gain ln N`, by least squares on log S. As for [`amdahl`], the best gain lies
/// between those of single points.
pub(super) fn logarithmic(points: &[(f64, f64)]) -> f64 {
    let (low, high) = range(points.iter().map(|(n, s)| (s - 1.0) / n.ln()));
    // Below this the logarithm gives no speedup at the greatest N at all.
    let low = low.max(-1.0 / most(points).ln() * (1.0 - 1e-9));
    let points: Vec<(f64, f64)> = points.iter().map(|(n, s)| (n.ln(), s.ln())).collect();
    let residual = |gain: f64, (rise, log_s): &(f64, f64)| (1.0 + gain * rise).ln() - log_s;
    let squares = |gain: f64| points.iter().map(|point| residual(gain, point).powi(2)).sum::<f64>();
    let slope = |gain: f64| {
        let one = |point: &(f64, f64)| residual(gain, point) * point.0 / (1.0 + gain * point.0);
        points.iter().map(one).sum::<f64>()
    };
    valley(low, high, squares, slope)
}

/// Contention and coherency, by least squares on log S with neither parameter negative. The
/// candidates are the best on the two edges, and what Newton's method finds from them inside.
pub(super) fn usl(points: &[(f64, f64)]) -> [f64; 2] {
    let efficiencies = logarithms(points, |n, s| (s / n).ln());
    let squares = |at: [f64; 2]| usl_residuals(&efficiencies, at).map(|r| r * r).sum::<f64>();
    let along = |edge: usize| {
        let at = |x: f64| if edge == 0 { [x, 0.0] } else { [0.0, x] };
        // As for Amdahl, each point alone would give this parameter.
        let alone = |(n, s): &(f64, f64)| ((n / s - 1.0) / usl_weights(*n)[edge]).max(0.0);
        let (low, high) = range(points.iter().map(alone));
        at(valley(low, high, |x| squares(at(x)), |x| usl_slopes(&efficiencies, at(x)).by[edge]))
    };
    let edges = [along(0), along(1)];
    // Where the squares rise from an edge to the inside, nothing is to be found there from it.
    let falls = |edge: &usize| usl_slopes(&efficiencies, edges[*edge]).by[1 - edge] < 0.0;
    let inside =
        (0..2).filter(falls).filter_map(|edge| newton(&efficiencies, edges[edge], squares));
    edges
        .into_iter()
        .chain(inside)
        .min_by(|a, b| squares(*a).total_cmp(&squares(*b)))
        .expect("there are two candidates or more")
}

/// The factors of contention and coherency in the inverse of the efficiency.
fn usl_weights(n: f64) -> [f64; 2] {
    [n - 1.0, n * (n - 1.0)]
}

/// The inverse of the efficiency at `n` threads.
fn usl_inverse([a, b]: [f64; 2], n: f64) -> f64 {
    1.0 + a * (n - 1.0) + b * n * (n - 1.0)
}

/// The errors of log S, from the logarithms of the efficiencies.
fn usl_residuals(efficiencies: &[(f64, f64)], at: [f64; 2]) -> impl Iterator<Item = f64> {
    efficiencies.iter().map(move |(n, log)| log + usl_inverse(at, *n).ln())
}

/// Derivatives of half of the sum of squares.
#[derive(Default)]
struct Slopes {
    /// By each parameter.
    by: [f64; 2],
    /// By the first twice, by both, and by the second twice.
    second: [f64; 3],
    /// The second derivatives without the part that the errors have in them (Gauss and Newton):
    /// they always lead downhill.
    gauss_newton: [f64; 3],
}

fn usl_slopes(efficiencies: &[(f64, f64)], at: [f64; 2]) -> Slopes {
    let mut slopes = Slopes::default();
    for ((n, _), error) in efficiencies.iter().zip(usl_residuals(efficiencies, at)) {
        let [da, db] = usl_weights(*n).map(|weight| weight / usl_inverse(at, *n));
        slopes.by[0] += error * da;
        slopes.by[1] += error * db;
        for (index, product) in [da * da, da * db, db * db].into_iter().enumerate() {
            slopes.gauss_newton[index] += product;
            slopes.second[index] += (1.0 - error) * product;
        }
    }
    slopes
}

impl Slopes {
    /// The step to where the slopes would be 0 if the second derivatives stayed; none if these do
    /// not determine it.
    fn step(&self) -> Option<[f64; 2]> {
        let solved = |[aa, ab, bb]: [f64; 3]| {
            let determinant = aa * bb - ab * ab;
            let [a, b] = self.by;
            let step = [(ab * b - bb * a) / determinant, (ab * a - aa * b) / determinant];
            (aa > 0.0 && bb > 0.0 && determinant > 1e-12 * aa * bb).then_some(step)
        };
        solved(self.second).or_else(|| solved(self.gauss_newton))
    }
}

/// The greatest relative change of the modelled speedup in a step of which the sum of squares says
/// nothing.
const SHORT: f64 = 1e-6;
/// The greatest change in a step that is only rounding.
const ROUNDING: f64 = 1e-15;

/// The minimum inside, both parameters above 0, by Newton's method from a place with lower ones
/// beside it. None if there is none, or none is found.
fn newton(
    efficiencies: &[(f64, f64)],
    start: [f64; 2],
    squares: impl Fn([f64; 2]) -> f64,
) -> Option<[f64; 2]> {
    let most = most(efficiencies);
    let mut at = start;
    for _ in 0..100 {
        let step = usl_slopes(efficiencies, at).step()?;
        let moved = |share: f64| [at[0] + share * step[0], at[1] + share * step[1]];
        let [da, db] = usl_weights(most).map(|weight| weight / usl_inverse(at, most));
        let change = (da * step[0]).abs() + (db * step[1]).abs();
        let whole = moved(1.0);
        let is_inside = whole[0] > 0.0 && whole[1] > 0.0;
        if change <= ROUNDING && is_inside {
            return Some(whole);
        }
        // A step goes nine tenths of the way to an edge at most.
        let room = |i: usize| if step[i] < 0.0 { 0.9 * at[i] / -step[i] } else { 1.0 };
        let most = room(0).min(room(1)).min(1.0);
        let mut shares = (0..40).map(|halvings| moved(most * 0.5f64.powi(halvings)));
        let lower = shares.find(|next| squares(*next) < squares(at));
        at = match lower {
            _ if change <= SHORT && is_inside => whole,
            Some(next) => next,
            None => return None,
        };
    }
    None
}

/// Slope and intercept by ordinary least squares.
pub(crate) fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> [f64; 2] {
    let n = points.clone().count() as f64;
    let mean_x = points.clone().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.clone().map(|(_, y)| y).sum::<f64>() / n;
    let xy: f64 = points.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let xx: f64 = points.map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = xy / xx;
    [slope, mean_y - slope * mean_x]
}

/// The minimum of a sum of squares in `[low, high]`; `slope` has the sign of its slope.
fn valley(low: f64, high: f64, squares: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64) -> f64 {
    sharpened(low, high, minimise(low, high, squares), slope)
}

/// The points with a logarithm in place of each speedup. It is taken once, because a minimum is
/// looked for in hundreds of steps.
fn logarithms(points: &[(f64, f64)], of: impl Fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
    points.iter().map(|&(n, s)| (n, of(n, s))).collect()
}

fn most(points: &[(f64, f64)]) -> f64 {
    points.iter().map(|(n, _)| *n).fold(2.0, f64::max)
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}
