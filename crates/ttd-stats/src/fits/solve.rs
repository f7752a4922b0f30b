//! Least squares: the parameters of each model.
//!
//! The values of a sum of squares give the place of its minimum to half of the digits only; its
//! slope gives all of them. So a minimum is looked for by values first, then by the sign of the
//! slope.

use crate::minimise::minimise;

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
/// candidates are the best on the two edges, and the one that the method of Gauss and Newton finds
/// from them.
pub(super) fn usl(points: &[(f64, f64)]) -> [f64; 2] {
    let efficiencies = logarithms(points, |n, s| (s / n).ln());
    let squares =
        |[a, b]: [f64; 2]| usl_residuals(&efficiencies, [a, b]).map(|r| r * r).sum::<f64>();
    let along = |direction: [f64; 2]| {
        let weight = |n: f64| direction[0] * (n - 1.0) + direction[1] * n * (n - 1.0);
        // As for Amdahl, each point alone would give this parameter.
        let alone = |(n, s): &(f64, f64)| ((n / s - 1.0) / weight(*n)).max(0.0);
        let (low, high) = range(points.iter().map(alone));
        let slope = |x: f64| {
            let residuals = usl_residuals(&efficiencies, direction.map(|d| d * x));
            let one = |((n, _), residual): (&(f64, f64), f64)| {
                residual * weight(*n) / (1.0 + x * weight(*n))
            };
            points.iter().zip(residuals).map(one).sum::<f64>()
        };
        let best = valley(low, high, |x| squares(direction.map(|d| d * x)), slope);
        direction.map(|d| d * best)
    };
    let edges = [along([1.0, 0.0]), along([0.0, 1.0])];
    let inner = edges.map(|start| gauss_newton(&efficiencies, start, squares));
    edges
        .into_iter()
        .chain(inner)
        .min_by(|a, b| squares(*a).total_cmp(&squares(*b)))
        .expect("there are four candidates")
}

/// The errors of log S, from the logarithms of the efficiencies.
fn usl_residuals(efficiencies: &[(f64, f64)], [a, b]: [f64; 2]) -> impl Iterator<Item = f64> {
    let inverse = move |n: f64| 1.0 + a * (n - 1.0) + b * n * (n - 1.0);
    efficiencies.iter().map(move |(n, log)| log + inverse(*n).ln())
}

fn gauss_newton(
    efficiencies: &[(f64, f64)],
    start: [f64; 2],
    squares: impl Fn([f64; 2]) -> f64,
) -> [f64; 2] {
    let mut at = start;
    let along = |at: [f64; 2], step: [f64; 2], share: f64| {
        [(at[0] + share * step[0]).max(0.0), (at[1] + share * step[1]).max(0.0)]
    };
    for _ in 0..50 {
        let Some(step) = usl_step(efficiencies, at) else { return at };
        let here = squares(at);
        let shorter = (0..30)
            .map(|halvings| along(at, step, 0.5f64.powi(halvings)))
            .find(|next| squares(*next) < here);
        let Some(next) = shorter else { break };
        at = next;
    }
    // The squares no longer tell; the step still does.
    for _ in 0..20 {
        let Some(step) = usl_step(efficiencies, at) else { return at };
        let next = along(at, step, 1.0);
        let moved = (next[0] - at[0]).abs() + (next[1] - at[1]).abs();
        if squares(next) > squares(at) * (1.0 + 1e-9) || moved <= 1e-14 * (at[0] + at[1]) {
            break;
        }
        at = next;
    }
    at
}

/// The minimum of the linearised residuals, seen from `[a, b]`, by their normal equations; none if
/// these do not determine it.
fn usl_step(efficiencies: &[(f64, f64)], [a, b]: [f64; 2]) -> Option<[f64; 2]> {
    let (mut aa, mut ab, mut bb, mut ar, mut br) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for ((n, _), residual) in efficiencies.iter().zip(usl_residuals(efficiencies, [a, b])) {
        let inside = 1.0 + a * (n - 1.0) + b * n * (n - 1.0);
        let (da, db) = ((n - 1.0) / inside, n * (n - 1.0) / inside);
        aa += da * da;
        ab += da * db;
        bb += db * db;
        ar += da * residual;
        br += db * residual;
    }
    let determinant = aa * bb - ab * ab;
    let step = [(ab * br - bb * ar) / determinant, (ab * ar - aa * br) / determinant];
    (determinant > 1e-12 * aa * bb).then_some(step)
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
    let near = minimise(low, high, squares);
    // The room is far wider than the range that the squares leave open.
    let room = 1e-6 * (high - low);
    let (mut below, mut above) = ((near - room).max(low), (near + room).min(high));
    if slope(below) >= 0.0 || slope(above) <= 0.0 {
        return near;
    }
    for _ in 0..32 {
        let middle = f64::midpoint(below, above);
        if slope(middle) < 0.0 { below = middle } else { above = middle }
    }
    f64::midpoint(below, above)
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
