//! `ttd doctor`.

use crate::common::Place;

const CHECKS: [&str; 16] = [
    "build",
    "cores",
    "quota",
    "governor",
    "boost",
    "shared cores",
    "kinds of cores",
    "heat",
    "other load",
    "stolen time",
    "memory",
    "huge pages",
    "swapping",
    "clock",
    "steady work",
    "work side by side",
];

#[test]
fn every_check_says_what_it_read() {
    let place = Place::new();
    let called = place.call("doctor --hash 999999999").exits(0);
    for (line, check) in called.out.lines().zip(CHECKS) {
        assert!(line.starts_with(check), "{check}: {line}");
    }
    assert!(called.out.contains(" MiB available, 999999999 MiB wanted"), "{}", called.out);
    assert!(called.out.contains("\nmemory (bad): docs/measuring.md#memory\n"), "{}", called.out);
    let last = called.out.lines().last().expect("a last line");
    assert!(last.contains(" good, ") && last.ends_with(" unknown"), "{last}");
    assert_eq!(std::fs::read_dir(place.path(".")).expect("listed").count(), 0, "nothing is made");
}

#[test]
fn programs_get_every_field() {
    let place = Place::new();
    let called = place.call("doctor --format csv").exits(0);
    let mut reader = csv::Reader::from_reader(called.out.as_bytes());
    let header: Vec<&str> = reader.headers().expect("a header").iter().collect();
    assert_eq!(header, ["check", "verdict", "read", "effect", "remedy", "page"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.iter().map(|row| &row[0]).collect::<Vec<_>>(), CHECKS);
    let verdicts = ["good", "look", "bad", "unknown"];
    assert!(
        rows.iter().all(|row| verdicts.contains(&&row[1]) && row.iter().all(|f| !f.is_empty()))
    );
    let called = place.call("doctor --format json").exits(0);
    let found: serde_json::Value = serde_json::from_str(&called.out).expect("JSON");
    let found = found.as_array().expect("an array");
    assert_eq!(found.len(), CHECKS.len());
    assert_eq!(found[0]["check"], "build");
    place.call("doctor --format xml").exits(2).says("[possible values: text, csv, json]");
}
