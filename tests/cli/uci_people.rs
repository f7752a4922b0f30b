//! `ttd uci` as people and their programs use it, beside the letter of the protocol.

use crate::common::Place;
use crate::uci::{Engine, after};

#[test]
fn no_move_of_another_position_follows_a_refused_one() {
    let mut engine = Engine::start();
    for refused in [
        "position fen r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w KQkq - 0 12",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - e6 0 1",
        "position fen 8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1 moves e2e4",
        "position startpos moves e2e4 e2e4",
    ] {
        engine.say("position startpos moves e2e4");
        let lines = engine.ask(&format!("{refused}\ngo depth 3"), "bestmove");
        assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"), "{refused}");
        assert!(lines[0].starts_with("info string position: "), "{lines:?}");
        let lines = engine.ask("go perft 1\nisready", "readyok");
        assert!(!lines.iter().any(|line| line.contains("searched")), "{lines:?}");
        engine.say("go infinite");
        let lines = engine.ask("isready", "readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
        assert_eq!(engine.ask("stop", "bestmove"), ["bestmove 0000"]);
    }
    // Counters that other programs write are no fault.
    for fen in ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 0", "4k3/8/8/8/8/8/4P3/4K3 w - - 120 200"] {
        let best = engine.ask(&format!("position fen {fen}\ngo depth 1"), "bestmove");
        assert!(best.last().is_some_and(|line| line.starts_with("bestmove e")), "{best:?}");
    }
}

#[test]
fn the_best_move_is_the_head_of_the_last_line() {
    let mut engine = Engine::start();
    engine.say("setoption name Threads value 2");
    for (searcher, options, go) in [
        ("ybwc", "", "go nodes 1"),
        ("ybwc", "", "go nodes 3000"),
        ("ybwc", "setoption name MultiPV value 3", "go nodes 20000"),
        ("lazy-smp", "setoption name MultiPV value 1", "go nodes 30000"),
        ("lazy-smp", "setoption name searcher.lazy-smp.best_move value vote", "go depth 8"),
        ("sequential", "setoption name engine.root_search value mtd-f", "go nodes 20000"),
    ] {
        engine.say(&format!("setoption name Searcher value {searcher}\n{options}\nucinewgame"));
        for moves in ["e2e4 e7e5", "d2d4 g8f6 c2c4", "f2f3 e7e5 g2g4"] {
            let lines = engine.ask(&format!("position startpos moves {moves}\n{go}"), "bestmove");
            let [.., last, best] = lines.as_slice() else { panic!("{lines:?}") };
            assert_eq!(after(last, "pv"), after(best, "bestmove"), "{searcher} {go}: {lines:?}");
            assert!(after(last, "score").is_some(), "{last}");
            // The line has the most nodes of all.
            let nodes = |line| after(line, "nodes").and_then(|n| n.parse::<u64>().ok());
            let most = lines.iter().filter_map(|line| nodes(line)).max();
            assert_eq!(nodes(last), most, "{searcher} {go}: {lines:?}");
        }
    }
}

#[test]
fn commands_that_people_type_are_answered() {
    let mut engine = Engine::start();
    let lines = engine.ask("position startpos\ngo perft 3", "Nodes searched");
    assert_eq!(lines.len(), 22, "{lines:?}");
    assert!(lines.contains(&"a2a3: 380".to_owned()), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    let castling = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo perft 1";
    assert!(engine.ask(castling, "Nodes searched").contains(&"e1g1: 1".to_owned()));
    let lines = engine.ask("perft 0", "Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 1"));
    let lines = engine.ask("d\nisready", "readyok");
    assert!(lines.contains(&"Fen: r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".to_owned()), "{lines:?}");
    let lines = engine.ask("eval\nisready", "readyok");
    assert!(lines[0].starts_with("Evaluation: "), "{lines:?}");
    engine.ask("bench 3", "Nodes searched  : ");
    let lines = engine.ask("help\nisready", "readyok");
    assert!(lines.iter().any(|line| line.contains("go perft D")), "{lines:?}");
    // They are done one after another.
    let lines = engine
        .ask("position startpos\nbench 3\ngo perft 2\nbench 2\nd\nperft 1", "Nodes searched: 20");
    let ends = ["BK.24: ", "Nodes searched :", "Nodes searched: ", "Fen: ", "bench: stopped"];
    let ends = ends.map(|end| lines.iter().filter(|line| line.contains(end)).count());
    assert_eq!(ends, [2, 2, 2, 1, 0], "{lines:?}");
    for (line, why) in [
        ("joho", "info string unknown command `joho`: `help` lists the commands"),
        ("go perft x", "info string perft: `x` found, a depth expected, such as 5"),
        ("setoption name Hsh value 3", "info string option refused: setoption: there is no option"),
    ] {
        let lines = engine.ask(&format!("{line}\nisready"), "readyok");
        assert!(lines[0].starts_with(why), "{lines:?}");
    }
    engine.say("position r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    // A count that takes hours is stopped, and a search may follow.
    engine.say("position startpos\ngo perft 15\nstop\ngo depth 1");
    engine.until("bestmove");
    // The end of the input does not end a count.
    let lines = engine.ask("go perft 4\nquit", "Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 197281"));
}

#[test]
fn options_of_the_protocol_are_offered_and_do_what_they_say() {
    let mut engine = Engine::start();
    let lines = engine.ask("uci", "uciok");
    for line in lines.iter().filter(|line| line.starts_with("option name ")) {
        let name = line.split(" type ").next().expect("a name").trim_start_matches("option name ");
        let words = ["name", "type", "default", "min", "max", "var", "value"];
        let is_word = |part: &str| words.contains(&part);
        assert!(!name.split(['.', ' ']).any(is_word), "a program may split {line}");
    }
    assert!(lines.iter().any(|line| line.starts_with("option name engine.history.max_value ")));
    let lines = engine.ask("setoption name engine.history.max value 5000\nisready", "readyok");
    assert_eq!(lines, ["readyok"], "the key of an experiment is known too");
    let go = "position startpos\ngo depth 3";
    assert!(engine.ask(go, "bestmove").iter().all(|line| after(line, "wdl").is_none()));
    engine.say("setoption name UCI_ShowWDL value true");
    let lines = engine.ask(go, "bestmove");
    let line = &lines[lines.len() - 2];
    let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "wdl").take(4).collect();
    let sum: u32 = words[1..].iter().filter_map(|word| word.parse::<u32>().ok()).sum();
    assert_eq!(sum, 1000, "{line}");
    engine.say("setoption name UCI_LimitStrength value true");
    let nodes = |engine: &mut Engine, elo: u32| {
        let line = format!(
            "ucinewgame\nsetoption name UCI_Elo value {elo}\nposition startpos\ngo movetime 60000"
        );
        let lines = engine.ask(&line, "bestmove");
        after(&lines[lines.len() - 2], "nodes").and_then(|n| n.parse::<u64>().ok()).expect("nodes")
    };
    let (weak, strong) = (nodes(&mut engine, 800), nodes(&mut engine, 1400));
    assert!(weak < strong && strong < 100_000, "{weak} {strong}");
}

/// An entry of a Polyglot book about the initial position.
fn entry(from: (u16, u16), to: (u16, u16), weight: u16) -> Vec<u8> {
    let square = |(file, rank): (u16, u16)| file | (rank - 1) << 3;
    let mv = square(to) | square(from) << 6;
    let key = 0x463b_9618_1691_fc9c_u64.to_be_bytes();
    [&key[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
}

#[test]
fn a_book_is_played_and_a_damaged_one_is_told() {
    let place = Place::new();
    let path = |name: &str| place.path(name).to_string_lossy().into_owned();
    let (e, f) = (4, 5);
    let set = |name: &str, bytes: Vec<u8>| {
        std::fs::write(place.path(name), bytes).expect("written");
        format!("setoption name Book value {}\nposition startpos", path(name))
    };
    let good = set("good.bin", [entry((f, 2), (f, 4), 9), entry((e, 2), (e, 3), 0)].concat());
    let illegal = set("illegal.bin", entry((e, 2), (e, 5), 1));
    let torn = set("torn.bin", entry((e, 2), (e, 4), 1)[..9].to_vec());
    let mut engine = Engine::start();
    let lines = engine.ask(&format!("{good}\ngo depth 30"), "bestmove");
    let expected =
        ["info string Book: 2 entries", "info string Book: a move of the book", "bestmove f2f4"];
    assert_eq!(lines, expected, "at once, and without a search");
    let both = set("both.bin", [entry((e, 2), (e, 4), 65_000), entry((f, 2), (f, 4), 1)].concat());
    let lines = engine.ask(&format!("{both}\ngo depth 30 searchmoves f2f4 a2a3"), "bestmove");
    assert_eq!(
        lines.last().map(String::as_str),
        Some(expected[2]),
        "drawn among the moves that may be made: {lines:?}"
    );
    let searched = |lines: &[String]| lines.iter().any(|line| line.starts_with("info depth 2 "));
    for go in [
        "go depth 2 mate 9",
        "setoption name BookDepth value 1\nposition fen \
               rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3\ngo depth 2",
    ] {
        assert!(searched(&engine.ask(go, "bestmove")), "{go}");
    }
    let lines = engine.ask(&format!("{illegal}\ngo depth 2"), "bestmove");
    assert!(lines[1].contains("the book has no move; 1 of its moves are illegal"), "{lines:?}");
    assert!(searched(&lines), "{lines:?}");
    let lines = engine.ask(&format!("{torn}\n{good}\ngo depth 2"), "bestmove");
    assert!(lines[0].starts_with("info string option refused: Book: "), "{lines:?}");
    assert!(lines[0].ends_with("9 bytes found, entries of 16 bytes expected"), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove f2f4"));
    assert!(searched(&engine.ask("setoption name Book value <empty>\ngo depth 2", "bestmove")));
}
