//! Tables to standard output, and the forms that a report has.

use crate::common::{Place, program};
use serde_json::Value;

const SWEEP: &str = "run --cores virtual --searchers ybwc --threads 1,2 --only 1,2 --depth 3 --hash 1 --runs 2 --out out";

#[test]
fn a_run_prints_its_summary_for_other_programs() {
    let place = Place::new();
    let called = place.call(&format!("{SWEEP} --format json")).exits(0);
    let table: Value = serde_json::from_str(&called.out).expect("JSON and nothing else");
    let rows = table.as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[1]["searcher"], &rows[1]["threads"]), (&"ybwc".into(), &2.into()));
    assert!(rows[1]["speedup_median"].as_f64().is_some_and(|speedup| speedup > 0.0));
    assert!(rows[0]["amdahl_p"].is_null());
    let called = place.call(&format!("{SWEEP} --format csv")).exits(0);
    assert_eq!(called.out, place.read("out/summary.csv"));
}

#[test]
fn a_report_prints_the_table_that_is_asked_for() {
    let place = Place::new();
    place.call(SWEEP).exits(0);
    let called = place.call("report out").exits(0);
    assert_eq!(called.out, "out/report.md\nout/report.html\n");
    for (options, file) in
        [("", "summary"), (" --table speedups", "speedups"), (" --table fits", "fits")]
    {
        let called = place.call(&format!("report out --format csv{options}")).exits(0);
        assert_eq!(called.out, place.read(&format!("out/{file}.csv")));
    }
    let called = place.call("report out --format json --table speedups").exits(0);
    let table: Value = serde_json::from_str(&called.out).expect("JSON");
    assert_eq!(table.as_array().map(Vec::len), Some(4));
    assert_eq!(table[0]["position"].as_str().map(str::is_empty), Some(false));
    let called = place.call("report out --format csv --table nothing").exits(2);
    called.says("--table: `nothing` found, one of summary, speedups, normality, fits, ");
    place.call("report out --table fit --json").exits(2).says("expected: did you mean fits?");
    place.call("report out --table fits").exits(2).says("--format");
    place.call("report out --format xml").exits(2).says("csv, json");
}

/// Every command that prints a table prints one JSON document, and nothing else beside it.
#[test]
fn every_table_is_json_on_request() {
    let place = Place::new();
    place.call(SWEEP).exits(0);
    let real = SWEEP.replace("virtual", "real").replace("--out out", "--out real");
    place.call(&real).exits(0);
    let games = "match --searchers ybwc,dts --depth 1 --games 12 --out games";
    let ttd = program().display();
    let calls = [
        ("run", SWEEP.to_owned(), ""),
        ("run", format!("{SWEEP} --dry-run"), ""),
        ("match", games.to_owned(), "standings"),
        ("match", format!("{games} --dry-run"), ""),
        ("rate", "rate games/games.pgn".to_owned(), "players"),
        ("report", "report out".to_owned(), ""),
        ("report", "report games".to_owned(), ""),
        ("compare", "compare out out".to_owned(), "rows"),
        ("validate", "validate real out".to_owned(), "pairs"),
        ("quality", "quality out".to_owned(), "moves"),
        ("explain", "explain out --threads 2 --runs 2".to_owned(), "ladder"),
        ("doctor", "doctor".to_owned(), ""),
        ("engine", format!("engine check {ttd}\u{a0}uci"), "findings"),
        ("calibrate", "calibrate --depth 5 --runs 1 --hash 1".to_owned(), "costs"),
        ("bench", "bench --depth 1".to_owned(), "positions"),
        ("perft", "perft --depth 2 --divide".to_owned(), "moves"),
        ("perft", "perft --positions perft --depth 1".to_owned(), "positions"),
        ("search", "search --depth 2 --hash 1".to_owned(), "iterations"),
        ("tune", "tune games/games.pgn --spreads 10".to_owned(), "trials"),
        ("searchers", "searchers".to_owned(), "searchers"),
        ("positions", "positions".to_owned(), ""),
        ("positions", "positions bratko-kopec".to_owned(), ""),
    ];
    for (_, call, table) in &calls {
        // A space that does not end a word of the call.
        let words = format!("{call} --json");
        let words: Vec<String> = words.split(' ').map(|word| word.replace('\u{a0}', " ")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let called = place.call_with(&words);
        let whole: Value = serde_json::from_str(&called.out)
            .unwrap_or_else(|e| panic!("{call}: {e}\n{}\n{}", called.out, called.err));
        let rows = if table.is_empty() { &whole } else { &whole[table] };
        let rows = rows.as_array().unwrap_or_else(|| panic!("{call}: {whole}"));
        assert!(rows.iter().all(Value::is_object) && !rows.is_empty(), "{call}: {whole}");
    }
    // The others print no table.
    let help = place.call("help").exits(0).out;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    for command in commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()) {
        let is_called = calls.iter().any(|(of, ..)| *of == command);
        let others = ["", "instrument", "uci", "trace", "completions", "man", "merge", "help"];
        let others = others.contains(&command);
        assert!(is_called != others, "{command}");
    }
}

#[test]
fn numbers_are_numbers_and_words_are_words() {
    let place = Place::new();
    let parsed = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    let json = |call: &str| parsed(&place.call(call).exits(0).out);
    let bench = json("bench --depth 2 --json");
    let nodes = bench["positions"].as_array().expect("a list").iter().map(|row| &row["nodes"]);
    let sum: u64 = nodes.map(|nodes| nodes.as_u64().expect("a number")).sum();
    assert_eq!(
        (bench["bench"].as_u64(), bench["summary"][1]["nodes"].as_u64()),
        (Some(sum), Some(sum))
    );
    let mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";
    let found = place.call_with(&["search", mate, "--depth", "3", "--hash", "1", "--json"]);
    let found = parsed(&found.exits(0).out);
    let last = found["iterations"].as_array().and_then(|rows| rows.last()).expect("an iteration");
    assert_eq!((&last["score"], last["mate"].as_f64()), (&Value::Null, Some(1.0)));
    assert_eq!(last["line"], "d1d8");
    let perft = json("perft --depth 3 --json");
    assert_eq!(
        (perft["nodes"].as_u64(), perft["moves"].as_array().map(Vec::len)),
        (Some(8902), Some(0))
    );
    let all = json("searchers --json");
    let parameters = all["parameters"].as_array().expect("a list");
    let of = |key: &str| {
        let is = |row: &&Value| row["searcher"] == "ybwc" && row["key"] == key;
        parameters.iter().find(is).expect("a parameter")
    };
    assert_eq!(
        (&of("second_class_depth")["off"], &of("min_depth")["off"]),
        (&true.into(), &false.into())
    );
    assert_eq!(
        (of("min_depth")["least"].as_i64(), of("min_depth")["most"].as_i64()),
        (Some(1), Some(100))
    );
    assert!(place.call("searchers").exits(0).out.contains("second_class_depth = 100 (off)"));
}

#[test]
fn a_simulation_makes_the_same_page_again() {
    let place = Place::new();
    place.call(SWEEP).exits(0);
    let first = ["out/report.html", "out/figures.tex"].map(|file| place.read(file));
    place.call("report out").exits(0);
    assert!(first == ["out/report.html", "out/figures.tex"].map(|file| place.read(file)));
}

/// Results directories of other programs than this one.
mod formats {
    use crate::common::Place;

    /// Its samples have fewer columns than new ones would. This program repeats them.
    #[test]
    fn an_experiment_without_a_format_is_read_and_gone_on_with() {
        let place = Place::of_first_format("experiment");
        let iterations = place.read("out/iterations.csv");
        assert!(!place.call("report out").exits(0).err.contains("Left out"));
        let report = place.read("out/report.md");
        assert!(report.contains("ybwc") && !report.contains("Left out."), "{report}");
        assert!(place.read("out/summary.csv").lines().count() > 2);
        place.write("out/iterations.csv", &iterations[..iterations.len() - 3]);
        let called = place.call("run out/experiment.toml --out out").exits(0);
        called.says("This one repeats 2 samples exactly, and goes on");
        assert_eq!(place.read("out/iterations.csv"), iterations);
    }

    /// Its sources are others, but its samples are those of today: then it is gone on with, in its
    /// own columns.
    #[test]
    fn a_directory_of_another_program_is_gone_on_with_if_its_samples_are_repeated() {
        let place = Place::new();
        let run = "run --searchers ybwc --threads 1,2 --only 1 --depth 3 --runs 2 --hash 1 \
               --cores virtual --out out";
        place.call(run).exits(0);
        let older = |text: String| -> String {
            // Without the two columns of messages.
            let without = |line: &str| Some(line.rsplitn(3, ',').last()?.to_owned() + "\n");
            text.lines().filter_map(without).collect()
        };
        let samples = older(place.read("out/samples.csv"));
        let iterations = place.read("out/iterations.csv");
        let environment = place.read("out/environment.toml");
        let other = environment.replace("version = \"", "version = \"of old ");
        place.write("out/environment.toml", &other);
        place.write("out/samples.csv", &samples);
        place.write("out/iterations.csv", &iterations[..iterations.len() - 3]);
        place.call(run).exits(0).says("This one repeats 2 samples exactly, and goes on");
        assert_eq!(place.read("out/samples.csv"), samples);
        assert_eq!(place.read("out/iterations.csv"), iterations);
        let doubts = place.read("out/report.md");
        assert!(doubts.contains("of old"), "the report tells of both programs");
        // A program that does not repeat them is refused.
        place.write("out/environment.toml", &other);
        let after = samples.split(",ok,").nth(3).expect("a sample");
        let time = after.split(',').next().expect("a time");
        // The last iteration has the time of its sample.
        let slower = |text: &str| text.replace(time, "9.000000000");
        let iterations = slower(&iterations);
        place.write("out/samples.csv", &slower(&samples));
        place.write("out/iterations.csv", &iterations[..iterations.len() - 3]);
        place.call(run).exits(2).says("; round 2, sample ").says("time_s 9.000000000, ");
    }

    #[test]
    fn a_match_without_a_format_is_read_and_gone_on_with() {
        let place = Place::of_first_format("match");
        let games = place.read("out/games.csv");
        place.call("report out").exits(0);
        assert!(place.read("out/report.md").contains("sequential"));
        place.call("match out/match.toml --out out").exits(0);
        assert_eq!(place.read("out/games.csv"), games, "all games are there");
    }

    #[test]
    fn a_newer_format_is_refused() {
        let why =
            "out/environment.toml:2: sitting.format: 4 found, 1 to 3 expected: a newer ttd wrote";
        for (kind, goes_on) in
            [("experiment", "run out/experiment.toml"), ("match", "match out/match.toml")]
        {
            let place = Place::of_first_format(kind);
            let environment = place.read("out/environment.toml");
            let newer = environment.replacen("[[sitting]]\n", "[[sitting]]\nformat = 4\n", 1);
            place.write("out/environment.toml", &newer);
            place.call("report out").exits(2).says(why);
            place.call(&format!("{goes_on} --out out")).exits(2).says(why);
            assert_eq!(place.read("out/environment.toml"), newer, "nothing is changed");
        }
    }
}
