//! Our engine as a player whose workers run on virtual cores.
//!
//! Its clock is the virtual time from "go" to the end of the search. So a game is the same on every
//! machine, with as many workers as wanted, whatever else the machine does.

use super::ending::Reason;
use super::player::{Answer, Failure, Player, Thought};
use super::spec::{Entry, EntryEngine, Match};
use crate::records::hash;
use crate::uci::program::{Completed, Raised, TimeLeft, TimeLimit, said};
use crate::uci::{Go, Limit};
use cozy_chess::Color;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::cores::{CostModel, RunError, Time};
use ttd_search::engine::{Move, Position, legal_moves};
use ttd_search::search::{MAX_DEPTH, News, SearchObserver, SharedState};
use ttd_search::searchers::{GameContext, Lab, LabError, Searcher, Settings, Status, Task};

/// The nodes between two looks at the time, twice: a search ends that late at most, but for jitter.
const LATE_NODES: u64 = 2 * 128;

/// The virtual time that a move keeps in reserve: for the nodes between two looks, and for the
/// dearest of all other costs. Where workers share processors, a worker may also wait for its turn.
/// A time margin of the match takes its place.
fn reserve(costs: &CostModel, threads: usize, margin: Duration) -> Duration {
    let node = costs.node_ps.max(costs.quiescence_node_ps) + costs.evaluation_ps;
    let others = [costs.copy_ps, costs.split_ps, costs.join_ps, costs.wake_ps, costs.reduce_ps];
    let turns = (threads as u64).saturating_sub(costs.processors).div_ceil(costs.processors);
    let turn = turns * (costs.slice_ps + costs.switch_ps);
    let late = LATE_NODES * node + others.into_iter().max().unwrap_or_default() + turn;
    duration(Time::from_ps(late)).saturating_sub(margin)
}

/// A player on virtual cores.
pub struct VirtualPlayer {
    lab: Lab,
    searcher: Searcher,
    threads: usize,
    /// The time that a move keeps in reserve.
    reserve: Duration,
    /// The seed of the match.
    seed: u64,
    /// The place of the present game in the plan.
    game: usize,
}

impl VirtualPlayer {
    /// A player for an entry; none if the entry is an outside engine, or the match is on real
    /// cores.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub(super) fn of(spec: &Match, entry: &Entry) -> Result<Option<VirtualPlayer>, LabError> {
        let EntryEngine::Own { searcher, techniques, parameters } = &entry.engine else {
            return Ok(None);
        };
        let Some(costs) = &spec.costs else { return Ok(None) };
        // The parameters were checked when the match was resolved.
        let settings = Settings::with(*searcher, parameters.clone()).expect("they were checked");
        let lab = Lab::new(entry.hash_mib, (**techniques).clone(), settings)?;
        let host_limit = spec.host_limit_s.map(Duration::from_secs_f64);
        let lab = lab.on_virtual_cores(costs.clone(), host_limit);
        let (searcher, threads, seed) = (*searcher, entry.threads, spec.seed);
        let reserve = reserve(&costs.of(searcher), threads, spec.time_margin());
        Ok(Some(VirtualPlayer { lab, searcher, threads, reserve, seed, game: 0 }))
    }

    /// The seed of a move: a hash of match, pair, game and ply.
    fn seed_of(&self, ply: usize) -> u64 {
        hash(&format!("{}/{}/{}/{ply}", self.seed, self.game / 2, self.game))
    }
}

impl Player for VirtualPlayer {
    fn new_game(&mut self, number: usize) -> Result<(), Failure> {
        self.game = number;
        self.lab.clear();
        Ok(())
    }

    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure> {
        let (root, past) = root_and_past(asked);
        let moves = legal_moves(root.board());
        let limit = time_limit(asked.limit, root.board().side_to_move(), self.reserve);
        let seed = self.seed_of(asked.place.moves.len());
        let task = Task {
            searcher: self.searcher,
            threads: self.threads,
            time_limit: limit.hard.map(Time::from),
            seed,
            noise: seed,
            ..Task::to_depth(root.clone(), depth(asked.limit))
        };
        let follower = Follower::new(limit, moves.len());
        let node_limit = match asked.limit {
            Limit::Nodes(nodes) => Some(nodes),
            _ => None,
        };
        let observer: Option<&dyn SearchObserver> = Some(&follower);
        let game = GameContext { past: &past, node_limit, observer, ..GameContext::default() };
        self.lab.age();
        let outcome = self.lab.search_in(&task, game, interrupt);
        if let Status::Failed(why) = &outcome.status {
            return Err(failure(why));
        }
        let last = outcome.iterations.last();
        let completed = last.and_then(|last| last.line.first().copied());
        // The workers may have elected another move than that of the last iteration. If not, a
        // move that has failed high since is better.
        let best = match outcome.best_move {
            Some(best) if Some(best) != completed => Some(best),
            best => follower.raised().or(best),
        };
        let known = || self.lab.known_move(&root);
        let thought = Thought {
            score: last.map(|last| said(last.score)),
            depth: last.map(|last| last.depth.into()),
            nodes: Some(outcome.counters().nodes),
        };
        let best = best.or_else(known).or(moves.first().copied());
        Ok(Answer { best, elapsed: duration(outcome.time), thought })
    }
}

/// The position to search, and the keys of the positions before it.
fn root_and_past(asked: &Go<'_>) -> (Position, Vec<u64>) {
    let mut root = Position::new(asked.place.start.clone());
    let mut past = Vec::with_capacity(asked.place.moves.len());
    for &mv in asked.place.moves {
        past.push(root.key());
        root = root.after(mv);
    }
    (root, past)
}

/// The limits of time of a move.
fn time_limit(limit: Limit, side: Color, reserve: Duration) -> TimeLimit {
    match limit {
        Limit::Clock { left, increment, moves_to_go } => {
            let (left, increment) = (left[side as usize], increment[side as usize]);
            let clock = TimeLeft { left, increment, moves_to_control: moves_to_go };
            TimeLimit::new(Some(clock), None, reserve)
        }
        Limit::MoveTime(time) => TimeLimit::new(None, Some(time), reserve),
        Limit::Depth(_) | Limit::Nodes(_) | Limit::Infinite => TimeLimit::NONE,
    }
}

fn depth(limit: Limit) -> u8 {
    match limit {
        Limit::Depth(depth) => depth.clamp(1, MAX_DEPTH),
        _ => MAX_DEPTH,
    }
}

/// A time in whole nanoseconds.
fn duration(time: Time) -> Duration {
    Duration::from_nanos(time.ps() / 1_000)
}

/// The host's limits of time and memory are nobody's fault. All else is one of ours.
fn failure(why: &RunError) -> Failure {
    let reason = match why {
        RunError::HostLimit { .. } | RunError::NoMemory(_) => Reason::HostLimit,
        RunError::Broken(_) | RunError::Delayed { .. } => Reason::Died,
    };
    Failure { reason, what: why.to_string() }
}

/// Follows a search, and ends it when no further iteration is worth its time.
///
/// All workers are coroutines of one thread, so they write to it one after another.
struct Follower {
    limit: TimeLimit,
    /// The number of moves to choose from.
    moves: usize,
    heard: Mutex<Heard>,
    is_enough: AtomicBool,
}

#[derive(Default)]
struct Heard {
    /// The depth of the last completed iteration, and its time.
    depth: u8,
    at: Duration,
    /// The move that has since failed high.
    raised: Raised<Move>,
}

impl Follower {
    fn new(limit: TimeLimit, moves: usize) -> Follower {
        Follower { limit, moves, heard: Mutex::default(), is_enough: AtomicBool::new(false) }
    }

    fn raised(&self) -> Option<Move> {
        self.heard.lock().raised.line().copied()
    }
}

impl SearchObserver for Follower {
    fn hear(&self, _: &SharedState<'_>, news: News<'_>) {
        let mut heard = self.heard.lock();
        match news {
            News::Iteration(iteration) if iteration.depth > heard.depth => {
                let now = duration(iteration.time);
                let (depth, score, moves) = (iteration.depth, iteration.score, self.moves);
                let took = now.saturating_sub(heard.at);
                *heard = Heard { depth, at: now, raised: Raised::since(score) };
                if self.limit.is_enough(Completed { depth, score, now, took, moves }) {
                    self.is_enough.store(true, Relaxed);
                }
            }
            News::Outside { depth, score, bound, line } if depth > i32::from(heard.depth) => {
                heard.raised.note((score, bound), line.first().copied());
            }
            _ => {}
        }
    }

    fn is_enough(&self) -> bool {
        self.is_enough.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
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
        let engines = Engines::of(&of.spec, Path::new("ttd"), 0).expect("no process is needed");
        let (mut results, _) = MatchResults::open(dir.path(), of, &plan, false).expect("opened");
        let mut tables: Vec<_> =
            (0..at_once).map(|_| GameTable::new(of.spec.entries.len())).collect();
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
                &of(
                    "time_control = \"0.1+0.002\"",
                    [&one, "name = \"b\"\nsearcher = \"sequential\""],
                ),
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
            (
                "nodes = 5",
                outside.repeat(2).replacen("\"x\"", "\"y\"", 1),
                "no entry is a searcher",
            ),
            ("nodes = 5\nhost_limit_s = 0", [&ours, outside].concat(), "seconds from 0.001"),
            ("nodes = 5\nthreads = 0", [&ours, outside].concat(), "0 found, 1 to 1024 expected"),
        ] {
            let error = refused(&text(head, &entries));
            assert!(error.contains(what), "{error}");
        }
        let mixed = resolved(&text("nodes = 5", &[&ours, outside].concat()));
        assert_eq!(mixed.spec.host_limit_s, Some(600.0));
    }
}
