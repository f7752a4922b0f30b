//! `ttd compare`.

use crate::common::Place;
use std::fs;

const CALL: &str = "--searchers ybwc,lazy-smp --threads 1,2,4 --depth 4 --only 1,2,3 --hash 1";
const KEPT: [&str; 3] = ["experiment.toml", "environment.toml", "samples.csv"];

/// A copy of a results directory with other times, in seconds: by searcher, threads and round.
fn retimed(place: &Place, from: &str, to: &str, time_s: impl Fn(&str, usize, u32) -> f64) {
    fs::create_dir(place.path(to)).expect("a new directory");
    for file in KEPT {
        place.write(&format!("{to}/{file}"), &place.read(&format!("{from}/{file}")));
    }
    let samples = place.read(&format!("{from}/samples.csv"));
    let mut reader = csv::Reader::from_reader(samples.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|h| h == name).expect("a column");
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect("written");
    for row in reader.records() {
        let mut fields: Vec<String> = row.expect("a row").iter().map(str::to_owned).collect();
        let number = |name: &str| fields[column(name)].parse::<u32>().expect("a number");
        let (threads, round) = (number("threads") as usize, number("round"));
        fields[column("time_s")] =
            format!("{:.12}", time_s(&fields[column("searcher")], threads, round));
        writer.write_record(&fields).expect("written");
    }
    let text = String::from_utf8(writer.into_inner().expect("written")).expect("text");
    place.write(&format!("{to}/samples.csv"), &text);
}

/// A place with the results `base`: a sweep without chance in which N threads are N times as fast.
fn place() -> Place {
    let place = Place::new();
    place.write("still.toml", "cores = \"virtual\"\n[virtual]\njitter_permille = 0\n");
    place.call(&format!("run still.toml {CALL} --runs 1 --out measured")).exits(0);
    retimed(&place, "measured", "base", |_, threads, _| 8.0 / threads as f64);
    place
}

/// Times at which YBWC is slower on four threads, and Lazy SMP faster on two.
fn changed(searcher: &str, threads: usize, _: u32) -> f64 {
    let factor = match (searcher, threads) {
        ("ybwc", 4) => 1.25,
        ("lazy-smp", 2) => 0.8,
        _ => 1.0,
    };
    factor * 8.0 / threads as f64
}

#[test]
fn speedups_are_compared() {
    let place = place();
    retimed(&place, "measured", "new", changed);
    let called = place.call("compare base new").exits(0);
    assert_eq!(called.err, "");
    let expected = "\
Nothing differs that is known.

searcher  threads  verdict                      positions   figure   BASE    NEW  ratio         ci_runs    ci_positions
ybwc      2        no change of more than 3%            3  speedup  2.000  2.000  1.000  1.000 to 1.000  1.000 to 1.000
ybwc      4        regression of more than 3%           3  speedup  4.000  3.200  0.800  0.800 to 0.800  0.800 to 0.800
lazy-smp  2        improvement of more than 3%          3  speedup  2.000  2.500  1.250  1.250 to 1.250  1.250 to 1.250
lazy-smp  4        no change of more than 3%            3  speedup  4.000  4.000  1.000  1.000 to 1.000  1.000 to 1.000

Verdicts on 4 figures: 1 regression, 1 improvement and 2 without a change of more than 3%.
";
    let out: Vec<&str> = called.out.split_inclusive('\n').collect();
    assert!(out[0].starts_with("BASE: ttd ") && out[1].starts_with("NEW: ttd "), "{out:?}");
    assert!(out[2..].concat().starts_with(expected), "{}", called.out);
    place.call("compare base new --fail-on-regression").exits(4);
    place.call("compare base new --fail-on-regression --threshold 25%").exits(0);
    place.call("compare new base --fail-on-regression --threshold 10").exits(4);
    place.call("compare base base --fail-on-regression --threshold 0").exits(0);
}

#[test]
fn times_are_compared_on_request() {
    let place = place();
    // All times are doubled: the speedups are equal.
    retimed(&place, "measured", "new", |_, threads, _| 16.0 / threads as f64);
    let called = place.call("compare base new --format csv --fail-on-regression").exits(0);
    assert_eq!(called.out.lines().count(), 1 + 4);
    assert!(
        called.out.lines().skip(1).all(|line| line.ends_with(",0.03,unchanged")),
        "{}",
        called.out
    );
    let called = place.call("compare base new --format csv --times --fail-on-regression").exits(4);
    let called = called.says("BASE and NEW were not measured in turns");
    let rows: Vec<&str> = called.out.lines().collect();
    assert_eq!(rows.len(), 1 + 4 + 6);
    let fields: Vec<&str> = rows[5].split(',').collect();
    assert_eq!(
        (&fields[..6], &fields[13..]),
        (&["time_s", "ybwc", "1", "no", "3", "1"][..], &["0.03", "regression"][..])
    );
    let figures: Vec<f64> = fields[6..13].iter().map(|f| f.parse().expect("a number")).collect();
    let expected = [8.0, 16.0, 0.5, 0.5, 0.5, 0.5, 0.5];
    assert!(figures.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-9), "{figures:?}");
}

#[test]
fn both_sides_are_drawn_anew() {
    let place = Place::new();
    place.call(&format!("run --cores virtual {CALL} --runs 6 --out measured")).exits(0);
    let noisy = |slower: f64| {
        move |_: &str, threads: usize, round: u32| {
            let factor = if threads > 1 { slower } else { 1.0 };
            // Base and cell have the noise in different orders, so that it stays in ratios.
            let noise = if threads > 1 { (3 * round + 1) % 4 } else { round % 4 };
            factor * (8.0 + f64::from(noise)) / threads as f64
        }
    };
    retimed(&place, "measured", "base", noisy(1.0));
    retimed(&place, "measured", "new", noisy(1.5));
    let called = place.call("compare base new --format json").exits(0);
    let json: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
    let row = &json["rows"][0];
    assert_eq!(
        (&row["searcher"], &row["threads"], &row["runs"]),
        (&"ybwc".into(), &2.into(), &6.into())
    );
    assert!((row["ratio"].as_f64().expect("a number") - 1.0 / 1.5).abs() < 1e-9, "{row}");
    let end = |end: &str| row[&format!("ratio_ci_runs_{end}")].as_f64().expect("a number");
    assert!(end("lower") < 0.65 && end("upper") > 0.69 && end("upper") < 0.9, "{row}");
    assert_eq!(row["verdict"], "regression");
    assert_eq!(json["threshold"].as_f64(), Some(0.03));
    // A program built from uncommitted sources has a note that they are unknown.
    let notes = json["notes"].as_array().expect("a list");
    let of_sources =
        |note: &serde_json::Value| note.as_str().is_some_and(|n| n.contains("sources"));
    assert!(notes.iter().all(of_sources), "{notes:?}");
    // The runs are equal: no difference, and not certain to the last digit.
    let called = place.call("compare base base").exits(0);
    assert!(called.out.contains("not settled"), "{}", called.out);
    // One side has fewer runs.
    let rounds = |wanted: usize| {
        let samples = place.read("base/samples.csv");
        let mut lines: Vec<&str> = samples.lines().collect();
        lines.truncate(1 + wanted * 2 * 3 * 3);
        lines.join("\n") + "\n"
    };
    for (runs, message) in [(2, "Some cells have 2 only"), (1, "without an interval")] {
        let name = format!("short-{runs}");
        retimed(&place, "base", &name, noisy(1.0));
        place.write(&format!("{name}/samples.csv"), &rounds(runs));
        let called = place.call(&format!("compare base {name}")).exits(0);
        assert!(called.out.contains(message), "{}", called.out);
        assert!(
            called.out.contains(&format!("NEW has {} of 108 samples", runs * 18)),
            "{}",
            called.out
        );
    }
}

#[test]
fn what_differs_in_more_than_the_program_is_refused() {
    let place = place();
    let with = |name: &str, file: &str, from: &str, to: &str| {
        retimed(&place, "base", name, changed);
        let file = format!("{name}/{file}");
        let text = place.read(&file);
        assert!(text.contains(from), "{from} in {text}");
        place.write(&file, &text.replacen(from, to, 1));
    };
    // The program may differ; on virtual cores its build and the machine do not matter.
    with("program", "environment.toml", "\nversion = \"", "\nversion = \"9");
    let called = place.call("compare base program").exits(0);
    assert!(called.out.contains("\nDiffers: program, version: "), "{}", called.out);
    with("settings", "experiment.toml", "\nmin_depth = 4\nmost_w", "\nmin_depth = 5\nmost_w");
    let called = place.call("compare base settings").exits(2);
    assert_eq!(called.out, "");
    let difference = "settings, searcher.ybwc.min_depth: 4 in BASE, 5 in NEW";
    called.says(difference).says("Compare them nevertheless with --allow settings\n");
    let called = place.call("compare base settings --allow settings,machine").exits(0);
    assert!(called.out.contains(&format!("\nDiffers: {difference}\n")), "{}", called.out);
    let deeper = CALL.replace("--depth 4", "--depth 5");
    place.call(&format!("run still.toml {deeper} --runs 1 --out depth")).exits(0);
    let message = "(experiment, depth: 4 in BASE, 5 in NEW)";
    place.call("compare base depth --allow settings").exits(2).says(message);
    place.call("compare base depth --allow experiment").exits(0);
    // Rows that do not belong to the experiment are not compared.
    with("claimed", "experiment.toml", "\ndepth = 4", "\ndepth = 5");
    let called = place.call("compare claimed depth").exits(2);
    let called =
        called.says("(none in BASE, ybwc and lazy-smp in NEW). Left out. Data that cannot");
    called.says("samples.csv:2: column `depth` holds `4`, `5` expected");
    // The number of runs and their order make no difference.
    with("runs", "experiment.toml", "\nseed = 1", "\nseed = 2");
    let called = place.call("compare base runs").exits(0);
    assert!(called.out.contains("Nothing differs that is known."), "{}", called.out);
    // Real cores make another experiment, on a machine.
    place.call(&format!("run {CALL} --runs 2 --out real")).exits(0);
    place
        .call("compare base real")
        .exits(2)
        .says("experiment, cores: \"virtual\" in BASE, \"real\" in NEW");
    with_machine(&place);
    let message = "machine, CPU: ";
    place.call("compare real elsewhere").exits(2).says(message).says("--allow machine\n");
    let called = place.call("compare real elsewhere --allow machine --threshold 99").exits(0);
    assert!(called.out.contains("Some cells have 2 only"), "{}", called.out);
    // An unknown machine may be another machine.
    place.write("elsewhere/environment.toml", "");
    let message = "machine, environment.toml: known in BASE, unknown in NEW";
    place.call("compare real elsewhere").exits(2).says(message).says("--allow build,machine\n");
    place.call("compare real elsewhere --allow build,machine").exits(0);
}

#[test]
fn an_engine_with_other_keys_is_another_engine() {
    let place = Place::new();
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    place.write("one.epd", &format!("{fen} id \"one\";\n"));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    for (out, more) in [("base", ""), ("new", "fresh_process=false")] {
        let engine = format!("name=x 'command=sh {script} none' {more}");
        let call = "run --positions one.epd --depth 4 --runs 2 --threads 1,2 --hash 4 --out";
        let call = call.split(' ').chain([out, "--engine", &engine]).collect::<Vec<_>>();
        place.call_with(&call).exits(0);
    }
    let difference = "engines, engines.x.fresh_process: true in BASE, false in NEW";
    let allow = "Compare them nevertheless with --allow engines\n";
    place.call("compare base new").exits(2).says(difference).says(allow);
    place.call("compare base new --allow machine").exits(2).says(difference);
    let called = place.call("compare base new --allow engines --threshold 99").exits(0);
    assert!(called.out.contains(&format!("Differs: {difference}\n")), "{}", called.out);
}

/// Writes `real` as if it was measured on another machine.
fn with_machine(place: &Place) {
    retimed(place, "real", "elsewhere", |_, threads, round| f64::from(round) / threads as f64);
    let text = place.read("elsewhere/environment.toml");
    place.write("elsewhere/environment.toml", &text.replace("\ncpu = \"", "\ncpu = \"Another "));
}

#[test]
fn rows_that_cannot_be_used_are_told() {
    let place = place();
    retimed(&place, "base", "new", |_, threads, _| 8.0 / threads as f64);
    let samples = place.read("new/samples.csv");
    let twice = samples.lines().nth(1).expect("a row").to_owned();
    place.write("new/samples.csv", &format!("{samples}1,2,3\n{twice}\n"));
    let called = place.call("compare base new --threshold 0").exits(0);
    for words in [
        "Left out. Data that cannot be used of NEW are in no figure (2 rows of `samples.csv`): ",
        "samples.csv:20: 3 fields where ",
        "samples.csv:21: a second row of the same round, searcher, threads and position.",
    ] {
        assert!(called.out.contains(words), "{words}: {}", called.out);
    }
    assert!(!called.out.contains("Unfinished"), "{}", called.out);
    let called = place.call("compare base new --fail-on-regression").exits(1);
    called.says("rows were left out: --fail-on-regression needs complete results");
    place.write("new/environment.toml", "sitting = 3\n");
    place.call("compare base new").exits(2).says("new/environment.toml");
}

#[test]
fn what_only_one_has_is_listed() {
    let place = place();
    let call = "run still.toml --depth 4 --hash 1 --runs 1";
    place
        .call(&format!("{call} --searchers ybwc,dts --threads 1,2 --only 2,3,4 --out other"))
        .exits(0);
    let called = place.call("compare base other").exits(0);
    for words in [
        "Left out: only BASE has ybwc at 4 threads.",
        "Left out: only BASE has lazy-smp.",
        "Left out: only NEW has dts.",
        "Left out: only BASE has 1 position: ",
        "Left out: only NEW has 1 position: ",
        "Verdicts on 1 figure: ",
    ] {
        assert!(called.out.contains(words), "{words}: {}", called.out);
    }
    place.call(&format!("{call} --searchers ybwc --threads 1,2 --only 7 --out far")).exits(0);
    place.call("compare base far").exits(2).says("(`middlegames`) have no position in common");
    place.call(&format!("{call} --searchers dts --threads 1,2 --only 1 --out dts")).exits(0);
    let message = "no searcher has samples on both sides (ybwc and lazy-smp in BASE, dts in NEW)";
    place.call("compare base dts").exits(2).says(message);
    place.call(&format!("{call} --searchers ybwc --threads 1 --only 1 --out one")).exits(0);
    place
        .call("compare base one")
        .exits(2)
        .says("with one thread only there is no speedup (--times");
    let called = place.call("compare base one --times").exits(0);
    assert!(called.out.contains("\nybwc      1 "), "{}", called.out);
    // One id stands for two positions.
    for (name, pawn) in [("a", "P7"), ("b", "1P6")] {
        place.write("mine.epd", &format!("4k3/8/8/8/8/8/{pawn}/4K3 w - - id \"mine\";\n"));
        let call = format!("{call} --searchers ybwc --threads 1,2 --positions mine.epd");
        place.call(&format!("{call} --out {name}")).exits(0);
    }
    place.call("compare a b").exits(2).says("in common: the same ids stand for other positions");
}

#[test]
fn what_is_no_sweep_is_refused() {
    let place = place();
    fs::create_dir(place.path("empty")).expect("a new directory");
    place.call("compare base empty").exits(2).says("empty: there is no experiment.toml: expected");
    place.call("compare nowhere base").exits(2).says("nowhere: there is no experiment.toml");
    fs::create_dir(place.path("games")).expect("a new directory");
    place.write("games/match.toml", "");
    place.call("compare base games").exits(2).says("experiment.toml, but that of a match");
    for (option, message) in [
        ("--threshold -1", "unexpected argument '-1'"),
        ("--threshold 100%", "a percentage from 0 to below 100 expected, such as 3%"),
        (
            "--allow weather",
            "`weather` found, some of build, machine, settings, engines, experiment expected",
        ),
        ("--format yaml", "'yaml'"),
    ] {
        place.call(&format!("compare base base {option}")).exits(2).says(message);
    }
    place.call("compare base").exits(2).says("<NEW>");
    retimed(&place, "base", "broken", changed);
    let samples = place.read("broken/samples.csv");
    place.write("broken/samples.csv", &samples.replacen("threads", "thread", 1));
    place.call("compare base broken").exits(1).says("broken/samples.csv:1: ");
}
