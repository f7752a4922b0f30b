//! Reports of experiments that stand beside published ones.

use super::super::synthetic::Made;
use super::report;
use crate::experiment::{Experiment, Published, SampleStatus};

fn published() -> Published {
    let text = "source = \"Somebody, 1999\"\nrows = [\n\
        { searcher = \"ybwc\", threads = 2, speedup = [0.5, 1.5, 1.75, 2.0, 5.0] },\n\
        { searcher = \"ybwc\", threads = 16, speedup = [6.0], deviation_s = [1.0, 2.0, 3.0, 4.0, 5.0] },\n\
        { searcher = \"dts\", threads = 2, speedup = [1.9] },\n]\n";
    toml::from_str(text).expect("TOML")
}

#[test]
fn published_figures_stand_beside_ours() {
    let made = Made::default();
    assert!(!report(&made).0.contains("Beside the published figures"));
    let experiment = Experiment { published: Some(published()), ..made.experiment };
    let (text, charts) = report(&Made { experiment, ..Made::default() });
    for line in [
        "Published: Somebody, 1999.",
        // p = 2 (1.75 - 1) / 1.75
        "| 2 | published | 0.50 | 1.50 | 1.75 | 2.00 | 5.00 | 0.857 |",
        "| 2 | here | 1.80 | 1.80 | 1.80 | 1.80 | 1.80 | 0.889 |",
        // Only the median was published, at a number of threads that was not measured.
        "| 16 | published | – | – | 6.00 | – | – | 0.889 |",
        "| 16 | published | 1.00 | 2.00 | 3.00 | 4.00 | 5.00 |",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains("Speedup of dts"), "nobody measured it");
    assert!(!text.contains("Speedup of lazy-smp. p"), "nothing was published of it");
    for name in ["published-speedup", "published-deviation"] {
        assert!(charts.iter().any(|chart| chart == name), "{name} in {charts:?}");
    }
}

#[test]
fn what_stopped_samples_leave_open_is_drawn_with_its_ends() {
    let fate = |sample: &crate::experiment::Sample| {
        let stopped = sample.searcher == "ybwc"
            && sample.threads == 2
            && sample.position.starts_with("Morphy-Loewenthal");
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let experiment = Experiment { published: Some(published()), ..Made::default().experiment };
    let made = Made { experiment, fate, ..Made::default() };
    let dir = made.dir();
    super::super::write(dir.path(), crate::report::Beside::default()).expect("written");
    let text = std::fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(text.contains("An open end has no whisker"), "{text}");
    let page = std::fs::read_to_string(dir.path().join("report.html")).expect("a page");
    assert!(page.contains("ybwc,2,here,%22[0,%201."), "the data of the chart has both ends");
}

#[test]
fn stopped_searches_as_finished_stand_apart() {
    let text = report(&Made::default()).0;
    assert!(!text.contains("If stopped searches counted as finished"));
    let made = Made {
        fate: |sample| {
            let stopped = sample.threads == 4 && sample.searcher == "ybwc";
            Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
        },
        ..Made::default()
    };
    let text = report(&made).0;
    assert!(text.contains("18 samples reached the time limit."), "{text}");
    let line = text.lines().find(|line| line.starts_with("| ybwc | 4 | 18 |")).expect("a line");
    assert!(line.starts_with("| ybwc | 4 | 18 | [0.00, 3.60] | 3.60 | – | 0.0"), "{line}");
}

#[test]
fn figures_of_studies_stand_beside_ours_metric_by_metric() {
    let dir = Made::default().dir();
    let keys = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let thesis = keys(&["thesis", "mpi"]);
    let beside = crate::report::Beside { against: &thesis, ..Default::default() };
    super::super::write(dir.path(), beside).expect("written");
    let text = std::fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let line = |words: &str| text.lines().find(|line| line.starts_with(words)).map(str::to_owned);
    let median = line("| thesis | ybwc | 2 | median | 1.693 |").expect("the median of table 6.2");
    assert!(median.contains("table 6.2"), "{median}");
    assert!(!median.contains("| – |"), "ours stands beside it: {median}");
    assert!(
        text.contains("nothing here can be compared with") && text.contains("elo"),
        "Elo is none of a sweep"
    );
    assert!(line("| mpi |").is_none(), "nobody here searches recursively on 128 processes");
    let unknown = keys(&["theses"]);
    let beside = crate::report::Beside { against: &unknown, ..Default::default() };
    let error = super::super::write(dir.path(), beside).expect_err("there is no such study");
    assert!(error.is_usage() && error.to_string().contains("did you mean thesis?"), "{error}");
}
