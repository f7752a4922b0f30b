//! The sentences of reports about models, and of runs that know their work and critical path.

use super::super::figures::{FittedModel, Intervals};
use super::super::source::Source;
use super::super::synthetic::Made;
use super::super::{Input, write};
use super::drawn;
use crate::experiment::{SAMPLES, Sample, SampleStatus};
use crate::records::CoresKind;
use std::fs;
use ttd_search::cores::{Time, WorkSpan};
use ttd_search::searchers::Costs;
use ttd_stats::fits::Model;

/// An experiment with seven thread counts. YBWC follows Amdahl's law with p = 0.95, with some noise
/// by position. Lazy SMP follows a power of 0.7.
fn made() -> Made {
    let mut made = Made::default();
    made.experiment.threads = vec![1, 2, 4, 8, 16, 32, 64];
    made.cores = Some(64);
    made.alter = |sample: &mut Sample| {
        let n = sample.threads as f64;
        let ybwc = sample.searcher == "ybwc";
        let speedup = if ybwc { 1.0 / (0.05 + 0.95 / n) } else { n.powf(0.7) };
        // The noise is up to 1%, different at each thread count.
        let noise = 1.0 + 0.01 * (n * 1.7 + f64::from(sample.round)).sin();
        let one = 1.0 + sample.position.len() as f64;
        sample.time = Time::from_secs_f64(one * noise / speedup);
    };
    made
}

fn model(models: &[FittedModel], which: Model) -> &FittedModel {
    models.iter().find(|model| model.model == which).expect("every model is there")
}

#[test]
fn the_model_that_made_the_data_is_told_from_the_others() {
    let dir = made().dir();
    let figures = Input::read(dir.path()).expect("read").figures;
    let [ybwc, lazy] = [0, 1].map(|place| &figures.searchers[place].models);
    let best = |models| FittedModel::told_apart(models).map(|model| model.model);
    assert_eq!((best(ybwc), best(lazy)), (Some(Model::Amdahl), Some(Model::Power)));
    let amdahl = model(ybwc, Model::Amdahl);
    let p = amdahl.fit.as_ref().expect("a fit").parameters[0];
    assert!((p - 0.95).abs() < 0.005, "{p}");
    let weights = ybwc.iter().filter_map(|model| model.support).map(|support| support.weight);
    assert!((weights.sum::<f64>() - 1.0).abs() < 1e-12);
    let wins: f64 = ybwc.iter().filter_map(|model| model.wins[1]).sum();
    assert!((wins - 1.0).abs() < 1e-9);
    let limit = amdahl.bound().expect("p is below 1").speedup;
    let ci = amdahl.limit.positions.expect("three positions");
    assert!(ci.lower <= limit && limit <= ci.upper, "{limit} {ci:?}");
    // The slope of the speedup, 0.95 / (0.95 + 0.05 N)^2, falls below a quarter at N = 20. A whole
    // further thread gains the slope at N + 1/2, so it falls below a quarter at N = 19.5.
    let enough = amdahl.enough[1].threads.expect("a fit");
    assert!((18.0..=20.0).contains(&enough), "{enough}");
    assert_eq!(model(ybwc, Model::LinearTrend).enough[1].threads, None);
}

#[test]
fn the_report_says_it_in_words() {
    let dir = made().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    for part in [
        "**ybwc**: Amdahl's law fits best: every other AICc is at least ",
        "**lazy-smp**: power law fits best",
        "Power law: no limit, and from ",
        "(extrapolated), and from ",
        "another core adds less than 25% of one.",
        "enough at 25%",
        "| parameters (ci_runs; ci_positions) |",
        "| ybwc | net | Amdahl's law | ok | p = 0.9",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let chart = fs::read_to_string(dir.path().join("charts/speedup.svg")).expect("a chart");
    assert!(chart.contains("lazy-smp: power law, exponent = 0."));
}

#[test]
fn few_thread_counts_cannot_say() {
    let dir = Made::default().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let cannot =
        "the data cannot say which model fits best: an AICc needs four thread counts above 1";
    assert!(report.contains(cannot), "{report}");
}

/// With four thread counts above 1 the models of one parameter have an `AICc`, and USL has none.
#[test]
fn who_cannot_compete_is_named() {
    let mut made = made();
    made.experiment.threads = vec![1, 2, 4, 8, 16];
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let without =
        "replicates over positions), without USL, for which there are too few thread counts.";
    assert_eq!(report.matches(without).count(), 2, "{report}");
}

#[test]
fn the_models_are_drawn_with_what_they_leave() {
    let dir = made().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    for part in [
        "](charts/fits-ybwc.svg)",
        "](charts/fits-lazy-smp.svg)",
        "By AICc Amdahl's law fits best. Not drawn, as it does not describe these: power law",
        "Base: the same searcher at one thread; depth 12, 3 positions, 6 runs, 64 cores.",
        "grey below: 95% ci_positions of the measured",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let charts = drawn(&Source::of(Input::read(dir.path()).expect("read")));
    let chart = charts.iter().find(|chart| chart.name == "fits-ybwc").expect("a chart");
    let lines: Vec<Vec<&str>> = chart.data.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((lines[0][0], lines[0][1], lines[0].len()), ("model", "threads", 9));
    assert_eq!(lines.len(), 1 + 2 * 6, "two laws describe six thread counts above 1");
    let amdahl: Vec<f64> =
        lines[1..7].iter().map(|line| line[8].parse().expect("a number")).collect();
    assert!(amdahl.iter().all(|left| (left - 1.0).abs() < 0.03), "{amdahl:?}");
    assert!(amdahl.iter().any(|left| *left > 1.0) && amdahl.iter().any(|left| *left < 1.0));
}

/// Two thread counts above 1 are too few for any model.
#[test]
fn without_a_model_there_is_nothing_to_draw() {
    let dir = Made::default().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    assert!(!dir.path().join("charts/fits-ybwc.svg").exists());
}

#[test]
fn thread_counts_beyond_the_cores_are_no_points() {
    let mut made = made();
    made.cores = Some(16);
    let figures = Input::read(made.dir().path()).expect("read").figures;
    for models in [&figures.searchers[0].net_models, &figures.searchers[0].models] {
        let amdahl = model(models, Model::Amdahl).fit.as_ref().expect("a fit");
        assert_eq!((amdahl.points, amdahl.measured_to), (4, 16));
    }
}

#[test]
fn a_law_that_does_not_describe_the_speedups_concludes_nothing() {
    let mut made = made();
    // Faster than linear: Amdahl's p is above 1.
    made.alter = |sample: &mut Sample| {
        let n = sample.threads as f64;
        let noise = 1.0 + 0.001 * (n * 1.7 + f64::from(sample.round)).sin();
        sample.time = Time::from_secs_f64(noise / n.powf(1.2));
    };
    let dir = made.dir();
    let figures = Input::read(dir.path()).expect("read").figures;
    let models = &figures.searchers[0].models;
    let amdahl = model(models, Model::Amdahl);
    assert!(amdahl.fit.is_ok() && amdahl.against == Some("its p is no share"), "{amdahl:?}");
    assert_eq!((amdahl.bound(), amdahl.enough[0].threads), (None, None));
    assert_eq!(model(models, Model::LinearTrend).against, None, "a trend is no law");
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let fits = fs::read_to_string(dir.path().join("fits.csv")).expect("written");
    assert!(fits.contains("amdahl,does not describe these,"), "{fits}");
}

/// One of six samples of a cell is stopped. More than 2.5% of the replicates over runs draw it
/// three times or more. These leave every figure open, but none below the least that there is.
#[test]
fn replicates_that_leave_everything_open_give_no_impossible_figures() {
    let mut made = made();
    made.fate = |sample: &Sample| {
        let stopped = sample.threads == 8 && sample.round == 1;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let dir = made.dir();
    let figures = Input::read(dir.path()).expect("read").figures;
    let models = &figures.searchers[0].models;
    let lower = |intervals: Intervals| intervals.runs.expect("six runs").lower;
    let amdahl = model(models, Model::Amdahl);
    assert!(amdahl.fit.is_ok() && lower(amdahl.parameters[0]) == f64::NEG_INFINITY, "{amdahl:?}");
    assert_eq!((lower(amdahl.limit), lower(amdahl.enough[0].intervals)), (0.0, 1.0));
    let usl = model(models, Model::Usl);
    assert!([0, 1].iter().all(|at| lower(usl.parameters[*at]).abs() < 1e-300));
}

/// An experiment in which the time of YBWC on N workers is T = 1.25 W/N + 0.5 C. Its critical path
/// is C = (N + 2) / 10 x T.
fn made_of_work() -> Made {
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
    let input = Input::read(made_of_work().dir().path()).expect("read");
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
fn the_report_tells_of_work_in_words() {
    let dir = made_of_work().dir();
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
    let mut made = made_of_work();
    made.experiment.only.truncate(1);
    made.experiment.runs = 1;
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(report.contains("work for 3.7 (W/C). The model is not fitted"), "{report}");
}

#[test]
fn the_file_has_its_columns_and_goes_with_its_samples() {
    let dir = made_of_work().dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let text = fs::read_to_string(dir.path().join("work-span.csv")).expect("written");
    assert_eq!(text.lines().count(), 3);
    // The columns from that of work on are missing, as in files of an older program.
    let samples = fs::read_to_string(dir.path().join(SAMPLES)).expect("samples");
    let older = |line: &str| line.rsplitn(7, ',').last().unwrap_or_default().to_owned() + "\n";
    let older: String = samples.lines().map(older).collect();
    fs::write(dir.path().join(SAMPLES), older).expect("written");
    write(dir.path(), crate::report::Beside::default()).expect("written again");
    assert!(!dir.path().join("work-span.csv").exists());
    assert!(!dir.path().join("charts/work-span.svg").exists());
}
