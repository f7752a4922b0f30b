//! Outside engines on virtual cores: the small engine of `ttd-cores`, with a hook.
//!
//! The tests need the C compiler `cc`, and `ttd-cores` beside the program. It is built by
//! `cargo build -p ttd-cores --bins --examples`, and by the tests of that package. Where one is
//! missing they are left out with a word.

use crate::common::{Called, Place, program};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The engine, compiled plainly, with the assembler's hook, and with one of another version.
pub(crate) struct Toy {
    pub(crate) plain: PathBuf,
    pub(crate) hooked: PathBuf,
    pub(crate) other: PathBuf,
    /// An engine with one thread, that waits often.
    waiting: PathBuf,
}

pub(crate) fn toy() -> Option<&'static Toy> {
    static TOY: OnceLock<Option<Toy>> = OnceLock::new();
    TOY.get_or_init(compiled).as_ref()
}

fn compiled() -> Option<Toy> {
    let runner = program().with_file_name("ttd-cores");
    if !runner.is_file() || Command::new("cc").arg("--version").output().is_err() {
        eprintln!("left out: there is no `ttd-cores` beside the program, or no C compiler `cc`");
        return None;
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/ttd-cores/tests/engine.c");
    let hook = Command::new(&runner).args(["instrument", "gcc"]).arg(dir.join("toy-hook")).output();
    let hook = String::from_utf8(hook.expect("it runs").stdout).expect("text");
    let compile = |name: &str, source: &str, flags: &str| {
        let program = dir.join(name);
        let mut command = Command::new("cc");
        command.args(["-std=gnu11", "-O2", "-pthread", source, "-o"]).arg(&program);
        assert!(command.args(flags.split_whitespace()).status().expect("it runs").success());
        program
    };
    let build = |name: &str, flags: &str| compile(name, source, flags);
    let (hooked, other) = (build("toy-hooked", &hook), build("toy-other", &hook));
    let text = dir.join("toy-waiting.c");
    std::fs::write(&text, WAITING).expect("a file");
    let waiting = compile("toy-waiting", text.to_str().expect("text"), &hook);
    let mut bytes = std::fs::read(&hooked).expect("a program");
    let mark = b"ttd-cores hook 1";
    let at = bytes.windows(mark.len()).position(|part| part == mark).expect("it has a mark");
    bytes[at + mark.len() - 1] = b'9';
    std::fs::write(&other, bytes).expect("a file");
    Some(Toy { plain: build("toy-plain", ""), hooked, other, waiting })
}

/// It waits 20,000 times in each search. A position with letters for castling ends it, unless it
/// was told of Chess960.
const WAITING: &str = r#"
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    char line[1024];
    int depth, told = 0;
    const char *move = "";
    while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n")) {
        if (!strcmp(line, "uci\n"))
            puts("id name waiting\noption name UCI_Chess960 type check default false\nuciok");
        else if (!strcmp(line, "isready\n")) puts("readyok");
        else if (!strcmp(line, "setoption name UCI_Chess960 value true\n")) told = 1;
        else if (!strncmp(line, "position", 8)) {
            int is_960 = strstr(line, " HFhf ") != NULL;
            if (is_960 && !told) return 3;
            move = is_960 ? "f4f5" : "a1a2";
        } else if (sscanf(line, "go depth %d", &depth) == 1) {
            for (int at = 0; at < 20000; at++) usleep(1);
            printf("info depth %d score cp 1 nodes 9 pv %s\nbestmove %s\n", depth, move, move);
        }
        fflush(stdout);
    }
}
"#;

/// Positions in which every move of a man of the first rank to the second is legal.
const SET: &str = "k7/p7/8/8/8/8/8/RRRKRRRR w - - id \"toy.1\";\n\
    k7/p7/8/2p5/8/8/8/RRRKRRRR w - - id \"toy.2\";\n";

/// A place with the positions.
pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("toy.epd", SET);
    place
}

/// Calls `ttd` with an engine of this name and these keys.
pub(crate) fn call(place: &Place, command: &str, program: &Path, keys: &str, rest: &str) -> Called {
    let spec = format!("name=toy command={} {keys}", program.display());
    let first = [command, "--engine", &spec];
    let rest = rest.split_whitespace();
    place.call_with(&first.into_iter().chain(rest).collect::<Vec<_>>())
}

pub(crate) const RUN: &str =
    "--cores virtual --positions toy.epd --threads 1,2 --depth 7 --hash 1 --runs 1 --out out";

#[test]
fn the_numbers_of_virtual_cores_are_those_of_the_experiment() {
    let Some(toy) = toy() else { return };
    let run = |place: &Place, keys: &str, rest: &str| {
        call(place, "run", &toy.hooked, keys, &format!("{RUN} {rest}"))
    };
    let place = place();
    run(&place, "", "").exits(0);
    let written = place.read("out/experiment.toml");
    for line in ["price_ps = 300", "[virtual_engines]", "quantum_ns = 10000", "wake_ns = 5000"] {
        assert!(written.contains(line), "{line}: {written}");
    }
    let report = place.read("out/report.md");
    assert!(report.contains("toy: 300 ps"), "{report}");
    // The default is the same experiment when it is said, and in the written file.
    let samples = place.read("out/samples.csv");
    assert!(samples.contains(",ok,"), "{samples}");
    run(&place, "price_ps=300", "").exits(0).says("all done already");
    place.call("run out/experiment.toml --out out").exits(0).says("all done already");
    assert_eq!(place.read("out/samples.csv"), samples);
    // Older programs wrote neither.
    let newer = ["price_ps", "[virtual_engines]", "quantum_ns", "start_ns", "wake_ns"];
    let is_older = |line: &&str| !newer.iter().any(|key| line.starts_with(key));
    let older: Vec<&str> = written.lines().filter(is_older).collect();
    place.write("out/experiment.toml", &older.join("\n"));
    for rest in ["", "--dry-run"] {
        for keys in ["", "price_ps=300"] {
            run(&place, keys, rest).exits(0).says("all done already");
        }
        run(&place, "price_ps=600", rest).exits(2).says("engines.toy.price_ps: 300 there, 600");
    }
    run(&place, "price_ps=600", "").exits(2).says("engines.toy.price_ps: 300 there, 600 here");
    // Twice the price is about twice the time. Waits cost the same.
    run(&place, "price_ps=600", "--fresh").exits(0);
    let dearer = place.read("out/samples.csv");
    let times = |samples: &str| -> f64 { column(samples, "time_s").iter().sum() };
    let ratio = times(&dearer) / times(&samples);
    assert!(ratio > 1.5 && ratio < 2.5, "{ratio}: {samples}{dearer}");
    run(&place, "price_ps=0", "").exits(2).says("price_ps: 0 found, 1 to 1000000000 expected");
    let variable = "env.TTD_CORES_PRICE_PS=5";
    run(&place, variable, "").exits(2).says("the key `price_ps` expected in its place");
    let real = "--cores real --positions toy.epd --threads 1 --depth 7 --hash 1 --out real";
    call(&place, "run", &toy.hooked, "price_ps=300", real).exits(2).says("found with real cores");
    place.write("e.toml", "threads = [1]\n[virtual_engines]\nquantum_ns = 0\n");
    place.call("run e.toml --cores virtual").exits(2).says("e.toml:3: virtual_engines.quantum_ns");
    place.call("run e.toml").exits(2).says("1 to 1000000 expected");
    place.write("e.toml", "threads = [1]\n[virtual_engines]\nquantum_ns = 5\n");
    place.call("run e.toml").exits(2).says("found with real cores, none expected");
    call(&place, "run", &toy.other, "", RUN).exits(2).says("its hook is of version 9");
}

#[test]
fn two_threads_on_one_processor_are_no_faster() {
    let Some(toy) = toy() else { return };
    let place = place();
    place.write("one.toml", "[virtual_engines]\nprocessors = 1\nslice_ps = 100000000\n");
    call(&place, "run", &toy.hooked, "", &format!("{RUN} one.toml")).exits(0);
    let written = place.read("out/experiment.toml");
    assert!(written.contains("processors = 1\n") && written.contains("switch_ps = 3800000\n"));
    let samples = place.read("out/samples.csv");
    let times = column(&samples, "threads").into_iter().zip(column(&samples, "time_s"));
    let (one, two): (Vec<_>, Vec<_>) = times.partition(|(threads, _)| *threads < 1.5);
    let sum = |of: &[(f64, f64)]| of.iter().map(|(_, time)| time).sum::<f64>();
    assert!(sum(&two) > 0.9 * sum(&one), "{samples}");
    // Each of both threads works for half of the time.
    let [search, wait] = ["search_s", "wait_work_s"].map(|name| column(&samples, name));
    let all: f64 = search.iter().sum();
    assert!(wait.iter().sum::<f64>() > 0.3 * all, "{samples}");
}

/// The numbers of a column.
pub(crate) fn column(csv: &str, name: &str) -> Vec<f64> {
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let at = header.iter().position(|column| *column == name).expect("a column");
    lines
        .map(|line| line.split(',').nth(at).and_then(|field| field.parse().ok()).expect(name))
        .collect()
}

#[test]
fn busy_fractions_are_known() {
    let Some(toy) = toy() else { return };
    let place = place();
    let spent = |price_ps: u32| {
        let keys = format!("price_ps={price_ps}");
        call(&place, "run", &toy.hooked, &keys, &format!("{RUN} --fresh")).exits(0);
        let samples = place.read("out/samples.csv");
        ["threads", "search_s", "wait_work_s"].map(|name| column(&samples, name))
    };
    let ([threads, search, wait], [_, dear_search, dear_wait]) = (spent(300), spent(3_000));
    for at in 0..threads.len() {
        // Work is dearer by the price, and waiting is not. A few calls have a price of their own.
        let work = dear_search[at] / search[at];
        assert!(work > 5.0, "{search:?} {dear_search:?}");
        if threads[at] < 1.5 {
            assert!((8.0..10.1).contains(&work), "{search:?} {dear_search:?}");
            assert!(dear_wait[at] < 2.0 * wait[at] + 1e-9, "{wait:?} {dear_wait:?}");
        } else {
            // The second thread begins later than the first.
            assert!(wait[at] > 1e-6, "{wait:?}");
        }
    }
    assert!(place.read("out/report.md").contains("How the workers spent their time"));
}

#[test]
fn a_search_is_stopped_at_a_virtual_time() {
    let Some(toy) = toy() else { return };
    let place = place();
    let limited = "--cores virtual --positions toy.epd --threads 1,2 --depth 40 --hash 1 --runs 1 \
                   --time-limit 0.01 --out out";
    call(&place, "run", &toy.hooked, "", limited).exits(0);
    let samples = place.read("out/samples.csv");
    assert_eq!(samples.matches(",censored,").count(), 4, "{samples}");
    assert!(
        column(&samples, "time_s").iter().all(|time| (0.01..0.011).contains(time)),
        "{samples}"
    );
    let told = RUN.replace("--out out", "--out told");
    call(&place, "run", &toy.hooked, "end=depth-reported", &told).exits(0);
    let told = place.read("told/samples.csv");
    assert_eq!(told.matches(",ok,").count(), 4, "{told}");
}

#[test]
fn a_price_is_measured() {
    let Some(toy) = toy() else { return };
    let place = place();
    let keys = format!("plain={}", toy.plain.display());
    // Searches of a tenth of a second.
    let rest = "--positions toy.epd --depth 12 --hash 1 --runs 2";
    let called = call(&place, "calibrate", &toy.hooked, &keys, rest).exits(0);
    let text = &called.out;
    let price = text.lines().find_map(|line| line.strip_prefix("price_ps = "));
    let price: u64 = price.and_then(|price| price.parse().ok()).expect("a price");
    assert!(text.contains("[[engines]]\n") && text.contains("standard deviation"), "{text}");
    assert!(!text.contains("In doubt"), "{text}");
    // The lines are an experiment, in which a search takes the time that was measured.
    place.write("e.toml", &format!("threads = [1]\ndepth = 12\npositions = \"toy.epd\"\n{text}"));
    place.call("run e.toml --cores virtual --hash 1 --runs 1 --out out").exits(0);
    assert!(place.read("out/experiment.toml").contains(&format!("price_ps = {price}")));
    let times = column(&place.read("out/samples.csv"), "time_s");
    let json = || -> serde_json::Value {
        let called = call(&place, "calibrate", &toy.hooked, "", &format!("{rest} --json")).exits(0);
        serde_json::from_str(&called.out).expect("JSON")
    };
    let (once, again) = (json(), json());
    let numbers = |of: &serde_json::Value, key: &str| -> Vec<f64> {
        (0..2).map(|at| of["positions"][at][key].as_f64().expect("a number")).collect()
    };
    assert_eq!(numbers(&once, "plain_nodes"), numbers(&once, "virtual_nodes"));
    assert_eq!(numbers(&once, "virtual_s"), numbers(&again, "virtual_s"));
    let by_price: f64 = numbers(&once, "virtual_s").iter().map(|s| s * price as f64 / 1e3).sum();
    let taken: f64 = times.iter().sum();
    assert!((taken / by_price - 1.0).abs() < 0.01, "{times:?}, {by_price}");
    let prices = numbers(&once, "plain_s").into_iter().zip(numbers(&once, "virtual_s"));
    let mean = prices.map(|(plain, there)| (1e3 * plain / there).ln()).sum::<f64>() / 2.0;
    assert!((once["price_ps"].as_f64().expect("a price") - mean.exp()).abs() < 1.0, "{once}");
    let doubt = once["in_doubt"][0].as_str().expect("a doubt");
    assert!(doubt.contains("its hook, which slows it"), "{once}");
    call(&place, "calibrate", &toy.other, "", rest).exits(2).says("its hook is of version 9");
    call(&place, "calibrate", Path::new("./none"), "", rest).exits(2).says("none");
    // The hook is looked at before anything is timed.
    let first =
        call(&place, "calibrate", &toy.other, "plain=./none", "--positions toy.epd --hash 1");
    first.exits(2).says("its hook is of version 9");
    let limit = "--positions toy.epd --depth 40 --hash 1 --runs 1 --host-limit 1";
    let there = call(&place, "calibrate", &toy.hooked, "", limit).exits(2);
    there.says("on virtual cores: no best move within 1 s of the host");
    let here = call(&place, "calibrate", &toy.waiting, &keys, limit).exits(2);
    here.says("its search to depth 40 takes more than 1 s (--host-limit)");
    // A position whose search takes too long is left out, and doubted.
    let slow = "case $l in *2p5*) s=4 ;; go*) sleep ${s:-0} ;; esac; echo \"$l\"";
    let script = format!("while read -r l; do {slow}; done | {}", toy.plain.display());
    place.write("slow.sh", &script);
    let rest = "--positions toy.epd --depth 12 --hash 1 --runs 1 --host-limit 2 --quiet";
    let called = call(&place, "calibrate", &toy.hooked, "plain=\"sh slow.sh\"", rest).exits(0);
    let left_out = "toy.2 is left out: `sh`: its search to depth 12 takes more than 2 s";
    assert!(called.out.contains(left_out), "{}", called.out);
    let keys = "plain=./none";
    call(&place, "calibrate", &toy.hooked, keys, rest).exits(2).says("there is no such program");
}

#[test]
fn the_threads_of_an_engine_are_drawn() {
    let Some(toy) = toy() else { return };
    let place = place();
    let trace = |program: &Path, keys: &str, rest: &str| {
        let spec = format!("name=toy command={} {keys}", program.display());
        let fen = "k7/p7/8/8/8/8/8/RRRKRRRR w - - 0 1";
        let words = ["trace", fen, "--engine", &spec, "--threads", "3", "--hash", "1"];
        place.call_with(&words.into_iter().chain(rest.split_whitespace()).collect::<Vec<_>>())
    };
    let draw = |keys: &str, rest: &str| {
        let files = format!("--depth 8 --out a.json --svg a.svg {rest}");
        let called = trace(&toy.hooked, keys, &files).exits(0);
        (called.err, place.read("a.json"), place.read("a.svg"))
    };
    let (said, json, picture) = draw("", "");
    assert!(said.contains("price_ps = 300, the usual price"), "{said}");
    assert!(picture.contains("toy, 3 threads on virtual cores, depth 8"));
    assert_eq!((&json, &picture), (&draw("", "").1, &draw("", "").2));
    assert_ne!(json, draw("", "--seed 2").1);
    let (said, dearer, _) = draw("price_ps=600", "");
    assert!(!said.contains("usual") && dearer != json, "{said}");
    let trace_of: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let events = trace_of["traceEvents"].as_array().expect("a list");
    let stretches = |thread: usize| {
        let is_it = move |e: &&serde_json::Value| e["ph"] == "X" && e["tid"] == thread;
        events.iter().filter(is_it)
    };
    let micros = |e: &serde_json::Value, key: &str| e[key].as_f64().expect("microseconds");
    let depths =
        events.iter().filter_map(|e| Some((e["args"]["depth"].as_u64()?, micros(e, "ts"))));
    let (deepest, end) = depths.max_by_key(|(depth, _)| *depth).expect("iterations");
    assert_eq!(deepest, 8);
    for thread in 0..4 {
        // Each stretch begins at the end of the one before, from `go` to the best move.
        let at = stretches(thread).fold(0.0, |at: f64, e| {
            assert!((micros(e, "ts") - at).abs() < 1e-3, "{thread}: {json}");
            micros(e, "ts") + micros(e, "dur")
        });
        assert!(at + 10.0 >= end && at < end + 1_000.0, "{thread}: {at} {end}");
    }
    // The first thread reads, and the others search.
    let named = |thread, name: &str| stretches(thread).filter(|e| e["name"] == name).count();
    assert!(named(0, "input") > 0 && (1..4).all(|thread| named(thread, "search") > 0), "{json}");
    for (program, keys, rest, why) in [
        (&toy.other, "", "--out b.json", "its hook is of version 9"),
        (&toy.hooked, "", "--out b.json --cores real", "--cores: real found, virtual expected"),
        (&toy.hooked, "", "--out b.json --searcher ybwc", "cannot be used with"),
        (&toy.hooked, "protocol=xboard", "--out b.json", "uci expected on virtual cores"),
        (&toy.hooked, "end=depth-reported", "--out b.json", "bestmove expected"),
        (&toy.hooked, "price_ps=0", "--out b.json", "price_ps: 0 found"),
        (&toy.hooked, "", "", "--out"),
        (
            &toy.hooked,
            "",
            "--out b.json --depth 40 --host-limit 1",
            "no best move within 1 s of the",
        ),
    ] {
        trace(program, keys, rest).exits(2).says(why);
        assert!(!place.path("b.json").exists());
    }
}

/// Traces the search of a position to depth 2, by one thread.
fn trace_alone(place: &Place, program: &Path, fen: &str, rest: &str) -> Called {
    let spec = format!("name=toy command={}", program.display());
    let words = ["trace", fen, "--engine", &spec, "--depth", "2", "--hash", "1"];
    place.call_with(&words.into_iter().chain(rest.split_whitespace()).collect::<Vec<_>>())
}

const ROOKS: &str = "k7/p7/8/8/8/8/8/RRRKRRRR w - - 0 1";

#[test]
fn a_trace_of_one_thread_has_two_rows_and_more_are_refused_where_there_is_one() {
    let Some(toy) = toy() else { return };
    let place = place();
    trace_alone(&place, &toy.hooked, ROOKS, "--threads 1 --out a.json --svg a.svg").exits(0);
    assert!(place.read("a.svg").contains("toy, 1 thread on virtual cores, depth 2"));
    let json: serde_json::Value = serde_json::from_str(&place.read("a.json")).expect("JSON");
    let events = json["traceEvents"].as_array().expect("a list");
    let is_it = |e: &&serde_json::Value| e["ph"] == "X";
    let mut rows: Vec<_> = events.iter().filter(is_it).filter_map(|e| e["tid"].as_u64()).collect();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows, [0, 1], "{json}");
    let two = trace_alone(&place, &toy.waiting, ROOKS, "--threads 2 --out b.json");
    two.exits(2).says("--threads: 2 found, 1 expected: it has one");
    assert!(!place.path("b.json").exists());
}

#[test]
fn a_trace_beyond_its_bound_is_refused_and_its_picture_ends() {
    let Some(toy) = toy() else { return };
    let place = place();
    let files = "--threads 1 --out a.json --svg a.svg --most-mib";
    let few = trace_alone(&place, &toy.waiting, ROOKS, &format!("{files} 1"));
    few.exits(2).says("--most-mib: 1 found, but").says("fewer --threads expected");
    assert!(!place.path("a.json").exists());
    let picture = "--threads 1 --svg a.svg --most-mib 1";
    let cut = trace_alone(&place, &toy.waiting, ROOKS, picture).exits(0);
    cut.says("ttd: a.svg is not complete: the search has more events than a trace of 1 MiB holds");
    let whole = trace_alone(&place, &toy.waiting, ROOKS, &format!("{files} 64")).exits(0);
    assert!(!whole.err.contains("not complete"), "{}", whole.err);
    assert!(place.read("a.json").len() > 1 << 20);
}

#[test]
fn a_position_of_chess960_is_traced_where_the_engine_knows_them() {
    let Some(toy) = toy() else { return };
    let place = place();
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    trace_alone(&place, &toy.waiting, fen, "--threads 1 --svg a.svg").exits(0);
    assert!(place.read("a.svg").contains("toy, 1 thread"));
    let knows_not = trace_alone(&place, &toy.hooked, fen, "--threads 1 --svg b.svg");
    knows_not.exits(2).says("a position of Chess960 found, and no option UCI_Chess960");
    assert!(!place.path("b.svg").exists());
}
