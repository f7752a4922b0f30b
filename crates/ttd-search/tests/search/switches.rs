//! The switches of `[engine]`: each does its work, and every searcher gives one result with it.

use crate::{FENS, lab, of_all, search, task};
use ttd_search::cores::{CostModel, Time};
use ttd_search::engine::{Board, Move, Position, Techniques};
use ttd_search::search::LookUps;
use ttd_search::searchers::{Costs, Outcome, Searcher, Status, Task};

/// A position with mate by Qg8+ Rxg8 Nf7.
const SMOTHERED: &str = "5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1";

pub(crate) fn techniques(text: &str) -> Techniques {
    Techniques::resolve(&toml::from_str(text).expect("TOML"))
        .unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn exact(text: &str) -> Techniques {
    techniques(&format!("preset = \"exact\"\n{text}"))
}

pub(crate) fn plain(text: &str) -> Techniques {
    techniques(&format!("preset = \"plain\"\n{text}"))
}

pub(crate) fn sequential(techniques: &Techniques, fen: &str, depth: u8) -> Outcome {
    search(&mut lab(techniques.clone(), ""), &task(Searcher::baseline(), 1, fen, depth))
}

fn nodes(techniques: &Techniques, depth: u8) -> [u64; 3] {
    [FENS[0], FENS[3], FENS[5]].map(|fen| sequential(techniques, fen, depth).counters().nodes)
}

/// Whether a line can be played.
fn is_legal(fen: &str, line: &[Move]) -> bool {
    let mut board: Board = fen.parse().expect("a valid FEN");
    line.iter().all(|&mv| board.try_play(mv).is_ok())
}

/// Switches that change the tree, and no score if nothing depends on alpha or the table.
const WITHOUT_EFFECT_ON_THE_SCORE: [&str; 21] = [
    "deep_cutoffs = false",
    "refutation_table = true",
    "refutation_table = true\ntable = \"none\"",
    "root_search = \"mtd-f\"",
    "root_search = \"mtd-f\"\nordering = \"random\"",
    "iterative_deepening = false",
    "table = \"none\"",
    "table = \"aged-1\"",
    "table = \"aged-2\"",
    "table = \"aged-8\"",
    "killers = { count = 1 }",
    "killers = { count = 4 }",
    "table = \"always\"",
    "table = \"depth-preferred\"",
    "ordering = \"mvv-lva\"",
    "ordering = \"static-evaluation\"",
    "ordering = \"none\"",
    "ordering = \"random\"",
    "history = { ageing = 50 }",
    "exchange_ordering = false",
    "table_move = false",
];

/// Switches that may change the score, but to the same one for every searcher.
const WITH_EFFECT: [&str; 9] = [
    "quiescence_pushes = true",
    "one_safe_reply_extension = true",
    "piece_values = \"droste-fuernkranz\"",
    "piece_squares = false\nmobility = false\ntapering = false",
    "dither = { enabled = true, centipawns = 5 }",
    "values_by_depth = { enabled = true, knight = 20, bishop_pair = 30 }",
    "beam = true\nordering = \"static-evaluation\"",
    "pawn_extension = true",
    "one_reply_extension = true",
];

#[test]
fn every_searcher_gives_the_exact_score_under_every_switch() {
    let depth = 3;
    let settings = "[ybwc]\nmin_depth = 1\n[stealing]\nmin_depth = 1\n[pv-splitting]\nmin_depth = 1\n[jamboree]\nmin_depth = 1\n\
         [dts]\nmin_depth = 1\npublish_depth = 1\n[abdada]\nmin_depth = 1\n\
         [lazy-smp]\nput_off_depth = 1\nstagger = 'skip-blocks'";
    let rounds = format!("{settings}\nhelpers = 'per-iteration'");
    let fens = [FENS[3], FENS[5]]; // without an order of captures, middlegames take minutes
    let usual = fens.map(|fen| sequential(&exact(""), fen, depth).score);
    let switches = WITHOUT_EFFECT_ON_THE_SCORE.iter().map(|switch| (switch, true));
    for (switch, same) in switches.chain(WITH_EFFECT.iter().map(|switch| (switch, false))) {
        let expected = fens.map(|fen| sequential(&exact(switch), fen, depth).score);
        assert!(expected == usual || !same, "{switch}: {expected:?}, without it {usual:?}");
        for (settings, searchers) in [
            (settings, Searcher::parallel().collect::<Vec<_>>()),
            (&rounds, vec![Searcher::named("lazy-smp")]),
        ] {
            let mut lab = lab(exact(switch), settings);
            for searcher in searchers {
                for (fen, expected) in fens.iter().zip(expected) {
                    let found = search(&mut lab, &task(searcher, 3, fen, depth));
                    let last = found.iterations.last().expect("it was completed");
                    assert_eq!(
                        (last.depth, last.score),
                        (depth, expected),
                        "{searcher} {switch} {fen}"
                    );
                    assert!(
                        !last.line.is_empty() && is_legal(fen, &last.line),
                        "{searcher} {switch}"
                    );
                }
            }
        }
    }
}

#[test]
fn one_thread_of_any_searcher_visits_the_sequential_nodes_under_every_switch() {
    for switch in WITHOUT_EFFECT_ON_THE_SCORE.iter().chain(&WITH_EFFECT) {
        let mut lab = lab(techniques(switch), "");
        for fen in [FENS[0], FENS[3]] {
            let runs = of_all(|searcher| search(&mut lab, &task(searcher, 1, fen, 5)));
            for run in &runs[1..] {
                assert_eq!(run.counters().nodes, runs[0].counters().nodes, "{switch} {fen}");
                assert_eq!((run.score, run.best_move), (runs[0].score, runs[0].best_move));
            }
        }
    }
}

/// Each switch changes the tree: one at a time off, or one at a time on over plain alpha-beta.
#[test]
fn every_switch_changes_the_tree() {
    let usual = nodes(&techniques(""), 8);
    for switch in [
        "deep_cutoffs = false",
        "refutation_table = true",
        "quiescence_pushes = true",
        "one_safe_reply_extension = true",
        "piece_values = \"droste-fuernkranz\"",
        "piece_squares = false",
        "tapering = false",
        "pawn_structure = false",
        "mobility = false",
        "king_safety = false",
        "dither = true",
        "values_by_depth = true",
        "correction_history = true",
        "pawn_history = true",
        "root_search = \"mtd-f\"",
        "principal_variation_search = false",
        "iterative_deepening = false",
        "quiescence = false",
        "quiescence_exchange = false",
        "table = \"none\"",
        "table = \"aged-1\"",
        "table = \"aged-2\"",
        "killers = { count = 1 }",
        "killers = { count = 4 }",
        "table = \"always\"",
        "table = \"depth-preferred\"",
        "table_cutoffs = false",
        "ordering = \"mvv-lva\"",
        "ordering = \"static-evaluation\"",
        "ordering = \"none\"",
        "ordering = \"random\"",
        "table_move = false",
        "history = { ageing = 50 }",
        "exchange_ordering = false",
        "killers = false",
        "countermoves = false",
        "history = false",
        "beam = true",
        "aspiration = false",
        "null_move = false",
        "reverse_futility = false",
        "razoring = true",
        "futility = false",
        "late_move_pruning = false",
        "exchange_pruning = false",
        "late_move_reductions = false",
        "check_extension = true",
        "pawn_extension = true",
        "one_reply_extension = true",
        "singular_extension = false",
        "internal_reduction = false",
        "quiet_checks = false",
        "delta_pruning = false",
    ] {
        assert_ne!(nodes(&techniques(switch), 8), usual, "{switch}");
    }
    let of_mate = |text: &str| sequential(&techniques(text), SMOTHERED, 7).counters().nodes;
    assert_ne!(of_mate("mate_distance = false"), of_mate(""));
}

#[test]
fn every_technique_acts_on_plain_alpha_beta() {
    let usual = nodes(&plain(""), 4);
    for switch in [
        "root_search = \"mtd-f\"",
        "principal_variation_search = true",
        "iterative_deepening = false",
        "quiescence = true",
        "table_cutoffs = true",
        "ordering = \"mvv-lva\"",
        "ordering = \"static-evaluation\"",
        "ordering = \"none\"",
        "ordering = \"random\"",
        "table_move = false",
        "history = { ageing = 50 }",
        "exchange_ordering = false",
        "killers = false",
        "countermoves = false",
        "history = false",
        "beam = true",
        "aspiration = { enabled = true, min_depth = 2 }",
        "null_move = true",
        "reverse_futility = true",
        "futility = true",
        "late_move_pruning = true",
        "exchange_pruning = true",
        "late_move_reductions = true",
        "check_extension = true",
        "pawn_extension = true",
        "singular_extension = { enabled = true, min_depth = 3 }",
    ] {
        assert_ne!(nodes(&plain(switch), 4), usual, "{switch}");
    }
    let quiescence = nodes(&plain("quiescence = true"), 4);
    for of_it in ["quiescence_exchange", "quiet_checks", "delta_pruning", "razoring"] {
        let switches = format!("quiescence = true\n{of_it} = true");
        assert_ne!(nodes(&plain(&switches), 4), quiescence, "{of_it}");
    }
    // With iterations, the table has a move wherever one could be missing.
    let at_once = |text: &str| nodes(&plain(&format!("iterative_deepening = false\n{text}")), 4);
    assert_ne!(at_once("internal_reduction = { enabled = true, min_depth = 2 }"), at_once(""));
}

/// MTD(f) with its null windows still finds a principal variation.
#[test]
fn mtd_finds_a_principal_variation() {
    let mtd = techniques("root_search = \"mtd-f\"");
    let mut longest = 0;
    for fen in FENS {
        let found = sequential(&mtd, fen, 8);
        assert_eq!(found.status, Status::Ok);
        for iteration in &found.iterations {
            assert!(!iteration.line.is_empty() && is_legal(fen, &iteration.line), "{fen}");
            assert!(iteration.line.len() <= usize::from(iteration.depth));
            longest = longest.max(iteration.line.len());
        }
        let last = found.iterations.last().and_then(|last| last.line.first().copied());
        assert_eq!(found.best_move, last);
    }
    assert!(longest >= 6, "what the table knows is part of it: {longest}");
}

#[test]
fn without_iterative_deepening_there_is_one_iteration() {
    for settings in ["", "[lazy-smp]\nstagger = 'skip-blocks'\npast_depth = true\nend = 'main'"] {
        let mut lab = lab(techniques("iterative_deepening = false"), settings);
        for &searcher in Searcher::all() {
            let threads = if searcher == Searcher::baseline() { 1 } else { 3 };
            let found = search(&mut lab, &task(searcher, threads, FENS[0], 5));
            let depths: Vec<u8> =
                found.iterations.iter().map(|iteration| iteration.depth).collect();
            assert_eq!((found.status, depths), (Status::Ok, vec![5]), "{searcher}");
        }
    }
}

#[test]
fn without_a_table_nothing_is_asked_and_nothing_kept() {
    let mut lab = lab(techniques("table = \"none\""), "[ybwc]\ntable_access = 'locked'");
    for &searcher in Searcher::all() {
        let threads = if searcher == Searcher::baseline() { 1 } else { 3 };
        let task = task(searcher, threads, FENS[0], 6);
        let found = search(&mut lab, &task);
        assert_eq!((found.table_fill, found.counters().table), (0.0, LookUps::default()));
        // The table still exists, and is empty when it is switched on.
        lab.set_up(Techniques::default(), toml::from_str("").expect("settings"));
        assert_eq!((lab.fill(), lab.known_move(&task.root)), (0.0, None), "{searcher}");
        lab.set_up(techniques("table = \"none\""), toml::from_str("").expect("settings"));
    }
}

/// A random order depends on the noise, which all cells of a round share. It does not depend on the
/// seed, which each cell has for itself.
#[test]
fn a_random_order_is_the_same_whoever_searches() {
    let mut lab = lab(techniques("ordering = \"random\""), "");
    let mut nodes = |searcher, seed, noise| {
        let task = Task { seed, noise, ..task(searcher, 1, FENS[0], 6) };
        search(&mut lab, &task).counters().nodes
    };
    let [one, two] = [1, 2].map(|noise| nodes(Searcher::baseline(), 1, noise));
    assert_ne!(one, two);
    for (seed, searcher) in (2..).zip(Searcher::all()) {
        assert_eq!([1, 2].map(|noise| nodes(*searcher, seed, noise)), [one, two], "{searcher}");
    }
}

/// An order by value begins with the best move of the iteration before. In other orders, iterations
/// without any memory have as many nodes as searches of each depth alone.
#[test]
fn an_order_of_worth_begins_with_the_best_move_of_the_iteration_before() {
    for (order, passes) in
        [("static-evaluation", true), ("mvv-lva", true), ("none", false), ("random", false)]
    {
        let bare = format!("ordering = \"{order}\"\ntable = \"none\"\n");
        let at_once = plain(&format!("{bare}iterative_deepening = false"));
        let each: [u64; 3] = (1..=4)
            .map(|depth| nodes(&at_once, depth))
            .fold([0; 3], |sum, of| std::array::from_fn(|position| sum[position] + of[position]));
        let deepened = nodes(&plain(&bare), 4);
        assert_eq!(deepened != each, passes, "{order}: {deepened:?}, {each:?}");
    }
}

/// An order by evaluation sees a mate. The mating move leaves fewer pieces than others, so the mate
/// alone puts it into the better part.
#[test]
fn an_order_by_evaluation_sees_mates() {
    let smothered = "6rk/6pp/7N/8/8/8/PPPPPPPP/RNBQKB1R w KQ - 0 1";
    let order = "evaluation = \"material\"\nordering = \"static-evaluation\"";
    for depth in [1, 2] {
        let found = sequential(
            &plain(&format!("{order}\nbeam = {{ enabled = true, percent = 1 }}")),
            smothered,
            depth,
        );
        assert_eq!(found.best_move.map(|mv| mv.to_string()).as_deref(), Some("h6f7"));
        assert!(found.score > 31_000, "{}", found.score);
    }
}

/// On virtual cores evaluations cost time: one for each leaf, and in this order one for each move.
#[test]
fn an_order_by_evaluation_takes_time() {
    let model =
        |evaluation_ps| CostModel { evaluation_ps, jitter_permille: 0, ..CostModel::default() };
    let time = |order: &str, evaluation_ps| {
        let costs = Costs::from(model(evaluation_ps));
        let mut lab = lab(plain(order), "").on_virtual_cores(costs, None);
        search(&mut lab, &task(Searcher::baseline(), 1, FENS[0], 1)).time
    };
    let root = Position::new(FENS[0].parse().expect("a valid FEN"));
    let mut moves = 0;
    root.board().generate_moves(|of_piece| {
        moves += of_piece.len() as u64;
        false
    });
    let order = "ordering = \"static-evaluation\"";
    for (text, evaluations) in [("quiescence = true", 0), ("", moves), (order, 2 * moves)] {
        let took = time(text, 7_001) - time(text, 1);
        assert_eq!(took, Time::from_ps(evaluations * 7_000), "{text}");
    }
}

#[test]
fn a_beam_of_all_moves_is_the_whole_tree() {
    let order = "ordering = \"static-evaluation\"";
    let beam = |numbers: &str| plain(&format!("{order}\n[beam]\nenabled = true\n{numbers}"));
    let whole = nodes(&plain(order), 4);
    assert_eq!(nodes(&beam("percent = 100"), 4), whole);
    assert_eq!(nodes(&beam("least = 300"), 4), whole);
    assert_eq!(nodes(&beam("min_depth = 5"), 4), whole);
    let half = nodes(&beam(""), 4);
    assert!(half.iter().zip(whole).all(|(half, whole)| *half < whole), "{half:?} of {whole:?}");
}

/// Minimax has no cutoffs, so the nodes of a beam of one can be counted.
#[test]
fn a_beam_leaves_out_what_it_says() {
    let minimax =
        "alpha_beta = false\niterative_deepening = false\nordering = \"static-evaluation\"";
    let one = plain(&format!("{minimax}\nbeam = {{ enabled = true, percent = 1 }}"));
    let nodes = |fen, depth| sequential(&one, fen, depth).counters().nodes;
    assert_eq!(nodes("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", 3), 1 + 1 + 1 + 1);
    assert_eq!(nodes("7k/8/8/8/8/8/8/K6R b - - 0 1", 1), 1 + 2, "in check all are searched");
}

#[test]
fn a_pawn_that_reaches_the_seventh_rank_is_followed() {
    let score = |text: &str, fen| {
        let techniques = plain(&format!("evaluation = \"material\"\n{text}"));
        sequential(&techniques, fen, 2).score
    };
    let passed = "8/8/P5k1/8/8/6K1/8/8 w - - 0 1";
    assert_eq!(score("", passed), 100);
    assert!(score("pawn_extension = true", passed) > 700, "it sees the queen");
    assert_eq!(score("pawn_extension = { enabled = true, min_depth = 3 }", passed), 100);
}

#[test]
fn the_only_reply_is_followed() {
    let is_mate = |text: &str, depth| sequential(&plain(text), SMOTHERED, depth).score > 31_000;
    assert!(is_mate("", 3) && !is_mate("", 2));
    assert!(is_mate("one_reply_extension = true", 2));
}

/// Pawn records are those of all workers of Lazy SMP, or each worker's own.
#[test]
fn pawn_records_are_shared_as_set() {
    let techniques: Techniques = toml::from_str("pawn_history = true").expect("techniques");
    let nodes = |threads, holding| {
        let settings = format!("[lazy-smp]\npawn_history = '{holding}'");
        let mut lab = lab(techniques.clone(), &settings).on_virtual_cores(Costs::default(), None);
        let task = task(Searcher::named("lazy-smp"), threads, FENS[0], 7);
        search(&mut lab, &task).counters().nodes
    };
    assert_eq!(nodes(1, "shared"), nodes(1, "private"));
    assert_ne!(nodes(3, "shared"), nodes(3, "private"));
}
