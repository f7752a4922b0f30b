//! Deming regression: a line through points both of whose coordinates have errors.
//!
//! Ordinary least squares takes the abscissa for exact, and errors in it flatten the line. Here the
//! ratio of the two variances is given, and the line is the likeliest one under it. Sources:
//! W. E. Deming, "Statistical Adjustment of Data", 1943; K. Linnet, "Evaluation of regression
//! procedures for methods comparison studies", Clinical Chemistry 39 (1993) 424-432, for the
//! interval by the jackknife.

use super::Bounds;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The fewest points: with two there is a line, and no interval.
const LEAST: usize = 3;

/// A line, with the 95% intervals of its two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The rise of the ordinate with the abscissa.
    pub slope: f64,
    /// The interval of the slope.
    pub slope_ci: Bounds,
    /// The ordinate at abscissa 0.
    pub intercept: f64,
    /// The interval of the intercept.
    pub intercept_ci: Bounds,
}

/// The line through `points`, each an abscissa and an ordinate.
///
/// `ratio` is the variance of the errors of ordinates over that of abscissas, above 0; infinity
/// gives ordinary least squares. The intervals are Student's with `n - 2` degrees of freedom. Their
/// standard errors are of the jackknife, in which each point is left out once. None with fewer than
/// three points, or with numbers that are not finite. None either where the points have no
/// direction, or have none without one of them.
pub fn line(points: &[(f64, f64)], ratio: f64) -> Option<Line> {
    let n = points.len();
    if n < LEAST {
        return None;
    }
    let (slope, intercept) = fit(points, ratio)?;
    let without = |left_out: usize| {
        let mut rest = points.to_vec();
        rest.remove(left_out);
        fit(&rest, ratio)
    };
    let others: Vec<(f64, f64)> = (0..n).map(without).collect::<Option<_>>()?;
    let t = StudentsT::new(0.0, 1.0, (n - 2) as f64).ok()?.inverse_cdf(0.975);
    let interval = |value: f64, of: fn(&(f64, f64)) -> f64| {
        // The spread of the pseudovalues n value - (n - 1) other.
        let mean = others.iter().map(of).sum::<f64>() / n as f64;
        let squares: f64 = others.iter().map(|other| (of(other) - mean).powi(2)).sum();
        let error = (squares * (n - 1) as f64 / n as f64).sqrt();
        Bounds { lower: value - t * error, upper: value + t * error }
    };
    let (slope_ci, intercept_ci) =
        (interval(slope, |(slope, _)| *slope), interval(intercept, |(_, intercept)| *intercept));
    Some(Line { slope, slope_ci, intercept, intercept_ci })
}

/// The slope and the intercept.
fn fit(points: &[(f64, f64)], ratio: f64) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|(x, _)| *x), mean(|(_, y)| *y));
    let moment =
        |of: fn((f64, f64)) -> f64| points.iter().map(|(a, b)| of((a - x, b - y))).sum::<f64>();
    let (xx, xy, yy) = (moment(|(a, _)| a * a), moment(|(a, b)| a * b), moment(|(_, b)| b * b));
    let slope = if ratio.is_infinite() {
        xy / xx
    } else {
        let gap = yy - ratio * xx;
        let root = (gap * gap + 4.0 * ratio * xy * xy).sqrt();
        // Two forms of one root: each where nothing cancels.
        if gap > 0.0 { (gap + root) / (2.0 * xy) } else { 2.0 * ratio * xy / (root - gap) }
    };
    let line = (slope, y - slope * x);
    (line.0.is_finite() && line.1.is_finite()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    /// The points of Pearson, "On lines and planes of closest fit", 1901.
    const PEARSON: [(f64, f64); 10] = [
        (0.0, 5.9),
        (0.9, 5.4),
        (1.8, 4.4),
        (2.6, 4.6),
        (3.3, 3.5),
        (4.4, 3.7),
        (5.2, 2.8),
        (6.1, 2.8),
        (6.5, 2.4),
        (7.4, 1.5),
    ];

    /// Pearson's own line is y = 5.784 - 0.546 x. The intervals, and the figures for other ratios,
    /// are from a search of the least sum of squares by golden sections, in Python.
    #[test]
    fn gives_the_line_of_pearson_and_those_of_a_search_for_the_least_squares() {
        for (ratio, slope, slope_ci, intercept, intercept_ci) in [
            (
                1.0,
                -0.545_561_2,
                [-0.630_423_1, -0.460_699_3],
                5.784_043_8,
                [5.407_954_0, 6.160_133_6],
            ),
            (
                4.0,
                -0.541_368_0,
                [-0.629_187_7, -0.453_548_3],
                5.768_025_7,
                [5.376_565_3, 6.159_486_1],
            ),
            (
                0.25,
                -0.553_904_6,
                [-0.632_174_3, -0.475_634_8],
                5.815_915_4,
                [5.471_876_1, 6.159_954_7],
            ),
        ] {
            let found = line(&PEARSON, ratio).expect("a line");
            let ends = |ci: Bounds| [ci.lower, ci.upper];
            let all = [found.slope, found.intercept].into_iter();
            let all = all.chain(ends(found.slope_ci)).chain(ends(found.intercept_ci));
            let expected = [slope, intercept].into_iter().chain(slope_ci).chain(intercept_ci);
            for (value, expected) in all.zip(expected) {
                assert!(near(value, expected, 1e-6), "{ratio}: {value} is not {expected}");
            }
        }
    }

    #[test]
    fn exact_abscissas_are_ordinary_least_squares_and_both_ways_agree() {
        let found = line(&PEARSON, f64::INFINITY).expect("a line");
        assert!(near(found.slope, -0.5396, 1e-4) && near(found.intercept, 5.7612, 1e-4));
        assert!(near(line(&PEARSON, 1e12).expect("a line").slope, found.slope, 1e-6));
        let turned = PEARSON.map(|(x, y)| (y, x));
        let (one, other) = (line(&PEARSON, 4.0), line(&turned, 0.25));
        let product = one.expect("a line").slope * other.expect("a line").slope;
        assert!(near(product, 1.0, 1e-9), "{product}");
    }

    #[test]
    fn there_is_no_line_without_a_direction() {
        let none = |points: &[(f64, f64)]| line(points, 1.0).is_none();
        assert!(none(&[(0.0, 0.0), (1.0, 1.0)]), "two points have no interval");
        assert!(none(&[(1.0, 0.0), (1.0, 1.0), (1.0, 2.0)]));
        let flat = line(&[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)], 1.0).expect("a line");
        assert_eq!((flat.slope, flat.intercept), (0.0, 1.0));
        assert!(none(&[(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)]));
    }

    /// Points about y = 0.1 + 0.9 x, as many as a grid of 4 x 4 has, with errors on both sides.
    #[test]
    fn the_interval_has_the_slope_in_it_as_often_as_it_says() {
        const TIMES: usize = 2000;
        let mut state = 1_u64;
        let mut draw = || {
            // Twelve uniform numbers: a normal one, nearly.
            let uniform = |_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 11) as f64 / (1_u64 << 53) as f64
            };
            (0..12).map(uniform).sum::<f64>() - 6.0
        };
        let mut inside = 0;
        for _ in 0..TIMES {
            let point = |n| {
                let x = f64::from(n) / 15.0;
                (x + 0.05 * draw(), 0.1 + 0.9 * x + 0.05 * draw())
            };
            let points: Vec<(f64, f64)> = (0..16).map(point).collect();
            let ci = line(&points, 1.0).expect("a line").slope_ci;
            inside += usize::from(ci.lower <= 0.9 && 0.9 <= ci.upper);
        }
        let share = inside as f64 / TIMES as f64;
        assert!((0.93..=0.97).contains(&share), "{share}");
    }
}
