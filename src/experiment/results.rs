//! The results directory of one experiment: made, checked, locked, and resumed.

mod derived;
mod directory;
mod error;

pub use derived::{CHARTS, remove_charts};
pub use directory::Contents;
pub(crate) use directory::{check_foreign, differences, differing, lock, write_whole};
pub use error::ResultsError;

use derived::DERIVED;

use super::environment::{self, Moment, Seen, Sitting};
use super::journal::{Journal, JournalError, read_samples};
use super::parts::{DepthRow, IterationRow, Part, Parts, ToldRow, WorkerRow};
use super::plan::Planned;
use super::resolve::Resolved;
use super::rows::{SAMPLES, Sample};
use super::sensitivity::SENSITIVITY;
use super::spec::{CoresKind, EXPERIMENT, Experiment};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use ttd_search::positions::{self, TestPosition};

/// A copy of the user's own position file, so that the directory is complete.
pub const POSITIONS: &str = "positions.epd";
/// What happened during the sittings: why samples failed, what was repaired.
pub const LOG: &str = "log.txt";

/// What a run makes itself; `--fresh` removes these, what reports made of them, and nothing else.
const OWN: [&str; 9] = [
    SAMPLES,
    IterationRow::FILE,
    WorkerRow::FILE,
    DepthRow::FILE,
    ToldRow::FILE,
    EXPERIMENT,
    environment::ENVIRONMENT,
    POSITIONS,
    LOG,
];

/// What the directory of an experiment holds.
const CONTENTS: Contents = Contents {
    what: "experiment",
    file: EXPERIMENT,
    table: SAMPLES,
    row: "sample",
    copy: POSITIONS,
    elsewhere: "--out DIR or --name NAME",
};

/// What to do with what a results directory holds already.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    /// Discard it.
    pub fresh: bool,
    /// Go on, also with another program or on another machine.
    pub mixed: bool,
}

/// An open results directory. It is locked as long as this lives.
#[derive(Debug)]
pub struct Results {
    dir: PathBuf,
    journal: Journal,
    samples: Vec<Sample>,
    sittings: Vec<Sitting>,
    /// The outside engines as they are now.
    engines: Vec<Seen>,
    in_sitting: bool,
    /// Holds the lock.
    _lock: File,
}

impl Results {
    /// Opens the directory of an experiment, or makes it. What a killed run left half-written is
    /// cut off; the second value says so, in words for the user.
    ///
    /// # Errors
    /// If it cannot be written, is in use, or holds something else than this experiment.
    pub fn open(
        dir: &Path,
        resolved: &Resolved,
        plan: &[Planned],
        opening: Opening,
    ) -> Result<(Results, Vec<String>), ResultsError> {
        // Read before anything is discarded: it may be the copy in this very directory.
        let epd = own_positions(&resolved.experiment)?;
        fs::create_dir_all(dir)
            .map_err(|source| ResultsError::Unwritable { path: dir.to_owned(), source })?;
        check_foreign(dir, &CONTENTS)?;
        let lock = lock(dir, &CONTENTS)?;
        if opening.fresh {
            discard(dir)?;
        }
        let there = dir.join(EXPERIMENT).exists();
        match if there { check_same(dir, resolved) } else { Ok(()) } {
            Ok(()) if there => {}
            // Of an experiment without samples nothing is lost.
            Ok(()) | Err(ResultsError::Other { rows: 0, .. }) => {
                write_experiment(dir, &resolved.experiment, epd.as_deref())?;
            }
            Err(error) => return Err(error),
        }
        let (journal, found) = Journal::open(dir, &resolved.experiment)?;
        let samples = found.samples;
        for (order, sample) in samples.iter().enumerate() {
            if !plan.get(order).is_some_and(|planned| is_of(sample, planned, resolved)) {
                let (dir, contents) = (dir.to_owned(), &CONTENTS);
                return Err(ResultsError::Plan { dir, order, contents });
            }
        }
        let sittings = environment::read_sittings(dir)?;
        let dir = dir.to_owned();
        let results = Results {
            dir,
            journal,
            samples,
            sittings,
            engines: resolved.engines.clone(),
            in_sitting: false,
            _lock: lock,
        };
        if results.done() < plan.len() && results.done() > 0 && !opening.mixed {
            results.check_sitting(resolved.experiment.cores)?;
        }
        for repair in &found.repairs {
            results.log(repair)?;
        }
        Ok((results, found.repairs))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// How many samples of the plan are done; they are its first.
    pub fn done(&self) -> usize {
        self.samples.len()
    }

    /// The samples so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// How this program and machine differ from those of the last sitting, each as "what: there, here".
    pub fn differences(&self, cores: CoresKind) -> Vec<String> {
        let last = self.sittings.last();
        last.map_or_else(Vec::new, |last| {
            last.differences(&Sitting::begin(self.done(), &self.engines), cores)
        })
    }

    fn check_sitting(&self, cores: CoresKind) -> Result<(), ResultsError> {
        let differences = self.differences(cores).join("; ");
        if differences.is_empty() {
            return Ok(());
        }
        Err(ResultsError::Elsewhere { dir: self.dir.clone(), differences, samples: self.done() })
    }

    /// Writes down the environment of a sitting that begins.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin_sitting(&mut self) -> Result<(), ResultsError> {
        self.sittings.push(Sitting::begin(self.done(), &self.engines));
        self.in_sitting = true;
        Ok(environment::write_sittings(&self.dir, &self.sittings)?)
    }

    /// Writes down what the environment of the sitting has become at its end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_sitting(&mut self) -> Result<(), ResultsError> {
        let samples = self.done();
        if let Some(sitting) = self.sittings.last_mut().filter(|_| self.in_sitting) {
            sitting.after = Some(Moment::now(samples));
            self.in_sitting = false;
            environment::write_sittings(&self.dir, &self.sittings)?;
        }
        Ok(())
    }

    /// Appends the next sample of the plan, and its parts; gives the sample back.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, sample: Sample, parts: Parts) -> Result<&Sample, JournalError> {
        self.journal.append(&sample, parts)?;
        let place = self.samples.len();
        self.samples.push(sample);
        Ok(&self.samples[place])
    }

    /// Appends a line to the log.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn log(&self, line: &str) -> Result<(), JournalError> {
        let path = self.dir.join(LOG);
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()))
            .map_err(|source| JournalError::Io { path, source })
    }
}

/// The samples that a results directory has of this experiment, without touching it; none if it
/// does not exist.
///
/// # Errors
/// If it cannot be read, or holds something else than this experiment.
pub fn peek(dir: &Path, resolved: &Resolved) -> Result<Vec<Sample>, ResultsError> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    check_foreign(dir, &CONTENTS)?;
    if !dir.join(EXPERIMENT).exists() || !dir.join(SAMPLES).exists() {
        return Ok(Vec::new());
    }
    match check_same(dir, resolved) {
        Ok(()) => Ok(read_samples(dir)?),
        Err(ResultsError::Other { rows: 0, .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The text of the user's own position file; none for a set of the program.
fn own_positions(experiment: &Experiment) -> Result<Option<String>, ResultsError> {
    if positions::is_built_in(&experiment.positions) {
        return Ok(None);
    }
    let path = Path::new(&experiment.positions);
    fs::read_to_string(path).map(Some).map_err(ResultsError::io(path))
}

/// Removes what runs and reports made. The table of samples is emptied, for it holds the lock.
fn discard(dir: &Path) -> Result<(), ResultsError> {
    let there = Experiment::read(dir).ok();
    let contenders = there.as_ref().map(Experiment::names).unwrap_or_default();
    for file in OWN.iter().chain(&DERIVED) {
        let path = dir.join(file);
        let removed = if *file == SAMPLES { fs::write(&path, "") } else { fs::remove_file(&path) };
        match removed {
            Err(e) if e.kind() != io::ErrorKind::NotFound => {
                return Err(ResultsError::io(&path)(e));
            }
            _ => {}
        }
    }
    let variations = dir.join(SENSITIVITY);
    match fs::remove_dir_all(&variations) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(ResultsError::io(&variations)(e)),
        _ => remove_charts(dir, &contenders, &[]),
    }
}

fn write_experiment(
    dir: &Path,
    experiment: &Experiment,
    epd: Option<&str>,
) -> Result<(), ResultsError> {
    let mut experiment = experiment.clone();
    if let Some(epd) = epd {
        let path = dir.join(POSITIONS);
        write_whole(&path, epd).map_err(ResultsError::io(&path))?;
        POSITIONS.clone_into(&mut experiment.positions);
    }
    let text = format!(
        "# `ttd run` on this file does the same experiment again; with --out and this directory it goes on here.\n{}",
        experiment.to_toml()
    );
    let path = dir.join(EXPERIMENT);
    write_whole(&path, &text).map_err(ResultsError::io(&path))
}

/// Whether the directory's experiment is this one; its name and what others published do not count, and of a
/// position file only the positions do.
fn check_same(dir: &Path, resolved: &Resolved) -> Result<(), ResultsError> {
    let there = Experiment::read(dir)?;
    let mut here = resolved.experiment.clone();
    here.name.clone_from(&there.name);
    here.published.clone_from(&there.published);
    if !positions::is_built_in(&there.positions) && !positions::is_built_in(&here.positions) {
        let wanted = Experiment { only: here.only.clone(), ..there.clone() };
        let kept = wanted.position_set(dir)?;
        let key = |p: &TestPosition| (p.id.clone(), p.board.clone());
        if kept.iter().map(key).eq(resolved.positions.iter().map(key)) {
            here.positions.clone_from(&there.positions);
        }
    }
    if there == here {
        return Ok(());
    }
    let table = |experiment| toml::Table::try_from(experiment).unwrap_or_default();
    let differences = differences(&table(&there), &table(&here));
    // A run that was killed before it wrote the header leaves an empty table.
    let empty = fs::metadata(dir.join(SAMPLES)).map_or(0, |file| file.len()) == 0;
    let samples = if empty { 0 } else { read_samples(dir)?.len() };
    Err(ResultsError::Other {
        dir: dir.to_owned(),
        differences,
        rows: samples,
        contents: &CONTENTS,
    })
}

fn is_of(sample: &Sample, planned: &Planned, resolved: &Resolved) -> bool {
    let cell = planned.cell;
    (sample.order, sample.round, sample.threads) == (planned.order, planned.round, cell.threads)
        && sample.searcher == resolved.experiment.name_of(cell.contender)
        && sample.position == resolved.positions[cell.position].id
}
