//! Tables for other programs.

use crate::report::Table;
use clap::ValueEnum;

/// In which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A header, then a row a line
    Csv,
    /// A list with an object for each row
    Json,
}

/// A table of a report.
pub(super) fn text(table: &Table, format: Format) -> String {
    match format {
        Format::Csv => table.csv(),
        Format::Json => table.json(),
    }
}
