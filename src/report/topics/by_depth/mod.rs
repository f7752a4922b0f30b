//! Speedup by depth.

mod chart;
mod lines;
pub(crate) mod rows;

use crate::report::lists::{ascending, row};
use crate::report::numbers::{
    bounds, count, fixed, interval, known, list, p_value, percents, ratio, with_interval,
};
use crate::report::topics::by_depth::rows::{
    ByDepthPoint, ByDepthRow, SHORT_S, SpeedupsByDepth, family,
};
use crate::report::topics::summary::starred;
use crate::report::{Picture, Report, Source, Table, Topic, file};
use lines::{all_points, points, trends, with_trend};
use ttd_stats::Bounds;
use ttd_stats::depth_trend::Trend;

pub(crate) use lines::tex;

/// The greatest number of depths that the table shows.
const COLUMNS: usize = 6;
/// The mark of searchers whose times to smaller depths are those of prefixes.
pub(crate) const PREFIX: &str = "‡";

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[
        file!("speedup-by-depth.csv", points, Table::filled, |of| all_points(&of.input.by_depth)),
        file!("depth-trends.csv", trends, Table::filled, |of| with_trend(&of.input.by_depth)),
    ],
    charts: &[Picture::each(
        "speedup-by-depth-",
        "geometric-mean speedup by depth, a line for each number of threads",
        |of, setting| chart::by_depth(setting, &of.input.by_depth),
    )],
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
         Student's over the positions, each at 95% by itself. A trend is claimed where its p is at \
         most 5% after Benjamini and Hochberg's adjustment for {}.",
        fixed(1000.0 * SHORT_S, 0),
        count(family(all), "trend")
    ));
    report.list(all.iter().map(in_words));
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
         over the deeper half. p is adjusted. * oversubscribed.",
        &table(all),
    );
    report.each_chart("speedup-by-depth-");
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
            "the speedup {verb} by {much} with each ply from depth {} to {} (ci_positions {within}, p {}, {})",
            row.deeper.0,
            row.deeper.1,
            adjusted(&trend),
            count(trend.positions, "position")
        );
    }
    if within.is_empty() {
        return "one position has no interval, so no trend can be claimed".to_owned();
    }
    format!("no trend is seen (ci_positions {within} a ply, p {})", adjusted(&trend))
}

/// The adjusted p of a trend.
fn adjusted(trend: &Trend) -> String {
    known(trend.p_adjusted, |p| p_value(Bounds::exact(p)))
}

/// A slope of the logarithm, as a share: exp(slope) - 1.
fn growth(slope: Bounds) -> Bounds {
    slope.map(f64::exp_m1)
}

fn table(all: &[SpeedupsByDepth]) -> Vec<Vec<String>> {
    let points = all.iter().flat_map(|of| &of.rows).flat_map(|row| &row.points);
    let depths = ascending(points.filter(|point| !point.is_short).map(|point| point.depth));
    // Depths at equal steps, from the deepest one up.
    let step = depths.len().div_ceil(COLUMNS).max(1);
    let mut shown: Vec<u8> = depths.into_iter().rev().step_by(step).collect();
    shown.reverse();
    let behind =
        shown.iter().map(u8::to_string).chain(["a ply", "ci_positions", "p"].map(str::to_owned));
    let mut table = vec![row(["searcher", "threads"], behind)];
    for of in all {
        table.extend(of.rows.iter().map(|row| line(of, row, &shown)));
    }
    table
}

fn line(of: &SpeedupsByDepth, of_row: &ByDepthRow, shown: &[u8]) -> Vec<String> {
    let mark = if of.prefixes { PREFIX } else { "" };
    let searcher = format!("{}{mark}", of.searcher);
    let cells = shown.iter().map(|depth| {
        let at = |point: &&ByDepthPoint| point.depth == *depth && !point.is_short;
        known(of_row.points.iter().find(at), |point| {
            let speedup = bounds(Some(point.speedup.value), ratio);
            with_interval(speedup, point.speedup.ci_positions, ratio)
        })
    });
    let a_ply = known(of_row.trend, |trend| percents(trend.a_ply.exp_m1()));
    let ends = of_row.trend.and_then(|trend| trend.ci_positions).map(growth);
    let p = known(of_row.trend, |trend| adjusted(&trend));
    let threads = starred(of_row.threads, of_row.oversubscribed);
    row([&searcher, &threads], cells.chain([a_ply, interval(ends, percents), p]))
}
