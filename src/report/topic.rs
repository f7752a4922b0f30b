//! The parts of a report: topics, each with its files, its charts and its words.

use crate::report::Report;
use crate::report::charts::{Chart, ChartError, Setting};
use crate::report::columns::Table;

/// One topic of a report that is made from an `S`.
pub(crate) struct Topic<S: 'static> {
    /// The files that it may have beside the report.
    pub(crate) files: &'static [File<S>],
    /// The charts that it may have.
    pub(crate) charts: &'static [Picture<S>],
    /// The part of the report: headings, words, tables and charts; nothing, if there is nothing to
    /// say.
    pub(crate) section: fn(&mut Report<'_>, &S),
}

/// A table for other programs.
pub(crate) struct File<S> {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its rows; none, if the file is not to be written.
    pub(crate) table: fn(&S) -> Option<Table>,
    /// The table that gives the meaning of its columns: in `docs/formats-derived.md`, or for a
    /// match in `docs/matches.md`.
    pub(crate) page: fn() -> String,
}

impl<S> File<S> {
    /// A table with this name, these rows and this page.
    pub(crate) const fn new(
        name: &'static str,
        table: fn(&S) -> Option<Table>,
        page: fn() -> String,
    ) -> File<S> {
        File { name, table, page }
    }
}

/// Charts that are drawn alike.
pub(crate) struct Picture<S> {
    /// Their names.
    pub(crate) name: Name,
    /// Draws them; none, if there is nothing to show.
    pub(crate) draw: fn(&S, &Setting) -> Charts,
}

impl<S> Picture<S> {
    /// One chart of this name, or none.
    pub(crate) const fn only(name: &'static str, draw: fn(&S, &Setting) -> Charts) -> Picture<S> {
        Picture { name: Name::Only(name), draw }
    }

    /// A chart for each competitor, whose name stands behind this one.
    pub(crate) const fn each(name: &'static str, draw: fn(&S, &Setting) -> Charts) -> Picture<S> {
        Picture { name: Name::Each(name), draw }
    }
}

/// The name of a chart, or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// One chart of this name.
    Only(&'static str),
    /// A chart for each competitor, whose name stands behind this one.
    Each(&'static str),
    /// A chart for each K of a running rating, which stands behind this name.
    EachK(&'static str),
    /// The names of other topics.
    Others,
}

/// Charts that were drawn.
pub(crate) type Charts = Result<Vec<Chart>, ChartError>;

/// Collects charts, each of which may have nothing to show.
pub(crate) fn those(drawn: impl IntoIterator<Item = Result<Option<Chart>, ChartError>>) -> Charts {
    drawn.into_iter().filter_map(Result::transpose).collect()
}

/// The charts of these topics.
///
/// # Errors
/// If one cannot be drawn.
pub(crate) fn draw<S>(topics: &[&Topic<S>], of: &S, setting: &Setting) -> Charts {
    let pictures = topics.iter().flat_map(|topic| topic.charts);
    let drawn = pictures.map(|picture| (picture.draw)(of, setting));
    Ok(drawn.collect::<Result<Vec<_>, _>>()?.concat())
}
