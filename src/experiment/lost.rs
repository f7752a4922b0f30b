//! Samples that have lost rows of their parts, and rows that cannot be parts of their samples.
//!
//! A power cut can take rows of one file and leave those of another. A sample whose parts are lost
//! is no measurement: it is taken again.

use super::keys::Experiment;
use super::parts::{DepthRow, IterationRow, Of, Part, ToldRow, WorkerRow};
use super::rows::{SAMPLES, Sample, SampleKey, SampleStatus};
use crate::records::{JournalError, Rows, count};
use std::collections::{HashMap, HashSet};
use ttd_search::cores::Time;
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
    iterations: usize,
    workers: usize,
    look_ups: LookUps,
    /// The depth that was told last; 0 if none was.
    told: u32,
}

/// Finds the samples that lack rows in a file of their parts.
pub(super) fn find(experiment: &Experiment, samples: &[Sample], parts: &FoundParts) -> Lost {
    let mut sums: HashMap<&SampleKey, Sums> = HashMap::new();
    for row in &parts.iterations.list {
        let sums = sums.entry(&row.sample).or_default();
        (sums.depth, sums.iterations) = (row.part.depth, sums.iterations + 1);
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
    let ours = first_depths(experiment);
    let lacks = |sample: &Sample| {
        let sums = sums.get(&sample.key()).cloned().unwrap_or_default();
        match ours.get(sample.searcher.as_str()) {
            Some(first) => of_ours(sample, &sums, parts, first(sample)),
            None => of_outside(sample, &sums),
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

/// The depth of the first iteration of a sample.
type FirstDepth = fn(&Sample) -> u8;

/// Our competitors by their names. Without iterative deepening a search has one iteration.
fn first_depths(experiment: &Experiment) -> HashMap<&str, FirstDepth> {
    let all = experiment.all_ours().map(|(competitor, own)| {
        let first: FirstDepth =
            if own.engine.iterative_deepening { |_| 1 } else { |sample| sample.depth };
        (experiment.name_of(competitor), first)
    });
    all.collect()
}

/// The file in which a sample of our own engine lacks rows. `first` is the depth of its first
/// iteration.
fn of_ours(sample: &Sample, sums: &Sums, parts: &FoundParts, first: u8) -> Option<&'static str> {
    if sample.status == SampleStatus::Failed {
        return None;
    }
    let table = sample.counters.map(|counters| counters.table);
    let iterations = (sums.depth, sums.iterations);
    let lacks = [
        (IterationRow::FILE, lacks_iterations(sample, Some(first), iterations)),
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
    let gap = lacks_iterations(sample, None, (sums.depth, sums.iterations));
    if told > sums.depth.into() || said && sums.depth == 0 || gap {
        Some(IterationRow::FILE)
    } else {
        (told < sums.depth.into()).then_some(ToldRow::FILE)
    }
}

/// Whether a sample lacks iterations. They end with this depth, and are so many; an ascending list
/// without a gap has all depths. `first` is the first depth of our competitors, and none of others.
fn lacks_iterations(sample: &Sample, first: Option<u8>, (last, count): (u8, usize)) -> bool {
    let unreached = sample.status == SampleStatus::Ok && last != sample.depth;
    let all = (usize::from(last) + 1).saturating_sub(first.unwrap_or(1).into());
    sample.status != SampleStatus::Failed && (first.is_some() && unreached || count != all)
}

/// Checks the rows of `iterations.csv`, one after another, beside their samples.
pub struct IterationsCheck<'a> {
    samples: HashMap<SampleKey, &'a Sample>,
    ours: HashMap<&'a str, FirstDepth>,
    /// The last row of each sample that was possible: its depth and its time; how many there were.
    last: HashMap<SampleKey, (u8, Time, usize)>,
}

impl<'a> IterationsCheck<'a> {
    /// Begins with the first row. The samples may have any order.
    pub fn new(
        experiment: &'a Experiment,
        samples: impl Iterator<Item = &'a Sample>,
    ) -> IterationsCheck<'a> {
        IterationsCheck {
            samples: samples.map(|sample| (sample.key(), sample)).collect(),
            ours: first_depths(experiment),
            last: HashMap::new(),
        }
    }

    /// Checks the next row. A row without a sample is possible: its sample was not written.
    ///
    /// # Errors
    /// The reason, with the column, if its sample cannot have the row.
    pub fn check(&mut self, row: &Of<IterationRow>) -> Result<(), String> {
        let Some(sample) = self.samples.get(&row.sample) else { return Ok(()) };
        let IterationRow { depth, worker, time, .. } = row.part;
        let first = self.ours.get(sample.searcher.as_str()).map(|first| first(sample));
        let (least, most) = (first.unwrap_or(1), sample.depth);
        if !(least..=most).contains(&depth) {
            return Err(format!("column `depth` holds `{depth}`, {least} to {most} expected"));
        }
        if worker >= sample.threads {
            let most = sample.threads - 1;
            return Err(format!("column `worker` holds `{worker}`, 0 to {most} expected"));
        }
        let wrong_time = |why: &str| Err(format!("column `time_s` holds `{time}`: {why}"));
        let ours = first.is_some();
        // A stopped search may end an iteration beside its end. An outside engine may tell of more
        // behind its end.
        if ours && sample.status == SampleStatus::Ok && time > sample.time {
            return wrong_time("its sample took less");
        }
        if ours && sample.status == SampleStatus::Ok && depth == most && time != sample.time {
            return wrong_time("its sample took another time to that depth");
        }
        let last = self.last.get(&row.sample);
        if let Some((known, before, _)) = last {
            if depth == *known {
                return Err("a second row of the same sample and depth".to_owned());
            }
            if depth < *known {
                return Err(format!(
                    "column `depth` holds `{depth}`, and a deeper one is before it"
                ));
            }
            if time < *before {
                return wrong_time("a depth before it took more");
            }
        }
        let count = last.map_or(0, |(_, _, count)| *count) + 1;
        self.last.insert(row.sample.clone(), (depth, time, count));
        Ok(())
    }

    /// Whether any row was possible.
    pub fn has_any(&self) -> bool {
        !self.last.is_empty()
    }

    /// Whether a sample lacks rows, when all have been checked.
    pub fn lacks(&self, sample: &Sample) -> bool {
        let first = self.ours.get(sample.searcher.as_str()).map(|first| first(sample));
        let last =
            self.last.get(&sample.key()).map_or((0, 0), |(depth, _, count)| (*depth, *count));
        lacks_iterations(sample, first, last)
    }
}

/// Refuses rows that are no parts of these samples. Rows of a sample that was not written stand at
/// the end.
pub(super) fn check_parts(
    experiment: &Experiment,
    samples: &[Sample],
    parts: &FoundParts,
) -> Result<(), JournalError> {
    let keys: HashSet<SampleKey> = samples.iter().map(Sample::key).collect();
    let mut check = IterationsCheck::new(experiment, samples.iter());
    check_owners(&parts.iterations, &keys)?;
    for (at, row) in parts.iterations.list.iter().enumerate() {
        check.check(row).map_err(|what| parts.iterations.error(at, &what))?;
    }
    parts.workers.as_ref().map_or(Ok(()), |rows| check_owners(rows, &keys))?;
    parts.depths.as_ref().map_or(Ok(()), |rows| check_owners(rows, &keys))?;
    parts.told.as_ref().map_or(Ok(()), |rows| check_owners(rows, &keys))
}

/// Refuses rows without a sample, but for those at the end.
fn check_owners<P: Part>(
    rows: &Rows<Of<P>>,
    keys: &HashSet<SampleKey>,
) -> Result<(), JournalError> {
    let is_owned = |row: &Of<P>| keys.contains(&row.sample);
    let last = rows.list.iter().rposition(is_owned).unwrap_or(0);
    match rows.list[..last].iter().position(|row| !is_owned(row)) {
        Some(at) => Err(rows.error(at, &format!("its sample is not in {SAMPLES}"))),
        None => Ok(()),
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
