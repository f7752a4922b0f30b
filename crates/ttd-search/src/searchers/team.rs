//! A search as its searcher receives it, and how its workers are set up and finished.

use super::histories::Learned;
use super::{Cluster, CommonSettings, Histories};
use crate::cores::{
    Core, Cores, Dilation, Gathered, MessageWorkload, Messenger, Network, RunError, Time, Waiting,
    WorkSpan, Workload, affinity,
};
use crate::engine::Move;
use crate::search::{ByDepth, Counters, Memory, SharedState, Worker};
use std::cell::Cell;
use std::time::Duration;

/// The search that a searcher is asked to run.
#[derive(Clone, Copy)]
pub struct Search<'s> {
    /// The state that all workers see.
    pub shared: &'s SharedState<'s>,
    /// The number of workers.
    pub workers: usize,
    /// The cores that they run on.
    pub(super) cores: Cores<'s>,
    /// The dilation of time on real cores, if there is any.
    pub(super) dilation: Option<Dilation>,
    /// The cluster, if the workers meet by messages alone. Its costs count on virtual cores.
    pub(super) cluster: Option<Cluster>,
    pub(super) common_settings: CommonSettings,
    /// The histories of the workers: before the search those of the last one, afterwards those of
    /// this one.
    pub(super) histories: &'s Cell<Learned>,
}

/// The results of the workers.
pub struct Returned {
    /// The counters of each worker, in the order of workers.
    pub workers: Vec<(Counters, ByDepth)>,
    /// The time at which the search ended.
    pub time: Time,
    /// The best move, if it is not that of the last iteration.
    pub elected: Option<Move>,
    /// The work and the critical path, where they are counted and the team has one.
    pub work_span: Option<WorkSpan>,
}

/// The results of the workers, or the reason why the search failed.
pub type Ran = Result<Returned, RunError>;

/// The workers of a searcher: the things that they share, beside the state of the search, and the
/// work of each.
pub trait Team: Sync {
    /// Whether its workers record dependencies between pieces of work
    /// ([`crate::search::Dependencies`]). Their work is then a graph with a critical path. Workers
    /// that meet in the table alone have none.
    const HAS_CRITICAL_PATH: bool;

    /// The policy that a worker takes along to its nodes.
    type Policy<'t>
    where
        Self: 't;

    /// The policy of the worker `id`.
    fn policy<'t>(&'t self, id: usize, histories: &'t Histories) -> Self::Policy<'t>;

    /// The work of one worker, from "go" until it is done. Some worker ends the search.
    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Self::Policy<'t>>);
}

/// The workers of a searcher that meet by messages alone. They may be processes: the state of the
/// search is then another one in each, and that of worker 0 counts.
pub trait MessageTeam: Sync {
    /// Whether its workers record dependencies between pieces of work, as [`Team`] says.
    const HAS_CRITICAL_PATH: bool;

    /// The policy that a worker takes along to its nodes.
    type Policy<'t>
    where
        Self: 't;

    /// The policy of the worker `id`.
    fn policy(&self, id: usize) -> Self::Policy<'_>;

    /// The work of one worker, from "go" until it is done. Worker 0 completes the iterations.
    fn work<'t, C: Messenger>(&'t self, worker: &mut Worker<'_, C, Self::Policy<'t>>);
}

impl Search<'_> {
    /// Whether its workers meet by messages alone. Then the searcher calls
    /// [`Search::run_by_messages`].
    pub const fn is_by_messages(&self) -> bool {
        self.cluster.is_some()
    }

    /// The number of workers in a rank: all of them, if they do not meet by messages.
    pub fn rank_workers(&self) -> usize {
        self.cluster.map_or(self.workers, |cluster| cluster.rank_workers(self.workers))
    }

    /// Runs a search by a team that meets by messages alone. On ranks other than the first it
    /// returns the counters of that rank only.
    ///
    /// # Errors
    /// The errors of [`Search::run`].
    pub fn run_by_messages<T: MessageTeam>(&self, team: &T) -> Ran {
        let Search { shared, ref cores, workers, cluster, histories, .. } = *self;
        let of_team = self.histories_of_team();
        let members = TeamWorkload { shared, histories: of_team, team };
        let network = cluster.map_or_else(Network::default, |cluster| cluster.network());
        let gathered = cores.run_messages(workers, self.waiting(), network, &members)?;
        let Gathered { results: workers, time, work_span } = gathered;
        histories.set(members.histories.into_learned());
        let work_span = work_span.filter(|_| T::HAS_CRITICAL_PATH);
        Ok(Returned { workers, time, elected: None, work_span })
    }

    /// Runs a search by a team.
    ///
    /// # Errors
    /// The reason why it failed: a worker panicked or could not be started, or all virtual workers
    /// wait.
    pub fn run<T: Team>(&self, team: &T) -> Ran {
        let Search { shared, ref cores, workers, histories, .. } = *self;
        let of_team = self.histories_of_team();
        let members = TeamWorkload { shared, histories: of_team, team };
        let gathered = cores.run(workers, self.waiting(), &members)?;
        let Gathered { results: workers, time, work_span } = gathered;
        histories.set(members.histories.into_learned());
        let work_span = work_span.filter(|_| T::HAS_CRITICAL_PATH);
        Ok(Returned { workers, time, elected: None, work_span })
    }

    /// The histories, corrections and killers of the workers, those of the last search among them.
    fn histories_of_team(&self) -> Histories {
        let techniques = self.shared.techniques;
        Histories::new(&self.common_settings, self.workers, techniques, self.histories.take())
    }

    /// The way in which real workers wait. Spinning helps only where every worker has a core.
    fn waiting(&self) -> Waiting {
        let CommonSettings { spin_us, one_at_a_time, .. } = self.common_settings;
        let spins = self.workers <= affinity::usable() && !one_at_a_time;
        let spin = if spins { Duration::from_micros(spin_us) } else { Duration::ZERO };
        Waiting { spin, one_at_a_time, dilation: self.dilation }
    }
}

/// A team at work.
struct TeamWorkload<'s, T> {
    shared: &'s SharedState<'s>,
    histories: Histories,
    team: &'s T,
}

impl<T: Team> Workload for TeamWorkload<'_, T> {
    type Prepared = Memory;
    type Result = (Counters, ByDepth);

    fn prepare(&self, id: usize) -> Memory {
        self.histories.of(id);
        self.histories.corrections(id);
        Memory::default()
    }

    fn work<C: Core>(&self, memory: Memory, core: C) -> (Counters, ByDepth) {
        let id = core.id();
        let policy = self.team.policy(id, &self.histories);
        let mut worker = Worker::new(core, policy, self.shared, self.histories.of(id), memory);
        worker.shared_records = self.histories.shared();
        worker.rounding = self.histories.rounding(id);
        worker.corrections = self.histories.corrections(id);
        self.team.work(&mut worker);
        worker.finish()
    }
}

impl<T: MessageTeam> MessageWorkload for TeamWorkload<'_, T> {
    type Prepared = Memory;
    type Result = (Counters, ByDepth);

    fn prepare(&self, id: usize) -> Memory {
        self.histories.of(id);
        self.histories.corrections(id);
        Memory::default()
    }

    fn work<C: Messenger>(&self, memory: Memory, core: C) -> (Counters, ByDepth) {
        let id = core.id();
        let policy = self.team.policy(id);
        let mut worker = Worker::new(core, policy, self.shared, self.histories.of(id), memory);
        worker.shared_records = self.histories.shared();
        worker.rounding = self.histories.rounding(id);
        worker.corrections = self.histories.corrections(id);
        self.team.work(&mut worker);
        worker.finish()
    }
}
