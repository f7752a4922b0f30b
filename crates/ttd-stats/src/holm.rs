//! Many tests at once: the correction of Holm ("A simple sequentially rejective multiple test
//! procedure", Scandinavian Journal of Statistics 6, 1979).

/// The corrected p-values of a family of tests, in the order given; none is NaN. A reader may call
/// significant those that are at most `a`. Then at most a share `a` of families has an error,
/// however the tests depend on one another.
///
/// The least p is multiplied by the size of the family, the next by one less, and so on. None
/// becomes less than one before it, nor more than 1. So no corrected value falls when a p-value
/// rises.
pub fn corrected(p: &[f64]) -> Vec<f64> {
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

#[cfg(test)]
#[allow(clippy::unreadable_literal)] // As a program printed them.
mod tests {
    use super::*;

    fn close(p: &[f64], expected: &[f64]) {
        let found = corrected(p);
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn agrees_with_the_definition() {
        // The expected figures are printed by `scripts/paired-reference.py`.
        close(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        close(
            &[0.5, 0.02, 0.02, 0.9, 1e-09, 0.04],
            &[1.0, 0.1, 0.1, 1.0, 6.000000000000001e-09, 0.12],
        );
        close(&[0.6, 0.7, 0.8], &[1.0, 1.0, 1.0]);
        close(&[], &[]);
        close(&[0.3], &[0.3]);
    }
}
