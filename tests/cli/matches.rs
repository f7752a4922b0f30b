//! Matches between scripted engines: the files that they leave, and the input that is refused. Also
//! without a file: options in the words of fastchess and cutechess.

use crate::common::{Called, Place, program};
use crate::hooked::{column, toy};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// An engine that moves its knight to and fro. `$1` is its waiting time before a move; `$2` is a
/// ply (of four) at which it makes an illegal move.
pub(crate) const DANCER: &str = r#"#!/bin/sh
n=0
while read -r line; do
  case "$line" in
    uci) echo "id name Dancer 1.0"; echo "option name Hash type spin default 16 min 1 max 64"; echo uciok ;;
    isready) echo readyok ;;
    position*moves*) set -- "$1" "$2" ${line#*moves}; n=$(($# - 2)) ;;
    position*) n=0 ;;
    go*)
      sleep "$1"
      case $((n % 4)) in 0) m=g1f3 ;; 1) m=g8f6 ;; 2) m=f3g1 ;; 3) m=f6g8 ;; esac
      [ "$((n % 4))" = "$2" ] && m=e2e5
      echo "info depth 5 score cp 7 nodes 100"
      echo "bestmove $m" ;;
    quit) exit ;;
  esac
done
"#;

/// A match of dancers, each with its arguments.
fn dance(place: &Place, arguments: &[(&str, &str)]) {
    place.write("dancer.sh", DANCER);
    place.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n");
    let entry = |(at, (wait, odd)): (usize, &(&str, &str))| {
        format!(
            "[[entries]]\nname = \"dancer-{at}\"\n\
             command = [\"sh\", \"dancer.sh\", \"{wait}\", \"{odd}\"]\nhash_mib = 4\n"
        )
    };
    let entries: String = arguments.iter().enumerate().map(entry).collect();
    let rest = "games = 4\nopenings = \"start.epd\"\ntime_control = \"100+1\"\nconcurrency = 1\n";
    place.write("dance.toml", &format!("{rest}{entries}"));
}

/// The rows that are whole.
fn games(place: &Place) -> Vec<String> {
    let text = std::fs::read_to_string(place.path("out/games.csv")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_match_is_played_and_made_longer() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "-")]);
    let called = place.call("match dance.toml --out out").exits(0);
    let called =
        called.says("ttd: match dance: 2 entries, 1 pairing, 4 games (1 at once), 1 opening");
    called.says("ttd: 2 of 4 games are move for move copies of earlier games");
    let first = games(&place);
    assert_eq!(first.len(), 4);
    let row = "0,1,line 1,,dancer-0,dancer-1,1/2-1/2,repetition,,8,1,4,";
    assert!(first[0].starts_with(row), "{}", first[0]);
    let pgn = place.read("out/games.pgn");
    assert!(pgn.contains("[WhiteEngine \"Dancer 1.0\"]"), "{pgn}");
    assert!(pgn.contains("1. Nf3 {[%eval 0.07,5] [%clk 0:01:"), "{pgn}");
    let called = place.call("match dance.toml --out out --games 6").exits(0);
    assert!(called.out.contains("dancer-0"), "{}", called.out);
    let longer = games(&place);
    assert_eq!((&longer[..4], longer.len()), (&first[..], 6));
    assert!(place.read("out/games.pgn").starts_with(&pgn));
    place.call("match out/match.toml --out out").exits(0);
    assert_eq!(games(&place), longer, "nothing is played twice");
    let report = place.read("out/report.md");
    assert!(called.out.ends_with("out/report.md\nout/report.html\n"), "{}", called.out);
    assert!(report.contains("6 games of dancer-0 against dancer-1"), "{report}");
    assert!(report.contains("| repetition | 6 | 6 | – |"), "{report}");
    assert!(report.contains("**Copies.** 4 of 6 games (67%) are move for move"), "{report}");
    place.call("report out").exits(0);
    assert_eq!(place.read("out/report.md"), report, "it is made again the same");
    place.write("out/charts/mine.svg", "");
    place.call("match dance.toml --out out --seed 9").exits(2).says("it holds another match (seed");
    place.call("match dance.toml --out out --seed 9 --fresh").exits(0);
    assert_eq!(games(&place).len(), 4);
    assert!(place.path("out/charts/mine.svg").exists(), "what is not ours stays");
}

#[test]
fn a_search_for_an_effective_speedup_goes_on_by_what_its_directory_says() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "-")]);
    let said = "match dance.toml --out out --effective-speedup";
    let called = place.call(said).exits(0);
    assert!(called.out.contains("effective speedup: "), "{}", called.out);
    assert!(called.out.contains("wider than wanted"), "{}", called.out);
    let first = games(&place);
    assert_eq!(first.len(), 4);
    let factor = |row: &str| row.split(',').nth(10).expect("a factor").to_owned();
    assert_eq!(factor(&first[0]), "0.5", "white is the first, a doubling below");
    place.call("match out/match.toml --out out --games 6").exits(0);
    let longer = games(&place);
    assert_eq!((&longer[..4], longer.len()), (&first[..], 6));
    let report = place.read("out/report.md");
    assert!(report.contains("**Effective speedup.**"), "{report}");
    assert!(report.contains("**Unequal time.**"), "{report}");
    place.call("match dance.toml --out out").exits(2).says("it holds another match");
    let called = place.call(&format!("{said} --dry-run")).exits(2);
    called.says("--dry-run: a search for an effective speedup has no plan");
}

#[test]
fn an_engine_that_ignores_its_nodes_is_named() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "-")]);
    let terms = place.read("dance.toml").replace("time_control = \"100+1\"", "nodes = 3000");
    place.write("dance.toml", &terms);
    let told =
        "ttd: entry `dancer-1` does not keep to its limit: asked for 3000 nodes, it tells 100";
    let called = place.call("match dance.toml --out out").exits(0).says(told);
    called.says("ttd: an engine does not keep to its limit: see out/log.txt");
    assert_eq!(place.read("out/log.txt").matches("keep to its limit").count(), 2);
}

#[test]
fn ratings_may_come_after_the_games() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "-")]);
    place.call("match dance.toml --out out").exits(0);
    let first = games(&place);
    let rated =
        format!("running_rating = {{ start = 2000 }}\n{}rating = 2400\n", place.read("dance.toml"));
    place.write("dance.toml", &rated);
    place.call("match dance.toml --out out").exits(0);
    assert_eq!(games(&place), first);
    assert!(place.read("out/running.csv").contains("2400"), "the rating of the opponent");
}

#[test]
fn faults_are_losses_and_the_match_goes_on() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "3"), ("0", "2")]);
    let called = place.call("match dance.toml --out out").exits(3);
    let called = called.says("white forfeits: illegal move e2e5");
    called.says("ttd: 4 games ended by a fault of an engine: see out/log.txt");
    let reasons: Vec<String> = games(&place)
        .iter()
        .map(|row| row.split(',').skip(6).take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let (white, black) = ("1-0 illegal-move", "0-1 illegal-move");
    let draw = "1/2-1/2 repetition";
    assert_eq!(reasons, [white, draw, draw, black, white, draw, draw, black]);
    assert_eq!(place.read("out/log.txt").lines().count(), 4);
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_starts() {
    let place = Place::new();
    dance(&place, &[("0", "-"), ("0", "-")]);
    place.call("match").exits(2).says("nobody plays: a file, two of --engine, or --searchers");
    place.call("match nosuch.toml").exits(2).says("nosuch.toml");
    let text = place.read("dance.toml");
    for (from, to, message) in [
        ("games = 4", "games = 5", "bad.toml:1: games: 5 found, an even number expected"),
        ("\"sh\"", "\"./nosuch\"", "/nosuch` cannot be started"),
        (
            "hash_mib = 4",
            "hash_mib = 4\noptions = { \"Own Book\" = false }",
            "entry `dancer-0`: it refuses `Own Book`: it does not offer it",
        ),
        ("hash_mib = 4", "hash_mib = 65", "entry `dancer-0`: it refuses `Hash`: 65 found"),
        (
            "hash_mib = 4",
            "threads = 2",
            "entry `dancer-0`: it lacks an option for its number of threads",
        ),
        ("start.epd", "nosuch.epd", "bad.toml:2: openings: there is no file"),
    ] {
        place.write("bad.toml", &text.replacen(from, to, 1));
        place.call("match bad.toml --out bad").exits(2).says(message);
        assert!(!place.path("bad").exists(), "{to}");
    }
}

#[test]
fn a_dry_run_prints_the_plan() {
    let place = Place::new();
    let called = place.call("match --by-depth 1..2 --searchers ybwc,lazy-smp --games 2 --dry-run");
    let plan: Vec<String> = called.exits(0).out.lines().map(str::to_owned).collect();
    assert_eq!(plan[0], "game,round,opening,depth,white,black");
    assert_eq!(plan.len(), 1 + 4);
    let ends: Vec<&str> =
        plan[1..].iter().map(|row| row.splitn(4, ',').nth(3).expect("four fields")).collect();
    assert_eq!(ends, ["1,ybwc,lazy-smp", "1,lazy-smp,ybwc", "2,ybwc,lazy-smp", "2,lazy-smp,ybwc"]);
    assert!(!place.path("results").exists());
}

/// Starts a match of slow engines, and waits until it has a game more.
#[cfg(unix)]
fn start(place: &Place) -> Child {
    dance(place, &[("0.02", "-"), ("0.02", "-")]);
    let before = games(place).len();
    let child = Command::new(program())
        .args("match dance.toml --games 100 --out out".split_whitespace())
        .current_dir(place.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let begun = Instant::now();
    while games(place).len() <= before {
        assert!(begun.elapsed() < Duration::from_mins(1), "no game after a minute");
        sleep(Duration::from_millis(2));
    }
    child
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_goes_on() {
    let place = Place::new();
    for (signal, code) in [("-INT", Some(130)), ("-KILL", None)] {
        let child = start(&place);
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), code);
        if code.is_some() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("To go on:") && said.contains("match out/match.toml --out out"));
        }
        let done = games(&place);
        assert_eq!(
            place.read("out/games.pgn").matches("[Event ").count().min(done.len()),
            done.len(),
            "a game that is in the table is in notation"
        );
    }
    let before = games(&place);
    let all = before.len() / 2 * 2 + 4;
    place.call(&format!("match dance.toml --out out --games {all}")).exits(0);
    let after = games(&place);
    assert_eq!((&after[..before.len()], after.len()), (&before[..], all));
    assert_eq!(place.read("out/games.pgn").matches("[Event ").count(), all);
}

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

#[test]
fn games_of_hooked_engines_on_virtual_clocks_are_the_same_bytes() {
    let Some(toy) = toy() else { return };
    let place = Place::new();
    let hooked = toy.hooked.display();
    let entry = |name: &str, threads: usize| {
        format!(
            "[[entries]]\nname = \"{name}\"\ncommand = \"{hooked}\"\nprice_ps = 200\nthreads = {threads}\nhash_mib = 1\n"
        )
    };
    let file = |head: &str, entries: &str| {
        let rest = "openings = \"set.epd\"\ngames = 8\n[adjudication]\nmax_moves = 1\n";
        place.write("m.toml", &format!("cores = \"virtual\"\n{head}\n{rest}{entries}"));
        place.write("set.epd", "rrrkrrrr/8/8/8/8/8/8/RRRKRRRR w - - id \"open\";\n");
    };
    let entries = [entry("eight", 8), entry("one", 1)].concat();
    file("time_control = \"0.1+0.001\"", &entries);
    let played = |jobs: &str, out: &str| {
        let called = place.call(&format!("match m.toml --jobs {jobs} --out {out}")).exits(0);
        assert!(!called.err.contains("illegal"), "{}", called.err);
        ["games.csv", "games.pgn"].map(|name| place.read(&format!("{out}/{name}")))
    };
    let once = played("1", "a");
    assert_eq!(once, played("2", "b"));
    let moves = column(&once[0], "plies");
    assert!(moves.len() == 8 && moves.iter().all(|plies| (plies - 2.0).abs() < 0.5), "{}", once[0]);
    assert!(place.read("a/match.toml").contains("quantum_ns = 10000"));
    file("time_control = \"0.1+0.001\"\nseed = 2", &entries);
    let other = played("2", "c");
    assert_ne!(once[0], other[0]);
    // Without a price an engine runs on real cores, which have no virtual clock.
    file("time_control = \"0.1+0.001\"", &entries.replacen("price_ps = 200\n", "", 1));
    place.call("match m.toml --out d").exits(2).says("a depth, or its `price_ps`");
    let other = entries.replacen("toy-hooked", "toy-other", 1);
    file("time_control = \"0.1+0.001\"", &other);
    place.call("match m.toml --out d").exits(2).says("its hook is of version 9");
}
