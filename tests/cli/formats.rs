//! Results directories of other programs than this one.

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

/// Its sources are others, but its samples are those of today: then it is gone on with, in its own
/// columns.
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
    place.write("out/iterations.csv", &iterations[..iterations.len() - 3]);
    place.write("out/environment.toml", &other);
    let after = samples.split(",ok,").nth(3).expect("a sample");
    let time = after.split(',').next().expect("a time");
    place.write("out/samples.csv", &samples.replace(time, "0.000000001"));
    place.call(run).exits(2).says("; round 2, sample ").says("time_s 0.000000001, ");
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
    let why = "out/environment.toml:2: sitting.format: 4 found, 1 to 3 expected: a newer ttd wrote";
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
