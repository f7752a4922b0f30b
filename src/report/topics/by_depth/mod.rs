//! Speedup by depth.

mod chart;
mod lines;
pub(crate) mod rows;

use crate::report::numbers::{BLANK, bounds, count, fixed, interval, list, percents, ratio};
use crate::report::topics::by_depth::rows::{ByDepthRow, SHORT_S, SpeedupsByDepth};
use crate::report::topics::summary::starred;
use crate::report::{File, Picture, Report, Source, Topic};
use ttd_stats::Bounds;
use ttd_stats::depth_trend::Trend;

pub(crate) use lines::tex;

/// The greatest number of depths that the table shows.
const COLUMNS: usize = 6;
/// The mark of searchers whose times to smaller depths are those of prefixes.
const PREFIX: &str = "‡";

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[
        File::new(
            "speedup-by-depth.csv",
            |of| lines::points().file(lines::all_points(&of.input.by_depth)).filled(),
            || lines::points().page(),
        ),
        File::new(
            "depth-trends.csv",
            |of| lines::trends().file(lines::with_trend(&of.input.by_depth)).filled(),
            || lines::trends().page(),
        ),
    ],
    charts: &[Picture::each("speedup-by-depth-", |of, setting| {
        chart::by_depth(setting, &of.input.by_depth)
    })],
    section,
};

fn section(report: &mut Report<'_>, of: &Source) {
    let all = &of.input.by_depth[..];
    if all.is_empty() {
        return;
    }
    report.heading(2, "Speedup by depth");
    report.paragraph(&format!(
        "Does a searcher scale better on deeper searches? The times are those to each depth on the \
         way of one search: base over cell, medians over runs, geometric means over positions. \
         Depths that the base reaches in less than {} ms (median over positions) are left out: the \
         start of the workers matters there. The trend is the slope of the logarithm of the \
         speedup over the deeper half of the depths, position by position. Its interval is \
         Student's over the positions, each at 95% by itself.",
        fixed(1000.0 * SHORT_S, 0)
    ));
    report.list(&all.iter().map(in_words).collect::<Vec<_>>());
    let apart: Vec<&str> =
        all.iter().filter(|of| of.prefixes).map(|of| of.searcher.as_str()).collect();
    if !apart.is_empty() {
        report.paragraph(&format!(
            "{PREFIX} The workers of {} are not all at the same iteration, or it is not known \
             whether they are. The first completion of a depth, or of a greater one, is a prefix \
             of the search to the depth asked for. A search to the smaller depth alone would be \
             another search.",
            list(apart)
        ));
    }
    report.table(
        "Geometric-mean speedup (ci_positions) to the depth in the header, and its growth a ply \
         over the deeper half. * oversubscribed.",
        &table(all),
    );
    for of in all.iter().filter(|of| of.on_its_own) {
        report.chart(&format!("speedup-by-depth-{}", of.searcher));
    }
}

/// The trends of a searcher in sentences. One sentence takes all thread counts of which it is true.
fn in_words(of: &SpeedupsByDepth) -> String {
    let mark = if of.prefixes { PREFIX } else { "" };
    let said = |row: &ByDepthRow| (starred(row.threads, row.oversubscribed), trend_in_words(row));
    let all: Vec<(String, String)> = of.rows.iter().map(said).collect();
    let alike = all.chunk_by(|one, next| one.1 == next.1);
    let each = alike.map(|rows| {
        format!("at {} threads {}", list(rows.iter().map(|(threads, _)| threads)), rows[0].1)
    });
    format!("**{}**{mark}: {}.", of.searcher, each.collect::<Vec<String>>().join("; "))
}

fn trend_in_words(row: &ByDepthRow) -> String {
    let Some(trend) = row.trend else {
        return "no position has three depths that are known and long enough for a trend"
            .to_owned();
    };
    let ends = trend.ci_positions.map(growth);
    let within = ends.map_or_else(String::new, |ci| interval(Some(ci), percents));
    if trend.is_seen() {
        let (verb, much) = match trend.a_ply {
            rise if rise > 0.0 => ("grows", percents(rise.exp_m1())),
            fall => ("falls", percents(-fall.exp_m1())),
        };
        return format!(
            "the speedup {verb} by {much} with each ply from depth {} to {} (ci_positions {within}, {})",
            row.deeper.0,
            row.deeper.1,
            count(trend.positions, "position")
        );
    }
    if within.is_empty() {
        return "one position has no interval, so no trend can be claimed".to_owned();
    }
    format!("no trend is seen (ci_positions {within} a ply)")
}

/// A slope of the logarithm, as a share: exp(slope) - 1.
fn growth(slope: Bounds) -> Bounds {
    slope.map(f64::exp_m1)
}

fn table(all: &[SpeedupsByDepth]) -> Vec<Vec<String>> {
    let points = || all.iter().flat_map(|of| &of.rows).flat_map(|row| &row.points);
    let mut depths: Vec<u8> = points().filter(|p| !p.is_short).map(|p| p.depth).collect();
    depths.sort_unstable();
    depths.dedup();
    // Depths at equal steps, from the deepest one up.
    let step = depths.len().div_ceil(COLUMNS).max(1);
    let mut shown: Vec<u8> = depths.into_iter().rev().step_by(step).collect();
    shown.reverse();
    let mut header = vec!["searcher".to_owned(), "threads".to_owned()];
    header.extend(shown.iter().map(u8::to_string));
    header.extend(["a ply", "ci_positions"].map(str::to_owned));
    let mut table = vec![header];
    for of in all {
        for row in &of.rows {
            table.push(line(of, row, &shown));
        }
    }
    table
}

fn line(of: &SpeedupsByDepth, row: &ByDepthRow, shown: &[u8]) -> Vec<String> {
    let mark = if of.prefixes { PREFIX } else { "" };
    let threads = starred(row.threads, row.oversubscribed);
    let mut line = vec![format!("{}{mark}", of.searcher), threads];
    for depth in shown {
        let point = row.points.iter().find(|point| point.depth == *depth && !point.is_short);
        line.push(point.map_or_else(
            || BLANK.to_owned(),
            |point| {
                let speedup = bounds(Some(point.speedup.value), ratio);
                match point.speedup.ci_positions {
                    Some(ci) => format!("{speedup} ({})", interval(Some(ci), ratio)),
                    None => speedup,
                }
            },
        ));
    }
    let a_ply = |trend: &Trend| percents(trend.a_ply.exp_m1());
    line.push(row.trend.as_ref().map_or_else(|| BLANK.to_owned(), a_ply));
    let ends = row.trend.and_then(|trend| trend.ci_positions).map(growth);
    line.push(interval(ends, percents));
    line
}
