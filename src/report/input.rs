//! What a report is made from: everything that a results directory holds.

use super::figures::{
    self, Figures, Iterations, Outlier, Samples, SpeedupsByDepth, StabilityRow, Variants,
};
use crate::experiment::{
    CoresKind, Experiment, Part, ResultsError, Sitting, WorkerRow, plan, read_parts, read_samples,
    read_sittings,
};
use std::path::Path;

/// A results directory that was read.
#[derive(Clone, Debug)]
pub struct Input {
    /// What was measured.
    pub experiment: Experiment,
    /// With what and on what, one for each sitting.
    pub sittings: Vec<Sitting>,
    /// The samples so far.
    pub samples: Samples,
    /// How many samples the experiment plans; none if its positions cannot be read.
    pub planned: Option<usize>,
    /// The cores that workers ran on.
    pub cores: Cores,
    /// All that follows.
    pub figures: Figures,
    /// What the variants do beside their reference; none without variants.
    pub variants: Option<Variants>,
    /// Why iterations are not known, if their file cannot be read.
    pub unread: Option<String>,
    /// Speedups to each depth on the way; none if iterations are not known.
    pub by_depth: Vec<SpeedupsByDepth>,
    /// How alike runs are.
    pub stability: Vec<StabilityRow>,
    /// Positions far from the others.
    pub outliers: Vec<Outlier>,
}

/// What workers ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// This many cores could be used by the process (the least of all sittings).
    Real(usize),
    /// Real ones, but nobody wrote down how many.
    Unknown,
    /// Virtual ones: as many as there are workers.
    Virtual,
}

impl Cores {
    /// Up to how many workers each have a core of their own, if there is a limit and it is known.
    pub fn limit(self) -> Option<usize> {
        match self {
            Cores::Real(cores) => Some(cores),
            Cores::Unknown | Cores::Virtual => None,
        }
    }

    /// In words.
    pub fn words(self) -> String {
        match self {
            Cores::Real(1) => "1 core".to_owned(),
            Cores::Real(cores) => format!("{cores} cores"),
            Cores::Unknown => "cores unknown".to_owned(),
            Cores::Virtual => "virtual cores".to_owned(),
        }
    }
}

impl Input {
    /// Reads a results directory, also an unfinished one, and computes its figures.
    ///
    /// # Errors
    /// If a file cannot be read, or holds something else than a run writes. The position set and the iterations are the
    /// exceptions: without the first, positions are known from their samples; without the others, what follows from them
    /// is left out.
    pub fn read(dir: &Path) -> Result<Input, ResultsError> {
        let experiment = Experiment::read(dir)?;
        let sittings = read_sittings(dir)?;
        let mut samples = Samples::new(read_samples(dir)?);
        if experiment.detail && dir.join(WorkerRow::FILE).exists() {
            samples = samples.with_detail(read_parts(dir)?, read_parts(dir)?);
        }
        let set = experiment.position_set(dir).ok();
        let planned = set.as_ref().map(|set| {
            let ids: Vec<&str> = set.iter().map(|position| position.id.as_str()).collect();
            plan(&experiment, &ids).len()
        });
        let least = sittings.iter().map(|sitting| sitting.cores_usable).min();
        let cores = match (experiment.cores, least) {
            (CoresKind::Virtual, _) => Cores::Virtual,
            (CoresKind::Real, Some(cores)) => Cores::Real(experiment.cores_among(cores)),
            (CoresKind::Real, None) => Cores::Unknown,
        };
        let set = set.unwrap_or_default();
        let ids: Vec<String> = set.iter().map(|position| position.id.clone()).collect();
        let figures = Figures::of(&experiment, &samples, &ids, cores.limit());
        let (iterations, unread) = match Iterations::read(dir) {
            Ok(iterations) => (iterations, None),
            Err(why) => (Iterations::default(), Some(why.to_string())),
        };
        let variants = Variants::of(&experiment, &samples, &iterations, &set, &figures);
        Ok(Input {
            variants,
            by_depth: figures::by_depth(&experiment, &samples, &iterations, &figures),
            stability: figures::stability(&experiment, &samples, &figures),
            outliers: figures::outliers(&experiment, &samples, &iterations, &figures),
            unread,
            experiment,
            sittings,
            samples,
            planned,
            cores,
            figures,
        })
    }
}
