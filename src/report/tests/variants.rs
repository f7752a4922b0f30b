//! Reports of experiments with variants.

use super::super::synthetic::Made;
use super::super::topics::variants::rows::{VariantRow, Variants};
use super::super::{Input, write};
use super::close;
use crate::experiment::{Experiment, IterationRow, Of, Sample, SampleStatus, Variant};
use crate::records::Row;
use std::fs;
use std::path::Path;
use ttd_search::cores::Time;
use ttd_search::engine::Techniques;
use ttd_search::searchers::{Searcher, Settings};
use ttd_stats::ratios::Ratio;

fn variant(name: &str, searcher: Searcher) -> Variant {
    let (engine, settings) = (Techniques::default(), Settings::default());
    Variant { name: name.to_owned(), searcher, engine, settings }
}

/// YBWC on three positions, and a variant `heavy`. It takes twice the time of YBWC on one thread
/// and four times on several, and has three times the nodes. It finds the second move, and YBWC
/// finds the first.
fn made() -> Made {
    let set = ttd_search::positions::load("win-at-chess").expect("a set of the program");
    let experiment = Experiment {
        positions: "win-at-chess".to_owned(),
        only: set.into_iter().take(3).map(|position| position.id).collect(),
        searchers: vec![Searcher::named("ybwc")],
        variants: vec![
            variant("heavy", Searcher::named("ybwc")),
            variant("alone", Searcher::baseline()),
        ],
        reference: Some("ybwc".to_owned()),
        ..Made::default().experiment
    };
    let alter = |sample: &mut Sample| {
        let heavy = sample.searcher == "heavy";
        sample.best_move = match (sample.position.as_str(), heavy) {
            ("WAC.001", false) => "g3g6",
            ("WAC.002", true) => "b3b2",
            _ => "",
        }
        .to_owned();
        if heavy {
            let times = if sample.threads > 1 { 4 } else { 2 };
            sample.time = Time::from_ps(times * sample.time.ps());
            sample.nodes *= 3;
        }
    };
    Made { experiment, alter, ..Made::default() }
}

fn variants(made: &Made) -> Variants {
    Input::read(made.dir().path()).expect("read").variants.expect("there are variants")
}

fn row<'a>(variants: &'a Variants, name: &str, threads: usize) -> &'a VariantRow {
    let found = variants.rows.iter().find(|row| (&*row.searcher, row.threads) == (name, threads));
    found.expect("a row")
}

fn is(ratio: Option<Ratio>, expected: f64) {
    close(ratio.map(|ratio| ratio.value), expected);
}

#[test]
fn ratios_are_those_that_were_made_up() {
    let variants = variants(&made());
    assert_eq!(variants.rows.len(), 3 + 3 + 1);
    let (one, four) = (row(&variants, "heavy", 1), row(&variants, "heavy", 4));
    is(one.time, 2.0);
    is(one.nodes, 3.0);
    is(four.time, 4.0);
    is(four.speedup_ratio, 0.5);
    assert_eq!((one.speedup, one.speedup_ratio), (None, None));
    let time = four.time.expect("known");
    // The noise is of the round, and both have it in common.
    let near = |end: f64| (end - 4.0).abs() < 1e-6;
    assert!(time.positions == 3 && time.ci_runs.is_some_and(|ci| near(ci.lower) && near(ci.upper)));
    let reference = row(&variants, "ybwc", 4);
    assert_eq!((reference.time, reference.nodes, reference.speedup_ratio), (None, None, None));
    assert!(reference.speedup.is_some());
    is(row(&variants, "alone", 1).time, 1.0);
}

#[test]
fn moves_are_found_gained_and_lost() {
    let variants = variants(&made());
    let found = row(&variants, "heavy", 2).found.expect("the set asks");
    assert_eq!((found.asked, found.samples, found.in_samples), (3, 18, 6));
    assert_eq!((found.positions, found.gained, found.lost), (1, 1, 1));
    let found = row(&variants, "ybwc", 2).found.expect("the set asks");
    assert_eq!((found.positions, found.gained, found.lost), (1, 0, 0));
    // Half of the samples is no majority. A sample that did not reach the depth does not count.
    let mut made = made();
    made.alter = |sample| {
        let mv = if sample.round < 4 { "g3g6" } else { "" };
        mv.clone_into(&mut sample.best_move);
    };
    made.fate = |sample| {
        let late = sample.searcher == "heavy" && sample.round == 6;
        Some(if late { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let variants = self::variants(&made);
    let of = |name| row(&variants, name, 1).found.expect("the set asks");
    assert_eq!((of("ybwc").in_samples, of("ybwc").samples, of("ybwc").positions), (3, 18, 0));
    assert_eq!((of("heavy").in_samples, of("heavy").samples, of("heavy").positions), (3, 15, 1));
    made.experiment.positions = "middlegames".to_owned();
    let set = ttd_search::positions::load("middlegames").expect("a set of the program");
    made.experiment.only = set.into_iter().take(2).map(|position| position.id).collect();
    let variants = self::variants(&made);
    assert!(variants.rows.iter().all(|row| row.found.is_none()), "nothing is asked");
}

fn write_iterations(dir: &Path, samples: &[Sample]) {
    let path = dir.join("iterations.csv");
    let mut writer = csv::Writer::from_path(path).expect("a new file");
    writer.write_record(Of::<IterationRow>::columns()).expect("written");
    for sample in samples {
        let factor: u64 = if sample.searcher == "heavy" { 3 } else { 2 };
        for depth in 1..=sample.depth {
            let nodes = factor.pow(depth.into());
            let part = IterationRow {
                depth,
                worker: 0,
                time: Time::from_ps(sample.time.ps() / 12 * u64::from(depth)),
                nodes,
                ..IterationRow::default()
            };
            let row = Of { sample: sample.key(), part };
            writer.write_record(row.values()).expect("written");
        }
    }
    writer.flush().expect("written");
}

#[test]
fn the_whole_report_has_them() {
    let made = made();
    let dir = made.dir();
    write_iterations(dir.path(), &made.samples());
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
    let text = read("variants.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<std::collections::HashMap<String, String>> =
        reader.deserialize().map(|row| row.expect("a row")).collect();
    let heavy = rows.iter().find(|row| row["searcher"] == "heavy").expect("a row");
    let number = |column: &str| heavy[column].parse::<f64>().expect("a number");
    assert!((number("branching_factor") - 3.0).abs() < 1e-9);
    assert!((number("time_ratio") - 2.0).abs() < 1e-6 && number("gained") > 0.0);
    let report = read("report.md");
    for part in [
        "## Variants",
        "](charts/variants.svg)",
        "| heavy | 4 | 3 | 4.00 | ",
        "| heavy | 1 | 1 of 3 | 33.3% | 1 | 1 | – |",
        "| heavy | `ybwc` |",
        "](charts/account-heavy.svg)",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(!report.contains("NaN") && !text.contains("NaN"));
    let svg = read("charts/variants.svg");
    assert!(svg.contains("heavy") && svg.contains("speedup / that of ybwc") && svg.contains("1/3"));
}

#[test]
fn many_variants_have_no_charts_of_their_own() {
    let mut made = made();
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    made.experiment.variants = names.map(|name| variant(name, Searcher::named("ybwc"))).to_vec();
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let chart = |name: &str| dir.path().join(format!("charts/{name}.svg")).exists();
    assert!(chart("account-ybwc") && chart("variants") && !chart("account-a"));
}

#[test]
fn censored_samples_leave_ratios_open() {
    let mut made = made();
    made.fate = |sample| {
        let stopped = sample.searcher == "heavy" && sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let time = row(&variants(&made), "heavy", 4).time.expect("bounds");
    assert!((time.value.lower - 4.0).abs() < 1e-6 && time.value.upper.is_infinite());
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(report.contains("| [4.00, ∞] |"), "{report}");
}
