//! The program as a user calls it: small commands, plans, and what it refuses: also results that
//! were damaged, or that another version wrote.

use crate::common::{Called, Place};
use std::process::{Command, Stdio};

/// A short experiment: one position, quickly searched.
const SHORT: &str = "run --searchers sequential --threads 1 --only 1 --depth 2 --hash 1 --runs 2";

#[test]
fn a_dry_run_prints_the_plan_and_changes_nothing() {
    let place = Place::new();
    let called = place
        .call("run --searchers sequential,ybwc --threads 1,2 --only 1 --runs 2 --dry-run")
        .exits(0);
    let rows: Vec<&str> = called.out.lines().collect();
    assert_eq!(rows[0], "round,order,searcher,threads,position,seed");
    assert_eq!(rows.len(), 1 + 2 * 3);
    let cells = |rows: &[&str]| {
        let mut cells: Vec<String> = rows
            .iter()
            .map(|row| row.split(',').skip(2).take(2).collect::<Vec<_>>().join(" x "))
            .collect();
        cells.sort();
        cells
    };
    for round in [&rows[1..4], &rows[4..]] {
        assert_eq!(cells(round), ["sequential x 1", "ybwc x 1", "ybwc x 2"]);
    }
    assert!(called.err.contains("samples     6\n"), "{}", called.err);
    assert!(!place.path("results").exists());
    let again =
        place.call("run --searchers sequential,ybwc --threads 1,2 --only 1 --runs 2 --dry-run");
    assert_eq!(again.out, called.out, "the plan is a function of the experiment");
}

#[test]
fn the_kept_experiments_are_whole() {
    let place = Place::new();
    for (name, samples) in [("quick", 30 * 2 * 2 * 3), ("thesis", 30 * 2 * 4 * 50)] {
        let file = format!("{}/experiments/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let called = place.call_with(&["run", &file, "--dry-run"]).exits(0);
        assert_eq!(called.out.lines().count(), 1 + samples);
        assert!(called.err.starts_with(&format!("experiment  {name}\n")), "{}", called.err);
    }
}

#[test]
fn wrong_usage_is_refused_in_one_message() {
    let place = Place::new();
    place.write("two-kings.epd", "# mine\n4k3/8/8/8/8/8/8/3KK3 w - - id \"a\";\n");
    place.write("takes.epd", "4k2R/8/8/8/8/8/8/4K3 w - - id \"a\";\n");
    place.write("mate.epd", "7k/6Q1/6K1/8/8/8/8/8 b - - id \"a\";\n");
    place.write("garbage.epd", "this is no position\n");
    place.write("empty.epd", "# nothing\n");
    place.write("key.toml", "depth = 3\nhashes = 1\n");
    place.write("type.toml", "depth = \"deep\"\n");
    place.write("syntax.toml", "depth = 3\nruns =\n");
    place.write("engine.toml", "[engine]\nnul_move = true\n");
    place.write("searcher.toml", "[searcher.ybw]\nx = 1\n");
    let latin_1 = b"depth = 3\nname = \"K\xf6ln\"\n";
    std::fs::write(place.path("latin-1.toml"), latin_1).expect("written");
    place.write("threads.toml", "runs = 1\nthreads = [0, 1]\n");
    for (arguments, message) in [
        ("run --no-such-option", "--no-such-option"),
        ("run --searchers abc", "--searchers: there is no searcher `abc`"),
        ("run --threads 0", "--threads: 0 found, 1 to 1024 expected"),
        ("run --threads 2,4", "--threads: 1 is missing"),
        ("run --threads x", "a list such as 1,2,4 or a range such as 1-16 expected"),
        ("searchers --memory --threads 0,2", "--threads: 0 found, 1 to 1024 expected"),
        ("searchers --hash 2", "--memory"),
        ("run --depth 0", "--depth: 0 found, 1 to 100 expected"),
        ("run --depth 200", "--depth: 200 found, 1 to 100 expected"),
        ("run --depth x", "a whole number expected"),
        ("run --time-limit x", "a number of seconds expected"),
        ("run --depth -3", "--depth: -3 found, 1 to 100 expected"),
        ("run --runs 0", "--runs: 0 found"),
        ("run --hash 999999999", "(the memory that is available, in MiB)"),
        ("run --hash 0", "--hash: 0 found"),
        ("run --time-limit 0", "--time-limit: 0 found, seconds from"),
        ("run --cores magic", "--cores: `magic` found, real or virtual expected"),
        ("run --base sequential", "sequential is missing"),
        ("run --only nobody", "--only: there is no position `nobody`"),
        ("run --positions nowhere", "--positions: there is no position set `nowhere`"),
        ("run --positions nowhere.epd", "--positions: there is no file `nowhere.epd`: expected"),
        ("run --positions two-kings.epd", "two-kings.epd:2: white has 2 kings: expected one"),
        ("run --positions takes.epd", "takes.epd:1: white, to move, can take the king"),
        ("run --positions mate.epd", "mate.epd:1: no legal move (it is checkmate)"),
        ("run --positions garbage.epd", "garbage.epd:1: "),
        ("run --positions empty.epd", "empty.epd: there is no position in it"),
        ("run key.toml", "key.toml:2: hashes: unknown key `hashes`"),
        ("run type.toml", "type.toml:1: depth: invalid type: string \"deep\""),
        ("run syntax.toml", "syntax.toml:2: "),
        (
            "run engine.toml",
            "engine.toml:2: engine.nul_move: unknown key `nul_move`: did you mean `null_move`?",
        ),
        (
            "run searcher.toml",
            "searcher.toml:1: searcher.ybw: unknown key `ybw`: did you mean `ybwc`?",
        ),
        ("run threads.toml", "threads.toml:2: threads: 0 found, 1 to 1024 expected"),
        ("run missing.toml", "missing.toml: "),
        ("run --name a/b", "--name: `a/b` found"),
        ("search not-a-fen", "FEN: "),
        ("bench --depth 0", "--depth"),
        ("bench --hash 0", "--hash: 0 found"),
        ("bench --hash 999999999", "(the memory that is available, in MiB)"),
        ("run latin-1.toml", "latin-1.toml: line 2 is not UTF-8 text"),
        (
            "run --threads 1-1024 --runs 1000000",
            "--runs: 1000000 found, 1 to 162 expected: 61440 cells",
        ),
        ("bench --depth x", "--depth <DEPTH>': 1 to 100 expected"),
        ("bench --searcher abc", "there is no searcher `abc`"),
        ("perft --depth 99", "--depth"),
        ("report nowhere", "nowhere: there is no experiment.toml"),
        ("report nowhere --match nothing", "nothing: there is no match.toml"),
        ("tune nowhere.pgn", "nowhere.pgn: "),
        ("tune garbage.epd", "left out 1 game that cannot be read as chess. Line 1: `this`: "),
        ("tune empty.epd --spreads 0", "--spreads <LIST>': 0.1 to 1000 expected"),
        ("man nothing", "there is no command `nothing`"),
        ("completions nothing", "nothing"),
    ] {
        let called = place.call(arguments).exits(2).says(message);
        assert_eq!(called.out, "", "{arguments}: nothing is data");
        assert!(!place.path("results").exists(), "{arguments}: nothing is made");
    }
}

#[test]
fn a_search_s_own_refusals() {
    let place = Place::new();
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (options, message) in [
        (["--searcher=sequential", "--threads=2"], "the searcher sequential has one worker"),
        (["--hash=999999999", "--depth=1"], "--hash: 999999999 found"),
        (["--time-limit=-1", "--depth=1"], "--time-limit: -1 found"),
    ] {
        place.call_with(&["search", fen, options[0], options[1]]).exits(2).says(message);
    }
    place.call_with(&["search", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1"]).exits(2).says("2 kings");
}

#[test]
fn a_directory_that_cannot_be_written_is_refused_before_anything_is_measured() {
    let place = Place::new();
    place.write("file", "x");
    let called = place.call(&format!("{SHORT} --out file/results")).exits(1);
    let expected = "ttd: file/results: no results can be written here: ";
    assert!(called.err.contains(expected) && called.err.contains("--out DIR"), "{}", called.err);
    assert!(!called.err.contains("samples,"), "nothing was measured: {}", called.err);
    assert_eq!(place.read("file"), "x");
}

#[test]
fn without_a_position_it_is_the_start_of_the_game() {
    let place = Place::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let nodes = |arguments: &[&str]| -> Vec<String> {
        let called = place.call_with(arguments).exits(0);
        let rows = called.out.lines().skip(1).map(|line| line.split_whitespace());
        rows.filter_map(|mut fields| fields.nth(2).map(str::to_owned)).collect()
    };
    let searched = nodes(&["search", "--depth=4", "--hash=1"]);
    assert_eq!(searched.len(), 4);
    assert_eq!(searched, nodes(&["search", start, "--depth=4", "--hash=1"]));
}

#[test]
fn a_search_prints_a_table_by_depth() {
    let place = Place::new();
    let called =
        place.call_with(&["search", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "--depth=3", "--hash=1"]);
    let called = called.exits(0);
    let rows: Vec<Vec<&str>> =
        called.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["depth", "time_s", "nodes", "nodes_per_s", "score", "line"]);
    assert_eq!(rows.len(), 4);
    for (depth, row) in (1..).zip(&rows[1..]) {
        assert_eq!(row[0], depth.to_string());
        assert_eq!(row[4..], ["#1", "a1a8"]);
    }
}

#[test]
fn the_bench_signature_is_the_same_every_time() {
    let place = Place::new();
    let signature = |arguments: &str| {
        let called = place.call(arguments).exits(0);
        called.out.lines().last().expect("a last line").to_owned()
    };
    let first = signature("bench --depth 3");
    assert!(first.starts_with("bench ") && first.len() > 7, "{first}");
    assert_eq!(signature("bench --depth 3 --runs 3"), first);
}

#[test]
fn the_small_commands_print() {
    let place = Place::new();
    let out = |arguments: &str| place.call(arguments).exits(0).out;
    for searcher in ["sequential\n", "\nroot-splitting\n", "\nybwc\n", "\nlazy-smp\n"] {
        assert!(out("searchers").contains(searcher));
    }
    assert!(out("searchers").contains(" publish_depth = 6"), "with the parameters");
    let memory = out("searchers --memory --threads 1,4 --hash 2 --depth 9 --format csv");
    assert!(memory.starts_with("searcher,threads,table_bytes,histories_bytes,"), "{memory}");
    assert!(
        memory.contains("\nybwc,4,2097152,") && !memory.contains("\nsequential,4,"),
        "{memory}"
    );
    assert!(out("searchers --memory").contains("stacks of coroutines"));
    assert!(out("completions bash").contains("--time-limit"));
    assert!(out("man").contains("Time to depth"));
    assert!(out("man run").contains("dry\\-run"));
    assert!(out("--version").starts_with("ttd 0."));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let place = Place::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("ttd"))
        .args(["run", "--dry-run", "--runs", "500"])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(!err.contains("a defect of ttd") && !err.contains("roken pipe"), "{err}");
}

const SMALL: &str =
    "run --cores virtual --threads 1,2 --depth 4 --only 1 --runs 3 --hash 1 --out out";

/// A place with results; the change is applied to one line of `samples.csv` (1 is the header).
fn damaged(line: usize, change: impl Fn(&str) -> String) -> Place {
    let place = Place::new();
    place.call(SMALL).exits(0);
    let text = place.read("out/samples.csv");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let changed = change(&lines[line - 1]);
    assert_ne!(changed, lines[line - 1], "nothing was changed");
    lines[line - 1] = changed;
    place.write("out/samples.csv", &(lines.join("\n") + "\n"));
    place
}

/// The change of the field after the status, which is the time.
fn time(to: &str) -> impl Fn(&str) -> String {
    move |row| {
        let (before, rest) = row.split_once(",ok,").expect("a row that is ok");
        format!("{before},ok,{to},{}", rest.split_once(',').expect("more columns").1)
    }
}

/// Checks that the report leaves a row out: both standard error and the report name it. A run
/// refuses to go on.
fn is_left_out(place: &Place, words: &str) -> Called {
    let called = place.call("report out").exits(0);
    let called = called.says(&format!("ttd: left out: out/{words}"));
    let report = place.read("out/report.md");
    let note = format!(
        "- **Left out.** Data that cannot be used are in no figure (1 row of `samples.csv`): {words}"
    );
    assert!(report.contains(&note), "{report}");
    assert!(report.contains("## Speedup") && !report.contains("**Unfinished.**"), "{report}");
    let samples = place.read("out/samples.csv");
    place.call(SMALL).exits(1).says(&format!("out/{words}"));
    assert_eq!(place.read("out/samples.csv"), samples, "nothing is changed");
    called
}

#[test]
fn times_that_are_none() {
    for wrong in ["NaN", "-1.5"] {
        let words = format!("samples.csv:4: column `time_s` holds `{wrong}`, a time in seconds");
        is_left_out(&damaged(4, time(wrong)), &words);
    }
}

#[test]
fn a_row_with_too_few_fields() {
    let place = damaged(6, |row| row.split(",ok,").next().expect("a beginning").to_owned());
    is_left_out(&place, "samples.csv:6: 6 fields where ");
    assert!(place.read("out/report.md").contains("there is nothing in column `status`"));
}

#[test]
fn a_row_of_nobody() {
    let place = damaged(3, |row| row.replace("ybwc", "best").replace("lazy-smp", "best"));
    let called = place.call("report out").exits(0);
    let words =
        "out/samples.csv:3: column `searcher` holds `best`, one of ybwc and lazy-smp expected";
    called.says(&format!("ttd: left out: {words}"));
}

#[test]
fn a_header_that_is_wrong() {
    let place = damaged(1, |header| header.replace(",time_s,", ",seconds,"));
    let before = place.read("out/report.md");
    let words = "out/samples.csv:1: the header is not that of such a file: column 8 is `seconds`, \
                 `time_s` expected";
    for command in ["report out", SMALL] {
        place.call(command).exits(1).says(words);
    }
    assert_eq!(place.read("out/report.md"), before, "the report is as it was");
}

#[test]
fn a_searcher_of_another_version() {
    let place = Place::new();
    place.call(SMALL).exits(0);
    for file in ["out/experiment.toml", "out/samples.csv"] {
        place.write(file, &place.read(file).replace("lazy-smp", "future"));
    }
    let called = place.call("report out").exits(0);
    let called = called.says(": there is no searcher `future` in this version");
    called.says(": column `searcher` holds `future`, `ybwc` expected (and 5 more rows likewise)");
    let report = place.read("out/report.md");
    assert!(report.contains("time to depth of ybwc\n"), "{report}");
    assert!(report.contains("(6 rows of `samples.csv`)"), "{report}");
    assert!(!report.contains("**Unfinished.**"), "{report}");
    // A run has to know all keys of its experiment.
    place.call(SMALL).exits(2).says("experiment.toml:").says("`future`");
}

#[test]
fn a_position_that_is_not_there() {
    let place = Place::new();
    place.call(SMALL).exits(0);
    place.call("report out --position 99").exits(2).says("there is no position 99");
    place.call("report out --position nowhere").exits(2).says("there is no position `nowhere`");
    place.call("report out --position 30").exits(2).says("no sample is of");
    place.call("report out --position 1").exits(0);
}

#[test]
fn no_samples_of_the_base() {
    let place = Place::new();
    place.call(SMALL).exits(0);
    let text = place.read("out/samples.csv");
    let is_base = |line: &&str| line.contains(",ybwc,1,");
    let others: Vec<&str> = text.lines().filter(|line| !is_base(line)).collect();
    place.write("out/samples.csv", &(others.join("\n") + "\n"));
    place.call("report out").exits(0);
    let report = place.read("out/report.md");
    let note = "- **No base.** Speedups are relative to the same searcher at one thread. This base has no samples \
                with a time where these cells have some: ybwc at ";
    assert!(report.contains(note), "{report}");
    // Net speedup has the best one-thread setting of the engine as its base.
    assert!(report.contains("The base of net speedup is lazy-smp at one thread"), "{report}");
    assert!(report.contains("**lazy-smp**: net speedup at most"), "{report}");
}
