//! The parts of a report: topics, each with its files, its charts and its words.

use crate::report::Report;
use crate::report::charts::{Chart, ChartError, Setting, Sketch};
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

/// Declares a table for other programs: its name, its list of columns, whether it is written, and
/// its rows. `Some` writes it even without rows, `Table::filled` does not.
macro_rules! file {
    ($name:expr, $columns:path, $written:path, |$of:ident| $rows:expr) => {
        $crate::report::File::new(
            $name,
            |$of| $written($columns().file($rows)),
            || $columns().page(),
        )
    };
}

pub(crate) use file;

/// Charts that are drawn alike. The name of a chart stands in three places: here, in the chart
/// itself, and where the section of the topic shows it.
pub(crate) struct Picture<S> {
    /// Their names.
    pub(crate) name: Name,
    /// Their content, in the words of the page.
    pub(crate) shows: &'static str,
    /// Returns them before they are drawn; none, if there is nothing to show.
    pub(crate) draw: Sketches<S>,
}

impl<S> Picture<S> {
    /// One chart of this name, or none.
    pub(crate) const fn only(
        name: &'static str,
        shows: &'static str,
        draw: Sketches<S>,
    ) -> Picture<S> {
        Picture { name: Name::Only(name), shows, draw }
    }

    /// A chart for each competitor, whose name stands behind this one.
    pub(crate) const fn each(
        name: &'static str,
        shows: &'static str,
        draw: Sketches<S>,
    ) -> Picture<S> {
        Picture { name: Name::Each(name), shows, draw }
    }

    /// A chart for each competitor and number of threads, `NAME-N`, which stands behind this one.
    pub(crate) const fn each_with_threads(
        name: &'static str,
        shows: &'static str,
        draw: Sketches<S>,
    ) -> Picture<S> {
        Picture { name: Name::EachWithThreads(name), shows, draw }
    }
}

/// Returns the charts of a source before they are drawn.
type Sketches<S> = fn(&S, &Setting) -> Vec<Sketch>;

/// The name of a chart, or of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// One chart of this name.
    Only(&'static str),
    /// A chart for each competitor, whose name stands behind this one.
    Each(&'static str),
    /// A chart for each competitor and number of threads, `NAME-N`, which stands behind this one.
    EachWithThreads(&'static str),
    /// A chart for each K of a running rating, which stands behind this name.
    EachK(&'static str),
    /// The names of other topics.
    Others,
}

/// The charts of these topics, before they are drawn.
pub(crate) fn sketches<S>(topics: &[&Topic<S>], of: &S, setting: &Setting) -> Vec<Sketch> {
    let pictures = topics.iter().flat_map(|topic| topic.charts);
    pictures.flat_map(|picture| (picture.draw)(of, setting)).collect()
}

/// Draws the charts that have a value to show.
///
/// # Errors
/// If one cannot be drawn.
pub(crate) fn draw(sketches: impl IntoIterator<Item = Sketch>) -> Result<Vec<Chart>, ChartError> {
    let shown = sketches.into_iter().filter(|sketch| sketch.picture.has_value());
    shown.map(Sketch::drawn).collect()
}
