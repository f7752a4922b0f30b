//! The model of the Cilk chess programs: `T = a W/N + b C`. It gives the time of N workers from the
//! work W and the critical path C of that run, both in the unit of T.
//!
//! The fit is by least squares on log T, neither coefficient negative. Every run counts by its
//! relative error, however long it took. Sources: Kuszmaul, "Synchronized MIMD computing", thesis,
//! MIT 1994; Blumofe and others, "Cilk: an efficient multithreaded runtime system", 1995.

mod resampled;

use crate::minimise::{minimise, sharpened};
use crate::summary::{geometric_mean, mean};
pub use resampled::{Cells, Coefficients, over_positions, over_runs};

/// One run of several workers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The time of the run: T.
    pub time: f64,
    /// An equal share of the run's work: W/N.
    pub share: f64,
    /// The critical path of the run: C.
    pub path: f64,
}

/// The fitted model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkSpanFit {
    /// The coefficient of the share of the work; not negative.
    pub a: f64,
    /// The coefficient of the critical path; not negative.
    pub b: f64,
    /// The number of runs in the fit.
    pub runs: usize,
    /// The share of the variance of log T that the model explains; none where T does not vary.
    pub r_squared: Option<f64>,
    /// Root mean square of the errors of log T: about the relative error of a run.
    pub error: f64,
}

impl WorkSpanFit {
    /// The time that the model gives for a run.
    pub fn time(&self, run: &Run) -> f64 {
        self.a * run.share + self.b * run.path
    }

    /// The part of [`WorkSpanFit::time`] that is the critical path's, 0 to 1.
    pub fn path_share(&self, run: &Run) -> f64 {
        self.b * run.path / self.time(run)
    }
}

/// The least number of runs: two more than coefficients.
const LEAST_RUNS: usize = 4;
/// The least standard deviation of the logarithm of the ratio of W/N to C. Below it the two are
/// nearly proportional, and nothing tells their coefficients apart.
const LEAST_SPREAD: f64 = 1e-6;

/// Fits the model. None with fewer than four runs, or with a figure that is not positive and
/// finite. None also where all runs have one ratio of W/N to C.
pub fn fit(runs: &[Run]) -> Option<WorkSpanFit> {
    let good =
        |run: &Run| [run.time, run.share, run.path].iter().all(|x| x.is_finite() && *x > 0.0);
    if runs.len() < LEAST_RUNS || !runs.iter().all(good) {
        return None;
    }
    let ratios: Vec<f64> = runs.iter().map(|run| (run.share / run.path).ln()).collect();
    if variance(&ratios).sqrt() < LEAST_SPREAD {
        return None;
    }
    let scale = scale(runs)?;
    let errors = |p: f64| -> Vec<f64> {
        runs.iter().map(|run| (run.time / mixture(p, scale, run)).ln()).collect()
    };
    // The best factor is known for every mixture: that leaves the variance of the errors.
    let p = minimise(0.0, 1.0, |p| variance(&errors(p)));
    let slope = |p: f64| {
        let errors = errors(p);
        let middle = mean(&errors).unwrap_or(0.0);
        let steps = runs.iter().map(|run| (run.share - scale * run.path) / mixture(p, scale, run));
        -errors.iter().zip(steps).map(|(error, step)| (error - middle) * step).sum::<f64>()
    };
    let p = sharpened(0.0, 1.0, p, slope);
    let errors = errors(p);
    let factor = mean(&errors)?.exp();
    let error = variance(&errors).sqrt();
    let total = variance(&runs.iter().map(|run| run.time.ln()).collect::<Vec<_>>());
    Some(WorkSpanFit {
        a: factor * p,
        b: factor * (1.0 - p) * scale,
        runs: runs.len(),
        r_squared: (total > 0.0).then(|| 1.0 - error.powi(2) / total),
        error,
    })
}

/// The weight of the path beside the share, so that an equal mixture of both is neither of them
/// alone.
pub(super) fn scale(runs: &[Run]) -> Option<f64> {
    geometric_mean(&runs.iter().map(|run| run.share / run.path).collect::<Vec<_>>())
}

/// A mixture of the share and the path, 0 (the path) to 1 (the share): the model but for a factor.
pub(super) fn mixture(p: f64, scale: f64, run: &Run) -> f64 {
    p * run.share + (1.0 - p) * scale * run.path
}

/// Mean square distance from the mean.
fn variance(values: &[f64]) -> f64 {
    let middle = mean(values).unwrap_or(0.0);
    values.iter().map(|v| (v - middle).powi(2)).sum::<f64>() / values.len() as f64
}

#[cfg(test)]
#[allow(clippy::unreadable_literal)] // as the script prints them
pub(super) mod tests {
    use super::*;

    pub(super) fn runs(rows: &[[f64; 3]]) -> Vec<Run> {
        rows.iter().map(|&[time, share, path]| Run { time, share, path }).collect()
    }

    fn near(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
    }

    #[test]
    fn finds_what_made_the_times() {
        for [a, b] in [[1.05, 1.5], [1.0, 0.01], [0.02, 3.0], [1.2, 0.0], [0.0, 0.9]] {
            let made = |i: u32| {
                let (share, path) = (f64::from(1 + i % 5), f64::from(1 + i * i % 7) / 3.0);
                Run { time: a * share + b * path, share, path }
            };
            let fit = fit(&(0..20).map(made).collect::<Vec<_>>()).expect("enough runs");
            assert!((fit.a - a).abs() < 1e-9 && (fit.b - b).abs() < 1e-9, "{a} {b}: {fit:?}");
            assert!(fit.error < 1e-9 && fit.r_squared.is_some_and(|r| r > 1.0 - 1e-9));
        }
    }

    // The runs as `scripts/statistics-reference.py` prints them: T, W/N, C.
    const BOTH: [[f64; 3]; 12] = [
        [0.728659, 0.706408, 0.235056],
        [0.636897, 0.568544, 0.165704],
        [0.532767, 0.173947, 0.242849],
        [0.067664, 0.01698, 0.036173],
        [2.246783, 1.236406, 0.585131],
        [0.776827, 0.390659, 0.227813],
        [0.356977, 0.073066, 0.122069],
        [0.52571, 0.111752, 0.335865],
        [0.873572, 0.719949, 0.112356],
        [0.975789, 0.33549, 0.243996],
        [0.362646, 0.128604, 0.12939],
        [0.272762, 0.107973, 0.089045],
    ];
    pub(super) const NO_PATH: [[f64; 3]; 12] = [
        [0.510771, 0.604053, 0.167013],
        [0.131874, 0.148222, 0.053532],
        [0.050386, 0.082703, 0.0931],
        [0.001921, 0.00544, 0.008386],
        [2.65631, 3.023939, 0.319283],
        [0.625458, 0.784955, 0.276554],
        [0.049313, 0.090278, 0.107491],
        [0.006819, 0.1355, 0.46615],
        [0.608694, 0.662366, 0.214056],
        [0.12036, 0.143687, 0.068994],
        [0.2707, 0.332248, 0.160958],
        [0.024292, 0.045815, 0.054663],
    ];
    pub(super) const NO_WORK: [[f64; 3]; 12] = [
        [0.190691, 3.848841, 1.068001],
        [0.000997, 0.01941, 0.008132],
        [0.049884, 0.189884, 0.121237],
        [0.016141, 0.035424, 0.03053],
        [0.015706, 0.317971, 0.11484],
        [0.010594, 0.201515, 0.075548],
        [0.004571, 0.016582, 0.011411],
        [0.119443, 0.049562, 0.141023],
        [0.044166, 0.210481, 0.126452],
        [0.357004, 6.935861, 1.448851],
        [0.158674, 0.156664, 0.220615],
        [0.106225, 0.043927, 0.120295],
    ];

    #[test]
    fn fits_as_scipy_does() {
        for (rows, [a, b, r_squared, error]) in [
            (
                BOTH,
                [0.8303484913809865, 1.7701336074556195, 0.9454109913753687, 0.19038280320819811],
            ),
            (NO_PATH, [0.5639818946179708, 0.0, 0.8446800177758067, 0.7792834662985657]),
            (NO_WORK, [0.0, 0.33042123123534145, 0.8261638736495576, 0.690839632387928]),
        ] {
            let fit = fit(&runs(&rows)).expect("enough runs");
            assert!((fit.a - a).abs() < 1e-9 && (fit.b - b).abs() < 1e-9, "{a} {b}: {fit:?}");
            near(fit.r_squared.expect("times vary"), r_squared);
            near(fit.error, error);
        }
    }

    #[test]
    fn the_path_has_its_share_of_the_time() {
        let fit = WorkSpanFit { a: 1.0, b: 2.0, runs: 9, r_squared: None, error: 0.0 };
        let run = Run { time: 9.0, share: 6.0, path: 1.0 };
        near(fit.time(&run), 8.0);
        near(fit.path_share(&run), 0.25);
    }

    #[test]
    fn what_cannot_be_told_apart_is_not_fitted() {
        let alike = runs(&[[1.0, 1.0, 2.0], [2.0, 2.0, 4.0], [3.0, 3.0, 6.0], [4.0, 4.0, 8.0]]);
        assert_eq!(fit(&alike), None);
        let apart = runs(&[[1.0, 1.0, 2.0], [2.0, 2.0, 4.0], [3.0, 3.0, 6.0], [4.0, 4.0, 1.0]]);
        assert!(fit(&apart).is_some() && fit(&apart[..3]).is_none());
        let mut wrong = apart;
        wrong[0].path = 0.0;
        assert_eq!(fit(&wrong), None);
    }
}
