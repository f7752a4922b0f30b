//! The notes of a report against its own figures.

use super::super::Input;
use super::super::front::validity;
use super::super::synthetic::Made;
use crate::experiment::{Sample, SampleStatus};
use crate::records::ENVIRONMENT;
use std::fs;
use std::path::Path;
use toml::{Table, Value};

/// The notes on these results.
fn notes(dir: &Path) -> String {
    validity::notes(&Input::read(dir).expect("read")).join("\n")
}

/// The notes, if the record of the one sitting was altered: the state before the sitting and the
/// state after it.
fn altered(alter: impl Fn(&mut Table, &mut Table)) -> String {
    let dir = Made::default().dir();
    let path = dir.path().join(ENVIRONMENT);
    let mut file: Table = fs::read_to_string(&path).expect("read").parse().expect("a TOML text");
    let sitting = sitting(&mut file);
    let mut before = sitting["before"].as_table().expect("a moment").clone();
    before.insert("load_average".to_owned(), "0.10 0.10 0.10".into());
    let mut after = before.clone();
    alter(&mut before, &mut after);
    sitting.insert("before".to_owned(), before.into());
    sitting.insert("after".to_owned(), after.into());
    fs::write(&path, file.to_string()).expect("written");
    notes(dir.path())
}

fn sitting(file: &mut Table) -> &mut Table {
    file["sitting"].as_array_mut().expect("sittings")[0].as_table_mut().expect("a sitting")
}

fn set(moment: &mut Table, key: &str, value: impl Into<Value>) {
    moment.insert(key.to_owned(), value.into());
}

/// The notes if a counter was `from` before and `to` after the sitting.
fn counted(key: &str, from: i64, to: i64) -> String {
    altered(|before, after| {
        set(before, key, from);
        set(after, key, to);
    })
}

#[test]
fn time_that_the_hypervisor_took_is_told() {
    assert!(!counted("steal_ticks", 70, 70).contains("Stolen"));
    let told = counted("steal_ticks", 70, 112);
    assert!(told.contains("the hypervisor kept 0.420 s of processor time"), "{told}");
}

#[test]
fn what_others_had_meanwhile_is_told() {
    // The sitting took 50 seconds.
    let had = |ticks: i64| {
        altered(|before, after| {
            set(before, "others_ticks", 1000);
            set(after, "others_ticks", 1000 + ticks);
            set(before, "time", "2026-11-24T23:59:00Z");
            set(after, "time", "2026-11-24T23:59:50Z");
        })
    };
    assert!(!had(249).contains("other programs used"));
    let told = had(1000);
    assert!(
        told.contains("used 0.20 cores on average (10.0 s of processor time in 50 s)"),
        "{told}"
    );
}

#[test]
fn what_held_up_the_machine_is_told() {
    for (key, event) in [
        ("thermal_throttles", "cores were slowed down for heat"),
        ("quota_throttles", "the process used up its quota of processor time"),
        ("pages_swapped_out", "pages were swapped out"),
    ] {
        assert!(!counted(key, 5, 5).contains("**Disturbed.**"), "{key}");
        let told = counted(key, 5, 8);
        let words = format!(
            "**Disturbed.** While the samples were taken, {event} (3 counted on the machine)."
        );
        assert!(told.contains(&words), "{told}");
    }
}

#[test]
fn load_before_the_run_is_told() {
    let load = |average: &'static str| altered(|before, _| set(before, "load_average", average));
    assert!(!load("0.49 3.00 3.00").contains("**Other load.**"));
    let told = load("1.20 0.80 0.40");
    assert!(told.contains("load average (over 1, 5 and 15 minutes) was 1.20 0.80 0.40"), "{told}");
}

#[test]
fn sittings_that_differ_are_told() {
    let dir = Made::default().dir();
    let path = dir.path().join(ENVIRONMENT);
    let mut file: Table = fs::read_to_string(&path).expect("read").parse().expect("a TOML text");
    let same = sitting(&mut file)["executable"].as_str().expect("a text").to_owned();
    let mut again = |key: &str, value: &str| {
        let mut second = sitting(&mut file).clone();
        second.insert(key.to_owned(), value.into());
        let mut both = file.clone();
        both["sitting"].as_array_mut().expect("sittings").push(second.into());
        fs::write(&path, both.to_string()).expect("written");
        notes(dir.path())
    };
    assert!(!again("executable", &same).contains("**Mixed.**"));
    for (key, value) in [("executable", "0123456789abcdef"), ("cpu", "another")] {
        let told = again(key, value);
        let words = "**Mixed.** Programs or machines differed while the samples were taken (";
        assert!(told.contains(words), "{key}: {told}");
    }
}

#[test]
fn a_table_that_fills_up_is_told() {
    let told = |alter: fn(&mut Sample)| notes(Made { alter, ..Made::default() }.dir().path());
    assert!(!told(|sample| sample.table_fill = 0.3).contains("**Crowded table.**"));
    let told = told(|sample| {
        if sample.searcher == "ybwc" && sample.threads == 4 && sample.round <= 2 {
            sample.table_fill = 0.31;
        }
    });
    let words = "**Crowded table.** In 6 samples of 3 cells, more than 30% of the transposition table was written (at most 31%, \
                 ybwc at 4 threads)";
    assert!(told.contains(words), "{told}");
}

#[test]
fn few_samples_are_told() {
    let told = |runs: u32, fate: fn(&Sample) -> Option<SampleStatus>| {
        let mut made = Made { fate, ..Made::default() };
        made.experiment.runs = runs;
        notes(made.dir().path())
    };
    let all = |_: &Sample| Some(SampleStatus::Ok);
    assert!(!told(6, all).contains("**Few samples.**"));
    for runs in 2..6 {
        let words =
            format!("**Few samples.** No cell has more than {runs}. The order-statistic interval");
        assert!(told(runs, all).contains(&words), "{runs}");
    }
    let late = |sample: &Sample| {
        let last = sample.round == 6 && sample.searcher == "ybwc" && sample.threads == 4;
        (!last).then_some(SampleStatus::Ok)
    };
    let told = told(6, late);
    assert!(told.contains("**Few samples.** 3 of 18 cells have fewer than 6. The order"), "{told}");
}
