//! The rows of a file: a resumed run reads them back, and cuts off the half-written end that a
//! killed run left.

use super::appended::{Appended, JournalError, csv_line};
use super::wrong;
use crate::records::column::Column;
use crate::records::number_list::count;
use crate::records::opened;
use crate::records::row::Row;
use csv::ByteRecord;
use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The rows of a file, and the bytes that they fill.
#[derive(Default)]
pub(crate) struct Rows<R> {
    pub(crate) path: PathBuf,
    pub(crate) list: Vec<R>,
    /// The end of each row: the number of bytes up to there.
    ends: Vec<u64>,
    /// The number of the first line of each row, from 1.
    pub(crate) lines: Vec<u64>,
    /// The number of the line after the last whole row, if anything is there.
    pub(super) torn: Option<u64>,
    /// The end of the header, in bytes (0: there is none yet).
    header_end: u64,
    /// The number of columns of the file. A file of an older program lacks later additions.
    columns: usize,
    /// The error of the header, if the columns were found by their names.
    pub(super) misnamed: Option<String>,
}

/// The treatment of a header that is not the expected one.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum OtherHeader {
    /// The file is refused.
    Refused,
    /// The columns are found by their names, if enough of them are there.
    ByName,
}

/// The place of a row.
pub(super) struct Place {
    /// The number of its first line, from 1.
    pub(super) line: u64,
    /// Its end, in bytes.
    pub(super) end: u64,
}

impl<R: Row> Rows<R> {
    /// Reads the whole rows of a file in `dir`; a half-written last line is left out.
    pub(crate) fn read(dir: &Path) -> Result<Rows<R>, JournalError> {
        let (mut list, mut ends, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        let rows = Rows::scan(dir, OtherHeader::Refused, |row: Result<R, String>, place| {
            list.push(row.map_err(|what| advice::<R>(&what))?);
            ends.push(place.end);
            lines.push(place.line);
            Ok(())
        })?;
        Ok(Rows { list, ends, lines, ..rows })
    }

    /// The error of a row at this place in the list.
    pub(crate) fn error(&self, at: usize, what: &str) -> JournalError {
        let line = self.lines.get(at).copied().unwrap_or(1);
        JournalError::Row { path: self.path.clone(), line, what: advice::<R>(what) }
    }

    /// Passes every whole row to `take`, or the error of the row. An error from `take` ends the
    /// scan. The returned value has an empty list.
    pub(super) fn scan(
        dir: &Path,
        other_header: OtherHeader,
        mut take: impl FnMut(Result<R, String>, Place) -> Result<(), String>,
    ) -> Result<Rows<R>, JournalError> {
        let path = dir.join(R::FILE);
        let file = opened::open_to_read(&path).map_err(|e| JournalError::io(&path, e))?;
        let mut columns = R::layout();
        let mut rows = Rows { path, ..Rows::default() };
        let mut by_name = None;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(WholeLines::of(file));
        let mut record = ByteRecord::new();
        loop {
            let line = reader.position().line();
            let error = |what: String| JournalError::Row { path: rows.path.clone(), line, what };
            reader.get_mut().row = 0;
            let more = reader.read_byte_record(&mut record).map_err(|e| match e.into_kind() {
                csv::ErrorKind::Io(e) if e.kind() != io::ErrorKind::InvalidData => {
                    JournalError::io(&rows.path, e)
                }
                csv::ErrorKind::Io(e) => error(e.to_string()),
                other => error(format!("{other:?}")),
            })?;
            if !more {
                rows.torn = (!reader.get_ref().held.is_empty()).then_some(line);
                return Ok(rows);
            }
            let end = reader.position().byte();
            // The reader stops between CR and LF. A row that is appended there would be glued.
            let end = end + u64::from(reader.get_mut().is_line_end(end));
            if rows.header_end == 0 {
                let names: Vec<&str> = columns.iter().map(|of| of.name.as_str()).collect();
                let there = record.len();
                // The header of an older file may end before an addition.
                let is_known = columns.get(there).is_none_or(|next| {
                    next.added > 0 && there > 0 && columns[there - 1].added < next.added
                });
                let alike = record.iter().zip(&names).all(|(found, name)| found == name.as_bytes());
                if there <= names.len() && is_known && alike {
                    columns.truncate(there);
                } else {
                    let what = wrong::header(&record, &names);
                    by_name = ByName::of(&record, &columns)
                        .filter(|_| other_header == OtherHeader::ByName);
                    if by_name.is_none() {
                        return Err(error(what));
                    }
                    rows.misnamed = Some(what);
                }
                rows.header_end = end;
                rows.columns = there;
                continue;
            }
            let next = reader.position().line();
            let row = match &by_name {
                None => wrong::parsed(&record, &columns, next),
                Some(by_name) => by_name
                    .arranged(&record)
                    .and_then(|arranged| wrong::parsed(&arranged, &columns, next)),
            };
            let row = row.and_then(|row| row.impossible().map_or(Ok(row), Err));
            take(row, Place { line, end }).map_err(error)?;
        }
    }

    /// Opens the file for appending. Rows get the columns that the file has.
    pub(crate) fn append(self) -> Result<Appended, JournalError> {
        let columns = if self.header_end == 0 { usize::MAX } else { self.columns };
        Appended::of_columns(self.path, columns)
    }

    /// Cuts the file after its first `keep` rows. A half-written header is written anew.
    pub(crate) fn cut(&self, keep: usize, repairs: &mut Vec<String>) -> Result<(), JournalError> {
        let path = &self.path;
        let dropped = self.list.len() - keep;
        if dropped == 0 && self.torn.is_none() && self.header_end > 0 {
            return Ok(());
        }
        if self.header_end == 0 {
            opened::rewrite(path, &csv_line(&R::columns()))
                .map_err(|e| JournalError::io(path, e))?;
            repairs.push(format!("{}: its header was torn, and is written anew", path.display()));
            return Ok(());
        }
        let end = if keep == 0 { self.header_end } else { self.ends[keep - 1] };
        opened::open_to_write(OpenOptions::new().write(true), path)
            .and_then(|file| file.set_len(end))
            .map_err(|e| JournalError::io(path, e))?;
        let path = path.display();
        if let Some(line) = self.torn {
            repairs.push(format!("{path}:{line}: the last line is torn, and is cut off"));
        }
        if dropped > 0 {
            let what = match R::PART_OF {
                None => "without all parts",
                Some(_) => "of an unfinished sample",
            };
            repairs.push(format!("{path}: cut off: {} {what}", count(dropped, "row")));
        }
        Ok(())
    }
}

/// The most bytes of a row. Rows have some hundred.
const MOST_OF_ROW: usize = 1 << 20;

/// The whole lines of a file, as a stream. A line is whole if its end was written, because fields
/// hold no line ends.
struct WholeLines<R> {
    input: R,
    /// The whole lines that were read, and the number of their bytes that were passed on.
    lines: Vec<u8>,
    passed: usize,
    /// The bytes behind them, of a line whose end was not read yet.
    held: Vec<u8>,
    /// The places of the line ends that were read, in bytes, and the number of bytes up to there.
    ends: VecDeque<u64>,
    read: u64,
    /// The bytes that were passed on since this was set to 0.
    row: usize,
}

impl<R: Read> WholeLines<R> {
    fn of(input: R) -> WholeLines<R> {
        let (lines, held, ends) = (Vec::new(), Vec::new(), VecDeque::new());
        WholeLines { input, lines, passed: 0, held, ends, read: 0, row: 0 }
    }

    /// Whether the byte at this place is the end of a line. Later calls are for later places.
    fn is_line_end(&mut self, place: u64) -> bool {
        while self.ends.front().is_some_and(|&end| end < place) {
            self.ends.pop_front();
        }
        self.ends.front() == Some(&place)
    }

    /// Reads on, up to the end of a line or of the file.
    fn read_on(&mut self) -> io::Result<()> {
        let mut bytes = [0; 1 << 14];
        loop {
            let count = match self.input.read(&mut bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                count => count?,
            };
            let bytes = &bytes[..count];
            let ends = (self.read..).zip(bytes).filter(|(_, byte)| **byte == b'\n');
            self.ends.extend(ends.map(|(place, _)| place));
            self.read += count as u64;
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            if whole > 0 {
                self.lines = std::mem::take(&mut self.held);
                self.lines.extend(&bytes[..whole]);
                self.passed = 0;
            }
            self.held.extend(&bytes[whole..]);
            if self.held.len() > MOST_OF_ROW {
                return Err(too_long());
            }
            if whole > 0 || count == 0 {
                return Ok(());
            }
        }
    }
}

impl<R: Read> Read for WholeLines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.passed == self.lines.len() {
            self.read_on()?;
        }
        let rest = &self.lines[self.passed..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.passed += count;
        self.row += count;
        // A quotation mark that is not closed makes one row of many lines.
        if self.row > MOST_OF_ROW { Err(too_long()) } else { Ok(count) }
    }
}

fn too_long() -> io::Error {
    let what = format!("it is a row of more than {} MiB, and too long", MOST_OF_ROW >> 20);
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The error of a row, and the ways to go on.
fn advice<R: Row>(what: &str) -> String {
    let off = match R::PART_OF {
        None => "the file off before this line".to_owned(),
        Some(whole) => format!("this file and `{whole}` off before this sample"),
    };
    format!("{what}. Mend it, or cut {off}: going on takes the missing rows again")
}

/// The rows of a file. A missing file is made, with its header.
pub(crate) fn begun<R: Row>(dir: &Path) -> Result<Rows<R>, JournalError> {
    let path = dir.join(R::FILE);
    if fs::metadata(&path).map_or(0, |file| file.len()) == 0 {
        opened::rewrite(&path, &csv_line(&R::columns())).map_err(|e| JournalError::io(&path, e))?;
    }
    Rows::read(dir)
}

/// The places of the fields of a row.
pub(super) struct ByName {
    /// For each column its place in the file, or the text that replaces it.
    fields: Vec<Result<usize, &'static str>>,
    /// The number of columns of the file.
    columns: usize,
}

impl ByName {
    /// Finds the columns of a header. None if a name is there twice, or a missing column makes its
    /// rows useless.
    pub(super) fn of<R>(header: &ByteRecord, columns: &[Column<R>]) -> Option<ByName> {
        if columns.iter().any(|column| places(header, &column.name).count() > 1) {
            return None;
        }
        let place = |column: &Column<R>| places(header, &column.name).next();
        let is_whole = |group: &str| {
            columns.iter().all(|other| other.group != Some(group) || place(other).is_some())
        };
        let field = |column: &Column<R>| match (column.group, place(column)) {
            (Some(group), _) if !is_whole(group) => Some(Err("")),
            (_, Some(place)) => Some(Ok(place)),
            (_, None) => column.stand_in.map(Err),
        };
        let fields: Option<Vec<_>> = columns.iter().map(field).collect();
        Some(ByName { fields: fields?, columns: header.len() })
    }

    /// The fields of a row in the expected order, or the error.
    pub(super) fn arranged(&self, row: &ByteRecord) -> Result<ByteRecord, String> {
        if row.len() != self.columns {
            return Err(format!("{} fields where the header has {}", row.len(), self.columns));
        }
        let field = |field: &Result<usize, &'static str>| match *field {
            Ok(place) => row[place].to_vec(),
            Err(text) => text.as_bytes().to_vec(),
        };
        Ok(self.fields.iter().map(field).collect())
    }
}

/// The places of a name in the header.
fn places<'a>(header: &'a ByteRecord, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let named = move |(_, field): &(usize, &[u8])| *field == name.as_bytes();
    header.iter().enumerate().filter(named).map(|(place, _)| place)
}
