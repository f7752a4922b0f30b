//! The outcome of a search. With preset `exact` its score depends on the position and the depth
//! alone, and not on the memory of the search. Its lines have moves that can be made one after
//! another.

use crate::{FENS, lab, search, task};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use ttd_search::cores::WorkSpan;
use ttd_search::engine::{Board, Position, Preset, Techniques};
use ttd_search::positions;
use ttd_search::search::{Fates, Ideal, IdealMachine, Planted};
use ttd_search::searchers::{Costs, GameContext, Lab, Outcome, Searcher, Settings, Status, Task};

fn scores(hash_mib: usize, engine: &str) -> Vec<i32> {
    let engine = toml::from_str(engine).expect("TOML");
    let techniques = Techniques::resolve(&engine).expect("known techniques");
    let mut lab = Lab::new(hash_mib, techniques, Settings::default()).expect("some MiB");
    let position = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let board: Board = format!("{} 0 1", fields.join(" ")).parse().expect("a position");
        Position::new(board)
    };
    let lines = include_str!("../../../../positions/middlegames.epd").lines();
    lines
        .filter(|line| !line.trim().is_empty())
        .take(30)
        .map(|line| {
            let root = position(line);
            let searcher = Searcher::baseline();
            let task = Task {
                searcher,
                threads: 1,
                root,
                depth: 4,
                time_limit: None,
                seed: 1,
                noise: 1,
                table_keys: 0,
            };
            lab.clear();
            let outcome = lab.search(&task, &AtomicBool::new(false));
            assert_eq!(outcome.status, Status::Ok);
            outcome.score
        })
        .collect()
}

#[test]
fn the_score_depends_on_the_position_alone() {
    let reference = scores(16, "preset = \"exact\"");
    assert_eq!(reference, scores(1, "preset = \"exact\""), "a smaller table");
    let unordered = "preset = \"exact\"\nkillers = false\ncountermoves = false\nhistory = false";
    assert_eq!(reference, scores(16, unordered), "another order of moves");
    let zero_window = "preset = \"exact\"\nprincipal_variation_search = false";
    assert_eq!(reference, scores(16, zero_window), "whole windows only");
}

/// Every principal variation can be played.
///
/// That includes lines in which a younger move mates, or fails high against the window of the root.
/// The line of an elder brother must not go on behind it.
#[test]
fn every_line_can_be_played() {
    let set = positions::load("win-at-chess").expect("a set of the program");
    for searcher in [Searcher::baseline(), Searcher::named("ybwc"), Searcher::named("lazy-smp")] {
        let threads = if searcher == Searcher::baseline() { 1 } else { 2 };
        let mut lab = lab(Techniques::default(), "");
        for position in set.iter().take(if threads == 1 { 300 } else { 60 }) {
            let outcome =
                search(&mut lab, &task(searcher, threads, &position.board.to_string(), 7));
            for iteration in &outcome.iterations {
                let mut at = Position::new(position.board.clone());
                for &mv in &iteration.line {
                    let so_far =
                        format!("{searcher} {}: {mv} of {:?}", position.id, iteration.line);
                    assert!(at.board().is_legal(mv), "{so_far}");
                    at = at.after(mv);
                }
            }
        }
    }
}

/// A search on a machine that is ideal in this way, and the fates that it recorded.
fn on(lab: &mut Lab, task: &Task, (ideal, known): (Ideal, &Arc<Fates>)) -> (Outcome, Arc<Fates>) {
    let machine = IdealMachine::new(ideal, Arc::clone(known));
    lab.clear();
    lab.age();
    let game = GameContext { machine: Some(&machine), ..GameContext::default() };
    let outcome = lab.search_in(task, game, &AtomicBool::new(false));
    assert_eq!(outcome.status, Status::Ok);
    (outcome, Arc::new(machine.into_recorded()))
}

/// Whatever an idealised machine has for nothing, it finds the score, and takes no less time than
/// its critical path.
#[test]
fn idealised_machines_find_the_score() {
    let usual = Ideal::default();
    let at_once = Ideal { found_at_once: true, ..usual };
    let kinds = [
        usual,
        at_once,
        Ideal { no_aborts: true, ..at_once },
        Ideal { no_aborts: true, final_alpha: true, ..at_once },
        Ideal { no_aborts: true, ..usual },
        Ideal { final_alpha: true, ..usual },
        Ideal { planted: Some(Planted::StopsEarly), ..usual },
        Ideal { planted: Some(Planted::StaleAlpha), ..usual },
    ];
    let mut lab =
        lab(Techniques::preset(Preset::Exact), "").on_virtual_cores(Costs::default(), None);
    let shares = |searcher: &&Searcher| searcher.defaults().has_split_points();
    let searchers: Vec<Searcher> = Searcher::all().iter().filter(shares).copied().collect();
    assert_eq!(searchers.len(), 6);
    for fen in &FENS[..2] {
        let expected = search(&mut lab, &task(Searcher::baseline(), 1, fen, 4)).score;
        for &searcher in &searchers {
            let task = task(searcher, 6, fen, 4);
            let plain = search(&mut lab, &task);
            let mut known = Arc::default();
            for ideal in kinds {
                let (found, recorded) = on(&mut lab, &task, (ideal, &known));
                let what = format!("{searcher}, {fen}, {ideal:?}");
                assert_eq!(found.score, expected, "{what}");
                assert!(found.best_move.is_some(), "{what}");
                if ideal == usual {
                    assert_eq!(found.time, plain.time, "to record takes no time: {what}");
                    known = recorded;
                    assert!(known.count() > 0, "{what}");
                }
                let WorkSpan { work, critical_path } = found.work_span.expect("split points");
                assert!(critical_path <= found.time, "{what}");
                assert!(work.ps() <= 6 * found.time.ps(), "{what}");
            }
        }
    }
}
