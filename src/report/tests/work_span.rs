//! Reports of runs that know their work and their critical path.

use super::super::synthetic::Made;
use super::super::{Input, write};
use crate::experiment::{SAMPLES, Sample};
use crate::records::CoresKind;
use std::fs;
use ttd_search::cores::{Time, WorkSpan};
use ttd_search::searchers::Costs;

/// An experiment in which the time of YBWC on N workers is T = 1.25 W/N + 0.5 C. Its critical path
/// is C = (N + 2) / 10 x T.
fn made() -> Made {
    let alter = |sample: &mut Sample| {
        let part = |share: f64| Time::from_secs_f64(share * sample.time.as_secs_f64());
        let (n, path) = (sample.threads as f64, 0.2 + 0.1 * sample.threads as f64);
        let known = match sample.threads {
            1 => WorkSpan { work: sample.time, critical_path: sample.time },
            _ => WorkSpan { work: part(n * (1.0 - 0.5 * path) / 1.25), critical_path: part(path) },
        };
        sample.work_span = (sample.searcher == "ybwc").then_some(known);
    };
    let mut made = Made { alter, ..Made::default() };
    made.experiment.cores = CoresKind::Virtual;
    made.experiment.costs = Some(Costs::default());
    made
}

fn close(value: Option<f64>, expected: f64) {
    let value = value.expect("a known figure");
    assert!((value / expected - 1.0).abs() < 1e-6, "{value} is not {expected}");
}

#[test]
fn figures_are_those_that_were_made_up() {
    let input = Input::read(made().dir().path()).expect("read");
    let [of] = &input.work_spans[..] else { panic!("lazy-smp has no critical path") };
    let fit = of.fit.expect("enough runs");
    assert_eq!((of.searcher.as_str(), of.rows.len(), fit.runs), ("ybwc", 2, 36));
    close(Some(fit.a), 1.25);
    close(Some(fit.b), 0.5);
    assert!(fit.error < 1e-6 && fit.r_squared.is_some_and(|r| r > 1.0 - 1e-9));
    let four = &of.rows[1];
    assert_eq!((four.threads, four.runs, four.cells.len()), (4, 18, 3));
    close(Some(four.parallelism), 4.0 * 0.56 / 0.6);
    close(Some(four.utilisation), 0.56);
    close(Some(four.path_over_time), 0.6);
    close(four.modelled, 1.0);
    close(four.path_share, 0.3);
    // Four workers are 3.6 times as fast as one. As b is below 1, the limit divides by the path,
    // 0.6 of their time.
    close(four.limit, 3.6 / 0.6);
}

#[test]
fn the_report_says_it_in_words() {
    let dir = made().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let words = "**ybwc**: T = 1.25 W/N + 0.50 C (R² 1.0000, relative error 0%, 36 runs; a: ci_runs \
                 1.25 to 1.25, ci_positions 1.25 to 1.25; b: ci_runs 0.50 to 0.50, ci_positions 0.50 to 0.50). On 4 workers there is \
                 work for 3.7 (W/C); the critical path explains 30% of the modelled time, and ever more \
                 workers of the same graph would reach a speedup of 6.0 (extrapolated).";
    assert!(report.contains(words), "{report}");
    assert!(report.contains("](charts/work-span.svg)") && !report.contains("NaN"));
    let chart = fs::read_to_string(dir.path().join("charts/work-span.svg")).expect("a chart");
    assert!(chart.trim_end().ends_with("</svg>") && !chart.contains("NaN"));
}

#[test]
fn too_few_runs_are_not_fitted() {
    let mut made = made();
    made.experiment.only.truncate(1);
    made.experiment.runs = 1;
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(report.contains("work for 3.7 (W/C). The model is not fitted"), "{report}");
}

#[test]
fn the_file_has_its_columns_and_goes_with_its_samples() {
    let dir = made().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let text = fs::read_to_string(dir.path().join("work-span.csv")).expect("written");
    assert_eq!(text.lines().count(), 3);
    // The columns of work and critical path are missing, as in files of an older program, and those
    // of messages.
    let samples = fs::read_to_string(dir.path().join(SAMPLES)).expect("samples");
    let older = |line: &str| line.rsplitn(5, ',').last().unwrap_or_default().to_owned() + "\n";
    let older: String = samples.lines().map(older).collect();
    fs::write(dir.path().join(SAMPLES), older).expect("written");
    write(dir.path(), crate::report::Beside::default()).expect("written again");
    assert!(!dir.path().join("work-span.csv").exists());
    assert!(!dir.path().join("charts/work-span.svg").exists());
}
