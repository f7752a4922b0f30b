//! The minimum of a function of one number.

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
}
