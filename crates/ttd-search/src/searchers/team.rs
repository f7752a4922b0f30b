//! A search as its searcher is given it, and how its workers are set up and finished.

use super::conditions::Conditions;
use super::learnt::Learnt;
use crate::cores::{Core, Cores, Crew, Gathered, Time, Waiting, WorkSpan, affinity};
use crate::engine::{History, Move};
use crate::search::{ByDepth, Counters, Memory, Session, Worker};
use std::cell::Cell;
use std::time::Duration;

/// What every searcher is given.
#[derive(Clone, Copy)]
pub struct Search<'s> {
    /// What all workers see.
    pub session: &'s Session<'s>,
    /// How many workers there are.
    pub workers: usize,
    /// What they run on.
    pub(super) cores: Cores<'s>,
    pub(super) conditions: Conditions,
    /// What the workers of the search before have learnt, and then what those of this one have.
    pub(super) histories: &'s Cell<Vec<History>>,
}

/// What the workers return.
pub struct Returned {
    /// What each has counted, in their order.
    pub workers: Vec<(Counters, ByDepth)>,
    /// When the search ended.
    pub time: Time,
    /// The best move, if not that of the last iteration.
    pub elected: Option<Move>,
    /// Work and critical path, where they are counted.
    pub work_span: Option<WorkSpan>,
}

/// What the workers return, or why the search failed.
pub type Ran = Result<Returned, String>;

/// The workers of a searcher: what they share beside the session, and what each of them does.
pub trait Team: Sync {
    /// What a worker brings along to its nodes.
    type Policy<'t>
    where
        Self: 't;

    /// What the worker `id` brings along.
    fn policy<'t>(&'t self, id: usize, learnt: &'t Learnt) -> Self::Policy<'t>;

    /// A worker's work, from "go" until it is done. Some worker ends the search.
    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Self::Policy<'t>>);
}

impl Search<'_> {
    /// Has a team search.
    ///
    /// # Errors
    /// Why it failed: a worker panicked or could not be started, or all virtual ones wait.
    pub fn run<T: Team>(&self, team: &T) -> Ran {
        let Search { session, ref cores, workers, ref conditions, histories } = *self;
        let learnt = Learnt::new(conditions, workers, histories.take());
        let members = Members { session, learnt, team };
        let gathered = cores.run(workers, self.waiting(), &members)?;
        let Gathered { results: workers, time, work_span } = gathered;
        histories.set(members.learnt.into_histories());
        Ok(Returned { workers, time, elected: None, work_span })
    }

    /// How real workers wait. Spinning helps only where every worker has a core.
    fn waiting(&self) -> Waiting {
        let Conditions { spin_us, one_at_a_time, .. } = self.conditions;
        let spins = self.workers <= affinity::usable() && !one_at_a_time;
        let spin = if spins { Duration::from_micros(spin_us) } else { Duration::ZERO };
        Waiting { spin, one_at_a_time }
    }
}

/// A team at work.
struct Members<'s, T> {
    session: &'s Session<'s>,
    learnt: Learnt,
    team: &'s T,
}

impl<T: Team> Crew for Members<'_, T> {
    type Kit = Memory;
    type Result = (Counters, ByDepth);

    fn prepare(&self, id: usize) -> Memory {
        self.learnt.of(id);
        Memory::default()
    }

    fn work<C: Core>(&self, memory: Memory, core: C) -> (Counters, ByDepth) {
        let id = core.id();
        let policy = self.team.policy(id, &self.learnt);
        let mut worker = Worker::new(core, policy, self.session, self.learnt.of(id), memory);
        self.team.work(&mut worker);
        worker.finish()
    }
}
