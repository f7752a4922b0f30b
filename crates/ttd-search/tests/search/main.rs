//! The engine and the searchers, through the library.

mod any_position;
mod orders;
mod outcomes;
mod ranks;
mod rules;
mod searchers;
#[path = "../../examples/speculation.rs"]
#[allow(dead_code)] // its `main`
mod speculation;
mod switches;
mod virtual_cores;

use std::sync::atomic::AtomicBool;
use ttd_search::engine::{Position, Techniques};
use ttd_search::searchers::{Lab, Outcome, Searcher, Settings, Status, Task};

pub(crate) const FENS: [&str; 6] = [
    "r2q2k1/pp1n1pp1/1bp1r1np/1P1pP2B/P2P4/2PQB3/3N2PP/R4RK1 w - - 3 19",
    "rrb3k1/2qnb1pp/p1p1p3/P1Pp1p2/3P4/2BNP3/1RQ1BPPP/1R4K1 b - - 9 21",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
];

pub(crate) fn task(searcher: Searcher, threads: usize, fen: &str, depth: u8) -> Task {
    let root = Position::new(fen.parse().expect("a valid FEN"));
    Task { searcher, threads, root, depth, time_limit: None, seed: 1, noise: 2, table_keys: 0 }
}

pub(crate) fn lab(techniques: Techniques, settings: &str) -> Lab {
    let settings: Settings = toml::from_str(settings).expect("settings");
    Lab::new(4, techniques, settings).expect("four MiB")
}

/// The results of `of` for all searchers.
pub(crate) fn of_all<T>(of: impl FnMut(Searcher) -> T) -> Vec<T> {
    Searcher::all().iter().copied().map(of).collect()
}

pub(crate) fn search(lab: &mut Lab, task: &Task) -> Outcome {
    lab.clear();
    let outcome = lab.search(task, &AtomicBool::new(false));
    assert!(!matches!(outcome.status, Status::Failed(_)), "{:?}", outcome.status);
    outcome
}
