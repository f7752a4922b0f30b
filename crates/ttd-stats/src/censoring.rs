//! Times of which only a lower bound is known.
//!
//! A sample that its time limit stopped is no missing value: its time is at least the limit. Every
//! figure that depends on such a sample is computed twice, with the sample at its least and at its
//! greatest possible time. The report shows the interval between the two figures.

use super::bounds::Bounds;
use super::summary;

/// The time of one sample, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// The search took this long.
    Exact(f64),
    /// The search was stopped after this long: it would have taken longer.
    AtLeast(f64),
}

impl Timing {
    /// Whether the sample was stopped by its limit.
    pub fn is_censored(self) -> bool {
        matches!(self, Timing::AtLeast(_))
    }

    /// The least that the time can be.
    pub fn lower(self) -> f64 {
        let (Timing::Exact(time) | Timing::AtLeast(time)) = self;
        time
    }

    /// The most that the time can be: infinite when censored.
    pub fn upper(self) -> f64 {
        match self {
            Timing::Exact(t) => t,
            Timing::AtLeast(_) => f64::INFINITY,
        }
    }
}

impl From<Timing> for Bounds {
    fn from(timing: Timing) -> Bounds {
        Bounds { lower: timing.lower(), upper: timing.upper() }
    }
}

/// The median of a cell in seconds: known unless it touches a censored sample. None without
/// samples.
pub fn median_time(times: &[Timing]) -> Option<Bounds> {
    let bounds: Vec<Bounds> = times.iter().copied().map(Bounds::from).collect();
    Bounds::combine(&bounds, summary::median)
}

/// The order-statistic interval of the median of a cell in seconds, at 95% or more; none with fewer
/// than 6 samples.
pub fn median_time_interval(times: &[Timing]) -> Option<Bounds> {
    let (low, high) = summary::median_interval_ranks(times.len())?;
    let lower = summary::sorted(&times.iter().map(|t| t.lower()).collect::<Vec<_>>());
    let upper = summary::sorted(&times.iter().map(|t| t.upper()).collect::<Vec<_>>());
    Some(Bounds { lower: lower[low], upper: upper[high] })
}

/// The times in seconds, if none of them is censored.
pub fn exact_times(times: &[Timing]) -> Option<Vec<f64>> {
    times.iter().map(|t| Bounds::from(*t).value()).collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::Timing::{AtLeast, Exact};
    use super::*;

    const INF: f64 = f64::INFINITY;

    #[test]
    fn a_median_is_known_unless_it_touches_a_censored_time() {
        let median = |times: &[Timing]| median_time(times).expect("enough data");
        assert_eq!(median(&[Exact(1.0), Exact(2.0), AtLeast(9.0)]), Bounds::exact(2.0));
        assert_eq!(
            median(&[Exact(1.0), AtLeast(9.0), AtLeast(9.0)]),
            Bounds { lower: 9.0, upper: INF }
        );
        // Even n: the mean of 2 and "at least 9".
        assert_eq!(
            median(&[Exact(1.0), Exact(2.0), AtLeast(9.0), AtLeast(9.0)]),
            Bounds { lower: 5.5, upper: INF }
        );
        assert_eq!(median_time(&[]), None);
    }

    #[test]
    fn the_interval_of_a_median_reaches_to_infinity() {
        let mut times: Vec<Timing> = (1..6).map(|t| Exact(t as f64)).collect();
        assert_eq!(median_time_interval(&times), None);
        times.push(AtLeast(9.0));
        assert_eq!(median_time_interval(&times), Some(Bounds { lower: 1.0, upper: INF }));
    }
}
