//! The agreement of runs, and positions that differ from the others.

use super::super::synthetic::Made;
use super::super::{Input, write};
use super::write_iterations;
use crate::experiment::{Sample, SampleStatus};
use std::fs;
use ttd_search::cores::Time;

#[test]
fn agreement_is_with_one_thread() {
    // Half of the runs of YBWC at 4 threads find another move, with another score.
    let alter = |sample: &mut Sample| {
        if sample.searcher == "ybwc" && sample.threads == 4 && sample.round <= 3 {
            "d2d4".clone_into(&mut sample.best_move);
            sample.score += 3;
        }
    };
    let dir = Made { alter, ..Made::default() }.dir();
    let stability = Input::read(dir.path()).expect("read").stability;
    let row = |searcher: &str, threads: usize| {
        let found = stability.iter().find(|row| row.searcher == searcher && row.threads == threads);
        found.expect("a row").clone()
    };
    let share = |of: Option<ttd_stats::agreement::Agreement>| of.expect("known").share;
    let (one, four) = (row("ybwc", 1), row("ybwc", 4));
    assert!((share(one.moves) - 1.0).abs() < 1e-12 && (share(one.scores) - 1.0).abs() < 1e-12);
    assert!((share(four.moves) - 0.5).abs() < 1e-12 && (share(four.scores) - 0.5).abs() < 1e-12);
    assert_eq!((one.score_distance, four.score_distance), (Some(0.0), Some(1.5)));
    assert!((share(row("lazy-smp", 4).moves) - 1.0).abs() < 1e-12);
    // The times are 1.01, 1.02, 1.03, 1, 1.01 and 1.02 times one time.
    let variation = four.variation.expect("no sample is censored").median;
    assert!((variation - 0.010_333).abs() < 1e-5, "{variation}");
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
    let report = read("report.md");
    assert!(
        report.contains(
            "| ybwc | 4* | 50% (50% to 50%) | 50% (50% to 50%) | 2 | 1.0% / 1.0% / 1.0% |"
        ),
        "{report}"
    );
    assert!(
        report.contains(
            "No drift between rounds is seen (Page's trend test over 18 cells and 6 rounds"
        ),
        "{report}"
    );
}

#[test]
fn outliers_are_found_and_explained() {
    // At 4 threads YBWC takes ten times as long on the first position, and half as long on the
    // second.
    let alter = |sample: &mut Sample| {
        if sample.searcher == "ybwc" && sample.threads == 4 {
            match sample.nodes {
                ..1_500_000 => sample.time = Time::from_ps(10 * sample.time.ps()),
                1_500_000..2_500_000 => sample.time = Time::from_ps(sample.time.ps() / 2),
                _ => (),
            }
        }
    };
    let mut made = Made { alter, ..Made::default() };
    let set = ttd_search::positions::load("middlegames").expect("a set of the program");
    made.experiment.only = set.into_iter().take(10).map(|position| position.id).collect();
    let dir = made.dir();
    write_iterations(dir.path(), &made.samples(), |sample, depth| {
        // The whole loss comes about in depth 11, the whole gain in depth 12.
        let share = 0.5f64.powi(12 - i32::from(depth));
        let whole = sample.nodes as f64 / 1e6 / 3.6;
        let more = sample.time.as_secs_f64() - whole;
        if sample.searcher != "ybwc" || sample.threads != 4 || more.abs() < 1e-3 {
            return (sample.time.as_secs_f64() * share, 1e6 * share);
        }
        let from = if more > 0.0 { 11 } else { 12 };
        let (more, nodes) = match (depth < from, more > 0.0) {
            (true, _) => (0.0, 1.0),
            (false, true) => (more, 8.0),
            (false, false) => (more, 0.55),
        };
        (whole * share + more, 1e6 * share * nodes)
    });
    let outliers = Input::read(dir.path()).expect("read").outliers;
    let found: Vec<(&str, usize, bool, bool)> = outliers
        .iter()
        .map(|o| (o.searcher.as_str(), o.threads, o.is_fast(), o.is_super_linear()))
        .collect();
    assert_eq!(found, [("ybwc", 4, false, false), ("ybwc", 4, true, true)]);
    let decisive = outliers[0].iteration.expect("iterations are known");
    assert!(decisive.depth == 11 && (decisive.share - 1.0).abs() < 0.01, "{decisive:?}");
    assert_eq!(outliers[1].iteration.map(|decisive| decisive.depth), Some(12));
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
    let report = read("report.md");
    assert!(report.contains("slow: iteration 11 took "), "{report}");
    assert!(report.contains("the tree exploded") && report.contains("super-linear: iteration 12"));
    assert!(!report.contains("NaN"));
}

#[test]
fn times_that_rise_from_round_to_round_are_told() {
    let alter = |sample: &mut Sample| {
        let ps = sample.time.ps() as f64 * 1.05f64.powi(sample.round as i32);
        sample.time = Time::from_ps(ps as u64);
    };
    let dir = Made { alter, ..Made::default() }.dir();
    let input = Input::read(dir.path()).expect("read");
    let notes = super::super::front::validity::notes(&input).join("\n");
    assert!(notes.contains("**Drift.** Times rose by "), "{notes}");
    assert!(notes.contains("(Page's trend test over 18 cells and 6 rounds, p < 0.001)"), "{notes}");
}

/// Times of one thread rise by 4% in the middle of the third round, on real cores only.
#[test]
fn a_step_is_told_with_its_place_and_its_size() {
    let alter = |sample: &mut Sample| {
        let wave = 1.0 + 0.0004 * (f64::from(sample.order) * 12.9898).sin();
        let late = if sample.order > 45 { 1.04 } else { 1.0 };
        sample.time = Time::from_ps((1e12 * wave * late) as u64);
    };
    let mut made = Made { alter, ..Made::default() };
    let notes = |made: &Made| {
        let input = Input::read(made.dir().path()).expect("read");
        super::super::front::validity::notes(&input).join("\n")
    };
    let told = notes(&made);
    let words = "**Step.** Times of one thread rose by 4.0% behind the sample of order 45 \
                 (cumulative sums over 36 samples of 6 cells, p < 0.001).";
    assert!(told.contains(words), "{told}");
    assert!(told.contains("below the means of their cells before, and "), "{told}");
    made.alter = |sample| {
        sample.time = Time::from_ps(
            (1e12 * (1.0 + 0.0004 * (f64::from(sample.order) * 12.9898).sin())) as u64,
        );
    };
    assert!(!notes(&made).contains("**Step.**"), "{}", notes(&made));
    let report = made.dir();
    write(report.path(), crate::report::Beside::default()).expect("written");
    let report = fs::read_to_string(report.path().join("report.md")).expect("a report");
    assert!(report.contains("No step in the times of one thread is seen ("), "{report}");
    made.alter = alter;
    made.experiment.cores = crate::records::CoresKind::Virtual;
    made.experiment.costs = Some(ttd_search::searchers::Costs::default());
    assert!(!notes(&made).contains("**Step.**"));
}

/// Twenty runs a cell. YBWC at 4 threads has two times, far from each other; at Lazy SMP's 4 all
/// are alike. The others are spread as a normal distribution is.
fn shaped() -> Made {
    let alter = |sample: &mut Sample| {
        let z = [0.13, 0.40, 0.67, 1.0, 1.6, -0.13, -0.40, -0.67, -1.0, -1.6];
        let round = sample.round as usize;
        let far = if round.is_multiple_of(10) { 9.0 } else { 0.0 };
        let deviations = match (sample.searcher.as_str(), sample.threads) {
            ("ybwc", 4) => far,
            ("lazy-smp", 4) => 0.0,
            _ => z[round % 10] + 0.01 * f64::from(sample.round / 10),
        };
        sample.time = Time::from_secs_f64(1.0 + 0.01 * deviations);
    };
    let mut made = Made { alter, ..Made::default() };
    made.experiment.runs = 20;
    made
}

#[test]
fn times_that_are_not_normal_are_found() {
    let dir = shaped().dir();
    let input = Input::read(dir.path()).expect("read");
    for cell in &input.normality {
        let refuted = cell.tested.as_ref().map(|shape| shape.p_adjusted <= 0.05);
        let expected = match (cell.searcher.as_str(), cell.threads) {
            ("ybwc", 4) => Ok(true),
            ("lazy-smp", 4) => Err(&"untestable"),
            _ => Ok(false),
        };
        assert_eq!(refuted, expected, "{cell:?}");
        assert_eq!(cell.samples, 20);
    }
    write(dir.path(), crate::report::Beside::default()).expect("written");
    let read = |file: &str| fs::read_to_string(dir.path().join(file)).expect("a file");
    let report = read("report.md");
    for words in [
        "The times of 3 of 15 tested cells are not normal at 5%",
        "Left out: 3 cells with times that are all equal",
        "| ybwc | 4* | 3 | 0 | 3 | 3 | 0.351 | 2.67 |",
        "| lazy-smp | 4* | 0 | 3 | 0 | 0 | – | – |",
        "(charts/normality-ybwc.svg)",
    ] {
        assert!(report.contains(words), "{words}: {report}");
    }
    assert_eq!(read("normality.csv").lines().count(), 1 + 18);
    let svg = read("charts/normality-ybwc.svg");
    assert!(svg.contains("180 times of 9 cells") && svg.contains("normal distribution"), "{svg}");
}

#[test]
fn cells_with_too_few_or_stopped_samples_are_not_tested() {
    let fate = |sample: &Sample| {
        let stopped = sample.threads == 4 && sample.round == 1;
        let failed = sample.threads == 2 && sample.round > 7;
        Some(match (stopped, failed) {
            (true, _) => SampleStatus::Censored,
            (_, true) => SampleStatus::Failed,
            _ => SampleStatus::Ok,
        })
    };
    let dir = Made { fate, ..shaped() }.dir();
    for cell in Input::read(dir.path()).expect("read").normality {
        let expected = match cell.threads {
            1 => None,
            2 => Some("few"),
            _ if cell.searcher == "ybwc" => Some("stopped"),
            _ => Some("untestable"),
        };
        assert_eq!(cell.tested.err(), expected);
    }
    let (report, charts) = super::report(&Made::default());
    assert!(report.contains("No cell can be tested. Left out: 18 cells with fewer than 8 samples"));
    assert!(charts.iter().all(|chart| !chart.starts_with("normality")));
}
