//! Tests of an outside engine with one fault at a time: `tests/scripted-engine.sh`.

use super::*;
use crate::uci::{Limit, Place, Said, Value, Virtually};
use cozy_chess::Board;

fn spec(fault: &str) -> EngineSpec {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scripted-engine.sh");
    let command = ["sh", script, fault].map(str::to_owned).to_vec();
    EngineSpec::new(format!("scripted-{fault}"), command)
}

fn grace() -> GracePeriods {
    let ms = Duration::from_millis;
    GracePeriods { greeting: ms(3000), ready: ms(3000), stop: ms(300) }
}

fn start(spec: &EngineSpec) -> Result<Engine, Fault> {
    let mut engine = Engine::start(spec, grace(), &[])?;
    engine.configure(2, 64)?;
    engine.new_game()?;
    Ok(engine)
}

#[test]
fn keys_of_an_engine_set_its_limits() {
    let own = EngineSpec {
        start_limit_s: Some(20),
        ready_limit_s: Some(600),
        stop_limit_s: Some(1),
        ..spec("plain")
    };
    let seconds = |of: GracePeriods| [of.greeting, of.ready, of.stop].map(|limit| limit.as_secs());
    assert_eq!(seconds(GracePeriods::default().of(&own)), [20, 600, 1]);
    assert_eq!(seconds(GracePeriods::default().of(&spec("plain"))), [10, 60, 5]);
}

fn search(engine: &mut Engine, limit: Limit, deadline: Option<u64>) -> Result<Reply, Fault> {
    let (board, interrupt) = (Board::default(), AtomicBool::new(false));
    let place = Place { start: &board, moves: &[] };
    let go = Go { place, limit, deadline: deadline.map(Duration::from_millis), among: &[] };
    engine.search(&go, &mut |_| Watch::On, &interrupt)
}

/// The fault that a search of depth 4 with this misbehaving engine gives.
fn what(fault: &str) -> Fault {
    let reply = start(&spec(fault)).and_then(|mut e| search(&mut e, Limit::Depth(4), Some(2000)));
    reply.expect_err(fault)
}

#[test]
fn searches_and_tells() {
    for protocol in [Protocol::Uci, Protocol::XBoard] {
        let fault = if protocol == Protocol::Uci { "none" } else { "xboard-threads" };
        let spec = EngineSpec { protocol, ..spec(fault) };
        let mut engine = start(&spec).unwrap_or_else(|e| panic!("{e}: {:?}", e.last_lines));
        assert!(engine.about().name.starts_with("Scripted"));
        for _ in 0..2 {
            let reply = search(&mut engine, Limit::Depth(4), None);
            let reply = reply.unwrap_or_else(|e| panic!("{e}: {:?}", e.last_lines));
            let depths: Vec<u32> = reply.iterations.iter().map(|told| told.depth).collect();
            assert_eq!(depths, [1, 2, 3, 4]);
            let last = reply.last().expect("four of them");
            assert_eq!((last.nodes, last.score), (Some(4000), Some(Said::Centipawns(40))));
            assert!(last.at <= reply.elapsed && !reply.late);
            assert!(reply.best.is_some());
        }
    }
}

#[test]
fn each_fault_is_named() {
    let died = |what: &What, how: &str| matches!(what, What::Died(why) if why == how);
    assert!(died(&what("die").what, "exit status 7"));
    let at_once = what("die-at-once");
    assert!(died(&at_once.what, "exit status 3"), "{at_once:?}");
    assert!(matches!(what("illegal").what, What::Illegal(mv) if mv == "e2e5"));
    assert!(matches!(what("none-found").what, What::Illegal(mv) if mv == "(none)"));
    assert!(matches!(what("garbage").what, What::Garbage(_)));
    assert!(matches!(what("hang").what, What::IgnoresStop { .. }));
    assert!(matches!(what("ignore-stop").what, What::IgnoresStop { .. }));
    let lines = what("illegal").last_lines;
    assert_eq!(lines.last().map(String::as_str), Some("< bestmove e2e5"));
    assert!(lines.iter().any(|line| line == "> go depth 4"));
}

#[test]
fn whoever_does_not_answer_is_not_waited_for() {
    let short = GracePeriods { greeting: Duration::from_millis(100), ..grace() };
    let mute = Engine::start(&spec("mute"), short, &[]).expect_err("it says nothing");
    assert!(matches!(mute.what, What::Silent { .. }));
    let short = GracePeriods { ready: Duration::from_millis(100), ..grace() };
    let mut engine = Engine::start(&spec("never-ready"), short, &[]).expect("it starts");
    assert!(matches!(engine.configure(1, 64).map_err(|f| f.what), Err(What::Silent { .. })));
}

#[test]
fn options_are_checked_before_they_are_sent_and_refusals_are_heard() {
    let with = |fault: &str, name: &str, value: Value| {
        let options = [(name.to_owned(), value)].into();
        start(&EngineSpec { options, ..spec(fault) }).map(|_| ()).map_err(|f| f.to_string())
    };
    let wild = || Value::Text("Wild one".to_owned());
    assert_eq!(with("none", "style", wild()), Ok(()));
    let error = with("refuse", "Style", wild()).expect_err("it says no");
    assert_eq!(error, "it refuses `Style`: No such option: Style");
    let error = with("none", "Style", Value::Number(3)).expect_err("none of them");
    assert_eq!(error, "it refuses `Style`: 3 found, Calm, Wild one expected");
    let error = with("none", "Ponder", Value::Switch(true)).expect_err("not offered");
    assert_eq!(error, "it refuses `Ponder`: it does not offer it");
    let error = start(&spec("no-threads")).map(|_| ()).expect_err("two threads");
    assert_eq!(error.to_string(), "it lacks an option for its number of threads");
}

#[test]
fn a_search_ends_at_its_deadline_or_when_it_is_stopped() {
    let mut engine = start(&spec("none")).expect("it starts");
    let reply = search(&mut engine, Limit::Infinite, Some(100)).expect("a move");
    assert!(reply.late && reply.elapsed >= Duration::from_millis(100));
    let deepest = reply.last().map(|last| (last.depth, last.nodes));
    assert_eq!(deepest, Some((3, Some(3000))), "what was cut short is no iteration");
    let (board, interrupt) = (Board::default(), AtomicBool::new(false));
    let place = Place { start: &board, moves: &[] };
    let go = Go { place, limit: Limit::Infinite, deadline: None, among: &[] };
    let mut at_two = |report: &Report| if report.depth == 2 { Watch::Stop } else { Watch::On };
    let reply = engine.search(&go, &mut at_two, &interrupt).expect("a move");
    assert!(!reply.late && reply.best.is_some());
    assert_eq!(reply.last().map(|last| last.depth), Some(2));
    interrupt.store(true, Relaxed);
    let fault = engine.search(&go, &mut |_| Watch::On, &interrupt).expect_err("interrupted");
    assert_eq!(fault.what, What::Interrupted);
}

#[test]
fn megabytes_and_noise_are_read_over() {
    for fault in ["flood", "noise", "complain"] {
        let mut engine = start(&spec(fault)).expect("it starts");
        let reply = search(&mut engine, Limit::Depth(3), Some(20_000));
        assert_eq!(reply.map(|reply| reply.iterations.len()).map_err(|f| f.what), Ok(3), "{fault}");
    }
}

#[test]
fn whoever_talks_on_after_quit_is_not_listened_to() {
    let begun = Instant::now();
    drop(start(&spec("babble")).expect("it starts"));
    assert!(begun.elapsed() < Duration::from_secs(30), "it would talk for ever");
}

#[test]
fn an_xboard_engine_goes_on_in_a_game_by_the_moves_it_does_not_know() {
    let spec = EngineSpec { protocol: Protocol::XBoard, ..spec("xboard-san") };
    let mut engine = Engine::start(&spec, grace(), &[]).expect("it starts");
    engine.configure(1, 64).and_then(|()| engine.new_game()).expect("ready");
    let (start, interrupt) = (Board::default(), AtomicBool::new(false));
    let mut moves = Vec::new();
    for (own, other) in [("a2a3", Some("e7e5")), ("b2b3", None)] {
        let clock = Duration::from_millis(1500);
        let limit =
            Limit::Clock { left: [clock; 2], increment: [Duration::ZERO; 2], moves_to_go: None };
        let place = Place { start: &start, moves: &moves };
        let go = Go { place, limit, deadline: None, among: &[] };
        let reply = engine.search(&go, &mut |_| Watch::On, &interrupt);
        let reply = reply.unwrap_or_else(|e| panic!("{}", e.with_last_lines("")));
        assert_eq!(reply.best, own.parse().ok(), "{}", moves.len());
        moves.extend(reply.best);
        moves.extend(other.map(|mv| mv.parse::<Move>().expect("a move")));
    }
    let said = engine.link.fault(What::Deaf).last_lines;
    let sent: Vec<&str> = said.iter().filter_map(|line| line.strip_prefix("> ")).collect();
    assert_eq!(sent[sent.len() - 4..], ["time 150", "otim 150", "ping 4", "usermove e7e5"]);
}

#[test]
fn what_cannot_be_started_says_why() {
    let start = |command: &str| {
        let spec = EngineSpec::new("x".to_owned(), vec![command.to_owned()]);
        Engine::start(&spec, grace(), &[]).map(|_| ()).map_err(|f| f.to_string())
    };
    let missing = "`./no-such-engine` cannot be started: there is no such program";
    assert_eq!(start("./no-such-engine"), Err(missing.to_owned()));
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let not_executable = format!("`{manifest}` cannot be started: it is not executable");
    assert_eq!(start(manifest), Err(not_executable));
}

/// An engine on virtual cores. It reads `go` after a microsecond and moves after five seconds, or
/// soon after it is told to stop. The last argument says how it does otherwise.
const STAMPED: &str = r#"#!/bin/sh
for word; do :; done
stop=9000000000000
while read -r line; do
    case $line in
    "ttd-cores stop-at "*) stop=${line##* }; continue ;;
    esac
    echo "@1000000> $line"
    case $line in
    uci) echo "@1000000 option name Threads type spin default 1 min 1 max 8"
        echo "@1000000 option name Hash type spin default 1 min 1 max 64"
        echo "@1000000 uciok" ;;
    isready) echo "@1000000 readyok" ;;
    go*) test "$word" = hang && sleep 30
        test "$word" = stuck && continue
        echo "@3001000000 info depth 4 score cp 1 nodes $4 time 3 pv e2e4"
        if test "$stop" -lt 5000000000000; then
            echo "@4000001000000> stop"
            echo "@4050001000000 info depth 5 score cp 1 pv e2e4"
            test "$word" = deaf && echo "@4400001000000 info depth 6 score cp 1 pv e2e4"
            echo "@4100001000000 bestmove d2d4"
        else
            echo "@5000001000000 info string ttd-cores since_ps=1 busy_ps=0,3 wait_ps=4,1 threads=2"
            echo "@5000001000000 bestmove e2e4"
        fi ;;
    quit) exit ;;
    esac
done
"#;

fn stamping(dir: &std::path::Path) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let runner = dir.join("runner");
    std::fs::write(&runner, STAMPED).expect("written");
    std::fs::set_permissions(&runner, std::fs::Permissions::from_mode(0o755)).expect("set");
    runner
}

#[test]
fn on_virtual_cores_times_come_with_the_lines() {
    let dir = tempfile::tempdir().expect("a directory");
    let runner = stamping(dir.path());
    let started = |word: &str, host_limit| {
        let virtually = Some(Virtually { host_limit, ..Virtually::new(runner.clone(), 77) });
        let spec = EngineSpec::new("x".to_owned(), vec![word.to_owned()]);
        start(&EngineSpec { virtually, ..spec })
    };
    let searched = |word: &str, deadline, host_limit| {
        search(&mut started(word, host_limit)?, Limit::Depth(4), deadline)
    };
    let reply = searched("plain", Some(6_000), Duration::MAX).expect("a move");
    assert_eq!((reply.elapsed, reply.late), (Duration::from_secs(5), false));
    let last = reply.last().expect("an iteration");
    // The seed comes to the runner.
    assert_eq!((last.at, last.nodes), (Duration::from_millis(3), Some(77)));
    let times = reply.thread_times.expect("it tells them");
    assert_eq!((times.busy_ps, times.wait_ps), (vec![0, 3], vec![4, 1]));
    // Reports behind the stop are of no whole iteration.
    let late = searched("plain", Some(4_000), Duration::MAX).expect("a reply");
    assert_eq!((late.late, late.best, late.iterations.len()), (true, "d2d4".parse().ok(), 1));
    assert_eq!(late.elapsed, Duration::from_millis(4_100));
    let fault = searched("deaf", Some(4_000), Duration::MAX).expect_err("it does not stop");
    assert_eq!(fault.what, What::IgnoresStop { within: grace().stop });
    assert_eq!(searched("stuck", None, Duration::MAX).expect_err("it waits").what, What::Stuck);
    let within = Duration::from_millis(50);
    let fault = searched("hang", None, within).expect_err("it hangs");
    assert_eq!(fault.what, What::HostLimit { within });
}

#[test]
fn on_virtual_cores_a_search_ends_with_the_line_that_ends_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let runner = stamping(dir.path());
    let virtually = Some(Virtually::new(runner, 77));
    let spec = EngineSpec { virtually, ..EngineSpec::new("x".to_owned(), vec!["x".to_owned()]) };
    let (board, interrupt) = (Board::default(), AtomicBool::new(false));
    let place = Place { start: &board, moves: &[] };
    let go = Go { place, limit: Limit::Infinite, deadline: None, among: &[] };
    for (watch, ms) in [(Watch::Stop, 3), (Watch::StopAt(Duration::from_millis(900)), 900)] {
        let mut engine = start(&spec).expect("it starts");
        let reply = engine.search(&go, &mut |_| watch, &interrupt).expect("a reply");
        assert_eq!((reply.best, reply.late), (None, false));
        assert_eq!(reply.elapsed, Duration::from_millis(ms));
    }
}
