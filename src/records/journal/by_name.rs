//! Rows of a file whose header is not the one that this program writes. Their fields are found by
//! the names in the header.

use crate::records::column::Column;
use csv::ByteRecord;

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
