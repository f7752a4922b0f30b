//! Results directories of other programs than this one.

use crate::common::Place;
use std::fs;
use std::path::Path;

/// A place with a copy of a results directory that a program without a format version wrote.
fn of_first_format(kind: &str) -> Place {
    let place = Place::new();
    fs::create_dir(place.path("out")).expect("a directory");
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/format-1").join(kind);
    for entry in fs::read_dir(kept).expect("it is kept") {
        let file = entry.expect("a file").path();
        let name = file.file_name().expect("it has a name");
        fs::copy(&file, place.path("out").join(name)).expect("copied");
    }
    assert!(!place.read("out/environment.toml").contains("format"));
    place
}

#[test]
fn an_experiment_without_a_format_is_read_and_gone_on_with() {
    let place = of_first_format("experiment");
    let samples = place.read("out/samples.csv");
    assert!(!place.call("report out").exits(0).err.contains("Left out"));
    let report = place.read("out/report.md");
    assert!(report.contains("ybwc") && !report.contains("Left out"), "{report}");
    assert!(place.read("out/summary.csv").lines().count() > 2);
    place.call("run out/experiment.toml --out out").exits(0);
    assert_eq!(place.read("out/samples.csv"), samples, "all samples are there");
    let lines: Vec<&str> = samples.split_inclusive('\n').collect();
    place.write("out/samples.csv", &lines[..lines.len() - 1].concat());
    place.call("run out/experiment.toml --out out --mixed").exits(0);
    let read = place.read("out/samples.csv");
    assert_eq!(read.lines().count(), lines.len());
    let environment = place.read("out/environment.toml");
    let formats: Vec<&str> = environment.lines().filter(|l| l.starts_with("format")).collect();
    assert_eq!(formats, ["format = 1", "format = 3"]);
}

#[test]
fn a_match_without_a_format_is_read_and_gone_on_with() {
    let place = of_first_format("match");
    let games = place.read("out/games.csv");
    place.call("report out").exits(0);
    assert!(place.read("out/report.md").contains("sequential"));
    place.call("match out/match.toml --out out").exits(0);
    assert_eq!(place.read("out/games.csv"), games, "all games are there");
}

#[test]
fn a_newer_format_is_refused() {
    let why = "out/environment.toml:2: sitting.format: 3 found, 1 to 2 expected: a newer ttd wrote";
    for (kind, goes_on) in
        [("experiment", "run out/experiment.toml"), ("match", "match out/match.toml")]
    {
        let place = of_first_format(kind);
        let environment = place.read("out/environment.toml");
        let newer = environment.replacen("[[sitting]]\n", "[[sitting]]\nformat = 3\n", 1);
        place.write("out/environment.toml", &newer);
        place.call("report out").exits(2).says(why);
        place.call(&format!("{goes_on} --out out")).exits(2).says(why);
        assert_eq!(place.read("out/environment.toml"), newer, "nothing is changed");
    }
}
