//! Charts of experiments of every shape: few and many positions, threads and searchers, and an
//! experiment with only censored samples.

use super::super::charts::Chart;
use super::super::source::Source;
use super::super::synthetic::Made;
use super::super::{Input, write};
use crate::experiment::{Experiment, SampleStatus};
use ttd_search::searchers::Searcher;

/// Every chart of a report, as pictures.
fn drawn(made: &Made) -> Vec<Chart> {
    let all = super::drawn(&Source::of(Input::read(made.dir().path()).expect("read")));
    for chart in &all {
        assert!(
            !chart.picture.svg.contains("NaN") && !chart.picture.svg.contains("inf"),
            "{}",
            chart.name
        );
        assert!(chart.picture.png().expect("rendered").len() > 1000, "{}", chart.name);
    }
    all
}

fn names(made: &Made) -> Vec<String> {
    drawn(made).into_iter().map(|chart| chart.name).collect()
}

fn with(change: impl Fn(&mut Experiment)) -> Made {
    let mut made = Made::default();
    change(&mut made.experiment);
    made
}

#[test]
fn each_searcher_has_its_positions_as_dots_and_as_a_map() {
    let names = names(&Made::default());
    for chart in ["speedup-positions-ybwc", "speedup-map-lazy-smp", "times"] {
        assert!(names.iter().any(|name| name == chart), "{chart} in {names:?}");
    }
}

#[test]
fn one_position_one_thread_one_searcher() {
    let one = with(|experiment| {
        experiment.only.truncate(1);
        experiment.searchers = vec![Searcher::named("ybwc")];
    });
    assert!(names(&one).contains(&"speedup-map-ybwc".to_owned()));
    let one = with(|experiment| experiment.threads = vec![1]);
    assert_eq!(names(&one), ["deviations", "times"], "there is no speedup");
}

/// A run until enough is measured plans its greatest number of rounds, and may end before.
#[test]
fn captions_count_the_runs_that_there_are() {
    let mut made = with(|experiment| experiment.runs = 96);
    made.experiment.until = Some(0.9);
    made.fate = |sample| (sample.round <= 6).then_some(SampleStatus::Ok);
    for chart in drawn(&made) {
        let (caption, svg) = (&chart.caption, &chart.picture.svg);
        assert!(caption.contains(", 6 runs, 2 cores"), "{}: {caption}", chart.name);
        assert!(!svg.contains("96 runs"), "{}", chart.name);
    }
    let latex = made.dir();
    write(latex.path(), None, None).expect("written");
    let latex = std::fs::read_to_string(latex.path().join("figures.tex")).expect("read");
    assert!(latex.contains("\\def\\ttdRuns{6}"), "{}", &latex[..2000]);
}

#[test]
fn all_searchers() {
    let all = with(|experiment| experiment.searchers = Searcher::all().to_vec());
    let maps = names(&all).iter().filter(|name| name.starts_with("speedup-map-")).count();
    assert_eq!(maps, Searcher::parallel().count(), "all but the sequential one");
}

#[test]
fn two_hundred_positions_stay_on_a_page() {
    let set = ttd_search::positions::load("win-at-chess").expect("a set of the program");
    let ids: Vec<String> = set.into_iter().take(200).map(|position| position.id).collect();
    let many = with(|experiment| {
        experiment.positions = "win-at-chess".to_owned();
        experiment.only.clone_from(&ids);
        experiment.runs = 2;
    });
    for chart in drawn(&many).iter().filter(|chart| chart.name.starts_with("speedup-")) {
        let height =
            chart.picture.svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
        let height: f64 = height.and_then(|h| h.parse().ok()).expect("a height");
        assert!(height < 2000.0, "{}: {height}", chart.name);
    }
}

#[test]
fn all_censored() {
    let made = Made { fate: |_| Some(SampleStatus::Censored), ..Made::default() };
    let names = names(&made);
    for name in ["times", "deviations", "account-ybwc"] {
        assert!(!names.contains(&name.to_owned()), "{name} has nothing to show: {names:?}");
    }
    assert!(names.contains(&"speedup".to_owned()), "what only has bounds is drawn: {names:?}");
}

#[test]
fn the_position_can_be_chosen_and_must_be_there() {
    let dir = Made::default().dir();
    let id = Made::default().experiment.only[1].clone();
    for wanted in [id.as_str(), "2", &id[..id.len() - 1]] {
        write(dir.path(), None, Some(wanted)).expect("written");
        let report = std::fs::read_to_string(dir.path().join("report.md")).expect("a report");
        assert!(report.contains(&format!("Times to depth of the position {id}")), "{report}");
    }
    for (wanted, words) in [("nowhere", "there is no position `nowhere`"), ("4", "no sample is of")]
    {
        let refused = write(dir.path(), None, Some(wanted)).expect_err("refused").to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
