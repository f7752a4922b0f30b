//! Samples that have lost rows of their parts.
//!
//! A power cut can take rows of one file and leave those of another. A sample whose parts are lost
//! is no measurement: it is taken again.

use super::keys::Experiment;
use super::parts::{DepthRow, IterationRow, Of, Part, ToldRow, WorkerRow};
use super::rows::{SAMPLES, Sample, SampleKey, SampleStatus};
use crate::records::{Rows, count};
use std::collections::{HashMap, HashSet};
use ttd_search::search::LookUps;

/// The rows of the parts, as they are in their files; none for a file that the experiment does not
/// have.
#[derive(Default)]
pub(super) struct FoundParts {
    pub(super) iterations: Rows<Of<IterationRow>>,
    pub(super) workers: Option<Rows<Of<WorkerRow>>>,
    pub(super) depths: Option<Rows<Of<DepthRow>>>,
    pub(super) told: Option<Rows<Of<ToldRow>>>,
}

/// Where rows are lost.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// Nowhere.
    Nothing,
    /// All samples from this one on lack rows in the file: the end of the file is lost.
    From(usize, &'static str),
    /// This sample lacks rows in the file, and a later one has all of its own.
    Between(usize, &'static str),
}

/// The parts of one sample that tell whether they are whole.
#[derive(Clone, Default)]
struct Sums {
    /// The depth of the last iteration; 0 if there is none.
    depth: u8,
    workers: usize,
    look_ups: LookUps,
    /// The depth that was told last; 0 if none was.
    told: u32,
}

/// Finds the samples that lack rows in a file of their parts.
pub(super) fn find(experiment: &Experiment, samples: &[Sample], parts: &FoundParts) -> Lost {
    let mut sums: HashMap<&SampleKey, Sums> = HashMap::new();
    for row in &parts.iterations.list {
        sums.entry(&row.sample).or_default().depth = row.part.depth;
    }
    for row in rows(parts.workers.as_ref()) {
        sums.entry(&row.sample).or_default().workers += 1;
    }
    for row in rows(parts.depths.as_ref()) {
        sums.entry(&row.sample).or_default().look_ups += &row.part.look_ups;
    }
    for row in rows(parts.told.as_ref()) {
        sums.entry(&row.sample).or_default().told = row.part.depth;
    }
    let ours: HashSet<&str> =
        experiment.all_ours().map(|(competitor, _)| experiment.name_of(competitor)).collect();
    let lacks = |sample: &Sample| {
        let sums = sums.get(&sample.key()).cloned().unwrap_or_default();
        if ours.contains(sample.searcher.as_str()) {
            of_ours(sample, &sums, parts)
        } else {
            of_outside(sample, &sums)
        }
    };
    let lacking: Vec<Option<&'static str>> = samples.iter().map(lacks).collect();
    let first = lacking.iter().enumerate().find_map(|(at, file)| Some((at, (*file)?)));
    let Some((at, file)) = first else { return Lost::Nothing };
    // A failed sample has no parts that could be lost.
    let is_whole = |at: usize| lacking[at].is_none() && samples[at].status == SampleStatus::Ok;
    if (at..samples.len()).any(is_whole) { Lost::Between(at, file) } else { Lost::From(at, file) }
}

/// The rows of a file that may not be there.
fn rows<P>(rows: Option<&Rows<Of<P>>>) -> impl Iterator<Item = &Of<P>> {
    rows.into_iter().flat_map(|rows| &rows.list)
}

/// The file in which a sample of our own engine lacks rows.
fn of_ours(sample: &Sample, sums: &Sums, parts: &FoundParts) -> Option<&'static str> {
    if sample.status == SampleStatus::Failed {
        return None;
    }
    let table = sample.counters.map(|counters| counters.table);
    let lacks = [
        (IterationRow::FILE, sample.status == SampleStatus::Ok && sums.depth != sample.depth),
        (WorkerRow::FILE, parts.workers.is_some() && sums.workers != sample.threads),
        (DepthRow::FILE, parts.depths.is_some() && table.is_some_and(|of| of != sums.look_ups)),
    ];
    lacks.into_iter().find_map(|(file, lacks)| lacks.then_some(file))
}

/// The file in which a sample of an outside engine lacks rows. It tells what it likes; but its
/// iterations follow from what it told.
fn of_outside(sample: &Sample, sums: &Sums) -> Option<&'static str> {
    let told = sums.told.min(sample.depth.into());
    // A score or a fill of the table comes with a depth.
    let said = sample.score != 0 || sample.table_fill > 0.0;
    if told > sums.depth.into() || said && sums.depth == 0 {
        Some(IterationRow::FILE)
    } else {
        (told < sums.depth.into()).then_some(ToldRow::FILE)
    }
}

impl Lost {
    /// The number of samples that are kept, and a message about the others.
    ///
    /// # Errors
    /// The message, if samples in the middle have lost rows: then nothing is cut off.
    pub(super) fn kept(&self, samples: &[Sample]) -> Result<(usize, Option<String>), String> {
        let name = |at: usize| {
            let Sample { order, searcher, threads, position, .. } = &samples[at];
            format!("sample {order} ({searcher} x {threads}, {position})")
        };
        match *self {
            Lost::Nothing => Ok((samples.len(), None)),
            Lost::From(at, file) => Ok((
                at,
                Some(format!(
                    "{file}: rows are lost, from {} on. Taken again: {}",
                    name(at),
                    count(samples.len() - at, "sample")
                )),
            )),
            Lost::Between(at, _) => Err(format!(
                "rows of {} are missing, and a later sample has its own. Mend it, or cut {SAMPLES} \
                 off before that sample: going on takes the missing rows again",
                name(at)
            )),
        }
    }

    /// The file in which rows are lost.
    pub(super) fn file(&self) -> &'static str {
        match *self {
            Lost::Nothing => SAMPLES,
            Lost::From(_, file) | Lost::Between(_, file) => file,
        }
    }
}
