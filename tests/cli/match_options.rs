//! `ttd match` without a file: options in the words of fastchess and cutechess.

use crate::common::{Called, Place};
use crate::matches::DANCER;

const A: &str = "name=a command='sh dancer.sh 0 -'";
const B: &str = "name=b command='sh dancer.sh 0 -'";

/// A place with an engine and an opening, and a call of `ttd match` there with two engines.
fn call(rest: &[&str]) -> (Place, Called) {
    let place = Place::new();
    place.write("dancer.sh", DANCER);
    place.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let before = ["match", "--engine", A, "--engine", B, "--openings", "start.epd"];
    let called = place.call_with(&[&before[..], rest].concat());
    (place, called)
}

#[test]
fn a_match_without_a_file_is_played_and_played_again_from_what_it_wrote() {
    let terms = ["--sprt", "elo0=0 elo1=200", "--draw", "movenumber=40 movecount=8 score=8"];
    let rest = ["--nodes", "1000", "--rounds", "3", "--concurrency", "1", "--hash", "4"];
    let (place, called) = call(&[&rest[..], &terms].concat());
    let called = called.exits(0);
    let called = called.says("6 games (1 at once), 1 opening of start.epd");
    let called = called.says("ttd: 1 opening without a clock are 2 different games of a pairing");
    let called = called.says("ttd: 4 of 6 games are move for move copies of earlier games");
    let dir = called.out.lines().find(|line| line.ends_with("/report.md")).expect("a report");
    let dir = dir.trim_end_matches("/report.md");
    assert!(dir.starts_with("results/match-") && dir.len() == "results/match-".len() + 6, "{dir}");
    let said = place.read(&format!("{dir}/match.toml"));
    for line in
        ["format = \"round-robin\"", "games = 6", "nodes = 1000", "hash_mib = 4", "after = 40"]
    {
        assert!(said.lines().any(|found| found == line), "{line} in {said}");
    }
    let report = place.read(&format!("{dir}/report.md"));
    let before = report.find("**Copies.** 4 of 6 games").expect("a note");
    assert!(before < report.find("## Setup").expect("a setup"), "{report}");
    let again = place.call(&format!("match {dir}/match.toml --out {dir}")).exits(0);
    again.says("6 games there already");
}

#[test]
fn a_dry_run_shows_what_would_start() {
    let each = ["--each", "threads=1 option.OwnBook=false tc=5+0.1", "--games", "2", "--dry-run"];
    let (place, called) = call(&each);
    let called = called.exits(0);
    assert_eq!(
        called.out,
        "game,round,opening,depth,white,black\n0,1,line 1,,a,b\n1,1,line 1,,b,a\n"
    );
    assert_eq!(
        called.err,
        "ttd: a would start as: sh dancer.sh 0 -\nttd: b would start as: sh dancer.sh 0 -\n"
    );
    assert!(!place.path("results").exists());
    let called =
        place.call("match --searchers ybwc --engine gnuchess --games 2 --dry-run").exits(0);
    let called = called.says(" uci\n").says("ttd: gnuchess would start as: gnuchess\n");
    assert!(called.out.contains(",ybwc,gnuchess\n"), "{}", called.out);
}

#[test]
fn bad_values_are_refused_with_the_option_and_what_was_expected() {
    for (rest, messages) in [
        ("--tc fast", &["--tc: `fast` found, seconds and increment such as 60+0.6 expected"][..]),
        ("--nodes many", &["'many' for '--nodes <N>': a whole number expected"]),
        (
            "--nodes 0 --games 3",
            &["--nodes: 0 found, 1 or more expected\n", "\n--games: 3 found, an"],
        ),
        ("--nodes 5 --depth 3", &["--depth: found beside nodes, one of them expected"]),
        ("--st 0", &["--st: 0 found, 0.001 to 1000000 expected"]),
        ("--rounds 0", &["--rounds: 0 found, 1 to 500000 expected"]),
        ("--rounds 5 --games 10", &["--games: 10 found beside --rounds, 2 or none expected"]),
        ("--timemargin -1", &["--timemargin: -1 found, 0 to 60000 expected"]),
        (
            "--tournament swiss",
            &["--tournament: `swiss` found, gauntlet, round-robin or named expected"],
        ),
        ("--sprt elo0=0", &["'--sprt <TERMS>': elo1= is missing, a number expected"]),
        ("--sprt elo0=5,elo1=0", &["--sprt: elo1: 0 found, more than elo0 = 5 expected"]),
        ("--resign movecount=0,score=5", &["--resign: movecount: 0 found, 1 to 1000 expected"]),
        ("--draw score=5", &["'--draw <TERMS>': movenumber= is missing"]),
        ("--maxmoves 0", &["--maxmoves: 0 found, 1 to 10000 expected"]),
        ("--openings nosuch.epd", &["--openings", "nosuch.epd"]),
        ("--engine name=a,command=x", &["`name=a,command=x` found, a command expected (name=,"]),
        ("--each stockfish", &["'--each <KEYS>': `stockfish` found, a key of every engine"]),
    ] {
        let rest: Vec<&str> = rest.split(' ').collect();
        let place = Place::new();
        let engines = ["match", "--engine", "x", "--engine", "y"];
        let called = place.call_with(&[&engines[..], &rest].concat());
        let called = called.exits(2);
        for message in messages {
            assert!(called.err.contains(message), "{rest:?}: {}", called.err);
        }
        assert!(!place.path("results").exists());
    }
    let place = Place::new();
    let twice = place.call("match --engine stockfish --engine stockfish").exits(2);
    twice.says("--engine: name: `stockfish` found twice: give each a name, such as \"name=old");
    let one = place.call("match --engine stockfish").exits(2);
    one.says("--engine: 1 found, at least two expected");
    let several = ["match", "--engine", "command=x threads=0", "--engine", "command=y hash=0"];
    let several = place.call_with(&several).exits(2);
    several
        .says("--engine: threads: 0 found, 1 to 1024 expected")
        .says("--engine: hash_mib: 0 found, 1 to 1048576 expected");
}

#[test]
fn the_help_has_groups_and_three_examples() {
    let help = Place::new().call("match --help").exits(0).out;
    let groups =
        ["Who plays:", "How they play:", "How many games:", "When a game ends:", "Results:"];
    let places: Vec<Option<usize>> = groups.map(|group| help.find(group)).to_vec();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?} in {help}");
    let (_, examples) = help.split_once("Examples:\n").expect("examples");
    assert_eq!(examples.matches("  ttd match ").count(), 3, "{examples}");
}
