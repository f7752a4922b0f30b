//! Nothing that an engine started outlives the run, whatever sessions and forks it makes.
#![cfg(target_os = "linux")]

use crate::common::{Place, program};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Shell code that leaves a process behind, by several ways. Each is marked by its file.
const WAYS: [(&str, &str); 4] = [
    ("a child", "sleep 1000.MARK &"),
    ("a session of its own", "setsid sleep 1000.MARK &"),
    ("a double fork", "(setsid sh -c 'sleep 1000.MARK & exit' &)"),
    ("a deaf engine", "trap '' TERM HUP INT; (trap '' TERM HUP INT; exec sleep 1000.MARK) &"),
];

/// An engine that leaves a process behind, and searches for ever if `deaf`.
fn engine(place: &Place, way: &str, mark: &str, deaf: bool) -> String {
    let fault = if deaf { "hang" } else { "none" };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    let text = format!("#!/bin/sh\n{}\n. {script}\n", way.replace("MARK", mark));
    place.write("engine.sh", &format!("fault={fault}\nset -- {fault}\n{text}"));
    format!("name=x 'command=sh {}'", place.path("engine.sh").display())
}

/// The number of processes with this mark.
fn running(mark: &str) -> usize {
    let found = Command::new("pgrep").args(["-f", &format!("1000[.]{mark}")]).output();
    String::from_utf8_lossy(&found.expect("pgrep runs").stdout).lines().count()
}

fn run(place: &Place, spec: &str) -> Child {
    Command::new(program())
        .args(["run", "--engine", spec, "--threads", "1", "--depth", "4", "--runs", "1"])
        .args(["--only", "1", "--out", "out"])
        .current_dir(place.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs")
}

/// A number that no other test's processes have.
fn mark(at: usize) -> String {
    format!("{}{at:02}", std::process::id())
}

fn is_gone(mark: &str) -> bool {
    let begun = Instant::now();
    while running(mark) > 0 {
        if begun.elapsed() > Duration::from_secs(10) {
            return false;
        }
        sleep(Duration::from_millis(20));
    }
    true
}

/// A run whose engine has left a process behind, and searches for ever.
fn begun(place: &Place, way: &str, mark: &str) -> Child {
    let run = run(place, &engine(place, way, mark, true));
    let begun = Instant::now();
    while running(mark) == 0 || !place.path("out/samples.csv").exists() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{way}: it does not start");
        sleep(Duration::from_millis(5));
    }
    run
}

#[test]
fn when_the_run_and_its_supervisor_are_told_to_end() {
    let (place, mark) = (Place::new(), mark(30));
    let mut run = begun(&place, WAYS[2].1, &mark);
    let id = run.id().to_string();
    // As `killall ttd` does.
    for signal in [["pkill", "-TERM", "-P", &id].as_slice(), &["kill", "-TERM", &id]] {
        assert!(Command::new(signal[0]).args(&signal[1..]).status().expect("it runs").success());
    }
    assert!(is_gone(&mark), "it outlives the run");
    run.wait().expect("it ends");
}

#[test]
fn when_the_run_is_killed() {
    for (at, (what, way)) in WAYS.iter().enumerate() {
        let (place, mark) = (Place::new(), mark(at));
        let mut run = begun(&place, way, &mark);
        run.kill().and_then(|()| run.wait()).expect("SIGKILL");
        assert!(is_gone(&mark), "{what} outlives the run");
    }
}

#[test]
fn when_the_run_is_over() {
    for (at, (what, way)) in WAYS.iter().enumerate() {
        let (place, mark) = (Place::new(), mark(10 + at));
        let mut run = run(&place, &engine(&place, way, &mark, false));
        assert!(run.wait().expect("it ends").code().is_some());
        assert_eq!(running(&mark), 0, "{what} outlives the run");
    }
}
