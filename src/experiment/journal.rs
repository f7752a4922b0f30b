//! The journal of an experiment: `samples.csv`, and the files with the parts of the samples. They
//! are appended and flushed sample by sample, and a resumed run reads them back.

use super::keys::Experiment;
use super::parts::{DepthRow, IterationRow, Of, Part, Parts, ToldRow, WorkerRow};
use super::rows::{Sample, SampleKey};
use crate::records::{Appended, JournalError, Row, Rows, begun};
use std::path::Path;

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
    /// Opens the journal of an experiment in `dir` for appending, with the files that the
    /// experiment asks for. Missing files are made. Two things that a killed run leaves are cut
    /// off: a half-written last line, and parts of samples that `samples.csv` lacks.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds anything else.
    pub(super) fn open(
        dir: &Path,
        experiment: &Experiment,
    ) -> Result<(Journal, Found), JournalError> {
        let mut found = Found::default();
        let rows = begun::<Sample>(dir)?;
        if !rows.lacks.is_empty() {
            let what = format!(
                "it lacks the column `{}`: an older program wrote it, and only that program can go \
                 on with it",
                rows.lacks.join("`, `")
            );
            return Err(JournalError::Row { path: rows.path, line: 1, what });
        }
        rows.cut(rows.list.len(), &mut found.repairs)?;
        let samples = Appended::open(rows.path)?;
        found.samples = rows.list;
        let iterations = open_parts::<IterationRow>(dir, &mut found)?;
        let detail = if experiment.detail {
            let workers = open_parts::<WorkerRow>(dir, &mut found)?;
            Some([workers, open_parts::<DepthRow>(dir, &mut found)?])
        } else {
            None
        };
        let told = !experiment.engines.is_empty();
        let told = told.then(|| open_parts::<ToldRow>(dir, &mut found)).transpose()?;
        Ok((Journal { samples, iterations, detail, told }, found))
    }

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
        self.samples.append_row(sample)
    }
}

/// The fields of the rows of the parts of a sample.
fn rows_of<P: Part>(sample: &SampleKey, parts: Vec<P>) -> impl Iterator<Item = Vec<String>> {
    parts.into_iter().map(|part| Of { sample: sample.clone(), part }.values())
}

/// Opens a file with parts of samples, and cuts it after the last part of a found sample.
fn open_parts<P: Part>(dir: &Path, found: &mut Found) -> Result<Appended, JournalError> {
    let rows = begun::<Of<P>>(dir)?;
    let last = rows.list.iter().rposition(|row| belongs(&row.sample, &found.samples));
    rows.cut(last.map_or(0, |at| at + 1), &mut found.repairs)?;
    Appended::open(rows.path)
}

/// Whether this is the key of one of the samples.
fn belongs(key: &SampleKey, samples: &[Sample]) -> bool {
    samples.iter().rev().any(|s| {
        s.round == key.round
            && s.threads == key.threads
            && s.searcher == key.searcher
            && s.position == key.position
    })
}

#[cfg(test)]
mod tests;
