//! Experiments and matches in parts, and the parts together again.

use crate::common::Place;
use std::fs;
use std::process::Command;

const SWEEP: &str = "run --searchers ybwc,lazy-smp --threads 1,2 --positions bratko-kopec --only 1-4 \
                     --depth 4 --runs 2 --hash 1 --cores virtual --detail";
const MATCH: &str = "match --searchers ybwc,lazy-smp --cores virtual --nodes 300 --games 8 --maxmoves 20 \
                     --hash 1";

/// The files of a whole and of a merge that must be equal.
fn equal(place: &Place, files: &[&str]) {
    for file in files {
        let [whole, merged] = ["whole", "merged"].map(|dir| place.read(&format!("{dir}/{file}")));
        assert!(whole == merged, "{file} differs");
    }
}

#[test]
fn parts_of_a_sweep_are_the_whole() {
    let place = Place::new();
    place.call(&format!("{SWEEP} --out whole")).exits(0);
    for part in 1..=5 {
        let out = format!("{SWEEP} --shard {part}/5 --out part-{part}");
        let called = place.call(&out).exits(0).says(&format!("part        {part}/5"));
        called.says("`ttd merge` puts the parts together");
        assert!(!place.path(&format!("part-{part}/report.md")).exists());
    }
    // One was killed in the middle of a row, and is done again.
    let samples = place.read("part-3/samples.csv");
    place.write("part-3/samples.csv", &samples[..samples.len() - 40]);
    let merge = "merge part-5 part-3 part-1 part-2 part-4 --out merged";
    place.call(merge).exits(2).says("part-3: 5 of 6 are there: go on with it");
    assert!(!place.path("merged").exists(), "nothing is written");
    place.call("run part-3/experiment.toml --out part-3").exits(0);
    place.call(merge).exits(0).says("merged: 32 samples of 5 parts");
    place.call("report merged").exits(0);
    place.call("report whole").exits(0);
    equal(&place, &["samples.csv", "iterations.csv", "workers.csv", "depths.csv"]);
    equal(&place, &["experiment.toml", "positions.epd", "summary.csv", "speedups.csv"]);
    let report = place.read("merged/report.md");
    assert!(report.contains("| host") && !report.contains("missing"), "{report}");
    // A second merge gives the same bytes, and a merged directory is like any other.
    let files = ["samples.csv", "iterations.csv", "environment.toml", "experiment.toml"];
    let before = files.map(|file| place.read(&format!("merged/{file}")));
    place.call(merge).exits(0);
    assert_eq!(files.map(|file| place.read(&format!("merged/{file}"))), before);
    place.call("run merged/experiment.toml --out merged").exits(0).says("nothing is left");
}

#[test]
fn what_is_no_part_of_the_whole_is_refused() {
    let place = Place::new();
    for (shard, rest) in [("1/3", ""), ("2/3", ""), ("1/2", ""), ("3/3", " --seed 7")] {
        let name = shard.replace('/', "-");
        place.call(&format!("{SWEEP}{rest} --shard {shard} --out p{name}")).exits(0);
    }
    place.call(&format!("{SWEEP} --out whole")).exits(0);
    fs::create_dir(place.path("empty")).expect("made");
    for (arguments, why) in [
        ("p1-3 p2-3", "parts are missing: 3/3. --partial merges the others"),
        ("p1-3 p1-3 p2-3", "p1-3: part 1/3 is p1-3 already: name each part once"),
        ("p1-3 p1-2", "a part of something else than"),
        ("p1-3 p2-3 p3-3", "p3-3: a part of something else than p1-3 (seed: 1 there, 7 here)"),
        ("p1-3 whole", "whole: it is the whole, and no part: `shard` in experiment.toml expected"),
        ("p1-3 empty", "empty: it is no results directory"),
        ("p1-3 gone", "gone: it is no results directory"),
        ("p1-3 p2-3 --partial --out p1-3", "p1-3: it is one of the parts"),
        ("p1-3 p2-3 --partial --out p1-2", "p1-2: it has other results"),
    ] {
        let out = if arguments.contains("--out") { "" } else { " --out merged" };
        place.call(&format!("merge {arguments}{out}")).exits(2).says(why);
    }
    let before = place.read("p1-3/samples.csv");
    place.call("merge p1-3 p2-3 --partial --out merged").exits(0);
    place.call("report merged").exits(0);
    let report = place.read("merged/report.md");
    assert!(report.contains("1 of 3 parts of the experiment are missing: 3/3."), "{report}");
    assert!(report.contains("**Unfinished.**"));
    assert_eq!(place.read("p1-3/samples.csv"), before, "parts are only read");
    // A part is gone on with as that part only.
    place
        .call(&format!("{SWEEP} --shard 2/3 --out p1-3"))
        .exits(2)
        .says("(shard: \"1/3\" there, \"2/3\" here)");
    place.call(&format!("{SWEEP} --out p1-3")).exits(2).says("(shard: \"1/3\" there");
    // Another program took the rest.
    let environment = place.read("p2-3/environment.toml");
    place.write("p2-3/environment.toml", &environment.replace("version = \"", "version = \"9"));
    let merge = "merge p1-3 p2-3 --partial --out other";
    place.call(merge).exits(2).says("p2-3: taken otherwise than p1-3 (version: ").says("--mixed");
    place.call(&format!("{merge} --mixed")).exits(0);
}

#[test]
fn damaged_parts_are_refused() {
    let place = Place::new();
    for part in 1..=2 {
        place.call(&format!("{SWEEP} --shard {part}/2 --out part-{part}")).exits(0);
    }
    let merge = "merge part-1 part-2 --out merged";
    for (file, with, why) in [
        ("samples.csv", None, "Mend it, or cut the file off before this line"),
        ("iterations.csv", None, "iterations.csv:2"),
        ("experiment.toml", Some(""), "experiment.toml"),
        ("environment.toml", Some(""), "part-2: nothing tells which program"),
        ("positions.epd", Some("8/8/8/8/8/8/8/8 w - -"), "positions.epd"),
    ] {
        let path = format!("part-2/{file}");
        let before = place.read(&path);
        let torn = before.replacen('\n', "\n\u{7f}garbage\n", 3);
        place.write(&path, with.unwrap_or(&torn));
        place.call(merge).exits(2).says(why);
        assert!(!place.path("merged").exists(), "nothing is written");
        place.write(&path, &before);
    }
    fs::remove_file(place.path("part-2/samples.csv")).expect("removed");
    fs::create_dir(place.path("part-2/samples.csv")).expect("made");
    place.call(merge).exits(2).says("samples.csv");
}

#[test]
fn impossible_parts_are_refused() {
    let place = Place::new();
    for (arguments, why) in [
        ("--shard 0/4", "--shard: `0/4` found, K/N expected"),
        ("--shard 5/4", "--shard: `5/4` found, K/N expected"),
        ("--shard x", "--shard: `x` found, K/N expected"),
        ("--shard 1/33", "--shard: 33 parts found, 1 to 32 expected: one sample or more each"),
        ("--shard 1/2 --cores real --jobs 1", "ok"),
        ("--shard 1/5 --cores real", "--shard: 5 parts found, 1 to 4 expected: one position"),
        ("--shard 1/2 --runs 6 --until 3%", "with `until` the number of rounds follows"),
        ("--shard 1/2 --sensitivity", "--sensitivity: a part has no speedups to vary"),
        ("--shard 1/2 --recipe slurm --shards 2", "cannot be used with"),
    ] {
        let sweep = format!("{SWEEP} {arguments} --dry-run --out out");
        // The later of two options is refused by the parser, so the first is taken out.
        let sweep = if arguments.contains("--cores") {
            sweep.replacen("--cores virtual", "", 1)
        } else if arguments.contains("--runs") {
            sweep.replacen("--runs 2", "", 1)
        } else {
            sweep
        };
        match why {
            "ok" => place.call(&sweep).exits(0),
            why => place.call(&sweep).exits(2).says(why),
        };
    }
    place.call(&format!("{MATCH} --shard 1/5")).exits(2).says("5 parts found, 1 to 4 expected");
    let test = format!("{MATCH} --shard 1/2 --sprt elo0=0,elo1=5");
    place.call(&test).exits(2).says("goes on until something is known has no parts");
}

#[test]
fn parts_on_real_cores_have_whole_positions_and_a_probe() {
    let place = Place::new();
    let run = "run --searchers sequential --threads 1 --positions bratko-kopec --only 1-3 --depth 2 \
               --runs 2 --hash 1";
    for part in 1..=2 {
        let out = format!("{run} --shard {part}/2 --out part-{part} --anonymous");
        place.call(&out).exits(0);
    }
    let environment = place.read("part-1/environment.toml");
    assert_eq!(environment.matches("probe_s = ").count(), 2, "{environment}");
    assert!(environment.contains("shard = \"1/2\"") && environment.contains("host = \""));
    place.call("merge part-1 part-2 --out merged").exits(0);
    place.call("report merged").exits(0);
    assert!(place.read("merged/report.md").contains("fixed search"));
    let rows = place.read("part-1/samples.csv").lines().count() - 1;
    assert_eq!(rows, 4, "two positions of three, two rounds");
    assert_eq!(place.read("merged/samples.csv").lines().count(), 7);
}

#[test]
fn parts_of_a_match_are_the_whole() {
    let place = Place::new();
    place.call(&format!("{MATCH} --out whole")).exits(0);
    for part in 1..=3 {
        place.call(&format!("{MATCH} --shard {part}/3 --out part-{part}")).exits(0);
    }
    place.call("merge part-3 part-1 part-2 --out merged").exits(0).says("8 games of 3 parts");
    equal(&place, &["games.csv", "games.pgn", "match.toml"]);
    place.call("report merged").exits(0);
    assert!(place.read("merged/report.md").contains("| host"));
    place.call("run part-1/match.toml --shard 1/2").exits(2);
    place.call("merge part-1 part-2 --out merged").exits(2).says("parts are missing: 3/3");
}

/// A scheduler: the options of GNU parallel are passed over, and its commands done one by one.
const PARALLEL: &str = r#"#!/bin/bash
while [ "$1" != bash ]; do shift; done
while [ "$1" != ::: ]; do words+=" $1"; shift; done
shift
for number; do eval "$words $number" || exit; done
"#;

#[test]
fn a_script_runs_the_parts_and_merges_them() {
    let place = Place::new();
    fs::create_dir(place.path("bin")).expect("made");
    place.write("bin/parallel", PARALLEL);
    let made = Command::new("chmod").arg("+x").arg(place.path("bin/parallel")).status();
    assert!(made.expect("chmod runs").success());
    let path =
        format!("{}:{}", place.path("bin").display(), std::env::var("PATH").expect("a path"));
    for (call, files, option) in [
        (SWEEP, &["samples.csv", "iterations.csv", "summary.csv"][..], "--jobs 2"),
        (MATCH, &["games.csv", "games.pgn", "match.toml"], "--concurrency 1"),
    ] {
        place.call(&format!("{call} {option} --out whole --fresh")).exits(0);
        let recipe = format!("{call} {option} --recipe parallel --shards 3 --out merge");
        place.write("script.sh", &place.call(&recipe).exits(0).out);
        let script = Command::new("bash")
            .arg("script.sh")
            .current_dir(place.path("."))
            .env("PATH", &path)
            .output()
            .expect("bash runs");
        assert!(script.status.success(), "{}", String::from_utf8_lossy(&script.stderr));
        let parts = (1..=3).filter(|part| place.path(&format!("merge/part-{part}")).exists());
        assert_eq!(parts.count(), 3);
        fs::rename(place.path("merge/whole"), place.path("merged")).expect("it is there");
        equal(&place, files);
        for dir in ["whole", "merge", "merged"] {
            fs::remove_dir_all(place.path(dir)).expect("removed");
        }
    }
}

#[test]
fn a_script_of_a_match_asks_for_its_clocks_and_tables() {
    let place = Place::new();
    let two = "match --searchers ybwc,lazy-smp --threads 4 --hash 100 --games 40 --jobs 3";
    let slurm =
        |more: &str| place.call(&format!("{two} {more} --recipe slurm --shards 10 --out o"));
    let script = slurm("--tc 10+0.1").exits(0).out;
    // Four games of a part, each 40 s long, three at once; twice that, and ten minutes.
    let asked = "--cpus-per-task=12 --exclusive --mem=856M --time=12 ";
    assert!(script.contains(asked), "{script}");
    let calls = "--tc 10+0.1 --concurrency 3 --shard \"$1/10\" --out \"$out/part-$1\"\n";
    assert!(script.contains(calls) && !script.contains("--jobs"), "{script}");
    assert!(!slurm("--nodes 100").exits(0).out.contains("--time="), "its length is unknown");
    for (more, why) in [
        ("--nodes 100 --shards 21", "--shard: 21 parts found, 1 to 20 expected"),
        ("--nodes 100 --sprt elo0=0,elo1=5", "goes on until something is known has no parts"),
    ] {
        let call = format!("{two} {more} --recipe slurm");
        let call = if more.contains("--shards") { call } else { format!("{call} --shards 2") };
        place.call(&call).exits(2).says(why);
    }
}
