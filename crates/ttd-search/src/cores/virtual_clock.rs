//! Virtual cores: each worker is a coroutine, and one operating-system thread runs all of them on a
//! virtual clock.
//!
//! The worker that runs is always the one with the earliest clock. It goes on until a charge makes
//! its clock later than another worker's, or until it waits. So workers read and write each other's
//! state in the order of virtual time. A search is a function of its task, the cost model and two
//! seeds. The host's clock, addresses and threads do not matter.
//!
//! A section costs time. A worker that comes while others are in it waits in [`State::Lock`], and
//! enters in the order of coming. Its work takes effect when it leaves.

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

/// The stack of a worker, in bytes. Only the used part takes memory. A page below it stops a worker
/// that would overflow it.
pub const STACK_BYTES: usize = 4 << 20;

/// The number of nodes that a worker is charged between two looks at the host's clock.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;
/// The number of times that workers tell the table's fill for each time that it is read.
const FILLS_BETWEEN_LOOKS: u32 = 16;

/// The reason why a worker hands over to the scheduler.
enum Pause {
    /// Another worker may be earlier.
    Later,
    /// It waits.
    Waits,
}

/// One worker's core. Owned by its coroutine.
pub struct VirtualCore<'t> {
    team: &'t Team,
    yielder: &'t Yielder<(), Pause>,
    id: usize,
    /// The key of its jitter; then the number of charged nodes.
    noise: u64,
    nodes: u64,
    /// The length of the longest chain of work that leads to its present place.
    span: Time,
    ledger: Ledger,
}

impl VirtualCore<'_> {
    /// Moves the clock on by `time`. Another worker runs first if it is earlier then.
    #[inline]
    fn spend(&mut self, time: Time) {
        let clock = self.team.now.get() + time;
        self.team.now.set(clock);
        if self.team.switch_always || !self.team.agenda.borrow().is_first(self.id, clock) {
            self.yielder.suspend(Pause::Later);
        }
    }

    /// Counts `cost`, which was just spent, as work if the state is one of work. The part after the
    /// end of the search does not count.
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

    /// Changes the state at `now`, or at the end of the search if that was earlier.
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
            // A share of 2^14 slots: in thousandths it is equal on every machine.
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

/// Runs each worker in a coroutine, on this thread.
///
/// `prepare` makes each one; then each does its `work`, from virtual time 0 on. The critical path
/// is that of the worker that ends the search.
///
/// # Errors
/// - The message of the first worker that panicked; the others are stopped.
/// - `deadlock` and the wait of each worker, if all of them wait.
/// - The host limit was reached.
/// - There is no memory for the stacks of all workers.
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

/// Calls `then` with references to all coroutines. Coroutines that have not returned by its end are
/// unwound.
fn scope<R, T>(
    mut rest: std::vec::IntoIter<Coroutine<'_, R>>,
    all: Vec<CoroutineRef<'_, R>>,
    then: impl FnOnce(Vec<CoroutineRef<'_, R>>) -> T,
) -> T {
    match rest.next() {
        None => then(all),
        Some(coroutine) => coroutine.scope(|coroutine| {
            let mut all: Vec<CoroutineRef<'_, R>> = all; // in the lifetime of this scope from now on
            all.push(coroutine);
            scope(rest, all, then)
        }),
    }
}

/// Runs the earliest worker, again and again, until all have returned. Returns their results, in
/// the order of workers.
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
    // By the invariant of `Team`, a worker that is not in the ready queue has returned or waits.
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
