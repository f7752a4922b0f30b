//! Rows on standard output for programs, as CSV or JSON.

use crate::records::cell;
use clap::ValueEnum;
use std::io::Write;

/// For whom a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum RowsFormat {
    /// For people
    Text,
    /// A header, and a line for each row
    Csv,
    /// An array with an object for each row
    Json,
}

/// Rows below their header.
pub(super) fn csv(out: impl Write, header: &[&str], rows: &[Vec<String>]) -> anyhow::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row.iter().map(|field| cell(field).into_owned()))?;
    }
    Ok(writer.flush()?)
}

/// Rows as objects with the header's names; every value is a text.
pub(super) fn json(
    mut out: impl Write,
    header: &[&str],
    rows: &[Vec<String>],
) -> anyhow::Result<()> {
    let object = |row: &Vec<String>| -> serde_json::Map<String, serde_json::Value> {
        let fields = header.iter().zip(row);
        fields.map(|(name, value)| ((*name).to_owned(), value.as_str().into())).collect()
    };
    let objects: Vec<_> = rows.iter().map(object).collect();
    serde_json::to_writer_pretty(&mut out, &objects)?;
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_names_of_their_columns() {
        let rows = [vec!["a, b".to_owned(), "1".to_owned()]];
        let mut out = Vec::new();
        csv(&mut out, &["what", "n"], &rows).expect("a vector takes every write");
        assert_eq!(String::from_utf8_lossy(&out), "what,n\n\"a, b\",1\n");
        let mut out = Vec::new();
        json(&mut out, &["what", "n"], &rows).expect("a vector takes every write");
        let read: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(read, serde_json::json!([{ "what": "a, b", "n": "1" }]));
    }
}
