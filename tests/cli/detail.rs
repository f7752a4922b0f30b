//! `ttd run --detail`: the figures of each worker, and of the table by depth.

use crate::common::Place;
use std::collections::BTreeMap;

const SMALL: &str = "run --cores virtual --searchers ybwc,lazy-smp --threads 1,4 --depth 7 --only 1,2 \
                     --runs 2 --hash 1 --name same";
const TABLES: [&str; 3] =
    ["How unequal the workers are.", "Look-ups of ybwc", "Look-ups of lazy-smp"];

/// The rows of a table, each by column.
fn rows(place: &Place, file: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(place.path(file)).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// The columns of `workers.csv` that say which worker and sample a row is about.
const NO_SUMS: [&str; 5] = ["round", "searcher", "threads", "position", "worker"];

/// The fields of a row that name its sample.
fn sample_of(row: &BTreeMap<String, String>) -> [&str; 4] {
    ["round", "searcher", "threads", "position"].map(|column| row[column].as_str())
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

#[test]
fn workers_and_depths_add_up_to_the_sample() {
    let place = Place::new();
    let called = place.call(&format!("{SMALL} --detail --out a --jobs 1")).exits(0);
    called.says("detail      each worker, and the table by depth\n");
    place.call(&format!("{SMALL} --detail --out b --jobs 2")).exits(0);
    let files = ["samples.csv", "iterations.csv", "workers.csv", "depths.csv", "experiment.toml"];
    for file in files {
        assert_eq!(place.read(&format!("a/{file}")), place.read(&format!("b/{file}")), "{file}");
    }
    place.call(&format!("{SMALL} --out plain")).exits(0);
    assert_eq!(
        place.read("plain/samples.csv"),
        place.read("a/samples.csv"),
        "nothing else changes"
    );

    let (workers, depths) = (rows(&place, "a/workers.csv"), rows(&place, "a/depths.csv"));
    let samples = rows(&place, "a/samples.csv");
    assert_eq!((samples.len(), workers.len()), (2 * 2 * 2 * 2, 2 * 2 * 2 * (1 + 4)));
    for sample in &samples {
        let own = |row: &&BTreeMap<String, String>| sample_of(row) == sample_of(sample);
        let sum = |rows: &[BTreeMap<String, String>], column: &str| -> f64 {
            rows.iter().filter(own).map(|row| number(&row[column])).sum()
        };
        for column in workers[0].keys().filter(|column| !NO_SUMS.contains(&column.as_str())) {
            // Times are cut to the nanosecond, each by itself.
            let room = if column.ends_with("_s") { 4.1e-9 } else { 0.0 };
            let (sum, whole) = (sum(&workers, column), number(&sample[column]));
            assert!((sum - whole).abs() <= room, "{column}: {sum} is not {whole}");
        }
        for column in ["probes", "hits", "cutoffs"] {
            let whole = number(&sample[&format!("table_{column}")]);
            assert!((sum(&depths, column) - whole).abs() < 0.5, "{column}");
        }
    }
    assert!(depths.iter().all(|row| row["probes"] != "0"));
    let reported = place.read("a/report.md");
    assert!(TABLES.iter().all(|table| reported.contains(table)), "{reported}");
    assert!(reported.contains("\n| quiescence |") && !reported.contains("NaN"), "{reported}");
    let documented = include_str!("../../docs/formats.md");
    for column in workers[0].keys().chain(depths[0].keys()) {
        assert!(documented.contains(&format!("`{column}`")), "{column} is not documented");
    }
}

#[test]
fn an_unfinished_sample_leaves_no_rows_and_fresh_no_files() {
    let place = Place::new();
    let call = format!("{SMALL} --detail --out a");
    place.call(&call).exits(0);
    let files = ["samples.csv", "iterations.csv", "workers.csv", "depths.csv"];
    let whole = files.map(|file| place.read(&format!("a/{file}")));
    // The files look as if the run had been killed while it wrote the depths of the last sample.
    let cut = |file: &str, text: &str| place.write(&format!("a/{file}"), text);
    let last = whole[0].trim_end().rfind('\n').expect("rows") + 1;
    cut("samples.csv", &whole[0][..last]);
    cut("depths.csv", &whole[3][..whole[3].len() - 5]);
    place.call("report a").exits(0);
    assert!(!place.read("a/report.md").contains("Detail missing"), "of an unfinished sample");
    place.call(&call).exits(0).says("a/depths.csv:").says("a/workers.csv: ");
    assert_eq!(files.map(|file| place.read(&format!("a/{file}"))), whole);
    place.call(&format!("{SMALL} --out a")).exits(2).says("(detail: true there, unset here)");
    place.call(&format!("{SMALL} --out a --fresh")).exits(0);
    assert!(!place.path("a/workers.csv").exists() && !place.path("a/depths.csv").exists());
    let reported = place.read("a/report.md");
    assert!(!TABLES.iter().any(|table| reported.contains(table)), "{reported}");
}

#[test]
fn what_is_changed_is_refused_or_left_out() {
    let place = Place::new();
    place.call(&format!("{SMALL} --detail --out a")).exits(0);
    let workers = place.read("a/workers.csv");
    place.write("a/workers.csv", &workers.replacen(",0,", ",none,", 1));
    place.call("report a").exits(0).says("a/workers.csv:2: column `worker` holds `none`");
    let first_row = workers.find('\n').expect("a header") + 1;
    let (header, rows) = workers.split_at(first_row);
    place.write("a/workers.csv", &format!("{header}{}", rows.replacen(",0,", ",0,9", 1)));
    place.call("report a").exits(0);
    let reported = place.read("a/report.md");
    assert!(reported.contains("do not add up to the rows of 1 sample."), "{reported}");
    // Without the files it is the report of an experiment without detail.
    std::fs::remove_file(place.path("a/workers.csv")).expect("removed");
    std::fs::remove_file(place.path("a/depths.csv")).expect("removed");
    place.call("report a").exits(0);
    let without = place.read("a/report.md");
    assert!(!TABLES.iter().any(|table| without.contains(table)), "{without}");
    let experiment = place.read("a/experiment.toml");
    place.write("a/experiment.toml", &experiment.replacen("detail = true\n", "", 1));
    assert_ne!(place.read("a/experiment.toml"), experiment);
    place.call("report a").exits(0);
    assert_eq!(place.read("a/report.md"), without);
    place.write("wrong.toml", "depth = 3\ndetail = \"yes\"\n");
    place.call("run wrong.toml").exits(2).says("wrong.toml:2: detail: ");
}
