//! Reports at the edges of what can be measured.

use super::report;
use crate::experiment::{Experiment, SampleStatus};
use crate::report::numbers::list;
use crate::report::synthetic::Made;
use ttd_search::searchers::Searcher;

/// The ids of all positions of a set.
fn positions(set: &str) -> Vec<String> {
    let set = ttd_search::positions::load(set).expect("a set of the program");
    set.into_iter().map(|position| position.id).collect()
}

#[test]
fn one_of_everything() {
    let mut made = Made::default();
    made.experiment.only.truncate(1);
    made.experiment.threads = vec![1];
    made.experiment.runs = 1;
    made.experiment.searchers = vec![Searcher::baseline()];
    let (text, charts) = report(&made);
    assert!(text.contains("was measured at one thread only"), "{text}");
    assert_eq!(charts, [""; 0], "there is nothing to draw");
}

#[test]
fn all_searchers() {
    let mut made = Made::default();
    made.experiment.searchers = Searcher::all().to_vec();
    let (text, charts) = report(&made);
    let names = list(Searcher::all().iter().map(|searcher| searcher.name()));
    assert!(text.contains(&format!("time to depth of {names}\n")), "{text}");
    for before in ["speedup-boxes-", "speedup-positions-", "speedup-map-", "account-"] {
        let of = charts.iter().filter(|chart| chart.starts_with(before));
        assert_eq!(of.count(), Searcher::parallel().count(), "{before}");
    }
}

#[test]
fn two_hundred_positions() {
    let mut made = Made::default();
    let only: Vec<String> = positions("win-at-chess").into_iter().take(200).collect();
    assert_eq!(only.len(), 200);
    let positions = "win-at-chess".to_owned();
    let (searchers, threads) = (vec![Searcher::named("ybwc")], vec![1, 2]);
    made.experiment =
        Experiment { only, positions, searchers, threads, runs: 2, ..made.experiment };
    let (text, _) = report(&made);
    assert!(text.contains("200 positions"), "{text}");
}

#[test]
fn all_censored() {
    let made = Made { fate: |_| Some(SampleStatus::Censored), ..Made::default() };
    let (text, _) = report(&made);
    assert!(text.contains("**Censored.** 108 samples"), "{text}");
    assert!(text.contains("A search was stopped after 120 s, as 108 were"), "{text}");
}
