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
#[cfg(test)]
mod tests;

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
