//! Techniques of Pokharel's review, extensions, and the noise of Leiserson's lecture.

use crate::FENS;
use crate::switches::{plain, sequential, techniques};
use ttd_search::engine::Position;
use ttd_search::searchers::Status;

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
