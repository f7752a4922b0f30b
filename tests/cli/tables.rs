//! Tables to standard output, and the forms that a report has.

use crate::common::Place;
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
    called.says("--table: `nothing` found, one of summary, speedups, fits, ");
    place.call("report out --table fits").exits(2).says("--format");
    place.call("report out --format xml").exits(2).says("csv, json");
}

#[test]
fn a_simulation_makes_the_same_page_again() {
    let place = Place::new();
    place.call(SWEEP).exits(0);
    let first = ["out/report.html", "out/figures.tex"].map(|file| place.read(file));
    place.call("report out").exits(0);
    assert!(first == ["out/report.html", "out/figures.tex"].map(|file| place.read(file)));
}
