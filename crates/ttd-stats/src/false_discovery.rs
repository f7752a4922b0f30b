//! Many tests at once: the share of false ones among those that are called significant.
//!
//! The source is Benjamini and Hochberg, "Controlling the false discovery rate", Journal of the
//! Royal Statistical Society B 57(1), 1995.
//!
//! [`holm`](super::holm) is stricter: there a family has an error at all in few cases.

/// The adjusted p-values of a family of tests, in the order given; none is NaN. A reader may call
/// significant those that are at most `a`. Then at most a share `a` of what is called significant
/// is false, on average over families. That holds for tests that are independent, or depend on
/// each other positively (Benjamini and Yekutieli, Annals of Statistics 29(4), 2001).
///
/// The greatest p stays. The one before it is multiplied by m / (m - 1) in a family of m, the least
/// by m. None becomes more than one after it.
pub fn adjusted(p: &[f64]) -> Vec<f64> {
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
mod tests {
    use super::*;
    use crate::draw::Draw;

    fn close(p: &[f64], expected: &[f64]) {
        let found = adjusted(p);
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} is not {expected:?}");
        }
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn agrees_with_scipy() {
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
            claims += usize::from(adjusted(&p).iter().any(|q| *q <= 0.05));
        }
        assert!((70..130).contains(&claims), "{claims}");
    }
}
