//! The blocks that a report is made of.

use crate::report::charts::Chart;

/// One block of a report.
pub(super) enum Block<'a> {
    Heading {
        /// 1 is that of the whole report.
        level: usize,
        text: String,
        /// The end of links to it: no other heading's.
        anchor: String,
    },
    Paragraph(String),
    List(Vec<String>),
    /// A list of what a reader must know.
    Notes(Vec<String>),
    /// Commands, or lines of a file.
    Code(String),
    Table(Table),
    Figure {
        number: usize,
        chart: &'a Chart,
    },
}

/// A table with its number.
pub(super) struct Table {
    pub(super) number: usize,
    /// The anchor of the heading above it, and which of its tables it is: stays as it is when other
    /// parts of a report come and go.
    pub(super) key: String,
    pub(super) caption: String,
    pub(super) columns: Vec<Column>,
    /// Each with a cell for each column; at least one.
    pub(super) rows: Vec<Vec<String>>,
}

/// A column of a table.
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The kind of cells that a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Aligned to the left, sorted by the alphabet.
    Words,
    /// Aligned to the right, sorted by size.
    Numbers,
}
