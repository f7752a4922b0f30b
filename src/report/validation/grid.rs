//! Several comparisons together: does the simulation follow the machine from cell to cell?

use crate::report::figures::Row;
use crate::report::numbers::{count, fixed, interval};
use crate::report::validation::pair::Pair;
use ttd_stats::deming::{self, Line};

/// The normal quantile of the ends of a 95% interval.
const ENDS: f64 = 1.96;

/// The line through the logarithms of real speedups over those of virtual ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regression {
    /// The line. Slope 1 and intercept 0 are a simulation that is always right.
    pub line: Line,
    /// The variance of the real logarithms over that of the virtual ones, by their `ci_runs`. 1 if
    /// a side has none.
    pub ratio: f64,
    /// The number of pairs.
    pub pairs: usize,
}

impl Regression {
    /// The regression over pairs of one or several comparisons; none with fewer than three, or
    /// without speedups that differ.
    pub fn of(pairs: &[Pair]) -> Option<Regression> {
        let point = |pair: &Pair| Some((mean(&pair.simulated)?.ln(), mean(&pair.real)?.ln()));
        let points: Vec<(f64, f64)> = pairs.iter().filter_map(point).collect();
        let variance = |of: fn(&Pair) -> &Row| {
            let all: Option<Vec<f64>> = pairs.iter().map(|pair| variance(of(pair))).collect();
            all.map(|all| all.iter().sum::<f64>()).filter(|sum| *sum > 0.0)
        };
        let ratio = variance(|pair| &pair.real)
            .zip(variance(|pair| &pair.simulated))
            .map_or(1.0, |(real, simulated)| real / simulated);
        let line = deming::line(&points, ratio)?;
        Some(Regression { line, ratio, pairs: points.len() })
    }

    /// The regression in words.
    pub fn in_words(&self) -> String {
        let Regression { line, ratio, pairs } = self;
        let three = |value: f64| fixed(value, 3);
        format!(
            "Deming regression of log real on log virtual speedup, over {}: slope {} (95% {}), \
             intercept {} (95% {}). The variance of the real logarithms over that of the virtual \
             ones is {}.",
            count(*pairs, "pair"),
            three(line.slope),
            interval(Some(line.slope_ci), three),
            three(line.intercept),
            interval(Some(line.intercept_ci), three),
            three(*ratio)
        )
    }
}

/// The geometric-mean speedup.
fn mean(row: &Row) -> Option<f64> {
    row.geometric_mean?.value.value()
}

/// The variance of the logarithm of the speedup over runs.
fn variance(row: &Row) -> Option<f64> {
    let ci = row.geometric_mean?.ci_runs?;
    Some(((ci.upper / ci.lower).ln() / (2.0 * ENDS)).powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Estimate;
    use ttd_stats::Bounds;

    fn row(speedup: f64, width: f64) -> Row {
        let ends = Bounds { lower: speedup / width, upper: speedup * width };
        let value = Bounds { lower: speedup, upper: speedup };
        let mean = Estimate { value, ci_runs: Some(ends), ci_positions: None };
        Row { geometric_mean: Some(mean), ..Row::default() }
    }

    fn pair(real: f64, simulated: f64) -> Pair {
        Pair {
            searcher: "ybwc".to_owned(),
            index: 0,
            depth: 10,
            threads: 2,
            real: row(real, 1.1_f64.powi(2)),
            simulated: row(simulated, 1.1),
            ratio: simulated / real,
            intervals: None,
            points: Vec::new(),
            correlation: None,
            reliability: None,
        }
    }

    #[test]
    fn follows_the_logarithms_and_the_intervals() {
        let pairs: Vec<Pair> =
            [1.1_f64, 1.3, 1.7, 1.9].map(|s| pair(1.05 * s.powf(0.9), s)).into_iter().collect();
        let found = Regression::of(&pairs).expect("four points");
        assert!((found.line.slope - 0.9).abs() < 1e-9, "{found:?}");
        assert!((found.line.intercept - 1.05_f64.ln()).abs() < 1e-9);
        assert!((found.ratio - 4.0).abs() < 1e-9);
        assert!(
            found.in_words().starts_with(
                "Deming regression of log real on log virtual speedup, over 4 pairs: slope 0.900 (95% "
            ),
            "{}",
            found.in_words()
        );
        assert_eq!(Regression::of(&pairs[..2]), None);
    }
}
