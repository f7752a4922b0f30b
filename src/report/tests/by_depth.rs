//! Reports of experiments whose iterations are known.

use super::super::synthetic::Made;
use super::super::topics::by_depth::rows::{ByDepthRow, SpeedupsByDepth};
use super::super::{Input, write};
use super::write_iterations;
use crate::experiment::{Sample, SampleStatus};
use std::fs;
use tempfile::TempDir;

/// A directory with iterations, in which each depth takes twice the time of the one before. The
/// speedup of YBWC at 4 threads grows by 2% a ply. That of Lazy SMP grows by 2% in one position,
/// falls in the next, and stays in the third.
fn dir(made: &Made) -> TempDir {
    let dir = made.dir();
    let only = &made.experiment.only;
    write_iterations(dir.path(), &made.samples(), |sample, depth| {
        let left = f64::from(12 - i32::from(depth));
        let place = only.iter().position(|id| *id == sample.position).expect("a position");
        let growth: f64 = match (sample.searcher.as_str(), sample.threads) {
            ("ybwc", 4) => 1.02,
            ("lazy-smp", 4) => [1.02, 1.0 / 1.02, 1.0][place],
            _ => 1.0,
        };
        let time = sample.time.as_secs_f64() * 0.5f64.powf(left) * growth.powf(left);
        (time, sample.nodes as f64 * 0.5f64.powf(left))
    });
    dir
}

fn row<'a>(all: &'a [SpeedupsByDepth], searcher: &str, threads: usize) -> &'a ByDepthRow {
    let of = all.iter().find(|of| of.searcher == searcher).expect("a searcher");
    of.rows.iter().find(|row| row.threads == threads).expect("a thread count")
}

#[test]
fn a_speedup_that_grows_with_depth_is_seen() {
    let dir = dir(&Made::default());
    let by_depth = Input::read(dir.path()).expect("read").by_depth;
    let growing = row(&by_depth, "ybwc", 4);
    let trend = growing.trend.expect("a trend");
    assert!((trend.a_ply.exp() - 1.02).abs() < 1e-6, "{trend:?}");
    assert_eq!((trend.positions, growing.deeper, trend.is_seen()), (3, (7, 12), true));
    let speedups: Vec<f64> =
        growing.points.iter().filter_map(|point| point.speedup.value.value()).collect();
    assert_eq!(speedups.len(), 12);
    assert!((speedups[11] - 3.6).abs() < 1e-6, "the last depth's is the search's: {speedups:?}");
    assert!((speedups[6] / speedups[5] - 1.02).abs() < 1e-5);
    // The times are 1 to 3 seconds, halved eleven times.
    let short: Vec<bool> = growing.points.iter().map(|point| point.is_short).collect();
    assert_eq!(short[..3], [true, false, false]);
    let steady = row(&by_depth, "lazy-smp", 4).trend.expect("a trend");
    assert!(!steady.is_seen() && steady.a_ply.abs() < 1e-6, "{steady:?}");
    let prefixes: Vec<bool> = by_depth.iter().map(|of| of.prefixes).collect();
    assert_eq!(prefixes, [false, true]);
}

#[test]
fn the_report_shows_and_says_it() {
    let dir = dir(&Made::default());
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
    let report = read("report.md");
    for part in [
        "## Speedup by depth",
        "at 4* threads the speedup grows by 2.0% with each ply from depth 7 to 12",
        "**lazy-smp**‡: ",
        "at 4* threads no trend is seen",
        "](charts/speedup-by-depth-ybwc.svg)",
        "](charts/speedup-by-depth-lazy-smp.svg)",
        "## Speedup by the size of the tree",
        "](charts/speedup-by-tree-ybwc.svg)",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(!report.contains("NaN"));
    let (points, trends) = (read("speedup-by-depth.csv"), read("depth-trends.csv"));
    assert_eq!((points.lines().count(), trends.lines().count()), (1 + 2 * 2 * 12, 1 + 2 * 2));
    assert!(read("charts/speedup-by-depth-ybwc.svg").contains("4 threads*"));
    // A file goes when its figures are no longer known.
    fs::remove_file(dir.path().join("iterations.csv")).expect("removed");
    write(dir.path(), crate::report::Beside::default()).expect("written again");
    let left = |file: &str| dir.path().join(file).exists();
    assert!(!left("speedup-by-depth.csv") && !left("depth-trends.csv"));
    assert!(!left("charts/speedup-by-depth-ybwc.svg") && !left("charts/speedup-by-tree-ybwc.svg"));
    assert!(read("report.md").contains("iterations.csv: there is no such file"));
}

#[test]
fn what_was_stopped_has_no_trend() {
    let fate = |sample: &Sample| {
        let stopped = sample.searcher == "ybwc" && sample.threads > 1;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let made = Made { fate, ..Made::default() };
    let dir = made.dir();
    let samples = made.samples();
    let unfinished = |sample: &Sample| sample.status == SampleStatus::Censored;
    let some: Vec<Sample> = samples
        .into_iter()
        .map(|sample| Sample { depth: if unfinished(&sample) { 10 } else { 12 }, ..sample })
        .collect();
    write_iterations(dir.path(), &some, |sample, depth| {
        (sample.time.as_secs_f64() * 0.5f64.powi(12 - i32::from(depth)), 1.0)
    });
    let by_depth = Input::read(dir.path()).expect("read").by_depth;
    let stopped = row(&by_depth, "ybwc", 4);
    let speedup = |depth: usize| stopped.points[depth - 1].speedup.value;
    assert!(speedup(10).is_exact() && !speedup(11).is_exact());
    assert!(speedup(11).lower <= 0.0 && speedup(11).upper < 2.0);
    assert_eq!(stopped.trend, None);
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(
        report.contains("at 2 and 4* threads no position has three depths that are known"),
        "{report}"
    );
}

#[test]
fn unreadable_iterations_are_told_and_leave_the_rest() {
    let dir = dir(&Made::default());
    let path = dir.path().join("iterations.csv");
    let text = fs::read_to_string(&path).expect("read");
    let report = |iterations: String| {
        fs::write(&path, iterations).expect("written");
        write(dir.path(), crate::report::Beside::default()).expect("written");
        fs::read_to_string(dir.path().join("report.md")).expect("a report")
    };
    let one_row = report(text.replacen(",3,0,", ",3,no,", 1));
    assert!(one_row.contains("iterations.csv:4: column `worker` holds `no`"), "{one_row}");
    assert!(one_row.contains("## Speedup by depth"), "the others are there: {one_row}");
    let report = report(text.replacen("worker", "somebody", 1));
    assert!(
        report.contains("**No iterations.** ") && report.contains("iterations.csv:1"),
        "{report}"
    );
    assert!(!report.contains("## Speedup by depth") && report.contains("## Stability"));
}
