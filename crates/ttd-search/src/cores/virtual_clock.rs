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
//!
//! There may be fewer processors than workers (`processors`). The machine may have caches, hardware
//! threads, and a frequency that falls with the number of busy cores ([`Machine`](super::Machine)).

mod busy;
mod group;
mod lines;
mod mail;
mod mail_room;
mod processors;
mod turns;

pub use group::Simulation;
pub use mail_room::Network;

use super::cost_model::{Load, hash};
use super::ready_queue::{Ready, Schedule};
use super::workload::{Gathered, LOOK_EVERY, RunError, message};
use super::{Core, Cost, Event, Line, Section, State, StateTimes, Time, Timeline, WorkSpan};
use corosensei::stack::DefaultStack;
use corosensei::{CoroutineResult, ScopedCoroutine, ScopedCoroutineRef, Yielder};
use group::{CoreGroup, Wait};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The stack of a worker, in bytes. Only the used part takes memory. A page below it stops a worker
/// that would overflow it.
pub const STACK_BYTES: usize = 4 << 20;

/// The number of nodes that a worker is charged between two looks at the host's clock.
const NODES_BETWEEN_LOOKS: u64 = 1 << 12;
/// The number of sections that a worker enters between two such looks.
const SECTIONS_BETWEEN_LOOKS: u64 = 1 << 14;
/// The number of times that workers tell the table's fill for each time that it is read.
const FILLS_BETWEEN_LOOKS: u32 = 16;

/// The reason why a worker hands over to the scheduler.
enum Pause {
    /// Another worker may be earlier.
    Later,
    /// It waits.
    Waits,
    /// Its slice is over, and another worker waits for its processor.
    Preempted,
}

/// One worker's core. Owned by its coroutine.
pub struct VirtualCore<'t> {
    group: &'t CoreGroup,
    yielder: &'t Yielder<(), Pause>,
    id: usize,
    /// The key of its jitter; then the number of charged nodes.
    noise: u64,
    nodes: u64,
    /// The number of sections entered. Where they take no time, nothing else may show that workers
    /// go round in circles.
    sections: u64,
    /// The number of nodes between two looks for messages.
    look_every: u64,
    /// The length of the longest chain of work that leads to its present place.
    span: Time,
    state_times: StateTimes,
    /// Whether it enters sections at no price.
    at_no_price: bool,
}

impl Core for VirtualCore<'_> {
    const COUNTS_WORK: bool = true;

    fn id(&self) -> usize {
        self.id
    }

    fn workers(&self) -> usize {
        self.group.waits.len()
    }

    fn now(&self) -> Time {
        self.group.now.get()
    }

    #[inline]
    fn charge(&mut self, cost: Cost) -> bool {
        self.nodes += u64::from(matches!(cost, Cost::Node | Cost::QuiescenceNode | Cost::Leaf));
        let (noise, nodes) = (self.noise, self.nodes);
        if nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.group.look_at_host();
        }
        let group = self.group;
        let load =
            Load { searching: group.searching.get(), fill_permille: group.fill_permille.get() };
        let cost = group.simulation.model.cost(cost, load, || hash(noise, nodes));
        self.spend(group.on_machine(self.id, cost));
        self.group.end.get().is_none_or(|end| self.group.now.get() <= end)
    }

    fn prices_lines(&self) -> bool {
        self.group.lines.is_some()
    }

    #[inline]
    fn read_line(&mut self, line: Line) {
        self.group.look(self.id, line, false);
    }

    #[inline]
    fn change_line(&mut self, line: Line) {
        self.group.look(self.id, line, true);
    }

    fn pause_to_write(&mut self) {
        // A worker writes one entry at a time, so that each has a draw of its own.
        let model = &self.group.simulation.model;
        let (noise, now) = (!self.noise, self.group.now.get().ps());
        self.pay(model.tear(|| hash(noise, now)));
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

    fn enter_at_no_price(&mut self, yes: bool) {
        self.at_no_price = yes;
    }

    fn notice_fill(&mut self, fill: impl FnOnce() -> f64) {
        let group = self.group;
        let told = group.fills_told.get().wrapping_add(1);
        group.fills_told.set(told);
        if group.simulation.model.table_ps > 0 && told.is_multiple_of(FILLS_BETWEEN_LOOKS) {
            // A share of 2^14 slots: in thousandths it is equal on every machine.
            group.fill_permille.set((fill() * 1000.0) as u64);
        }
    }

    fn enter(&mut self, state: State) -> State {
        self.enter_at(state, self.group.now.get())
    }

    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R {
        self.sections += 1;
        if self.sections.is_multiple_of(SECTIONS_BETWEEN_LOOKS) {
            self.group.look_at_host();
        }
        if self.at_no_price {
            return section.alone(body);
        }
        let arrival = self.group.now.get();
        let cost = self.group.stay(self.id, section.comes_from(self.id));
        if self.group.processors.is_some() {
            return self.shared_section(section, cost, body);
        }
        let closed = self.group.simulation.model.undilated(cost);
        let (start, leave) = section.book(arrival, cost, closed);
        if start > arrival {
            let before = self.enter(State::Lock);
            self.pass(leave - arrival);
            self.enter_at(before, start);
        } else {
            self.pass(leave - arrival);
        }
        self.count(cost);
        section.alone(body)
    }

    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool) {
        if !condition(self.ended()) {
            return;
        }
        let wait = Wait { state, since: self.group.now.get() };
        let before = self.enter(state);
        while condition(self.ended()) {
            self.group.wait(self.id, wait);
            self.pause(Pause::Waits);
            self.account_for_seat();
        }
        self.enter(before);
    }

    fn wake(&mut self, worker: usize) {
        let taken = self.group.wake(worker);
        self.pay(taken);
    }

    fn wake_all(&mut self) {
        let taken = self.group.wake_all();
        self.pay(taken);
    }

    fn end(&mut self) -> Option<Time> {
        let first = self.group.end();
        if first.is_some() {
            self.group.critical_path.set(self.span);
        }
        first
    }

    fn ended(&self) -> bool {
        self.group.end.get().is_some()
    }

    fn record(&mut self, most: usize) {
        self.state_times.record(most);
    }

    fn note(&mut self, event: impl FnOnce() -> Event) {
        let group = self.group;
        self.state_times
            .note(|| group.now.get().min(group.end.get().unwrap_or(Time::NEVER)), event);
    }

    fn timeline(&mut self) -> Option<Timeline> {
        self.state_times.timeline()
    }

    fn states(&mut self) -> [Time; State::COUNT] {
        self.wait_while(State::Finished, |ended| !ended);
        self.enter(State::Finished);
        self.state_times.close(self.group.end.get().unwrap_or(Time::NEVER))
    }
}

/// All that a worker hands over has room for a result, also at a pause. A box keeps that small,
/// since each pause copies it.
type Coroutine<'s, R> = ScopedCoroutine<'s, (), Pause, Box<R>>;
type CoroutineRef<'s, R> = ScopedCoroutineRef<'s, (), Pause, Box<R>, DefaultStack>;

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
) -> Result<Gathered<R>, RunError> {
    run_messengers(workers, simulation, Network::default(), prepare, work)
}

/// Runs each worker in a coroutine, as [`run`] does. Messages between them have these costs.
///
/// # Errors
/// The errors of [`run`].
pub fn run_messengers<W, R>(
    workers: usize,
    simulation: Simulation,
    network: Network,
    prepare: impl Fn(usize) -> W,
    work: impl Fn(W, VirtualCore<'_>) -> R,
) -> Result<Gathered<R>, RunError> {
    run_group(&CoreGroup::new(workers, simulation, network, false), prepare, work)
}

fn run_group<W, R>(
    group: &CoreGroup,
    prepare: impl Fn(usize) -> W,
    work: impl Fn(W, VirtualCore<'_>) -> R,
) -> Result<Gathered<R>, RunError> {
    let workers = group.waits.len();
    let work = &work;
    let start = |id| -> Result<Coroutine<'_, R>, RunError> {
        let stack = DefaultStack::new(STACK_BYTES).map_err(|e| {
            let what = "virtual cores cannot be allocated";
            RunError::NoMemory(format!("stacks for {workers} {what}: {e}"))
        })?;
        let prepared = catch_unwind(AssertUnwindSafe(|| prepare(id)));
        let prepared = prepared.map_err(|panic| panicked(id, &*panic))?;
        let noise = hash(group.simulation.noise, id as u64);
        let state_times = StateTimes::new(State::WaitWork);
        Ok(ScopedCoroutine::with_stack(stack, move |yielder: &Yielder<(), Pause>, ()| {
            let (nodes, sections, look_every) = (0, 0, LOOK_EVERY);
            let (span, at_no_price) = (Time::ZERO, false);
            let mut core = VirtualCore {
                group,
                yielder,
                id,
                noise,
                nodes,
                sections,
                look_every,
                span,
                state_times,
                at_no_price,
            };
            core.account_for_seat();
            Box::new(work(prepared, core))
        }))
    };
    let coroutines: Result<Vec<_>, RunError> = (0..workers).map(start).collect();
    let results = scope(coroutines?.into_iter(), Vec::new(), |all| schedule(group, all))?;
    let time = group.end.get().unwrap_or_else(|| group.now.get());
    let work_span = WorkSpan { work: group.work.get(), critical_path: group.critical_path.get() };
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
fn schedule<R>(
    group: &CoreGroup,
    mut coroutines: Vec<CoroutineRef<'_, R>>,
) -> Result<Vec<R>, RunError> {
    let mut results: Vec<Option<R>> = coroutines.iter().map(|_| None).collect();
    let mut next = group.next(None);
    while let Some(Ready { worker, clock, .. }) = next {
        if group.simulation.schedule == Schedule::Earliest {
            group.now.set(clock);
        }
        group.fetch_first();
        let paused = catch_unwind(AssertUnwindSafe(|| coroutines[worker].resume(())));
        let earlier = match paused {
            Ok(CoroutineResult::Yield(Pause::Later)) => {
                Some(group.ready.borrow_mut().exchange(worker, group.now.get()))
            }
            Ok(CoroutineResult::Yield(Pause::Waits | Pause::Preempted)) => {
                group.release(worker);
                None
            }
            Ok(CoroutineResult::Return(result)) => {
                results[worker] = Some(*result);
                group.release(worker);
                None
            }
            Err(panic) => {
                group.fail(|| panicked(worker, &*panic).into());
                group.release(worker);
                None
            }
        };
        next = group.next(earlier);
    }
    // By the invariant of `CoreGroup`, a worker that is not in the ready queue has returned or
    // waits.
    match group.failure.take() {
        Some(failure) => Err(failure),
        None if group.waiting.get() > 0 => Err(group.deadlock().into()),
        None => Ok(results.into_iter().flatten().collect()),
    }
}

fn panicked(worker: usize, panic: &(dyn std::any::Any + Send)) -> String {
    format!("worker {worker} panicked: {}", message(panic))
}

#[cfg(test)]
mod tests;
