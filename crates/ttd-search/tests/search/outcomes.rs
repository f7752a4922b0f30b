//! The outcome of a search. With preset `exact` its score depends on the position and the depth
//! alone, and not on the memory of the search. Its lines have moves that can be made one after
//! another. Also the needs of a search in a game: a past, a choice of root moves, a limit of nodes,
//! an observer. The last tests are of techniques: Pokharel's review, extensions, and the noise of
//! Leiserson's lecture.

use crate::switches::{plain, sequential, techniques};
use crate::{FENS, lab, search, task};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use ttd_search::cores::WorkSpan;
use ttd_search::engine::{Board, Move, Position, Preset, Techniques};
use ttd_search::positions;
use ttd_search::search::{Fates, Ideal, IdealMachine, News, Planted, SearchObserver, SharedState};
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
    assert_eq!(searchers.len(), 7);
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

const WHOLE: GameContext<'static> =
    GameContext { past: &[], root_moves: None, node_limit: None, observer: None, machine: None };

fn search_in_game(lab: &mut Lab, task: &Task, game: GameContext<'_>) -> Outcome {
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
            let outcome = search_in_game(&mut lab, &task, game);
            assert!(outcome.best_move.is_some_and(|best| moves.contains(&best)), "{searcher}");
            for iteration in &outcome.iterations {
                assert!(moves.contains(&iteration.line[0]), "{searcher} {fen}");
            }
            assert_eq!(lab.known_move(&task.root), None, "{searcher} {fen}");
            // One worker only. If several search the root, the last to write need not be the one
            // that is reported.
            let whole = search_in_game(&mut lab, &Task { threads: 1, ..task.clone() }, WHOLE);
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
            let nodes = search_in_game(&mut lab, &task, game).counters().nodes;
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
        let outcome =
            search_in_game(&mut lab, &task, GameContext { observer: Some(&ear), ..WHOLE });
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

/// Where nothing else is remembered, corrections are: those of all workers, or each worker's own.
#[test]
fn corrections_are_kept_from_search_to_search_and_shared_as_set() {
    let text = "table = \"none\"\nkillers = false\ncountermoves = false\nhistory = false\n\
                correction_history = true";
    let techniques = Techniques::resolve(&toml::from_str(text).expect("TOML")).expect("good");
    let nodes = |threads, settings| {
        let mut lab = lab(techniques.clone(), settings).on_virtual_cores(Costs::default(), None);
        let task = task(Searcher::named("lazy-smp"), threads, FENS[0], 6);
        let mut search = || lab.search(&task, &AtomicBool::new(false)).counters().nodes;
        let searched = [search(), search()];
        lab.clear();
        (searched, lab.search(&task, &AtomicBool::new(false)).counters().nodes)
    };
    let private = "[lazy-smp]\ncorrections = 'private'";
    for (threads, settings) in [(1, ""), (3, ""), (3, private)] {
        let ([first, second], forgotten) = nodes(threads, settings);
        assert_ne!(first, second, "{threads} {settings}");
        assert_eq!(first, forgotten, "{threads} {settings}");
    }
    assert_eq!(nodes(1, ""), nodes(1, private));
    assert_ne!(nodes(3, ""), nodes(3, private));
}

/// Branch and bound with one limit has the score of alpha-beta and of minimax. It visits the nodes
/// of alpha-beta up to the third ply, and more from the fourth on (Knuth and Moore).
#[test]
fn one_limit_gives_the_score_of_two() {
    let order = "ordering = \"none\"\ntable = \"none\"\niterative_deepening = false";
    let search =
        |text: &str, fen, depth| sequential(&plain(&format!("{order}\n{text}")), fen, depth);
    let mut more = 0;
    for (fen, deepest) in [(FENS[3], 5), (FENS[5], 5), (FENS[0], 4)] {
        for depth in 1..=deepest {
            let [two, one] = ["", "deep_cutoffs = false"].map(|text| search(text, fen, depth));
            assert_eq!(one.score, two.score, "{fen} {depth}");
            let [two, one] = [two, one].map(|found| found.counters().nodes);
            assert!(one == two || depth > 3 && one > two, "{fen} {depth}: {one}, {two}");
            more += one - two;
        }
        let minimax = search("alpha_beta = false", fen, 3);
        assert_eq!(search("deep_cutoffs = false", fen, 3).score, minimax.score, "{fen}");
    }
    assert!(more > 0, "deep cutoffs save something");
}

/// Without a table, the refutation table alone remembers a move, and it saves nodes or costs some.
#[test]
fn a_refutation_table_remembers_without_a_table() {
    let nodes = |text: &str| {
        let text = format!("table = \"none\"\n{text}");
        FENS.map(|fen| sequential(&techniques(&text), fen, 7).counters().nodes)
    };
    assert_ne!(nodes("refutation_table = true"), nodes(""));
}

/// Quiescence sees what a pawn on the seventh rank is worth, and does not lose it there.
#[test]
fn a_pawn_is_pushed_in_quiescence() {
    let score = |switch: &str, fen| {
        sequential(&plain(&format!("quiescence = true\n{switch}")), fen, 1).score
    };
    let pushed = |fen| score("quiescence_pushes = true", fen) < score("", fen);
    assert!(pushed("7k/8/P7/8/8/8/8/K7 b - - 0 1"), "it is worth more there");
    assert!(!pushed("1k6/8/P7/8/8/8/8/K7 b - - 0 1"), "the king takes it");
}

/// A reply that alone loses no material is followed, as a single legal one is.
#[test]
fn the_only_safe_reply_is_followed() {
    let nodes = |text: &str, fen| sequential(&plain(text), fen, 4).counters().nodes;
    let fen = "6k1/8/8/8/8/8/5PPP/r3Q1K1 w - - 0 1";
    let one = nodes("one_safe_reply_extension = true", fen);
    assert!(one > nodes("", fen));
    let never = "one_safe_reply_extension = { enabled = true, min_depth = 9 }";
    assert_eq!(nodes(never, fen), nodes("", fen));
}

/// The noise of one seed is the same in every search; another seed is another program.
#[test]
fn a_dithered_search_repeats_by_its_seed() {
    let of = |seed: u32| {
        let text = format!("dither = {{ enabled = true, centipawns = 5, seed = {seed} }}");
        FENS.map(|fen| {
            let found = sequential(&techniques(&text), fen, 7);
            (found.score, found.counters().nodes)
        })
    };
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// A table entry of an earlier iteration does not take the place of an extension now. Its depth has
/// the extension of its own iteration only.
#[test]
fn the_table_does_not_take_the_place_of_an_extension() {
    for (fen, depth) in [
        ("r3k2r/pbp2pp1/3b1n2/1p6/3P3p/1B2N1Pq/PP1PQP1P/R1B2RK1 b kq - 0 1", 3),
        ("1r1r2k1/4pp1p/2p1b1p1/p3R3/RqBP4/4P3/1PQ2PPP/6K1 b - - 0 1", 4),
        ("5r1k/pp4pp/2p5/2b1P3/4Pq2/1PB1p3/P3Q1PP/3N2K1 b - - 0 1", 4),
    ] {
        let score = |cutoffs: bool| {
            let text = format!("one_reply_extension = true\ntable_cutoffs = {cutoffs}");
            sequential(&plain(&text), fen, depth).score
        };
        assert_eq!(score(true), score(false), "{fen}");
    }
}

/// No line grows without end, however often a reply is the only one.
#[test]
fn extensions_end() {
    let all = "pawn_extension = true\none_reply_extension = true";
    for fen in ["7k/8/6K1/8/8/8/8/R7 b - - 0 1", "8/8/8/8/8/5k2/7p/7K w - - 0 1", FENS[3], FENS[5]]
    {
        let root = Position::new(fen.parse().expect("a valid FEN"));
        assert!(root.board().generate_moves(|_| true), "{fen}");
        assert_eq!(sequential(&techniques(all), fen, 10).status, Status::Ok);
    }
}
