//! The lab, which lives from search to search, and the run of one search.

use super::costs::Simulated;
use super::histories::Learned;
use super::{Cluster, Costs, Returned, Search, Searcher, Settings};
use crate::cores::{
    Cores, Dilation, Network, Rank, RunError, Schedule, Time, Timeline, Transport, WorkSpan,
    WorkerThreads, affinity,
};
use crate::engine::{Move, Position, Score, Table, Techniques};
use crate::search::{
    ByDepth, Counters, GameContext, Iteration, Limits, Reductions, SharedState, TableAccess,
};
use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// One search to be timed.
#[derive(Clone, Debug)]
pub struct Task {
    /// The searcher.
    pub searcher: Searcher,
    /// The number of workers (at least 1; some searchers take exactly 1).
    pub threads: usize,
    /// The root: a position with a legal move.
    pub root: Position,
    /// The iteration whose end is timed (1 to [`crate::search::MAX_DEPTH`]).
    pub depth: u8,
    /// The time after which the search gives up; without one it never does.
    pub time_limit: Option<Time>,
    /// The seed of every random choice in the search but the order of moves.
    pub seed: u64,
    /// The seed of a random order of moves, and of the random costs of nodes on virtual cores. Two
    /// searches of one position with equal noise can be compared. The searcher and the number of
    /// workers make no difference to that.
    pub noise: u64,
    /// The seed of the places of positions in the transposition table: which of them compete for
    /// room. Another seed does as other Zobrist keys do. 0 leaves the keys as they are.
    pub table_keys: u64,
}

impl Task {
    /// A search by one worker, without a time limit.
    pub const fn to_depth(root: Position, depth: u8) -> Task {
        let searcher = Searcher::baseline();
        Task {
            searcher,
            threads: 1,
            root,
            depth,
            time_limit: None,
            seed: 1,
            noise: 1,
            table_keys: 0,
        }
    }
}

/// The way in which a search ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Iteration `depth` was completed.
    Ok,
    /// Something ended it before: the time limit, the node limit, an interrupt by the caller, or
    /// its observer. In an experiment it was the time limit, as interrupted samples are thrown
    /// away.
    #[default]
    Censored,
    /// It has no result, for this reason.
    Failed(RunError),
}

/// The outcome of a search. The default is that of a search in which nothing was done.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The way in which it ended.
    pub status: Status,
    /// The time to depth; of a censored search, the time spent.
    pub time: Time,
    /// The score of the last completed iteration, from the side to move.
    pub score: Score,
    /// The best move of the last completed iteration, or by vote; none if no iteration was
    /// completed.
    pub best_move: Option<Move>,
    /// The iterations that were completed.
    pub iterations: Vec<Iteration>,
    /// The counters of each worker.
    pub workers: Vec<Counters>,
    /// The look-ups in the table, of all workers.
    pub look_ups: ByDepth,
    /// The timeline of each worker, if timelines are recorded: [`Lab::recording`].
    pub timelines: Vec<Timeline>,
    /// The work and the critical path. Only a search on virtual cores that completed its depth has
    /// them, by a searcher whose workers record dependencies.
    pub work_span: Option<WorkSpan>,
    /// The share of the table's entries written during this search: 0 to 1, sampled.
    pub table_fill: f64,
}

impl Outcome {
    /// The sum of the workers' counters.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for worker in &self.workers {
            sum += worker;
        }
        sum
    }
}

/// The reason why a lab could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The system does not give enough memory.
    #[error("a table of {mib} MiB cannot be allocated: {source}")]
    Memory {
        /// The size asked for, in MiB.
        mib: usize,
        /// The error of the system.
        source: std::io::Error,
    },
}

/// The owner of all that lives from search to search: the transposition table, the histories and
/// the parameters.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ttd_search::engine::{Board, Techniques, Position};
/// use ttd_search::searchers::{Costs, Lab, Searcher, Settings, Status, Task};
///
/// let root = Position::new(Board::default());
/// let one = Task::to_depth(root, 5);
/// let eight = Task { searcher: Searcher::named("ybwc"), threads: 8, ..one.clone() };
/// // On virtual cores: the times are the same on every machine.
/// let lab = Lab::new(1, Techniques::default(), Settings::default())?;
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
    histories: Cell<Learned>,
    techniques: Techniques,
    reductions: Reductions,
    settings: Settings,
    /// The most moments of each worker that a timeline records; none without timelines.
    recorded: Option<usize>,
    /// The threads of real workers.
    worker_threads: WorkerThreads,
    /// The dilation of time on real cores, if there is any.
    dilation: Option<Dilation>,
    /// The virtual cores; none on real cores.
    simulated: Option<Simulated>,
    /// The cluster, if workers meet by messages alone.
    cluster: Option<Cluster>,
    /// The other ranks, if this process is one of several.
    ranks: Option<Box<dyn Transport + Send>>,
    /// The number of searches so far.
    searches: u32,
}

/// A table of `hash_mib` MiB.
fn table(hash_mib: usize, techniques: &Techniques) -> Result<Table, LabError> {
    let mut table =
        Table::new(hash_mib).map_err(|source| LabError::Memory { mib: hash_mib, source })?;
    table.set_scheme(techniques.table);
    Ok(table)
}

impl Lab {
    /// A lab with a table of `hash_mib` MiB.
    ///
    /// # Errors
    /// [`LabError::Memory`] if there is not enough memory.
    pub fn new(
        hash_mib: usize,
        techniques: Techniques,
        settings: Settings,
    ) -> Result<Lab, LabError> {
        let table = table(hash_mib, &techniques)?;
        let reductions = Reductions::of(&techniques);
        Ok(Lab {
            table,
            histories: Cell::default(),
            techniques,
            reductions,
            settings,
            recorded: None,
            worker_threads: WorkerThreads::default(),
            dilation: None,
            simulated: None,
            cluster: None,
            ranks: None,
            searches: 0,
        })
    }

    /// This lab, with its real workers on these threads.
    #[must_use]
    pub fn with_threads(self, worker_threads: WorkerThreads) -> Lab {
        Lab { worker_threads, ..self }
    }

    /// This lab, with time on real cores dilated: its workers rest so long that many of them can
    /// share few cores. All times are those of the dilated clock. A search whose workers wait for a
    /// core fails.
    #[must_use]
    pub fn dilated(self, dilation: Option<Dilation>) -> Lab {
        Lab { dilation, ..self }
    }

    /// This lab, with its workers on virtual cores, and on the cluster of the costs if they have
    /// one. A search that takes longer than `host_limit` on the host fails.
    #[must_use]
    pub fn on_virtual_cores(self, costs: Costs, host_limit: Option<Duration>) -> Lab {
        let cluster = costs.cluster.or(self.cluster);
        let simulated = Some(Simulated { costs, schedule: Schedule::Earliest, host_limit });
        Lab { simulated, cluster, ..self }
    }

    /// This lab on virtual cores, whose workers take turns at random, by the seed of the task. It
    /// is for finding errors: its times mean nothing.
    #[must_use]
    pub fn at_random(self) -> Lab {
        let (costs, schedule) = (Costs::default(), Schedule::AtRandom);
        Lab { simulated: Some(Simulated { costs, schedule, host_limit: None }), ..self }
    }

    /// This lab, with workers that meet by messages alone. On virtual cores these have the costs of
    /// `network`; on real cores they go over channels between threads. A searcher whose workers
    /// share memory fails ([`crate::searchers::Algorithm::fits_messages`]).
    #[must_use]
    pub fn by_messages(self, network: Network) -> Lab {
        Lab { cluster: Some(network.into()), ..self }
    }

    /// This lab, as one rank of several, each with a lab and a table of its own.
    ///
    /// All ranks then search the same tasks. Rank 0 has the outcome. Any other has nothing but its
    /// own counters, and a rank beyond the workers of a task has nothing to do. Histories do not
    /// go on from search to search.
    #[must_use]
    pub fn on_ranks(self, transport: Box<dyn Transport + Send>) -> Lab {
        Lab { cluster: Some(Network::default().into()), ranks: Some(transport), ..self }
    }

    /// The transport between ranks, if this lab is one of several.
    pub fn ranks(&self) -> Option<&(dyn Transport + Send)> {
        self.ranks.as_deref()
    }

    /// This lab, with a timeline of at most `most` moments by each worker of every search.
    #[must_use]
    pub fn recording(self, most: usize) -> Lab {
        Lab { recorded: Some(most), ..self }
    }

    /// Empties the table and the histories. It writes every page of the table, with as many threads
    /// as the process has cores. Call it before each [`Lab::search`] that must know nothing of
    /// earlier ones; it is not part of a search's time.
    pub fn clear(&mut self) {
        self.histories.take();
        self.table.clear(affinity::usable());
    }

    /// Sets the parameters of later searches; the table and the histories stay as they are.
    pub fn set_up(&mut self, techniques: Techniques, settings: Settings) {
        self.reductions = Reductions::of(&techniques);
        self.table.set_scheme(techniques.table);
        self.techniques = techniques;
        self.settings = settings;
    }

    /// Replaces the table by an empty one of another size, and empties the histories. If there is
    /// not enough memory, the old ones stay.
    ///
    /// # Errors
    /// [`LabError::Memory`].
    pub fn resize(&mut self, hash_mib: usize) -> Result<(), LabError> {
        self.table = table(hash_mib, &self.techniques)?;
        self.clear();
        Ok(())
    }

    /// The best move of a position by the table, if it is legal there.
    pub fn known_move(&self, position: &Position) -> Option<Move> {
        let best = self.table.probe(position.key(), 0).and_then(|entry| entry.best);
        best.filter(|mv| position.board().is_legal(*mv))
    }

    /// The share of the table that was written since [`Lab::age`], by one search or by several: 0
    /// to 1, sampled.
    pub fn fill(&self) -> f64 {
        self.table.fill()
    }

    /// Runs a search; returns when every worker has stopped. `interrupt`, set from outside, ends it
    /// as [`Status::Censored`].
    pub fn search(&mut self, task: &Task, interrupt: &AtomicBool) -> Outcome {
        self.age();
        self.search_in(task, GameContext::default(), interrupt)
    }

    /// Ages the entries of the table by one search. [`Lab::search`] does this itself.
    pub fn age(&mut self) {
        self.table.age();
    }

    /// Runs a search within a game, like [`Lab::search`]. Several such searches may belong to one
    /// position: the table does not age ([`Lab::age`]).
    pub fn search_in(
        &mut self,
        task: &Task,
        game: GameContext<'_>,
        interrupt: &AtomicBool,
    ) -> Outcome {
        let Task { searcher, threads, depth, time_limit, seed, noise, .. } = *task;
        self.searches = self.searches.wrapping_add(1);
        let limits = Limits { depth, time_limit, interrupt, seed, order_seed: noise };
        let engine = (&self.techniques, &self.reductions, &self.table);
        let renamed = game.root_moves.map(|_| task.root.renamed());
        let root = renamed.as_ref().unwrap_or(&task.root);
        let mut shared = SharedState::new(root, game.past, engine, limits, threads);
        if let Some(moves) = game.root_moves {
            (shared.root_moves, shared.root_key) = (moves.to_vec(), task.root.key());
        }
        (shared.node_limit, shared.observer) = (game.node_limit, game.observer);
        shared.machine = game.machine;
        let own = self.settings.algorithm(searcher);
        let common_settings = own.shared_memory();
        let (cluster, memory) = (self.cluster, (threads, self.table.mib()));
        let fits = cluster.map_or(Ok(()), |cluster| own.fits_cluster(&cluster, memory));
        if let Err((_, why)) = fits {
            let status = Status::Failed(RunError::Broken(why));
            return Outcome { status, ..Outcome::default() };
        }
        shared.access = own.access(cluster, memory).with_keys(task.table_keys);
        if self.table.is_off() {
            shared.access = TableAccess::default();
        }
        shared.recorded = self.recorded;
        let cores = match (&self.ranks, &self.simulated) {
            (Some(transport), _) => {
                Cores::Rank(Rank { transport: &**transport, search: self.searches })
            }
            (None, Some(simulated)) => simulated.cores(searcher, (noise, seed)),
            (None, None) => Cores::Real(&self.worker_threads),
        };
        let histories = &self.histories;
        let search = Search {
            shared: &shared,
            cores,
            dilation: self.dilation,
            cluster,
            workers: threads,
            common_settings,
            histories,
        };
        let Returned { workers: counted, time, elected, work_span } = match own.search(&search) {
            Ok(ran) => ran,
            Err(reason) => return Outcome { status: Status::Failed(reason), ..Outcome::default() },
        };
        let mut look_ups = ByDepth::default();
        for (_, of_worker) in &counted {
            look_ups += of_worker;
        }
        let (mut iterations, timelines) = shared.into_record();
        for iteration in &mut iterations {
            // A worker may have read the clock after the end, before it heard of the end.
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
            work_span: work_span.filter(|_| done),
            table_fill: self.table.fill(),
        }
    }
}
