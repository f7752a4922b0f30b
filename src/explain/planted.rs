//! Planted inefficiencies: the ladder has to name them.
//!
//! For each defect the ladder of YBWC with it is set beside the ladder without it. The cause whose
//! factor changed most is the one that the ladder names. Below each defect stands the cause that
//! ought to be named, which was written down before anything was run.

use super::climb::Case;
use super::ladder::Ladder;
use crate::experiment::Experiment;
use crate::records::CoresKind;
use ttd_search::cores::CostModel;
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
    Ladder::all(&rows, 1).remove(0)
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
