//! The stopping rule of a match: the sequential probability ratio test (Wald 1945).
//!
//! The hypotheses fix the strength difference only, and not how games of that difference end. So
//! the ratio is the generalised one: it takes the likeliest distribution of each hypothesis, and
//! compares the likelihoods of the games under them. Fishtest and fastchess compute this ratio (Van
//! den Bergh, "The generalized SPRT", cantate.be/Fishtest). Fishtest's `LLRcalc.py` defines the
//! published figures in the tests.

use super::counts::games_a_unit;
use super::multinomial::{Given, most_likely};
use super::{Counts, ELO_PER_NAT, expected_score};

/// The unit of a test's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Elo, from the expected score.
    Logistic,
    /// Normalised Elo (see [`super::Difference::normalised`]).
    Normalised,
}

/// A test of two hypotheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    scale: Scale,
    lower: f64,
    upper: f64,
}

/// The reason why a test is impossible.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The bounds are not ordered or not finite.
    #[error("elo0 = {elo0}, elo1 = {elo1} found, elo0 < elo1 expected")]
    Bounds {
        /// The first hypothesis.
        elo0: f64,
        /// The second hypothesis.
        elo1: f64,
    },
    /// The error rates are out of their range.
    #[error("alpha = {alpha}, beta = {beta} found, numbers above 0 and below 0.5 expected")]
    Errors {
        /// The rate at which H1 may be accepted where H0 is true.
        alpha: f64,
        /// The rate at which H0 may be accepted where H1 is true.
        beta: f64,
    },
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
}

/// The standing of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The log likelihood ratio of H1 against H0.
    pub llr: f64,
    /// The bound at or below which H0 is accepted: `ln(beta / (1 - alpha))`.
    pub lower: f64,
    /// The bound at or above which H1 is accepted: `ln((1 - beta) / alpha)`.
    pub upper: f64,
    /// The verdict that follows.
    pub verdict: Verdict,
}

/// The count of a score that never came up, as in fishtest: the ratio needs every score to be
/// possible. Without it a better pair never lowers the ratio; with it, by less than 0.001 (swept in
/// the tests).
const NEVER: f64 = 1e-3;

impl Sprt {
    /// A test of two differences, `elo0` (H0) and `elo1` (H1), on `scale`. `alpha` is the rate at
    /// which H1 may be accepted where H0 is true; `beta` is the rate of H0 where H1 is true.
    ///
    /// # Errors
    /// If not `elo0 < elo1`, both finite, or not `0 < alpha, beta < 0.5`.
    pub fn new(
        [elo0, elo1]: [f64; 2],
        alpha: f64,
        beta: f64,
        scale: Scale,
    ) -> Result<Sprt, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        if ![alpha, beta].iter().all(|rate| 0.0 < *rate && *rate < 0.5) {
            return Err(SprtError::Errors { alpha, beta });
        }
        let (lower, upper) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        Ok(Sprt { elo0, elo1, scale, lower, upper })
    }

    /// The standing of the test after these games of the entry under test. Ask after each pair (or
    /// game): the error rates hold then. They are a little smaller than asked for, because the
    /// ratio steps over its bounds.
    pub fn standing<const N: usize>(&self, counts: &Counts<N>) -> Standing {
        let llr = self.log_likelihood_ratio(counts);
        let verdict = if llr >= self.upper {
            Verdict::H1
        } else if llr <= self.lower {
            Verdict::H0
        } else {
            Verdict::Continue
        };
        Standing { llr, lower: self.lower, upper: self.upper, verdict }
    }

    fn log_likelihood_ratio<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        if counts.units() == 0 {
            return 0.0;
        }
        let seen = counts.0.map(|count| if count == 0 { NEVER } else { count as f64 });
        let units: f64 = seen.iter().sum();
        let shares = seen.map(|count| count / units);
        let [under0, under1] =
            [self.elo0, self.elo1].map(|elo| most_likely(&shares, self.given::<N>(elo)));
        let ratios = under1.iter().zip(under0).map(|(one, zero)| (one / zero).ln());
        seen.iter().zip(ratios).map(|(count, ratio)| count * ratio).sum()
    }

    /// The constraint of a hypothesis on the distribution of a unit's score.
    fn given<const N: usize>(&self, elo: f64) -> Given {
        match self.scale {
            Scale::Logistic => Given::Mean(expected_score(elo)),
            Scale::Normalised => {
                // Deviations of a game become deviations of the mean of a unit's games.
                Given::Deviations(elo / (2.0 * ELO_PER_NAT) * (games_a_unit::<N>() as f64).sqrt())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulate::{BIASED, Distribution, all_pairs, improved};
    use super::super::{Pentanomial, Trinomial};
    use super::*;
    use crate::draw::Draw;

    fn test(bounds: [f64; 2], scale: Scale) -> Sprt {
        Sprt::new(bounds, 0.05, 0.05, scale).expect("the bounds are good")
    }

    /// Within the last digit that is published.
    fn gives<const N: usize>(bounds: [f64; 2], scale: Scale, counts: [u64; N], published: f64) {
        let llr = test(bounds, scale).standing(&Counts(counts)).llr;
        assert!((llr - published).abs() < 0.005_1, "{llr} {published}");
    }

    /// The figures are from fastchess (MIT), `app/tests/sprt_test.cpp`. The two kinds of a pair of
    /// one point are added up.
    #[test]
    fn agrees_with_published_ratios() {
        use Scale::{Logistic, Normalised};
        gives([0.5, 2.5], Logistic, [223, 9863, 20279 + 1000, 10037, 246], -3.07);
        gives([0.0, 2.0], Logistic, [871, 26175, 55003 + 980, 26678, 821], -4.98);
        gives([0.5, 2.5], Logistic, [21184, 40708, 21404], -1.57);
        gives([0.0, 2.0], Logistic, [57030, 106_593, 57433], -2.59);
        gives([0.0, 2.0], Normalised, [365, 16618, 36029 + 200, 16974, 390], 2.25);
        gives([-1.75, 0.25], Normalised, [127, 4883, 10311 + 401, 5150, 104], 3.01);
        gives([0.0, 2.0], Normalised, [36027, 68692, 36433], 0.92);
        gives([-1.75, 0.25], Normalised, [10650, 20431, 10871], 2.30);
    }

    /// The figures are from `scripts/elo-reference.py`: `SciPy`'s constrained maximisation, where
    /// some score never came up.
    #[test]
    fn agrees_with_a_general_optimiser() {
        let llr = |bounds, scale, counts| test(bounds, scale).standing(&Counts(counts)).llr;
        let near = |llr: f64, reference: f64| assert!((llr - reference).abs() < 2e-6, "{llr}");
        near(llr([0.0, 5.0], Scale::Normalised, [0, 0, 0, 0, 104]), 2.094_955);
        near(llr([0.0, 5.0], Scale::Logistic, [0, 0, 20, 0, 0]), -0.283_681);
        near(llr([-10.0, 30.0], Scale::Normalised, [3, 9, 30, 14, 0]), -0.566_705);
        near(llr([-10.0, 30.0], Scale::Logistic, [3, 9, 30, 14, 0]), -1.688_767);
    }

    /// One pair that is better by half a point does not lower the ratio, but for [`NEVER`].
    #[test]
    fn better_pairs_raise_the_ratio() {
        for bounds in [[0.0, 5.0], [0.0, 40.0], [-10.0, 30.0]] {
            let test = test(bounds, Scale::Logistic);
            for counts in all_pairs(6) {
                for better in improved(counts) {
                    let [one, other] = [counts, better].map(|c| test.standing(&Counts(c)).llr);
                    assert!(other > one - NEVER, "{counts:?} {one} {better:?} {other}");
                }
            }
        }
    }

    /// The figures are from the statistics page of a montytest run
    /// (montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712).
    #[test]
    fn agrees_with_a_published_run() {
        let pairs = Counts([13, 37, 50, 25, 3]);
        let normalised = test([0.0, 4.0], Scale::Normalised).standing(&pairs);
        assert!((normalised.llr + 0.549_12).abs() < 1e-5, "{normalised:?}");
        assert!(
            (normalised.upper - 2.9444).abs() < 5e-5 && (normalised.lower + 2.9444).abs() < 5e-5
        );
        // The second bound is printed as 2.716.
        let logistic = test([0.0, 2.716], Scale::Logistic).standing(&pairs);
        assert!((logistic.llr + 0.537_72).abs() < 2e-4, "{logistic:?}");
    }

    #[test]
    fn verdicts_follow_the_bounds() {
        let test = test([0.0, 10.0], Scale::Logistic);
        assert_eq!(test.standing(&Pentanomial::default()).verdict, Verdict::Continue);
        assert_eq!(test.standing(&Counts([1, 2, 5, 3, 1])).verdict, Verdict::Continue);
        assert_eq!(test.standing(&Counts([10, 300, 900, 500, 20])).verdict, Verdict::H1);
        assert_eq!(test.standing(&Counts([20, 500, 900, 300, 10])).verdict, Verdict::H0);
        assert!(test.standing(&Trinomial::default()).llr.abs() < 1e-12);
    }

    #[test]
    fn impossible_tests_are_refused() {
        let new = |bounds, alpha, beta| Sprt::new(bounds, alpha, beta, Scale::Logistic);
        assert_eq!(new([5.0, 0.0], 0.05, 0.05), Err(SprtError::Bounds { elo0: 5.0, elo1: 0.0 }));
        assert!(new([0.0, f64::NAN], 0.05, 0.05).is_err());
        assert_eq!(new([0.0, 5.0], 0.0, 0.05), Err(SprtError::Errors { alpha: 0.0, beta: 0.05 }));
        assert!(new([0.0, 5.0], 0.05, 0.5).is_err());
    }

    /// The number of simulated matches at this difference that accept H1, and the number of their
    /// pairs. All matches end.
    fn accepted(bounds: [f64; 2], elo: f64, matches: u32, seed: u64) -> (u32, u64) {
        let test = test(bounds, Scale::Logistic);
        let games = Distribution::pairs(elo, &BIASED);
        let mut draw = Draw::new(seed, 0);
        let (mut accepted, mut pairs) = (0, 0);
        for _ in 0..matches {
            let mut counts = Pentanomial::default();
            let verdict = loop {
                counts.0[games.unit(&mut draw)] += 1;
                let verdict = test.standing(&counts).verdict;
                if verdict != Verdict::Continue {
                    break verdict;
                }
            };
            accepted += u32::from(verdict == Verdict::H1);
            pairs += counts.units();
        }
        (accepted, pairs)
    }

    /// Prints a table of docs/coverage.md.
    #[test]
    fn errors_over_a_grid() {
        const MATCHES: u32 = 1000;
        for bounds in [[0.0, 10.0], [0.0, 40.0]] {
            for part in [0.0, 0.5, 1.0] {
                let elo = part * bounds[1];
                let (h1, pairs) = accepted(bounds, elo, MATCHES, elo as u64);
                let (share, pairs) =
                    (f64::from(h1) / f64::from(MATCHES), pairs / u64::from(MATCHES));
                println!("| {bounds:?} | {elo} | {:.1} | {pairs} |", 100.0 * share);
                // The limit is three standard deviations of 1,000 above the allowed share.
                assert!(part > 0.0 || share < 0.071);
                assert!(part < 1.0 || share > 0.929);
            }
        }
    }
}
