//! Models of how speedup grows with threads.
//!
//! - Amdahl (1967): `S(N) = 1 / ((1-p) + p/N)`; `p` is the parallel share. `p < 0` (slower than one
//!   thread) and `p > 1` (faster than linear) are shown as they are.
//! - The universal scalability law (Gunther 1993): `S(N) = N / (1 + contention (N-1) + coherency N (N-1))`,
//!   neither parameter negative.
//! - The trends that Säfström and Yllmark (KTH 2024) draw: `S = slope N + intercept` and
//!   `S = slope ln N + intercept`.
//!
//! The first two have S(1) = 1 built in and are fitted by least squares on log S over all N > 1; the
//! trends by least squares on S over all N including 1.

use super::minimise::minimise;

/// A model of speedup by threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Amdahl's law.
    Amdahl,
    /// The universal scalability law.
    Usl,
    /// A straight line.
    Linear,
    /// A straight line over log N.
    Logarithmic,
}

impl Model {
    /// Every model.
    pub const ALL: [Model; 4] = [Model::Amdahl, Model::Usl, Model::Linear, Model::Logarithmic];

    /// The word used in files.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Amdahl => "amdahl",
            Model::Usl => "usl",
            Model::Linear => "linear-trend",
            Model::Logarithmic => "logarithmic-trend",
        }
    }

    /// The names of its parameters.
    pub const fn parameters(self) -> &'static [&'static str] {
        match self {
            Model::Amdahl => &["p"],
            Model::Usl => &["contention", "coherency"],
            Model::Linear | Model::Logarithmic => &["slope", "intercept"],
        }
    }

    /// Whether it is fitted on S, including N = 1, rather than on log S over N > 1.
    pub const fn is_trend(self) -> bool {
        matches!(self, Model::Linear | Model::Logarithmic)
    }

    /// The speedup that it gives for `n` threads.
    pub fn speedup(self, parameters: &[f64], n: f64) -> f64 {
        match (self, parameters) {
            (Model::Amdahl, [p]) => 1.0 / ((1.0 - p) + p / n),
            (Model::Usl, [contention, coherency]) => {
                n / (1.0 + contention * (n - 1.0) + coherency * n * (n - 1.0))
            }
            (Model::Linear, [slope, intercept]) => slope * n + intercept,
            (Model::Logarithmic, [slope, intercept]) => slope * n.ln() + intercept,
            _ => f64::NAN,
        }
    }
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Which.
    pub model: Model,
    /// In the order of [`Model::parameters`].
    pub parameters: Vec<f64>,
    /// How many thread counts it was fitted to.
    pub points: usize,
    /// Share of the variance explained: of log S (N > 1), for the trends of S. Negative where the
    /// model is worse than a constant; none where S does not vary.
    pub r_squared: Option<f64>,
    /// Akaike's criterion corrected for small samples, on log S, the variance counted as a parameter;
    /// less is better. None for trends, for exact fits, and where there are too few points for the
    /// correction (fewer than the parameters, the variance included, plus two).
    pub aicc: Option<f64>,
}

impl Fit {
    /// The speedup that it gives for `n` threads.
    pub fn speedup(&self, n: f64) -> f64 {
        self.model.speedup(&self.parameters, n)
    }
}

/// Fits a model to median speedups. None with fewer thread counts (above 1; for the trends including
/// 1) than parameters + 2, or with a speedup that is not positive and finite.
pub fn fit(model: Model, speedups: &[(usize, f64)]) -> Option<Fit> {
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
        Model::Amdahl => vec![amdahl(&points)],
        Model::Usl => usl(&points).to_vec(),
        Model::Linear => line(points.iter().copied()).to_vec(),
        Model::Logarithmic => line(points.iter().map(|(n, s)| (n.ln(), *s))).to_vec(),
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
    let aicc = if model.is_trend() { None } else { aicc(points.len(), &parameters, residual) };
    Some(Fit {
        model,
        points: points.len(),
        r_squared: (total > 0.0).then(|| 1.0 - residual / total),
        aicc,
        parameters,
    })
}

/// Akaike's criterion with Hurvich and Tsai's correction.
fn aicc(points: usize, parameters: &[f64], residual: f64) -> Option<f64> {
    let (n, k) = (points as f64, parameters.len() as f64 + 1.0);
    if points < parameters.len() + 3 || residual <= 0.0 {
        return None;
    }
    Some(n * (residual / n).ln() + 2.0 * k + 2.0 * k * (k + 1.0) / (n - k - 1.0))
}

/// Amdahl's parallel share from one speedup at `n` threads: `n (S-1) / ((n-1) S)`. None for one
/// thread or a speedup that is not positive.
pub fn parallel_share(n: usize, speedup: f64) -> Option<f64> {
    // Written so that an infinite speedup has its share too.
    (n > 1 && speedup > 0.0).then(|| n as f64 / (n as f64 - 1.0) * (1.0 - 1.0 / speedup))
}

/// The speedup that Amdahl's law tends to with ever more threads, `1/(1-p)`; none for p >= 1.
pub fn amdahl_limit(parallel_share: f64) -> Option<f64> {
    (parallel_share < 1.0).then(|| 1.0 / (1.0 - parallel_share))
}

/// The serial share that Karp and Flatt (1990) determine from one speedup:
/// `(1/S - 1/n) / (1 - 1/n)`. Where it grows with n, overhead grows with the threads.
pub fn karp_flatt(n: usize, speedup: f64) -> Option<f64> {
    parallel_share(n, speedup).map(|p| 1.0 - p)
}

/// Least squares on log S.
///
/// With `f = 1 - p`, each residual `ln S + ln(f + (1-f)/N)` grows with f and is zero at Karp and Flatt's f of
/// that point, so the best f lies between the least and the greatest of these.
fn amdahl(points: &[(f64, f64)]) -> f64 {
    let serial = |(n, s): &(f64, f64)| (1.0 / s - 1.0 / n) / (1.0 - 1.0 / n);
    let (low, high) = range(points.iter().map(serial));
    // Below this the law gives no speedup at the greatest N at all.
    let most = points.iter().map(|(n, _)| *n).fold(2.0, f64::max);
    let low = low.max(-1.0 / (most - 1.0) * (1.0 - 1e-9));
    let squares = |f: f64| {
        points.iter().map(|(n, s)| (s.ln() + (f + (1.0 - f) / n).ln()).powi(2)).sum::<f64>()
    };
    1.0 - minimise(low, high, squares)
}

/// Least squares on log S with neither parameter negative: the best of the two edges and of what
/// Gauss and Newton find from them.
fn usl(points: &[(f64, f64)]) -> [f64; 2] {
    let squares = |[a, b]: [f64; 2]| usl_residuals(points, [a, b]).map(|r| r * r).sum::<f64>();
    let along = |direction: [f64; 2]| {
        // As for Amdahl: where each point alone would put the parameter.
        let alone = |(n, s): &(f64, f64)| {
            let weight = direction[0] * (n - 1.0) + direction[1] * n * (n - 1.0);
            ((n / s - 1.0) / weight).max(0.0)
        };
        let (low, high) = range(points.iter().map(alone));
        let best = minimise(low, high, |x| squares(direction.map(|d| d * x)));
        direction.map(|d| d * best)
    };
    let edges = [along([1.0, 0.0]), along([0.0, 1.0])];
    let inner = edges.map(|start| gauss_newton(points, start, squares));
    edges
        .into_iter()
        .chain(inner)
        .min_by(|a, b| squares(*a).total_cmp(&squares(*b)))
        .expect("there are four candidates")
}

fn usl_residuals(points: &[(f64, f64)], [a, b]: [f64; 2]) -> impl Iterator<Item = f64> {
    points.iter().map(move |(n, s)| (s / n).ln() + (1.0 + a * (n - 1.0) + b * n * (n - 1.0)).ln())
}

fn gauss_newton(
    points: &[(f64, f64)],
    start: [f64; 2],
    squares: impl Fn([f64; 2]) -> f64,
) -> [f64; 2] {
    let [mut a, mut b] = start;
    for _ in 0..50 {
        // Normal equations of the linearised residuals.
        let (mut aa, mut ab, mut bb, mut ar, mut br) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for ((n, _), residual) in points.iter().zip(usl_residuals(points, [a, b])) {
            let inside = 1.0 + a * (n - 1.0) + b * n * (n - 1.0);
            let (da, db) = ((n - 1.0) / inside, n * (n - 1.0) / inside);
            aa += da * da;
            ab += da * db;
            bb += db * db;
            ar += da * residual;
            br += db * residual;
        }
        let determinant = aa * bb - ab * ab;
        if determinant <= 1e-12 * aa * bb {
            break;
        }
        let (step_a, step_b) =
            ((ab * br - bb * ar) / determinant, (ab * ar - aa * br) / determinant);
        let here = squares([a, b]);
        let shorter = (0..30).map(|halvings| 0.5f64.powi(halvings)).find_map(|share| {
            let next = [(a + share * step_a).max(0.0), (b + share * step_b).max(0.0)];
            (squares(next) < here).then_some(next)
        });
        let Some(next) = shorter else { break };
        let moved = (next[0] - a).abs() + (next[1] - b).abs();
        [a, b] = next;
        if moved < 1e-14 {
            break;
        }
    }
    [a, b]
}

/// Slope and intercept by ordinary least squares.
pub(super) fn line(points: impl Iterator<Item = (f64, f64)> + Clone) -> [f64; 2] {
    let n = points.clone().count() as f64;
    let mean_x = points.clone().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = points.clone().map(|(_, y)| y).sum::<f64>() / n;
    let xy: f64 = points.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let xx: f64 = points.map(|(x, _)| (x - mean_x).powi(2)).sum();
    let slope = xy / xx;
    [slope, mean_y - slope * mean_x]
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
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

        let trend = fit(Model::Logarithmic, &YBWC).expect("enough data");
        assert_eq!(rounded(trend.parameters[0], 4), 1.3755);
        assert_eq!(rounded(trend.parameters[1], 4), 0.8909);
        assert_eq!(rounded(trend.r_squared.expect("enough data"), 4), 0.9913);
        let trend = fit(Model::Linear, &LAZY_SMP).expect("enough data");
        assert_eq!(rounded(trend.r_squared.expect("enough data"), 4), 0.7118);
    }

    #[test]
    fn amdahl_recovers_its_own_share() {
        for p in [-0.2, 0.0, 0.5, 0.95, 1.0, 1.05] {
            let points: Vec<_> =
                [1, 2, 4, 8].map(|n| (n, Model::Amdahl.speedup(&[p], n as f64))).to_vec();
            let fit = fit(Model::Amdahl, &points).expect("enough data");
            assert!((fit.parameters[0] - p).abs() < 1e-6, "{p}: {fit:?}");
            assert!((karp_flatt(8, points[3].1).expect("enough data") - (1.0 - p)).abs() < 1e-12);
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
        assert!(fit(Model::Linear, &YBWC[..3]).is_none());
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
}
