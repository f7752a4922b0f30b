//! The growth of speedup with depth: the slope of its logarithm over plies, position by position.

use super::bounds::Bounds;
use super::fits::line;
use super::summary;

/// The confidence of the interval.
const CONFIDENCE: f64 = 0.95;
/// The least number of depths for a slope: two always lie on a line.
const DEPTHS: usize = 3;

/// The trend over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// The number of positions that have a slope.
    pub positions: usize,
    /// The rise of ln(speedup) with each ply: the mean over positions.
    pub a_ply: f64,
    /// The interval of the rise over positions at 95%, by Student's t; none with a single position.
    pub ci_positions: Option<Bounds>,
}

impl Trend {
    /// The trend from the slopes of the positions; none without any.
    pub fn of(slopes: &[f64]) -> Option<Trend> {
        Some(Trend {
            positions: slopes.len(),
            a_ply: summary::mean(slopes)?,
            ci_positions: summary::mean_interval(slopes, CONFIDENCE),
        })
    }

    /// Whether the interval does not contain zero: only then may growth or decline be claimed.
    pub fn is_seen(&self) -> bool {
        self.ci_positions.is_some_and(|ci| ci.lower > 0.0 || ci.upper < 0.0)
    }
}

/// The slope of ln(speedup) over depth, in one position, by least squares. None with fewer than
/// three depths.
pub fn slope(speedups: &[(u8, f64)]) -> Option<f64> {
    let points = speedups.iter().map(|(depth, speedup)| (f64::from(*depth), speedup.ln()));
    (speedups.len() >= DEPTHS).then(|| line(points)[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speedup_that_grows_by_a_tenth_a_ply() {
        let growing: Vec<(u8, f64)> = (9..15).map(|d| (d, 1.1f64.powi(i32::from(d)))).collect();
        let rise = slope(&growing).expect("enough depths");
        assert!((rise.exp() - 1.1).abs() < 1e-12);
        assert_eq!(slope(&growing[..2]), None);
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn the_trend_agrees_with_scipy() {
        let slopes = (0..8).map(|i| {
            let speedup = |depth: u8| {
                let (i, d) = (f64::from(i), f64::from(depth));
                1.5 * (0.01 * d + 0.05 * (5.0 * i + 2.0 * d).sin() + 0.002 * i * d).exp()
            };
            let speedups: Vec<(u8, f64)> = (9..17).map(|depth| (depth, speedup(depth))).collect();
            slope(&speedups).expect("enough depths")
        });
        let trend = Trend::of(&slopes.collect::<Vec<_>>()).expect("slopes");
        let ci = trend.ci_positions.expect("eight positions");
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        near(trend.a_ply, 0.017_021_450_057_1);
        near(ci.lower, 0.013_073_691_394_8);
        near(ci.upper, 0.020_969_208_719_5);
    }

    #[test]
    fn what_may_be_nothing_is_not_seen() {
        let trend = |slopes: &[f64]| Trend::of(slopes).expect("slopes");
        assert!(trend(&[0.02, 0.03, 0.025, 0.018]).is_seen());
        assert!(trend(&[-0.02, -0.03, -0.025, -0.018]).is_seen());
        assert!(!trend(&[0.02, -0.03, 0.025, -0.018]).is_seen());
        assert!(!trend(&[0.02]).is_seen());
        assert_eq!(Trend::of(&[]), None);
    }
}
