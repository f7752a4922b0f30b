//! Whether a sample is normally distributed: the test of Shapiro and Wilk.
//!
//! The test is that of Shapiro and Wilk, "An analysis of variance test for normality", Biometrika
//! 52(3/4), 1965. The approximations are Royston's, "Remark AS R94", Applied Statistics 44(4),
//! 1995.

use super::summary;
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_3, PI};

/// The sizes of samples for which the approximations were made.
const LEAST: usize = 3;
const MOST: usize = 5000;
/// The size from which on the logarithm of 1 - W is taken to be normal as it is.
const LARGE: usize = 12;

/// The polynomials of Royston, the constant first. The first two correct the two greatest weights,
/// in 1 / √n. The others give mean and logarithmic deviation of the transformed 1 - W: in n below
/// [`LARGE`], in ln n from there on.
const LAST: [f64; 6] = [0.0, 0.221_157, -0.147_981, -2.071_190, 4.434_685, -2.706_056];
const LAST_BUT_ONE: [f64; 6] = [0.0, 0.042_981, -0.293_762, -1.752_461, 5.682_633, -3.582_633];
const SHIFT: [f64; 2] = [-2.273, 0.459];
const MEAN: [f64; 4] = [0.544_0, -0.399_78, 0.025_054, -0.000_671_4];
const DEVIATION: [f64; 4] = [1.382_2, -0.778_57, 0.062_767, -0.002_032_2];
const LARGE_MEAN: [f64; 4] = [-1.586_1, -0.310_82, -0.083_751, 0.003_891_5];
const LARGE_DEVIATION: [f64; 3] = [-0.480_3, -0.082_676, 0.003_030_2];

/// The test of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapiroWilk {
    /// The statistic, above 0 and at most 1. It is about the square of a correlation: that of the
    /// ordered values with the ones that a normal distribution would have.
    pub w: f64,
    /// The probability that a normal sample has a W as small, 0 to 1.
    pub p: f64,
}

impl ShapiroWilk {
    /// Tests a sample of finite values. None with fewer than 3 or more than 5,000 of them, and if
    /// all are equal.
    pub fn of(values: &[f64]) -> Option<ShapiroWilk> {
        let sorted = summary::sorted(values);
        let range = sorted.last()? - sorted.first()?;
        if !(LEAST..=MOST).contains(&sorted.len()) || range <= 0.0 {
            return None;
        }
        // Values of any unit are brought to lengths around 1.
        let mean = summary::mean(&sorted)?;
        let centred: Vec<f64> = sorted.iter().map(|value| (value - mean) / range).collect();
        let weights = weights(sorted.len());
        let along: f64 = weights.iter().zip(&centred).map(|(a, x)| a * x).sum();
        let squares: f64 = centred.iter().map(|x| x * x).sum();
        // Rounding alone could make W greater than 1.
        let w = (along * along / squares).min(1.0);
        Some(ShapiroWilk { w, p: p_value(w, sorted.len()) })
    }
}

/// The polynomial with these coefficients, the constant first.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// The weights of the ordered values of a sample of `n`. Their squares have the sum 1, and the
/// first is the last with the other sign.
fn weights(n: usize) -> Vec<f64> {
    if n == LEAST {
        return vec![-FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2];
    }
    // The expected values of ordered normal values, by Blom's approximation.
    let size = n as f64;
    let expected = |i: usize| ((i + 1) as f64 - 0.375) / (size + 0.25);
    let expected: Vec<f64> = (0..n).map(|i| Normal::standard().inverse_cdf(expected(i))).collect();
    let squares = |values: &[f64]| values.iter().map(|m| m * m).sum::<f64>();
    let (root, u) = (squares(&expected).sqrt(), 1.0 / size.sqrt());
    let corrections: &[[f64; 6]] = if n > 5 { &[LAST, LAST_BUT_ONE] } else { &[LAST] };
    let corrected = corrections.iter().zip(expected.iter().rev());
    let outer: Vec<f64> = corrected.map(|(of, m)| m / root + polynomial(of, u)).collect();
    let inner = outer.len()..n - outer.len();
    let left = 1.0 - 2.0 * squares(&outer);
    let scale = (left / squares(&expected[inner.clone()])).sqrt();
    let middle = expected[inner].iter().map(|m| m * scale);
    let (lower, upper) = (outer.iter().map(|a| -a), outer.iter().rev().copied());
    lower.chain(middle).chain(upper).collect()
}

/// The probability that a normal sample of `n` has a W as small.
fn p_value(w: f64, n: usize) -> f64 {
    if n == LEAST {
        // The distribution is known exactly; the least W is 3/4.
        return (6.0 / PI * (w.sqrt().asin() - FRAC_PI_3)).clamp(0.0, 1.0);
    }
    let (size, missing) = (n as f64, (1.0 - w).ln());
    let z = if n < LARGE {
        let shift = polynomial(&SHIFT, size);
        if missing >= shift {
            return 0.0;
        }
        let deviation = polynomial(&DEVIATION, size).exp();
        (-(shift - missing).ln() - polynomial(&MEAN, size)) / deviation
    } else {
        let deviation = polynomial(&LARGE_DEVIATION, size.ln()).exp();
        (missing - polynomial(&LARGE_MEAN, size.ln())) / deviation
    };
    Normal::standard().sf(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Draw;

    /// Values without an order, and the same with a long tail above.
    fn made(n: u32, with_tail: bool) -> Vec<f64> {
        let value = |i: f64| (7.0 * i + 0.5 * i * i).sin();
        let values = (0..n).map(|i| value(f64::from(i)));
        if with_tail { values.map(f64::exp).collect() } else { values.collect() }
    }

    /// The figures are those of `scripts/statistics-reference.py`. `SciPy` has the quantiles of the
    /// normal distribution to seven digits only.
    #[test]
    fn agrees_with_scipy() {
        for (n, with_tail, w, p) in REFERENCE {
            let test = ShapiroWilk::of(&made(n, with_tail)).expect("a test");
            assert!((test.w / w - 1.0).abs() < 1e-6, "{n} {with_tail}: W {}", test.w);
            assert!((test.p / p - 1.0).abs() < 1e-4, "{n} {with_tail}: p {}", test.p);
        }
    }

    const REFERENCE: [(u32, bool, f64, f64); 14] = [
        (3, false, 0.914_294_571_14, 0.432_568_006_81),
        (3, true, 0.851_677_910_63, 0.244_947_765_66),
        (4, false, 0.972_507_921_63, 0.856_947_090_71),
        (5, true, 0.927_179_979_88, 0.577_270_208_20),
        (8, false, 0.941_026_734_36, 0.621_210_215_91),
        (8, true, 0.808_639_926_98, 0.035_391_822_421),
        (11, true, 0.899_595_081_74, 0.182_756_915_10),
        (12, false, 0.973_553_852_38, 0.944_240_129_18),
        (12, true, 0.884_754_734_43, 0.100_868_619_52),
        (15, true, 0.836_164_454_05, 0.011_128_128_585),
        (50, false, 0.920_814_245_42, 0.002_523_547_420_9),
        (50, true, 0.869_835_851_32, 5.578_861_061_6e-5),
        (500, true, 0.877_912_777_52, 2.112_902_542_6e-19),
        (5000, false, 0.899_187_590_43, 2.398_952_991_5e-49),
    ];

    #[test]
    fn neither_unit_nor_order_matters() {
        let values = made(20, true);
        let test = ShapiroWilk::of(&values).expect("a test");
        let changed: Vec<f64> = values.iter().rev().map(|value| 1e-6 * value + 3.0).collect();
        let other = ShapiroWilk::of(&changed).expect("a test");
        assert!((test.w - other.w).abs() < 1e-8 && (test.p - other.p).abs() < 1e-8);
    }

    #[test]
    fn what_cannot_be_tested() {
        assert_eq!(ShapiroWilk::of(&[]), None);
        assert_eq!(ShapiroWilk::of(&[1.0, 2.0]), None);
        assert_eq!(ShapiroWilk::of(&[0.1; 9]), None, "all are equal");
        assert_eq!(ShapiroWilk::of(&made(5001, false)), None);
        // One value beside equal ones is the least W that there is.
        let worst = ShapiroWilk::of(&[1.0, 1.0, 2.0]).expect("a test");
        assert!((worst.w - 0.75).abs() < 1e-12 && worst.p < 1e-6, "{worst:?}");
    }

    /// Normal samples are called not normal in about 5 of 100 cases, at every size; those with a
    /// tail more often.
    #[test]
    fn normal_samples_are_seldom_refused() {
        let mut draw = Draw::new(1, 0);
        let mut normal = || {
            let share = (draw.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30);
            Normal::standard().inverse_cdf(share)
        };
        for n in [8, 11, 12, 50] {
            let mut refused = [0, 0];
            for _ in 0..2000 {
                let values: Vec<f64> = (0..n).map(|_| normal()).collect();
                let tailed: Vec<f64> = values.iter().map(|value| value.exp()).collect();
                for (count, values) in refused.iter_mut().zip([values, tailed]) {
                    *count += usize::from(ShapiroWilk::of(&values).is_some_and(|t| t.p <= 0.05));
                }
            }
            let [plain, tailed] = refused;
            assert!((70..130).contains(&plain) && tailed > 700, "{n}: {refused:?}");
        }
    }
}
