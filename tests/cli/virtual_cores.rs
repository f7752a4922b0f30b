//! `ttd run --cores virtual`.

use crate::common::Place;

const SMALL: &str = "run --cores virtual --threads 1,2,5 --depth 5 --only 1,2 --runs 2 --hash 1";
const MEASURED: [&str; 3] = ["samples.csv", "iterations.csv", "experiment.toml"];
const DERIVED: [&str; 3] = ["speedups.csv", "summary.csv", "fits.csv"];

#[test]
fn the_same_bytes_again_and_with_several_jobs() {
    let place = Place::new();
    for (out, jobs) in [("a", 1), ("b", 1), ("c", 3)] {
        place.call(&format!("{SMALL} --name same --out {out} --jobs {jobs}")).exits(0);
    }
    for file in MEASURED.iter().chain(&DERIVED) {
        let first = place.read(&format!("a/{file}"));
        assert!(!first.is_empty(), "{file}");
        for other in ["b", "c"] {
            assert_eq!(place.read(&format!("{other}/{file}")), first, "{other}/{file}");
        }
    }
    let samples = place.read("a/samples.csv");
    assert_eq!(samples.lines().count(), 1 + 2 * 3 * 2 * 2);
    assert!(samples.lines().skip(1).all(|line| line.contains(",ok,")), "{samples}");
}

#[test]
fn what_it_writes_is_the_same_experiment() {
    let place = Place::new();
    place.write("mine.toml", "cores = \"virtual\"\n[virtual]\nsection_ps = 77777\n");
    let call = format!(
        "{} mine.toml --only 1 --threads 1,3 --out a",
        SMALL.replace(" --cores virtual", "")
    );
    let call = call.replace("--only 1,2 ", "").replace("--threads 1,2,5 ", "");
    place.call(&call).exits(0).says("cores       virtual, with other costs than the default");
    let written = place.read("a/experiment.toml");
    assert!(written.contains("cores = \"virtual\"") && written.contains("section_ps = 77777"));
    place.call("run a/experiment.toml --out b --jobs 2").exits(0);
    for file in MEASURED {
        assert_eq!(place.read(&format!("b/{file}")), place.read(&format!("a/{file}")), "{file}");
    }
}

#[test]
fn what_virtual_cores_cannot_do_is_refused() {
    let place = Place::new();
    place.write("negative.toml", "cores = \"virtual\"\n\n[virtual]\nnode_ps = 5\nwake_ps = -1\n");
    let message = "negative.toml:5: virtual.wake_ps: `wake_ps` is -1: 0 to 1000000000 expected";
    place.call("run negative.toml").exits(2).says(message);
    place.write("unknown.toml", "[virtual]\nspeed = 1\n");
    let message = "unknown.toml:2: virtual.speed: unknown field `speed`, expected one of `node_ps`";
    place.call("run unknown.toml").exits(2).says(message);
    place.write("still.toml", "cores = \"virtual\"\n[virtual]\njitter_permille = 0\n");
    let message = "--runs: 3 found, 1 expected: with jitter_permille = 0";
    place.call("run still.toml --runs 3").exits(2).says(message);
    let message = "--jobs: 2 found, 1 expected: only samples on virtual cores";
    place.call("run --jobs 2 --only 1").exits(2).says(message);
    place.call("run --cores virtual --jobs 0").exits(2).says("1 to 1024 expected");
}

#[test]
fn a_time_limit_is_virtual_time() {
    let place = Place::new();
    let call = "run --cores virtual --threads 1,2 --depth 30 --only 1 --runs 1 --hash 1 \
                --time-limit 0.02 --out a";
    place.call(call).exits(0);
    let samples = place.read("a/samples.csv");
    assert!(samples.lines().skip(1).all(|line| line.contains(",censored,0.02")), "{samples}");
}
