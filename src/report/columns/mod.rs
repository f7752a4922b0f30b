//! Lists of columns: the one place that says a figure's name, its meaning, its form and its origin.
//!
//! A list is declared with [`columns!`]. From it come the header and the rows of a CSV file and
//! their JSON. The tables of a report, the commands of `figures.tex` and the tables of
//! `docs/formats-derived.md` come from it too.

mod format;
mod table;
mod value;

pub(crate) use format::Format;
pub use table::Table;
pub(crate) use value::Value;

use crate::report::figures::Intervals;
use crate::report::numbers::{interval, known};
use table::{ends, figure, number};
use ttd_stats::Bounds;

/// One column of the rows `R`.
#[derive(Clone)]
pub(crate) struct Column<R> {
    /// The name in files; empty if the column is in none.
    pub(crate) key: &'static str,
    /// The heading in a report's tables; empty if the column is in none.
    pub(crate) heading: &'static str,
    /// The name and the digits in `figures.tex`; none if the column is not there.
    pub(crate) tex: Option<(&'static str, Format)>,
    /// Its unit and its digits.
    pub(crate) format: Format,
    /// The intervals that follow the figure in files and in `figures.tex`.
    pub(crate) ends: Ends,
    /// Whether files have these intervals alone. The figure itself is then another of the columns.
    pub(crate) alone: bool,
    /// The meaning, in Markdown; empty if the column before says it.
    pub(crate) meaning: &'static str,
    /// Returns the value that a row has.
    pub(crate) value: fn(&R) -> Value,
    /// Returns the text of a row in a table; none if unit and digits say enough.
    pub(crate) shown: Option<fn(&R) -> String>,
}

/// The intervals of a figure, with the texts that name their ends behind the figure's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// No interval.
    None,
    /// The interval over runs: `_ci_runs_lower`.
    Runs,
    /// The interval over positions: `_ci_positions_lower`.
    Positions,
    /// The intervals over runs and over positions.
    Both,
    /// The only interval of a figure: `_ci_lower`.
    Ci,
    /// The only interval of a figure, in seconds: `_ci_lower_s`.
    CiSeconds,
    /// The only interval of a figure whose key names it: `_lower`.
    Bare,
}

impl Ends {
    /// For each interval: the text between the key and `lower` or `upper`, the text behind that,
    /// and the text behind the name in LaTeX. Last, whether the interval is over positions.
    fn each(self) -> &'static [(&'static str, &'static str, &'static str, bool)] {
        const RUNS: (&str, &str, &str, bool) = ("_ci_runs_", "", "Runs", false);
        const POSITIONS: (&str, &str, &str, bool) = ("_ci_positions_", "", "Positions", true);
        match self {
            Ends::None => &[],
            Ends::Runs => &[RUNS],
            Ends::Positions => &[POSITIONS],
            Ends::Both => &[RUNS, POSITIONS],
            Ends::Ci => &[("_ci_", "", "", false)],
            Ends::CiSeconds => &[("_ci_", "_s", "", false)],
            Ends::Bare => &[("_", "", "", false)],
        }
    }
}

/// Declares a function that returns a list of columns for the rows of a type. An entry is
///
/// ```text
/// /// its meaning
/// Format "key" + Ends = value, as "heading", tex "Name" Format, shown text;
/// ```
///
/// The first format is that of tables. The second one is that of `figures.tex`, if it differs.
/// Files always have all digits. All parts but format, key and value may be left out. `only Ends`
/// in the place of `+ Ends` leaves out the figure and keeps the ends of its intervals.
macro_rules! columns {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident $(<$life:lifetime>)? ($row:ident: $of:ty);
        $(
            $(#[doc = $meaning:literal])*
            $format:ident $key:literal $(+ $ends:ident)? $(only $only:ident)? = $value:expr
            $(, as $heading:literal)? $(, tex $tex:literal $($digits:ident)?)? $(, shown $shown:expr)?;
        )*
    ) => {
        $(#[$attribute])*
        $visibility fn $name $(<$life>)? () -> $crate::report::columns::Columns<$of> {
            $crate::report::columns::Columns(vec![$({
                #[allow(unused_mut, reason = "an entry may leave everything out")]
                let mut column: $crate::report::columns::Column<$of> =
                    $crate::report::columns::Column::new(
                        $key,
                        $crate::report::columns::Format::$format,
                        |$row| $crate::report::columns::Value::from($value),
                    );
                $(column.ends = $crate::report::columns::Ends::$ends;)?
                $(
                    column.ends = $crate::report::columns::Ends::$only;
                    column.alone = true;
                )?
                $(column.heading = $heading;)?
                $(
                    column.tex = Some(($tex, column.format));
                    $(column.tex = Some(($tex, $crate::report::columns::Format::$digits));)?
                )?
                $(column.shown = Some(|$row| $shown);)?
                column.meaning = concat!($($meaning),*);
                column
            }),*])
        }
    };
}

pub(crate) use columns;

impl<R> Column<R> {
    /// A column that is in files only, without intervals.
    pub(crate) fn new(key: &'static str, format: Format, value: fn(&R) -> Value) -> Column<R> {
        let (heading, tex, ends, alone, meaning, shown) = ("", None, Ends::None, false, "", None);
        Column { key, heading, tex, format, ends, alone, meaning, value, shown }
    }

    /// Whether a table asks for this column by this name.
    fn is(&self, name: &str) -> bool {
        self.key == name || (self.key.is_empty() && self.heading == name)
    }

    /// The name in files, and behind it the names of its intervals' ends.
    fn names(&self) -> impl Iterator<Item = String> {
        let own = (!self.alone).then(|| self.key.to_owned());
        let ends = self.ends.each().iter().flat_map(|(before, behind, ..)| {
            ["lower", "upper"].map(|end| format!("{}{before}{end}{behind}", self.key))
        });
        own.into_iter().chain(ends)
    }

    /// The cells of a row below these names.
    fn cells(&self, row: &R) -> Vec<String> {
        let (own, over) = match (self.value)(row) {
            Value::Words(words) => return vec![words],
            Value::Number(value, over) => (number(value), over),
            Value::Figure(value, over) => (figure(value), over),
        };
        let mut cells = if self.alone { Vec::new() } else { vec![own] };
        for (.., positions) in self.ends.each() {
            cells.extend(ends(if *positions { over.positions } else { over.runs }));
        }
        cells
    }

    /// The text of a row, as people read it.
    fn text(&self, row: &R) -> String {
        self.shown.map_or_else(|| self.format.text(&(self.value)(row)), |shown| shown(row))
    }
}

/// A list of columns of the rows `R`.
#[derive(Clone)]
pub(crate) struct Columns<R>(pub(crate) Vec<Column<R>>);

impl<R> Columns<R> {
    /// Appends other columns of the same rows.
    pub(crate) fn and(mut self, more: Columns<R>) -> Columns<R> {
        self.0.extend(more.0);
        self
    }

    /// The columns with these keys, in this order, each with the intervals that it has in files.
    pub(crate) fn only(self, keys: &str) -> Columns<R>
    where
        R: Clone,
    {
        let of = |key: &str| self.0.iter().filter(|c| c.key == key).cloned().collect::<Vec<_>>();
        Columns(keys.split(", ").flat_map(of).collect())
    }

    /// The columns without their intervals.
    pub(crate) fn bare(mut self) -> Columns<R> {
        self.0.iter_mut().for_each(|column| column.ends = Ends::None);
        self
    }

    /// The rows as a file has them: only columns with a key.
    pub(crate) fn file(&self, rows: impl IntoIterator<Item = R>) -> Table {
        let columns: Vec<&Column<R>> = self.0.iter().filter(|c| !c.key.is_empty()).collect();
        let header = columns.iter().flat_map(|column| {
            column.names().map(|name| (name, column.format)).collect::<Vec<_>>()
        });
        let line = |row: R| columns.iter().flat_map(|column| column.cells(&row)).collect();
        Table { header: header.collect(), rows: rows.into_iter().map(line).collect() }
    }

    /// The rows as a table of the report; its first row is the header. `names` are the keys of
    /// columns, or the headings of columns that are in no file. `ci_runs` and `ci_positions` mean
    /// the intervals of the figure before them.
    ///
    /// # Panics
    /// If no column has one of these names.
    pub(crate) fn table(&self, rows: impl IntoIterator<Item = R>, names: &str) -> Vec<Vec<String>> {
        let mut shown: Vec<Shown<'_, R>> = Vec::new();
        for name in names.split(", ") {
            let over: Option<fn(Intervals) -> Option<Bounds>> = match name {
                "ci_runs" => Some(|over| over.runs),
                "ci_positions" => Some(|over| over.positions),
                _ => None,
            };
            let named = || self.0.iter().find(|column| column.is(name));
            let column = match (over, shown.last()) {
                (Some(_), Some(before)) => before.column,
                _ => named().unwrap_or_else(|| panic!("there is no column `{name}`")),
            };
            shown.push(Shown { column, over: over.map(|over| (name, over)) });
        }
        lines(rows, &shown)
    }

    /// The rows as a table of the report with all columns that have a heading.
    pub(crate) fn whole_table(&self, rows: impl IntoIterator<Item = R>) -> Vec<Vec<String>> {
        let columns = self.0.iter().filter(|column| !column.heading.is_empty());
        let shown: Vec<Shown<'_, R>> = columns.map(|column| Shown { column, over: None }).collect();
        lines(rows, &shown)
    }

    /// The figures of a row for LaTeX, as names and texts. Figures with intervals over runs or
    /// positions come first.
    pub(crate) fn tex(&self, row: &R) -> Vec<(String, String)> {
        let mut figures = Vec::new();
        let named = || self.0.iter().filter_map(|column| Some((column, column.tex?)));
        let resampled = |ends| matches!(ends, Ends::Runs | Ends::Positions | Ends::Both);
        let first = named().filter(|(column, _)| resampled(column.ends));
        let others = named().filter(|(column, _)| !resampled(column.ends));
        for (column, (name, format)) in first.chain(others) {
            let value = (column.value)(row);
            let over = value.over();
            figures.push((name.to_owned(), format.text(&value)));
            for (.., of, positions) in column.ends.each() {
                let ends = if *positions { over.positions } else { over.runs };
                let end = |end: Option<f64>| known(end, |end| format.number(end));
                figures.push((format!("{name}{of}Lower"), end(ends.map(|ends| ends.lower))));
                figures.push((format!("{name}{of}Upper"), end(ends.map(|ends| ends.upper))));
            }
        }
        figures
    }

    /// The figures of a row for LaTeX, with a word before their names.
    pub(crate) fn tex_of(&self, word: &str, row: &R) -> impl Iterator<Item = (String, String)> {
        self.tex(row).into_iter().map(move |(name, value)| (format!("{word}{name}"), value))
    }

    /// The table of a page that gives the meaning of every column of the file.
    pub(crate) fn page(&self) -> String {
        let mut lines: Vec<(Vec<String>, &str)> = Vec::new();
        let in_file = |column: &&Column<R>| !column.key.is_empty();
        for column in self.0.iter().filter(in_file) {
            let listed = matches!(column.ends, Ends::Ci | Ends::CiSeconds | Ends::Bare);
            let names = column.names().take(if listed { 3 } else { usize::from(!column.alone) });
            let names = names.map(|name| format!("`{name}`")).collect::<Vec<_>>();
            match lines.last_mut().filter(|_| column.meaning.is_empty()) {
                Some((before, _)) => before.extend(names),
                None => lines.push((names, column.meaning.trim())),
            }
        }
        let lines = lines.into_iter().filter(|(names, _)| !names.is_empty());
        let lines = lines.map(|(names, words)| format!("| {} | {words} |\n", names.join(", ")));
        format!("| column | meaning |\n|---|---|\n{}", lines.collect::<String>())
    }
}

/// A header and the rows below it.
fn lines<R>(rows: impl IntoIterator<Item = R>, shown: &[Shown<'_, R>]) -> Vec<Vec<String>> {
    let header = shown.iter().map(Shown::heading).collect();
    let line = |row: R| shown.iter().map(|shown| shown.text(&row)).collect();
    [header].into_iter().chain(rows.into_iter().map(line)).collect()
}

/// One of the two intervals of a figure.
type Over = fn(Intervals) -> Option<Bounds>;

/// The part of a column that a report's table shows: the figure, or one of its intervals. An
/// interval has a heading of its own.
struct Shown<'c, R> {
    column: &'c Column<R>,
    over: Option<(&'c str, Over)>,
}

impl<R> Shown<'_, R> {
    fn heading(&self) -> String {
        self.over.map_or(self.column.heading, |(heading, _)| heading).to_owned()
    }

    fn text(&self, row: &R) -> String {
        let Some((_, over)) = self.over else { return self.column.text(row) };
        let number = |end| self.column.format.number(end);
        interval(over((self.column.value)(row).over()), number)
    }
}
