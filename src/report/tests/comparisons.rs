//! Searcher against searcher in reports, and experiments that stand beside published ones.

use super::super::Input;
use super::super::source::Source;
use super::super::synthetic::Made;
use super::super::topics::comparisons::rows::{Comparison, Comparisons};
use super::{close, file, report};
use crate::experiment::{Experiment, Published, Sample, SampleStatus};
use std::fs;
use ttd_search::cores::Time;
use ttd_search::searchers::Searcher;
use ttd_stats::paired::Verdict;

/// An experiment on this number of positions. At several threads, Lazy SMP searches 1.5 times the
/// nodes, and YBWC idles a tenth of the time. So YBWC is 1.5 x 0.9 = 1.35 times as fast.
fn made(positions: usize) -> Made {
    let set = ttd_search::positions::load("middlegames").expect("a set of the program");
    let mut made = Made::default();
    made.experiment.only = set.into_iter().take(positions).map(|position| position.id).collect();
    made
}

/// Makes the time of Lazy SMP `permille` thousandths of itself.
fn scale(sample: &mut Sample, permille: u64) {
    if sample.searcher == "lazy-smp" {
        sample.time = Time::from_ps(sample.time.ps() / 1000 * permille);
    }
}

fn comparisons(made: &Made) -> Comparisons {
    Input::read(made.dir().path()).expect("read").comparisons
}

fn at(comparisons: &Comparisons, threads: usize) -> &Comparison {
    comparisons.rows.iter().find(|row| row.threads == threads).expect("a row")
}

#[test]
fn a_difference_of_no_account_is_called_small() {
    let mut made = made(8);
    // YBWC is 1.35 x 0.742 to 1.35 x 0.744 times as fast.
    made.alter = |sample| scale(sample, 742 + sample.position.len() as u64 % 3);
    assert_eq!(at(&comparisons(&made), 2).verdict, Verdict::Ahead);
    let text = report(&made).0;
    let said = "- **ybwc is faster than lazy-smp at 2 threads, by less than 1%**: 1.00";
    assert!(text.contains(said), "{text}");
}

#[test]
fn the_faster_one_is_named() {
    let mut made = made(8);
    made.alter = |sample| scale(sample, 1000 + sample.position.len() as u64 % 7);
    let found = comparisons(&made);
    assert_eq!((found.rows.len(), found.family, found.hopeless()), (3, 3, 0));
    let four = at(&found, 4);
    assert_eq!((&*four.searcher, &*four.other, four.verdict), ("ybwc", "lazy-smp", Verdict::Ahead));
    assert_eq!((four.compared.ahead, four.compared.positions), (8, 8));
    assert!(four.oversubscribed && !at(&found, 2).oversubscribed);
    // The test gives p = 2 / 256, and Holm's correction multiplies it by 3.
    close(four.p_holm, 6.0 / 256.0);
    let text = report(&made).0;
    for part in [
        "## Searcher against searcher",
        "Holm's correction is for the 3 tested comparisons",
        "- **ybwc is 1.35 to 1.36 times as fast as lazy-smp at 2 threads** (ci_positions; geometric mean 1.35; ci_runs 1.35; ",
        "p = 0.0234; 8 positions).",
        "times as fast as lazy-smp at 4 oversubscribed threads**",
        "| ybwc | lazy-smp | 4* | 8 | 8 | 1.35",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The faster one comes first in a sentence, whatever the order of the experiment.
    made.experiment.searchers = vec![Searcher::named("lazy-smp"), Searcher::named("ybwc")];
    assert_eq!(at(&comparisons(&made), 4).verdict, Verdict::Behind);
    let turned = report(&made).0;
    assert!(
        turned.contains("- **ybwc is 1.35 to 1.36 times as fast as lazy-smp at 2 threads**"),
        "{turned}"
    );
}

#[test]
fn of_many_comparisons_those_that_say_the_same_stand_together() {
    let mut made = made(12);
    made.experiment.threads = (1..=14).collect();
    made.alter = |sample| scale(sample, 1000 + sample.threads as u64 % 7);
    let text = report(&made).0;
    for told in [
        "- **ybwc is faster than lazy-smp at 1 thread, by less than 1%**: 1.001 times as fast",
        "- **ybwc is 1.35 times as fast as lazy-smp at 2 threads**",
        "- **ybwc is faster than lazy-smp at 3 to 14 oversubscribed threads**: least 1.35 (1.35) times as fast at ",
        "(geometric means and their ci_positions; greatest p 0.0",
        "; 12 positions).",
        "| ybwc is faster, by less than 1% |",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    // A mean that censored samples leave open is neither the least nor the greatest.
    made.fate = |sample| {
        let stopped = sample.searcher == "lazy-smp" && sample.threads == 7;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let text = report(&made).0;
    for told in [
        "- **ybwc is faster than lazy-smp at 3 to 6 oversubscribed threads**: least ",
        "- **ybwc is at least 1.35 times as fast as lazy-smp at 7 oversubscribed threads**",
        "- **ybwc is faster than lazy-smp at 8 to 14 oversubscribed threads**: least ",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    made.fate = |_| Some(SampleStatus::Ok);
    // There are too many sentences if each comparison says something of its own.
    made.experiment.searchers = vec![Searcher::named("abdada"), Searcher::named("dts")];
    made.alter = |_| ();
    let text = report(&made).0;
    let begun = text.split("## Searcher against searcher").nth(1).expect("the section");
    let begun = begun.split("| searcher |").next().expect("what is before the table");
    assert!(!begun.contains("\n- "), "{begun}");
}

#[test]
fn who_takes_the_same_time_is_not_called_faster() {
    let text = report(&made(6)).0;
    let same =
        "- **ybwc and lazy-smp take the same median time at 1 thread** on each of 6 positions.";
    assert!(text.contains(same), "{text}");
    // Six positions that agree have p = 0.03125. Three times that is above 0.05.
    assert!(
        text.contains("**Too few positions for this number of comparisons.** 2 of them"),
        "{text}"
    );
    assert!(
        text.contains(
            "**No difference seen between ybwc and lazy-smp at 2 threads**: ybwc is 1.35"
        )
    );
    assert!(text.contains("This interval leaves 1 out, but"), "{text}");
}

#[test]
fn fewer_than_six_positions_get_no_verdict() {
    let made = made(5);
    let found = comparisons(&made);
    assert_eq!((found.family, at(&found, 2).verdict), (0, Verdict::TooFew));
    close(Some(at(&found, 2).times_as_fast.value), 1.35);
    let text = report(&made).0;
    assert!(text.contains("With fewer than 6 positions there is no verdict"), "{text}");
    assert!(text.contains("- **No verdict on ybwc against lazy-smp at 2 threads**"), "{text}");
}

#[test]
fn one_position_that_outweighs_all_others_is_told() {
    // YBWC is a hundredth faster everywhere but on one position. There Lazy SMP takes a thousandth
    // of its time.
    let mut made = made(20);
    made.alter = |sample| {
        let first = sample.position.starts_with("Morphy-Loewenthal");
        scale(
            sample,
            if sample.threads == 1 {
                1000
            } else if first {
                1
            } else {
                750
            },
        );
    };
    let four = at(&comparisons(&made), 4).clone();
    assert_eq!((four.verdict, four.compared.ahead, four.compared.behind), (Verdict::Ahead, 19, 1));
    assert!(four.times_as_fast.value.upper < 1.0);
    let text = report(&made).0;
    let told = "- **ybwc tends to be faster than lazy-smp at 2 threads**, on 19 of 20 positions. But the geometric mean";
    assert!(text.contains(told), "{text}");
}

#[test]
fn censored_samples_count_as_far_as_their_sign_is_known() {
    let mut made = made(8);
    made.fate = |sample| {
        let stopped = sample.searcher == "lazy-smp" && sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    assert_eq!(at(&comparisons(&made), 4).verdict, Verdict::Ahead);
    let text = report(&made).0;
    let told = "**ybwc is at least 1.35 times as fast as lazy-smp at 4 oversubscribed threads**";
    assert!(text.contains(told), "{text}");
    made.fate = |sample| {
        let stopped = sample.searcher == "ybwc" && sample.threads == 4;
        let stopped = stopped && sample.position.starts_with("Morphy-Loewenthal");
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let found = comparisons(&made);
    assert_eq!(at(&found, 4).verdict, Verdict::Open);
    let of = Source::of(Input::read(made.dir().path()).expect("read"));
    let text = file(&of, "comparisons.csv").expect("there are pairs");
    assert!(text.contains("\"[0, "), "the ratio has two ends");
    let text = report(&made).0;
    assert!(
        text.contains("- **Open: ybwc against lazy-smp at 4 oversubscribed threads.**"),
        "{text}"
    );
}

#[test]
fn a_mean_that_censored_samples_leave_open_is_not_held_against_the_verdict() {
    let one_side = |sample: &Sample| {
        let stopped = sample.searcher == "ybwc"
            && sample.position.starts_with("Morphy-Loewenthal")
            && sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let both = |sample: &Sample| {
        let stopped = match sample.searcher.as_str() {
            "ybwc" => sample.position.starts_with("Morphy-Loewenthal"),
            _ => sample.position.starts_with("Morphy-Anderssen"),
        };
        let stopped = stopped && sample.threads == 4;
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    for fate in [one_side, both] {
        let made = Made { fate, ..made(20) };
        assert_eq!(at(&comparisons(&made), 4).verdict, Verdict::Ahead);
        let text = report(&made).0;
        let told = "**ybwc is faster than lazy-smp at 4 oversubscribed threads**, on 19 of 20 positions: 1.35 times as fast \
                    at the median position. The factor over all positions is open, since the time limit stopped samples (p";
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn nobody_to_compare_with_is_no_file() {
    let mut alone = made(8);
    alone.experiment.searchers.truncate(1);
    let dir = alone.dir();
    let path = dir.path().join("comparisons.csv");
    fs::write(&path, "of an earlier report").expect("written");
    super::write(dir.path(), crate::report::Beside::default()).expect("a report");
    assert!(!path.exists());
    assert!(!report(&alone).0.contains("Searcher against searcher"));
}

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
    let fate = |sample: &Sample| {
        let stopped = sample.searcher == "ybwc"
            && sample.threads == 2
            && sample.position.starts_with("Morphy-Loewenthal");
        Some(if stopped { SampleStatus::Censored } else { SampleStatus::Ok })
    };
    let experiment = Experiment { published: Some(published()), ..Made::default().experiment };
    let made = Made { experiment, fate, ..Made::default() };
    let dir = made.dir();
    super::super::write(dir.path(), crate::report::Beside::default()).expect("written");
    let text = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    assert!(text.contains("An open end has no whisker"), "{text}");
    let page = fs::read_to_string(dir.path().join("report.html")).expect("a page");
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
    let text = fs::read_to_string(dir.path().join("report.md")).expect("a report");
    let line = |words: &str| text.lines().find(|line| line.starts_with(words)).map(str::to_owned);
    let median = line("| thesis | ybwc | 2 | median | 1.693 |").expect("the median of table 6.2");
    assert!(median.contains("table 6.2"), "{median}");
    line("| thesis | ybwc | 2 | least | 0.480 |").expect("the digits are those of the study");
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
