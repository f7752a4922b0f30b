//! Results that were damaged, or that another version wrote.

use crate::common::{Called, Place};

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
