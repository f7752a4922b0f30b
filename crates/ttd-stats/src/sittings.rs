//! Figures that were measured in several sittings.
//!
//! Between two sittings a machine changes: other memory pages, other neighbours, another clock. All
//! runs of one sitting share that. So an interval from the runs of one sitting is of that sitting
//! only. A sitting is a level of its own above its rounds. Its figure is one number, and the
//! interval is Student's from these numbers. Source: Kalibera and Jones, "Rigorous benchmarking in
//! reasonable time", ISMM 2013.
//!
//! Figures are ratios, and their logarithms are what is averaged.

use super::bootstrap::CONFIDENCE;
use super::{Bounds, summary};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A figure over sittings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverSittings {
    /// The number of sittings, 2 or more.
    pub sittings: usize,
    /// The geometric mean of their figures.
    pub mean: f64,
    /// The interval of the mean at 95%: what more sittings would come to.
    pub ci: Bounds,
    /// The interval at 95% that the figure of one more sitting falls into.
    pub next: Bounds,
    /// The standard deviation of the logarithms, about the relative deviation of the figures.
    pub deviation: f64,
}

impl OverSittings {
    /// From the figure of each sitting. None with fewer than two, or with one that is not above 0.
    pub fn of(figures: &[f64]) -> Option<OverSittings> {
        let logarithms: Vec<f64> = figures.iter().map(|figure| figure.ln()).collect();
        if !logarithms.iter().all(|logarithm| logarithm.is_finite()) {
            return None;
        }
        let (mean, deviation) =
            summary::mean(&logarithms).zip(summary::standard_deviation(&logarithms))?;
        let sittings = figures.len();
        let count = sittings as f64;
        let reach = student(sittings)? * deviation;
        let within = |reach: f64| Bounds { lower: mean - reach, upper: mean + reach }.map(f64::exp);
        Some(OverSittings {
            sittings,
            mean: mean.exp(),
            ci: within(reach / count.sqrt()),
            next: within(reach * (1.0 + 1.0 / count).sqrt()),
            deviation,
        })
    }

    /// The number of sittings whose interval reaches at most the share `wanted` to either side, if
    /// they differ as these do. None beyond 1,000.
    pub fn sittings_for(&self, wanted: f64) -> Option<usize> {
        let reach = |sittings: usize| {
            student(sittings).map(|t| t * self.deviation / (sittings as f64).sqrt())
        };
        (2..=1000).find(|sittings| reach(*sittings).is_some_and(|of| of <= wanted.ln_1p()))
    }
}

/// The quantile of Student's distribution for the mean of so many values; none for one value.
pub(super) fn student(count: usize) -> Option<f64> {
    let freedom = count.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let distribution = StudentsT::new(0.0, 1.0, freedom as f64).ok()?;
    Some(distribution.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)))
}

/// The two levels of a figure: rounds within a sitting, and sittings. The variances are those of
/// logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The variance between rounds of one sitting.
    pub rounds: f64,
    /// The variance between sittings that is not one between rounds. It is estimated as a
    /// difference, and may come out below 0.
    pub sittings: f64,
    /// The number of rounds of a sitting: their harmonic mean, if it is not equal.
    pub rounds_each: f64,
}

impl Levels {
    /// From the figures of the rounds of each sitting, all above 0. None with fewer than two
    /// sittings, or with a sitting of a single round.
    pub fn of(sittings: &[Vec<f64>]) -> Option<Levels> {
        let logarithms = sittings.iter().map(|rounds| rounds.iter().map(|of| of.ln()).collect());
        let logarithms: Vec<Vec<f64>> = logarithms.collect();
        if logarithms.iter().flatten().any(|of| !of.is_finite()) {
            return None;
        }
        let squares =
            |of: &[f64]| summary::standard_deviation(of).map(|deviation| deviation.powi(2));
        // Sittings of unequal length count by their degrees of freedom.
        let mut pooled = (0.0, 0.0);
        for rounds in &logarithms {
            let freedom = rounds.len() as f64 - 1.0;
            pooled = (pooled.0 + freedom * squares(rounds)?, pooled.1 + freedom);
        }
        let means: Option<Vec<f64>> = logarithms.iter().map(|of| summary::mean(of)).collect();
        let inverse: f64 = logarithms.iter().map(|of| 1.0 / of.len() as f64).sum();
        let rounds_each = logarithms.len() as f64 / inverse;
        let rounds = pooled.0 / pooled.1;
        Some(Levels { rounds, sittings: squares(&means?)? - rounds / rounds_each, rounds_each })
    }

    /// The share of the variance of a sitting's mean that lies between sittings, 0 to 1. None if
    /// nothing varies.
    pub fn share_of_sittings(&self) -> Option<f64> {
        let sittings = self.sittings.max(0.0);
        let all = sittings + self.rounds / self.rounds_each;
        (all > 0.0).then(|| sittings / all)
    }

    /// The number of rounds of a sitting that narrows the interval most for its time. A new sitting
    /// costs as much as `cost` rounds. None if sittings do not differ: then one is enough.
    pub fn best_rounds(&self, cost: f64) -> Option<f64> {
        (self.sittings > 0.0).then(|| (cost * self.rounds / self.sittings).sqrt().ceil().max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-8, "{found}, {expected} expected");
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn intervals_agree_with_scipy() {
        let of = OverSittings::of(&[1.70, 1.62, 1.75, 1.66, 1.58, 1.69]).expect("six");
        close(of.mean, 1.665_746_760_624_993_4);
        close(of.ci.lower, 1.603_253_659_252_663_8);
        close(of.ci.upper, 1.730_675_775_800_852_4);
        close(of.next.lower, 1.505_468_523_707_273_6);
        close(of.next.upper, 1.843_088_863_591_664_2);
        assert_eq!(of.sittings_for(0.039), Some(6));
        assert_eq!(of.sittings_for(0.038), Some(7));
        assert_eq!(of.sittings_for(0.0001), None);
    }

    #[test]
    fn one_sitting_has_no_interval_and_equal_ones_have_an_exact_one() {
        assert_eq!(OverSittings::of(&[1.5]), None);
        assert_eq!(OverSittings::of(&[1.5, 0.0]), None);
        let of = OverSittings::of(&[2.0, 2.0]).expect("two");
        assert!(of.ci.holds(of.mean) && of.ci.upper - of.ci.lower < 1e-12);
        assert_eq!(of.sittings_for(0.01), Some(2));
    }

    #[test]
    fn variances_are_those_of_a_nested_analysis() {
        let e = std::f64::consts::E;
        // Logarithms: means 1 and 2, and a variance of 2 within each.
        let of = Levels::of(&[vec![1.0, e.powi(2)], vec![e, e.powi(3)]]).expect("two of two");
        close(of.rounds, 2.0);
        close(of.rounds_each, 2.0);
        close(of.sittings, 0.5 - 2.0 / 2.0);
        assert_eq!((of.share_of_sittings(), of.best_rounds(1.0)), (Some(0.0), None));
        let apart = Levels::of(&[vec![1.0, e], vec![e.powi(4), e.powi(5)]]).expect("two of two");
        close(apart.sittings, 8.0 - 0.25);
        close(apart.share_of_sittings().expect("it varies"), 7.75 / 8.0);
        assert_eq!((apart.best_rounds(1.0), apart.best_rounds(100.0)), (Some(1.0), Some(3.0)));
        assert_eq!(Levels::of(&[vec![1.0], vec![1.0, 2.0]]), None);
    }
}
