//! The derived CSV files. `docs/formats-derived.md` says what every column is.
//!
//! Numbers are written with as many digits as it takes to read the same number back. A figure that is
//! not known is blank; one of which censored samples leave only bounds is `[lower, upper]`.

mod by_depth;
mod comparisons;
mod models;
mod stability;
mod work_span;

pub use by_depth::{depth_trends, speedups_by_depth};
pub use comparisons::comparisons;
pub use models::fitted;
pub use stability::{outliers, stability};
pub use work_span::work_spans;

use super::figures::{Cell, Estimate, Figures, Intervals, Row, VariantRow, Variants};
use ttd_search::cores::State;
use ttd_stats::ratios::Ratio;
use ttd_stats::summary::FiveNumbers;
use ttd_stats::{Account, Bounds};

/// The text of `speedups.csv`: one row a cell that has samples.
pub fn speedups(figures: &Figures) -> String {
    let header: Vec<String> = [
        "searcher,threads,position,n,censored,failed,median_s,median_ci_lower_s,median_ci_upper_s",
        "sd_s,deviation_from_median_s,mad_s,speedup,speedup_ci_runs_lower,speedup_ci_runs_upper",
        "search_overhead,busy_fraction,node_rate,account_speedup,account_to_median",
    ]
    .iter()
    .flat_map(|part| part.split(','))
    .map(str::to_owned)
    .collect();
    let mut rows = vec![header];
    for of in &figures.searchers {
        for (row, cells) in of.rows.iter().zip(&of.cells) {
            let measured = cells.iter().filter(|c| c.ok + c.censored + c.failed > 0);
            rows.extend(measured.map(|cell| speedups_row(&of.searcher, row.threads, cell)));
        }
    }
    text(&rows)
}

fn speedups_row(searcher: &str, threads: usize, cell: &Cell) -> Vec<String> {
    let mut row = vec![
        searcher.to_owned(),
        threads.to_string(),
        cell.position.clone(),
        (cell.ok + cell.censored).to_string(),
        cell.censored.to_string(),
        cell.failed.to_string(),
        figure(cell.median_s),
    ];
    row.extend(ends(cell.median_interval_s));
    row.extend([cell.sd_s, cell.deviation_s, cell.mad_s].map(number));
    row.push(figure(cell.speedup));
    row.extend(ends(cell.speedup_ci_runs));
    row.extend(account(cell.account));
    row.push(number(cell.account_to_median()));
    row
}

/// The text of `summary.csv`: one row a searcher and thread count that has samples.
pub fn summary(figures: &Figures) -> String {
    let mut rows = vec![summary_header()];
    for of in &figures.searchers {
        rows.extend(of.rows.iter().map(|row| summary_row(&of.searcher, row)));
    }
    text(&rows)
}

fn summary_header() -> Vec<String> {
    let mut header: Vec<String> = [
        "searcher,threads,oversubscribed,positions,n,censored,failed,base_median_s,median_s",
        "speedup_min,speedup_q1,speedup_median,speedup_q3,speedup_max",
    ]
    .iter()
    .flat_map(|part| part.split(','))
    .map(str::to_owned)
    .collect();
    header.extend(interval_names("speedup_median"));
    for name in ["geometric_mean", "total_time_ratio", "efficiency"] {
        header.push(name.to_owned());
        header.extend(interval_names(name));
    }
    header.extend(["sd_s", "mad_s"].map(str::to_owned));
    header.extend(["min", "q1", "median", "q3", "max"].map(|q| format!("deviation_{q}_s")));
    header.extend(
        ["account_positions", "search_overhead", "busy_fraction", "node_rate", "account_speedup"]
            .map(str::to_owned),
    );
    header.push("account_to_median".to_owned());
    header.extend(State::ALL.map(|state| format!("{}_share", state.name().replace('-', "_"))));
    header.push("amdahl_p".to_owned());
    header.extend(interval_names("amdahl_p"));
    header.extend(["amdahl_limit", "karp_flatt", "table_fill_max"].map(str::to_owned));
    header
}

fn summary_row(searcher: &str, row: &Row) -> Vec<String> {
    let mut out = vec![
        searcher.to_owned(),
        row.threads.to_string(),
        if row.oversubscribed { "yes" } else { "no" }.to_owned(),
        row.positions.to_string(),
        (row.ok + row.censored).to_string(),
        row.censored.to_string(),
        row.failed.to_string(),
        figure(row.base_s),
        figure(row.time_s),
    ];
    out.extend(row.quantiles.map_or([None; 5], |q| q.map(Some)).map(figure));
    out.extend(intervals(row.median));
    for estimate in [row.geometric_mean, row.total_time_ratio, row.efficiency] {
        out.extend(with_intervals(estimate));
    }
    out.extend([row.sd_s, row.mad_s].map(number));
    let five = |f: FiveNumbers| [f.min, f.q1, f.median, f.q3, f.max].map(Some);
    out.extend(row.deviations_s.map_or([None; 5], five).map(number));
    out.push(row.account_positions.to_string());
    out.extend(account(row.account));
    out.push(number(row.account_to_median()));
    out.extend(row.states.map_or([None; State::COUNT], |s| s.map(Some)).map(number));
    out.push(figure(row.parallel_share.map(|e| e.value)));
    out.extend(intervals(row.parallel_share));
    out.extend([row.amdahl_limit(), row.karp_flatt(), Some(row.table_fill)].map(number));
    out
}

/// The text of `variants.csv`: one row a contender of ours and thread count that has samples.
pub fn variants(variants: &Variants) -> String {
    let mut header = ["searcher", "threads", "reference", "positions"].map(str::to_owned).to_vec();
    let estimate = |header: &mut Vec<String>, name: &str| {
        header.push(name.to_owned());
        header.extend(interval_names(name));
    };
    for name in ["time_ratio", "nodes_ratio", "branching_factor"] {
        estimate(&mut header, name);
    }
    header
        .extend(["asked", "samples", "found_share", "found", "gained", "lost"].map(str::to_owned));
    for name in ["speedup", "speedup_ratio"] {
        estimate(&mut header, name);
    }
    let mut rows = vec![header];
    rows.extend(variants.rows.iter().map(|row| variants_row(&variants.reference, row)));
    text(&rows)
}

fn variants_row(reference: &str, row: &VariantRow) -> Vec<String> {
    let count = |n: Option<usize>| n.map_or_else(String::new, |n| n.to_string());
    let mut out = vec![
        row.searcher.clone(),
        row.threads.to_string(),
        reference.to_owned(),
        count(row.time.map(|ratio| ratio.positions)),
    ];
    let ratio = |ratio: Option<Ratio>| with_intervals(ratio.map(Estimate::from));
    for figure in [row.time, row.nodes, row.branching] {
        out.extend(ratio(figure));
    }
    let found = row.found;
    out.extend([count(found.map(|f| f.asked)), count(found.map(|f| f.samples))]);
    out.push(number(found.map(|f| f.share())));
    out.extend(
        [found.map(|f| f.positions), found.map(|f| f.gained), found.map(|f| f.lost)].map(count),
    );
    out.extend(with_intervals(row.speedup));
    out.extend(ratio(row.speedup_ratio));
    out
}

/// A figure and the ends of its intervals.
pub(super) fn with_intervals(estimate: Option<Estimate>) -> Vec<String> {
    let mut out = vec![figure(estimate.map(|e| e.value))];
    out.extend(intervals(estimate));
    out
}

pub(super) fn interval_names(figure: &str) -> [String; 4] {
    ["ci_runs_lower", "ci_runs_upper", "ci_positions_lower", "ci_positions_upper"]
        .map(|end| format!("{figure}_{end}"))
}

pub(super) fn number(value: Option<f64>) -> String {
    value.filter(|v| !v.is_nan()).map_or_else(String::new, |v| v.to_string())
}

pub(super) fn figure(bounds: Option<Bounds>) -> String {
    let printed = |b: Bounds| match b.value() {
        Some(value) => number(Some(value)),
        None => format!("[{}, {}]", b.lower, b.upper),
    };
    bounds.map_or_else(String::new, printed)
}

pub(super) fn ends(interval: Option<Bounds>) -> [String; 2] {
    [number(interval.map(|b| b.lower)), number(interval.map(|b| b.upper))]
}

/// The ends of both intervals.
fn both(intervals: Intervals) -> impl Iterator<Item = String> {
    ends(intervals.runs).into_iter().chain(ends(intervals.positions))
}

fn intervals(estimate: Option<Estimate>) -> Vec<String> {
    let runs = ends(estimate.and_then(|e| e.ci_runs));
    let positions = ends(estimate.and_then(|e| e.ci_positions));
    runs.into_iter().chain(positions).collect()
}

pub(super) fn account(account: Option<Account>) -> [String; 4] {
    [
        number(account.map(|a| a.search_overhead)),
        number(account.and_then(|a| a.busy_fraction)),
        number(account.map(|a| a.node_rate)),
        number(account.map(|a| a.speedup)),
    ]
}

pub(super) fn text(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("a vector takes every write, and rows are equally long");
    }
    let bytes = writer.into_inner().expect("a vector takes every write");
    String::from_utf8(bytes).expect("made of strings")
}
