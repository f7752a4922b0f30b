//! Conversations with `ttd uci`.

use crate::common::program;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const MATE_IN_ONE: &str = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

/// The program at the other end of two pipes.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Engine {
    pub(crate) fn start() -> Engine {
        let mut child = Command::new(program())
            .arg("uci")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut engine = Engine { child, input, output };
        engine.say("setoption name Hash value 1");
        engine
    }

    pub(crate) fn say(&mut self, lines: &str) {
        let input = self.input.as_mut().expect("still open");
        writeln!(input, "{lines}").expect("it reads");
    }

    /// The engine's lines until one that begins with `beginning`, without the fields that depend on
    /// the clock.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("text");
            assert!(length > 0, "it ended before `{beginning}`: {lines:?}");
            let words: Vec<&str> = line.split_whitespace().collect();
            let mut kept: Vec<&str> = Vec::new();
            let mut rest = words.iter();
            while let Some(&word) = rest.next() {
                if lines_of_clock(&words) && ["nps", "hashfull", "time"].contains(&word) {
                    rest.next();
                } else {
                    kept.push(word);
                }
            }
            lines.push(kept.join(" "));
            if line.starts_with(beginning) {
                return lines;
            }
        }
    }

    pub(crate) fn ask(&mut self, lines: &str, answer: &str) -> Vec<String> {
        self.say(lines);
        self.until(answer)
    }

    /// Closes the engine's input. Returns its exit status and its text on standard error.
    fn close(mut self) -> (Option<i32>, String) {
        self.input = None;
        let output = self.child.wait_with_output().expect("it ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    }
}

/// Whether a line has figures of the clock.
fn lines_of_clock(words: &[&str]) -> bool {
    words.first() == Some(&"info") && words.get(1) != Some(&"string")
}

/// The first word after another.
pub(crate) fn after<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    line.split(' ').skip_while(|other| *other != word).nth(1)
}

#[test]
fn it_introduces_itself_and_ends_with_its_input() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name ttd ") && lines[1].starts_with("id author "));
    for option in [
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name engine.null_move.enabled type check default true",
        "option name engine.null_move.reduction type spin default 4 min 1 max 32000",
        "option name searcher.lazy-smp.end type combo default first var main var first",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.say("go infinite");
    assert_eq!(engine.close(), (Some(0), String::new()));
}

#[test]
fn a_golden_conversation() {
    let mut engine = Engine::start();
    let lines = engine.ask(&format!("ucinewgame\n{MATE_IN_ONE}\ngo depth 2"), "bestmove");
    let without_nodes: Vec<String> = lines
        .iter()
        .map(|line| {
            let count = after(line, "nodes").map(|count| format!(" nodes {count}"));
            line.replace(&count.unwrap_or_default(), "")
        })
        .collect();
    assert_eq!(
        without_nodes,
        [
            "info depth 1 seldepth 1 multipv 1 score mate 1 pv a1a8",
            "info depth 2 seldepth 1 multipv 1 score mate 1 pv a1a8",
            // The last line has the figures of the whole search.
            "info depth 2 seldepth 1 multipv 1 score mate 1 pv a1a8",
            "bestmove a1a8",
        ]
    );
    let lines = engine.ask("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo", "info");
    assert_eq!(lines, ["info depth 0 score cp 0"], "stalemate");
    assert_eq!(engine.ask("stop", "bestmove"), ["bestmove (none)"]);
    let lines = engine.ask("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3", "bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
}

#[test]
fn a_limit_of_nodes_is_exact_and_repeatable_with_one_thread() {
    let mut engine = Engine::start();
    for searcher in ["sequential", "ybwc", "lazy-smp", "abdada"] {
        engine.say(&format!("setoption name Searcher value {searcher}"));
        for nodes in [1, 100, 5_000] {
            let go = format!("ucinewgame\nposition startpos\ngo nodes {nodes}");
            let lines = engine.ask(&go, "bestmove");
            let counted = after(&lines[lines.len() - 2], "nodes");
            assert_eq!(counted, Some(nodes.to_string().as_str()), "{searcher}: {lines:?}");
            assert_eq!(engine.ask(&go, "bestmove"), lines, "{searcher}");
        }
    }
}

#[test]
fn only_stop_ends_an_endless_search() {
    let mut engine = Engine::start();
    // The search itself ends at once.
    for go in ["go infinite", "go ponder depth 1", "go depth 1 infinite"] {
        engine.say(&format!("{MATE_IN_ONE}\n{go}"));
        engine.until("info depth 1");
        let lines = engine.ask("isready", "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{go}: {lines:?}");
        let lines = engine.ask("stop", "bestmove");
        assert_eq!(lines.last().expect("a line"), "bestmove a1a8", "{go}");
    }
    engine.say(&format!("{MATE_IN_ONE}\ngo ponder wtime 1000 btime 1000"));
    engine.until("info depth 1");
    let lines = engine.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    let lines = engine.ask("ponderhit", "bestmove");
    assert_eq!(lines.last().expect("a line"), "bestmove a1a8");
}

#[test]
fn moves_are_searched_that_were_asked_for() {
    let mut engine = Engine::start();
    for searcher in ["ybwc", "root-splitting", "lazy-smp"] {
        engine.say(&format!("ucinewgame\nsetoption name Searcher value {searcher}"));
        engine.say("setoption name Threads value 2\nsetoption name MultiPV value 1");
        let lines = engine.ask("position startpos\ngo depth 4 searchmoves a2a3 h2h3", "bestmove");
        // A helper of Lazy SMP may be first, and a depth ahead.
        let firsts = lines.iter().filter_map(|line| after(line, "pv").or(after(line, "bestmove")));
        let firsts: Vec<&str> = firsts.collect();
        assert!(firsts.len() >= 3, "{lines:?}");
        assert!(firsts.iter().all(|mv| ["a2a3", "h2h3"].contains(mv)), "{lines:?}");
        engine.say("setoption name MultiPV value 25");
        let lines = engine.ask("go depth 2", "bestmove");
        let last: Vec<&String> =
            lines.iter().filter(|line| line.starts_with("info depth 2 ")).take(20).collect();
        assert_eq!(lines.len(), 20 + 20 + 2, "{lines:?}");
        let mut moves: Vec<_> = last.iter().map(|line| after(line, "pv")).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 20, "each move once");
        let scores = last.iter().map(|line| after(line, "cp")?.parse::<i32>().ok());
        assert!(scores.rev().is_sorted());
    }
}

#[test]
fn the_game_before_counts() {
    let mut engine = Engine::start();
    let game = "position fen 7k/q7/8/8/8/8/8/1K6 w - - 0 1 moves";
    let round = "b1c1 h8g8 c1b1 g8h8";
    engine.say(&format!("{game} {round} {round} b1c1 h8g8"));
    let lines = engine.ask("go depth 2 searchmoves c1b1", "bestmove");
    assert_eq!(after(&lines[1], "cp"), Some("0"), "the third time: {lines:?}");
    engine.say(&format!("ucinewgame\n{game} b1c1 h8g8"));
    let lines = engine.ask("go depth 2 searchmoves c1b1", "bestmove");
    assert_ne!(after(&lines[1], "cp"), Some("0"), "the first time: {lines:?}");
}

#[test]
fn every_searcher_with_two_threads_plays_a_mate() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci", "uciok");
    let searchers = lines.iter().find(|line| line.starts_with("option name Searcher "));
    let searchers = searchers.expect("the option").split(" var ").skip(1);
    engine.say("setoption name Threads value 2");
    for searcher in searchers {
        engine.say(&format!("ucinewgame\nsetoption name Searcher value {searcher}\n{MATE_IN_ONE}"));
        let lines = engine.ask("go mate 1", "bestmove");
        assert_eq!(lines.last().expect("a line"), "bestmove a1a8", "{searcher}");
        let said = lines.iter().any(|line| line.contains("sequential takes one"));
        assert_eq!(said, searcher == "sequential");
    }
}

#[test]
fn castling_is_written_as_asked() {
    let mut engine = Engine::start();
    let go = "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1\ngo depth 1 searchmoves e1h1";
    let best = engine.ask(go, "bestmove").pop().expect("a line");
    assert!(best.starts_with("bestmove e1g1"), "{best}");
    engine.say("setoption name UCI_Chess960 value true");
    let best = engine.ask(go, "bestmove").pop().expect("a line");
    assert!(best.starts_with("bestmove e1h1"), "{best}");
}

#[test]
fn what_a_search_cannot_do_is_said() {
    let mut engine = Engine::start();
    engine.say(
        "setoption name engine.root_search value mtd-f\nsetoption name Searcher value pv-splitting",
    );
    let lines = engine.ask("position startpos\ngo depth 3", "bestmove");
    let said = "info string Searcher: pv-splitting found, another searcher expected";
    assert!(lines.iter().any(|line| line.starts_with(said)), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 3 multipv 1 ")), "{lines:?}");
    engine.say(
        "setoption name Searcher value ybwc\nsetoption name engine.iterative_deepening value false",
    );
    let said = "info string engine.iterative_deepening is false: without a depth";
    for (go, says) in [("go nodes 2000", true), ("go depth 3", false)] {
        let lines = engine.ask(go, "bestmove");
        assert_eq!(lines.iter().any(|line| line.starts_with(said)), says, "{go}: {lines:?}");
    }
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.say(MATE_IN_ONE);
    for (line, answer) in [
        ("position fen 8/8/8/8", "info string position: "),
        (
            "setoption name Hash value 1048576",
            "info string option refused: Hash: 1048576 found, 1 to ",
        ),
        (
            "setoption name Threads value many",
            "info string option refused: Threads: many found, 1 to 1024",
        ),
        (
            "setoption name Contempt value 1",
            "info string option refused: setoption: there is no option",
        ),
        (
            "setoption name engine.root_search value mtd-f\nsetoption name engine.table value none",
            "info string engine.table none waits for other options: ",
        ),
        ("position startpos moves e2e5\nposition startpos", "info string position: e2e5 found"),
    ] {
        let lines = engine.ask(&format!("{line}\nisready"), "readyok");
        assert!(lines.iter().any(|said| said.starts_with(answer)), "{line}: {lines:?}");
    }
    let unfit = "info string the engine is unchanged. Options do not fit: ";
    let lines = engine.ask("go depth 1", "bestmove");
    assert!(lines.iter().any(|said| said.starts_with(unfit)), "{lines:?}");
    let lines =
        engine.ask("setoption name engine.root_search value windows\ngo depth 1", "bestmove");
    assert!(!lines.iter().any(|said| said.contains("option")), "{lines:?}");
    let lines = engine.ask(&format!("joho\n{MATE_IN_ONE}\njoho go depth 1"), "bestmove");
    assert_eq!(lines.last().expect("a line"), "bestmove a1a8");
    engine.say("quit");
    assert_eq!(engine.close(), (Some(0), String::new()));
}
