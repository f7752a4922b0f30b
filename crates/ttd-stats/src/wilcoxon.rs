//! The signed-rank test: do paired differences lie about 0? (Wilcoxon, "Individual comparisons by
//! ranking methods", Biometrics Bulletin 1, 1945.)
//!
//! Differences are ranked by their size, and the ranks of those above 0 are summed. If neither side
//! were the greater, every difference would be as likely above 0 as below.

use statrs::function::erf::erfc;

/// The most differences, not counting 0, for which the distribution is computed exactly, ties or
/// not. Up to there every count is a whole number below 2^53. With more differences it is taken as
/// normal, without a correction for continuity.
const EXACT_UP_TO: usize = 50;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// The sum of the ranks of the differences above 0.
    pub rank_sum: f64,
    /// The rank sum less its average under the hypothesis that neither side is the greater. It is
    /// above 0 if the differences tend to be above 0, and below 0 if they tend to be below.
    pub excess: f64,
    /// The probability of a sum as far from its average, or further, on either side.
    pub p: f64,
}

impl SignedRank {
    /// The test of these differences. None of them is NaN. Infinite ones are greater than all
    /// others, and not tied with one another.
    ///
    /// Equal sizes get the mean of their ranks. Differences of 0 are ranked with the others, and
    /// then their ranks count on neither side. (Pratt, "Remarks on zeros and ties in the Wilcoxon
    /// signed rank procedures", Journal of the American Statistical Association 54, 1959.) An
    /// example is ten differences, five of them 0: the least of the others has rank 6, not 1.
    pub fn of(differences: &[f64]) -> SignedRank {
        let ranked = ranked(differences);
        let sum = |ranks: &mut dyn Iterator<Item = usize>| ranks.sum::<usize>();
        let above = sum(&mut ranked.iter().filter(|(d, _)| *d > 0.0).map(|(_, rank)| *rank));
        let ranks: Vec<usize> =
            ranked.iter().filter(|(d, _)| *d != 0.0).map(|(_, rank)| *rank).collect();
        let whole = sum(&mut ranks.iter().copied());
        let p =
            if ranks.len() <= EXACT_UP_TO { exact(&ranks, above) } else { normal(&ranks, above) };
        SignedRank {
            rank_sum: above as f64 / 2.0,
            excess: above as f64 / 2.0 - whole as f64 / 4.0,
            p,
        }
    }
}

/// Each difference with twice its rank, which is a whole number also where ranks are shared.
fn ranked(differences: &[f64]) -> Vec<(f64, usize)> {
    let mut sorted = differences.to_vec();
    sorted.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let tied = |a: &f64, b: &f64| a.is_finite() && a.abs().total_cmp(&b.abs()).is_eq();
    let mut ranked = Vec::new();
    for group in sorted.chunk_by(tied) {
        let (first, last) = (ranked.len() + 1, ranked.len() + group.len());
        ranked.extend(group.iter().map(|difference| (*difference, first + last)));
    }
    ranked
}

/// The p from the number of ways to give signs to the ranks, by the resulting sum.
fn exact(ranks: &[usize], above: usize) -> f64 {
    let whole: usize = ranks.iter().sum();
    let mut ways = vec![0.0; whole + 1];
    ways[0] = 1.0;
    for &rank in ranks {
        for sum in (rank..=whole).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    let far: f64 = ways[above.max(whole - above)..].iter().sum();
    (2.0 * far / 2f64.powi(ranks.len() as i32)).min(1.0)
}

/// The p from the normal distribution with the sum's mean and variance. Ties need no other
/// correction: the variance is a quarter of the sum of the squares of the ranks, also of shared
/// ones.
fn normal(ranks: &[usize], above: usize) -> f64 {
    let ranks: Vec<f64> = ranks.iter().map(|rank| *rank as f64 / 2.0).collect();
    let mean = ranks.iter().sum::<f64>() / 2.0;
    let variance = ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
    let far = (above as f64 / 2.0 - mean).abs() / variance.sqrt();
    erfc(far / 2f64.sqrt())
}

/// The least `p` that the test can give with this number of differences that are not 0.
pub fn least_p(differences: usize) -> f64 {
    2f64.powi(1 - differences as i32).min(1.0)
}

#[cfg(test)]
#[allow(clippy::float_cmp, clippy::unreadable_literal)] // Exact figures are meant, as a program printed them.
mod tests {
    use super::*;

    /// Compares with `SciPy`'s figures, as `scripts/paired-reference.py` prints them: the sum of
    /// the ranks above 0, and p.
    fn agrees(differences: &[f64], rank_sum: f64, p: f64) {
        let found = SignedRank::of(differences);
        assert_eq!(found.rank_sum, rank_sum);
        assert!((found.p / p - 1.0).abs() < 1e-9, "{} is not {p}", found.p);
        // The other side has an equal p.
        let turned: Vec<f64> = differences.iter().map(|d| -d).collect();
        let turned = SignedRank::of(&turned);
        assert_eq!((turned.p, turned.excess), (found.p, -found.excess));
    }

    #[test]
    fn agrees_without_ties() {
        // SciPy: exact.
        agrees(
            &[0.9456, 1.4216, 0.9304, -0.7032, 1.5054, 1.0464, 0.063, 1.1811, 0.9646, 0.8941],
            53.0,
            0.005859375,
        );
    }

    #[test]
    fn agrees_with_thirty() {
        // SciPy: exact.
        agrees(
            &[
                0.68905, -0.02275, 0.08694, -1.94147, 2.29971, 1.64417, 0.17458, 1.27381, 0.78121,
                -0.05382, 1.47757, 0.18944, 0.17118, -0.29215, 0.95496, 0.4008, 1.04529, -0.10719,
                0.62683, -0.39227, 1.34146, 0.68804, 0.83057, 0.9105, -0.51076, 1.28318, 2.5567,
                -1.13844, -1.22941, -1.00483,
            ],
            340.0,
            0.026228994131088257,
        );
    }

    #[test]
    fn agrees_with_fifty() {
        // SciPy: exact.
        agrees(
            &[
                1.840919, -2.755665, 0.218099, -0.76777, -0.652649, -0.415597, -2.219986,
                -0.431932, -1.065213, 3.123, 0.025787, -0.552631, -0.481287, -0.868046, -1.255151,
                -0.590801, 0.281945, -0.438554, 0.757759, -0.399802, -0.17574, 1.345821, 0.345106,
                -0.705229, -0.382839, 0.340525, 1.735088, -0.46962, -0.443559, 0.802314, -1.08646,
                -0.49172, 0.682539, 0.38035, -0.108483, 0.470104, -3.028162, 0.821307, -1.159645,
                -1.86862, 0.076446, 0.500545, -0.644767, -1.276406, -0.173875, -0.252747, 1.205598,
                0.547408, -0.006184, 0.911633,
            ],
            506.0,
            0.20795951830847592,
        );
    }

    #[test]
    fn agrees_with_ties() {
        // SciPy: all changes of sign.
        agrees(
            &[1.0, -1.0, 2.0, 2.0, 3.0, 3.0, 3.0, -4.0, 5.0, 6.0, 6.0, 8.0],
            68.5,
            0.01806640625,
        );
    }

    #[test]
    fn agrees_with_zeros() {
        // SciPy: all changes of sign; Pratt's zeros.
        agrees(&[0.0, 0.0, 0.0, 1.0, 1.0, -2.0, 3.0, 3.0, 4.0, 5.0, 0.0, 7.0], 61.0, 0.03125);
    }

    #[test]
    fn agrees_in_the_middle() {
        // SciPy: all changes of sign.
        agrees(&[-1.0, 1.0, -2.0, 2.0, 3.0, -3.0, 4.0], 17.5, 0.65625);
    }

    #[test]
    fn agrees_with_many() {
        // SciPy: normal; no ties.
        agrees(
            &[
                -0.351791, 0.125283, 1.963724, 0.959148, -1.341397, 0.294797, -0.323464, 0.448632,
                -1.308188, 0.541772, 0.535381, 1.875626, 0.616645, 0.810547, -1.193117, 2.552729,
                -1.615646, 1.401802, -0.029904, -0.580647, -0.356285, -0.372015, 0.680189,
                0.189941, 1.782571, -1.529604, 0.296919, -0.592056, 1.075872, -1.81806, -0.043694,
                0.510173, -1.184269, 1.285216, 0.478713, 1.306857, 1.259185, -0.679855, -0.497796,
                0.096668, 1.04796, 1.150967, -0.409685, -0.307197, -0.497823, -0.284238, 0.062077,
                0.168185, 2.358114, -0.206404, 0.011276, 0.758578, -0.653074, -0.068627, 0.313318,
                1.074146, -1.016015, 1.671469, -0.052457, 0.469416,
            ],
            1115.0,
            0.14093432293222757,
        );
    }

    #[test]
    fn agrees_with_many_ties() {
        // SciPy: normal; ties, Pratt's zeros.
        agrees(
            &[
                -0.6, -1.1, -0.0, 0.6, 1.3, 0.3, -0.4, -0.6, 0.9, 1.8, 0.5, -1.0, -0.8, 1.8, 0.4,
                -1.5, 0.1, -1.0, -0.4, -0.3, -0.5, 0.8, 0.1, -0.4, 0.6, 1.0, -1.4, -0.1, -0.8, 0.0,
                -1.1, 0.2, 0.2, -0.1, -0.8, -0.2, -0.9, -1.2, 0.4, -0.9, 1.4, 0.9, -1.8, 0.5, -0.9,
                0.2, 0.2, -1.8, -0.0, -0.1, 1.2, -1.0, 0.9, -0.9, -0.1, -0.6, 1.6, 0.8, 2.6, 0.8,
                1.0, 1.0, -0.4, 0.1, 1.6, -0.2, 0.4, 0.2, 0.8, -0.2, 0.0, 0.4, 0.3, -0.7, 1.1,
                -1.1, -1.0, -1.1, 1.2, -0.2,
            ],
            1626.5,
            0.9559782282774733,
        );
    }

    #[test]
    fn fewer_than_six_never_differ() {
        assert_eq!(SignedRank::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).p, 0.0625);
        assert_eq!(SignedRank::of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).p, 0.03125);
        for n in 0..12 {
            let all_above: Vec<f64> = (1..=n).map(f64::from).collect();
            assert_eq!(SignedRank::of(&all_above).p, least_p(all_above.len()));
        }
    }

    #[test]
    fn what_does_not_differ_at_all_is_no_difference() {
        for zeros in [0, 1, 80] {
            let found = SignedRank::of(&vec![0.0; zeros]);
            assert_eq!((found.rank_sum, found.excess, found.p), (0.0, 0.0, 1.0));
        }
    }

    #[test]
    fn infinite_differences_are_the_greatest_and_not_tied() {
        let infinite = SignedRank::of(&[-1.0, 2.0, f64::INFINITY, f64::INFINITY, -3.0, 4.0]);
        assert_eq!(infinite, SignedRank::of(&[-1.0, 2.0, 5.0, 6.0, -3.0, 4.0]));
        let infinite = SignedRank::of(&[-1.0, 2.0, f64::NEG_INFINITY]);
        assert_eq!(infinite, SignedRank::of(&[-1.0, 2.0, -3.0]));
    }

    #[test]
    fn the_normal_distribution_takes_over_where_it_agrees() {
        // Exact and normal p are close: those of 51 differences, and of these without the least
        // one.
        let differences: Vec<f64> =
            (1..=51).map(|i| if i % 3 == 0 { -f64::from(i) } else { f64::from(i) }).collect();
        let (normal, exact) = (SignedRank::of(&differences).p, SignedRank::of(&differences[1..]).p);
        assert!((normal / exact - 1.0).abs() < 0.1, "{normal}, {exact}");
    }
}
