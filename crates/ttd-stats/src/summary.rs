//! Summaries of a list of numbers: its middle, its spread, its box and whiskers.

use super::bounds::Bounds;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

/// The numbers in ascending order.
pub fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The quantile `q` (0 to 1) of ascending numbers by linear interpolation between order statistics
/// (Hyndman and Fan's type 7, as in R and `NumPy`). Infinite values are allowed: an interpolation
/// that touches one is infinite. None without numbers.
pub fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    let (below, share) = place(sorted.len(), q)?;
    let low = sorted[below];
    Some(if share > 0.0 { between(low, sorted[below + 1], share) } else { low })
}

/// The quantile `q` (0 to 1) by linear interpolation; none without numbers.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let (below, share) = place(values.len(), q)?;
    // Only the neighbours of the quantile need be in order.
    let mut values = values.to_vec();
    let (_, &mut low, above) = values.select_nth_unstable_by(below, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp).filter(|_| share > 0.0);
    Some(next.map_or(low, |next| between(low, next, share)))
}

/// The index below a quantile of `count` ascending numbers, and the share of the way to the next.
fn place(count: usize, q: f64) -> Option<(usize, f64)> {
    let at = q.clamp(0.0, 1.0) * count.checked_sub(1)? as f64;
    Some((at.floor() as usize, at - at.floor()))
}

/// The number at this share (above 0, below 1) of the way from one number to another that is not
/// less.
pub(super) fn between(low: f64, high: f64, share: f64) -> f64 {
    // Infinity - infinity is no number.
    if low.is_infinite() || low.total_cmp(&high).is_eq() { low } else { low + share * (high - low) }
}

/// The median; of an even number of values the mean of the middle two. None without numbers.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The arithmetic mean; none without numbers.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The geometric mean of non-negative numbers; none without numbers.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    mean(&values.iter().map(|value| value.ln()).collect::<Vec<_>>()).map(f64::exp)
}

/// The standard deviation with n-1; none with fewer than two numbers.
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The skewness: the mean cube of the distances from the mean, over the cube of the deviation with
/// n.
/// It is above 0 with a longer tail above. None without numbers, and if all are equal.
pub fn skewness(values: &[f64]) -> Option<f64> {
    let middle = mean(values)?;
    let power = |n: i32| mean(&values.iter().map(|v| (v - middle).powi(n)).collect::<Vec<_>>());
    let is_alike = values.iter().all(|value| value.total_cmp(&values[0]).is_eq());
    let skewness = power(3)? / power(2)?.powf(1.5);
    (!is_alike).then_some(skewness)
}

/// The interval of the mean of the population at this confidence (between 0 and 1), by Student's t.
/// None with fewer than two numbers.
pub fn mean_interval(values: &[f64], confidence: f64) -> Option<Bounds> {
    let (mean, deviation) = (mean(values)?, standard_deviation(values)?);
    let n = values.len() as f64;
    let t = StudentsT::new(0.0, 1.0, n - 1.0).ok()?.inverse_cdf(f64::midpoint(1.0, confidence));
    let half = t * deviation / n.sqrt();
    Some(Bounds { lower: mean - half, upper: mean + half })
}

/// The root of the mean square distance from the median. Säfström and Yllmark (KTH 2024) call it
/// the standard deviation from the median. None with fewer than two numbers.
pub fn deviation_from_median(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let median = median(values)?;
    let squares: f64 = values.iter().map(|v| (v - median).powi(2)).sum();
    Some((squares / values.len() as f64).sqrt())
}

/// The median of the distances from the median (unscaled); none with fewer than two numbers.
pub fn median_absolute_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let middle = median(values)?;
    median(&values.iter().map(|v| (v - middle).abs()).collect::<Vec<_>>())
}

/// The order statistics (from 0) that enclose the median of a population with at least 95%
/// confidence, whatever its distribution. `n` is the size of the sample. None below 6: there even
/// the extremes do not reach 95%.
///
/// The least and greatest of the pair miss the median with probability P(Binomial(n, 1/2) <= k)
/// each, k being the lower index.
pub fn median_interval_ranks(n: usize) -> Option<(usize, usize)> {
    let binomial = Binomial::new(0.5, n as u64).ok()?;
    let low = (0..n / 2).take_while(|&k| binomial.cdf(k as u64) <= 0.025).last()?;
    Some((low, n - 1 - low))
}

/// The least, the quartiles and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveNumbers {
    /// The least.
    pub min: f64,
    /// The lower quartile.
    pub q1: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub q3: f64,
    /// The greatest.
    pub max: f64,
}

impl FiveNumbers {
    /// The five numbers of `values`; none without numbers.
    pub fn of(values: &[f64]) -> Option<FiveNumbers> {
        let sorted = sorted(values);
        let [min, q1, median, q3, max] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| quantile_of_sorted(&sorted, q));
        Some(FiveNumbers { min: min?, q1: q1?, median: median?, q3: q3?, max: max? })
    }
}

/// The figures of a box-and-whiskers plot (Tukey's). The box is the quartiles. A whisker ends at
/// the last number within 1.5 interquartile ranges of the box. Numbers beyond are outliers.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxed {
    /// The five numbers, outliers included.
    pub five: FiveNumbers,
    /// The end of the lower whisker: a number of the data, never above q1.
    pub whisker_low: f64,
    /// The end of the upper whisker: a number of the data, never below q3.
    pub whisker_high: f64,
    /// The numbers beyond the whiskers, ascending.
    pub outliers: Vec<f64>,
}

impl Boxed {
    /// The box and whiskers of `values`; none without numbers.
    pub fn of(values: &[f64]) -> Option<Boxed> {
        let five = FiveNumbers::of(values)?;
        let reach = 1.5 * (five.q3 - five.q1);
        let inside = |v: &&f64| **v >= five.q1 - reach && **v <= five.q3 + reach;
        let whisker = |pick: fn(f64, f64) -> f64, from: f64| {
            values.iter().filter(inside).copied().fold(from, pick)
        };
        let outliers = sorted(&values.iter().filter(|v| !inside(v)).copied().collect::<Vec<_>>());
        Some(Boxed {
            five,
            whisker_low: whisker(f64::min, five.q1),
            whisker_high: whisker(f64::max, five.q3),
            outliers,
        })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, clippy::unreadable_literal)] // Exact figures are meant, some as a program printed them.
mod tests {
    use super::*;

    #[test]
    fn medians_and_quartiles_interpolate() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
        // The figures are the defaults of R and NumPy.
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.25), Some(1.75));
        assert_eq!(quantile(&[7.0], 0.9), Some(7.0));
    }

    #[test]
    fn a_quantile_does_not_depend_on_the_order() {
        for n in 0..40 {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i * i % 17)).collect();
            for q in [0.0, 0.025, 0.25, 0.5, 0.61, 0.975, 1.0] {
                assert_eq!(quantile(&values, q), quantile_of_sorted(&sorted(&values), q));
            }
        }
    }

    #[test]
    fn infinities_do_not_become_nan() {
        let inf = f64::INFINITY;
        assert_eq!(median(&[1.0, inf, inf]), Some(inf));
        assert_eq!(median(&[1.0, inf]), Some(inf));
        assert_eq!(median(&[1.0, 2.0, inf]), Some(2.0));
        assert_eq!(geometric_mean(&[2.0, inf]), Some(inf));
        assert_eq!(geometric_mean(&[2.0, 0.0]), Some(0.0));
    }

    #[test]
    fn the_mean_has_students_interval() {
        // The quantile of t with 4 degrees of freedom is 2.776445.
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.95).expect("enough data");
        let half = 2.776_445 * (2.5f64 / 5.0).sqrt();
        assert!((interval.lower - 3.0 + half).abs() < 1e-5, "{interval:?}");
        assert!((interval.upper - 3.0 - half).abs() < 1e-5, "{interval:?}");
        assert_eq!(mean_interval(&[1.0], 0.95), None);
        let same = mean_interval(&[2.0, 2.0], 0.95).expect("enough data");
        assert_eq!((same.lower, same.upper), (2.0, 2.0));
    }

    #[test]
    fn deviations() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert!(
            (standard_deviation(&values).expect("enough data") - (32.0f64 / 7.0).sqrt()).abs()
                < 1e-12
        );
        // About the median 4.5: 6.25 + 3 * 0.25 + 2 * 0.25 + 6.25 + 20.25 = 34.
        assert!(
            (deviation_from_median(&values).expect("enough data") - (34.0f64 / 8.0).sqrt()).abs()
                < 1e-12
        );
        assert_eq!(median_absolute_deviation(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), Some(1.0));
        assert_eq!(standard_deviation(&[1.0]), None);
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn spreads_agree_with_another_program() {
        let values = [1.62, 1.71, 1.55, 1.8, 1.66, 1.74, 4.9, 1.69, 1.58, 0.41, 1.77, 1.7];
        let mean = mean_interval(&values, 0.95).expect("enough data");
        let quartile = |q| quantile(&values, q);
        for (found, expected) in [
            (standard_deviation(&values), 1.03204526269075),
            (deviation_from_median(&values), 0.999303924406051),
            (median_absolute_deviation(&values), 0.075),
            (skewness(&values), 2.20384109976485),
            (geometric_mean(&values), 1.63327713310506),
            (quartile(0.25), 1.61),
            (median(&values), 1.695),
            (quartile(0.75), 1.7475),
            (Some(mean.lower), 1.18843639079978),
            (Some(mean.upper), 2.49989694253356),
        ] {
            let found = found.expect("enough data");
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
        let boxed = Boxed::of(&values.map(f64::ln)).expect("enough data");
        assert_eq!(boxed.outliers, [0.41f64, 4.9].map(f64::ln));
        let deviation = standard_deviation(&values).expect("enough data");
        assert!((deviation / mean_of(&values) - 0.559626893461).abs() < 1e-9);
        for (n, ranks) in
            [(6, (0, 5)), (7, (0, 6)), (10, (1, 8)), (20, (5, 14)), (50, (17, 32)), (101, (40, 60))]
        {
            assert_eq!(median_interval_ranks(n), Some(ranks));
        }
    }

    fn mean_of(values: &[f64]) -> f64 {
        mean(values).expect("enough data")
    }

    #[test]
    fn median_interval_starts_at_six() {
        assert_eq!(median_interval_ranks(0), None);
        assert_eq!(median_interval_ranks(5), None);
        assert_eq!(median_interval_ranks(6), Some((0, 5)));
        // Tabulated, e.g. Conover: n = 10 gives the 2nd and 9th, n = 20 the 6th and 15th.
        assert_eq!(median_interval_ranks(10), Some((1, 8)));
        assert_eq!(median_interval_ranks(20), Some((5, 14)));
        assert_eq!(median_interval_ranks(50), Some((17, 32)));
    }

    #[test]
    fn whiskers_end_at_data_and_outliers_lie_beyond() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 20.0];
        let boxed = Boxed::of(&values).expect("enough data");
        assert_eq!((boxed.whisker_low, boxed.whisker_high), (1.0, 5.0));
        assert_eq!(boxed.outliers, [20.0]);
        let one = Boxed::of(&[3.0]).expect("enough data");
        assert_eq!((one.whisker_low, one.whisker_high), (3.0, 3.0));
        assert!(one.outliers.is_empty());
    }

    #[test]
    fn a_whisker_never_ends_inside_its_box() {
        // q3 = 5.75 lies between 1 and 20. But 20 is out of reach, so the whisker ends at q3.
        let boxed = Boxed::of(&[1.0, 1.0, 1.0, 20.0]).expect("enough data");
        assert!(boxed.whisker_high >= boxed.five.q3);
    }
}
