//! Games on virtual cores: the same bytes each time, with as many games at once as there may be.

use super::*;
use crate::matches::resolve::tests::{refused, resolved};
use crate::matches::{
    Engines, GAMES, GameResult, GameRow, GameTable, MatchObserver, MatchResults, PGN,
    ResolvedMatch, plan, play_games,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

struct All;

impl MatchObserver for All {
    fn end(&mut self, _: &[GameRow]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn of(rest: &str, entries: [&str; 2]) -> ResolvedMatch {
    let entries = entries.map(|entry| format!("[[entries]]\nhash_mib = 1\n{entry}\n"));
    resolved(&format!(
        "cores = \"virtual\"\nopenings = \"middlegames\"\ngames = 4\n{rest}\n\
         [adjudication]\nmax_moves = 8\n{}",
        entries.concat()
    ))
}

/// Plays a match, with this number of games at once: its games, and the texts of both files.
fn played(of: &ResolvedMatch, at_once: usize) -> (Vec<GameRow>, [String; 2]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let plan = plan(&of.spec, of.openings.len());
    let engines = Engines::of(&of.spec, Path::new("ttd")).expect("no process is needed");
    let (mut results, _) = MatchResults::open(dir.path(), of, &plan, false).expect("opened");
    let mut tables: Vec<_> = (0..at_once).map(|_| GameTable::new(of.spec.entries.len())).collect();
    let flag = AtomicBool::new(false);
    let who = (&engines, &mut tables[..]);
    play_games(of, &plan, &mut results, who, &flag, &mut All).expect("played");
    let read = |name| fs::read_to_string(dir.path().join(name)).expect("written");
    (results.games().to_vec(), [GAMES, PGN].map(read))
}

const YBWC: &str = "name = \"four\"\nsearcher = \"ybwc\"\nthreads = 4";
const LAZY: &str = "name = \"two\"\nsearcher = \"lazy-smp\"\nthreads = 2";

#[test]
fn games_are_the_same_bytes_however_many_are_played_at_once() {
    for pace in ["time_control = \"0.05+0.002\"", "nodes = 3000", "move_time_s = 0.003"] {
        let of = of(pace, [YBWC, LAZY]);
        let (games, texts) = played(&of, 1);
        assert_eq!(texts, played(&of, 3).1, "{pace}");
        assert!(
            games.iter().all(|row| row.plies > 0 && !row.ending.reason.is_fault()),
            "{texts:?}"
        );
        assert!(texts[1].contains("[Date \"????.??.??\"]"), "no day is in it: {}", texts[1]);
        let other = ResolvedMatch { spec: Match { seed: 2, ..of.spec.clone() }, ..of.clone() };
        assert_ne!(texts, played(&other, 1).1, "another seed makes other games: {pace}");
    }
}

#[test]
fn clocks_count_virtual_time() {
    let of = of("time_control = \"0.05+0.002\"", [YBWC, LAZY]);
    let (games, _) = played(&of, 1);
    for row in &games {
        for side in &row.sides {
            let seconds = side.time.as_secs_f64();
            assert!(seconds > 0.0, "a move takes virtual time");
            assert!(seconds <= 0.05 + 0.002 * side.moves as f64, "{row:?}");
        }
    }
}

#[test]
fn one_worker_plays_as_the_sequential_search_does() {
    let plays = |searcher: &str| {
        let one = format!("name = \"a\"\nsearcher = \"{searcher}\"");
        played(
            &of("time_control = \"0.1+0.002\"", [&one, "name = \"b\"\nsearcher = \"sequential\""]),
            1,
        )
        .1
    };
    let sequential = plays("sequential");
    for searcher in ["ybwc", "lazy-smp", "dts", "abdada"] {
        assert_eq!(plays(searcher), sequential, "{searcher}");
    }
}

#[test]
fn the_limit_of_the_host_voids_a_game_and_loses_none() {
    let of = of("nodes = 200000\nhost_limit_s = 0.001", [YBWC, LAZY]);
    let (games, [_, pgn]) = played(&of, 1);
    assert!(games.iter().all(|row| row.ending.result == GameResult::Void), "{games:?}");
    assert!(pgn.contains("void: the host limit of 1ms came at virtual time"), "{pgn}");
    assert!(crate::matches::standings(&games).values().all(|standing| standing.games() == 0));
    let results = crate::matches::results_against(&games, "four", "two");
    assert_eq!(results.total().games(), 0);
}

#[test]
fn impossible_matches_are_refused() {
    let outside = "[[entries]]\nname = \"x\"\ncommand = \"x\"\n";
    let ours = format!("[[entries]]\n{YBWC}\n");
    let text = |head: &str, entries: &str| format!("cores = \"virtual\"\n{head}\n{entries}");
    for (head, entries, what) in [
        ("", [&ours, outside].concat(), "`x` is an outside engine with a clock"),
        ("nodes = 5", outside.repeat(2).replacen("\"x\"", "\"y\"", 1), "no entry is a searcher"),
        ("nodes = 5\nhost_limit_s = 0", [&ours, outside].concat(), "seconds from 0.001"),
        ("nodes = 5\nthreads = 0", [&ours, outside].concat(), "0 found, 1 to 1024 expected"),
    ] {
        let error = refused(&text(head, &entries));
        assert!(error.contains(what), "{error}");
    }
    let mixed = resolved(&text("nodes = 5", &[&ours, outside].concat()));
    assert_eq!(mixed.spec.host_limit_s, Some(600.0));
}
