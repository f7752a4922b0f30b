//! The growth of speedup with depth: the slope of its logarithm over plies, position by position.

use super::bounds::Bounds;
use super::fits::line;
use super::many_tests::false_discovery;
use super::summary;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The confidence of the interval.
const CONFIDENCE: f64 = 0.95;
/// The greatest adjusted p at which a trend is claimed.
pub const SIGNIFICANT: f64 = 0.05;
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
    /// The two-sided p of a rise of 0, by Student's t; none with a single position.
    pub p: Option<f64>,
    /// The p among a family of trends ([`adjust`]); until then that of this trend alone.
    pub p_adjusted: Option<f64>,
}

impl Trend {
    /// The trend from the slopes of the positions; none without any.
    pub fn of(slopes: &[f64]) -> Option<Trend> {
        let a_ply = summary::mean(slopes)?;
        let p = p_of_none(slopes, a_ply);
        let ci_positions = summary::mean_interval(slopes, CONFIDENCE);
        Some(Trend { positions: slopes.len(), a_ply, ci_positions, p, p_adjusted: p })
    }

    /// Whether the adjusted p is small enough: only then may growth or decline be claimed.
    pub fn is_seen(&self) -> bool {
        self.p_adjusted.is_some_and(|p| p <= SIGNIFICANT)
    }
}

/// The two-sided p of slopes whose population has the mean 0; none with fewer than two.
fn p_of_none(slopes: &[f64], mean: f64) -> Option<f64> {
    let error = summary::standard_deviation(slopes)? / (slopes.len() as f64).sqrt();
    let student = StudentsT::new(0.0, 1.0, slopes.len() as f64 - 1.0).ok()?;
    // Slopes that are all alike have no error: then 0 is either their mean, or impossible.
    Some(if mean == 0.0 { 1.0 } else { 2.0 * student.sf(mean.abs() / error) })
}

/// Adjusts the p of the trends of a family for one another
/// ([`false_discovery`]).
pub fn adjust<'a>(family: impl Iterator<Item = &'a mut Trend>) {
    let (mut tested, p): (Vec<&mut Trend>, Vec<f64>) =
        family.filter_map(|trend| trend.p.map(|p| (trend, p))).unzip();
    for (trend, adjusted) in tested.iter_mut().zip(false_discovery(&p)) {
        trend.p_adjusted = Some(adjusted);
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
        near(trend.p.expect("eight positions"), 1.882_805_004_41e-5);
    }

    #[test]
    fn what_may_be_nothing_is_not_seen() {
        let trend = |slopes: &[f64]| Trend::of(slopes).expect("slopes");
        assert!(trend(&[0.02, 0.03, 0.025, 0.018]).is_seen());
        assert!(trend(&[-0.02, -0.03, -0.025, -0.018]).is_seen());
        assert!(!trend(&[0.02, -0.03, 0.025, -0.018]).is_seen());
        assert!(!trend(&[0.02]).is_seen() && trend(&[0.02]).p.is_none());
        assert!(!trend(&[0.0, 0.0]).is_seen() && trend(&[0.02, 0.02]).is_seen());
        assert_eq!(Trend::of(&[]), None);
    }

    /// Of many trends of which each alone would be claimed just so, none is.
    #[test]
    fn trends_are_claimed_as_a_family() {
        let trend = |of: &[f64]| Trend::of(of).expect("slopes");
        let barely = trend(&[0.012, 0.026, 0.003, 0.02, 0.006]);
        assert!(barely.is_seen() && barely.p.is_some_and(|p| p > 0.03), "{barely:?}");
        let nothing = trend(&[0.01, -0.01, 0.002, -0.004]);
        let clearly = trend(&[0.1, 0.101, 0.099, 0.1]);
        let mut family = [barely, nothing, trend(&[0.3]), nothing, clearly];
        adjust(family.iter_mut());
        let seen = family.map(|trend| trend.is_seen());
        assert_eq!(seen, [false, false, false, false, true], "{family:?}");
        assert_eq!((family[0].p, family[2].p_adjusted), (barely.p, None));
    }
}
