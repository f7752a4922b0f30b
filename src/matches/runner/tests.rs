//! Matches of scripted players: written in order, stopped, cut short and resumed.

use super::*;
use crate::matches::ending::{GameResult, Reason};
use crate::matches::pgn::PGN;
use crate::matches::plan::plan;
use crate::matches::resolve::tests::resolved;
use crate::matches::rows::GAMES;
use crate::matches::scripted::{Act, Scripted};
use crate::records::{ResultsError, Row};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;

/// Scripted players: `acts` gives the acts of an entry. Each entry that is started is remembered.
struct Script<F> {
    acts: F,
    started: Mutex<Vec<usize>>,
}

impl<F: Fn(usize) -> Vec<Act> + Sync> Roster for Script<F> {
    type Player = Scripted;

    fn start(&self, entry: usize) -> Result<Scripted, Failure> {
        self.started.lock().expect("nobody panics").push(entry);
        match (self.acts)(entry) {
            acts if acts.is_empty() => {
                Err(Failure { reason: Reason::Died, what: "it is not there".to_owned() })
            }
            acts => Ok(Scripted::new(acts)),
        }
    }

    fn about(&self, entry: usize) -> &str {
        ["first 1.0", "second 2.0", "third 3.0"][entry]
    }
}

/// Stops after this number of games.
struct Until(usize);

impl MatchObserver for Until {
    fn end(&mut self, games: &[GameRow]) -> ControlFlow<()> {
        if games.len() == self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn of(games: usize) -> ResolvedMatch {
    let text = format!(
        "games = {games}\nopenings = \"middlegames\"\n[adjudication]\nmax_moves = 3\n\
         [[entries]]\nname = \"a\"\ncommand = \"x\"\n[[entries]]\nname = \"b\"\ncommand = \"x\"\n\
         [[entries]]\nname = \"c\"\ncommand = \"x\""
    );
    resolved(&text)
}

fn play<F: Fn(usize) -> Vec<Act> + Sync>(
    dir: &Path,
    of: &ResolvedMatch,
    script: &Script<F>,
    (at_once, until): (usize, usize),
) -> (MatchEnded, MatchResults, Vec<String>) {
    let plan = plan(&of.spec, of.openings.len());
    let (mut results, repairs) = MatchResults::open(dir, of, &plan, false).expect("opened");
    let mut tables: Vec<GameTable<Scripted>> = (0..at_once).map(|_| GameTable::new(3)).collect();
    let flag = AtomicBool::new(false);
    let who = (script, &mut tables[..]);
    let ended = play_games(of, &plan, &mut results, who, &flag, &mut Until(until)).expect("played");
    (ended, results, repairs)
}

fn script<F: Fn(usize) -> Vec<Act> + Sync>(acts: F) -> Script<F> {
    Script { acts, started: Mutex::new(Vec::new()) }
}

/// Every player makes the first legal move.
fn peaceful(_: usize) -> Vec<Act> {
    vec![Act::Move { uci: None, ms: 25, score: None }]
}

fn dir() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

#[test]
fn games_are_the_same_whoever_is_first() {
    let of = of(6);
    let mut files = Vec::new();
    for at_once in [1, 3] {
        let dir = dir();
        let (ended, results, _) = play(dir.path(), &of, &script(peaceful), (at_once, 0));
        assert_eq!((ended, results.games().len()), (MatchEnded::Done, 12));
        files.push(fs::read_to_string(dir.path().join(GAMES)).expect("games"));
        let pgn = fs::read_to_string(dir.path().join(PGN)).expect("games");
        assert_eq!(pgn.matches("[Event \"").count(), 12);
        assert_eq!(results.games()[11].pgn_end, pgn.len() as u64);
        assert!(pgn.contains("[WhiteEngine \"second 2.0\"]"));
    }
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_side_has_what_it_did() {
    let dir = dir();
    let (_, results, _) = play(dir.path(), &of(2), &script(peaceful), (1, 1));
    let [white, black] = &results.games()[0].sides;
    assert_eq!((white.name.as_str(), black.name.as_str()), ("a", "b"));
    for side in [white, black] {
        assert_eq!((side.moves, side.nodes, side.depths), (3, 3_000, 21));
        assert_eq!(side.time.to_string(), "0.075000000");
    }
    assert_eq!(results.games()[0].ending.reason, Reason::MaxMoves);
}

#[test]
fn a_stopped_match_goes_on() {
    let of = of(4);
    let (whole, parts) = (dir(), dir());
    play(whole.path(), &of, &script(peaceful), (1, 0));
    for until in 1..8 {
        let (ended, results, _) = play(parts.path(), &of, &script(peaceful), (2, until));
        assert_eq!((ended, results.games().len()), (MatchEnded::Decided, until));
        drop(results);
    }
    let (ended, ..) = play(parts.path(), &of, &script(peaceful), (2, 0));
    assert_eq!(ended, MatchEnded::Done);
    let games = |dir: &TempDir| fs::read_to_string(dir.path().join(GAMES)).expect("games");
    assert_eq!(games(&whole), games(&parts));
}

#[test]
fn what_a_killed_match_left_is_cut_off() {
    let of = of(4);
    let dir = dir();
    play(dir.path(), &of, &script(peaceful), (1, 5));
    let whole = [GAMES, PGN].map(|file| fs::read(dir.path().join(file)).expect("a file"));
    let lines = |bytes: &[u8]| bytes.split(|&b| b == b'\n').count();
    // A match killed between the notation and the row, and one killed in the middle of the row.
    for cut in [0, 7] {
        let last_row = whole[0][..whole[0].len() - 1].iter().rposition(|&b| b == b'\n');
        let last_row = last_row.expect("there is a header") + 1;
        fs::write(dir.path().join(GAMES), &whole[0][..last_row + cut]).expect("written");
        fs::write(dir.path().join(PGN), &whole[1]).expect("written");
        let (_, results, repairs) = play(dir.path(), &of, &script(peaceful), (1, 5));
        assert_eq!(results.games().len(), 5);
        assert_eq!(repairs.len(), if cut == 0 { 1 } else { 2 }, "{repairs:?}");
        let again = [GAMES, PGN].map(|file| fs::read(dir.path().join(file)).expect("a file"));
        assert_eq!(again[0], whole[0]);
        assert_eq!(lines(&again[1]), lines(&whole[1]));
    }
    // Games that their file has lost are played again.
    fs::write(dir.path().join(PGN), &whole[1][..whole[1].len() - 9]).expect("written");
    let (_, results, repairs) = play(dir.path(), &of, &script(peaceful), (1, 5));
    assert_eq!((results.games().len(), repairs.len()), (5, 3), "{repairs:?}");
    assert!(repairs[0].contains("1 game of games.csv lost"), "{repairs:?}");
    drop(results);
    let again = [GAMES, PGN].map(|file| fs::read(dir.path().join(file)).expect("a file"));
    assert_eq!((again[0].len(), lines(&again[1])), (whole[0].len(), lines(&whole[1])));
    // Without that file there is nothing to go on with.
    fs::remove_file(dir.path().join(PGN)).expect("removed");
    let plan = plan(&of.spec, of.openings.len());
    let error = MatchResults::open(dir.path(), &of, &plan, false).expect_err("missing");
    assert!(error.to_string().contains("games.pgn"), "{error}");
    assert!(MatchResults::open(dir.path(), &of, &plan, true).is_ok(), "fresh discards all");
}

#[test]
fn another_match_and_a_second_run_are_refused() {
    let dir = dir();
    let (_, results, _) = play(dir.path(), &of(2), &script(peaceful), (1, 1));
    let open = |of: &ResolvedMatch| {
        let plan = plan(&of.spec, of.openings.len());
        MatchResults::open(dir.path(), of, &plan, false).map(|(results, _)| results.games().len())
    };
    assert!(matches!(open(&of(2)), Err(ResultsError::Locked { .. })));
    drop(results);
    let mut other = of(2);
    other.spec.seed = 7;
    let error = open(&other).expect_err("another").to_string();
    assert!(error.contains("it holds another match (seed: 1 there, 7 here)"), "{error}");
    assert!(error.contains("discards the 1 game"), "{error}");
    // A longer match with more games at once is the same match.
    let mut longer = of(200);
    longer.spec.concurrency = 1;
    assert_eq!(open(&longer).expect("the same"), 1);
    fs::remove_file(dir.path().join("match.toml")).expect("removed");
    assert!(matches!(open(&of(2)), Err(ResultsError::Foreign { .. })));
}

#[test]
fn who_has_a_fault_loses_and_is_started_anew() {
    let dir = dir();
    let faults = script(|entry| match entry {
        1 => vec![Act::Fail(Reason::Died, "it ended (status 1)")],
        _ => peaceful(entry),
    });
    let (ended, results, _) = play(dir.path(), &of(4), &faults, (1, 0));
    assert_eq!(ended, MatchEnded::Done, "the runner never dies from a player");
    let games = results.games();
    let with = |name: &str| {
        let of = move |row: &&GameRow| row.sides.iter().any(|side| side.name == name);
        games.iter().filter(of).collect::<Vec<_>>()
    };
    for row in with("b") {
        let expected = if row.sides[0].name == "b" { GameResult::Black } else { GameResult::White };
        assert_eq!((row.ending.result, row.ending.reason), (expected, Reason::Died));
        assert_eq!(row.ending.detail, "it ended (status 1)");
    }
    assert!(with("c").iter().all(|row| row.ending.reason == Reason::MaxMoves));
    // Entry b is started for each of its games, the others once.
    let mut started = faults.started.lock().expect("nobody panics").clone();
    started.sort_unstable();
    assert_eq!(started, [0, 1, 1, 1, 1, 2]);
    let log = fs::read_to_string(dir.path().join("log.txt")).expect("a log");
    assert!(log.starts_with("game 0, a - b: black forfeits: it ended (status 1)\n"), "{log}");
}

#[test]
fn who_does_not_start_loses() {
    let dir = dir();
    let absent = script(|entry| if entry == 2 { Vec::new() } else { peaceful(entry) });
    let (_, results, _) = play(dir.path(), &of(2), &absent, (2, 0));
    let of_c: Vec<_> = results.games()[2..].iter().map(|row| row.ending.result).collect();
    assert_eq!(of_c, [GameResult::White, GameResult::Black]);
    assert_eq!(results.games()[2].plies, 0);
}

#[test]
fn an_interrupted_game_is_thrown_away() {
    let dir = dir();
    let of = of(2);
    let plan = plan(&of.spec, of.openings.len());
    let acts = |entry| match entry {
        0 => vec![
            Act::Move { uci: None, ms: 1, score: None },
            Act::Move { uci: None, ms: 1, score: None },
            Act::Interrupted,
        ],
        _ => peaceful(entry),
    };
    let (mut results, _) = MatchResults::open(dir.path(), &of, &plan, false).expect("opened");
    let flag = AtomicBool::new(false);
    let mut tables = [GameTable::new(3)];
    let script = script(acts);
    let who = (&script, &mut tables[..]);
    let ended = play_games(&of, &plan, &mut results, who, &flag, &mut Until(0)).expect("played");
    assert_eq!((ended, results.games().len()), (MatchEnded::Interrupted, 0));
    assert_eq!(fs::read_to_string(dir.path().join(PGN)).expect("games"), "");
    let header = fs::read_to_string(dir.path().join(GAMES)).expect("games");
    assert_eq!(header.trim_end(), GameRow::columns().join(","));
}

#[test]
fn a_longer_plan_goes_on_with_the_same_players() {
    // As in a search for an effective speedup, which finds the next games from the results so far.
    let dir = dir();
    let of = of(8);
    let all = plan(&of.spec, of.openings.len());
    let (mut results, _) = MatchResults::open(dir.path(), &of, &all, false).expect("opened");
    let script = script(peaceful);
    let mut tables = [GameTable::new(3)];
    let flag = AtomicBool::new(false);
    for end in [2, 3, 9] {
        let who = (&script, &mut tables[..]);
        let plan = &all[..end];
        let ended = play_games(&of, plan, &mut results, who, &flag, &mut Until(0)).expect("played");
        assert_eq!((ended, results.games().len()), (MatchEnded::Done, end));
    }
    let mut started = script.started.lock().expect("nobody panics").clone();
    started.sort_unstable();
    assert_eq!(started, [0, 1, 2]);
}
