//! Runs that end early, and the fate of their samples.

use crate::common::{Place, program};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const SHORT: &str = "run --searchers sequential --threads 1 --only 1 --depth 3 --hash 1 --out out";

/// The rows that are whole.
fn rows(place: &Place, file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(place.path(file)).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().skip(1).map(str::to_owned).collect()
}

/// The order of every sample.
fn orders(place: &Place) -> Vec<usize> {
    let order = |row: &String| row.split(',').nth(1)?.parse().ok();
    rows(place, "out/samples.csv").iter().map(|row| order(row).expect("an order")).collect()
}

/// Starts a run, and waits until it has taken some samples.
fn start(place: &Place, arguments: &str) -> Child {
    let child = Command::new(program())
        .args(arguments.split_whitespace())
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let begun = Instant::now();
    while rows(place, "out/samples.csv").len() < 3 {
        assert!(begun.elapsed() < Duration::from_mins(1), "no samples after a minute");
        sleep(Duration::from_millis(2));
    }
    child
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn its_own_experiment_file_does_the_same_again() {
    let place = Place::new();
    let called = place.call(&format!("{SHORT} --runs 2")).exits(0);
    assert!(called.out.contains("out/report.md"), "{}", called.out);
    assert_eq!(orders(&place), [0, 1]);
    let samples = place.read("out/samples.csv");
    place.call("run out/experiment.toml --out out").exits(0).says("all done already");
    assert_eq!(place.read("out/samples.csv"), samples, "nothing is measured twice");
    let environment = place.read("out/environment.toml");
    let cpu = environment.lines().find(|line| line.starts_with("cpu = ")).expect("a CPU");
    place.write("out/environment.toml", &environment.replace(cpu, "cpu = \"another\""));
    let called = place.call("run out/experiment.toml --out out").exits(0);
    called.says("ttd: out: its samples were taken otherwise (CPU");
    place.call("run out/experiment.toml --out again").exits(0);
    assert_eq!(place.read("again/experiment.toml"), place.read("out/experiment.toml"));
    let searched = |file: &str| -> Vec<String> {
        let columns = |row: &String| {
            let fields: Vec<&str> = row.rsplit(',').collect();
            fields[fields.len() - 6..].join(",")
        };
        rows(&place, file).iter().map(columns).collect()
    };
    assert_eq!(searched("again/samples.csv"), searched("out/samples.csv"));
    place.call("report out").exits(0);
}

/// Every table of the report but those of time and order.
fn tables(place: &Place, dir: &str) -> Vec<(String, String)> {
    let files = std::fs::read_dir(place.path(dir)).expect("listed").flatten();
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    let is_table = |name: &str| {
        name.strip_suffix(".csv").is_some_and(|name| !["samples", "iterations"].contains(&name))
    };
    let mut tables: Vec<String> = names.filter(|name| is_table(name)).collect();
    tables.sort();
    let table = |name: String| (name.clone(), place.read(&format!("{dir}/{name}")));
    tables.into_iter().map(table).collect()
}

#[test]
fn positions_and_threads_are_added_on_virtual_cores() {
    let place = Place::new();
    let run = "run --cores virtual --searchers sequential,ybwc --depth 4 --hash 1";
    place.call(&format!("{run} --threads 1,2 --only 1,3 --runs 2 --out grown")).exits(0);
    let before = rows(&place, "grown/samples.csv");
    let more = format!("{run} --threads 1,2 --only 1-4 --runs 3");
    place.call(&format!("{more} --out grown")).exits(0).says("36, of which 12 are done already");
    let most = more.replace("1,2", "1,2,4");
    place.call(&format!("{most} --out grown")).exits(0).says("48, of which 36 are done already");
    place.call(&format!("{most} --out once")).exits(0);
    let after = rows(&place, "grown/samples.csv");
    assert_eq!(after[..before.len()], before, "what was there stays");
    let tables = |dir| tables(&place, dir);
    assert_eq!(tables("grown"), tables("once"), "the report is of the same samples");
    let sorted = |file: &str| {
        let mut rows = rows(&place, file);
        rows.sort();
        rows
    };
    // The samples are the same, in another order of measuring.
    let samples = |dir: &str| {
        let without_order = |row: String| {
            let mut fields: Vec<&str> = row.split(',').collect();
            fields.remove(1);
            fields.join(",")
        };
        let mut all: Vec<String> =
            rows(&place, &format!("{dir}/samples.csv")).into_iter().map(without_order).collect();
        all.sort();
        all
    };
    assert_eq!(samples("grown"), samples("once"));
    assert_eq!(sorted("grown/iterations.csv"), sorted("once/iterations.csv"));
    // It goes on from its own file, and by the options that made it; anew it is in the same order.
    for again in ["run grown/experiment.toml --out grown", &format!("{most} --out grown")] {
        place.call(again).exits(0).says("48, all done already");
    }
    place.call("run grown/experiment.toml --out again").exits(0);
    assert_eq!(rows(&place, "again/samples.csv"), after);
    // Less than there was is another experiment.
    let called =
        place.call(&format!("{run} --threads 1,2 --only 1-4 --runs 3 --out grown")).exits(2);
    called.says("it holds another experiment (");
    let called = place.call(&format!("{} --out grown", most.replace("--depth 4", "--depth 5")));
    called.exits(2).says("depth: 4 there, 5 here: a search to another depth is another sample");
}

#[test]
fn positions_are_added_on_real_cores_and_threads_are_not() {
    let place = Place::new();
    let run = "run --searchers ybwc --depth 3 --hash 1 --runs 2 --positions mine.epd --out out";
    let epd = "4k3/8/8/8/8/8/8/4K2R w K - id \"one\";\n";
    place.write("mine.epd", epd);
    place.call(&format!("{run} --threads 1,2")).exits(0);
    place.write("mine.epd", &format!("4k3/8/8/8/8/8/8/4K2Q w - - id \"new\";\n{epd}"));
    place.call(&format!("{run} --threads 1,2")).exits(0).says("8, of which 4 are done already");
    assert_eq!(place.read("out/positions.epd"), place.read("mine.epd"));
    assert_eq!(rows(&place, "out/samples.csv").len(), 8);
    place.call("run out/experiment.toml --out out").exits(0).says("8, all done already");
    let called = place.call(&format!("{run} --threads 1,2,4")).exits(2);
    called.says("a number of threads is measured in the same rounds as its base");
    assert_eq!(rows(&place, "out/samples.csv").len(), 8);
}

#[test]
fn a_torn_line_is_cut_off_and_measured_again() {
    let place = Place::new();
    place.call(&format!("{SHORT} --runs 4")).exits(0);
    let samples = place.read("out/samples.csv");
    let iterations = rows(&place, "out/iterations.csv").len();
    place.write("out/samples.csv", &samples[..samples.len() - 9]);
    let called = place.call(&format!("{SHORT} --runs 4")).exits(0);
    let called = called.says("out/samples.csv:5: the last line is torn, and is cut off");
    let called = called.says("4, of which 3 are done already");
    assert!(place.read("out/log.txt").contains("torn"), "{}", called.err);
    assert_eq!(orders(&place), [0, 1, 2, 3]);
    assert_eq!(rows(&place, "out/iterations.csv").len(), iterations);
    let kept = samples.lines().take(4).collect::<Vec<_>>().join("\n");
    assert!(place.read("out/samples.csv").starts_with(&kept), "what was whole is kept");
}

#[test]
fn a_table_that_is_none_is_refused_and_left_alone() {
    let place = Place::new();
    place.call(&format!("{SHORT} --runs 2")).exits(0);
    let wrong = place.read("out/samples.csv").replacen(",ok,", ",fine,", 1);
    place.write("out/samples.csv", &wrong);
    place.call(&format!("{SHORT} --runs 2")).exits(1).says("out/samples.csv:2: ");
    assert_eq!(place.read("out/samples.csv"), wrong);
}

#[test]
fn another_experiment_or_machine_is_refused_with_the_ways_to_go_on() {
    let place = Place::new();
    place.call(&format!("{SHORT} --runs 3")).exits(0);
    let other = format!("{SHORT} --runs 3 --seed 2");
    let called = place.call(&other).exits(2);
    let called = called.says("out: it holds another experiment (seed: 1 there, 2 here)");
    called.says("--out DIR").says("--fresh discards the 3 samples");
    assert_eq!(orders(&place).len(), 3);

    // The directory looks as if the run had been begun on another machine, and stopped.
    let environment = place.read("out/environment.toml");
    let elsewhere: Vec<&str> = environment
        .lines()
        .map(|line| if line.starts_with("cpu = ") { "cpu = \"Cray-1\"" } else { line })
        .collect();
    place.write("out/environment.toml", &elsewhere.join("\n"));
    let samples = place.read("out/samples.csv");
    let all_but_one = samples.trim_end().rfind('\n').expect("rows") + 1;
    place.write("out/samples.csv", &samples[..all_but_one]);
    let same = format!("{SHORT} --runs 3");
    place.call(&same).exits(2).says("(CPU: Cray-1 there, ").says("--mixed");
    assert_eq!(place.read("out/samples.csv"), samples[..all_but_one]);
    place.call(&format!("{same} --mixed")).exits(0);
    assert_eq!(orders(&place), [0, 1, 2]);
    assert_eq!(place.read("out/environment.toml").matches("[[sitting]]").count(), 2);
    place.call(&format!("{other} --fresh")).exits(0);
    assert_eq!(place.read("out/environment.toml").matches("[[sitting]]").count(), 1);
}

#[test]
fn results_that_lost_their_sittings_are_not_gone_on_with() {
    let place = Place::new();
    place.call(&format!("{SHORT} --runs 2")).exits(0);
    let (samples, more) = (place.read("out/samples.csv"), format!("{SHORT} --runs 3"));
    place.write("out/environment.toml", "");
    place.call("report out").exits(0);
    let unknown = |which: &str| {
        let report = place.read("out/report.md");
        let told = format!("machine, the samples were taken ({which}): `environment.toml` was");
        assert!(report.contains(&told), "{report}");
    };
    unknown("all rows");
    place.call(&format!("{SHORT} --runs 2")).exits(0).says("all done already");
    let told = "out: 2 samples in it, and nothing tells which program and machine took them";
    let called = place.call(&more).exits(2).says(told);
    called.says("environment.toml was lost").says("--mixed");
    std::fs::remove_file(place.path("out/environment.toml")).expect("removed");
    place.call(&more).exits(2).says(told);
    assert_eq!(place.read("out/samples.csv"), samples);
    place.call(&format!("{more} --mixed")).exits(0);
    unknown("the first 2 rows");
    // A run that was killed before its first sample has nothing to lose.
    for file in ["samples.csv", "iterations.csv"] {
        let header = place.read(&format!("out/{file}")).lines().next().expect("a header").len() + 1;
        place.write(&format!("out/{file}"), &place.read(&format!("out/{file}"))[..header]);
    }
    std::fs::remove_file(place.path("out/environment.toml")).expect("removed");
    place.call(&more).exits(0);

    let games = "match --searchers ybwc,lazy-smp --cores virtual --nodes 50 --maxmoves 4 --hash 1 \
                 --out games";
    place.call(&format!("{games} --games 2")).exits(0);
    std::fs::remove_file(place.path("games/environment.toml")).expect("removed");
    place.call("report games").exits(0);
    let called = place.call(&format!("{games} --games 4")).exits(2);
    called.says("games: 2 games in it, and nothing tells").says("environment.toml was lost");
}

#[test]
fn rows_that_the_plan_does_not_have_are_refused_with_line_and_column() {
    let place = Place::new();
    place.call(&format!("{SHORT} --runs 2")).exits(0);
    let experiment = place.read("out/experiment.toml");
    place.write("out/experiment.toml", &experiment.replace("depth = 3", "depth = 4"));
    let called = place.call("run out/experiment.toml --out out --runs 3").exits(2);
    called.says("out/samples.csv:2: ").says("column `depth` holds `3`, `4` expected");
    place.write("out/experiment.toml", &experiment);
    let samples = place.read("out/samples.csv");
    let rows = samples.split_once('\n').expect("a header").1;
    place.write("out/samples.csv", &format!("{samples}{rows}"));
    let called = place.call(&format!("{SHORT} --runs 3")).exits(2);
    called.says("out/samples.csv:4: ").says("column `order` holds `0`, `2` expected");

    let games = "match --searchers ybwc,lazy-smp --cores virtual --nodes 50 --maxmoves 4 --hash 1 \
                 --out games";
    place.call(&format!("{games} --games 4")).exits(0);
    place.call(&format!("{games} --games 2")).exits(0).says("4 games there already");
    let table = place.read("games/games.csv");
    let rows = table.split_once('\n').expect("a header").1;
    place.write("games/games.csv", &format!("{table}{rows}"));
    let called = place.call(&format!("{games} --games 4")).exits(2);
    called.says("games/games.csv:6: ").says("column `game` holds `0`, `4` expected");
    let called = place.call("report games").exits(0);
    called.says("left out: games/games.csv:6: a second row of the same game");
    let report = place.read("games/report.md");
    let told = report.find("**Left out.** ").expect("a note");
    assert!(told < report.find("## Setup").expect("a setup"), "{report}");
    assert!(report.contains("(4 rows of `games.csv`)"), "{report}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let place = Place::new();
    let endless = format!("{SHORT} --runs 1000000");
    let child = start(&place, &endless);
    place.call(&endless).exits(1).says("another run writes to it");
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{err}");
    let done = orders(&place).len();
    assert!(place.read("out/samples.csv").ends_with('\n'), "whole rows only");
    let said = format!("interrupted after {done} of 1000000 samples. To go on:");
    assert!(err.contains(&said), "{err}");
    let again = format!("\n  {} run out/experiment.toml --out out\n", program().display());
    assert!(err.contains(&again), "{err}");
    assert_eq!(place.read("out/environment.toml").matches("[sitting.after]").count(), 1);
}

/// `timeout` signals the program, and then the group that the program is in.
#[cfg(unix)]
#[test]
fn an_interrupt_that_comes_in_many_signals_is_one() {
    let place = Place::new();
    let child = start(&place, &format!("{SHORT} --runs 1000000"));
    let burst = "for i in 1 2 3 4 5 6 7 8 9 10; do kill -INT $0 2>/dev/null; done";
    let sent = Command::new("sh").args(["-c", burst, &child.id().to_string()]).status();
    sent.expect("sh runs");
    let output = child.wait_with_output().expect("it ends");
    let err = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(130), "{err}");
    let again = format!(" samples. To go on:\n  {} run out/", program().display());
    assert!(err.contains(&again), "{err}");
    assert_eq!(place.read("out/environment.toml").matches("[sitting.after]").count(), 1);
}

/// `ttd run 2>&1 | tee log` at a terminal: Ctrl-C ends `tee` too.
#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_well_though_nobody_reads_it() {
    let place = Place::new();
    let mut child = start(&place, &format!("{SHORT} --runs 1000000"));
    drop(child.stderr.take());
    signal(&child, "-INT");
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    assert_eq!(place.read("out/environment.toml").matches("[sitting.after]").count(), 1);
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_where_it_was() {
    let place = Place::new();
    let finite = format!("{SHORT} --runs 400");
    let mut child = start(&place, &finite);
    signal(&child, "-KILL");
    child.wait().expect("it ends");
    let before = orders(&place).len();
    assert!((3..400).contains(&before), "{before}");
    place.call(&finite).exits(0);
    assert_eq!(orders(&place), (0..400).collect::<Vec<_>>());
    assert_eq!(rows(&place, "out/iterations.csv").len(), 3 * 400);
}

/// The system takes no file of more than this many blocks, as a full disk would.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_could_not_write_is_gone_on_with() {
    for blocks in 0..6 {
        let place = Place::new();
        let limited = format!("ulimit -f {blocks}; exec {} {SHORT} --runs 2", program().display());
        let called = place.call_of("sh".as_ref(), &["-c", &limited]);
        assert_ne!(called.code, Some(0), "{blocks}");
        place.call(&format!("{SHORT} --runs 2")).exits(0);
        assert_eq!(orders(&place), [0, 1], "{blocks}");
    }
}

const SITTINGS: &str =
    "run --searchers ybwc --threads 1,2 --only 1,2 --depth 3 --runs 2 --hash 1 --out out";

#[test]
fn sittings_are_told_by_the_files_and_the_report() {
    let place = Place::new();
    let run = format!("{SITTINGS} --sittings 2");
    let called = place.call(&run).exits(0).says("ttd: sitting 1 of 2");
    called.says("ttd: sitting 2 of 2");
    let sittings = || place.read("out/environment.toml").matches("[[sitting]]").count();
    assert_eq!((sittings(), orders(&place).len()), (2, 2 * 2 * 2 * 2));
    assert!(place.read("out/report.md").contains("\n## Sittings\n"));
    let rows = rows(&place, "out/sittings.csv");
    assert!(rows.len() == 1 && rows[0].starts_with("ybwc,2,net,2,"), "{rows:?}");
    place.call(&run).exits(0).says("nothing is left to measure");
    assert_eq!(sittings(), 2);
    place.call("run out/experiment.toml --out out --sitting --yes").exits(0);
    assert_eq!((sittings(), orders(&place).len()), (3, 3 * 2 * 2 * 2));
}

#[test]
fn impossible_sittings_are_refused() {
    let place = Place::new();
    for (arguments, why) in [
        ("--sittings 0", "1 to 1000 expected"),
        ("--sittings many", "1 to 1000 expected"),
        ("--sittings 2 --sitting", "cannot be used with"),
        ("--sittings 2 --cores virtual", "--sittings: virtual cores found, real cores expected"),
        ("--sittings 2 --shard 1/2", "--sittings: a fixed number of rounds of a whole experiment"),
        ("--sitting", "--sitting: a finished experiment expected in the directory"),
    ] {
        place.call(&format!("{SITTINGS} {arguments}")).exits(2).says(why);
    }
    assert!(!place.path("out").exists(), "nothing was measured");
}
