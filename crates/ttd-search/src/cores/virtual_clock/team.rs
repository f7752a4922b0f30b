//! What the workers of one search on virtual cores share: the clock, who is next, who waits.

use super::simulation::Simulation;
use crate::cores::agenda::Agenda;
use crate::cores::state::State;
use crate::cores::time::Time;
use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// What the workers of one search share.
///
/// Invariant: `now` is the clock of the worker that goes on; no other that could go on has an earlier
/// one (of a simulation; scheduled at random, all have the same clock). A worker that has not returned goes on, is on the agenda, or has a wait. `waiting` counts
/// the waits and `searching` the workers in [`State::Search`]. `end` is set once, and with it the critical path. One
/// thread only.
pub(super) struct Team {
    pub(super) simulation: Simulation,
    pub(super) now: Cell<Time>,
    pub(super) end: Cell<Option<Time>>,
    pub(super) agenda: RefCell<Agenda>,
    pub(super) waits: Box<[Cell<Option<Wait>>]>,
    pub(super) waiting: Cell<usize>,
    pub(super) searching: Cell<usize>,
    /// What all have been charged in states that are work.
    pub(super) work: Cell<Time>,
    /// The longest chain of it that leads to the end.
    pub(super) critical_path: Cell<Time>,
    /// How often workers have told of the table's fill, and what it was at the last look, thousandths.
    pub(super) fills_told: Cell<u32>,
    pub(super) fill_permille: Cell<u64>,
    pub(super) failure: RefCell<Option<String>>,
    /// The thread's [`processor_time`] before it.
    pub(super) began: Duration,
    /// Looks at the agenda by way of the scheduler at every charge: to test that it is the same.
    pub(super) switch_always: bool,
}

/// What a worker waits in, and since when.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub(super) state: State,
    pub(super) since: Time,
}

/// What this thread has had of the host's processors. Not the time that passed: a program that is stopped for an hour, or
/// shares its processors, does not search too long.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

impl Team {
    pub(super) fn new(workers: usize, simulation: Simulation, switch_always: bool) -> Team {
        let mut agenda = Agenda::new(simulation.ties, workers, simulation.schedule);
        (0..workers).for_each(|worker| agenda.add(worker, Time::ZERO));
        Team {
            simulation,
            now: Cell::new(Time::ZERO),
            end: Cell::new(None),
            agenda: RefCell::new(agenda),
            waits: (0..workers).map(|_| Cell::new(None)).collect(),
            waiting: Cell::new(0),
            searching: Cell::new(0),
            work: Cell::default(),
            critical_path: Cell::default(),
            fills_told: Cell::new(0),
            fill_permille: Cell::new(0),
            failure: RefCell::new(None),
            began: processor_time(),
            switch_always,
        }
    }

    pub(super) fn wait(&self, worker: usize, wait: Wait) {
        self.waits[worker].set(Some(wait));
        self.waiting.set(self.waiting.get() + 1);
    }

    pub(super) fn wake(&self, worker: usize) {
        if self.waits[worker].take().is_some() {
            self.waiting.set(self.waiting.get() - 1);
            let after = Time::from_ps(self.simulation.model.wake_ps);
            self.agenda.borrow_mut().add(worker, self.now.get() + after);
        }
    }

    pub(super) fn wake_all(&self) {
        if self.waiting.get() > 0 {
            (0..self.waits.len()).for_each(|worker| self.wake(worker));
        }
    }

    pub(super) fn end(&self) -> Option<Time> {
        if self.end.get().is_some() {
            return None;
        }
        self.end.set(Some(self.now.get()));
        self.wake_all();
        self.end.get()
    }

    /// The search has failed, for the first reason given; it ends.
    pub(super) fn fail(&self, why: impl FnOnce() -> String) {
        self.failure.borrow_mut().get_or_insert_with(why);
        self.end();
    }

    /// Protects the host. What a search gives does not depend on it, unless it fails.
    pub(super) fn look_at_host(&self) {
        let taken = || processor_time().saturating_sub(self.began);
        if let Some(limit) = self.simulation.host_limit.filter(|&limit| taken() > limit) {
            let now = self.now.get();
            self.fail(|| format!("the host limit of {limit:?} came at virtual time {now} s"));
        }
    }

    /// Each one's wait.
    pub(super) fn deadlock(&self) -> String {
        let wait = |(worker, wait): (usize, &Cell<Option<Wait>>)| {
            let Wait { state, since } = wait.get()?;
            Some(format!("worker {worker} in {} since {since} s", state.name()))
        };
        let waits: Vec<String> = self.waits.iter().enumerate().filter_map(wait).collect();
        format!("deadlock: every worker waits: {}", waits.join(", "))
    }
}
