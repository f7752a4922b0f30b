//! What was measured: `samples.csv` and the files with the parts of the samples, appended and flushed sample by
//! sample, and what a resumed run reads back.

mod by_name;
mod salvage;
mod wrong;

use super::parts::{DepthRow, IterationRow, Of, Part, Parts, SampleKey, ToldRow, WorkerRow};
use super::rows::{Row, Sample};
use super::spec::Experiment;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use by_name::ByName;
pub use salvage::{Unusable, salvage};
pub use wrong::quoted;

/// Why the journal of a results directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A row or the header is not what this program writes.
    #[error("{path}:{line}: {what}")]
    Row {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl JournalError {
    pub(crate) fn io(path: &Path, source: io::Error) -> JournalError {
        JournalError::Io { path: path.to_owned(), source }
    }
}

/// Every whole row of `samples.csv` in `dir`, in its order; a torn last line (a write that was
/// cut short) is left out.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not a sample.
pub fn read_samples(dir: &Path) -> Result<Vec<Sample>, JournalError> {
    Ok(Rows::read(dir)?.list)
}

/// Every whole row of a file with parts of samples in `dir`, in its order, also of a sample that is not finished;
/// a torn last line is left out. Nothing if there is no such file.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not such a part.
pub fn read_parts<P: Part>(dir: &Path) -> Result<Vec<Of<P>>, JournalError> {
    if dir.join(P::FILE).exists() { Ok(Rows::read(dir)?.list) } else { Ok(Vec::new()) }
}

/// The rows of a file, and how much of it they fill.
pub(crate) struct Rows<R> {
    pub(crate) path: PathBuf,
    pub(crate) list: Vec<R>,
    /// The byte behind each row.
    ends: Vec<u64>,
    /// The line that begins behind the last whole row, if something is there.
    torn: Option<u64>,
    /// The byte behind the header (0: there is none yet).
    header_end: u64,
    /// The columns that it lacks: it was written before they were.
    lacks: Vec<String>,
    /// What is wrong with the header, if its columns were taken by their names.
    misnamed: Option<String>,
}

/// What is made of a header that is not that of such a file.
#[derive(Clone, Copy, PartialEq)]
enum OtherHeader {
    /// It is refused.
    Refused,
    /// The columns are taken by their names, if those that are named are enough.
    ByName,
}

/// Where a row stands.
struct Place {
    /// The line that it begins with, from 1.
    line: u64,
    /// The byte behind it.
    end: u64,
}

impl<R: Row> Rows<R> {
    /// Reads the whole rows of a file in `dir`; a torn last line is left out.
    pub(crate) fn read(dir: &Path) -> Result<Rows<R>, JournalError> {
        let off = match R::PART_OF {
            None => "the file off before this line".to_owned(),
            Some(whole) => format!("this file and `{whole}` off before this sample"),
        };
        let (mut list, mut ends) = (Vec::new(), Vec::new());
        let rows = Rows::scan(dir, OtherHeader::Refused, |row: Result<R, String>, place| {
            let advice =
                |what| format!("{what}. Mend it, or cut {off}: what is missing is taken again");
            list.push(row.map_err(advice)?);
            ends.push(place.end);
            Ok(())
        })?;
        Ok(Rows { list, ends, ..rows })
    }

    /// Hands every whole row to `take`, or what is wrong with it; what `take` says is wrong ends it. What is returned has
    /// no list of them.
    fn scan(
        dir: &Path,
        other_header: OtherHeader,
        mut take: impl FnMut(Result<R, String>, Place) -> Result<(), String>,
    ) -> Result<Rows<R>, JournalError> {
        let path = dir.join(R::FILE);
        let bytes = fs::read(&path).map_err(|e| JournalError::io(&path, e))?;
        // A row is whole when its line end was written: fields hold no line ends.
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let mut columns = R::columns();
        let mut rows = Rows {
            path,
            list: Vec::new(),
            ends: Vec::new(),
            torn: None,
            header_end: 0,
            lacks: Vec::new(),
            misnamed: None,
        };
        let mut by_name = None;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&bytes[..whole]);
        let mut record = csv::ByteRecord::new();
        loop {
            let line = reader.position().line();
            let error = |what: String| JournalError::Row { path: rows.path.clone(), line, what };
            let more = reader.read_byte_record(&mut record).map_err(|e| error(e.to_string()))?;
            if !more {
                rows.torn = (whole < bytes.len()).then_some(line);
                return Ok(rows);
            }
            let end = reader.position().byte();
            if rows.header_end == 0 {
                let lacks = columns.len().saturating_sub(record.len());
                let known = lacks == 0 || R::LATER.contains(&lacks);
                let there = columns[..columns.len() - lacks].iter().map(String::as_bytes);
                if known && record.iter().eq(there) {
                    rows.lacks = columns.split_off(columns.len() - lacks);
                } else {
                    let what = wrong::header(&record, &columns);
                    by_name = ByName::of::<R>(&record, &columns)
                        .filter(|_| other_header == OtherHeader::ByName);
                    if by_name.is_none() {
                        return Err(error(what));
                    }
                    rows.misnamed = Some(what);
                }
                rows.header_end = end;
                continue;
            }
            let next = reader.position().line();
            let row = match &by_name {
                None => wrong::parsed(&record, &columns, next),
                Some(by_name) => by_name
                    .arranged(&record)
                    .and_then(|arranged| wrong::parsed(&arranged, &columns, next)),
            };
            take(row, Place { line, end }).map_err(error)?;
        }
    }
}

/// The open journal of a run: appends samples and their parts, each sample flushed to the
/// operating system as a whole before the next is measured.
#[derive(Debug)]
pub(super) struct Journal {
    samples: Appended,
    iterations: Appended,
    /// The workers' file and the depths', if they are wanted.
    detail: Option<[Appended; 2]>,
    /// What outside engines tell, if there are any.
    told: Option<Appended>,
}

/// What a results directory held before a run goes on in it.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The samples done.
    pub(super) samples: Vec<Sample>,
    /// What was cut off, in words for the user.
    pub(super) repairs: Vec<String>,
}

impl Journal {
    /// Opens the journal of an experiment in `dir` for appending, with the files that it asks for, and makes them
    /// where they are missing. What a killed run left half-written is cut off: a torn last
    /// line, and the parts of samples that are not in `samples.csv`.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds something else.
    pub(super) fn open(
        dir: &Path,
        experiment: &Experiment,
    ) -> Result<(Journal, Found), JournalError> {
        let mut found = Found::default();
        let rows = begun::<Sample>(dir)?;
        if !rows.lacks.is_empty() {
            let what = format!(
                "it lacks the column `{}`: an older program wrote it, which alone can go on with it",
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
        // The parts first: a sample that is in the file has them all.
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

/// The rows of a file, which is made with its header where it is missing.
pub(crate) fn begun<R: Row>(dir: &Path) -> Result<Rows<R>, JournalError> {
    let path = dir.join(R::FILE);
    if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        fs::write(&path, csv_line(&R::columns())).map_err(|e| JournalError::io(&path, e))?;
    }
    Rows::read(dir)
}

/// Opens a file with parts of samples, cut behind the last that belongs to one of those found.
fn open_parts<P: Part>(dir: &Path, found: &mut Found) -> Result<Appended, JournalError> {
    let rows = begun::<Of<P>>(dir)?;
    let last = rows.list.iter().rposition(|row| belongs(&row.sample, &found.samples));
    rows.cut(last.map_or(0, |at| at + 1), &mut found.repairs)?;
    Appended::open(rows.path)
}

/// Whether this is one of the samples.
fn belongs(key: &SampleKey, samples: &[Sample]) -> bool {
    samples.iter().rev().any(|s| {
        s.round == key.round
            && s.threads == key.threads
            && s.searcher == key.searcher
            && s.position == key.position
    })
}

impl<R: Row> Rows<R> {
    /// Cuts the file behind its first `keep` rows, and writes its header anew if that is torn.
    pub(crate) fn cut(&self, keep: usize, repairs: &mut Vec<String>) -> Result<(), JournalError> {
        let path = &self.path;
        let dropped = self.list.len() - keep;
        if dropped == 0 && self.torn.is_none() && self.header_end > 0 {
            return Ok(());
        }
        if self.header_end == 0 {
            fs::write(path, csv_line(&R::columns())).map_err(|e| JournalError::io(path, e))?;
            repairs.push(format!("{}: its header was torn, and is written anew", path.display()));
            return Ok(());
        }
        let end = if keep == 0 { self.header_end } else { self.ends[keep - 1] };
        OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|file| file.set_len(end))
            .map_err(|e| JournalError::io(path, e))?;
        let path = path.display();
        if let Some(line) = self.torn {
            repairs.push(format!("{path}:{line}: the last line is torn, and is cut off"));
        }
        if dropped > 0 {
            repairs.push(format!("{path}: {dropped} rows of an unfinished sample are cut off"));
        }
        Ok(())
    }
}

/// A file that is appended to.
#[derive(Debug)]
pub(crate) struct Appended {
    path: PathBuf,
    file: File,
}

impl Appended {
    pub(crate) fn open(path: PathBuf) -> Result<Appended, JournalError> {
        match OpenOptions::new().append(true).open(&path) {
            Ok(file) => Ok(Appended { path, file }),
            Err(e) => Err(JournalError::io(&path, e)),
        }
    }

    /// Hands rows, each its fields, to the operating system, all at once.
    pub(crate) fn append(
        &mut self,
        rows: impl IntoIterator<Item = Vec<String>>,
    ) -> Result<(), JournalError> {
        let lines: Vec<u8> = rows.into_iter().flat_map(|fields| csv_line(&fields)).collect();
        self.write(&lines)
    }

    /// Hands a row to the operating system, all at once.
    pub(crate) fn append_row(&mut self, row: &impl Row) -> Result<(), JournalError> {
        self.append([row.values()])
    }

    /// Hands bytes to the operating system, all at once.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        self.file.write_all(bytes).map_err(|e| JournalError::io(&self.path, e))
    }
}

fn csv_line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("a vector takes every write");
    writer.into_inner().expect("a vector takes every write")
}

#[cfg(test)]
mod tests;
