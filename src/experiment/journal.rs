//! The journal of an experiment: `samples.csv`, and the files with the parts of the samples. They
//! are appended and flushed sample by sample, and a resumed run reads them back.

use super::keys::Experiment;
use super::lost::{self, FoundParts};
use super::parts::{Of, Part, Parts};
use super::rows::{SAMPLES, Sample, SampleKey};
use crate::records::{Appended, JournalError, Row, Rows, begun};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

/// The least time between two waits for the disk.
const BETWEEN_SYNCS: Duration = Duration::from_secs(1);

/// Reads every whole row of `samples.csv` in `dir`, in its order. A half-written last line is left
/// out.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not a sample.
pub fn read_samples(dir: &Path) -> Result<Vec<Sample>, JournalError> {
    Ok(Rows::read(dir)?.list)
}

/// Reads every whole row of a file with parts of samples in `dir`, in its order, also of an
/// unfinished sample. A half-written last line is left out. Empty if there is no such file.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not such a part.
pub fn read_parts<P: Part>(dir: &Path) -> Result<Vec<Of<P>>, JournalError> {
    if dir.join(P::FILE).exists() { Ok(Rows::read(dir)?.list) } else { Ok(Vec::new()) }
}

/// The open journal of a run: it appends samples and their parts. Each sample is given to the
/// operating system as a whole before the next one is measured.
#[derive(Debug)]
pub(super) struct Journal {
    samples: Appended,
    iterations: Appended,
    /// The files of the workers and of the depths, if they are wanted.
    detail: Option<[Appended; 2]>,
    /// The file of the iterations that outside engines tell, if there are any.
    told: Option<Appended>,
    /// The time at which all was on the disk.
    synced: Instant,
}

/// The contents of a results directory before a run goes on in it.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The samples done.
    pub(super) samples: Vec<Sample>,
    /// The repairs that were made, in words for the user.
    pub(super) repairs: Vec<String>,
}

impl Journal {
    /// Appends a sample and its parts.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn append(&mut self, sample: &Sample, parts: Parts) -> Result<(), JournalError> {
        // The parts come first: then each sample in the file has all its parts.
        let key = sample.key();
        self.iterations.append(rows_of(&key, parts.iterations))?;
        if let Some([workers, depths]) = &mut self.detail {
            workers.append(rows_of(&key, parts.workers))?;
            depths.append(rows_of(&key, parts.depths))?;
        }
        if let Some(told) = &mut self.told {
            told.append(rows_of(&key, parts.told))?;
        }
        self.samples.append_row(sample)?;
        if self.synced.elapsed() >= BETWEEN_SYNCS { self.sync() } else { Ok(()) }
    }

    /// Waits until all is on the disk: the parts first, so that no sample is there without them.
    ///
    /// # Errors
    /// If the disk does not take it.
    pub(super) fn sync(&mut self) -> Result<(), JournalError> {
        let parts = self.detail.iter().flatten().chain(&self.told).chain([&self.iterations]);
        parts.chain([&self.samples]).try_for_each(Appended::sync)?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// The rows of a results directory before anything in it is changed.
pub(super) struct Read {
    rows: Rows<Sample>,
    parts: FoundParts,
    /// The number of samples that have all their parts.
    kept: usize,
    /// A message about the others.
    lost: Option<String>,
}

impl Read {
    /// Reads the files that the experiment asks for. Missing ones are made.
    ///
    /// # Errors
    /// If a file cannot be read, or holds anything else. Also if samples in the middle have lost
    /// parts, or a file of parts is missing.
    pub(super) fn of(dir: &Path, experiment: &Experiment) -> Result<Read, JournalError> {
        let rows = begun::<Sample>(dir)?;
        let any = !rows.list.is_empty();
        let detail = experiment.detail;
        let parts = FoundParts {
            iterations: parts(dir, any)?,
            workers: detail.then(|| parts(dir, any)).transpose()?,
            depths: detail.then(|| parts(dir, any)).transpose()?,
            told: (!experiment.engines.is_empty()).then(|| parts(dir, any)).transpose()?,
        };
        lost::check_parts(experiment, &rows.list, &parts)?;
        let lost = lost::find(experiment, &rows.list, &parts);
        let (kept, told) = lost.kept(&rows.list).map_err(|what| JournalError::Row {
            path: dir.join(lost.file()),
            line: 1,
            what,
        })?;
        Ok(Read { rows, parts, kept, lost: told })
    }

    /// The samples that will be kept.
    pub(super) fn samples(&self) -> &[Sample] {
        &self.rows.list[..self.kept]
    }

    /// The line of a sample.
    pub(super) fn line(&self, at: usize) -> u64 {
        self.rows.lines[at]
    }

    /// Opens the files for appending, and cuts off three leftovers of a killed run or a power cut.
    /// These are a half-written last line, parts of samples that `samples.csv` lacks, and samples
    /// at the end that have lost parts.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn open(self) -> Result<(Journal, Found), JournalError> {
        let Read { rows, parts, kept, lost } = self;
        let mut found = Found { repairs: lost.into_iter().collect(), ..Found::default() };
        rows.cut(kept, &mut found.repairs)?;
        found.samples = rows.list[..kept].to_vec();
        let samples = rows.append()?;
        let keys: HashSet<SampleKey> = found.samples.iter().map(Sample::key).collect();
        let FoundParts { iterations, workers, depths, told } = parts;
        let repairs = &mut found.repairs;
        let iterations = open_parts(iterations, &keys, repairs)?;
        let detail = match (workers, depths) {
            (Some(workers), Some(depths)) => {
                Some([open_parts(workers, &keys, repairs)?, open_parts(depths, &keys, repairs)?])
            }
            _ => None,
        };
        let told = told.map(|told| open_parts(told, &keys, repairs)).transpose()?;
        Ok((Journal { samples, iterations, detail, told, synced: Instant::now() }, found))
    }
}

/// The rows of a results directory that is only read.
pub(super) struct Stock {
    /// The samples that have all their parts.
    pub(super) samples: Rows<Sample>,
    pub(super) parts: FoundParts,
}

/// Reads the rows of a results directory, and changes nothing there. A missing file has none.
///
/// # Errors
/// If a file cannot be read, or holds anything else. Also if samples in the middle have lost parts.
pub(super) fn stock(dir: &Path, experiment: &Experiment) -> Result<Stock, JournalError> {
    fn there<R: Row>(dir: &Path) -> Result<Rows<R>, JournalError> {
        let path = dir.join(R::FILE);
        let any = fs::metadata(&path).is_ok_and(|file| file.len() > 0);
        if any { Rows::read(dir) } else { Ok(Rows::default()) }
    }
    let detail = experiment.detail;
    let mut samples = there::<Sample>(dir)?;
    let parts = FoundParts {
        iterations: there(dir)?,
        workers: detail.then(|| there(dir)).transpose()?,
        depths: detail.then(|| there(dir)).transpose()?,
        told: (!experiment.engines.is_empty()).then(|| there(dir)).transpose()?,
    };
    lost::check_parts(experiment, &samples.list, &parts)?;
    let lost = lost::find(experiment, &samples.list, &parts);
    let kept = lost.kept(&samples.list).map_err(|what| JournalError::Row {
        path: dir.join(lost.file()),
        line: 1,
        what,
    })?;
    samples.list.truncate(kept.0);
    Ok(Stock { samples, parts })
}

/// The fields of the rows of the parts of a sample.
fn rows_of<P: Part>(sample: &SampleKey, parts: Vec<P>) -> impl Iterator<Item = Vec<String>> {
    parts.into_iter().map(|part| Of { sample: sample.clone(), part }.values())
}

/// The rows of a file with parts of samples. It is made, unless there are samples already.
fn parts<P: Part>(dir: &Path, any: bool) -> Result<Rows<Of<P>>, JournalError> {
    let path = dir.join(P::FILE);
    if any && !path.exists() {
        let what = format!(
            "it is missing, and {SAMPLES} has samples. Put it back; or go on with --out DIR in \
             another directory, or with --fresh to discard the samples"
        );
        return Err(JournalError::io(&path, io::Error::other(what)));
    }
    begun(dir)
}

/// Opens a file with parts of samples, and cuts it after the last part of a kept sample.
fn open_parts<P: Part>(
    rows: Rows<Of<P>>,
    keys: &HashSet<SampleKey>,
    repairs: &mut Vec<String>,
) -> Result<Appended, JournalError> {
    let last = rows.list.iter().rposition(|row| keys.contains(&row.sample));
    rows.cut(last.map_or(0, |at| at + 1), repairs)?;
    rows.append()
}

#[cfg(test)]
mod tests;
