//! Tests of the ladder, and planted inefficiencies that it has to name.
//!
//! For each defect the ladder of YBWC with it is set beside the ladder without it. The cause whose
//! factor changed most is the one that the ladder names. Below each defect stands the cause that
//! ought to be named, which was written down before anything was run.

use super::climb::Case;
use super::ladder::Ladder;
use super::rung::{ExplainedRow, Machines, RowsCheck, Rung};
use crate::experiment::{Experiment, SampleStatus};
use crate::records::{CoresKind, Row as _};
use ttd_search::cores::{CostModel, Time};
use ttd_search::positions::{BadLines, TestPosition, load_set, parse_fen};
use ttd_search::search::Planted;
use ttd_search::searchers::{Costs, Searcher, Settings};
use ttd_search::value::Table;

const WORKERS: usize = 16;
const ROUNDS: u32 = 3;
const DEPTH: u8 = 9;
const POSITIONS: usize = 6;

/// A defect: its words, the cause to be named, and the way it is planted.
struct Defect {
    words: &'static str,
    cause: &'static str,
    costs: fn(CostModel) -> CostModel,
    parameters: &'static str,
    planted: Option<Planted>,
}

const NONE: Defect =
    Defect { words: "none", cause: "", costs: |model| model, parameters: "", planted: None };

const DEFECTS: [Defect; 10] = [
    Defect {
        words: "a long lock: each move of a shared node is handed out under a lock of the board",
        cause: "sections",
        planted: Some(Planted::LongLock),
        ..NONE
    },
    Defect {
        words: "a late wake: 20 microseconds until a woken worker goes on",
        cause: "prices",
        costs: |model| CostModel { wake_ps: 20_000_000, ..model },
        ..NONE
    },
    Defect {
        words: "expensive splits: ten times the price",
        cause: "prices",
        costs: |model| CostModel { split_ps: 10 * model.split_ps, ..model },
        ..NONE
    },
    Defect {
        words: "slow joins: 20 microseconds each",
        cause: "prices",
        costs: |model| CostModel { join_ps: 20_000_000, ..model },
        ..NONE
    },
    Defect {
        words: "a history that is copied at every join",
        cause: "prices",
        parameters: "history = \"copied-at-split\"",
        ..NONE
    },
    Defect {
        words: "busy workers that ask for idle ones before one move of 32",
        cause: "work",
        planted: Some(Planted::SeldomAsks),
        ..NONE
    },
    Defect {
        words: "helpers that leave after one move, and wait to be called",
        cause: "work",
        planted: Some(Planted::StopsEarly),
        ..NONE
    },
    Defect {
        words: "aborts noticed late: after the time of 100 nodes",
        cause: "aborts",
        planted: Some(Planted::LateAborts),
        ..NONE
    },
    Defect {
        words: "an alpha that comes late: a fifth of a pawn too low, never raised for a move at work",
        cause: "alpha",
        parameters: "shared_alpha = false",
        planted: Some(Planted::StaleAlpha),
        ..NONE
    },
    Defect {
        words: "splits near the root alone: 7 plies left or more",
        cause: "unexplained",
        parameters: "min_depth = 7",
        ..NONE
    },
];

fn positions() -> Vec<TestPosition> {
    let set = load_set(parse_fen, "middlegames", BadLines::Refuse).expect("a set of the program");
    set.positions.into_iter().take(POSITIONS).collect()
}

/// The ladder of YBWC with a defect.
fn ladder(defect: &Defect, positions: &[TestPosition]) -> Ladder {
    let ybwc = Searcher::named("ybwc");
    let parameters: Table = toml::from_str(defect.parameters).expect("TOML");
    let experiment = Experiment {
        searchers: vec![ybwc],
        depth: DEPTH,
        hash_mib: 1,
        cores: CoresKind::Virtual,
        costs: Some(Costs::from((defect.costs)(CostModel::default()))),
        searcher: Settings::with(ybwc, parameters).expect("parameters of YBWC"),
        ..Experiment::default()
    };
    let case = Case {
        experiment: &experiment,
        positions,
        threads: WORKERS,
        rounds: ROUNDS,
        what_if: None,
        planted: defect.planted,
    };
    let rows = case.rows(1).expect("memory, and possible costs");
    Ladder::all(&rows, &experiment).remove(0)
}

/// The logarithms of the factors, by cause.
fn logarithms(of: &Ladder) -> Vec<(&'static str, f64)> {
    let causes = of.causes().into_iter();
    causes.map(|(name, factor)| (name, factor.expect("finished searches").ln())).collect()
}

/// The table of `docs/explain.md`:
///
/// ```text
/// cargo test --release -p ttd --lib planted -- --ignored --nocapture
/// ```
#[test]
#[ignore = "it takes a minute with optimisation"]
fn nine_of_ten_planted_defects_are_named() {
    let positions = positions();
    let without = ladder(&NONE, &positions);
    let usual = logarithms(&without);
    println!("as it is: speedup {:.2}", without.speedup().expect("known"));
    println!("{:?}", without.causes());
    println!("| defect | speedup | to be named | named | its factor | the next |");
    println!("|---|---:|---|---|---:|---:|");
    let mut named = 0;
    for defect in &DEFECTS {
        let with = ladder(defect, &positions);
        let mut changes: Vec<(&str, f64)> = logarithms(&with)
            .into_iter()
            .zip(&usual)
            .map(|((name, with), (_, without))| (name, with - without))
            .collect();
        changes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let [(first, most), (next, less), ..] = changes[..] else { panic!("{changes:?}") };
        named += usize::from(first == defect.cause);
        println!(
            "| {} | {:.2} | {} | {first} | {:.2} | {next} {:.2} |",
            defect.words,
            with.speedup().expect("known"),
            defect.cause,
            most.exp(),
            less.exp()
        );
    }
    assert!(named >= 9, "{named} of ten");
}

fn experiment() -> Experiment {
    let searchers = ["ybwc", "lazy-smp"].map(Searcher::named).to_vec();
    Experiment { searchers, ..Experiment::default() }
}

/// Rows of two positions and three rounds; `time` gives a machine's time in the first position.
fn rows(searcher: &str, time: impl Fn(&Machines) -> f64) -> Vec<ExplainedRow> {
    let has_split_points = searcher == "ybwc";
    let mut rows = Vec::new();
    for (round, position, by) in
        [(1, "a", 1.0), (2, "a", 1.1), (3, "a", 1.2), (1, "b", 4.0), (2, "b", 4.4), (3, "b", 4.8)]
    {
        for machine in Machines::of_ladder(has_split_points) {
            rows.push(ExplainedRow {
                round,
                searcher: searcher.to_owned(),
                threads: 4,
                position: position.to_owned(),
                time: Time::from_secs_f64(by * time(&machine)),
                status: SampleStatus::Ok,
                nodes: 100,
                aborted_nodes: 25,
                search: Time::from_secs_f64(by),
                work: has_split_points.then(|| Time::from_secs_f64(6.0 * by)),
                critical_path: has_split_points.then(|| Time::from_secs_f64(2.0 * by)),
                machine,
                ..ExplainedRow::default()
            });
        }
    }
    rows
}

/// Times in which sections cost the factor 1.2, and finding work 1.25.
fn usual(machine: &Machines) -> f64 {
    match machine {
        Machines::OneWorker => 12.0,
        Machines::To(Rung::AsItIs) | Machines::If(_) => 6.0,
        Machines::To(Rung::Sections | Rung::Prices) => 5.0,
        Machines::To(_) => 4.0,
        Machines::Only(_) => 7.5,
    }
}

fn only(rows: &[ExplainedRow]) -> Ladder {
    let mut ladders = Ladder::all(rows, &experiment());
    assert_eq!(ladders.len(), 1);
    ladders.remove(0)
}

#[test]
fn factors_multiply_to_the_number_of_workers() {
    let of = only(&rows("ybwc", usual));
    assert_eq!((of.positions, of.rounds, of.failed), (2, 3, 0));
    let speedup = of.speedup().expect("known");
    assert!((speedup - 2.0).abs() < 1e-6, "{speedup}");
    let causes = of.causes();
    let factors: Vec<f64> = causes.iter().filter_map(|(_, factor)| *factor).collect();
    for (found, expected) in factors.iter().zip([1.2, 1.0, 1.25, 1.0, 1.0, 4.0 / 3.0]) {
        assert!((found - expected).abs() < 1e-6, "{causes:?}");
    }
    assert!((speedup * factors.iter().product::<f64>() - 4.0).abs() < 1e-6, "{causes:?}");
    // A rung alone may cost time: the factor is shown as it is.
    let work = of.step(Rung::Work).and_then(|step| step.alone).expect("known");
    let value = work.value.value().expect("exact");
    assert!((value - 0.8).abs() < 1e-6, "{work:?}");
    // All rounds have one ratio, so that drawing them anew changes nothing.
    let over = work.ci_runs.expect("three rounds");
    assert!((over.upper - over.lower).abs() < 1e-6, "{work:?}");
    assert!(of.parallelism.is_some_and(|found| (found - 3.0).abs() < 1e-6));
    assert!(of.bound().is_some_and(|found| (found - 3.0).abs() < 1e-6), "less than N");
    assert_eq!(of.steps[0].aborted, Some(0.25));
}

#[test]
fn rungs_that_do_not_apply_have_no_factor() {
    let mut rows =
        rows("lazy-smp", |machine| if *machine == Machines::OneWorker { 4.0 } else { 2.0 });
    rows[1].status = SampleStatus::Failed;
    let of = only(&rows);
    let applies: Vec<bool> = of.steps.iter().map(|step| step.applies).collect();
    assert_eq!(applies, [true, true, true, false, false, false]);
    assert_eq!(of.causes()[2], ("work", Some(1.0)));
    let left = of.unexplained.and_then(|left| left.value.value()).expect("known");
    assert!((left - 2.0).abs() < 1e-6, "{left}");
    assert_eq!(of.failed, 1);
    assert_eq!((of.bound(), of.has_critical_path), (None, false), "they meet in the table");
}

/// A round of a position in which a rung failed counts on no rung, so that the product stays N.
#[test]
fn rounds_are_paired() {
    let mut rows = rows("ybwc", usual);
    for row in rows.iter_mut().filter(|row| row.machine == Machines::To(Rung::Aborts)) {
        if row.position == "a" || row.round == 1 {
            row.status = SampleStatus::Failed;
        }
    }
    // Position `a` has another speedup.
    let fast = |row: &&mut ExplainedRow| row.position == "a" && row.machine != Machines::OneWorker;
    rows.iter_mut().filter(fast).for_each(|row| row.time = Time::from_secs_f64(0.01));
    // Changed costs were run in one round.
    let at = |row: &&ExplainedRow| {
        row.machine == Machines::To(Rung::AsItIs) && row.position == "b" && row.round == 3
    };
    let changed = rows.iter().find(at).expect("a row").clone();
    let time = Time::from_secs_f64(changed.time.as_secs_f64() / 2.0);
    rows.push(ExplainedRow { machine: Machines::If("wake_ps=0".to_owned()), time, ..changed });
    let of = only(&rows);
    assert_eq!((of.positions, of.rounds, of.failed), (1, 2, 4));
    let factors: Vec<f64> = of.causes().into_iter().filter_map(|(_, factor)| factor).collect();
    assert_eq!(factors.len(), 6);
    let product = of.speedup().expect("known") * factors.iter().product::<f64>();
    assert!((product - 4.0).abs() < 1e-6, "{product}");
    let [(_, Some(changed))] = of.what_ifs[..] else { panic!("{:?}", of.what_ifs) };
    assert!((changed.value.lower - 2.0).abs() < 1e-6, "{changed:?}");
}

#[test]
fn no_span_is_known_where_a_position_was_not_finished() {
    let mut rows = rows("ybwc", usual);
    for row in rows.iter_mut().filter(|row| row.machine == Machines::To(Rung::Alpha)) {
        if row.position == "b" {
            (row.status, row.work, row.critical_path) = (SampleStatus::Censored, None, None);
        }
    }
    let of = only(&rows);
    assert_eq!((of.bound(), of.has_critical_path), (None, true));
}

/// A ratio of two factors is paired over positions: sections cost twice as much in one of them, for
/// both searchers.
#[test]
fn two_ladders_are_set_side_by_side() {
    let mut rows = [rows("ybwc", usual), rows("lazy-smp", |_| 5.0)].concat();
    let slow =
        |row: &&mut ExplainedRow| row.position == "b" && row.machine == Machines::To(Rung::AsItIs);
    let double = |row: &mut ExplainedRow| row.time = row.time + row.time;
    rows.iter_mut().filter(slow).for_each(double);
    let ladders = Ladder::all(&rows, &experiment());
    let [ybwc, lazy] = &ladders[..] else { panic!("{ladders:?}") };
    for (one, other, ratio) in [(ybwc, lazy, 1.2), (lazy, ybwc, 1.0 / 1.2)] {
        let beside = one.beside(other);
        let rungs: Vec<Option<Rung>> = beside.iter().map(|of| of.rung).collect();
        assert_eq!((rungs.len(), rungs[0], rungs[5]), (6, Some(Rung::Sections), None));
        let found = beside[0].ratio.expect("known");
        let ends = found.ci_positions.expect("two positions");
        for value in [found.value.lower, ends.lower, ends.upper] {
            assert!((value - ratio).abs() < 1e-6, "{found:?}");
        }
    }
    let work = &ybwc.beside(lazy)[2];
    assert!(work.factors[0].is_some() && work.factors[1].is_none(), "none for Lazy SMP");
    let value = work.ratio.and_then(|ratio| ratio.value.value()).expect("known");
    assert!((value - 1.25).abs() < 1e-6, "{work:?}");
    // Unexplained are 4/3 and 4.
    let left = ybwc.beside(lazy)[5].ratio.expect("known");
    assert!((left.value.lower - 1.0 / 3.0).abs() < 1e-6, "{left:?}");
}

#[test]
fn rows_that_the_ladder_does_not_have_are_refused() {
    let experiment =
        Experiment { searchers: vec![Searcher::named("ybwc")], ..Experiment::default() };
    let row = ExplainedRow {
        round: 1,
        searcher: "ybwc".to_owned(),
        threads: 4,
        position: "one".to_owned(),
        status: SampleStatus::Ok,
        time: Time::from_ps(1),
        ..ExplainedRow::default()
    };
    let mut check = RowsCheck::new(&experiment, ["one"]);
    let mut checked = |row: ExplainedRow| row.impossible().map_or_else(|| check.check(&row), Err);
    assert_eq!(checked(row.clone()), Ok(()));
    assert_eq!(checked(ExplainedRow { round: 2, ..row.clone() }), Ok(()));
    for (odd, words) in [
        (row.clone(), "a second row of the same round, searcher, threads, position and"),
        (ExplainedRow { round: 0, ..row.clone() }, "no round, or fewer than two workers"),
        (ExplainedRow { threads: 1, ..row.clone() }, "no round, or fewer than two workers"),
        (ExplainedRow { time: Time::ZERO, ..row.clone() }, "column `time_s` holds `0.000000000`"),
        (
            ExplainedRow { position: "nope".to_owned(), ..row.clone() },
            "column `position` holds `nope`, no position of the experiment",
        ),
        (
            ExplainedRow { searcher: "dts".to_owned(), ..row.clone() },
            "column `searcher` holds `dts`, one of ybwc expected",
        ),
    ] {
        let what = checked(odd).expect_err("refused");
        assert!(what.starts_with(words), "{what}");
    }
}
