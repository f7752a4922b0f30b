//! The rows of a file with another header than this program writes, as far as its names tell what is what.

use crate::experiment::rows::Row;
use csv::ByteRecord;

/// Where the fields of a row are.
pub(super) struct ByName {
    /// Of each column its place in the file, or what stands in for it.
    fields: Vec<Result<usize, &'static str>>,
    /// How many columns the file has.
    columns: usize,
}

impl ByName {
    /// By a header. None if a row without the columns that it lacks tells nothing, or a name is there twice.
    pub(super) fn of<R: Row>(header: &ByteRecord, columns: &[String]) -> Option<ByName> {
        if columns.iter().any(|name| places(header, name).count() > 1) {
            return None;
        }
        let place = |name: &str| places(header, name).next();
        let lacking: Vec<&str> =
            columns.iter().map(String::as_str).filter(|name| place(name).is_none()).collect();
        let field = |name: &String| {
            let there = place(name);
            R::stand_in(name, &lacking).map_or_else(|| there.map(Ok), |text| Some(Err(text)))
        };
        let fields: Option<Vec<_>> = columns.iter().map(field).collect();
        Some(ByName { fields: fields?, columns: header.len() })
    }

    /// The fields of a row in the order that was expected, or what is wrong with it.
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

/// Where the header has a name.
fn places<'a>(header: &'a ByteRecord, name: &'a str) -> impl Iterator<Item = usize> + 'a {
    let named = move |(_, field): &(usize, &[u8])| *field == name.as_bytes();
    header.iter().enumerate().filter(named).map(|(place, _)| place)
}
