//! Positions and games that others wrote, from the file to the results.

use crate::common::{Place, program};
use std::process::{Command, Stdio};

const SHORT: &str = "--searchers sequential --threads 1 --depth 2 --runs 1 --hash 1";
const KINGS: &str = "4k3/8/8/8/8/8/4P3/4K2R w K -";

#[test]
fn bad_lines_are_told_at_once_or_left_out_and_kept_as_comments() {
    let place = Place::new();
    place.write("mine.epd", &format!("{KINGS} 0 1;\n8/8 w\n{KINGS} 0 0; bm Qh5;\nnothing\n"));
    let run = format!("run --positions mine.epd --out out {SHORT}");
    place
        .call(&run)
        .exits(2)
        .says("mine.epd:2: ")
        .says("mine.epd:4: ")
        .says("`--skip-bad` leaves such lines out");
    assert!(!place.path("out").exists());
    let run = format!("{run} --skip-bad");
    place
        .call(&run)
        .exits(0)
        .says("ttd: mine.epd: 2 lines are left out. Line 2: ")
        .says("1 line has best moves that are not legal there, and no solution counts. Line 3: bm: `Qh5`")
        .says("positions   2 of mine.epd, 2 lines left out");
    let kept = place.read("out/positions.epd");
    assert_eq!(kept.matches("# left out: ").count(), 2, "{kept}");
    assert!(place.read("out/experiment.toml").contains("skip_bad = true"));
    assert!(place.read("out/log.txt").contains("2 lines are left out"));
    // It goes on by the same call, and by the file in the directory.
    place.call(&run).exits(0).says("nothing is left to measure");
    place
        .call("run out/experiment.toml --out out")
        .exits(0)
        .says("nothing is left to measure")
        .says(", 2 lines left out");
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_once_and_kept() {
    let place = Place::new();
    let lines = format!("{KINGS} id \"a\";\n{KINGS} id \"b\";\n");
    place.write("two.epd", &lines);
    let script =
        format!("cat two.epd | {:?} run --positions /dev/stdin --out out {SHORT}", program());
    let run = Command::new("sh")
        .args(["-c", &script])
        .current_dir(place.path(""))
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(place.read("out/positions.epd"), lines);
    place.call("run out/experiment.toml --out out").exits(0).says("nothing is left to measure");
}

#[test]
fn an_engine_is_told_of_chess960() {
    let place = Place::new();
    // Castling is the move that is asked for. The king stands beside its rook.
    place.write(
        "mine.epd",
        "4k3/8/8/8/8/8/8/5KR1 w G - 0 1; id \"960\";\n4k3/8/8/8/8/8/8/4K2R w K - 0 1; id \"chess\";\n",
    );
    let spec = format!("{:?} uci", program());
    let arguments = [
        "run",
        "--positions",
        "mine.epd",
        "--out",
        "out",
        "--searchers",
        "sequential",
        "--engine",
        &spec,
        "--threads",
        "1",
        "--depth",
        "3",
        "--runs",
        "1",
        "--hash",
        "1",
    ];
    place.call_with(&arguments).exits(0);
    let samples = place.read("out/samples.csv");
    assert_eq!(samples.lines().filter(|line| line.contains(",ok,")).count(), 4, "{samples}");
    // An engine without the option is refused before anything is measured.
    let script = format!("{}/tests/scripted-engine.sh", env!("CARGO_MANIFEST_DIR"));
    let spec = format!("sh {script} plain");
    let arguments: Vec<&str> =
        arguments.iter().map(|&a| if a.ends_with(" uci") { spec.as_str() } else { a }).collect();
    place.call_with(&arguments).exits(2).says("1 position of Chess960 found, and no option");
    // A match is not played either: every game would be forfeited.
    let spec = format!("name=x command='sh {script} plain'");
    let arguments = ["match", "--openings", "mine.epd", "--depth", "1", "--out", "games"];
    let own = format!("name=y command='{}' option.Searcher=sequential", program().display());
    let own = own.replace("' option", " uci' option");
    let entries = ["--games", "2", "--engine", &spec, "--engine", &own];
    let called = place.call_with(&[&arguments[..], &entries[..]].concat()).exits(2);
    called.says("entry `x`: it lacks the option UCI_Chess960, which 1 opening of Chess960 would");
    assert!(!place.path("games").exists());
}

#[test]
fn an_option_that_may_set_the_threads_is_named() {
    let place = Place::new();
    let greeting = "id name n\noption name Pool of Threads type spin default 1 min 1 max 8\nuciok";
    place.write(
        "n.sh",
        &format!(
            "while read word rest; do case $word in uci) printf '{greeting}\\n';; isready) echo \
             readyok;; go) echo info depth 1 score cp 3 nodes 7 pv e2e4; echo bestmove e2e4;; quit) \
             exit;; esac; done\n"
        ),
    );
    place.write("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    let run = |keys: &str, threads: &str, out: &str| {
        let spec = format!("name=n command='sh n.sh' dir={} {keys}", place.path(".").display());
        let call = "run --positions start.epd --depth 1 --runs 1 --hash 1 --yes";
        let words = ["--threads", threads, "--out", out, "--engine", &spec];
        place.call_with(&call.split(' ').chain(words).collect::<Vec<_>>())
    };
    let told = "`n` has no known option for its threads: `Pool of Threads` may be it";
    run("", "1,2", "guessed").exits(0).says(told);
    assert!(place.read("guessed/report.md").contains("by n at 1 thread on"));
    let called = run("'threads_option=Pool of Threads'", "1,2", "said").exits(0);
    assert!(!called.err.contains("may be it"));
    assert!(place.read("said/report.md").contains("by n at 1 and 2 threads on"));
}

/// An engine that writes what it is told into `said.txt`, and is ours.
fn listened(place: &Place, keys: &str) -> String {
    let script = format!("tee said.txt | '{}' uci\n", program().display());
    place.write("listen.sh", &script);
    let dir = place.path(".");
    format!("name=ours command='sh listen.sh' dir={} {keys}", dir.display())
}

#[test]
fn an_engine_may_play_every_position_as_one_of_chess960() {
    let place = Place::new();
    let run = |spec: &str| {
        let call = "run --positions bratko-kopec --only 1 --threads 1 --depth 3 --runs 1 --hash 1";
        let mut words: Vec<&str> = call.split(' ').chain(["--out", "out", "--fresh"]).collect();
        words.extend(["--engine", spec]);
        place.call_with(&words)
    };
    let on = "setoption name UCI_Chess960 value true";
    run(&listened(&place, "")).exits(0);
    assert!(!place.read("said.txt").contains(on));
    run(&listened(&place, "chess960=true")).exits(0);
    assert!(place.read("said.txt").contains(on), "{}", place.read("said.txt"));
    assert!(place.read("out/experiment.toml").contains("chess960 = true"));
    let called = run(&listened(&place, "option.UCI_Chess960=true")).exits(2);
    called.says("it refuses `UCI_Chess960`: the key chess960 sets it");
    let script = format!("{}/tests/scripted-engine.sh", env!("CARGO_MANIFEST_DIR"));
    let called = run(&format!("name=x command='sh {script} plain' chess960=true")).exits(2);
    called.says("it lacks the option UCI_Chess960, which chess960 = true needs");
    let called = run("name=x command=true protocol=xboard chess960=true").exits(2);
    called.says("--engine: chess960: true found, false expected");
}

#[test]
fn openings_are_read_from_games() {
    let place = Place::new();
    place.write(
        "book.pgn",
        "\u{feff}[Event \"?\"]\r\n[Result \"*\"]\r\n\r\n1. e4 e5 (1... c5) 2. Nf3 *\r\n\r\n\
         [Event \"?\"]\r\n[Opening \"Slav\"]\r\n\r\n1. d4 d5 2. c4 c6 ; black\r\n*\r\n\r\n\
         [Event \"?\"]\r\n\r\n1. e4 Ke7 *\r\n",
    );
    let text = "games = 4\nopenings = \"book.pgn\"\ndepth = 1\nconcurrency = 1\nhash_mib = 1\n\
                adjudication = { max_moves = 10 }\n\
                [[entries]]\nname = \"a\"\nsearcher = \"sequential\"\n\
                [[entries]]\nname = \"b\"\nsearcher = \"sequential\"\nengine = { evaluation = \"material\" }\n";
    place.write("mine.toml", text);
    place
        .call("match mine.toml --out out")
        .exits(0)
        .says("book.pgn: left out 1 game that cannot be read as chess. Line 14: `Ke7`: ");
    let kept = place.read("out/openings.epd");
    assert!(kept.contains("id \"game 1\"") && kept.contains("id \"game 2: Slav\""), "{kept}");
    place.call("match out/match.toml --out out").exits(0);
    // Cut after a ply, they are other openings, of another match.
    let cut = "match mine.toml --plies 1 --out cut";
    place.call(cut).exits(0);
    assert!(place.read("cut/openings.epd").contains("4P3/8/PPPP1PPP/RNBQKBNR b KQkq"));
    for again in [cut, "match cut/match.toml --out cut"] {
        place.call(again).exits(0).says("4 games there already");
    }
    place.call("match mine.toml --out cut").exits(2).says("it holds another match (openings: ");
    let called = place.call("match cut/match.toml --plies 1 --out cut").exits(2);
    called.says("--plies: 1 found, none expected: the openings are positions");
    // The games can be rated, in pairs.
    let rated = place.call("rate out/games.pgn --anchor b=2000").exits(0).out;
    assert!(
        rated.lines().any(|line| line.starts_with("b ") && line.contains(" 2000.0 ")),
        "{rated}"
    );
    let pairs =
        rated.lines().find(|line| line.starts_with("a ") && line.contains(" b ")).expect("a pair");
    let counts: Vec<u32> =
        pairs.split_whitespace().rev().take(5).filter_map(|n| n.parse().ok()).collect();
    assert_eq!(counts.iter().sum::<u32>(), 2, "{rated}");
}

#[test]
fn games_of_anyone_are_rated() {
    let place = Place::new();
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n"
        )
    };
    let games = [
        game("Anna", "Ben", "1-0"),
        game("Ben", "Anna", "0-1"),
        game("Anna", "Ben", "1/2-1/2"),
        game("Ben", "Cleo", "1-0"),
        game("Cleo", "Ben", "1/2-1/2"),
        game("Xeno", "Yuri", "1-0"),
        game("Anna", "Ben", "*"),
    ];
    place.write("games.pgn", &games.concat());
    let called = place.call("rate games.pgn").exits(0);
    let called = called.says("games.pgn: left out 1 game without a result");
    let players: Vec<&str> =
        called.out.lines().skip(1).map_while(|line| line.split_whitespace().next()).collect();
    assert_eq!(players, ["Anna", "Ben", "Cleo", "Xeno", "Yuri"], "{}", called.out);
    assert!(called.out.contains("No rating: 2 players."), "{}", called.out);
    let csv = place.call("rate games.pgn --format csv").exits(0).out;
    assert!(
        csv.starts_with("player,elo,elo_lower,elo_upper,games,wins,draws,losses,score_percent\n")
    );
    assert_eq!(csv.lines().count(), 6, "{csv}");
    place.call("rate games.pgn --anchor Nobody=2000").exits(2).says("there is no player `Nobody`");
    place.write("none.pgn", "");
    place.call("rate none.pgn").exits(2).says("there is no game");
    place.call("rate missing.pgn").exits(2).says("missing.pgn: ");
}
