//! The minimum of a function of one number.
//!
//! The values of a smooth function tell the place of its minimum to half of the digits only; its
//! slope tells all of them. So a minimum is looked for by values first ([`minimise`]), then by the
//! sign of the slope ([`sharpened`]).

/// The number of equal steps that look for the valley, and of golden sections that then find its
/// floor.
const STEPS: usize = 64;
const SECTIONS: usize = 60;

/// The place in `[low, high]` where a function is least. The function may have several valleys,
/// none narrower than a 64th of the range.
pub fn minimise(low: f64, high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let step = (high - low) / STEPS as f64;
    if step <= 0.0 {
        return low;
    }
    let at = |i: usize| low + step * i as f64;
    let (best, _) = (0..=STEPS)
        .map(|i| (i, function(at(i))))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or_default();
    golden_section(at(best.saturating_sub(1)), at((best + 1).min(STEPS)), function)
}

/// The distance of a minimum from the place that the values of the function give, as a share of the
/// range.
const BLUR: f64 = 1e-6;
/// The number of halvings of a range twice as wide: more than a number has digits.
const HALVINGS: usize = 100;

/// The zero of the slope of a function near its minimum in `[low, high]`. It is an end where the
/// function is least there. `slope` has the sign of the function's slope.
pub(crate) fn sharpened(low: f64, high: f64, near: f64, slope: impl Fn(f64) -> f64) -> f64 {
    let (mut below, mut above, mut reach) = (near, near, BLUR * (high - low));
    while (below > low && slope(below) >= 0.0) || (above < high && slope(above) <= 0.0) {
        (below, above) = ((near - reach).max(low), (near + reach).min(high));
        reach *= 2.0;
    }
    if below <= low && slope(low) >= 0.0 {
        return low;
    }
    if above >= high && slope(high) <= 0.0 {
        return high;
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(below, above);
        if middle <= below || middle >= above {
            break;
        }
        if slope(middle) < 0.0 { below = middle } else { above = middle }
    }
    f64::midpoint(below, above)
}

fn golden_section(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..SECTIONS {
        if at_left <= at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = function(right);
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn finds_the_deepest_valley() {
        assert!((minimise(-1.0, 5.0, |x| (x - 2.5).powi(2)) - 2.5).abs() < 1e-7);
        // Valleys near -1 and 1, the right one deeper.
        let two = |x: f64| (x * x - 1.0).powi(2) - 0.1 * x;
        assert!((minimise(-2.0, 2.0, two) - 1.012).abs() < 1e-2);
    }

    #[test]
    fn finds_a_minimum_at_an_end() {
        assert!((minimise(1.0, 2.0, |x| x) - 1.0).abs() < 1e-9);
        assert_eq!(minimise(3.0, 3.0, |x| x), 3.0);
    }

    #[test]
    fn the_slope_tells_all_digits() {
        let root = 2f64.sqrt();
        for near in [root, root - 1e-3, root + 1e-9, 1.0, 3.0] {
            assert!((sharpened(1.0, 3.0, near, |x| x * x - 2.0) - root).abs() < 1e-15);
        }
        assert_eq!(sharpened(2.0, 3.0, 2.0 + 1e-9, |x| x * x - 2.0), 2.0);
        assert_eq!(sharpened(0.0, 1.0, 1.0 - 1e-9, |x| x * x - 2.0), 1.0);
        assert_eq!(sharpened(0.5, 0.5, 0.5, |x| x), 0.5);
    }
}
