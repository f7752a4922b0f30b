//! Work, critical path, and the time that these two explain.

mod chart;
pub(crate) mod rows;

use crate::report::columns::{Columns, Value, columns};
use crate::report::figures::Intervals;
use crate::report::numbers::{count, fixed, interval, percent, ratio};
use crate::report::topics::work_span::rows::{WorkSpanFigures, WorkSpanRow};
use crate::report::{Picture, Report, Source, Table, Topic, file};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("work-span.csv", columns, Table::filled, |of| lines(&of.input.work_spans))],
    charts: &[Picture::only(
        "work-span",
        "speed against the bounds of work and critical path, with the model's curves; each point is a position at a number of threads",
        |of, setting| Vec::from_iter(chart::work_span(setting, &of.input)),
    )],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let work_spans = &of.input.work_spans;
    if work_spans.is_empty() {
        return;
    }
    report.heading(2, "Work and critical path");
    report.paragraph(
        "The work W of a run is everything that its workers did, without waiting and without \
         looking for work. Its critical path C is the longest chain of work in which each piece \
         had to wait for the one before. No N workers take less than W/N or than C. The model T = \
         a W/N + b C is that of the Cilk chess programs. It is fitted to the runs of several \
         workers that reached the depth, by least squares on log T. All figures that follow are of \
         these runs. The intervals of a and b are at 95%, every replicate refitted. They are of \
         these thread counts, and say nothing about the error of the model itself (modelled). Both \
         a and b can be below 1, where the time is nearer the greater of the two terms than their \
         sum. W and C are those of the graph of this run. In it, a node that may be shared counts \
         as shared, whether a worker was free or not. W/C is therefore the number of workers that \
         the algorithm has work for. Searchers whose workers meet in the table alone have no such \
         graph.",
    );
    report.list(work_spans.iter().map(in_words));
    report.table(
        "Work and critical path by threads (geometric means over positions; the path's share of the modelled time: \
         arithmetic). W/C: how many workers there is work for. W/(N T): how much of their time is work. C/T: how much \
         of the time the critical path takes. Modelled: the model's time over the time. Limit: time of the base over \
         b C, or over C where b is below 1: the speedup that is left to ever more workers.",
        &columns().whole_table(lines(work_spans)),
    );
    report.chart("work-span");
}

fn in_words(of: &WorkSpanFigures) -> String {
    let Some(row) = of.rows.last() else { return of.searcher.clone() };
    let parallelism = format!(
        "On {} there is work for {} (W/C)",
        count(row.threads, "worker"),
        fixed(row.parallelism, 1)
    );
    let Some(fit) = &of.fit else {
        return format!(
            "**{}**: {parallelism}. The model is not fitted: it takes four runs of several workers, not all with the \
             same ratio of W/N to C.",
            of.searcher
        );
    };
    let explains = row.path_share.map_or_else(String::new, |share| {
        format!("; the critical path explains {} of the modelled time", percent(share))
    });
    let limit = row.limit.map_or_else(String::new, |limit| {
        format!(
            ", and ever more workers of the same graph would reach a speedup of {} (extrapolated)",
            fixed(limit, 1)
        )
    });
    let r_squared = fit.r_squared.map_or_else(String::new, |r| format!("R² {}, ", fixed(r, 4)));
    let over = ["a", "b"].into_iter().zip(of.over).filter_map(|(name, over)| within(name, over));
    let over: String = over.collect();
    format!(
        "**{}**: T = {} W/N + {} C ({r_squared}relative error {}, {}{over}). {parallelism}{explains}{limit}.",
        of.searcher,
        ratio(fit.a),
        ratio(fit.b),
        percent(fit.error),
        count(fit.runs, "run"),
    )
}

/// The intervals of a coefficient that are known: `; a: ci_runs 0.97 to 0.98, ci_positions 0.95 to
/// 1.01`.
fn within(name: &str, over: Intervals) -> Option<String> {
    let named = [("ci_runs", over.runs), ("ci_positions", over.positions)];
    let known = named.into_iter().filter(|(_, ci)| ci.is_some());
    let words: Vec<String> =
        known.map(|(which, ci)| format!("{which} {}", interval(ci, ratio))).collect();
    (!words.is_empty()).then(|| format!("; {name}: {}", words.join(", ")))
}

/// One thread count of a searcher.
struct Line<'a> {
    of: &'a WorkSpanFigures,
    row: &'a WorkSpanRow,
}

fn lines(all: &[WorkSpanFigures]) -> impl Iterator<Item = Line<'_>> {
    all.iter().flat_map(|of| of.rows.iter().map(move |row| Line { of, row }))
}

impl Line<'_> {
    /// A coefficient of the fit, by its index: `a` or `b`.
    fn coefficient(&self, index: usize) -> Value {
        let value = self.of.fit.map(|fit| [fit.a, fit.b][index]);
        Value::with(value, self.of.over[index])
    }
}

columns! {
    /// The columns of `work-span.csv` that differ from row to row.
    fn of_row<'a>(of: Line<'a>);

    /// the row
    Words "searcher" = of.of.searcher.as_str(), as "searcher";
    Whole "threads" = of.row.threads, as "threads";
    /// positions that have such samples, and these samples
    Whole "positions" = of.row.cells.len(), as "positions";
    Whole "runs" = of.row.runs, as "runs";
    /// W / C: how many workers there is work for. T, W and C of a position are the geometric means
    /// of its samples. This and the next three are of these, position by position, and then
    /// geometric means over positions
    One "parallelism" = of.row.parallelism, as "W/C", tex "Parallelism";
    /// W / (N T): how much of the workers' time is work
    Percent "utilisation" = of.row.utilisation, as "W/(N T)", tex "Utilisation";
    /// C / T
    Percent "path_over_time" = of.row.path_over_time, as "C/T", tex "PathOverTime";
    /// the model's time at these means / T
    Ratio "modelled_over_time" = of.row.modelled, as "modelled", tex "Modelled";
    /// b C / (a W/N + b C): how much of the model's time is the critical path's, 0 to 1. It is at
    /// these means too, but the arithmetic mean over positions
    Percent "path_share" = of.row.path_share, as "path's share", tex "PathShare";
    /// time of the base / (b C): the speedup that is left to ever more workers of the same graph.
    /// It is time of the base / C where b is below 1, since no run is shorter than its critical
    /// path. The time of the base is the geometric mean of its samples; then comes the geometric
    /// mean over positions. Blank where nothing is fitted, or a sample of the base did not reach
    /// the depth
    One "limit" = of.row.limit, as "limit", tex "WorkSpanLimit";
}

columns! {
    /// The columns of the fit, which are the searcher's.
    fn of_fit<'a>(of: Line<'a>);

    /// of the model T = a W/N + b C, fitted to all these samples by least squares on log T, neither
    /// negative. Blank, like the rest, with fewer than four samples, or if all have the same ratio
    /// of W/N to C. Their `ci_runs` are blank where a cell has a single sample, their
    /// `ci_positions` with a single position
    Ratio "a" + Both = of.coefficient(0), tex "WorkSpanA";
    Ratio "b" + Both = of.coefficient(1), tex "WorkSpanB";
    /// samples it was fitted to
    Whole "fitted_runs" = of.of.fit.map(|fit| fit.runs);
    Percent "" = of.of.fit.map(|fit| fit.error), tex "WorkSpanError";
    /// share of the variance of log T that the model explains: most of it is that positions take
    /// more or less work
    Four "r_squared" = of.of.fit.and_then(|fit| fit.r_squared), tex "WorkSpanRSquared";
    /// root mean square of the errors of log T: about the relative error of a run
    Percent "error" = of.of.fit.map(|fit| fit.error);
}

fn columns<'a>() -> Columns<Line<'a>> {
    of_row().and(of_fit())
}

/// The figures of a searcher and of its thread counts for LaTeX.
pub(crate) fn tex(of: &WorkSpanFigures) -> (Figures, Vec<(usize, Figures)>) {
    let lines: Vec<Line<'_>> = of.rows.iter().map(|row| Line { of, row }).collect();
    let fit = lines.first().map_or_else(Vec::new, |line| of_fit().tex(line));
    (fit, lines.iter().map(|line| (line.row.threads, of_row().tex(line))).collect())
}

type Figures = Vec<(String, String)>;
