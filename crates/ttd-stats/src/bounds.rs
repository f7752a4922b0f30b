//! Figures that are known to lie between two ends, and confidence intervals.

/// A figure known to lie between two ends, or a confidence interval. The ends are equal when the
/// figure is known; they may be zero and infinite when it is not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least value that it can have.
    pub lower: f64,
    /// The greatest value that it can have.
    pub upper: f64,
}

impl Bounds {
    /// The bounds of a figure of which nothing is known.
    pub const ANY: Bounds = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// A known figure.
    pub const fn exact(value: f64) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// Whether the ends are equal.
    pub fn is_exact(self) -> bool {
        self.lower.total_cmp(&self.upper).is_eq()
    }

    /// The figure, if it is known.
    pub fn value(self) -> Option<f64> {
        (self.is_exact() && self.lower.is_finite()).then_some(self.lower)
    }

    /// Whether a value lies between the ends.
    pub fn holds(self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }

    /// The least bounds that hold both.
    #[must_use]
    pub fn hull(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// Applies an increasing function to both ends.
    #[must_use]
    pub fn map(self, increasing: impl Fn(f64) -> f64) -> Bounds {
        Bounds { lower: increasing(self.lower), upper: increasing(self.upper) }
    }

    /// Applies an increasing statistic of many figures to their lower and to their upper ends. None
    /// if the statistic has no value (such as a median without figures).
    pub fn combine(all: &[Bounds], statistic: impl Fn(&[f64]) -> Option<f64>) -> Option<Bounds> {
        let ends = |end: fn(&Bounds) -> f64| all.iter().map(end).collect::<Vec<_>>();
        let lower = statistic(&ends(|b| b.lower))?;
        if all.iter().all(|b| b.is_exact()) {
            return Some(Bounds::exact(lower));
        }
        Some(Bounds { lower, upper: statistic(&ends(|b| b.upper))? })
    }

    /// `base / time`, both times in seconds: a speedup. With the cell censored its lower end is 0,
    /// with the base censored its upper end is infinite. None if a time is 0.
    pub fn ratio(base: Bounds, time: Bounds) -> Option<Bounds> {
        if base.lower <= 0.0 || time.lower <= 0.0 {
            return None;
        }
        let divide = |a: f64, b: f64| if b.is_infinite() { 0.0 } else { a / b };
        Some(Bounds {
            lower: divide(base.lower, time.upper),
            upper: divide(base.upper, time.lower),
        })
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::summary;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_censored_side_makes_a_speedup_an_interval() {
        let known = Bounds::exact(6.0);
        let open = Bounds { lower: 3.0, upper: INF };
        assert_eq!(Bounds::ratio(known, Bounds::exact(2.0)), Some(Bounds::exact(3.0)));
        assert_eq!(Bounds::ratio(known, open), Some(Bounds { lower: 0.0, upper: 2.0 }));
        assert_eq!(Bounds::ratio(open, known), Some(Bounds { lower: 0.5, upper: INF }));
        assert_eq!(Bounds::ratio(open, open), Some(Bounds { lower: 0.0, upper: INF }));
        assert_eq!(Bounds::ratio(known, Bounds::exact(0.0)), None);
    }

    #[test]
    fn aggregates_substitute_the_ends() {
        let all = [Bounds::exact(2.0), Bounds { lower: 0.0, upper: 4.0 }, Bounds::exact(3.0)];
        let median = Bounds::combine(&all, summary::median);
        assert_eq!(median, Some(Bounds { lower: 2.0, upper: 3.0 }));
        let mean = Bounds::combine(&all, summary::geometric_mean).expect("enough data");
        assert_eq!(mean.lower, 0.0);
        assert!((mean.upper - 24f64.powf(1.0 / 3.0)).abs() < 1e-12);
    }
}
