//! The source of a report: everything that a results directory holds.

use crate::experiment::{Experiment, IterationRow, Part, WorkerRow, plan};
use crate::explain::Ladder;
use crate::quality::{JUDGED, Judged};
use crate::records::{CoresKind, ResultsError, Sitting};
use crate::report::figures::{Figures, Iterations, Measurements, Samples};
use crate::report::numbers::count;
use crate::report::precision;
use crate::report::topics::by_depth::rows::{SpeedupsByDepth, by_depth};
use crate::report::topics::by_tree::rows::{SpeedupsByTree, by_tree};
use crate::report::topics::comparisons::rows::Comparisons;
use crate::report::topics::equal_quality::rows::{EqualQuality, equal_quality};
use crate::report::topics::sittings::rows::{SittingsRow, over_sittings};
use crate::report::topics::spread::normality::{CellShape, shapes};
use crate::report::topics::stability::outliers::{Outlier, outliers};
use crate::report::topics::stability::rows::{StabilityRow, stability};
use crate::report::topics::strata::rows::{Stratum, strata};
use crate::report::topics::variants::rows::Variants;
use crate::report::topics::work_span::rows::WorkSpanFigures;
use crate::report::{LeftOut, Salvaged};
use std::convert::Infallible;
use std::path::Path;
use ttd_search::positions::TestPosition;
use ttd_stats::precision::Precision;

/// A results directory that was read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The number of lines of the user's position file that were left out.
    pub lines_left_out: usize,
    /// The experiment that was measured.
    pub experiment: Experiment,
    /// Its positions; none if they cannot be read.
    pub set: Vec<TestPosition>,
    /// The program and the machine, one entry for each sitting.
    pub sittings: Vec<Sitting>,
    /// The samples so far.
    pub samples: Samples,
    /// The parts that could not be used.
    pub left_out: LeftOut,
    /// The number of samples that the experiment plans, without the ones that were left out. An
    /// experiment that goes on until enough is measured plans up to its next look. None if its
    /// positions cannot be read.
    pub planned: Option<usize>,
    /// The cores that workers ran on.
    pub cores: Cores,
    /// All figures that follow from these.
    pub figures: Figures,
    /// The figures if each sample that its limit stopped counted as finished at that time. None if
    /// there is no such sample.
    pub as_finished: Option<Figures>,
    /// The precision of the speedups.
    pub precision: Precision,
    /// The comparisons: which competitor is faster than which.
    pub comparisons: Comparisons,
    /// The variants beside their reference; none without variants.
    pub variants: Option<Variants>,
    /// Work and critical path, of the searchers with runs that know them.
    pub work_spans: Vec<WorkSpanFigures>,
    /// The reason why iterations are not known, if their file cannot be read.
    pub unread: Option<String>,
    /// Speedups to each depth on the way; none if iterations are not known.
    pub by_depth: Vec<SpeedupsByDepth>,
    /// Speedups by the size of the tree; none if iterations are not known.
    pub by_tree: Vec<SpeedupsByTree>,
    /// Speedups by the kind of position; none if all are of one kind.
    pub strata: Vec<Stratum>,
    /// Times at equal quality; none if no moves were judged.
    pub equal_quality: Option<EqualQuality>,
    /// The ladders of idealised machines; none if none was climbed.
    pub ladders: Vec<Ladder>,
    /// The shape of the times of every cell, and whether they are normal.
    pub normality: Vec<CellShape>,
    /// Speedups over sittings; none with fewer than two on real cores.
    pub over_sittings: Vec<SittingsRow>,
    /// The stability of runs: how alike they are.
    pub stability: Vec<StabilityRow>,
    /// Positions far from the others.
    pub outliers: Vec<Outlier>,
}

/// The cores that workers ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// This many cores could be used by the process (the least of all sittings).
    Real(usize),
    /// Real cores, but their number was not written down.
    Unknown,
    /// Real cores in time that was dilated by this factor, which made room for all workers. The
    /// number of cores, if it was written down.
    Dilated(u64, Option<usize>),
    /// Virtual cores: so many, or else as many as there are workers.
    Virtual(Option<usize>),
}

impl Cores {
    /// The largest number of workers that each have their own core; none if there is no limit or it
    /// is not known.
    pub fn limit(self) -> Option<usize> {
        match self {
            Cores::Real(cores) => Some(cores),
            Cores::Unknown | Cores::Dilated(..) => None,
            Cores::Virtual(processors) => processors,
        }
    }

    /// Whether they are virtual cores.
    pub fn is_virtual(self) -> bool {
        matches!(self, Cores::Virtual(_))
    }

    /// The cores in words.
    pub fn words(self) -> String {
        match self {
            Cores::Real(cores) => count(cores, "core"),
            Cores::Unknown => "cores unknown".to_owned(),
            Cores::Dilated(factor, cores) => {
                let on = cores.map_or_else(|| "unknown cores".to_owned(), |n| count(n, "core"));
                format!("{on} in dilated time (times divided by {factor})")
            }
            Cores::Virtual(None) => "virtual cores".to_owned(),
            Cores::Virtual(Some(processors)) => count(processors, "virtual core"),
        }
    }
}

impl Input {
    /// Reads a results directory, also an unfinished one, and computes its figures.
    ///
    /// Single rows that are damaged are left out, and so are searchers that this version does not
    /// know. Without the position set, positions are known from their samples. Without the
    /// iterations, the figures that follow from them are left out.
    ///
    /// # Errors
    /// If a file cannot be read, or is not of a form that a run writes.
    pub fn read(dir: &Path) -> Result<Input, ResultsError> {
        let Salvaged { experiment, sittings, positions, samples, mut left_out } =
            Salvaged::read(dir)?;
        let set = positions.unwrap_or_default();
        let ids: Vec<String> = set.iter().map(|position| position.id.clone()).collect();
        let mut samples = Samples::new(samples);
        if experiment.detail && dir.join(WorkerRow::FILE).exists() {
            match (left_out.parts(dir), left_out.parts(dir)) {
                (Ok(workers), Ok(depths)) => samples = samples.with_detail(workers, depths),
                (Err(why), _) | (_, Err(why)) => {
                    left_out.tell(dir, WorkerRow::FILE, &why.to_string());
                }
            }
        }
        let least = sittings.iter().map(|sitting| sitting.cores_usable).min();
        let cores = match (experiment.cores, least) {
            (CoresKind::Real, cores) if let Some(factor) = experiment.dilate => {
                Cores::Dilated(factor, cores.map(|cores| experiment.cores_among(cores)))
            }
            (CoresKind::Virtual, _) => Cores::Virtual(experiment.processors()),
            (CoresKind::Real, Some(cores)) => Cores::Real(experiment.cores_among(cores)),
            (CoresKind::Real, None) => Cores::Unknown,
        };
        let figures = |samples: &Samples| Figures::of(&experiment, samples, &ids, cores.limit());
        let as_finished = samples.as_finished().as_ref().map(figures);
        let figures = figures(&samples);
        let precision = precision::of_figures(&experiment, &samples, &figures);
        let is_narrower = |wanted| precision.is_narrower(wanted);
        let planned = planned(&experiment, &ids, &samples, &left_out, is_narrower);
        let mut iterations = Iterations::default();
        let of = (&experiment, &ids[..]);
        let unread = left_out.iterations(dir, of, samples.all(), |row| iterations.add(row)).err();
        let unread = unread.map(|why| why.to_string()).or_else(|| {
            let path = dir.join(IterationRow::FILE);
            let what = if path.exists() { "it has no row" } else { "there is no such file" };
            iterations.is_empty().then(|| format!("{}: {what}", path.display()))
        });
        let judged = Judged::read(dir).unwrap_or_else(|why| {
            left_out.tell(dir, JUDGED, &why.to_string());
            None
        });
        let ladders = left_out.ladders(dir, &experiment, &ids);
        let of = Measurements {
            experiment: &experiment,
            set: &set,
            samples: &samples,
            iterations: &iterations,
            figures: &figures,
        };
        Ok(Input {
            lines_left_out: experiment.lines_left_out(dir).unwrap_or(0),
            comparisons: Comparisons::of(of),
            variants: Variants::of(of),
            work_spans: WorkSpanFigures::all(of),
            by_depth: by_depth(of),
            by_tree: by_tree(of),
            strata: strata(of),
            equal_quality: judged.map(|(judged, bad)| equal_quality(of, &judged, bad.bad.len())),
            ladders,
            normality: shapes(of),
            over_sittings: over_sittings(of, &sittings),
            stability: stability(of),
            outliers: outliers(of),
            unread,
            experiment,
            set,
            sittings,
            samples,
            left_out,
            planned,
            cores,
            figures,
            as_finished,
            precision,
        })
    }

    /// The thread counts that are more than the cores that could be used.
    pub(crate) fn oversubscribed(&self) -> Vec<usize> {
        let over = |threads: &usize| self.cores.limit().is_some_and(|limit| *threads > limit);
        self.figures.threads().into_iter().filter(over).collect()
    }

    /// The experiment as it was measured. If it was to go on until enough is measured, its rounds
    /// are the ones that exist.
    pub(crate) fn as_measured(&self) -> Experiment {
        self.experiment.with_rounds(self.precision.rounds)
    }
}

/// The number of samples at which the run is done or looks again, without the ones that were left
/// out. `ids` are those of the positions; the result is none if these are not known. Only an
/// experiment that goes on until enough is measured asks whether its intervals are narrow enough.
pub(crate) fn planned(
    experiment: &Experiment,
    ids: &[String],
    samples: &Samples,
    left_out: &LeftOut,
    is_narrower: impl FnOnce(f64) -> bool,
) -> Option<usize> {
    let narrow = || {
        let wanted = experiment.until.unwrap_or(f64::INFINITY);
        Ok::<bool, Infallible>(is_narrower(wanted))
    };
    let all: Vec<&str> = ids.iter().map(String::as_str).collect();
    let taken = samples.all().count() + left_out.planned;
    let Ok(goal) = experiment.goal(plan(experiment, &all).len(), taken, narrow);
    (!ids.is_empty()).then(|| goal.saturating_sub(left_out.planned))
}
