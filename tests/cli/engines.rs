//! Sweeps over outside engines, and hunts in them. The engine has one fault at a time. It is
//! scripted, or the small engine of `ttd-cores`.

use crate::common::{Called, Place, program};
use crate::hooked::{RUN, call, column, place as toy_place, toy};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// An engine as one word of `--engine`.
fn engine(name: &str, fault: &str, more: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    format!("name={name} 'command=sh {script} {fault}' {more}")
}

/// Positions in which the scripted engine's moves are legal.
const POSITIONS: &str = "\
    rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"one\";\n\
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"two\";\n";

/// Measures these engines, twice from each of two positions to depth 4 unless said otherwise.
fn run(place: &Place, engines: &[String], more: &str) -> Called {
    place.write("two.epd", POSITIONS);
    let mut arguments = vec!["run", "--positions", "two.epd", "--out", "out"];
    for (option, value) in [("--depth", "4"), ("--runs", "2")] {
        if !more.contains(option) {
            arguments.extend([option, value]);
        }
    }
    for engine in engines {
        arguments.extend(["--engine", engine]);
    }
    arguments.extend(more.split_whitespace());
    place.call_with(&arguments)
}

/// The fields of a file's rows, by column.
fn rows(place: &Place, file: &str) -> Vec<std::collections::HashMap<String, String>> {
    let text = place.read(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn engines_are_measured_beside_our_searchers() {
    let place = Place::new();
    let engines = [engine("old", "none", ""), engine("new", "none", "fresh_process=false")];
    run(&place, &engines, "--searchers ybwc --threads 1,2 --hash 4").exits(0);
    let samples = rows(&place, "out/samples.csv");
    assert_eq!(samples.len(), 3 * 2 * 2 * 2);
    for sample in &samples {
        assert_eq!(sample["status"], "ok");
        let ours = sample["searcher"] == "ybwc";
        assert_eq!(sample["search_s"].is_empty(), !ours, "what is not told is blank");
        if !ours {
            assert_eq!((sample["nodes"].as_str(), sample["score"].as_str()), ("4000", "40"));
            assert_eq!(sample["table_fill"], "0.004000");
        }
    }
    let told = rows(&place, "out/told.csv");
    assert_eq!(told.len(), 2 * 2 * 2 * 2 * 4, "each depth of each sample");
    assert!(told.iter().all(|row| row["nodes"] == format!("{}000", row["depth"])));
    assert_eq!(rows(&place, "out/iterations.csv").len(), 3 * 2 * 2 * 2 * 4);
    let summary = rows(&place, "out/summary.csv");
    let of = |row: &std::collections::HashMap<String, String>| {
        (row["searcher"] == "new" && row["threads"] == "2").then(|| row.clone())
    };
    let two = summary.iter().find_map(of).expect("a row");
    assert_eq!(two["busy_fraction"], "", "nobody told how long its threads searched");
    assert!(!two["node_rate"].is_empty() && !two["search_overhead"].is_empty());
    assert!(place.read("out/environment.toml").contains("says = \"Scripted 1.0\""));
    let report = place.read("out/report.md");
    assert!(report.contains("ybwc, old and new"), "{report}");
    // The resolved experiment goes on where it is.
    place.call("run out/experiment.toml --out out").exits(0).says("all done already");
}

#[test]
fn a_fault_costs_a_sample_and_no_more() {
    for (fault, message) in [
        ("die", "it ended (exit status 7)"),
        ("illegal", "the move `e2e5` is not legal"),
        ("garbage", "it wrote a line of more than 65536 bytes"),
        ("shallow", "it gave a move and told of no depth (before depth 4)"),
        ("none-found", "the move `(none)` is not legal"),
    ] {
        let place = Place::new();
        let engines = [engine("bad", fault, ""), engine("good", "none", "")];
        run(&place, &engines, "--threads 1 --hash 4").exits(3).says("4 samples failed");
        let samples = rows(&place, "out/samples.csv");
        let failed = samples.iter().filter(|s| s["status"] == "failed");
        assert_eq!(failed.clone().count(), 4);
        assert!(failed.clone().all(|s| s["searcher"] == "bad" && s["time_s"] == "0.000000000"));
        let log = place.read("out/log.txt");
        assert!(log.contains(message) && log.contains("x 1, "), "{fault}: {log}");
        assert!(fault == "shallow" || log.contains("    > go depth 4"), "{fault}: {log}");
    }
}

#[test]
fn the_next_sample_has_a_process_that_works() {
    let place = Place::new();
    let state = place.path("state");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    let command = format!(
        "name=x 'command=env STATE={} sh {script} die-now-and-then' fresh_process=false",
        state.display()
    );
    run(&place, &[command], "--threads 1 --hash 4").exits(3).says("2 samples failed");
    let samples = rows(&place, "out/samples.csv");
    let statuses: Vec<&str> = samples.iter().map(|s| s["status"].as_str()).collect();
    assert_eq!(statuses, ["failed", "ok", "failed", "ok"]);
}

#[test]
fn the_time_limit_censors_and_whoever_ignores_it_fails() {
    let place = Place::new();
    run(&place, &[engine("slow", "censored", "")], "--threads 1 --runs 1 --time-limit 0.1")
        .exits(0);
    let samples = rows(&place, "out/samples.csv");
    // A busy host reads the clock late.
    let is_over = |time_s: &String| time_s.parse::<f64>().is_ok_and(|time_s| time_s >= 0.1);
    assert!(samples.iter().all(|s| s["status"] == "censored" && is_over(&s["time_s"])));
    let place = Place::new();
    let more = "--threads 1 --runs 1 --only one --time-limit 0.1";
    run(&place, &[engine("deaf", "ignore-stop", "")], more).exits(3);
    assert!(place.read("out/log.txt").contains("no best move within 5 s of `stop`"));
}

#[test]
fn a_search_may_end_when_the_depth_is_told() {
    // The scripted engine tells of a deeper iteration when it is stopped.
    let place = Place::new();
    let engines = [engine("x", "none", "end=depth-reported")];
    run(&place, &engines, "--threads 1 --depth 3 --runs 1 --only one").exits(0);
    let sample = &rows(&place, "out/samples.csv")[0];
    let told = rows(&place, "out/told.csv");
    let third = told.iter().find(|row| row["depth"] == "3").expect("a row");
    assert_eq!(told.len(), 3);
    assert_eq!((&sample["time_s"], &sample["nodes"]), (&third["read_s"], &third["nodes"]));
    let seconds = |text: &str| text.parse::<f64>().expect("seconds");
    assert!(seconds(&third["bestmove_s"]) >= seconds(&third["read_s"]));
}

#[test]
fn xboard_engines_are_measured_too() {
    let place = Place::new();
    let engines = [
        engine("one", "xboard", "protocol=xboard"),
        engine("two", "xboard-threads", "protocol=xboard"),
    ];
    run(&place, &engines, "--threads 1,2 --hash 4").exits(0);
    let samples = rows(&place, "out/samples.csv");
    let threads = |name: &str| samples.iter().filter(|s| s["searcher"] == name).count();
    assert_eq!((threads("one"), threads("two")), (4, 8), "one has no threads to set");
    assert!(place.read("out/experiment.toml").contains("one_thread = true"));
    assert!(rows(&place, "out/told.csv").iter().all(|row| row["own_s"] == "0.010000000"));
}

#[test]
fn what_cannot_be_is_refused_before_anything_starts() {
    let place = Place::new();
    let refused = |engines: &[String], more: &str, message: &str| {
        run(&place, engines, more).exits(2).says(message);
        assert!(!place.path("out").exists());
    };
    refused(&["./none".to_owned()], "", "cannot be started: there is no such program");
    refused(
        &[engine("x", "none", "option.Ponder=true")],
        "",
        "it refuses `Ponder`: it does not offer it",
    );
    refused(
        &[engine("x", "none", "")],
        "--threads 1,9",
        "it refuses `Threads`: 9 found, 1 to 8 expected",
    );
    refused(
        &[engine("x", "none", "")],
        "--hash 2048",
        "it refuses `Hash`: 2048 found, 1 to 1024 expected",
    );
    refused(&[engine("x", "die-at-once", "")], "", "it ended (exit status 3)");
    refused(&[engine("x", "die-at-once", "")], "", "  ! no such network");
    refused(
        &[engine("x", "none", "option.Hash=9")],
        "",
        "it refuses `Hash`: a sweep or a match sets",
    );
    refused(&[engine("ybwc", "none", "")], "", "--engine: name: `ybwc` found");
    refused(&[engine("x", "none", ""), engine("x", "none", "")], "", "no other competitor has");
    // The program that has virtual cores for others may be missing here. This engine has no hook.
    refused(&[engine("x", "none", "")], "--cores virtual", "ttd-cores");
    refused(
        &[engine("x", "none", "")],
        "--pin 4095",
        "--pin: 4095 found, a processor that can be used",
    );
    place.write("e.toml", "threads = [1]\n[[engines]]\nname = \"a\"\ncommand = []\n");
    place.call("run e.toml").exits(2).says("e.toml:4: engines.command: empty");
    place.write(
        "e.toml",
        "threads = [1]\n[[engines]]\nname = \"a\"\ncommand = \"x\"\nprotocol = \"usi\"\n",
    );
    place.call("run e.toml").exits(2).says("unknown value `usi`");
}

#[test]
#[cfg(unix)]
fn nothing_of_an_engine_is_left_when_a_run_is_interrupted() {
    let place = Place::new();
    let marker = format!("{}", place.path("marker").display());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    let spec = format!("name=x 'command=sh {script} hang {marker}'");
    let run = Command::new(program())
        .args(["run", "--engine", &spec, "--threads", "1", "--depth", "4", "--out", "out"])
        .current_dir(place.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let begun = Instant::now();
    let running = || {
        let found = Command::new("pgrep").args(["-f", &marker]).output().expect("pgrep runs");
        String::from_utf8_lossy(&found.stdout).lines().count()
    };
    // The look at the engine comes before the journal, and the journal before the first sample. So
    // the engine that runs now is that of the sample.
    while !place.path("out/samples.csv").exists() || running() < 2 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it does not start");
        sleep(Duration::from_millis(5));
    }
    let status = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
    let ended = run.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(running(), 0, "the engine is gone");
}

#[test]
fn an_engine_is_checked() {
    let place = Place::new();
    let ours = format!("name=ours 'command={} uci'", program().display());
    let called = place.call_with(&["engine", "check", &ours]).exits(0);
    for found in
        ["name              ttd", "depth, 2 threads  10 asked for and reached", "It can be"]
    {
        assert!(called.out.contains(found), "{}", called.out);
    }
    let called = place.call_with(&["engine", "check", &engine("x", "none", "")]).exits(3);
    assert!(called.out.contains("the move `a2a3` is not legal"), "{}", called.out);
    place.call("engine check ./none").exits(2).says("there is no such program");
}

#[test]
fn an_engine_is_checked_for_virtual_cores_too() {
    let Some(toy) = toy() else { return };
    let place = toy_place();
    let check = |program: &Path, rest: &str| {
        let spec = format!("name=toy command={} depth=3", program.display());
        place.call_with(&["engine", "check", &spec, rest])
    };
    // Its moves are of another game, so that the rest of the answer is bad.
    let told = check(&toy.hooked, "--virtual").exits(3).out;
    let well = "      virtual cores     its blocks count instructions (hook 1)\n";
    assert!(told.starts_with(well), "{told}");
    for found in ["note  virtual cores     memory is not modelled", "price_ps=300\n"] {
        assert!(told.contains(found), "{told}");
    }
    assert!(!check(&toy.hooked, "-q").exits(3).out.contains("virtual cores"));
    let told = check(&toy.other, "--virtual").exits(3).out;
    assert!(told.starts_with("BAD   virtual cores     not on virtual cores: its hook"), "{told}");
    check(Path::new("./none"), "--virtual").exits(2).says("there is no such program");
}

#[test]
fn the_flags_of_a_hook_are_those_of_the_runner() {
    if toy().is_none() {
        return;
    }
    let place = Place::new();
    let of =
        |program: &Path, words: &str| place.call_of(program, &words.split(' ').collect::<Vec<_>>());
    let runner = program().with_file_name("ttd-cores");
    for hook in ["gcc", "clang", "rustc", "trace-pc"] {
        let words = format!("instrument {hook} hook");
        assert_eq!(of(program(), &words).exits(0).out, of(&runner, &words).exits(0).out);
    }
    assert!(place.path("hook/as").is_file());
    place.write("file", "");
    place.call("instrument gcc file").exits(2).says("file: ");
    place.call("instrument icc hook").exits(2).says("possible values: gcc, clang");
}

#[test]
fn a_program_without_a_hook_is_measured_in_qemu() {
    let Some(toy) = toy() else { return };
    let mut check = Command::new(program().with_file_name("ttd-cores"));
    let told = check.arg("check").arg(&toy.plain).output().expect("it runs").stdout;
    let told = String::from_utf8(told).expect("text");
    let lacks = ["there is no program qemu-x86_64", "more instructions than qemu knows"];
    if lacks.iter().any(|what| told.contains(what)) || !cfg!(target_arch = "x86_64") {
        // The macros write what nobody sees of a test that passes.
        write!(std::io::stderr(), "left out: {told}").expect("written");
        return;
    }
    let place = toy_place();
    call(&place, "run", &toy.plain, "", RUN).exits(0).says("no hook: qemu-x86_64 slows it");
    let samples = place.read("out/samples.csv");
    assert!(place.read("out/experiment.toml").contains("price_ps = 300"));
    // Program, runner, library, plugin and qemu.
    let seen = place.read("out/environment.toml");
    let is_it = |line: &str| line.starts_with("program = ") && line.matches('+').count() == 4;
    assert!(seen.lines().any(is_it), "{seen}");
    call(&place, "run", &toy.hooked, "", &RUN.replace("--out out", "--out hooked")).exits(0);
    let hooked = place.read("hooked/samples.csv");
    let alone = |csv: &str| {
        let nodes = column(csv, "threads").into_iter().zip(column(csv, "nodes"));
        nodes.filter(|(threads, _)| *threads < 1.5).map(|(_, nodes)| nodes).collect::<Vec<_>>()
    };
    assert_eq!(alone(&samples), alone(&hooked));
    let rest = "--positions toy.epd --depth 12 --hash 1 --runs 1";
    let told = call(&place, "calibrate", &toy.plain, "", rest).exits(0).out;
    assert!(told.contains("price_ps = ") && !told.contains("its hook"), "{told}");
}

/// A fault that is planted, and the hunt that finds it.
struct Planted {
    fault: &'static str,
    kind: &'static str,
    depth: u32,
    /// The limit of virtual time, in seconds.
    limit_s: f64,
    schedules: u32,
}

const PLANTED: [Planted; 4] = [
    Planted { fault: "lost-wake", kind: "hang", depth: 4, limit_s: 0.1, schedules: 18 },
    Planted { fault: "deaf-helper", kind: "late", depth: 2, limit_s: 0.002, schedules: 9 },
    Planted { fault: "torn-entry", kind: "crash", depth: 9, limit_s: 0.1, schedules: 9 },
    Planted { fault: "unfinished-move", kind: "other-move", depth: 5, limit_s: 0.1, schedules: 9 },
];

/// A hunt with this fault in the engine.
fn hunt(place: &Place, fault: &str, of: &Planted) -> Called {
    let toy = toy().expect("it was looked for");
    let Planted { depth, limit_s, schedules, .. } = of;
    let rest = format!(
        "--schedules {schedules} --positions toy.epd --threads 1,8 --depth {depth} --hash 1 \
         --time-limit {limit_s} --jobs 2 --json"
    );
    call(place, "run", &toy.hooked, &format!("option.Fault={fault}"), &rest)
}

/// The kinds of the faults that a hunt met, and the command that shows the first again.
fn met(called: &Called) -> (Vec<String>, Vec<String>) {
    let json: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
    let rows = json["faults"].as_array().expect("a list").clone();
    let kinds = rows.iter().filter_map(|row| Some(row["fault"].as_str()?.to_owned())).collect();
    let again = rows.first().and_then(|row| shell_words::split(row["again"].as_str()?).ok());
    (kinds, again.unwrap_or_default())
}

#[test]
fn planted_faults_are_found_and_repeated() {
    if toy().is_none() {
        return;
    }
    let place = toy_place();
    for of in &PLANTED {
        let called = hunt(&place, of.fault, of);
        let (kinds, again) = met(&called);
        assert_eq!(called.code, Some(1), "{}: {}", of.fault, called.err);
        assert!(kinds.iter().all(|kind| kind == of.kind), "{}: {kinds:?}", of.fault);
        let again: Vec<&str> = again.iter().skip(1).map(String::as_str).collect();
        let (repeated, _) = met(&place.call_with(&again).exits(1));
        assert_eq!(repeated, [of.kind], "{}: {again:?}", of.fault);
        // A sound engine has none in as many.
        let (kinds, _) = met(&hunt(&place, "none", of).exits(0));
        assert!(kinds.is_empty(), "{kinds:?}");
    }
}

#[test]
fn hunts_are_for_outside_engines_on_virtual_cores() {
    let Some(toy) = toy() else { return };
    let place = toy_place();
    place.call("run --schedules 3").exits(2).says("searchers of ours found");
    let rest = "--schedules 3 --cores real --positions toy.epd --threads 1";
    call(&place, "run", &toy.hooked, "", rest).exits(2).says("real cores found, virtual ones");
    call(&place, "run", &toy.other, "", "--schedules 3").exits(2).says("its hook is of version 9");
    let end = "end=depth-reported";
    call(&place, "run", &toy.hooked, end, "--schedules 3").exits(2).says("bestmove expected");
    let xboard = "protocol=xboard";
    call(&place, "calibrate", &toy.hooked, xboard, "").exits(2).says("uci expected");
    place.call("run --schedules 0").exits(2).says("--schedules");
}
