//! Engines as others write them: each is a shell script of a few lines.

use crate::common::{Called, Place};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// A place with the script `engine.sh`, and a position in which `e7e5` is legal.
fn with(start: &str, options: &str, go: &str) -> Place {
    let place = Place::new();
    let script = format!(
        "#!/bin/sh\n{start}\nwhile read -r line; do case \"$line\" in\n\
         uci) echo id name E; {options}\necho uciok ;;\n\
         isready) echo readyok ;;\n\
         stop) echo bestmove e7e5 ;;\n\
         setoption*) echo \"$line\" >>\"$HEARD\" ;;\n\
         go*) {go} ;;\n\
         quit) exit ;;\nesac; done\n"
    );
    place.write("engine.sh", &script);
    place.write("p.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"one\";\n");
    place
}

/// Measures it to depth 4 with these keys besides, and returns the one row of `samples.csv`.
fn measured(place: &Place, keys: &str, more: &str) -> Vec<String> {
    run(place, keys, more).exits(0);
    let text = place.read("out/samples.csv");
    assert_eq!(text.lines().count(), 2, "{text}");
    text.lines().nth(1).expect("a row").split(',').map(str::to_owned).collect()
}

fn run(place: &Place, keys: &str, more: &str) -> Called {
    let heard = place.path("heard").display().to_string();
    let engine = format!("sh {} env.HEARD={heard} {keys}", place.path("engine.sh").display());
    let mut arguments = vec!["run", "--engine", &engine, "--out", "out", "--runs", "1", "--fresh"];
    for (option, value) in
        [("--positions", "p.epd"), ("--threads", "1"), ("--depth", "4"), ("--time-limit", "4")]
    {
        if !more.contains(option) {
            arguments.extend([option, value]);
        }
    }
    arguments.extend(more.split_whitespace());
    place.call_with(&arguments)
}

/// Four depths and a move.
const GOOD: &str = "for d in 1 2 3 4; do echo info depth $d score cp $d nodes ${d}00 pv e7e5; done; \
                    echo bestmove e7e5";

#[test]
fn options_are_within_what_is_offered() {
    let threads = "echo option name Threads type spin default 1 min 1 max 1";
    let place = with("", threads, GOOD);
    assert_eq!(measured(&place, "", "--threads 1,2")[3], "1", "one thread");
    let fixed = "echo option name Threads type spin default 1 min 1 max 1\n\
                 echo option name Hash type spin default 64 min 64 max 64";
    let place = with("", fixed, GOOD);
    assert_eq!(measured(&place, "", "--threads 1,4 --hash 2")[6], "ok");
    assert!(place.read("out/environment.toml").contains("own_table = true"));
    let small = "echo option name Hash type spin default 16 min 16 max 64\n\
                 echo option name Level type spin default 1 min 0 max 3";
    let place = with("", small, GOOD);
    run(&place, "", "--hash 128").exits(2).says("16 to 64 expected: --hash within that");
    run(&place, "", "--hash 1").exits(2).says("--hash");
    let wrong = run(&place, "option.Level=9 option.Style=2", "--hash 16").exits(2);
    assert!(wrong.err.contains("`Level`: 9 found") && wrong.err.contains("`Style`: it does not"));
    assert!(!wrong.err.contains("< uciok"), "no protocol where the settings are wrong");
}

#[test]
fn values_are_sent_as_they_are_written() {
    let offered = "echo option name CPuct type string default 1\n\
                   echo option name Own Book type check default true\n\
                   echo option name Mode type combo default a var Fast var Slow";
    let place = with("", offered, GOOD);
    let keys = "option.CPuct=1.50 'option.Own Book=False' option.Mode=slow";
    measured(&place, keys, "");
    let heard = place.read("heard");
    for line in ["CPuct value 1.50", "Own Book value false", "Mode value Slow"] {
        assert!(heard.contains(line), "{heard}");
    }
    let script = place.path("engine.sh").display().to_string();
    for (value, sent) in [("1.745", "1.745"), ("-0.5", "-0.5"), ("3", "3"), ("true", "true")] {
        let _ = fs::remove_file(place.path("heard"));
        let heard = place.path("heard").display().to_string();
        place.write("s.toml", &format!(
            "positions = \"p.epd\"\nthreads = [1]\ndepth = 4\nruns = 1\n[[engines]]\nname = \"e\"\n\
             command = [\"sh\", \"{script}\"]\nenvironment = {{ HEARD = \"{heard}\" }}\n\
             options = {{ CPuct = {value} }}\n"
        ));
        place.call("run s.toml --out s --fresh").exits(0);
        assert!(place.read("heard").contains(&format!("CPuct value {sent}\n")), "{value}");
    }
}

#[test]
fn a_slow_start_has_a_key() {
    let place = with("sleep 2", "", GOOD);
    run(&place, "start_limit_s=1", "").exits(2).says("`start_limit_s` allows more");
    assert_eq!(measured(&place, "start_limit_s=20", "")[6], "ok");
}

#[test]
fn directory_and_environment_are_the_engines() {
    let place = with("[ -f net.bin ] && [ \"$NET\" = big ] || exit 7", "", GOOD);
    fs::create_dir(place.path("own place")).expect("made");
    place.write("own place/net.bin", "");
    run(&place, "", "").exits(2).says("exit status 7");
    assert_eq!(measured(&place, "'dir=own place' env.NET=big", "")[6], "ok");
    run(&place, "dir=none env.NET=big", "").exits(2).says("is not there (key `dir`)");
}

#[test]
fn a_mate_ends_a_search() {
    for (score, keys) in [
        ("mate 3", ""),
        ("mate -2", ""),
        ("cp 15995", ""),
        ("cp -9994", ""),
        ("cp 31996", ""),
        ("cp 4995", "mate_score=4900"),
    ] {
        let told = format!(
            "echo info depth 1 score cp 3 pv e7e5; echo info depth 2 score {score} pv e7e5"
        );
        let ends = with("", "", &format!("{told}; echo bestmove e7e5"));
        assert_eq!(measured(&ends, keys, "")[6], "ok", "{score}");
        let waits = with("", "", &told);
        let row = measured(&waits, &format!("end=depth-reported {keys}"), "");
        assert_eq!(row[6], "ok", "{score}");
        assert!(
            row[7].parse::<f64>().is_ok_and(|time| time < 1.0),
            "the time of the mate: {row:?}"
        );
    }
    let early = with("", "", "echo info depth 2 score cp 4995 pv e7e5; echo bestmove e7e5");
    run(&early, "", "").exits(3);
    assert!(early.read("out/log.txt").contains("`mate_score` tells"));
}

#[test]
fn bounds_and_odd_lines() {
    let bounds = "for d in 1 2 3 4; do echo info depth $d score cp 9 upperbound nodes 1; \
                  echo info depth $d score cp 5 lowerbound nodes 2 pv e7e5; done; echo bestmove e7e5";
    assert_eq!(measured(&with("", "", bounds), "", "")[6], "ok");
    // The last line is of a lower depth, or of none.
    let lower = format!(
        "{}; echo info depth 1 nodes 3; echo info nodes 777; echo bestmove e7e5",
        GOOD.trim_end_matches("; echo bestmove e7e5")
    );
    let row = measured(&with("", "", &lower), "", "");
    assert_eq!((row[6].as_str(), row[8].as_str()), ("ok", "777"));
    let many = "9".repeat(30);
    let absurd = format!(
        "echo info depth {many} score cp {many} nodes {many} nps {many} time {many} \
                          hashfull {many} pv =cmd; echo bestmove e7e5"
    );
    let place = with("", "", &absurd);
    assert_eq!(measured(&place, "", "")[6], "ok");
    place.call("report out").exits(0);
    place.call("run out/experiment.toml --out out").exits(0).says("all done already");
    let silent = with("", "", "echo bestmove e7e5");
    run(&silent, "", "").exits(3);
    assert!(silent.read("out/log.txt").contains("told of no depth"));
}

#[test]
fn moves_that_need_no_search_or_are_written_otherwise() {
    for (position, mv) in [
        ("8/4P1k1/8/8/8/8/8/K7 w - -", "e7e8Q"),
        ("8/8/8/8/8/k7/4p1K1/8 b - -", "e2e1N"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "E2E4"),
    ] {
        let go = GOOD.replace("bestmove e7e5", &format!("bestmove {mv}"));
        let place = with("", "", &go);
        place.write("p.epd", &format!("{position} id \"one\";\n"));
        let row = measured(&place, "", "");
        assert_eq!((row[6].as_str(), row[10].as_str()), ("ok", mv.to_ascii_lowercase().as_str()));
    }
    // One legal move: the engine plays it at once.
    for (position, mv) in
        [("7k/8/8/8/8/8/8/K1q5 w - -", "a1a2"), ("k7/8/8/8/8/8/6r1/7K w - -", "h1g2")]
    {
        let place = with("", "", &format!("echo bestmove {mv}"));
        place.write("p.epd", &format!("{position} id \"one\";\n"));
        assert_eq!(measured(&place, "", "")[6], "ok", "{position}");
    }
}

#[test]
fn standard_error_costs_no_sample() {
    for noise in [
        "head -c 300000 /dev/zero | tr '\\0' '#' >&2",
        "i=0; while [ $i -lt 2000 ]; do printf '\\r%s%%' $i >&2; i=$((i+1)); done",
        "head -c 100000 /dev/urandom >&2",
        "printf 'no end' >&2",
    ] {
        assert_eq!(measured(&with(noise, "", &format!("{noise}; {GOOD}")), "", "")[6], "ok");
    }
}

#[test]
fn a_broken_engine_may_be_left_out() {
    let place = with("", "", GOOD);
    let good = format!("name=good command='sh {}'", place.path("engine.sh").display());
    let run = ["run", "--engine", "./none", "--engine", &good, "--engine", "name=f command=false"];
    let more =
        ["--positions", "p.epd", "--threads", "1", "--depth", "4", "--runs", "1", "--out", "o"];
    let all = [&run[..], &more].concat();
    place.call_with(&all).exits(2).says("`none`");
    let called = place.call_with(&[&all[..], &["--skip-broken"]].concat()).exits(0);
    let called = called.says("the engine `none` is left out: ");
    called.says("the engine `f` is left out: it ended (exit status 1)");
    let alone = ["run", "--engine", "./none", "--skip-broken"];
    place.call_with(&alone).exits(2).says("there is no such program");
}

#[test]
fn what_keeps_a_program_from_starting_is_said() {
    let place = Place::new();
    let says = |bytes: &[u8], what: &str| {
        fs::write(place.path("e"), bytes).expect("written");
        fs::set_permissions(place.path("e"), fs::Permissions::from_mode(0o755)).expect("set");
        place.call_with(&["run", "--engine", "./e"]).exits(2).says(what);
    };
    says(b"#!/bin/sh\r\necho uciok\r\n", "its lines end with CR LF");
    says(b"#!/usr/bin/python9\n", "asks for `/usr/bin/python9`, and there is no such program");
    says(b"MZ\x90\0\x03", "it is a program for Windows");
    says(b"", "the file is empty");
    says(b"while read x; do echo uciok; done\n", "command = [\"sh\", ");
    fs::set_permissions(place.path("e"), fs::Permissions::from_mode(0o644)).expect("set");
    place.call_with(&["run", "--engine", "./e"]).exits(2).says("it is not executable");
    place.call_with(&["run", "--engine", "e"]).exits(2).says("There is `./e`: write that path");
    place.call_with(&["run", "--engine", "/tmp"]).exits(2).says("it is a directory");
    place
        .call_with(&["run", "--engine", "name=x 'command=\"./e -u\"'"])
        .exits(2)
        .says("words of their own");
}

#[test]
fn a_check_hints_at_another_protocol_and_obeys_the_depth() {
    let place = with(
        "",
        "",
        "echo \"$line\" >>asked; echo info depth 3 score cp 1 nodes 1 pv a7a6; \
                              echo bestmove 0000",
    );
    let script = place.path("engine.sh").display().to_string();
    place.call_with(&["engine", "check", &format!("sh {script} depth=3 env.HEARD=/dev/null")]);
    let asked = place.read("asked");
    assert!(asked.contains("go depth 3") && !asked.contains("go depth 10"), "{asked}");
    let xboard = "while read -r l; do case \"$l\" in protover*) \
                  echo 'feature setboard=1 done=1';; esac; done";
    place.write("x.sh", xboard);
    let check = |engine: &str| place.call_with(&["engine", "check", engine]).exits(2);
    check("sh x.sh start_limit_s=1").says("protocol=xboard");
    // An engine that cannot be set to a position speaks that protocol too.
    place.write("l.sh", &xboard.replace("setboard=1", "setboard=0"));
    check("sh l.sh start_limit_s=1").says("protocol=xboard");
    check("sh l.sh protocol=xboard").says("it lacks the feature setboard");
    place.write(
        "u.sh",
        "[ \"$1\" = -u ] || exec cat >/dev/null\nread -r l; echo uciok; cat >/dev/null",
    );
    check("sh u.sh start_limit_s=1").says("add it to the command");
    place.write("n.sh", "exec cat >/dev/null");
    assert!(!check("sh n.sh start_limit_s=1").err.contains("answers"));
}

/// Nothing that an engine started outlives the run, whatever sessions and forks it makes.
#[cfg(target_os = "linux")]
mod left_behind {
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
    fn mark(at: u32) -> String {
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
            assert!(
                Command::new(signal[0]).args(&signal[1..]).status().expect("it runs").success()
            );
        }
        assert!(is_gone(&mark), "it outlives the run");
        run.wait().expect("it ends");
    }

    #[test]
    fn when_the_run_is_killed() {
        for (at, (what, way)) in (0..).zip(WAYS) {
            let (place, mark) = (Place::new(), mark(at));
            let mut run = begun(&place, way, &mark);
            run.kill().and_then(|()| run.wait()).expect("SIGKILL");
            assert!(is_gone(&mark), "{what} outlives the run");
        }
    }

    #[test]
    fn when_the_run_is_over() {
        for (at, (what, way)) in (10..).zip(WAYS) {
            let (place, mark) = (Place::new(), mark(at));
            let mut run = run(&place, &engine(&place, way, &mark, false));
            assert!(run.wait().expect("it ends").code().is_some());
            assert_eq!(running(&mark), 0, "{what} outlives the run");
        }
    }

    /// Each of sixty processes starts the next one and ends, while the supervisor kills them. A
    /// list of them is out of date before it is complete.
    #[test]
    fn while_it_forks() {
        for at in 20..30 {
            let mark = mark(at);
            let chain = format!(
                "f() {{ [ $1 = 0 ] && exec sleep 1000.{mark}; (f $(($1 - 1))) & exit; }}; (f 60) &"
            );
            let mut supervisor = Command::new(program())
                .args(["--supervise-engine", "sh", "-c", &format!("{chain} read line")])
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program runs");
            sleep(Duration::from_micros(300) * (at - 20));
            drop(supervisor.stdin.take());
            supervisor.wait().expect("it ends");
            assert_eq!(running(&mark), 0, "a chain of forks outlives its supervisor");
        }
    }
}
