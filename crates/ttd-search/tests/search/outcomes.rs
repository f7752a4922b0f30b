//! The outcome of a search. With preset `exact` its score depends on the position and the depth
//! alone, and not on the memory of the search. Its lines have moves that can be made one after
//! another.

use crate::common::{lab, search, task};
use std::sync::atomic::AtomicBool;
use ttd_search::engine::{Board, Position, Techniques};
use ttd_search::positions;
use ttd_search::searchers::{Lab, Searcher, Settings, Status, Task};

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
