//! Every searcher gives the sequential score in many orders of events, also in ones that no clock
//! would give. Also techniques of the review, extensions, and the noise of the lecture.

use crate::switches::{plain, sequential, techniques};
use crate::{FENS, lab, search, task};
use ttd_search::engine::{Position, Preset, Techniques};
use ttd_search::searchers::{Costs, Lab, Searcher, Status, Task};

/// Settings by which a searcher splits wherever it can, so that a tiny search has many splits.
const EVERYWHERE: &str = "[pv-splitting]\nmin_depth = 1\n[jamboree]\nmin_depth = 1\n\
     [ybwc]\nmin_depth = 1\neldest = 1\nsecond_class_depth = 2\n\
     [stealing]\nmin_depth = 1\n[dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n\
     [abdada]\nmin_depth = 1\n[lazy-smp]\nput_off_depth = 1\nspread_depth = 2\n[recursive-splitting]\nexchange_alpha = true\n\
     [ybwc-messages]\nmin_depth = 1\nlook_every = 1\nowned_depth = 2";

/// Settings by which two workers search each iteration, and split wherever they can.
const SEVERAL_LEADERS: &str =
    "[ybwc]\nmin_depth = 1\neldest = 1\nsecond_class_depth = 2\nworkers_per_iteration = 2";

fn exact() -> Techniques {
    Techniques::preset(Preset::Exact)
}

/// Searches by every searcher with each seed and each number of workers: all give the sequential
/// score. YBWC takes part with several leaders too. `lab` makes a lab of settings. There are
/// `rounds` rounds, and each takes the next position.
fn all_agree(lab: impl Fn(&str) -> Lab, rounds: u64, threads: &[usize], depth: u8) {
    let mut sequential = self::lab(exact(), "");
    let expected =
        FENS.map(|fen| search(&mut sequential, &task(Searcher::baseline(), 1, fen, depth)).score);
    let everywhere = Searcher::parallel().map(|searcher| (searcher, EVERYWHERE));
    for (searcher, settings) in everywhere.chain([(Searcher::named("ybwc"), SEVERAL_LEADERS)]) {
        let mut lab = lab(settings);
        let mut took_part = 0;
        for seed in 0..rounds {
            let case = seed as usize % FENS.len();
            for &threads in threads {
                let task = task(searcher, threads, FENS[case], depth);
                let found = search(&mut lab, &Task { seed, noise: seed, ..task });
                assert_eq!(found.status, Status::Ok);
                let last = found.iterations.last().map(|last| (last.depth, last.score));
                let context = format!("{searcher}, {threads} workers, seed {seed}, {}", FENS[case]);
                assert_eq!(last, Some((depth, expected[case])), "{context}");
                took_part += found.workers.iter().filter(|worker| worker.nodes > 0).count();
            }
        }
        assert!(
            took_part as u64 > rounds * threads.len() as u64,
            "{searcher}: one worker did it all"
        );
    }
}

#[test]
fn several_iterations_at_once_repeat_to_the_last_bit() {
    let settings = "[ybwc]\nworkers_per_iteration = 4";
    for threads in [9, 64] {
        let task = task(Searcher::named("ybwc"), threads, FENS[0], 8);
        let of = || {
            let lab = lab(Techniques::default(), settings);
            search(&mut lab.on_virtual_cores(Costs::default(), None), &task)
        };
        assert_eq!(format!("{:?}", of()), format!("{:?}", of()), "{threads}");
    }
}

fn at_random(settings: &str) -> Lab {
    lab(exact(), settings).at_random()
}

fn on_virtual_cores(settings: &str) -> Lab {
    lab(exact(), settings).on_virtual_cores(Costs::default(), None)
}

fn on_threads(settings: &str) -> Lab {
    lab(exact(), settings)
}

#[test]
fn any_order_of_events_gives_the_sequential_score() {
    all_agree(at_random, 60, &[2, 5], 2);
}

#[test]
fn any_noise_gives_the_sequential_score() {
    all_agree(on_virtual_cores, 4, &[1, 2, 3, 8, 64], 3);
}

#[test]
#[ignore = "takes six minutes: by hand, after a change to how workers meet"]
fn ten_thousand_orders_of_events() {
    all_agree(at_random, 2500, &[2, 3, 5, 8], 2);
}

#[test]
#[ignore = "takes three minutes: by hand, after a change to how workers meet"]
fn a_hundred_noises() {
    all_agree(on_virtual_cores, 100, &[1, 2, 3, 8, 64], 3);
}

/// 125 searches of each of the searchers.
#[test]
#[ignore = "takes half a minute; `.ci/run` calls it"]
fn one_thousand_searches_on_eight_threads() {
    all_agree(on_threads, 125, &[8], 3);
}

#[test]
#[ignore = "takes minutes: by hand, after a change to how workers meet"]
fn a_thousand_searches_of_each_on_eight_threads() {
    all_agree(on_threads, 1000, &[8], 3);
}

/// Settings for `ThreadSanitizer`. First, all is shared that workers may share. Second, settings of
/// the other kinds.
const SHARED_AND_OTHERS: [&str; 2] = [
    "[root-splitting]\nkillers = 'shared'\n[pv-splitting]\nmin_depth = 1\nkillers = 'shared'\n\
     [recursive-splitting]\ntable = 'shared'\nexchange_alpha = true\n\
     [jamboree]\nmin_depth = 1\n[ybwc]\nmin_depth = 1\n[stealing]\nmin_depth = 1\n\
     [dts]\nmin_depth = 1\npublish_depth = 1\nnesting = 4\n\
     [abdada]\nmin_depth = 1\nhistory = 'shared'\nkillers = 'shared'\n[lazy-smp]\nhistory = 'shared'",
    "[recursive-splitting]\ntop_level_only = true\n[jamboree]\nmin_depth = 1\nhistory = 'copied-at-split'\n\
     [ybwc]\nmin_depth = 1\nahead_depth = 1\nworkers_per_iteration = 2\n\
     history = 'copied-at-split'\ntable_access = 'locked'\n\
     [stealing]\nmin_depth = 1\nahead_depth = 1\ntable_access = 'naked'\n\
     [dts]\nmin_depth = 1\nkillers = 'shared'\ntable_access = 'locked'\n\
     [abdada]\nmin_depth = 1\ntable_access = 'locked'\n\
     [lazy-smp]\nhelpers = 'per-iteration'\nput_off_depth = 1",
];

/// Short searches on real threads, for `ThreadSanitizer` to watch: `scripts/concurrency.sh races`.
#[test]
fn races_of_every_searcher_on_four_and_eight_threads() {
    for techniques in [Techniques::default(), Techniques::preset(Preset::Exact)] {
        for settings in SHARED_AND_OTHERS {
            let mut lab = lab(techniques.clone(), settings);
            for fen in &FENS[..2] {
                for searcher in Searcher::parallel() {
                    for threads in [4, 8] {
                        search(&mut lab, &task(searcher, threads, fen, 4));
                    }
                }
            }
        }
    }
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
