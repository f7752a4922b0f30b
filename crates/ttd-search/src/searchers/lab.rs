//! What lives from search to search, and how one search is run.

use super::conditions::Holding;
use super::costs::Costs;
use super::searcher::Searcher;
use super::settings::Settings;
use super::team::{Returned, Search};
use crate::cores::{Cores, Schedule, Simulation, Time, Timeline, WorkSpan, affinity};
use crate::engine::{Features, History, Move, Position, Score, Table};
use crate::search::{
    ByDepth, Counters, Iteration, Limits, Reductions, Session, TableAccess, Watcher,
};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// One search to be timed.
#[derive(Clone, Debug)]
pub struct Task {
    /// Who searches.
    pub searcher: Searcher,
    /// With how many workers (at least 1; some searchers take exactly 1).
    pub threads: usize,
    /// From where; a position with a legal move.
    pub root: Position,
    /// To the end of which iteration (1 to [`crate::search::MAX_DEPTH`]).
    pub depth: u8,
    /// When to give up.
    pub time_limit: Option<Time>,
    /// Of every random choice in the search but the order of moves.
    pub seed: u64,
    /// Of a random order of moves, and of what varies the costs of nodes on virtual cores. Searches of one position
    /// with the same noise can be compared whatever the searcher and the number of workers.
    pub noise: u64,
}

impl Task {
    /// A search by one worker, without a time limit.
    pub const fn to_depth(root: Position, depth: u8) -> Task {
        let searcher = Searcher::baseline();
        Task { searcher, threads: 1, root, depth, time_limit: None, seed: 1, noise: 1 }
    }
}

/// What a search in a game needs beside its task.
#[derive(Clone, Copy)]
pub struct Game<'a> {
    /// The keys of the positions before the root, oldest first: for repetitions.
    pub past: &'a [u64],
    /// The only moves of the root that may be made: legal ones, at least one; none given: all of them.
    pub root_moves: Option<&'a [Move]>,
    /// After how many nodes to give up.
    pub node_limit: Option<u64>,
    /// Who follows it.
    pub watcher: Option<&'a dyn Watcher>,
}

impl Game<'_> {
    /// A search of its own: no past, no watcher, all moves.
    const NONE: Game<'static> =
        Game { past: &[], root_moves: None, node_limit: None, watcher: None };
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Iteration `depth` was completed.
    Ok,
    /// The time limit, or the caller's interrupt, came first.
    Censored,
    /// Something went wrong: what.
    Failed(String),
}

/// What a search gave.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Time to depth; of a censored search, the time spent.
    pub time: Time,
    /// Of the last completed iteration, from the side to move.
    pub score: Score,
    /// Of the last completed iteration, or by vote; none if no iteration was completed.
    pub best_move: Option<Move>,
    /// Every depth completed.
    pub iterations: Vec<Iteration>,
    /// Of each worker.
    pub workers: Vec<Counters>,
    /// Look-ups in the table, of all workers.
    pub look_ups: ByDepth,
    /// What each worker did when, if it was recorded: [`Lab::recording`].
    pub timelines: Vec<Timeline>,
    /// Work and critical path of a search on virtual cores that completed its depth, by a searcher whose workers tell
    /// what depends on what.
    pub work_span: Option<WorkSpan>,
    /// Share of the table's entries written during this search, from 0 to 1, sampled.
    pub table_fill: f64,
}

impl Outcome {
    /// The sum over the workers.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for worker in &self.workers {
            sum += worker;
        }
        sum
    }

    fn failed(reason: String) -> Outcome {
        Outcome {
            status: Status::Failed(reason),
            time: Time::ZERO,
            score: 0,
            best_move: None,
            iterations: Vec::new(),
            workers: Vec::new(),
            look_ups: ByDepth::default(),
            timelines: Vec::new(),
            work_span: None,
            table_fill: 0.0,
        }
    }
}

/// Why a laboratory could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The system does not give that much memory.
    #[error("a table of {mib} MiB cannot be had: {source}")]
    Memory {
        /// The size asked for.
        mib: usize,
        /// What the system said.
        source: std::io::Error,
    },
}

/// All that lives from search to search: the transposition table, the histories and the parameters.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ttd_search::engine::{Board, Features, Position};
/// use ttd_search::searchers::{Costs, Lab, Searcher, Settings, Status, Task};
///
/// let root = Position::new(Board::default());
/// let one = Task::to_depth(root, 5);
/// let eight = Task { searcher: Searcher::named("ybwc"), threads: 8, ..one.clone() };
/// // On virtual cores: the times are the same on every machine.
/// let lab = Lab::new(1, Features::default(), Settings::default())?;
/// let mut lab = lab.on_virtual_cores(Costs::default(), None);
/// let times = [one, eight].map(|task| {
///     lab.clear();
///     let found = lab.search(&task, &AtomicBool::new(false));
///     assert_eq!(found.status, Status::Ok);
///     found.time
/// });
/// println!("speedup {:.2}", times[0].as_secs_f64() / times[1].as_secs_f64());
/// # Ok::<(), ttd_search::searchers::LabError>(())
/// ```
pub struct Lab {
    table: Table,
    histories: Cell<Vec<History>>,
    features: Features,
    reductions: Reductions,
    settings: Settings,
    /// How many moments of each worker are recorded, if they are.
    recorded: Option<usize>,
    /// The processors that real workers run on, one each, in turn; any, if there are none.
    cpus: Vec<usize>,
    /// None on real cores.
    simulated: Option<Simulated>,
}

/// A table of `hash_mib` MiB.
fn table(hash_mib: usize, features: &Features) -> Result<Table, LabError> {
    let mut table =
        Table::new(hash_mib).map_err(|source| LabError::Memory { mib: hash_mib, source })?;
    table.set_scheme(features.table);
    Ok(table)
}

/// Searches on virtual cores: what these cost, which worker goes on, and how long a search may take on the
/// host.
struct Simulated {
    costs: Costs,
    schedule: Schedule,
    host_limit: Option<Duration>,
}

impl Lab {
    /// A laboratory with a table of `hash_mib` MiB.
    ///
    /// # Errors
    /// [`LabError::Memory`] if there is not that much.
    pub fn new(hash_mib: usize, features: Features, settings: Settings) -> Result<Lab, LabError> {
        let table = table(hash_mib, &features)?;
        let reductions = Reductions::of(&features);
        Ok(Lab {
            table,
            histories: Cell::default(),
            features,
            reductions,
            settings,
            recorded: None,
            cpus: Vec::new(),
            simulated: None,
        })
    }

    /// The same laboratory; real workers run on these processors, one each, in turn.
    #[must_use]
    pub fn pinned(self, cpus: Vec<usize>) -> Lab {
        Lab { cpus, ..self }
    }

    /// The same laboratory, whose workers run on virtual cores. A search that takes longer than
    /// `host_limit` on the host fails.
    #[must_use]
    pub fn on_virtual_cores(self, costs: Costs, host_limit: Option<Duration>) -> Lab {
        let simulated = Some(Simulated { costs, schedule: Schedule::Earliest, host_limit });
        Lab { simulated, ..self }
    }

    /// The same laboratory on virtual cores, whose workers take turns at random, by the seed of the task: to
    /// look for errors; times tell nothing.
    #[must_use]
    pub fn at_random(self) -> Lab {
        let schedule = Schedule::AtRandom;
        Lab {
            simulated: Some(Simulated { costs: Costs::default(), schedule, host_limit: None }),
            ..self
        }
    }

    /// The same laboratory; of every search, each worker keeps a timeline of at most `most` moments.
    #[must_use]
    pub fn recording(self, most: usize) -> Lab {
        Lab { recorded: Some(most), ..self }
    }

    /// Empties the table (writing every page, with as many threads as the process has cores), and forgets what the
    /// workers have learnt of moves. Call it before each [`Lab::search`] that is to know nothing of those before; it is
    /// not part of a search's time.
    pub fn clear(&mut self) {
        self.histories.get_mut().clear();
        self.table.clear(affinity::usable());
    }

    /// These parameters from now on; the table and the histories stay as they are.
    pub fn set_up(&mut self, features: Features, settings: Settings) {
        self.reductions = Reductions::of(&features);
        self.table.set_scheme(features.table);
        self.features = features;
        self.settings = settings;
    }

    /// An empty table of another size, and empty histories. If there is not that much memory, the old ones stay.
    ///
    /// # Errors
    /// [`LabError::Memory`].
    pub fn resize(&mut self, hash_mib: usize) -> Result<(), LabError> {
        self.table = table(hash_mib, &self.features)?;
        self.clear();
        Ok(())
    }

    /// The best move that the table has of a position, if it is legal there.
    pub fn known_move(&self, position: &Position) -> Option<Move> {
        let best = self.table.probe(position.key(), 0).and_then(|entry| entry.best);
        best.filter(|mv| position.board().is_legal(*mv))
    }

    /// How much of the table the last search, or several since [`Lab::age`], has written: 0 to 1, sampled.
    pub fn fill(&self) -> f64 {
        self.table.fill()
    }

    /// Searches; returns when every worker has stopped. `interrupt`, set from outside, ends it as
    /// [`Status::Censored`].
    pub fn search(&mut self, task: &Task, interrupt: &AtomicBool) -> Outcome {
        self.age();
        self.search_in(task, Game::NONE, interrupt)
    }

    /// What the table holds becomes older by one search. [`Lab::search`] does this itself.
    pub fn age(&mut self) {
        self.table.age();
    }

    /// The same as [`Lab::search`], in a game, and one of perhaps several of a position: the table does not become
    /// older ([`Lab::age`]).
    pub fn search_in(&mut self, task: &Task, game: Game<'_>, interrupt: &AtomicBool) -> Outcome {
        let Task { searcher, threads, depth, time_limit, seed, noise, .. } = *task;
        let limits = Limits { depth, time_limit, interrupt, seed, order_seed: noise };
        let engine = (&self.features, &self.reductions, &self.table);
        let renamed = game.root_moves.map(|_| task.root.renamed());
        let root = renamed.as_ref().unwrap_or(&task.root);
        let session = Session::new(root, game.past, engine, limits, threads);
        let session = session.with_node_limit(game.node_limit).watched(game.watcher);
        let session = match game.root_moves {
            Some(moves) => session.restricted(moves.to_vec(), task.root.key()),
            None => session,
        };
        let own = self.settings.algorithm(searcher);
        let conditions = own.conditions();
        let locked = conditions.locks_table && !self.table.is_off();
        let access = TableAccess::new(conditions.table == Holding::Private, locked);
        let session = session.with_table_access(access).recorded(self.recorded);
        let virtually = |simulated: &Simulated| {
            let Simulated { costs, schedule, host_limit } = simulated;
            let (schedule, host_limit) = (*schedule, *host_limit);
            let model = costs.of(searcher);
            Cores::Virtual(Simulation { model, noise, ties: seed, schedule, host_limit })
        };
        let cores = self.simulated.as_ref().map_or(Cores::Real(&self.cpus), virtually);
        let histories = &self.histories;
        let search = Search { session: &session, cores, workers: threads, conditions, histories };
        let Returned { workers: counted, time, elected, work_span } = match own.search(&search) {
            Ok(ran) => ran,
            Err(reason) => return Outcome::failed(reason),
        };
        let mut look_ups = ByDepth::default();
        for (_, of_worker) in &counted {
            look_ups += of_worker;
        }
        let has_critical_path = own.description().has_critical_path;
        let (mut iterations, timelines) = session.into_record();
        for iteration in &mut iterations {
            // A worker may have read the clock after the end, before it knew of it.
            iteration.time = iteration.time.min(time);
        }
        let last = iterations.last();
        let done = last.is_some_and(|iteration| iteration.depth == depth);
        Outcome {
            status: if done { Status::Ok } else { Status::Censored },
            time,
            score: last.map_or(0, |iteration| iteration.score),
            best_move: last.and_then(|last| elected.or_else(|| last.line.first().copied())),
            iterations,
            workers: counted.into_iter().map(|(counters, _)| counters).collect(),
            look_ups,
            timelines,
            work_span: work_span.filter(|_| done && has_critical_path),
            table_fill: self.table.fill(),
        }
    }
}
