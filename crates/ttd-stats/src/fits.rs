//! Models of how speedup grows with threads.
//!
//! - Amdahl (1967): `S(N) = 1 / ((1-p) + p/N)`; `p` is the parallel share. `p < 0` (slower than one
//!   thread) and `p > 1` (faster than linear) are shown as they are.
//! - The universal scalability law (Gunther 1993), neither parameter negative:
//!   `S(N) = N / (1 + contention (N-1) + coherency N (N-1))`.
//! - A power of N: `S(N) = N^exponent`, so that each doubling gains the same factor.
//! - A logarithm: `S(N) = 1 + gain ln N`, so that each doubling adds the same.
//! - The trends that Säfström and Yllmark (KTH 2024) draw: `S = slope N + intercept` and
//!   `S = slope ln N + intercept`.
//!
//! The first four have S(1) = 1 built in, and are fitted by least squares on log S over all N > 1.
//! They compete by Akaike's criterion ([`selection`]). The trends are fitted by least squares on S
//! over all N including 1.
//!
//! [`implied`] has the consequences of a fit: its limit, and the number of threads that are enough.

pub mod implied;
mod model;
pub mod selection;
mod solve;

pub use implied::{Limit, amdahl_limit, parallel_share};
pub use model::{Fit, Model};
pub(super) use solve::line;

/// Fits a model to median speedups. It needs `parameters + 2` thread counts: above 1, but for the
/// trends including 1. None with fewer, or with a speedup that is not positive and finite.
pub fn fit(model: Model, speedups: &[(usize, f64)]) -> Option<Fit> {
    let measured_to = speedups.iter().map(|(n, _)| *n).max()?;
    let points: Vec<(f64, f64)> = speedups
        .iter()
        .filter(|(n, _)| model.is_trend() || *n > 1)
        .map(|&(n, s)| (n as f64, s))
        .collect();
    let bad = points.iter().any(|(_, s)| !(s.is_finite() && *s > 0.0));
    if bad || points.len() < model.parameters().len() + 2 {
        return None;
    }
    let parameters = match model {
        Model::Amdahl => vec![solve::amdahl(&points)],
        Model::Usl => solve::usl(&points).to_vec(),
        Model::Power => vec![solve::power(&points)],
        Model::Logarithmic => vec![solve::logarithmic(&points)],
        Model::LinearTrend => line(points.iter().copied()).to_vec(),
        Model::LogarithmicTrend => line(points.iter().map(|(n, s)| (n.ln(), *s))).to_vec(),
    };
    let scale = |s: f64| if model.is_trend() { s } else { s.ln() };
    let observed: Vec<f64> = points.iter().map(|(_, s)| scale(*s)).collect();
    let mean = observed.iter().sum::<f64>() / observed.len() as f64;
    let total: f64 = observed.iter().map(|o| (o - mean).powi(2)).sum();
    let residual: f64 = points
        .iter()
        .zip(&observed)
        .map(|((n, _), o)| (o - scale(model.speedup(&parameters, *n))).powi(2))
        .sum();
    let competes = !model.is_trend();
    let aicc = if competes { aicc(points.len(), parameters.len(), residual) } else { None };
    Some(Fit {
        model,
        points: points.len(),
        measured_to,
        r_squared: (total > 0.0).then(|| 1.0 - residual / total),
        aicc,
        parameters,
    })
}

/// The error of log S that still counts as an exact fit: a speedup is not known to a millionth.
const MET: f64 = 1e-6;

/// Akaike's criterion for a model on log S; less is better. `residual` is the sum of the squared
/// errors. It has Hurvich and Tsai's correction for small samples (Biometrika 76, 1989). The
/// variance counts as a parameter. None with fewer points than `parameters + 3`: there the
/// correction is not defined.
pub fn aicc(points: usize, parameters: usize, residual: f64) -> Option<f64> {
    if points < parameters + 3 {
        return None;
    }
    let (n, k) = (points as f64, parameters as f64 + 1.0);
    // Two models that fit every point exactly differ by rounding only.
    let variance = (residual / n).max(MET * MET);
    Some(n * variance.ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp)] // Exact figures are meant.

    use super::*;

    /// The medians that Säfström and Yllmark (KTH 2024) publish.
    const YBWC: [(usize, f64); 4] = [(1, 1.0), (2, 1.693), (4, 2.773), (8, 3.818)];
    const LAZY_SMP: [(usize, f64); 4] = [(1, 1.0), (2, 0.989), (4, 1.015), (8, 0.891)];

    fn rounded(value: f64, decimals: i32) -> f64 {
        let scale = 10f64.powi(decimals);
        (value * scale).round() / scale
    }

    #[test]
    fn golden_figures_of_the_thesis() {
        let p = parallel_share(2, 1.693).expect("enough data");
        assert_eq!(rounded(p, 4), 0.8187);
        assert_eq!(rounded(amdahl_limit(p).expect("enough data"), 2), 5.51);
        // The thesis rounds p to 0.82 first: 5.56, printed as 5.6.
        assert_eq!(rounded(amdahl_limit(rounded(p, 2)).expect("enough data"), 1), 5.6);
        assert_eq!(rounded(parallel_share(4, 1.015).expect("enough data"), 4), 0.0197);

        let trend = fit(Model::LogarithmicTrend, &YBWC).expect("enough data");
        assert_eq!(rounded(trend.parameters[0], 4), 1.3755);
        assert_eq!(rounded(trend.parameters[1], 4), 0.8909);
        assert_eq!(rounded(trend.r_squared.expect("enough data"), 4), 0.9913);
        let trend = fit(Model::LinearTrend, &LAZY_SMP).expect("enough data");
        assert_eq!(rounded(trend.r_squared.expect("enough data"), 4), 0.7118);
    }

    #[test]
    fn amdahl_recovers_its_own_share() {
        for p in [-0.2, 0.0, 0.5, 0.95, 1.0, 1.05] {
            let points: Vec<_> =
                [1, 2, 4, 8].map(|n| (n, Model::Amdahl.speedup(&[p], n as f64))).to_vec();
            let fit = fit(Model::Amdahl, &points).expect("enough data");
            assert!((fit.parameters[0] - p).abs() < 1e-6, "{p}: {fit:?}");
            assert!((parallel_share(8, points[3].1).expect("enough data") - p).abs() < 1e-12);
        }
        assert_eq!(amdahl_limit(1.0), None);
        assert_eq!(parallel_share(1, 1.0), None);
        assert_eq!(parallel_share(2, f64::INFINITY), Some(2.0));
    }

    #[test]
    fn usl_recovers_its_own_parameters() {
        let counts = [1, 2, 4, 8, 16, 32];
        for [a, b] in [[0.05, 0.001], [0.0, 0.002], [0.1, 0.0], [0.0, 0.0], [1.5, 0.3]] {
            let points = counts.map(|n| (n, Model::Usl.speedup(&[a, b], n as f64)));
            let fit = fit(Model::Usl, &points).expect("enough data");
            let error = (fit.parameters[0] - a).abs() + (fit.parameters[1] - b).abs();
            assert!(error < 1e-6, "{a} {b}: {fit:?}");
        }
    }

    /// Speedups that follow no model, different for each seed.
    fn noisy(seed: u64) -> Vec<(usize, f64)> {
        let wave = |n: usize| 1.0 + 0.3 * ((seed * 31 + n as u64 * 17) as f64).sin();
        [1, 2, 4, 8, 16, 32].map(|n| (n, (n as f64).powf(0.7) * wave(n))).to_vec()
    }

    fn log_squares(model: Model, parameters: &[f64], points: &[(usize, f64)]) -> f64 {
        points[1..]
            .iter()
            .map(|&(n, s)| (s.ln() - model.speedup(parameters, n as f64).ln()).powi(2))
            .sum()
    }

    #[test]
    fn no_grid_point_beats_a_fit() {
        for seed in 0..20 {
            let points = noisy(seed);
            let amdahl = fit(Model::Amdahl, &points).expect("enough data");
            let best = log_squares(Model::Amdahl, &amdahl.parameters, &points);
            for step in -200..=1030 {
                let p = step as f64 / 1000.0;
                assert!(log_squares(Model::Amdahl, &[p], &points) >= best - 1e-9, "{seed} {p}");
            }
            let usl = fit(Model::Usl, &points).expect("enough data");
            let best = log_squares(Model::Usl, &usl.parameters, &points);
            for a in 0..100 {
                for b in 0..100 {
                    let grid = [a as f64 / 200.0, b as f64 / 5000.0];
                    let squares = log_squares(Model::Usl, &grid, &points);
                    assert!(squares >= best - 1e-9, "{seed} {grid:?} {usl:?}");
                }
            }
        }
    }

    #[test]
    fn too_few_thread_counts_are_refused() {
        assert!(fit(Model::Amdahl, &YBWC[..3]).is_none());
        assert!(fit(Model::Amdahl, &YBWC).expect("enough data").aicc.is_none());
        assert!(fit(Model::Usl, &YBWC).is_none());
        assert!(fit(Model::LinearTrend, &YBWC[..3]).is_none());
        let five = [(1, 1.0), (2, 1.9), (4, 3.5), (8, 5.9), (16, 9.0)];
        assert!(fit(Model::Amdahl, &five).expect("enough data").aicc.is_some());
        assert!(fit(Model::Amdahl, &[(2, 1.0), (4, 0.0), (8, 2.0)]).is_none());
    }

    #[test]
    fn aicc_prefers_the_model_that_made_the_data() {
        let noise = [1.01, 0.99, 1.005, 0.995, 1.01, 0.99];
        let counts = [2, 4, 8, 16, 32, 64];
        let usl: Vec<_> = (0..6)
            .map(|i| (counts[i], noise[i] * Model::Usl.speedup(&[0.05, 0.002], counts[i] as f64)))
            .collect();
        let of = |model| fit(model, &usl).expect("enough data").aicc.expect("enough data");
        assert!(of(Model::Usl) < of(Model::Amdahl));
    }

    #[test]
    fn powers_and_logarithms_recover_their_own_parameters() {
        let counts = [1, 2, 4, 8, 16];
        for (model, parameters) in [
            (Model::Power, [-0.1, 0.0, 0.7, 1.0, 1.2]),
            (Model::Logarithmic, [-0.2, 0.0, 0.5, 1.4, 3.0]),
        ] {
            for parameter in parameters {
                let points = counts.map(|n| (n, model.speedup(&[parameter], n as f64)));
                let fit = fit(model, &points).expect("enough data");
                assert!((fit.parameters[0] - parameter).abs() < 1e-9, "{parameter}: {fit:?}");
                assert_eq!((fit.points, fit.measured_to), (4, 16));
            }
        }
    }

    #[test]
    fn what_meets_every_point_wins_by_its_fewer_parameters() {
        // A power of 1, an Amdahl of 1 and a USL of 0 and 0 are one line, and all fit it exactly.
        let ideal = [1, 2, 4, 8, 16, 32].map(|n| (n, n as f64));
        let of = |model| fit(model, &ideal).and_then(|fit| fit.aicc).expect("enough data");
        assert!((of(Model::Amdahl) - of(Model::Power)).abs() < 1e-9);
        assert!(of(Model::Usl) - of(Model::Power) > 4.0);
        assert!(of(Model::Logarithmic) - of(Model::Power) > 4.0);
    }

    /// A model, its parameters, criterion, weight, and the numbers of threads that are enough at
    /// 50%, 25% and 10%.
    type Expected = (Model, &'static [f64], f64, f64, [usize; 3]);

    /// Speedups that no model fits exactly; `scripts/statistics-reference.py` finds the figures.
    const MEASURED: [(usize, f64); 7] =
        [(1, 1.0), (2, 1.93), (4, 3.52), (8, 6.1), (16, 9.2), (32, 12.1), (64, 12.9)];

    #[test]
    fn explained_shares_and_trends_agree_with_scipy() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        for (model, r_squared) in [
            (Model::Amdahl, 0.993_855_742_011),
            (Model::Usl, 0.999_934_341_842),
            (Model::Power, 0.847_520_474_321),
            (Model::Logarithmic, 0.905_884_834_573),
            (Model::LinearTrend, 0.762_388_906_121),
            (Model::LogarithmicTrend, 0.974_824_312_702),
        ] {
            let fit = fit(model, &MEASURED).expect("enough data");
            near(fit.r_squared.expect("speedups vary"), r_squared);
        }
        for (model, [slope, intercept]) in [
            (Model::LinearTrend, [0.183_588_107_521_043, 3.347_758_620_689_66]),
            (Model::LogarithmicTrend, [3.180_112_068_702_39, 0.065_714_285_714_285_8]),
        ] {
            let fit = fit(model, &MEASURED).expect("enough data");
            near(fit.parameters[0], slope);
            near(fit.parameters[1], intercept);
        }
    }

    #[test]
    fn fits_agree_with_scipy() {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        let expected: [Expected; 4] = [
            (
                Model::Amdahl,
                &[0.943_909_381_598_184],
                -27.079_335_820_5,
                0.000_181_072_081_977,
                [8, 18, 38],
            ),
            (
                Model::Usl,
                &[0.043_556_197_092_210_3, 0.000_301_914_136_238_61],
                -44.312_204_245_1,
                0.999_818_865_688,
                [9, 18, 31],
            ),
            (
                Model::Power,
                &[0.717_947_093_989_837],
                -7.810_261_757_93,
                1.184_745_933_69e-8,
                [4, 42, 1084],
            ),
            (
                Model::Logarithmic,
                &[2.515_241_011_885_78],
                -10.705_328_554_2,
                5.038_264_853_8e-8,
                [5, 10, 25],
            ),
        ];
        let fits = expected.map(|(model, ..)| fit(model, &MEASURED).expect("enough data"));
        let support = selection::support(&fits.each_ref().map(|fit| fit.aicc));
        for ((fit, support), (_, parameters, aicc, weight, enough)) in
            fits.iter().zip(support).zip(expected)
        {
            for (found, expected) in fit.parameters.iter().zip(parameters) {
                near(*found, *expected);
            }
            near(fit.aicc.expect("enough data"), aicc);
            near(support.expect("four compete").weight, weight);
            let found = [0.5, 0.25, 0.1].map(|share| fit.enough(share).expect("it comes"));
            assert_eq!(found, enough, "{fit:?}");
        }
        let peak = fits[1].limit().expect("a peak");
        near(peak.speedup, 12.946_594_030_7);
        // SciPy finds the peak by values: they tell the place of a maximum to half of the digits.
        assert!((peak.threads.expect("a peak") / 56.284_395_3 - 1.0).abs() < 1e-6);
    }

    /// Where one parameter of USL is 0, the other one is the zero of the slope on that edge, to all
    /// digits. `scripts/statistics-reference.py` finds it with 40 digits.
    #[test]
    fn a_fit_on_an_edge_is_right_to_the_last_digits() {
        let counts = [2.0, 4.0, 8.0, 16.0, 32.0];
        let without_coherency = [1.95, 3.4, 6.6, 10.5, 18.0];
        let without_contention = [2.1, 4.3, 8.2, 12.5, 15.9];
        for (speedups, edge, expected) in [
            (without_coherency, 0, 0.028_538_595_050_384_48),
            (without_contention, 1, 0.001_020_716_907_158_641_6),
        ] {
            let points: Vec<(usize, f64)> =
                counts.iter().map(|n| *n as usize).zip(speedups).collect();
            let found = fit(Model::Usl, &points).expect("enough data").parameters;
            assert_eq!(found[1 - edge], 0.0, "{found:?}");
            assert!((found[edge] / expected - 1.0).abs() < 1e-12, "{found:?} is not {expected}");
        }
    }
}
