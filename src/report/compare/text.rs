//! A comparison as people and programs read it.

use crate::records::Difference;
use crate::report::Table;
use crate::report::columns::columns;
use crate::report::compare::differences::in_words;
use crate::report::compare::{Change, Comparison, Figure, Kind, Row};
use crate::report::numbers::{bounds, count, fixed, list, seconds};
use crate::report::topics::summary::starred;
use ttd_stats::Bounds;

impl Comparison {
    /// The text before the table: the two sides, and their differences.
    pub fn head(&self) -> Vec<String> {
        let [base, new] = &self.programs;
        let mut lines = vec![format!("BASE: {base}"), format!("NEW: {new}")];
        let differences = self.differences.iter();
        lines.extend(differences.map(|(kind, of)| format!("Differs: {}", in_words(*kind, of))));
        if self.differences.is_empty() {
            lines.push("Nothing differs that is known.".to_owned());
        }
        lines
    }

    /// The table. Its first row is the header; its first three columns are words.
    pub fn table(&self) -> Vec<Vec<String>> {
        let names = "searcher, threads, verdict, positions, figure, base, new, ratio, ci_runs, ci_positions";
        columns().table(self.lines(), names)
    }

    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line { row, of: self })
    }

    /// The verdict of one row, in words.
    pub fn verdict(&self, row: &Row) -> String {
        let threshold = percent(self.threshold);
        match row.change {
            Change::Regression => format!("regression of more than {threshold}"),
            Change::Improvement => format!("improvement of more than {threshold}"),
            Change::Unchanged => format!("no change of more than {threshold}"),
            Change::Unsettled => "not settled".to_owned(),
            Change::NoInterval => "no interval".to_owned(),
        }
    }

    /// The text behind the table: all verdicts in a line, how to read it, missing parts, and notes
    /// that a reader must know.
    pub fn foot(&self) -> Vec<String> {
        let how = "The ratio is NEW's speedup over BASE's, position by position, and then the geometric \
             mean. For times it is BASE's over NEW's. Below 1, NEW is worse. Verdicts are by \
             ci_runs, for which the samples of both sides are drawn anew, independently. A \
             regression is an interval that ends below 1 - threshold. An improvement is one that \
             begins above 1 + threshold.";
        let mut lines = vec![self.summary(), how.to_owned()];
        if self.rows.iter().any(|row| row.oversubscribed) {
            let star = "* oversubscribed: more threads than cores that the process could use";
            lines.push(star.to_owned());
        }
        lines.extend(self.missing.iter().map(|what| format!("Left out: {what}.")));
        lines.extend(self.plain_notes());
        lines
    }

    fn summary(&self) -> String {
        let of = |change, words: [&str; 2]| {
            let n = self.count(change);
            (n > 0).then(|| format!("{n} {}", words[usize::from(n > 1)]))
        };
        let open = |is_open: bool, words| {
            let unsettled = self.rows.iter().filter(|row| row.change == Change::Unsettled);
            let n = unsettled.filter(|row| row.ratio.value.is_exact() != is_open).count();
            (n > 0).then(|| format!("{n} {words}"))
        };
        let threshold = percent(self.threshold);
        let unchanged = format!("without a change of more than {threshold}");
        let counts = [
            of(Change::Regression, ["regression", "regressions"]),
            of(Change::Improvement, ["improvement", "improvements"]),
            of(Change::Unchanged, [&unchanged, &unchanged]),
            open(false, "not settled: more runs would tell"),
            open(true, "left open by stopped samples"),
            of(Change::NoInterval, ["without an interval: it takes two runs of every cell"; 2]),
        ];
        let figures = count(self.rows.len(), "figure");
        format!("Verdicts on {figures}: {}.", list(counts.into_iter().flatten()))
    }

    /// The rows with all digits.
    pub fn figures(&self) -> Table {
        columns().file(self.lines())
    }

    /// The differences between the two sides.
    pub fn differing(&self) -> Table {
        differing().file(self.differences.iter().map(|(kind, of)| (*kind, of)))
    }

    /// Notes that a reader must know.
    pub fn plain_notes(&self) -> Vec<String> {
        self.notes.iter().map(|note| note.replace("**", "")).collect()
    }
}

/// A row, and the comparison that it belongs to.
struct Line<'a> {
    row: &'a Row,
    of: &'a Comparison,
}

impl Line<'_> {
    /// The figure of a side.
    fn figure(&self, value: Bounds) -> String {
        bounds(Some(value), |value| match self.row.figure {
            Figure::Speedup => fixed(value, 3),
            Figure::Time => seconds(value),
        })
    }
}

columns! {
    /// The columns of what `ttd compare` prints.
    fn columns<'a>(of: Line<'a>);

    /// `speedup`, the geometric-mean speedup over positions; with `--times` also `time_s`, the
    /// geometric-mean time in seconds
    Words "figure" = name(of.row.figure), as "figure";
    /// the row
    Words "searcher" = of.row.searcher.as_str(), as "searcher";
    Whole "threads" = of.row.threads, as "threads", shown starred(of.row.threads, of.row.oversubscribed);
    /// `yes` if there were more threads than cores that the process could use, on one side or both
    Flag "oversubscribed" = of.row.oversubscribed;
    /// positions that have the figure on both sides
    Whole "positions" = of.row.positions, as "positions";
    /// the least number of samples in a cell that takes part
    Whole "runs" = of.row.runs;
    /// the figure of each side, over these positions
    Three "base" = of.row.base, as "BASE", shown of.figure(of.row.base);
    Three "new" = of.row.new, as "NEW", shown of.figure(of.row.new);
    /// `new` / `base` of speedups, `base` / `new` of times, position by position, and then the
    /// geometric mean. Below 1, NEW is worse. `ci_runs` draws the samples of both sides anew,
    /// independently. It is blank if a cell has a single sample. It is the ratio itself if runs do
    /// not differ, as on virtual cores without jitter. `ci_positions` draws positions anew, in
    /// pairs
    Three "ratio" + Both = of.row.ratio, as "ratio";
    /// the change that does not count yet, a share
    Percent "threshold" = of.of.threshold;
    /// by `ratio_ci_runs`: `regression` ends below 1 - threshold, `improvement` begins above 1 +
    /// threshold, `unchanged` lies between the two, `not settled` reaches over one of them; `no
    /// interval`
    Words "verdict" = word(of.row.change), as "verdict", shown of.of.verdict(of.row);
}

columns! {
    /// The columns of the differences between the two sides.
    fn differing<'a>(of: (Kind, &'a Difference));

    Words "kind" = of.0.name();
    Words "what" = of.1.what.as_str();
    Words "base" = of.1.there.as_str();
    Words "new" = of.1.here.as_str();
}

/// The table of a documentation page that gives the meaning of the columns.
pub(crate) fn columns_page() -> String {
    columns().page()
}

fn name(figure: Figure) -> &'static str {
    match figure {
        Figure::Speedup => "speedup",
        Figure::Time => "time_s",
    }
}

/// A verdict in a word.
fn word(change: Change) -> &'static str {
    match change {
        Change::Regression => "regression",
        Change::Improvement => "improvement",
        Change::Unchanged => "unchanged",
        Change::Unsettled => "not settled",
        Change::NoInterval => "no interval",
    }
}

/// A share with all the digits that the user gave.
fn percent(share: f64) -> String {
    // Rounding is needed: in binary fractions, 0.07 x 100 is not 7.
    let percent = (share * 1e8).round() / 1e6;
    format!("{percent}%")
}
