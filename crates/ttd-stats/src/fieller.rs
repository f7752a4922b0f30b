//! Fieller's set: the confidence set of a ratio of two estimates that are about normal.
//!
//! A ratio `m` belongs to the set if `numerator - m x denominator` does not differ from 0 at the
//! level of the set. If the denominator itself may be 0, the set has no end, or is two rays.
//! Source: E. C. Fieller, "Some problems in interval estimation", Journal of the Royal Statistical
//! Society B 16(2), 1954; D. J. Finney, "Statistical Method in Biological Assay", third edition,
//! 1978.

use super::Bounds;

/// A set of ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fieller {
    /// All ratios between two ends.
    Between(Bounds),
    /// All ratios up to the lower end, and all from the upper one on: two rays. The denominator may
    /// be 0.
    Outside(Bounds),
    /// All ratios: the estimates say nothing.
    All,
}

/// Two estimates, and their variances and covariance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The estimate of the numerator.
    pub numerator: f64,
    /// The estimate of the denominator.
    pub denominator: f64,
    /// The variance of the numerator, the covariance, and the variance of the denominator.
    pub variances: [f64; 3],
}

impl Pair {
    /// The ratio of the estimates.
    pub fn ratio(&self) -> f64 {
        self.numerator / self.denominator
    }

    /// The standard error of the ratio for a denominator that is known well (the delta method).
    pub fn error(&self) -> f64 {
        let ([above, both, below], m) = (self.variances, self.ratio());
        (above - 2.0 * m * both + m * m * below).max(0.0).sqrt() / self.denominator.abs()
    }

    /// The set of ratios that `deviations` standard errors do not rule out: a quantile of Student's
    /// or the normal distribution, above 0.
    pub fn set(&self, deviations: f64) -> Fieller {
        let ([above, both, below], square) = (self.variances, deviations * deviations);
        // (numerator - m denominator)^2 <= square x its variance, a square inequality in m.
        let a = self.denominator * self.denominator - square * below;
        let b = self.numerator * self.denominator - square * both;
        let c = self.numerator * self.numerator - square * above;
        let discriminant = b * b - a * c;
        if a > 0.0 {
            // The estimate itself lies inside, so that there are two ends.
            let reach = discriminant.max(0.0).sqrt();
            Fieller::Between(Bounds { lower: (b - reach) / a, upper: (b + reach) / a })
        } else if discriminant > 0.0 && a < 0.0 {
            let reach = discriminant.sqrt();
            Fieller::Outside(Bounds { lower: (b + reach) / a, upper: (b - reach) / a })
        } else {
            Fieller::All
        }
    }
}

impl Fieller {
    /// Applies an increasing function to the ends.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Fieller {
        match self {
            Fieller::Between(ends) => Fieller::Between(ends.map(increasing)),
            Fieller::Outside(ends) => Fieller::Outside(ends.map(increasing)),
            Fieller::All => Fieller::All,
        }
    }

    /// The ends, if the set lies between them; none without bounds.
    pub fn between(self) -> Option<Bounds> {
        match self {
            Fieller::Between(ends) => Some(ends),
            Fieller::Outside(_) | Fieller::All => None,
        }
    }

    /// Whether a ratio belongs to the set.
    pub fn holds(self, ratio: f64) -> bool {
        match self {
            Fieller::Between(ends) => ends.holds(ratio),
            Fieller::Outside(ends) => ratio <= ends.lower || ratio >= ends.upper,
            Fieller::All => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(numerator: f64, denominator: f64, variances: [f64; 3]) -> Pair {
        Pair { numerator, denominator, variances }
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-11, "{found}, {expected} expected");
    }

    /// The figures are those of `scripts/statistics-reference.py`, which finds the ends as zeros of
    /// the test itself.
    #[test]
    fn ends_agree_with_another_program() {
        let known = pair(1.2, -4.5, [0.09, -0.02, 0.16]);
        let Fieller::Between(ends) = known.set(1.96) else { panic!("{:?}", known.set(1.96)) };
        near(ends.lower, -0.404_394_400_216);
        near(ends.upper, -0.137_808_272_678);
        near(known.ratio(), -1.2 / 4.5);
        near(known.error(), 0.066_929_522_952);
        let open = pair(1.2, -0.5, [0.09, -0.02, 0.16]);
        let Fieller::Outside(ends) = open.set(1.96) else { panic!("{:?}", open.set(1.96)) };
        near(ends.lower, -0.814_560_229_776);
        near(ends.upper, 3.683_938_493_126);
    }

    #[test]
    fn a_set_is_the_ratios_that_are_not_ruled_out() {
        for of in [
            pair(1.2, -4.5, [0.09, -0.02, 0.16]),
            pair(1.2, -0.5, [0.09, -0.02, 0.16]),
            pair(0.1, -0.5, [0.09, -0.02, 0.16]),
        ] {
            let set = of.set(1.96);
            for m in (-400..=400).map(|m| f64::from(m) * 0.037) {
                let [above, both, below] = of.variances;
                let variance = above - 2.0 * m * both + m * m * below;
                let inside = (of.numerator - m * of.denominator).abs() <= 1.96 * variance.sqrt();
                assert_eq!(set.holds(m), inside, "{m} in {set:?}");
            }
        }
    }

    #[test]
    fn what_says_nothing_holds_everything() {
        let nothing = pair(0.1, -0.5, [0.09, -0.02, 0.16]).set(1.96);
        assert_eq!((nothing, nothing.between()), (Fieller::All, None));
        let exact = pair(2.0, 4.0, [0.0; 3]).set(1.96);
        assert_eq!(exact.between(), Some(Bounds::exact(0.5)));
        let doubled = exact.map(|ratio| 2.0 * ratio);
        assert!(doubled.holds(1.0) && !doubled.holds(0.5));
    }
}
