//! Variances of many small cells, each drawn towards all of them.
//!
//! A variance from few values is known badly: one that is small by luck would get nearly all of the
//! weight. The source is Smyth, "Linear models and empirical Bayes methods", Statistical
//! Applications in Genetics and Molecular Biology 3(1), 2004. True variances are taken as scaled
//! inverse chi-squared, with `d0` degrees of freedom about `s0²`. Both are estimated from the mean
//! and the variance of the logarithms of the variances that were found.

use statrs::function::gamma::digamma;

/// The least share of the mean variance that a variance counts as. Smaller ones are rounding.
const LEAST: f64 = 1e-6;

/// Each variance drawn towards all: `(d0 s0² + d s²) / (d0 + d)`. `variances` are the `s²`, not
/// negative, each with `degrees` d of freedom, 1 or more.
///
/// A variance below a millionth of their mean counts as that. Where they differ by no more than
/// chance, `d0` is infinite and all become `s0²`. Where all are 0, or there is only one, they stay.
pub(super) fn shrunk(variances: &[f64], degrees: f64) -> Vec<f64> {
    let n = variances.len() as f64;
    let least = LEAST * variances.iter().sum::<f64>() / n;
    if n < 2.0 || least <= 0.0 {
        return variances.to_vec();
    }
    let bounded: Vec<f64> = variances.iter().map(|variance| variance.max(least)).collect();
    let half = degrees / 2.0;
    let logarithms: Vec<f64> =
        bounded.iter().map(|s2| s2.ln() - digamma(half) + half.ln()).collect();
    let mean = logarithms.iter().sum::<f64>() / n;
    let spread = logarithms.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let excess = spread - trigamma(half);
    if excess <= 0.0 {
        return vec![mean.exp(); variances.len()];
    }
    let half_prior = inverse_trigamma(excess);
    let (d0, s0) = (2.0 * half_prior, (mean + digamma(half_prior) - half_prior.ln()).exp());
    bounded.iter().map(|s2| (d0 * s0 + degrees * s2) / (d0 + degrees)).collect()
}

/// The second derivative of the logarithm of the gamma function, for x above 0. It comes from its
/// recurrence up to 10, then from its asymptotic series (Abramowitz and Stegun, 6.4.6, 6.4.12).
fn trigamma(x: f64) -> f64 {
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let bernoulli = [5.0 / 66.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 1.0 / 6.0];
    let series = bernoulli.iter().fold(0.0, |sum, term| (sum + term) * square);
    below + 1.0 / x + square / 2.0 + series / x
}

/// The x above 0 whose [`trigamma`] is this number above 0. Far ends are cut off: a hundred
/// thousandth and a million.
fn inverse_trigamma(value: f64) -> f64 {
    let (mut low, mut high): (f64, f64) = (1e-5, 1e6);
    for _ in 0..100 {
        let middle = (low * high).sqrt();
        if trigamma(middle) > value { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn near(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
    }

    #[test]
    fn trigamma_has_its_known_values() {
        near(trigamma(1.0), PI * PI / 6.0);
        near(trigamma(0.5), PI * PI / 2.0);
        near(trigamma(20.0), 0.051_270_822_935_203_1);
        for x in [0.03, 0.7, 4.0, 300.0] {
            near(inverse_trigamma(trigamma(x)), x);
        }
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn variances_agree_with_scipy() {
        let variances: Vec<f64> =
            (0..12).map(|i| (3.0 * (5.0 * f64::from(i)).sin() - 4.0).exp()).collect();
        let found = shrunk(&variances, 3.0);
        for (i, expected) in EXPECTED {
            near(found[i], expected);
        }
    }

    const EXPECTED: [(usize, f64); 3] =
        [(0, 0.015_105_494_882_9), (1, 0.002_621_868_980_88), (11, 0.002_535_981_391_81)];

    #[test]
    fn what_is_tiny_is_bounded() {
        let found = shrunk(&[0.0, 1e-30, 1.0, 2.0, 0.5], 3.0);
        assert!(found[0] > 1e-7 && found[1] > 1e-7, "{found:?}");
        assert!(found[2] < found[3] && found[4] < found[2], "{found:?}");
    }

    #[test]
    #[allow(clippy::float_cmp)] // Exact figures are meant.
    fn variances_that_are_alike_become_one() {
        let found = shrunk(&[1.0, 1.1, 0.9, 1.05], 3.0);
        assert!(found.iter().all(|s2| *s2 == found[0]), "{found:?}");
        assert_eq!(shrunk(&[0.0, 0.0], 1.0), [0.0, 0.0]);
        assert_eq!(shrunk(&[4.0], 1.0), [4.0]);
        assert!(shrunk(&[], 1.0).is_empty());
    }
}
