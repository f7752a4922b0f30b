//! `ttd trace` as a user calls it.

use crate::common::Place;

const FEN: &str = "r2q2k1/pp1n1pp1/1bp1r1np/1P1pP2B/P2P4/2PQB3/3N2PP/R4RK1 w - - 3 19";

fn call(place: &Place, arguments: &str) -> crate::common::Called {
    let mut words = vec!["trace", FEN, "--hash", "1"];
    words.extend(arguments.split_whitespace());
    place.call_with(&words)
}

#[test]
fn a_trace_on_virtual_cores_is_the_same_every_time() {
    let place = Place::new();
    call(&place, "--threads 3 --depth 8 --out one.json --svg one.svg").exits(0);
    call(&place, "--threads 3 --depth 8 --out other.json --svg other.svg").exits(0);
    assert_eq!(place.read("one.json"), place.read("other.json"));
    assert_eq!(place.read("one.svg"), place.read("other.svg"));
    call(&place, "--threads 3 --depth 8 --out other.json --seed 2").exits(0);
    assert_ne!(place.read("one.json"), place.read("other.json"));
    let picture = place.read("one.svg");
    assert!(picture.contains("ybwc, 3 workers on virtual cores, depth 8"));
}

#[test]
fn a_trace_on_real_cores_and_of_every_searcher() {
    let place = Place::new();
    call(&place, "--cores real --threads 2 --depth 7 --out real.json").exits(0);
    assert!(place.read("real.json").contains("\"worker 1\""));
    for searcher in ["dts", "abdada", "recursive-splitting"] {
        call(&place, &format!("--searcher {searcher} --depth 6 --svg a.svg")).exits(0);
        assert!(place.read("a.svg").contains(searcher));
    }
}

#[test]
fn a_picture_without_a_name_has_a_usual_one() {
    let place = Place::new();
    let name = "trace-ybwc-2-4.svg";
    let said = format!("ttd: {name} is written");
    call(&place, "--threads 2 --depth 4 --svg").exits(0).says(&said);
    let first = place.read(name);
    // Before the position too.
    let words = ["trace", "--svg", FEN, "--hash", "1", "--threads", "2", "--depth", "4"];
    place.call_with(&words).exits(0).says(&said);
    assert_eq!(place.read(name), first);
}

#[test]
fn what_cannot_be_is_refused() {
    let place = Place::new();
    for (arguments, message) in [
        (
            "--depth 12 --out a.json --most-mib 1",
            "ttd: --most-mib: 1 found, but the trace would be larger than 1 MiB",
        ),
        ("--depth 2 --searcher sequential --out a.json", "ttd: --threads: 4 found, 1 expected"),
        ("--depth 2 --threads 0 --out a.json", "0"),
        ("--depth 2", "--out"),
    ] {
        let called = call(&place, arguments).exits(2);
        assert!(called.err.contains(message), "{}", called.err);
        assert!(!place.path("a.json").exists());
    }
    let called = call(&place, "--depth 2 --out nowhere/a.json").exits(1);
    assert!(called.err.contains("nowhere/a.json cannot be written"), "{}", called.err);
}
