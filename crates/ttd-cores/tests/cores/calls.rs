//! Calls and lines that the library answers: the account, a stop at a virtual time, clocks.

use super::{COMMAND, engine, told};
use std::process::Command;

/// The stamp, and the words behind it, of the first line that has `what`.
fn line<'a>(answer: &'a str, what: &str) -> (i64, &'a str) {
    let found = answer.lines().find(|line| line.contains(what)).expect("a line");
    let (stamp, words) = found[1..].split_once(' ').expect("words");
    (stamp.trim_end_matches('>').parse().expect("a stamp"), words)
}

/// The numbers of a key of an account.
fn numbers(account: &str, key: &str) -> Vec<i64> {
    let list = account.split(' ').find_map(|word| word.strip_prefix(key)).expect("a key");
    list.split(',').map(|number| number.parse().expect("a number")).collect()
}

#[test]
fn a_stop_comes_at_its_virtual_time() {
    let Some(engine) = engine() else { return };
    let lines = "setoption name Threads value 4\nttd-cores stop-at 40000000000\nposition startpos\n\
                 go infinite\ngo depth 3\nquit\n";
    let run = |options: &[&str]| {
        let mut command = Command::new(COMMAND);
        told(command.arg("run").args(options).arg(&engine.hooked), lines)
    };
    let answer = run(&["--stamps"]);
    let (go, stop) = (line(&answer, "> go infinite").0, line(&answer, "> stop").0);
    let move_time = line(&answer, " bestmove ").0;
    assert!((0..20_000_000).contains(&(stop - go - 40_000_000_000)), "{answer}");
    assert!((0..200_000_000).contains(&(move_time - stop)), "{answer}");
    assert_eq!(answer.matches(" bestmove ").count(), 2, "it holds for one `go`");
    assert!(!answer.contains("stop-at"));
    for carrier in ["swap", "baton"] {
        assert_eq!(run(&["--stamps", "--carrier", carrier]), answer);
    }
    assert_eq!(run(&[]).matches("bestmove ").count(), 2);
    // A search that ends before takes the stop off.
    let lines = lines.replace("infinite", "depth 4");
    let mut command = Command::new(COMMAND);
    let answer = told(command.args(["run", "--stamps"]).arg(&engine.hooked), &lines);
    assert!(answer.contains(" bestmove ") && !answer.contains("> stop"), "{answer}");
}

#[test]
fn each_best_move_has_an_account() {
    let Some(engine) = engine() else { return };
    let mut command = Command::new(COMMAND);
    let lines = "setoption name Threads value 4\nposition startpos\ngo depth 9\ngo depth 4\nquit\n";
    let answer = told(command.args(["run", "--stamps"]).arg(&engine.hooked), lines);
    let (now, account) = line(&answer, "info string ttd-cores");
    let (go, _) = line(&answer, "> go depth 9");
    assert_eq!(now, line(&answer, " bestmove ").0);
    assert_eq!((numbers(account, "since_ps="), numbers(account, "threads=")), (vec![go], vec![5]));
    let (busy, wait) = (numbers(account, "busy_ps="), numbers(account, "wait_ps="));
    assert_eq!(numbers(account, "queue_ps="), [0; 5]);
    for thread in 0..5 {
        // Clocks differ by a quantum.
        let all = busy[thread] + wait[thread];
        assert!((all - (now - go)).abs() <= 20_000_000, "{thread}: {answer}");
    }
    // The first one reads, and four search nearly always.
    assert!(busy[0] < 100_000_000, "{answer}");
    assert!(busy[1..].iter().all(|busy| busy * 10 > (now - go) * 9), "{answer}");
    assert_eq!(answer.matches("info string ttd-cores").count(), 2);
}

#[test]
fn threads_share_fewer_processors() {
    let Some(engine) = engine() else { return };
    let lines = "setoption name Threads value 8\nposition startpos\ngo depth 9\nquit\n";
    let run = |options: &[&str]| {
        let mut command = Command::new(COMMAND);
        told(command.args(["run", "--stamps"]).args(options).arg(&engine.hooked), lines)
    };
    let shared = ["--processors", "2", "--slice-ps", "100000000"];
    let answer = run(&shared);
    let (_, account) = line(&answer, "info string ttd-cores");
    let sum = |key: &str| numbers(account, key).iter().sum::<i64>();
    let length = line(&answer, " bestmove ").0 - line(&answer, "> go ").0;
    // Two processors are nearly always busy, and six threads wait for one of them.
    assert!((length * 19..=length * 20 + 1_000_000_000).contains(&(sum("busy_ps=") * 10)));
    assert!((length * 50..=length * 65).contains(&(sum("queue_ps=") * 10)), "{answer}");
    assert_eq!(run(&[&shared[..], &["--carrier", "baton"]].concat()), answer);
    // The other parts of the model make a search longer, and one for each thread changes nothing.
    let time = |options: &[&str]| {
        let answer = run(options);
        line(&answer, " bestmove ").0 - line(&answer, "> go ").0
    };
    let plain = time(&[]);
    assert_eq!(time(&["--processors", "20", "--seen", "256"]), plain);
    let slowed = time(&["--slowdown-permille", "100", "--turbo", "1=1000,8=500"]);
    assert!(slowed > plain * 2, "{slowed} ps, and {plain} plainly");
}
