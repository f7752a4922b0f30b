//! The consequences of a fitted model. They are the speedup that it cannot exceed, and the number
//! of threads from which on another one is hardly worth its core.

use super::model::{Fit, Model};

/// The greatest speedup that a model gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The greatest speedup.
    pub speedup: f64,
    /// The number of threads there (not a whole number). None if the model only tends to the
    /// speedup, with ever more threads.
    pub threads: Option<f64>,
}

/// The greatest thread count that is considered.
const MOST: usize = 1 << 20;

impl Fit {
    /// The speedup that the model tends to or peaks at. None if it has no bound, or for the trends,
    /// which are no laws.
    /// - Amdahl's is `1 / (1 - p)`, also where p < 0 and it is below 1.
    /// - The universal scalability law peaks at `sqrt((1 - contention) / coherency)` threads
    ///   (Gunther, "Guerrilla Capacity Planning", 2007). Without coherency it tends to
    ///   `1 / contention`.
    /// - A power or a logarithm that falls is at most 1.
    pub fn limit(&self) -> Option<Limit> {
        let tended = |speedup| Limit { speedup, threads: None };
        match (self.model, &self.parameters[..]) {
            (Model::Amdahl, [p]) => amdahl_limit(*p).map(tended),
            (Model::Usl, [contention, coherency]) if *coherency > 0.0 => {
                let peak = ((1.0 - contention).max(0.0) / coherency).sqrt().max(1.0);
                Some(Limit { speedup: self.speedup(peak), threads: Some(peak) })
            }
            (Model::Usl, [contention, _]) => (*contention > 0.0).then(|| tended(1.0 / contention)),
            (Model::Power | Model::Logarithmic, [rise]) => {
                (*rise <= 0.0).then_some(Limit { speedup: 1.0, threads: Some(1.0) })
            }
            _ => None,
        }
    }

    /// The least number N of threads from which another one adds less than `share` (above 0) of the
    /// speed of one thread: `S(N + 1) - S(N) < share`. None if that never comes, or not below a
    /// million threads; nor for the trends.
    ///
    /// The gain only falls with N, in every model that gains at most a whole core at first. So it
    /// is enough to find where it first is too small.
    pub fn enough(&self, share: f64) -> Option<usize> {
        let unbounded = match (self.model, &self.parameters[..]) {
            (Model::Amdahl | Model::Power, [rise]) => *rise >= 1.0,
            (model, _) => model.is_trend(),
        };
        if unbounded {
            return None;
        }
        let little = |n: usize| self.speedup(n as f64 + 1.0) - self.speedup(n as f64) < share;
        let mut above = 1;
        while !little(above) {
            above *= 2;
            if above > MOST {
                return None;
            }
        }
        let mut below = above / 2;
        while above - below > 1 {
            let middle = usize::midpoint(below, above);
            if little(middle) { above = middle } else { below = middle }
        }
        Some(above)
    }
}

/// Amdahl's parallel share from one speedup at `n` threads: `n (S-1) / ((n-1) S)`. None for one
/// thread or a speedup that is not positive.
pub fn parallel_share(n: usize, speedup: f64) -> Option<f64> {
    // This form gives an infinite speedup its share too.
    (n > 1 && speedup > 0.0).then(|| n as f64 / (n as f64 - 1.0) * (1.0 - 1.0 / speedup))
}

/// The speedup that Amdahl's law tends to with ever more threads, `1/(1-p)`; none for p >= 1.
pub fn amdahl_limit(parallel_share: f64) -> Option<f64> {
    (parallel_share < 1.0).then(|| 1.0 / (1.0 - parallel_share))
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    fn model(model: Model, parameters: &[f64]) -> Fit {
        let parameters = parameters.to_vec();
        Fit { model, parameters, points: 4, measured_to: 16, r_squared: None, aicc: None }
    }

    #[test]
    fn limits() {
        let limit = |kind, parameters: &[f64]| {
            model(kind, parameters).limit().map(|limit| (limit.speedup, limit.threads))
        };
        assert_eq!(limit(Model::Amdahl, &[0.75]), Some((4.0, None)));
        assert_eq!(limit(Model::Amdahl, &[-1.0]), Some((0.5, None)));
        assert_eq!(limit(Model::Amdahl, &[1.0]), None);
        // The peak is at the root of 0.84 / 0.0021 = 400. There D = 1 + 0.16 x 19 + 0.0021 x 20 x
        // 19 = 4.838.
        let (speedup, threads) = limit(Model::Usl, &[0.16, 0.0021]).expect("a peak");
        assert!((speedup - 20.0 / 4.838).abs() < 1e-12);
        assert!(threads.is_some_and(|n| (n - 20.0).abs() < 1e-12));
        assert_eq!(limit(Model::Usl, &[0.25, 0.0]), Some((4.0, None)));
        assert_eq!(limit(Model::Usl, &[0.0, 0.0]), None);
        assert_eq!(limit(Model::Usl, &[1.5, 0.1]), Some((1.0, Some(1.0))));
        assert_eq!(limit(Model::Power, &[0.9]), None);
        assert_eq!(limit(Model::Logarithmic, &[-0.1]), Some((1.0, Some(1.0))));
        assert_eq!(limit(Model::LinearTrend, &[1.0, 0.0]), None);
    }

    #[test]
    fn enough_is_where_another_thread_first_adds_too_little() {
        let kinds: [(Model, &[f64]); 7] = [
            (Model::Amdahl, &[0.82]),
            (Model::Amdahl, &[0.999]),
            (Model::Amdahl, &[-0.3]),
            (Model::Usl, &[0.02, 0.001]),
            (Model::Usl, &[0.0, 0.3]),
            (Model::Power, &[0.8]),
            (Model::Logarithmic, &[1.4]),
        ];
        for (kind, parameters) in kinds {
            let fit = model(kind, parameters);
            let gain = |n: usize| fit.speedup(n as f64 + 1.0) - fit.speedup(n as f64);
            for share in [0.5, 0.25, 0.1] {
                let first = (1..100_000).find(|n| gain(*n) < share);
                assert_eq!(fit.enough(share), first, "{kind:?} {parameters:?} {share}");
            }
        }
    }

    #[test]
    fn what_always_gains_is_never_enough() {
        assert_eq!(model(Model::Amdahl, &[1.0]).enough(0.25), None);
        assert_eq!(model(Model::Amdahl, &[1.2]).enough(0.25), None);
        assert_eq!(model(Model::Usl, &[0.0, 0.0]).enough(0.25), None);
        assert_eq!(model(Model::Power, &[1.1]).enough(0.25), None);
        // The answer would be 10^11 threads.
        assert_eq!(model(Model::Power, &[0.95]).enough(0.25), None);
        assert_eq!(model(Model::LinearTrend, &[0.1, 1.0]).enough(0.25), None);
    }
}
