//! What was measured: `samples.csv` and `iterations.csv`, appended and flushed sample by sample,
//! and what a resumed run reads back.

use super::rows::{DOUBLED, IterationRow, Sample, iteration_columns, sample_columns};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file with one row a sample.
pub const SAMPLES: &str = "samples.csv";
/// The file with one row a completed depth of a sample.
pub const ITERATIONS: &str = "iterations.csv";

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
    fn io(path: &Path, source: io::Error) -> JournalError {
        JournalError::Io { path: path.to_owned(), source }
    }
}

/// Every whole row of `samples.csv` in `dir`, in its order; a torn last line (a write that was
/// cut short) is left out.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not a sample.
pub fn read_samples(dir: &Path) -> Result<Vec<Sample>, JournalError> {
    Ok(read(&dir.join(SAMPLES), &sample_columns(), Sample::parse)?.list)
}

/// Every whole row of `iterations.csv` in `dir`, in its order; a torn last line is left out.
///
/// # Errors
/// If the file cannot be read, or one of its rows is not an iteration.
pub fn read_iterations(dir: &Path) -> Result<Vec<IterationRow>, JournalError> {
    Ok(read(&dir.join(ITERATIONS), &iteration_columns(), IterationRow::parse)?.list)
}

/// The rows of a file, and how much of it they fill.
struct Rows<T> {
    list: Vec<T>,
    /// The byte behind each row.
    ends: Vec<u64>,
    /// Whether something follows the last whole row.
    torn: bool,
    /// The byte behind the header (0: there is none yet).
    header_end: u64,
    /// Whether it was written before all of the columns were.
    older: bool,
}

fn read<T>(
    path: &Path,
    mut columns: &[String],
    parse: impl Fn(&[&str]) -> Option<T>,
) -> Result<Rows<T>, JournalError> {
    let bytes = fs::read(path).map_err(|e| JournalError::io(path, e))?;
    // A row is whole when its line end was written: fields hold no line ends.
    let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    let error = |line: u64, what: String| JournalError::Row { path: path.to_owned(), line, what };
    let mut rows = Rows {
        list: Vec::new(),
        ends: Vec::new(),
        torn: whole < bytes.len(),
        header_end: 0,
        older: false,
    };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&bytes[..whole]);
    let mut record = csv::StringRecord::new();
    loop {
        let line = reader.position().line();
        let more = reader.read_record(&mut record).map_err(|e| error(line, e.to_string()))?;
        if !more {
            return Ok(rows);
        }
        let end = reader.position().byte();
        let fields: Vec<&str> = record.iter().collect();
        if rows.header_end == 0 {
            if let Some((last, older)) = columns.split_last()
                && last == DOUBLED
                && fields.iter().eq(older)
            {
                (columns, rows.older) = (older, true);
            }
            if !fields.iter().eq(columns) {
                let expected = columns.join(",");
                return Err(error(line, format!("the header is not `{expected}`")));
            }
            rows.header_end = end;
            continue;
        }
        let what = || {
            let found = fields.len();
            let expected = columns.len();
            if found == expected {
                let odd = culprit(&fields, &parse).map_or_else(
                    || "its fields do not hold what their columns say".to_owned(),
                    |at| format!("column `{}` holds `{}`", columns[at], fields[at]),
                );
                format!(
                    "{odd}. Mend it, or cut the file off before this line: what is missing is taken again"
                )
            } else {
                format!("{found} fields where {expected} were expected")
            }
        };
        if fields.len() != columns.len() {
            return Err(error(line, what()));
        }
        rows.list.push(parse(&fields).ok_or_else(|| error(line, what()))?);
        rows.ends.push(end);
    }
}

/// The field that alone keeps a row from being read, if it is one.
fn culprit<T>(fields: &[&str], parse: &impl Fn(&[&str]) -> Option<T>) -> Option<usize> {
    (0..fields.len()).find(|&at| {
        ["0", "ok"].iter().any(|good| {
            let mut mended = fields.to_vec();
            mended[at] = good;
            parse(&mended).is_some()
        })
    })
}

/// The open journal of a run: appends samples and their iterations, each flushed to the
/// operating system as a whole before the next is measured.
#[derive(Debug)]
pub(super) struct Journal {
    samples: (PathBuf, File),
    iterations: (PathBuf, File),
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
    /// Opens the journal in `dir` for appending, and makes its files where they are missing. What
    /// a killed run left half-written is cut off: a torn last line, and the iterations of samples
    /// that are not in `samples.csv`.
    ///
    /// # Errors
    /// If a file cannot be read or written, or holds something else.
    pub(super) fn open(dir: &Path) -> Result<(Journal, Found), JournalError> {
        let mut found = Found::default();
        let samples = dir.join(SAMPLES);
        let iterations = dir.join(ITERATIONS);
        for (path, columns) in [(&samples, sample_columns()), (&iterations, iteration_columns())] {
            if fs::metadata(path).map_or(0, |file| file.len()) == 0 {
                fs::write(path, csv_line(&columns)).map_err(|e| JournalError::io(path, e))?;
            }
        }
        let rows = read(&samples, &sample_columns(), Sample::parse)?;
        if rows.older {
            let what = format!(
                "it lacks the column `{DOUBLED}`: an older program wrote it, which alone can go on with it"
            );
            return Err(JournalError::Row { path: samples, line: 1, what });
        }
        let keep = rows.list.len();
        cut(&samples, &rows, keep, &sample_columns(), &mut found.repairs)?;
        found.samples = rows.list;

        let rows = read(&iterations, &iteration_columns(), IterationRow::parse)?;
        let keep = {
            let last = rows.list.iter().rposition(|row| belongs(row, &found.samples));
            last.map_or(0, |at| at + 1)
        };
        cut(&iterations, &rows, keep, &iteration_columns(), &mut found.repairs)?;
        let journal = Journal { samples: append_to(samples)?, iterations: append_to(iterations)? };
        Ok((journal, found))
    }

    /// Appends a sample and its iterations.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn append(
        &mut self,
        sample: &Sample,
        iterations: &[IterationRow],
    ) -> Result<(), JournalError> {
        // The iterations first: a sample that is in the file has them all.
        let rows: Vec<u8> = iterations.iter().flat_map(|row| csv_line(&row.values())).collect();
        write_all(&mut self.iterations, &rows)?;
        write_all(&mut self.samples, &csv_line(&sample.values()))
    }
}

/// Whether an iteration is part of one of these samples.
fn belongs(row: &IterationRow, samples: &[Sample]) -> bool {
    samples.iter().rev().any(|s| {
        s.round == row.round
            && s.threads == row.threads
            && s.searcher == row.searcher
            && s.position == row.position
    })
}

/// Cuts a file behind its first `keep` rows, and writes its header anew if that is torn.
fn cut<T>(
    path: &Path,
    found: &Rows<T>,
    keep: usize,
    columns: &[String],
    repairs: &mut Vec<String>,
) -> Result<(), JournalError> {
    let dropped = found.list.len() - keep;
    if dropped == 0 && !found.torn && found.header_end > 0 {
        return Ok(());
    }
    if found.header_end == 0 {
        fs::write(path, csv_line(columns)).map_err(|e| JournalError::io(path, e))?;
        repairs.push(format!("{}: its header was torn, and is written anew", path.display()));
        return Ok(());
    }
    let end = if keep == 0 { found.header_end } else { found.ends[keep - 1] };
    OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|file| file.set_len(end))
        .map_err(|e| JournalError::io(path, e))?;
    if found.torn {
        // The header is line 1.
        let line = found.list.len() + 2;
        let path = path.display();
        repairs.push(format!("{path}:{line}: the last line is torn, and is cut off"));
    }
    if dropped > 0 {
        let path = path.display();
        repairs.push(format!("{path}: {dropped} rows of an unfinished sample are cut off"));
    }
    Ok(())
}

fn append_to(path: PathBuf) -> Result<(PathBuf, File), JournalError> {
    let file = OpenOptions::new().append(true).open(&path);
    file.map_err(|e| JournalError::io(&path, e)).map(|file| (path, file))
}

fn write_all((path, file): &mut (PathBuf, File), bytes: &[u8]) -> Result<(), JournalError> {
    file.write_all(bytes).map_err(|e| JournalError::io(path, e))
}

fn csv_line(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).expect("a vector takes every write");
    writer.into_inner().expect("a vector takes every write")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::Time;
    use crate::experiment::SampleStatus;
    use crate::search::Counters;
    use tempfile::TempDir;

    fn sample(order: u32) -> Sample {
        Sample {
            round: 1,
            order,
            searcher: "ybwc".to_owned(),
            threads: 2,
            position: format!("Morphy-Loewenthal, \"London\" {order}"),
            depth: 12,
            status: SampleStatus::Ok,
            time: Time::from_ps(1_234_567_000),
            nodes: 1000,
            score: -31,
            best_move: "e2e4".to_owned(),
            counters: Counters { nodes: 1000, qnodes: 400, ..Counters::default() },
            table_fill: 0.125,
            peak_mib: 300,
            doubled_nodes: Some(20),
        }
    }

    fn iterations(sample: &Sample) -> Vec<IterationRow> {
        let row = |depth| IterationRow {
            round: sample.round,
            searcher: sample.searcher.clone(),
            threads: sample.threads,
            position: sample.position.clone(),
            depth,
            worker: 1,
            time: Time::from_ps(u64::from(depth) * 1_000_000),
            nodes: u64::from(depth),
        };
        (1..=3).map(row).collect()
    }

    /// A directory with the samples 0 and 1.
    fn two_samples() -> TempDir {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (mut journal, found) = Journal::open(dir.path()).expect("a new journal");
        assert!(found.samples.is_empty() && found.repairs.is_empty());
        for order in 0..2 {
            journal.append(&sample(order), &iterations(&sample(order))).expect("appended");
        }
        dir
    }

    #[test]
    fn reads_what_it_wrote() {
        let dir = two_samples();
        assert_eq!(read_samples(dir.path()).expect("samples"), [sample(0), sample(1)]);
        let rows = read_iterations(dir.path()).expect("iterations");
        assert_eq!(rows[..3], iterations(&sample(0)));
        assert_eq!(rows[3..], iterations(&sample(1)));
    }

    #[test]
    fn an_older_file_is_read_and_not_written() {
        let dir = two_samples();
        let path = dir.path().join(SAMPLES);
        let text = fs::read_to_string(&path).expect("samples");
        let without =
            |line: &str| line.rsplit_once(',').map(|(before, _)| before.to_owned() + "\n");
        fs::write(&path, text.lines().filter_map(without).collect::<String>()).expect("written");
        let older = Sample { doubled_nodes: None, ..sample(1) };
        assert_eq!(read_samples(dir.path()).expect("samples")[1], older);
        let refused = Journal::open(dir.path()).expect_err("an older file").to_string();
        assert!(refused.contains("doubled_nodes"), "{refused}");
    }

    #[test]
    fn a_torn_sample_is_cut_off_at_every_byte_with_its_iterations() {
        let dir = two_samples();
        let path = dir.path().join(SAMPLES);
        let whole = fs::read(&path).expect("samples");
        let row = csv_line(&sample(1).values()).len();
        for lost in 1..=row {
            let dir = two_samples();
            let path = dir.path().join(SAMPLES);
            fs::write(&path, &whole[..whole.len() - lost]).expect("torn");
            let (mut journal, found) = Journal::open(dir.path()).expect("repaired");
            assert_eq!(found.samples, [sample(0)], "{lost} bytes lost");
            assert_eq!(found.repairs.len(), if lost == row { 1 } else { 2 });
            assert_eq!(read_iterations(dir.path()).expect("iterations").len(), 3);
            journal.append(&sample(1), &iterations(&sample(1))).expect("appended");
            assert_eq!(fs::read(&path).expect("samples"), whole);
        }
    }

    #[test]
    fn a_torn_header_is_written_anew() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        fs::write(dir.path().join(SAMPLES), "round,ord").expect("written");
        let (_, found) = Journal::open(dir.path()).expect("repaired");
        assert_eq!(found.repairs.len(), 1);
        assert!(read_samples(dir.path()).expect("samples").is_empty());
    }

    #[test]
    fn a_wrong_row_is_named() {
        let dir = two_samples();
        let path = dir.path().join(SAMPLES);
        let text = fs::read_to_string(&path).expect("samples").replacen(",ok,", ",fine,", 1);
        fs::write(&path, text).expect("written");
        let error = Journal::open(dir.path()).expect_err("a wrong status").to_string();
        assert!(error.contains("samples.csv:2: column `status` holds `fine`. Mend it"), "{error}");
    }
}
