//! The rows of a file: a resumed run reads them back, and cuts off the half-written end that a
//! killed run left.

use super::appended::{Appended, JournalError, csv_line};
use super::wrong;
use crate::records::column::Column;
use crate::records::number_list::count;
use crate::records::opened;
use crate::records::row::Row;
use csv::ByteRecord;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

/// The rows of a file, and the bytes that they fill.
#[derive(Default)]
pub(crate) struct Rows<R> {
    pub(crate) path: PathBuf,
    pub(crate) list: Vec<R>,
    /// The end of each row: the number of bytes up to there.
    ends: Vec<u64>,
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
        let off = match R::PART_OF {
            None => "the file off before this line".to_owned(),
            Some(whole) => format!("this file and `{whole}` off before this sample"),
        };
        let (mut list, mut ends) = (Vec::new(), Vec::new());
        let rows = Rows::scan(dir, OtherHeader::Refused, |row: Result<R, String>, place| {
            let advice = |what| {
                format!("{what}. Mend it, or cut {off}: going on takes the missing rows again")
            };
            list.push(row.map_err(advice)?);
            ends.push(place.end);
            Ok(())
        })?;
        Ok(Rows { list, ends, ..rows })
    }

    /// Passes every whole row to `take`, or the error of the row. An error from `take` ends the
    /// scan. The returned value has an empty list.
    pub(super) fn scan(
        dir: &Path,
        other_header: OtherHeader,
        mut take: impl FnMut(Result<R, String>, Place) -> Result<(), String>,
    ) -> Result<Rows<R>, JournalError> {
        let path = dir.join(R::FILE);
        let bytes = opened::read(&path).map_err(|e| JournalError::io(&path, e))?;
        // A row is whole if its line end was written, because fields hold no line ends.
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let mut columns = R::layout();
        let mut rows = Rows { path, ..Rows::default() };
        let mut by_name = None;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(&bytes[..whole]);
        let mut record = ByteRecord::new();
        loop {
            let line = reader.position().line();
            let error = |what: String| JournalError::Row { path: rows.path.clone(), line, what };
            let more = reader.read_byte_record(&mut record).map_err(|e| error(e.to_string()))?;
            if !more {
                rows.torn = (whole < bytes.len()).then_some(line);
                return Ok(rows);
            }
            let mut end = reader.position().byte();
            // The reader stops between CR and LF. A row that is appended there would be glued.
            end += u64::from(bytes.get(end as usize) == Some(&b'\n'));
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
