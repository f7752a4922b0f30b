//! The results directory of one experiment: made, checked, locked, and resumed.

use super::earlier::Earlier;
use super::journal::{Journal, Read, read_samples};
use super::keys::Experiment;
use super::parts::{DepthRow, IterationRow, Part, Parts, ToldRow, WorkerRow};
use super::plan::{Planned, misfit};
use super::resolve::Resolved;
use super::rows::{SAMPLES, Sample};
use super::sensitivity::SENSITIVITY;
use super::spec::{EXPERIMENT, POSITIONS};
use crate::records::{
    Contents, CoresKind, Directory, ENVIRONMENT, JournalError, LOG, ResultsError, SaidOfPlace,
    Seen, Sitting, differences,
};
use crate::uci::{runner, usual_price};
use std::path::Path;
use std::{fs, io};
use ttd_search::positions::{self, TestPosition};

/// The contents of an experiment's results directory.
pub(super) const CONTENTS: Contents = Contents {
    what: "experiment",
    file: EXPERIMENT,
    command: "ttd run",
    again: "ttd run` on this file does the same experiment",
    table: SAMPLES,
    row: "sample",
    copy: POSITIONS,
    elsewhere: "--out DIR or --name NAME",
    mixed: Some("--mixed to go on all the same"),
    made: &[
        SAMPLES,
        IterationRow::FILE,
        WorkerRow::FILE,
        DepthRow::FILE,
        ToldRow::FILE,
        EXPERIMENT,
        ENVIRONMENT,
        POSITIONS,
        EXPLAINED,
        LOG,
    ],
};

/// The file of a results directory with the ladder of `ttd explain`. It is of this experiment, so
/// that whoever discards the samples discards it too.
pub const EXPLAINED: &str = "explain.csv";

/// The treatment of results that the directory holds already.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Opening {
    /// Discard what the results directory holds
    #[arg(long, help_heading = "Results")]
    pub fresh: bool,
    /// Go on although the samples there were taken by another build or on another machine
    #[arg(long, help_heading = "Results")]
    pub mixed: bool,
}

/// An open results directory. It is locked for as long as this value lives.
#[derive(Debug)]
pub struct Results {
    directory: Directory,
    journal: Journal,
    samples: Vec<Sample>,
    /// The outside engines as they are now.
    engines: Vec<Seen>,
}

impl Results {
    /// Opens the directory of an experiment, or makes it. Lines that a killed run left half-written
    /// are cut off. The second value reports that, in words for the user.
    ///
    /// # Errors
    /// If it cannot be written, is in use, or holds anything else than this experiment.
    pub fn open(
        dir: &Path,
        resolved: &Resolved,
        plan: &[Planned],
        opening: Opening,
    ) -> Result<(Results, Vec<String>), ResultsError> {
        let mut directory = Directory::open(dir, &CONTENTS)?;
        if opening.fresh {
            discard(&directory)?;
        }
        let there = dir.join(EXPERIMENT).exists();
        // The description is written when it is clear that the run goes on here.
        let mut description = match if there { there_is(dir, resolved) } else { Ok(There::Nothing) }
        {
            Ok(There::Same) => None,
            Ok(There::FewerRounds(longer)) => Some((longer.to_toml(), None)),
            // An experiment without samples can be replaced: nothing is lost.
            Ok(There::Nothing | There::FewerCells) | Err(ResultsError::Other { rows: 0, .. }) => {
                let mut experiment = resolved.experiment.clone();
                if !positions::is_built_in(&experiment.positions) {
                    POSITIONS.clone_into(&mut experiment.positions);
                }
                // The text of the positions was read before: it may be the copy in this very
                // directory.
                Some((experiment.to_toml(), Some(resolved.set.as_str())))
            }
            Err(error) => return Err(error),
        };
        // In a new directory it comes first: without it, the other files are foreign ones.
        if let Some((text, set)) = description.take_if(|_| !there) {
            directory.describe(&text, set)?;
        }
        let read = Read::of(dir, &resolved.experiment)?;
        let ids: Vec<&str> = resolved.positions.iter().map(|of| of.id.as_str()).collect();
        if let Some((at, why)) = misfit(read.samples(), plan, &resolved.experiment, &ids) {
            let (dir, line) = (dir.to_owned(), read.line(at));
            return Err(ResultsError::Plan { dir, line, why, contents: &CONTENTS });
        }
        directory.read_sittings()?;
        let done = read.samples().len();
        if done < plan.len() && done > 0 && !opening.mixed {
            directory.check_sittings(done)?;
            let cores = resolved.experiment.cores;
            let differences = differences_of(&directory, done, &resolved.engines, cores).join("; ");
            if !differences.is_empty() {
                let (dir, contents) = (dir.to_owned(), &CONTENTS);
                return Err(ResultsError::Elsewhere { dir, differences, rows: done, contents });
            }
        }
        if let Some((text, set)) = description {
            directory.describe(&text, set)?;
        }
        let (journal, mut found) = read.open()?;
        found.repairs.extend(directory.unguarded());
        let samples = found.samples;
        let results = Results { directory, journal, samples, engines: resolved.engines.clone() };
        let remarks = if there { &[][..] } else { &resolved.remarks };
        for line in remarks.iter().chain(&found.repairs) {
            results.log(line)?;
        }
        Ok((results, found.repairs))
    }

    /// The path of the directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// The number of samples done; they are the first ones of the plan.
    pub fn done(&self) -> usize {
        self.samples.len()
    }

    /// The samples so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The differences of this program and machine from the last sitting, each in the form "what:
    /// there, here".
    pub fn differences(&self, cores: CoresKind) -> Vec<String> {
        differences_of(&self.directory, self.done(), &self.engines, cores)
    }

    /// Writes the environment of a sitting that begins. `place` has what was said of the place, and
    /// the time of a probe.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin_sitting(
        &mut self,
        place: (&SaidOfPlace, Option<f64>),
    ) -> Result<(), ResultsError> {
        self.directory.begin_sitting(self.samples.len(), &self.engines, place)
    }

    /// Writes the environment at the end of the sitting.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end_sitting(&mut self, probe_s: Option<f64>) -> Result<(), ResultsError> {
        self.journal.sync()?;
        self.directory.end_sitting(self.samples.len(), probe_s)
    }

    /// Appends the next sample of the plan, and its parts; returns the sample.
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
        self.directory.log(line)
    }
}

/// The samples of this experiment in a results directory, which is not changed. Empty if the
/// directory does not exist.
///
/// # Errors
/// If it cannot be read, or holds anything else than this experiment.
pub fn peek(dir: &Path, resolved: &Resolved) -> Result<Vec<Sample>, ResultsError> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    Directory::check_foreign(dir, &CONTENTS)?;
    if !dir.join(EXPERIMENT).exists() || !dir.join(SAMPLES).exists() {
        return Ok(Vec::new());
    }
    match there_is(dir, resolved) {
        Ok(_) => Ok(read_samples(dir)?),
        Err(ResultsError::Other { rows: 0, .. }) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// The differences of this program, this machine and these engines from the last sitting.
fn differences_of(
    directory: &Directory,
    done: usize,
    engines: &[Seen],
    cores: CoresKind,
) -> Vec<String> {
    let last = directory.last_sitting();
    last.map_or_else(Vec::new, |last| last.differences(&Sitting::begin(done, engines), cores))
}

/// Removes the files that runs made.
fn discard(directory: &Directory) -> Result<(), ResultsError> {
    directory.discard()?;
    let variations = directory.path().join(SENSITIVITY);
    match fs::remove_dir_all(&variations) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(ResultsError::io(&variations)(e)),
        _ => Ok(()),
    }
}

/// The experiment of a directory, beside the one that is to be measured.
enum There {
    /// None.
    Nothing,
    /// That one.
    Same,
    /// That one with fewer rounds. More rounds only add samples at the end of the plan. This is it
    /// with as many rounds as are wanted now.
    FewerRounds(Box<Experiment>),
    /// That one before it grew.
    FewerCells,
}

/// Checks that the directory's experiment is this one, or its beginning. Its name and published
/// figures do not count. Of a position file only the positions count.
fn there_is(dir: &Path, resolved: &Resolved) -> Result<There, ResultsError> {
    let mut there = Experiment::read(dir)?;
    let mut here = resolved.experiment.clone();
    [&mut there, &mut here].into_iter().for_each(fill_prices);
    here.name.clone_from(&there.name);
    here.published.clone_from(&there.published);
    here.skip_bad = there.skip_bad;
    if !positions::is_built_in(&there.positions) && !positions::is_built_in(&here.positions) {
        let wanted = Experiment { only: here.only.clone(), ..there.clone() };
        let kept = wanted.position_set(dir)?;
        let key = |p: &TestPosition| (p.id.clone(), p.board.clone());
        if kept.iter().map(key).eq(resolved.positions.iter().map(key)) {
            here.positions.clone_from(&there.positions);
        }
    }
    if there == here {
        return Ok(There::Same);
    }
    if there.runs < here.runs {
        let longer = Experiment { runs: here.runs, ..there.clone() };
        if longer == here {
            return Ok(There::FewerRounds(Box::new(longer)));
        }
    }
    if has_grown(&there, &here) {
        return Ok(There::FewerCells);
    }
    let table = |experiment| toml::Table::try_from(experiment).unwrap_or_default();
    let why = why_not(&there, &here).map_or_else(String::new, |why| format!(": {why}"));
    let differences = differences(&table(&there), &table(&here)) + &why;
    // A run that is killed before it writes the header leaves an empty table.
    let empty = fs::metadata(dir.join(SAMPLES)).map_or(0, |file| file.len()) == 0;
    let rows = if empty { 0 } else { read_samples(dir)?.len() };
    Err(ResultsError::Other { dir: dir.to_owned(), differences, rows, contents: &CONTENTS })
}

/// Gives engines without a price the usual one of their hook. Older programs did not write it. A
/// plan alone starts no engine to find it.
fn fill_prices(experiment: &mut Experiment) {
    let is_virtual = experiment.cores == CoresKind::Virtual;
    for engine in experiment.engines.iter_mut().filter(|of| is_virtual && of.price_ps.is_none()) {
        let program = engine.command.first();
        engine.price_ps =
            runner().zip(program).and_then(|(runner, program)| usual_price(&runner, program));
    }
}

/// Makes an experiment go on with the samples of a directory, if it is the experiment there with
/// more positions or threads.
pub fn adopt(resolved: &mut Resolved, dir: &Path) {
    let any = read_samples(dir).is_ok_and(|samples| !samples.is_empty());
    let Ok(there) = Experiment::read(dir) else { return };
    let Ok(kept) = there.position_set(dir) else { return };
    if !any {
        return;
    }
    resolved.experiment.earlier.clone_from(&there.earlier);
    let here = &mut resolved.experiment;
    let ids: Vec<String> = kept.iter().map(|position| position.id.clone()).collect();
    if here.threads == there.threads && kept.len() == resolved.positions.len() {
        return;
    }
    // Other cells would be in other parts than before.
    if here.shard.is_some() {
        return;
    }
    let grown = Earlier { threads: there.threads.clone(), positions: ids, runs: there.runs };
    if grown.is_part_of(&here.threads, here.runs, &resolved.positions)
        && is_in_order(&kept, &resolved.positions)
        && why_not(&there, here).is_none()
    {
        here.earlier.push(grown);
    }
}

/// The reason why an experiment cannot go on with the samples of a directory, if that is for its
/// depth, its threads or its rounds.
fn why_not(there: &Experiment, here: &Experiment) -> Option<&'static str> {
    if there.depth != here.depth {
        return Some("a search to another depth is another sample, so that none of these counts");
    }
    if here.shard.is_some() && (there.only != here.only || there.threads != here.threads) {
        return Some("a part grows by rounds only: merge the parts, and let the whole grow");
    }
    let has_more = here.threads.iter().any(|threads| !there.threads.contains(threads));
    if has_more && here.cores == CoresKind::Real {
        return Some(
            "on real cores a number of threads is measured in the same rounds as its base, and \
             the base of these was measured before",
        );
    }
    let grows = there.threads != here.threads || there.only != here.only;
    if here.until.is_some() && grows {
        return Some("with `until` all cells are looked at after the same rounds");
    }
    None
}

/// Whether the positions of one list are in the other, in the same order.
fn is_in_order(kept: &[TestPosition], wanted: &[TestPosition]) -> bool {
    let mut wanted = wanted.iter();
    kept.iter().all(|kept| wanted.any(|p| p.id == kept.id && p.board == kept.board))
}

/// Whether one experiment is the other one before it grew, so that the directory of the one can
/// hold the other.
fn has_grown(there: &Experiment, here: &Experiment) -> bool {
    let Some((last, before)) = here.earlier.split_last() else { return false };
    let same = Experiment {
        threads: there.threads.clone(),
        positions: there.positions.clone(),
        only: there.only.clone(),
        runs: there.runs,
        earlier: there.earlier.clone(),
        ..here.clone()
    };
    (before, last.runs, &last.threads) == (&there.earlier[..], there.runs, &there.threads)
        && same == *there
}
