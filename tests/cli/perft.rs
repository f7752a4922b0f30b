//! `ttd perft`: one position, and whole sets that state the expected counts.

use crate::common::{Called, Place};

#[test]
fn one_position_is_counted() {
    let place = Place::new();
    let called = place.call("perft --depth 3").exits(0);
    assert!(called.out.starts_with("nodes 8902\ntime_s "), "{}", called.out);
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let called = place.call_with(&["perft", fen, "--depth=2", "--divide"]).exits(0);
    assert!(called.out.contains("\nnodes 2039\n"), "{}", called.out);
    assert!(called.out.lines().any(|line| line == "e1g1: 43"), "{}", called.out);
}

#[test]
fn bad_lines_of_a_set_are_left_out_on_request() {
    let place = Place::new();
    place.write("mine.epd", "4k3/8/8/8/8/8/8/4K2R w K -\nno position\n4k3/8/8/8/8/8/8/4K3 w - -\n");
    for (call, positions) in [
        ("perft --depth 1", 2),
        ("bench --depth 1", 2),
        ("calibrate --depth 1 --runs 1 --hash 1", 0),
    ] {
        let call = format!("{call} --positions mine.epd --json");
        let refused = place.call(&call).exits(2).says("mine.epd:2: ");
        refused.says("`--skip-bad` leaves such lines out");
        if positions > 0 {
            let called = place.call(&format!("{call} --skip-bad")).exits(0);
            let called = called.says("ttd: mine.epd: 1 line is left out. Line 2: ");
            let found: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
            assert_eq!(found["positions"].as_array().map(Vec::len), Some(positions));
        }
    }
}

/// The lines without the time.
fn counted(called: &Called) -> Vec<&str> {
    called.out.lines().filter(|line| !line.contains("_s ")).collect()
}

#[test]
fn rights_may_be_those_of_chess960() {
    let place = Place::new();
    let called = |fen: &str| place.call_with(&["perft", fen, "--depth=4"]).exits(0);
    // The position is the first of the table in the Chess programming wiki ("Chess960 Perft
    // Results"). It is given as Shredder-FEN and as X-FEN.
    for rights in ["HFhf", "KQkq"] {
        let fen = format!("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w {rights} - 2 9");
        assert_eq!(counted(&called(&fen)), ["nodes 326672"]);
    }
    let fen = "5k2/8/8/8/8/8/8/R4K2 w A - 0 1";
    let divided = place.call_with(&["perft", fen, "--depth=1", "--divide"]).exits(0);
    let castling = divided.out.lines().filter(|line| line.starts_with("f1a1: ")).count();
    assert_eq!(castling, 1, "{}", divided.out);
}

#[test]
fn threads_find_the_same() {
    let place = Place::new();
    let alone = place.call("perft --depth 4 --divide").exits(0);
    let together = place.call("perft --depth 4 --divide --threads 3").exits(0);
    assert_eq!(counted(&alone), counted(&together));
    assert_eq!(counted(&alone).len(), 21);
    assert_eq!(counted(&place.call("perft --depth 0 --divide").exits(0)), ["nodes 1"]);
}

#[test]
fn a_set_is_compared_with_what_it_says() {
    let place = Place::new();
    let set = "8/8/8/8/8/8/6k1/4K2R w K - id \"a\"; D1 12; D2 38;\n\
               7k/6Q1/6K1/8/8/8/8/8 b - - id \"mated\"; D1 0;\n\
               4k3/8/8/8/8/8/8/1R3KR1 w GB - id \"nobody counted\";\n";
    place.write("set.epd", set);
    let called = place.call("perft --positions set.epd --depth 1 --threads 2").exits(0);
    let lines = counted(&called);
    assert_eq!(lines[0], "position        leaves  expected");
    assert_eq!(lines[1], "a                   12        12");
    assert_eq!(lines[2], "mated                0         0");
    assert!(lines[3].starts_with("nobody counted") && lines[3].ends_with('-'), "{}", lines[3]);
    assert_eq!(lines[4], "agree 2 of 2");
    let called = place.call("perft --positions set.epd --depth 3").exits(0);
    assert!(!called.out.contains("agree"), "{}", called.out);

    place.write("wrong.epd", &set.replace("D2 38", "D2 39"));
    let called = place.call("perft --positions wrong.epd --depth 2").exits(1);
    let called = called.says("a: 38 leaves found, 39 expected");
    assert!(called.out.contains("\nagree 0 of 1\n"), "{}", called.out);
    place.call("perft --positions set.epd --divide").exits(2).says("--divide");
    place.call("perft --positions nowhere").exits(2).says("there is no position set `nowhere`");
}
