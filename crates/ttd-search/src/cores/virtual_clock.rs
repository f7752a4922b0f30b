//! Virtual cores: every worker is a coroutine, and one operating-system thread runs them all on a
//! virtual clock.
//!
//! The worker that goes on is always the one with the earliest clock (`agenda`). It keeps going
//! until what it is charged makes it later than another, or until it waits. So all that workers read
//! and write of one another happens in the order of virtual time, and a search is a function of its
//! task, the cost model and two seeds: no host clock, address or thread takes part.
//!
//! A section costs time: a worker that comes while others are in it waits for them in
//! [`State::Lock`], in the order of coming, and its work takes effect when it leaves.

mod simulation;
mod team;

pub use simulation::Simulation;

use super::agenda::{Ready, Schedule};
use super::core::{Core, Cost};
use super::cost_model::{Load, hash};
use super::crew::{Gathered, message};
use super::ledger::Ledger;
use super::section::Section;
use super::state::State;
use super::time::Time;
use super::timeline::{Event, Timeline};
use super::work_span::WorkSpan;
use corosensei::stack::DefaultStack;
use corosensei::{CoroutineResult, ScopedCoroutine, ScopedCoroutineRef, Yielder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use team::{Team, Wait};

/// The stack of a worker; below it lies a page that stops who would overflow it. Only what is used
/// takes memory.
pub const STACK_BYTES: usize = 4 << 20;

/// How many nodes a worker is charged between two looks at the host's clock.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;
/// Every so many times that workers tell of the table's fill somebody listens.
const FILLS_BETWEEN_LOOKS: u32 = 16;

/// Why a worker hands over to the scheduler.
enum Pause {
    /// Others may be earlier.
    Later,
    /// It has a wait.
    Waits,
}

/// One worker's core. Owned by its coroutine.
pub struct VirtualCore<'t> {
    team: &'t Team,
    yielder: &'t Yielder<(), Pause>,
    id: usize,
    /// Of its jitter: a key, and how many nodes were charged.
    noise: u64,
    nodes: u64,
    /// The longest chain of work that leads to where it is.
    span: Time,
    ledger: Ledger,
}

impl VirtualCore<'_> {
    /// The clock goes on by `time`; goes on itself when it is the earliest.
    #[inline]
    fn spend(&mut self, time: Time) {
        let clock = self.team.now.get() + time;
        self.team.now.set(clock);
        if self.team.switch_always || !self.team.agenda.borrow().is_first(self.id, clock) {
            self.yielder.suspend(Pause::Later);
        }
    }

    /// So much of the time just spent was work, as far as the search lasted and the state is one of work.
    #[inline]
    fn count(&mut self, cost: Time) {
        let team = self.team;
        let over = team.end.get().map_or(Time::ZERO, |end| team.now.get().saturating_sub(end));
        let done = cost.saturating_sub(over);
        if self.ledger.state().is_work() {
            self.span += done;
            team.work.set(team.work.get() + done);
        }
    }

    /// Changes the state at `now`, or at the end of the search where that was before.
    fn enter_at(&mut self, state: State, now: Time) -> State {
        let before = self.ledger.enter(state, now.min(self.team.end.get().unwrap_or(Time::NEVER)));
        let searching = &self.team.searching;
        match (before, state) {
            (State::Search, State::Search) => {}
            (State::Search, _) => searching.set(searching.get() - 1),
            (_, State::Search) => searching.set(searching.get() + 1),
            _ => {}
        }
        before
    }
}

impl Core for VirtualCore<'_> {
    const COUNTS_WORK: bool = true;

    fn id(&self) -> usize {
        self.id
    }

    fn workers(&self) -> usize {
        self.team.waits.len()
    }

    fn now(&self) -> Time {
        self.team.now.get()
    }

    #[inline]
    fn charge(&mut self, cost: Cost) -> bool {
        self.nodes += u64::from(matches!(cost, Cost::Node | Cost::QuiescenceNode | Cost::Leaf));
        let (noise, nodes) = (self.noise, self.nodes);
        if nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.team.look_at_host();
        }
        let team = self.team;
        let load =
            Load { searching: team.searching.get(), fill_permille: team.fill_permille.get() };
        let cost = team.simulation.model.cost(cost, load, || hash(noise, nodes));
        self.spend(cost);
        self.count(cost);
        self.team.end.get().is_none_or(|end| self.team.now.get() <= end)
    }

    fn span(&self) -> Time {
        self.span
    }

    fn continue_from(&mut self, span: Time) {
        self.span = span;
    }

    fn depend_on(&mut self, span: Time) {
        self.span = self.span.max(span);
    }

    fn notice_fill(&mut self, fill: impl FnOnce() -> f64) {
        let team = self.team;
        let told = team.fills_told.get().wrapping_add(1);
        team.fills_told.set(told);
        if team.simulation.model.table_ps > 0 && told.is_multiple_of(FILLS_BETWEEN_LOOKS) {
            // A share of 2^14 slots: a thousandth is the same on every machine.
            team.fill_permille.set((fill() * 1000.0) as u64);
        }
    }

    fn enter(&mut self, state: State) -> State {
        self.enter_at(state, self.team.now.get())
    }

    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R {
        let arrival = self.team.now.get();
        let cost = Time::from_ps(self.team.simulation.model.section_ps);
        let (start, leave) = section.book(arrival, cost);
        if start > arrival {
            let before = self.enter(State::Lock);
            self.spend(leave - arrival);
            self.enter_at(before, start);
        } else {
            self.spend(leave - arrival);
        }
        self.count(cost);
        section.alone(body)
    }

    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool) {
        if !condition(self.ended()) {
            return;
        }
        let wait = Wait { state, since: self.team.now.get() };
        let before = self.enter(state);
        while condition(self.ended()) {
            self.team.wait(self.id, wait);
            self.yielder.suspend(Pause::Waits);
        }
        self.enter(before);
    }

    fn wake(&mut self, worker: usize) {
        self.team.wake(worker);
    }

    fn wake_all(&mut self) {
        self.team.wake_all();
    }

    fn end(&mut self) -> Option<Time> {
        let first = self.team.end();
        if first.is_some() {
            self.team.critical_path.set(self.span);
        }
        first
    }

    fn ended(&self) -> bool {
        self.team.end.get().is_some()
    }

    fn record(&mut self, most: usize) {
        self.ledger.record(most);
    }

    fn note(&mut self, event: impl FnOnce() -> Event) {
        let team = self.team;
        self.ledger.note(|| team.now.get().min(team.end.get().unwrap_or(Time::NEVER)), event);
    }

    fn timeline(&mut self) -> Option<Timeline> {
        self.ledger.timeline()
    }

    fn states(&mut self) -> [Time; State::COUNT] {
        self.wait_while(State::Finished, |ended| !ended);
        self.enter(State::Finished);
        self.ledger.close(self.team.end.get().unwrap_or(Time::NEVER))
    }
}

type Coroutine<'s, R> = ScopedCoroutine<'s, (), Pause, R>;
type CoroutineRef<'s, R> = ScopedCoroutineRef<'s, (), Pause, R, DefaultStack>;

/// Runs one worker a coroutine, on this thread: each is set up by `prepare`, then each does its
/// `work` from virtual time 0 on. The critical path is that of the worker that ends the search.
///
/// # Errors
/// The message of the first worker that panicked (the others are made to stop); or `deadlock` and
/// each worker's wait, if all of them wait; or that the host limit came, or that there is no memory
/// for so many stacks.
pub fn run<W, R>(
    workers: usize,
    simulation: Simulation,
    prepare: impl Fn(usize) -> W,
    work: impl Fn(W, VirtualCore<'_>) -> R,
) -> Result<Gathered<R>, String> {
    run_team(&Team::new(workers, simulation, false), prepare, work)
}

fn run_team<W, R>(
    team: &Team,
    prepare: impl Fn(usize) -> W,
    work: impl Fn(W, VirtualCore<'_>) -> R,
) -> Result<Gathered<R>, String> {
    let workers = team.waits.len();
    let work = &work;
    let start = |id| -> Result<Coroutine<'_, R>, String> {
        let stack = DefaultStack::new(STACK_BYTES)
            .map_err(|e| format!("stacks for {workers} virtual cores cannot be had: {e}"))?;
        let prepared = catch_unwind(AssertUnwindSafe(|| prepare(id)));
        let prepared = prepared.map_err(|panic| panicked(id, &*panic))?;
        let noise = hash(team.simulation.noise, id as u64);
        let ledger = Ledger::new(State::WaitWork);
        Ok(ScopedCoroutine::with_stack(stack, move |yielder: &Yielder<(), Pause>, ()| {
            work(
                prepared,
                VirtualCore { team, yielder, id, noise, nodes: 0, span: Time::ZERO, ledger },
            )
        }))
    };
    let coroutines: Result<Vec<_>, String> = (0..workers).map(start).collect();
    let results = scope(coroutines?.into_iter(), Vec::new(), |all| schedule(team, all))?;
    let time = team.end.get().unwrap_or_else(|| team.now.get());
    let work_span = WorkSpan { work: team.work.get(), critical_path: team.critical_path.get() };
    Ok(Gathered { results, time, work_span: Some(work_span) })
}

/// Calls `then` with a reference to each of the coroutines. Those that have not returned are unwound
/// afterwards.
fn scope<R, T>(
    mut rest: std::vec::IntoIter<Coroutine<'_, R>>,
    all: Vec<CoroutineRef<'_, R>>,
    then: impl FnOnce(Vec<CoroutineRef<'_, R>>) -> T,
) -> T {
    match rest.next() {
        None => then(all),
        Some(coroutine) => coroutine.scope(|coroutine| {
            let mut all: Vec<CoroutineRef<'_, R>> = all; // of this scope from now on
            all.push(coroutine);
            scope(rest, all, then)
        }),
    }
}

/// Has the earliest worker go on until all have returned; what they returned, in their order.
fn schedule<R>(team: &Team, mut coroutines: Vec<CoroutineRef<'_, R>>) -> Result<Vec<R>, String> {
    let mut results: Vec<Option<R>> = coroutines.iter().map(|_| None).collect();
    let mut next = team.agenda.borrow_mut().next();
    while let Some(Ready { worker, clock, .. }) = next {
        if team.simulation.schedule == Schedule::Earliest {
            team.now.set(clock);
        }
        let paused = catch_unwind(AssertUnwindSafe(|| coroutines[worker].resume(())));
        next = match paused {
            Ok(CoroutineResult::Yield(Pause::Later)) => {
                Some(team.agenda.borrow_mut().exchange(worker, team.now.get()))
            }
            Ok(CoroutineResult::Yield(Pause::Waits)) => team.agenda.borrow_mut().next(),
            Ok(CoroutineResult::Return(result)) => {
                results[worker] = Some(result);
                team.agenda.borrow_mut().next()
            }
            Err(panic) => {
                team.fail(|| panicked(worker, &*panic));
                team.agenda.borrow_mut().next()
            }
        };
    }
    // By the invariant of `Team`, a worker that is not on the agenda has returned or waits.
    match team.failure.take() {
        Some(failure) => Err(failure),
        None if team.waiting.get() > 0 => Err(team.deadlock()),
        None => Ok(results.into_iter().flatten().collect()),
    }
}

fn panicked(worker: usize, panic: &(dyn std::any::Any + Send)) -> String {
    format!("worker {worker} panicked: {}", message(panic))
}

#[cfg(test)]
mod tests;
