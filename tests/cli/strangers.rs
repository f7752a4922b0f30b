//! Files from strangers: links, pipes, escapes, and cells that a spreadsheet would run.

use crate::common::Place;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

/// A small sweep's results in the directory `x`.
fn swept() -> Place {
    let place = Place::new();
    let run = "run --positions bratko-kopec --only 1,2 --searchers ybwc --threads 1,2 --depth 3 \
               --runs 2 --hash 1 --cores virtual --out x";
    place.call(run).exits(0);
    place
}

fn pipe(place: &Place, name: &str) {
    let _ = fs::remove_file(place.path(name));
    assert!(Command::new("mkfifo").arg(place.path(name)).status().expect("mkfifo").success());
}

fn link(place: &Place, to: &str, name: &str) {
    let _ = fs::remove_file(place.path(name));
    symlink(place.path(to), place.path(name)).expect("made");
}

#[test]
fn nothing_is_written_through_hard_links() {
    for name in ["samples.csv", "iterations.csv", "log.txt", "report.md", "experiment.toml"] {
        let place = swept();
        place.write("x/log.txt", "before\n");
        fs::hard_link(place.path(&format!("x/{name}")), place.path("victim")).expect("made");
        let before = place.read("victim");
        place.call("run x/experiment.toml --out x --runs 3").exits(0);
        assert_eq!(place.read("victim"), before, "{name}: gone on with");
        place.call("run x/experiment.toml --out x --fresh").exits(0);
        assert_eq!(place.read("victim"), before, "{name}: made afresh");
    }
}

#[test]
fn no_pipe_without_a_writer_is_waited_for_and_no_device_is_read() {
    let place = Place::new();
    for name in ["a.epd", "a.pgn"] {
        pipe(&place, name);
    }
    for (call, file) in [
        ("run --dry-run --positions", "a.epd"),
        ("perft --positions", "a.epd"),
        ("bench --positions", "a.epd"),
        ("calibrate --positions", "a.epd"),
        ("match --searchers ybwc,dts --dry-run --openings", "a.pgn"),
        ("rate", "a.pgn"),
        ("tune", "a.pgn"),
    ] {
        let begun = Instant::now();
        place.call(&format!("{call} {file}")).exits(2);
        place.call(&format!("{call} /dev/zero")).exits(2).says("neither a file nor a pipe");
        assert!(begun.elapsed() < Duration::from_secs(20), "{call}");
    }
    place.call("run /dev/zero").exits(2).says("neither a file nor a pipe");
}

#[test]
fn a_compressed_file_is_told_as_one() {
    let place = Place::new();
    fs::write(place.path("b.epd"), b"\xff\xfer\0n\0").expect("written");
    place.call("perft --positions b.epd").exits(2).says("it is UTF-16 text: save it as UTF-8");
    for file in ["a.epd", "a.pgn"] {
        fs::write(place.path(file), b"\x1f\x8b\x08\0\n\xff").expect("written");
    }
    for call in [
        "run --dry-run --skip-bad --positions a.epd",
        "perft --positions a.epd",
        "match --searchers ybwc,dts --dry-run --openings a.epd",
        "match --searchers ybwc,dts --dry-run --openings a.pgn",
        "rate a.pgn",
        "tune a.pgn",
    ] {
        place.call(call).exits(2).says("it is compressed (gzip): unpack it first");
    }
}

#[test]
fn nothing_is_written_or_removed_through_links() {
    for name in ["report.md.new", "report.md", "summary.csv", "report.html.new", "figures.tex"] {
        let place = swept();
        place.write("victim", "precious");
        link(&place, "victim", &format!("x/{name}"));
        place.call("report x").exits(0);
        assert_eq!(place.read("victim"), "precious", "{name}");
        assert!(!place.path(&format!("x/{name}")).is_symlink(), "{name}");
    }
    let place = swept();
    fs::create_dir(place.path("elsewhere")).expect("made");
    place.write("elsewhere/speedup.svg", "precious");
    fs::remove_dir_all(place.path("x/charts")).expect("removed");
    link(&place, "elsewhere", "x/charts");
    for command in ["report x", "run x/experiment.toml --out x --fresh"] {
        assert_ne!(place.call(command).says("charts").code, Some(0));
        assert_eq!(fs::read_dir(place.path("elsewhere")).expect("listed").count(), 1);
    }
    for name in ["samples.csv", "iterations.csv", "log.txt"] {
        let place = swept();
        fs::copy(place.path(&format!("x/{name}")), place.path("victim")).ok();
        place.write("victim", &fs::read_to_string(place.path("victim")).unwrap_or_default());
        let before = place.read("victim");
        link(&place, "victim", &format!("x/{name}"));
        let called = place.call("run x/experiment.toml --out x --runs 3");
        let _ = called.code;
        place.call("run x/experiment.toml --out x --fresh");
        assert_eq!(place.read("victim"), before, "{name}");
    }
}

#[test]
fn a_table_is_printed_although_no_report_can_be_written() {
    let place = swept();
    let printed = place.call("report x --format csv").exits(0).out;
    fs::remove_file(place.path("x/report.md")).expect("removed");
    fs::create_dir(place.path("x/report.md")).expect("made");
    place.call("report x").exits(1).says("report.md: ");
    let called = place.call("report x --format csv").exits(0);
    assert_eq!(called.says("ttd: the report is not written: x/report.md: ").out, printed);
    assert!(place.call("report x --json").exits(0).out.starts_with('['));
}

#[test]
fn a_file_that_cannot_be_reached_is_there() {
    let place = swept();
    for command in ["report x", "compare x x", "quality x", "validate x x", "explain x"] {
        let says = |why| {
            place.call(command).exits(1).says(&format!("x/experiment.toml: {why}"));
            fs::remove_file(place.path("x/experiment.toml")).expect("removed");
        };
        pipe(&place, "x/experiment.toml");
        says("it is no regular file");
        // A link to itself leads nowhere, as a directory without permission.
        symlink("experiment.toml", place.path("x/experiment.toml")).expect("made");
        says("Too many levels");
        place.call(command).exits(2).says("there is no experiment.toml");
    }
}

#[test]
fn no_command_waits_for_a_pipe() {
    for name in
        ["iterations.csv", "samples.csv", "experiment.toml", "environment.toml", "report.md.new"]
    {
        let place = swept();
        pipe(&place, &format!("x/{name}"));
        for command in
            ["report x", "compare x x", "quality x", "run x/experiment.toml --out x --dry-run"]
        {
            // The user's own argument may be a pipe.
            if name == "experiment.toml" && command.starts_with("run") {
                continue;
            }
            let begun = Instant::now();
            place.call(command);
            assert!(begun.elapsed() < Duration::from_secs(30), "{name}: {command}");
        }
    }
    let place = swept();
    let text = place.read("x/experiment.toml");
    // The last one says that it is a regular file, and has no end.
    for path in ["/dev/zero", "/dev/tty", "/proc/kmsg"] {
        let named = format!("positions = \"{path}\"");
        place.write("x/experiment.toml", &text.replace("positions = \"bratko-kopec\"", &named));
        place.call("report x").says(path);
    }
}

#[test]
fn no_escape_reaches_a_terminal() {
    let swap = |file: &str, from: &str, to: &str| {
        let place = swept();
        let text = place.read(file);
        let line = text.lines().find(|line| line.starts_with(from)).expect("a line");
        place.write(file, &text.replacen(line, to, 1));
        for command in ["report x", "compare x x", "quality x", "run x/experiment.toml --dry-run"] {
            let called = place.call(command);
            let control = |text: &str| text.chars().any(|c| c.is_control() && !"\n\t".contains(c));
            assert!(!control(&called.out), "{command}: {:?}", called.out);
            assert!(!control(&called.err), "{command}: {:?}", called.err);
        }
    };
    swap("x/environment.toml", "version =", "version = \"\\u001b[31mevil\"");
    swap("x/environment.toml", "cpu =", "cpu = \"\\u009b31m\\u0007\"");
    swap("x/experiment.toml", "name =", "name = \"\\u001b]0;pwned\\u0007\"");
    swap("x/experiment.toml", "searchers =", "searchers = [\"\\u001b[2J\"]");
    swap("x/samples.csv", "1,0,", "1,0,\u{1b}[31mred,1,BK.01,3,ok");
}

#[test]
fn a_dry_run_starts_no_program_and_shows_what_would_start() {
    let place = Place::new();
    place.write("pwn.sh", "#!/bin/sh\ntouch ran\n");
    let engine = "name = \"e\"\ncommand = [\"sh\", \"pwn.sh\", \"a b\"]\ndir = \".\"\n\
                  environment = { NET = \"big\" }\n";
    let toml = format!(
        "positions = \"bratko-kopec\"\nthreads = [1]\ndepth = 3\nruns = 1\n[[engines]]\n{engine}"
    );
    place.write("e.toml", &toml);
    let called = place.call("run e.toml --dry-run").exits(0);
    assert!(!place.path("ran").exists(), "it was started");
    let called = called.says("would start e: sh pwn.sh 'a b' in ");
    called.says("with NET=big");
}

#[test]
fn no_cell_is_computed_by_a_spreadsheet() {
    let place = Place::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    place
        .write("p.epd", &format!("{start} id \"=1+1\";\n{start} id \"@x\";\n{start} id \"-y\";\n"));
    let run = "run --positions p.epd --searchers sequential --threads 1 --depth 2 --runs 1 --hash 1 \
               --cores virtual --out x";
    place.call(run).exits(0);
    place.call(run).exits(0).says("all done already");
    for entry in fs::read_dir(place.path("x")).expect("listed").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().extension().is_none_or(|extension| extension != "csv") {
            continue;
        }
        let text = place.read(&format!("x/{name}"));
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes());
        for record in reader.records() {
            for field in &record.expect("a row") {
                let computed =
                    field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
                assert!(!computed, "{name}: {field}");
            }
        }
    }
    for name in ["=x", "+x", "-x", "@x"] {
        let engine = format!("name={name} command=true");
        place
            .call_with(&["run", "--engine", &engine])
            .exits(2)
            .says("a spreadsheet would compute it");
    }
}
