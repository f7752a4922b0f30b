//! Net speedups, and the words for them.

use super::super::figures::{Estimate, NetRow};
use super::super::synthetic::Made;
use super::super::{Input, write};
use crate::experiment::{Sample, SampleStatus};
use std::fs;
use ttd_search::cores::Time;
use ttd_search::search::NodeKind;
use ttd_stats::Bounds;

fn net(made: &Made, name: &str, threads: usize) -> NetRow {
    let figures = Input::read(made.dir().path()).expect("read").figures;
    let row = figures.named(name).and_then(|of| of.row(threads)).expect("measured");
    row.net.expect("nodes are told")
}

fn is(estimate: Estimate, value: f64) {
    let found = estimate.value.value().expect("known");
    assert!((found / value - 1.0).abs() < 1e-4, "{found} is not {value}");
}

/// An experiment whose samples are changed so.
fn altered(alter: fn(&mut Sample)) -> Made {
    Made { alter, ..Made::default() }
}

/// Scales the nodes of YBWC with several threads.
fn with_nodes(sample: &mut Sample, factor: f64) {
    if sample.threads > 1 && sample.searcher == "ybwc" {
        sample.nodes = (sample.nodes as f64 * factor) as u64;
    }
}

#[test]
fn a_smaller_tree_gets_no_credit() {
    let made = altered(|sample| with_nodes(sample, 0.75));
    let ybwc = net(&made, "ybwc", 4);
    is(ybwc.to_depth, 3.6);
    is(ybwc.tree_ratio, 0.75);
    is(ybwc.net, 2.7);
    is(ybwc.uncapped, 2.7);
    assert!(!ybwc.at_most && ybwc.net.ci_runs.is_some() && ybwc.net.ci_positions.is_some());
}

#[test]
fn a_larger_tree_is_already_paid_for() {
    let lazy = net(&Made::default(), "lazy-smp", 2);
    is(lazy.tree_ratio, 1.5);
    is(lazy.net, 2.0 / 1.5);
    is(lazy.uncapped, 2.0);
    assert!(lazy.at_most, "nobody knows which of its nodes helped");
}

#[test]
fn aborted_nodes_do_not_count() {
    let made = altered(|sample| {
        with_nodes(sample, 1.25);
        if let Some(counters) = sample.counters.as_mut().filter(|_| sample.threads > 1) {
            counters.aborted_nodes.add(NodeKind::Cut, sample.nodes * 2 / 5);
        }
    });
    let ybwc = net(&made, "ybwc", 4);
    is(ybwc.tree_ratio, 0.75);
    is(ybwc.net, 2.7);
}

#[test]
fn the_base_is_the_best_setting_of_the_engine() {
    let made = altered(|sample| {
        if sample.threads == 1 && sample.searcher == "lazy-smp" {
            sample.time = Time::from_secs_f64(0.8 * sample.time.as_secs_f64());
            sample.nodes = sample.nodes * 4 / 5;
        }
    });
    is(net(&made, "ybwc", 4).to_depth, 3.6 * 0.8);
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let words = "The base of net speedup is lazy-smp at one thread, the best setting";
    assert!(report.contains(words), "{report}");
}

#[test]
fn a_censored_cell_has_no_lower_end_and_a_censored_base_no_upper_one() {
    let stopped = |fate| Made { fate, ..Made::default() };
    let made = stopped(|sample| {
        let stopped = sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    });
    let of = net(&made, "ybwc", 4);
    let upper = of.to_depth.value.upper;
    assert!(upper.is_finite() && of.net.value == Bounds { lower: 0.0, upper });
    let made = stopped(|sample| {
        let stopped = sample.threads == 1;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    });
    assert_eq!(net(&made, "ybwc", 4).net.value, Bounds { lower: 0.0, upper: f64::INFINITY });
}

/// Settings with equal nodes are one search. Their times differ by noise.
#[test]
fn noise_chooses_no_base() {
    let made = altered(|sample| {
        if sample.threads == 1 && sample.searcher == "lazy-smp" {
            sample.time = Time::from_secs_f64(0.985 * sample.time.as_secs_f64());
        }
    });
    let figures = Input::read(made.dir().path()).expect("read").figures;
    let base = |name| figures.named(name).expect("measured").net_base.clone();
    assert_eq!(
        [base("ybwc"), base("lazy-smp")],
        ["ybwc", "lazy-smp"].map(|name| Ok(name.to_owned()))
    );
    is(net(&made, "ybwc", 4).to_depth, 3.6);
}

/// The base is 1 in its own account, with censored samples too.
#[test]
fn a_censored_base_is_once_as_fast_as_itself() {
    let fate = |sample: &Sample| {
        let stopped = sample.threads == 1 && sample.round == 1;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let figures = Input::read(Made { fate, ..Made::default() }.dir().path()).expect("read").figures;
    let of = figures.named("ybwc").expect("measured");
    let (one, four) = (of.row(1).expect("measured"), of.row(4).expect("measured"));
    assert_eq!((one.account.is_none(), one.account_to_median()), (true, Some(1.0)));
    assert_eq!(of.cells[0][0].account_to_median(), Some(1.0));
    assert_eq!(four.account_to_median(), None);
}

/// A stopped cell leaves the speedup open, and what follows from it has the bounds that follow.
#[test]
fn a_censored_speedup_bounds_the_shares_that_follow() {
    let fate = |sample: &Sample| {
        let stopped = sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let figures = Input::read(Made { fate, ..Made::default() }.dir().path()).expect("read").figures;
    let row = figures.named("ybwc").and_then(|of| of.row(4)).expect("measured");
    let (limit, serial) = (row.amdahl_limit().expect("open"), row.karp_flatt().expect("open"));
    // At most 3.6 on 4 threads: p is at most 26/27. At least 0: nothing is known.
    assert!(limit.lower.abs() < 1e-12 && (limit.upper - 27.0).abs() < 0.1, "{limit:?}");
    assert!((serial.lower - 1.0 / 27.0).abs() < 1e-3 && serial.upper.is_infinite(), "{serial:?}");
}

#[test]
fn without_nodes_the_report_says_why_there_is_none() {
    let made = altered(|sample| {
        if sample.searcher == "ybwc" {
            sample.nodes = 0;
        }
    });
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(report.contains("**ybwc**: speedup to depth 1.8"), "{report}");
    assert!(report.contains("Net speedup is not known: samples without nodes."), "{report}");
    assert!(report.contains("**lazy-smp**: net speedup at most 1.33"), "{report}");
}

#[test]
fn net_speedup_leads_and_the_tree_stands_beside_it() {
    let made = altered(|sample| with_nodes(sample, 0.75));
    let dir = made.dir();
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let words = "To depth it is 3.60 at 4; the tree is 0.75 times that of the base: a part of it is a \
                 smaller tree, which gets no credit.";
    assert!(report.contains("**ybwc**: net speedup 1.35") && report.contains(words), "{report}");
    let at = |what: &str| report.find(what).expect(what);
    assert!(at("charts/net-speedup.svg") < at("charts/speedup.svg"));
}
