//! The needs of a search in a game: a past, a choice of root moves, a limit of nodes, an observer.

use crate::{FENS, lab, task};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use ttd_search::engine::{Move, Position, Techniques};
use ttd_search::search::{News, SearchObserver, SharedState};
use ttd_search::searchers::{Costs, GameContext, Lab, Outcome, Searcher, Task};

const WHOLE: GameContext<'static> =
    GameContext { past: &[], root_moves: None, node_limit: None, observer: None, machine: None };

fn search(lab: &mut Lab, task: &Task, game: GameContext<'_>) -> Outcome {
    lab.clear();
    lab.search_in(task, game, &AtomicBool::new(false))
}

fn last_moves(root: &Position) -> Vec<Move> {
    let mut all = Vec::new();
    root.board().generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all.split_off(all.len() - 3)
}

#[test]
fn only_the_moves_given_are_searched_and_the_table_learns_nothing_of_the_root() {
    for &searcher in Searcher::all() {
        let threads = if searcher == Searcher::baseline() { 1 } else { 3 };
        for fen in &FENS[..3] {
            let mut lab = lab(Techniques::default(), "");
            let task = task(searcher, threads, fen, 6);
            let moves = last_moves(&task.root);
            let game = GameContext { root_moves: Some(&moves), ..WHOLE };
            let outcome = search(&mut lab, &task, game);
            assert!(outcome.best_move.is_some_and(|best| moves.contains(&best)), "{searcher}");
            for iteration in &outcome.iterations {
                assert!(moves.contains(&iteration.line[0]), "{searcher} {fen}");
            }
            assert_eq!(lab.known_move(&task.root), None, "{searcher} {fen}");
            // One worker only. If several search the root, the last to write need not be the one
            // that is reported.
            let whole = search(&mut lab, &Task { threads: 1, ..task.clone() }, WHOLE);
            assert_eq!(lab.known_move(&task.root), whole.best_move, "{searcher} {fen}");
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept() {
    for &searcher in Searcher::all() {
        let mut lab = lab(Techniques::default(), "");
        for (threads, limit) in [(1, 1), (1, 777), (1, 5_000), (3, 5_000)] {
            let threads = if searcher == Searcher::baseline() { 1 } else { threads };
            let task = task(searcher, threads, FENS[0], 30);
            let game = GameContext { node_limit: Some(limit), ..WHOLE };
            let nodes = search(&mut lab, &task, game).counters().nodes;
            let most = if threads == 1 { limit } else { limit * 2 };
            assert!((limit..=most).contains(&nodes), "{searcher} {threads}: {nodes} of {limit}");
        }
    }
}

/// An observer that hears everything, and has enough after the fourth iteration.
#[derive(Default)]
struct Ear {
    depths: Mutex<Vec<u8>>,
    root_moves: Mutex<Vec<Move>>,
    enough: AtomicBool,
}

impl SearchObserver for Ear {
    fn hear(&self, shared: &SharedState<'_>, news: News<'_>) {
        match news {
            News::Iteration(iteration) => {
                assert!(shared.deepest() > Some(0) && shared.nodes() >= iteration.nodes);
                self.depths.lock().expect("no panic").push(iteration.depth);
                if iteration.depth >= 4 {
                    self.enough.store(true, Relaxed);
                }
            }
            News::RootMove { mv, number } => {
                assert!(number > 0);
                self.root_moves.lock().expect("no panic").push(mv);
            }
            News::Outside { score, .. } => assert!(score.abs() < 32_000),
        }
    }

    fn is_enough(&self) -> bool {
        self.enough.load(Relaxed)
    }
}

#[test]
fn who_follows_a_search_hears_of_it_and_may_end_it() {
    for &searcher in Searcher::all() {
        let threads = if searcher == Searcher::baseline() { 1 } else { 2 };
        let mut lab = lab(Techniques::default(), "");
        let ear = Ear::default();
        let task = task(searcher, threads, FENS[0], 60);
        let outcome = search(&mut lab, &task, GameContext { observer: Some(&ear), ..WHOLE });
        // A helper of Lazy SMP may be first, and one ply ahead.
        let last = outcome.iterations.last().map_or(0, |last| last.depth);
        assert!((4..=6).contains(&last), "{searcher}: {last}");
        let mut heard = ear.depths.into_inner().expect("no panic");
        assert!(heard.contains(&last), "{searcher}: {heard:?}");
        let all = heard.len();
        heard.sort_unstable();
        heard.dedup();
        assert_eq!(heard.len(), all, "{searcher}: each once");
        let begun = ear.root_moves.into_inner().expect("no panic");
        assert!(begun.iter().all(|mv| task.root.board().is_legal(*mv)), "{searcher}: {begun:?}");
        // The main worker may not have run at all before several workers are done.
        assert!(threads > 1 || !begun.is_empty(), "{searcher}");
    }
}

/// Without a table, a search leaves to the next only the killers and histories of its workers.
#[test]
fn workers_know_from_the_search_before_which_moves_were_good_until_they_are_to_forget() {
    let techniques =
        Techniques::resolve(&toml::from_str("table = \"none\"").expect("TOML")).expect("good");
    for (searcher, threads) in
        [(Searcher::baseline(), 1), (Searcher::named("ybwc"), 3), (Searcher::named("lazy-smp"), 3)]
    {
        let mut lab = lab(techniques.clone(), "").on_virtual_cores(Costs::default(), None);
        let task = task(searcher, threads, FENS[0], 6);
        let nodes = |lab: &mut Lab| lab.search(&task, &AtomicBool::new(false)).counters().nodes;
        let [first, second] = [nodes(&mut lab), nodes(&mut lab)];
        assert_ne!(first, second, "{searcher}");
        lab.clear();
        assert_eq!([nodes(&mut lab), nodes(&mut lab)], [first, second], "{searcher}");
    }
}
