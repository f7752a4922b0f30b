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

/// Its samples have fewer columns than new ones would, and searches of today may take other times.
#[test]
fn an_experiment_without_a_format_is_read_but_not_gone_on_with() {
    let place = of_first_format("experiment");
    let samples = place.read("out/samples.csv");
    assert!(!place.call("report out").exits(0).err.contains("Left out"));
    let report = place.read("out/report.md");
    assert!(report.contains("ybwc") && !report.contains("Left out"), "{report}");
    assert!(place.read("out/summary.csv").lines().count() > 2);
    let why =
        "out/samples.csv:1: it lacks the column `speculative_nodes`: an older program wrote it";
    let called = place.call("run out/experiment.toml --out out").exits(2).says(why);
    called
        .says("`ttd report` reads the directory as it is. --out DIR measures in another directory");
    assert_eq!(place.read("out/samples.csv"), samples, "nothing is changed");
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
    let why = "out/environment.toml:2: sitting.format: 4 found, 1 to 3 expected: a newer ttd wrote";
    for (kind, goes_on) in
        [("experiment", "run out/experiment.toml"), ("match", "match out/match.toml")]
    {
        let place = of_first_format(kind);
        let environment = place.read("out/environment.toml");
        let newer = environment.replacen("[[sitting]]\n", "[[sitting]]\nformat = 4\n", 1);
        place.write("out/environment.toml", &newer);
        place.call("report out").exits(2).says(why);
        place.call(&format!("{goes_on} --out out")).exits(2).says(why);
        assert_eq!(place.read("out/environment.toml"), newer, "nothing is changed");
    }
}
