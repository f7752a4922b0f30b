//! Charts of experiments of every shape: few and many positions, threads and searchers, and an
//! experiment with only censored samples.

use super::super::charts::Chart;
use super::super::source::Source;
use super::super::synthetic::Made;
use super::super::{Input, write};
use super::report;
use crate::experiment::{Experiment, Sample, SampleStatus};
use crate::report::numbers::list;
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
    write(latex.path(), crate::report::Beside::default()).expect("written");
    let latex = std::fs::read_to_string(latex.path().join("figures.tex")).expect("read");
    assert!(latex.contains("\\def\\ttdRuns{6}"), "{}", &latex[..2000]);
}

#[test]
fn one_of_everything() {
    let one = with(|experiment| {
        experiment.only.truncate(1);
        experiment.threads = vec![1];
        experiment.runs = 1;
        experiment.searchers = vec![Searcher::baseline()];
    });
    let (text, charts) = report(&one);
    assert!(text.contains("was measured at one thread only"), "{text}");
    assert_eq!(charts, [""; 0], "there is nothing to draw");
}

#[test]
fn all_searchers() {
    let all = with(|experiment| experiment.searchers = Searcher::all().to_vec());
    let (text, charts) = report(&all);
    let names = list(Searcher::all().iter().map(|searcher| searcher.name()));
    assert!(text.contains(&format!("time to depth of {names}\n")), "{text}");
    for before in ["speedup-boxes-", "speedup-positions-", "speedup-map-", "account-"] {
        let of = charts.iter().filter(|chart| chart.starts_with(before));
        assert_eq!(of.count(), Searcher::parallel().count(), "{before}");
    }
}

/// Two hundred positions at one and two threads.
fn many() -> Made {
    let set = ttd_search::positions::load("win-at-chess").expect("a set of the program");
    let ids: Vec<String> = set.into_iter().take(200).map(|position| position.id).collect();
    assert_eq!(ids.len(), 200);
    with(|experiment| {
        experiment.positions = "win-at-chess".to_owned();
        experiment.only.clone_from(&ids);
        experiment.searchers = vec![Searcher::named("ybwc")];
        experiment.threads = vec![1, 2];
        experiment.runs = 2;
    })
}

#[test]
fn two_hundred_positions_stay_on_a_page() {
    let (text, _) = report(&many());
    assert!(text.contains("200 positions"), "{text}");
    for chart in drawn(&many()).iter().filter(|chart| chart.name.starts_with("speedup-")) {
        let height =
            chart.picture.svg.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
        let height: f64 = height.and_then(|h| h.parse().ok()).expect("a height");
        assert!(height < 2000.0, "{}: {height}", chart.name);
    }
}

#[test]
fn all_censored() {
    let made = Made { fate: |_| Some(SampleStatus::Censored), ..Made::default() };
    let (text, charts) = report(&made);
    assert!(text.contains("**Censored.** 108 samples"), "{text}");
    assert!(text.contains("A search was stopped after 120 s, as 108 were"), "{text}");
    assert_eq!(charts, [""; 0], "nothing is known of any speedup but the base's own");
}

/// A stopped cell has a base that is known. Its speedup has an upper end.
#[test]
fn what_has_a_bound_is_drawn() {
    let fate = |sample: &Sample| {
        let is_stopped = sample.threads > 1;
        Some(if is_stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let names = names(&Made { fate, ..Made::default() });
    for name in ["speedup", "speedup-boxes-ybwc", "speedup-positions-ybwc", "speedup-map-ybwc"] {
        assert!(names.contains(&name.to_owned()), "{name} is not in {names:?}");
    }
}

#[test]
fn every_value_of_a_chart_has_a_title() {
    for chart in drawn(&Made::default()) {
        let titles = chart.picture.svg.matches("<g><title>").count();
        let rows = chart.data.lines().count() - 1;
        assert!(titles >= rows, "{}: {titles} titles of {rows} values", chart.name);
    }
}

/// Whatever the experiment, a chart that is there has a value to show.
#[test]
fn a_chart_without_a_value_is_not_drawn() {
    let taken: [fn(&Sample) -> Option<SampleStatus>; 5] = [
        |_| None,
        |sample| (sample.order == 0).then_some(SampleStatus::Ok),
        |sample| (sample.order == 0).then_some(SampleStatus::Censored),
        |sample| (sample.round == 1 && sample.threads < 4).then_some(SampleStatus::Ok),
        |_| Some(SampleStatus::Failed),
    ];
    for fate in taken {
        for chart in drawn(&Made { fate, ..Made::default() }) {
            let (name, data) = (&chart.name, &chart.data);
            let mut reader = csv::Reader::from_reader(data.as_bytes());
            let keys = ["searcher", "threads", "position", "depth"];
            let header = reader.headers().expect("a header").clone();
            let figures = header.iter().enumerate().filter(|(_, column)| !keys.contains(column));
            let figures: Vec<usize> = figures.map(|(index, _)| index).collect();
            let mut rows = reader.records().map(|row| row.expect("a row"));
            let known = |row: csv::StringRecord| figures.iter().any(|of| !row[*of].is_empty());
            assert!(rows.any(known), "{name}: {data}");
            assert!(chart.picture.svg.contains("<g><title>"), "{name}");
        }
    }
}

#[test]
fn the_position_can_be_chosen_and_must_be_there() {
    let dir = Made::default().dir();
    let id = Made::default().experiment.only[1].clone();
    let of = |wanted| crate::report::Beside { position: Some(wanted), ..Default::default() };
    for wanted in [id.as_str(), "2", &id[..id.len() - 1]] {
        write(dir.path(), of(wanted)).expect("written");
        let report = std::fs::read_to_string(dir.path().join("report.md")).expect("a report");
        assert!(report.contains(&format!("Times to depth of the position {id}")), "{report}");
    }
    for (wanted, words) in [("nowhere", "there is no position `nowhere`"), ("4", "no sample is of")]
    {
        let refused = write(dir.path(), of(wanted)).expect_err("refused").to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
