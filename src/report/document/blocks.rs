//! The blocks that a report is made of.

use crate::report::charts::Chart;

/// One block of a report.
pub(super) enum Block<'a> {
    Heading {
        /// The level of the heading: 1 for the title of the whole report.
        level: usize,
        text: String,
        /// The target of links to the heading; no other heading has it.
        anchor: String,
    },
    Paragraph(String),
    List(Vec<String>),
    /// A list of notes that a reader must know.
    Notes(Vec<String>),
    /// Commands, or lines of a file.
    Code(String),
    Table(Table),
    /// Positions with their boards.
    Positions(Vec<Place>),
    Figure {
        number: usize,
        chart: &'a Chart,
    },
}

/// A position of the experiment.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) name: String,
    /// Its FEN; none if it is not known.
    pub(crate) fen: Option<String>,
}

/// A table with its number.
pub(super) struct Table {
    pub(super) number: usize,
    /// The anchor of the heading above the table, and the table's number below that heading. It
    /// stays when other parts of a report come and go.
    pub(super) key: String,
    pub(super) caption: String,
    /// Whether a reader may want its rows in another order.
    pub(super) sorts: bool,
    pub(super) columns: Vec<Column>,
    /// The rows, at least one; each has a cell for each column.
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
