//! The models of speedup by threads, and a fitted one.

/// A model of speedup by threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Amdahl's law.
    Amdahl,
    /// The universal scalability law.
    Usl,
    /// A power of N.
    Power,
    /// One plus a multiple of log N.
    Logarithmic,
    /// A straight line.
    LinearTrend,
    /// A straight line over log N.
    LogarithmicTrend,
}

impl Model {
    /// Every model: those that compete, then the trends.
    pub const ALL: [Model; 6] = [
        Model::Amdahl,
        Model::Usl,
        Model::Power,
        Model::Logarithmic,
        Model::LinearTrend,
        Model::LogarithmicTrend,
    ];

    /// The word used in files.
    pub const fn name(self) -> &'static str {
        self.told().0
    }

    /// The words used in texts.
    pub const fn words(self) -> &'static str {
        self.told().1
    }

    /// The names of its parameters.
    pub const fn parameters(self) -> &'static [&'static str] {
        self.told().2
    }

    /// The word in files, the words in texts, and the names of the parameters.
    const fn told(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Model::Amdahl => ("amdahl", "Amdahl's law", &["p"]),
            Model::Usl => ("usl", "USL", &["contention", "coherency"]),
            Model::Power => ("power", "power law", &["exponent"]),
            Model::Logarithmic => ("logarithmic", "logarithm", &["gain"]),
            Model::LinearTrend => ("linear-trend", "linear trend", &["slope", "intercept"]),
            Model::LogarithmicTrend => {
                ("logarithmic-trend", "logarithmic trend", &["slope", "intercept"])
            }
        }
    }

    /// Whether it is fitted on S, including N = 1, rather than on log S over N > 1.
    pub const fn is_trend(self) -> bool {
        matches!(self, Model::LinearTrend | Model::LogarithmicTrend)
    }

    /// The speedup that the model gives for `n` threads.
    pub fn speedup(self, parameters: &[f64], n: f64) -> f64 {
        match (self, parameters) {
            (Model::Amdahl, [p]) => 1.0 / ((1.0 - p) + p / n),
            (Model::Usl, [contention, coherency]) => {
                n / (1.0 + contention * (n - 1.0) + coherency * n * (n - 1.0))
            }
            (Model::Power, [exponent]) => n.powf(*exponent),
            (Model::Logarithmic, [gain]) => 1.0 + gain * n.ln(),
            (Model::LinearTrend, [slope, intercept]) => slope * n + intercept,
            (Model::LogarithmicTrend, [slope, intercept]) => slope * n.ln() + intercept,
            _ => f64::NAN,
        }
    }
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The model that was fitted.
    pub model: Model,
    /// The parameters, in the order of [`Model::parameters`].
    pub parameters: Vec<f64>,
    /// The number of thread counts in the fit.
    pub points: usize,
    /// The greatest of these thread counts: speedups beyond it are extrapolated.
    pub measured_to: usize,
    /// The share of the variance explained: of log S (N > 1), for the trends of S. Negative where
    /// the model is worse than a constant; none where S does not vary.
    pub r_squared: Option<f64>,
    /// Akaike's criterion corrected for small samples, on log S ([`aicc`](super::aicc)). None for
    /// trends, and with too few points.
    pub aicc: Option<f64>,
}

impl Fit {
    /// The speedup that the fitted model gives for `n` threads.
    pub fn speedup(&self, n: f64) -> f64 {
        self.model.speedup(&self.parameters, n)
    }
}
