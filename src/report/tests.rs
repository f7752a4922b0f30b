//! Whole reports of made-up results directories.

mod by_depth;
mod comparisons;
mod extending;
mod methods;
mod models;
mod net;
mod shapes;
mod stability;
mod validity;
mod variants;

use super::charts::Chart;
use super::charts::setting::Setting;
use super::document::pages::assert_whole;
use super::figures::{Figures, Row};
use super::registry::remove_charts;
use super::source::Source;
use super::synthetic::Made;
use super::topics::TOPICS;
use super::{Beside, Input, front, latex, pages, topic, write};
use crate::experiment::{Base, Experiment, IterationRow, Of, Sample, SampleStatus};
use crate::records::pages::hold;
use crate::records::{CoresKind, Row as _};
use std::fs;
use std::path::Path;
use ttd_search::cores::Time;
use ttd_search::searchers::{Costs, Searcher};
use ttd_stats::Bounds;

/// The charts of a report.
pub(super) fn drawn(of: &Source) -> Vec<Chart> {
    let setting = Setting::new(&of.input.figures, &of.input.experiment, of.input.cores);
    topic::draw(topic::sketches(&TOPICS, of, &setting)).expect("drawn")
}

/// The text that a report writes into this file; none if it does not write it.
pub(super) fn file(of: &Source, name: &str) -> Option<String> {
    let mut files = TOPICS.iter().flat_map(|topic| topic.files);
    let file = files.find(|file| file.name == name).expect("a file of a report");
    Some((file.table)(of)?.csv())
}

/// The text of a report and the names of its charts.
fn report(made: &Made) -> (String, Vec<String>) {
    let dir = made.dir();
    let of = Source::of(Input::read(dir.path()).expect("read"));
    let charts = drawn(&of);
    for chart in &charts {
        assert!(chart.picture.svg.trim_end().ends_with("</svg>"), "{}", chart.name);
        assert!(
            !chart.picture.svg.contains("NaN") && !chart.caption.contains("NaN"),
            "{}",
            chart.name
        );
        assert!(
            !chart.picture.svg.contains(" id="),
            "{}: two charts stand on one page",
            chart.name
        );
        assert!(chart.data.contains(',') && !chart.data.contains("NaN"), "{}", chart.name);
    }
    for name in ["speedups.csv", "summary.csv", "fits.csv"] {
        let text = file(&of, name).expect("it is always there");
        assert!(!text.contains("NaN"), "{text}");
    }
    let whole = front::report(&of, &TOPICS, &charts);
    assert_whole(&whole.html());
    let tex = latex::figures(&of, &whole, &charts);
    assert_eq!(tex.matches('{').count(), tex.matches('}').count(), "{tex}");
    // Letters are known to LaTeX, and signs are not.
    let signs = tex.chars().filter(|c| !c.is_ascii() && (!c.is_alphabetic() || *c == 'Δ'));
    assert_eq!(signs.collect::<String>(), "");
    let text = whole.markdown();
    assert!(!text.contains("NaN") && !tex.contains("NaN"), "{text}");
    (text, charts.into_iter().map(|chart| chart.name).collect())
}

fn figures(made: &Made) -> Figures {
    Input::read(made.dir().path()).expect("read").figures
}

fn row<'a>(figures: &'a Figures, searcher: &str, threads: usize) -> &'a Row {
    let of = figures.searchers.iter().find(|s| s.searcher == searcher).expect("a searcher");
    of.rows.iter().find(|row| row.threads == threads).expect("a thread count")
}

fn close(bounds: Option<Bounds>, expected: f64) {
    let value = bounds.and_then(Bounds::value).expect("a known figure");
    assert!((value / expected - 1.0).abs() < 1e-6, "{value} is not {expected}");
}

/// Writes the iterations of the samples. `at` gives the seconds and the nodes of a sample to a
/// depth.
pub(super) fn write_iterations(
    dir: &Path,
    samples: &[Sample],
    at: impl Fn(&Sample, u8) -> (f64, f64),
) {
    let mut writer = csv::Writer::from_path(dir.join("iterations.csv")).expect("a new file");
    writer.write_record(Of::<IterationRow>::columns()).expect("written");
    for sample in samples {
        for depth in 1..=sample.depth {
            let (time, nodes) = at(sample, depth);
            let (time, nodes) = (Time::from_secs_f64(time), nodes as u64);
            // The last iteration has the sample's time to the nanosecond.
            let is_last = time.ps().abs_diff(sample.time.ps()) < 1_000_000;
            let time = if is_last { sample.time } else { time };
            let part = IterationRow { depth, worker: 0, time, nodes, ..IterationRow::default() };
            writer.write_record(Of { sample: sample.key(), part }.values()).expect("written");
        }
    }
    writer.flush().expect("written");
}

#[test]
fn a_simulation_says_that_it_is_one() {
    let mut made = Made::default();
    made.experiment.cores = CoresKind::Virtual;
    let mut costs = Costs::default();
    costs.set(Searcher::named("ybwc"), costs.common);
    made.experiment.costs = Some(costs);
    let (text, _) = report(&made);
    assert!(text.contains("**Simulated.**") && text.contains(", node_ps = "), "{text}");
    assert!(text.contains(", ybwc = { slowdown_permille = 0 }`"), "{text}");
    assert!(!text.contains("**Oversubscribed.**") && !text.contains("**Other load.**"), "{text}");
    // Of four workers of YBWC 3.6 search at a time.
    assert!(text.contains(" Band: what is left of a simulated speedup"), "{text}");
    let figures = figures(&made);
    assert_eq!(row(&figures, "ybwc", 1).slowed, None);
    let slowed = row(&figures, "ybwc", 4).slowed.expect("it is simulated");
    assert!((slowed - 1.0 / 1.026).abs() < 1e-6, "{slowed}");
    made.experiment.costs = None;
    made.experiment.cores = CoresKind::Real;
    let (text, _) = report(&made);
    assert!(!text.contains("Band:"), "{text}");
}

#[test]
fn figures_are_those_that_were_made_up() {
    let figures = figures(&Made::default());
    // The speedup, base over time, is N x busy fraction / tree ratio, at every position and for
    // every sample.
    let ybwc = row(&figures, "ybwc", 4);
    close(ybwc.median.map(|m| m.value), 3.6);
    close(ybwc.geometric_mean.map(|m| m.value), 3.6);
    close(ybwc.total_time_ratio.map(|m| m.value), 3.6);
    close(ybwc.efficiency.map(|m| m.value), 0.9);
    close(ybwc.base_s, 2.0 * 1.015);
    let account = ybwc.account.expect("an account");
    assert!(
        account.search_overhead.abs() < 1e-6
            && account.busy_fraction.is_some_and(|busy| (busy - 0.9).abs() < 1e-6)
    );
    assert!((account.node_rate - 1.0).abs() < 1e-6);
    assert!((account.product() / account.speedup - 1.0).abs() < 1e-6);
    assert!((ybwc.account_to_median().expect("both") - 1.0).abs() < 1e-6);
    let lazy = row(&figures, "lazy-smp", 2);
    close(lazy.median.map(|m| m.value), 2.0 / 1.5);
    assert!((lazy.account.expect("an account").search_overhead - 0.5).abs() < 1e-6);
    assert!(!lazy.oversubscribed && ybwc.oversubscribed);
    // Positions are all alike. Rounds are not, but base and cell have them in common.
    let median = ybwc.median.expect("a median");
    let over_runs = median.ci_runs.expect("six runs");
    assert!(over_runs.upper - over_runs.lower < 1e-6, "{over_runs:?}");
    let over_positions = median.ci_positions.expect("three positions");
    assert!(over_positions.upper - over_positions.lower < 1e-6, "{over_positions:?}");
}

#[test]
fn a_finished_run_has_every_file() {
    let made = Made::default();
    let dir = made.dir();
    let written = write(dir.path(), Beside::default()).expect("written");
    let charts = written.files.iter().filter(|file| file.extension().is_some_and(|e| e == "svg"));
    let charts = charts.count();
    assert!(charts >= 12, "{written:?}");
    let tables: Vec<&str> = written.tables.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        tables,
        ["summary", "speedups", "comparisons", "normality", "fits", "stability", "memory"]
    );
    for file in &written.files {
        assert!(fs::metadata(file).is_ok_and(|m| m.len() > 100), "{}", file.display());
    }
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    for chart in ["speedup", "efficiency", "speedup-boxes-ybwc", "account-lazy-smp", "deviations"] {
        assert!(report.contains(&format!("](charts/{chart}.svg)")), "{chart}");
        let png = fs::read(dir.path().join(format!("charts/{chart}.png"))).expect("a PNG");
        assert!(png.starts_with(b"\x89PNG"));
    }
    assert!(report.contains("**Oversubscribed.** 4 threads ran on 2 cores"));
    let before = report.find("## Before the figures").expect("notes");
    assert!(before < report.find("## Speedup").expect("figures"));
    let page = fs::read_to_string(dir.path().join("report.html")).expect("a page");
    assert_eq!(page.matches("<figure class=\"chart\"").count(), charts);
    assert!(page.contains("download=\"speedup.csv\""), "the data of a chart");
    // A second report of these samples has equal bytes.
    let bytes = |file: &str| fs::read(dir.path().join(file)).expect("a file");
    let files = [
        "summary.csv",
        "fits.csv",
        "report.md",
        "report.html",
        "figures.tex",
        "charts/speedup.svg",
    ];
    let first = files.map(bytes);
    write(dir.path(), Beside::default()).expect("written again");
    assert!(first == files.map(bytes));
}

#[test]
fn charts_of_an_earlier_report_go_and_foreign_files_stay() {
    let made = Made::default();
    let dir = made.dir();
    let files = || {
        let entries = fs::read_dir(dir.path().join("charts")).expect("charts").flatten();
        let mut names: Vec<_> =
            entries.map(|e| e.file_name().into_string().expect("text")).collect();
        names.sort();
        names
    };
    let written = write(dir.path(), Beside::default()).expect("written");
    let all = written.files.iter().filter(|file| file.starts_with(dir.path().join("charts")));
    assert_eq!(files().len(), all.count());
    let foreign = ["account-mine.png", "mine.svg", "speedup.pdf"];
    for file in foreign {
        fs::write(dir.path().join("charts").join(file), "x").expect("written");
    }
    fs::write(dir.path().join("charts/speedup.svg.new"), "half").expect("written");
    // The file is empty, as before the first sample.
    fs::write(dir.path().join("samples.csv"), "").expect("written");
    write(dir.path(), Beside::default()).expect("written again");
    assert_eq!(files(), foreign);
    remove_charts(dir.path(), &[], &[]).expect("removed");
    assert_eq!(files(), foreign);
}

#[test]
fn every_row_of_a_csv_file_has_every_column() {
    let of = Source::of(Input::read(Made::default().dir().path()).expect("read"));
    for (name, rows) in [("speedups.csv", 18), ("summary.csv", 6), ("fits.csv", 24)] {
        let text = file(&of, name).expect("it is always there");
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().expect("a header").len();
        let found = reader.records().map(|row| row.expect("a row").len());
        assert_eq!(found.inspect(|n| assert_eq!(*n, columns)).count(), rows, "{name}");
    }
}

#[test]
fn nothing_yet() {
    let made = Made { fate: |_| None, ..Made::default() };
    let (report, charts) = report(&made);
    assert!(report.contains("0 of 108 samples"), "{report}");
    assert_eq!(charts, [""; 0], "there is nothing to draw");
}

#[test]
fn one_sample() {
    let fate = |sample: &Sample| (sample.order == 0).then_some(SampleStatus::Ok);
    let (report, _) = report(&Made { fate, ..Made::default() });
    assert!(report.contains("1 of 108 samples") && report.contains("single sample"), "{report}");
}

#[test]
fn an_unfinished_round() {
    let fate = |sample: &Sample| (sample.order < 22).then_some(SampleStatus::Ok);
    let (report, charts) = report(&Made { fate, ..Made::default() });
    assert!(report.contains("22 of 108 samples (20%)"), "{report}");
    assert!(charts.iter().any(|name| name == "speedup"), "{charts:?}");
}

#[test]
fn censored_samples_open_the_figures() {
    let censored = |s: &Sample| s.threads == 4 && s.searcher == "ybwc";
    let fate = |sample: &Sample| {
        let censored = sample.threads == 4 && sample.searcher == "ybwc";
        Some(if censored { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let made = Made { fate, ..Made::default() };
    assert!(made.samples().iter().any(censored));
    let (report, _) = report(&made);
    assert!(report.contains("**Censored.** 18 samples"), "{report}");
    let figures = figures(&made);
    let open = row(&figures, "ybwc", 4);
    let median = open.median.expect("bounds").value;
    assert!(median.lower <= 0.0 && (median.upper - 3.6).abs() < 1e-6, "{median:?}");
    assert!(open.account.is_none() && open.sd_s.is_none());
    let of = Source::of(Input::read(made.dir().path()).expect("read"));
    assert!(file(&of, "summary.csv").is_some_and(|text| text.contains("\"[0, 3.6")));
    close(row(&figures, "lazy-smp", 4).median.map(|m| m.value), 4.0 / 1.5);
}

#[test]
fn a_failed_searcher_leaves_the_others() {
    let fate = |sample: &Sample| {
        let failed = sample.searcher == "lazy-smp";
        Some(if failed { SampleStatus::Failed } else { SampleStatus::Ok })
    };
    let made = Made { fate, ..Made::default() };
    let (report, charts) = report(&made);
    assert!(report.contains("**Failed.** 54 samples"), "{report}");
    assert!(report.contains("**lazy-smp**: no speedup is known"), "{report}");
    let of = |name: &str| charts.iter().any(|chart| chart.ends_with(name));
    assert!(of("-ybwc") && !of("-lazy-smp"), "none of who has no speedup");
    close(row(&figures(&made), "ybwc", 2).median.map(|m| m.value), 1.8);
}

#[test]
fn one_position_and_one_run() {
    let mut made = Made::default();
    made.experiment.only.truncate(1);
    made.experiment.runs = 1;
    let (report, charts) = report(&made);
    assert!(report.contains("single sample"), "{report}");
    let is = |name: &str| charts.iter().any(|chart| chart == name);
    assert!(is("speedup") && !is("deviations"), "no deviation of one run");
    let median = row(&figures(&made), "ybwc", 2).median.expect("a median");
    assert_eq!((median.ci_runs, median.ci_positions), (None, None));
}

#[test]
fn only_one_thread_or_no_base() {
    let mut made = Made::default();
    made.experiment.threads = vec![1];
    assert!(report(&made).1.iter().all(|chart| !chart.starts_with("speedup")));
    made.experiment.threads = vec![2, 4];
    assert!(report(&made).0.contains("no speedup is known"));
    assert_eq!(row(&figures(&made), "ybwc", 4).median, None);
}

#[test]
fn the_sequential_searcher_as_base() {
    let mut made = Made::default();
    made.experiment = Experiment {
        searchers: vec![Searcher::baseline(), Searcher::named("ybwc")],
        base: Base::Sequential,
        ..made.experiment
    };
    let fate =
        |s: &Sample| (s.searcher != "sequential" || s.threads == 1).then_some(SampleStatus::Ok);
    made.fate = fate;
    let figures = figures(&made);
    close(row(&figures, "ybwc", 1).median.map(|m| m.value), 1.0);
    close(row(&figures, "ybwc", 4).median.map(|m| m.value), 3.6);
    assert!(report(&made).0.contains("the sequential searcher"));
}

#[test]
fn the_machine_is_unknown_without_its_record() {
    let (report, _) = report(&Made { cores: None, ..Made::default() });
    assert!(report.contains("**Cores unknown.**"), "{report}");
}

/// The tables of the pages against the lists of columns and charts: each has one text in both.
#[test]
fn columns_and_charts_are_documented() {
    for (name, parts) in ["formats-derived.md", "matches.md"].into_iter().zip(pages()) {
        hold(name, &parts);
    }
}

#[test]
fn reports_of_one_directory_wait_for_each_other() {
    let dir = Made::default().dir();
    std::thread::scope(|scope| {
        let both: Vec<_> =
            (0..4).map(|_| scope.spawn(|| write(dir.path(), Beside::default()))).collect();
        for one in both {
            one.join().expect("it ends").expect("written");
        }
    });
}

#[test]
fn no_results_directory() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    assert!(
        write(dir.path(), Beside::default())
            .is_err_and(|e| e.to_string().contains("experiment.toml"))
    );
}
