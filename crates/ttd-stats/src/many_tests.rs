//! Many tests at once: what may still be called significant.
//!
//! - [`holm`]: a family has any error with a probability of at most `a`. The source is Holm, "A
//!   simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
//!   1979.
//! - [`false_discovery`]: a share of at most `a` of what is called significant is false, on
//!   average. It is less strict. The source is Benjamini and Hochberg, "Controlling the false
//!   discovery rate", Journal of the Royal Statistical Society B 57(1), 1995.

/// The corrected p-values of a family of tests, in the order given; none is NaN. A reader may call
/// significant those that are at most `a`. Then at most a share `a` of families has an error,
/// however the tests depend on one another.
///
/// The least p is multiplied by the size of the family, the next by one less, and so on. None
/// becomes less than one before it, nor more than 1. So no corrected value falls when a p-value
/// rises.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut corrected = vec![1.0; p.len()];
    let mut before: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        let left = (p.len() - place) as f64;
        before = before.max((left * p[index]).min(1.0));
        corrected[index] = before;
    }
    corrected
}

/// The adjusted p-values of a family of tests, in the order given; none is NaN. A reader may call
/// significant those that are at most `a`. Then at most a share `a` of what is called significant
/// is false, on average over families. That holds for tests that are independent, or depend on
/// each other positively (Benjamini and Yekutieli, Annals of Statistics 29(4), 2001).
///
/// The greatest p stays. The one before it is multiplied by m / (m - 1) in a family of m, the least
/// by m. None becomes more than one after it.
pub fn false_discovery(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut after: f64 = 1.0;
    for (place, &index) in order.iter().enumerate().rev() {
        after = after.min(p[index] * p.len() as f64 / (place + 1) as f64);
        adjusted[index] = after;
    }
    adjusted
}

#[cfg(test)]
#[allow(clippy::unreadable_literal)] // As a program printed them.
mod tests {
    use super::*;
    use crate::draw::Draw;

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn holm_agrees_with_its_definition() {
        // The expected figures are printed by `scripts/paired-reference.py`.
        let close = |p: &[f64], expected: &[f64]| close(&holm(p), expected);
        close(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        close(
            &[0.5, 0.02, 0.02, 0.9, 1e-09, 0.04],
            &[1.0, 0.1, 0.1, 1.0, 6.000000000000001e-09, 0.12],
        );
        close(&[0.6, 0.7, 0.8], &[1.0, 1.0, 1.0]);
        close(&[], &[]);
        close(&[0.3], &[0.3]);
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn false_discovery_agrees_with_scipy() {
        let close = |p: &[f64], expected: &[f64]| close(&false_discovery(p), expected);
        close(&[0.01, 0.04, 0.03, 0.005], &[0.02, 0.04, 0.04, 0.02]);
        close(&[0.5, 0.02, 0.02, 0.9, 1e-9, 0.04], &[0.6, 0.04, 0.04, 0.9, 6e-9, 0.06]);
        close(&[0.6, 0.7, 0.8], &[0.8, 0.8, 0.8]);
        close(&[], &[]);
        close(&[0.3], &[0.3]);
    }

    /// Families of twenty tests about nothing have a claim in about 5 of 100 families. Without the
    /// adjustment it would be in 64.
    #[test]
    fn families_about_nothing_seldom_claim_anything() {
        let mut draw = Draw::new(1, 0);
        let mut claims = 0;
        for _ in 0..2000 {
            let p: Vec<f64> =
                (0..20).map(|_| draw.below(1 << 30) as f64 / f64::from(1 << 30)).collect();
            claims += usize::from(false_discovery(&p).iter().any(|q| *q <= 0.05));
        }
        assert!((70..130).contains(&claims), "{claims}");
    }
}
