//! Real cores: operating-system threads, the wall clock, mutexes and parking.
//!
//! A waiting worker spins for a while and then parks. It says that it is parked *before* it looks
//! at its condition for the last time. A worker that changes a condition looks for parked workers
//! *after* the change. Both sides have a sequentially consistent fence between, so at least one
//! sees the other: no wake is lost (Dekker's pattern).

use super::dilation::{Dilation, Pace, Paid, factor, slowed};
use super::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed, Ordering::SeqCst, fence};
use super::sync::{Thread, current, park};
use super::workload::{RunError, message};
use super::{Core, Cost, Event, Section, State, StateTimes, Time, Timeline, WorkerThreads};
use crossbeam_utils::CachePadded;
use parking_lot::{Condvar, Mutex};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The way in which real workers wait.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The time that a waiting worker spins before it parks. Zero where there are more workers than
    /// cores.
    pub spin: Duration,
    /// Whether one worker runs at a time, and hands over at each section and each wait: for
    /// debugging.
    pub one_at_a_time: bool,
    /// The dilation of time, if there is any. Workers that rest do not spin.
    pub dilation: Option<Dilation>,
}

impl Waiting {
    /// Waits without spinning.
    pub const PARKED: Waiting =
        Waiting { spin: Duration::ZERO, one_at_a_time: false, dilation: None };
}

/// The state that the cores of one search share.
///
/// Invariant: `end` is `u64::MAX` until the search ends. Then it is the time of the end, and never
/// changes again. `seats[i].parked` is written by worker `i` alone. Lives as long as [`run`].
struct CoreGroup {
    start: OnceLock<Instant>,
    end: AtomicU64,
    seats: Vec<CachePadded<Seat>>,
    spin: Duration,
    token: Option<Token>,
    /// The wall time of one second of the search, seconds. 1 where time is not dilated.
    factor: u64,
}

#[derive(Default)]
struct Seat {
    thread: OnceLock<Thread>,
    parked: AtomicBool,
}

impl CoreGroup {
    fn now(&self) -> Time {
        self.after(Duration::ZERO)
    }

    /// The time of the search when so much more wall time has gone by.
    fn after(&self, more: Duration) -> Time {
        self.start.get().map_or(Time::ZERO, |start| slowed(start.elapsed() + more, self.factor))
    }

    fn end_time(&self) -> Time {
        Time::from_ps(self.end.load(Relaxed))
    }

    fn end(&self) -> Option<Time> {
        let now = self.now();
        let first = self.end.compare_exchange(u64::MAX, now.ps(), SeqCst, Relaxed);
        self.wake_all();
        first.is_ok().then_some(now)
    }

    fn wake(&self, worker: usize) {
        // Partner: the fence in `RealCore::wait_while`.
        fence(SeqCst);
        self.wake_if_parked(worker);
    }

    fn wake_all(&self) {
        // Partner: the fence in `RealCore::wait_while`.
        fence(SeqCst);
        for worker in 0..self.seats.len() {
            self.wake_if_parked(worker);
        }
    }

    fn wake_if_parked(&self, worker: usize) {
        let seat = &self.seats[worker];
        if seat.parked.load(Relaxed)
            && let Some(thread) = seat.thread.get()
        {
            thread.unpark();
        }
    }
}

/// The token: the right to run, handed from worker to worker in the order of asking.
#[derive(Default)]
struct Token {
    tickets: Mutex<Tickets>,
    called: Condvar,
}

#[derive(Default)]
struct Tickets {
    next: u64,
    serving: u64,
}

impl Token {
    fn take(&self) {
        let mut tickets = self.tickets.lock();
        let mine = tickets.next;
        tickets.next += 1;
        self.called.wait_while(&mut tickets, |tickets| tickets.serving < mine);
    }

    fn hand_on(&self) {
        self.tickets.lock().serving += 1;
        self.called.notify_all();
    }
}

/// The start barrier, at which the workers wait for "go".
///
/// Invariants: `ready` only grows, and the worker that makes it `workers` wakes the driver. `go` is
/// set once, by the driver. Lives as long as [`run`].
struct StartBarrier {
    workers: usize,
    state: Mutex<BarrierState>,
    all_ready: Condvar,
    opened: Condvar,
}

#[derive(Default)]
struct BarrierState {
    ready: usize,
    go: Option<bool>,
}

impl StartBarrier {
    fn new(workers: usize) -> StartBarrier {
        let state = Mutex::default();
        StartBarrier { workers, state, all_ready: Condvar::new(), opened: Condvar::new() }
    }

    /// Says that a worker is ready, and waits until the barrier opens. Returns whether to go on.
    fn pass(&self) -> bool {
        let mut state = self.state.lock();
        state.ready += 1;
        if state.ready == self.workers {
            self.all_ready.notify_one();
        }
        self.opened.wait_while(&mut state, |state| state.go.is_none());
        state.go == Some(true)
    }

    fn wait_for_all(&self) {
        self.all_ready.wait_while(&mut self.state.lock(), |state| state.ready < self.workers);
    }

    fn open(&self, go: bool) {
        self.state.lock().go = Some(go);
        self.opened.notify_all();
    }
}

/// The core of one worker, on its own thread. Owned by that thread.
pub struct RealCore<'t> {
    group: &'t CoreGroup,
    id: usize,
    /// The number of nodes until the worker rests.
    until_rest: u64,
    pace: &'t mut Pace,
    state_times: StateTimes,
}

impl RealCore<'_> {
    /// Pays for the work so far.
    #[cold]
    fn rest(&mut self) {
        self.until_rest = self.pace.rest();
    }
}

impl Core for RealCore<'_> {
    fn id(&self) -> usize {
        self.id
    }

    fn workers(&self) -> usize {
        self.group.seats.len()
    }

    fn now(&self) -> Time {
        self.group.after(self.pace.debt())
    }

    #[inline]
    fn charge(&mut self, cost: Cost) -> bool {
        if matches!(cost, Cost::Node | Cost::QuiescenceNode | Cost::Leaf) {
            self.until_rest -= 1;
            if self.until_rest == 0 {
                self.rest();
            }
        }
        true
    }

    fn enter(&mut self, state: State) -> State {
        // After the end no time counts: the states stop at the end of the search.
        let now = self.now().min(self.group.end_time());
        self.state_times.enter(state, now)
    }

    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R {
        let mut guard = section.0.try_lock().unwrap_or_else(|| {
            let before = self.enter(State::Lock);
            let guard = self.pace.held_up(|| section.0.lock());
            self.enter(before);
            guard
        });
        let result = body(&mut guard.state);
        drop(guard);
        if let Some(token) = &self.group.token {
            token.hand_on();
            token.take();
        }
        result
    }

    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool) {
        if !condition(self.ended()) {
            return;
        }
        self.rest();
        let before = self.enter(state);
        if let Some(token) = &self.group.token {
            token.hand_on();
        }
        let spin_until = Instant::now() + self.group.spin;
        let waits = || condition(self.ended());
        while waits() {
            if Instant::now() < spin_until {
                for _ in 0..32 {
                    std::hint::spin_loop();
                }
                continue;
            }
            let seat = &self.group.seats[self.id];
            seat.parked.store(true, Relaxed);
            // Partner: the fences in `CoreGroup::wake` and `CoreGroup::wake_all`.
            fence(SeqCst);
            if waits() {
                park();
            }
            seat.parked.store(false, Relaxed);
        }
        if let Some(token) = &self.group.token {
            token.take();
        }
        self.pace.resume();
        self.enter(before);
    }

    fn wake(&mut self, worker: usize) {
        self.group.wake(worker);
    }

    fn wake_all(&mut self) {
        self.group.wake_all();
    }

    fn end(&mut self) -> Option<Time> {
        self.rest();
        self.group.end()
    }

    fn ended(&self) -> bool {
        self.group.end.load(Relaxed) != u64::MAX
    }

    fn record(&mut self, most: usize) {
        self.state_times.record(most);
    }

    fn note(&mut self, event: impl FnOnce() -> Event) {
        let RealCore { group, pace, state_times, .. } = self;
        state_times.note(|| group.after(pace.debt()).min(group.end_time()), event);
    }

    fn timeline(&mut self) -> Option<Timeline> {
        self.state_times.timeline()
    }

    fn states(&mut self) -> [Time; State::COUNT] {
        // A worker that is done early waits for the end of the search: its last state ends there.
        self.wait_while(State::Finished, |ended| !ended);
        self.state_times.close(self.group.end_time())
    }
}

/// Runs each worker on one of these threads.
///
/// `prepare` makes each worker on its own thread, so that its memory is near. Then all wait,
/// parked. Then the clock starts, and each worker does its `work`. Returns their results, in the
/// order of workers, and the time at which the search ended.
///
/// # Errors
/// The message of the first worker that panicked; the others are stopped. Workers of a dilated
/// search that waited too long for a core, or a system that does not tell.
pub fn run<W, R: Send>(
    threads: &WorkerThreads,
    workers: usize,
    waiting: Waiting,
    prepare: impl Fn(usize) -> W + Sync,
    work: impl Fn(W, RealCore<'_>) -> R + Sync,
) -> Result<(Vec<R>, Time), RunError> {
    if waiting.dilation.is_some() {
        Dilation::check_system()?;
    }
    let group = CoreGroup {
        start: OnceLock::new(),
        end: AtomicU64::new(u64::MAX),
        seats: (0..workers).map(|_| CachePadded::default()).collect(),
        spin: if waiting.dilation.is_some() { Duration::ZERO } else { waiting.spin },
        token: waiting.one_at_a_time.then(Token::default),
        factor: factor(waiting.dilation),
    };
    let start_barrier = StartBarrier::new(workers);
    let body = |id: usize| -> Result<(R, Paid), String> {
        let _ = group.seats[id].thread.set(current());
        let prepared = catch_unwind(AssertUnwindSafe(|| prepare(id)));
        if !start_barrier.pass() {
            return Err("not every worker could be started".to_owned());
        }
        let mut pace = Pace::new(waiting.dilation);
        let result = catch_unwind(AssertUnwindSafe(|| {
            if let Some(token) = &group.token {
                token.take();
            }
            let prepared = prepared.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let until_rest = pace.begin();
            let (pace, state_times) = (&mut pace, StateTimes::new(State::WaitWork));
            work(prepared, RealCore { group: &group, id, until_rest, pace, state_times })
        }));
        if result.is_err() {
            group.end();
        }
        if let Some(token) = &group.token {
            token.hand_on();
        }
        let result = result.map(|result| (result, pace.paid()));
        result.map_err(|panic| format!("worker {id} panicked: {}", message(&*panic)))
    };
    let results = threads.run(workers, body, |started| {
        if started {
            start_barrier.wait_for_all();
            let _ = group.start.set(Instant::now());
        }
        start_barrier.open(started);
    })?;
    let results: Result<Vec<(R, Paid)>, String> = results.into_iter().collect();
    let (results, paid): (Vec<R>, Vec<Paid>) = results?.into_iter().unzip();
    if let Some(dilation) = waiting.dilation {
        dilation.check(paid)?;
    }
    Ok((results, group.end_time().min(group.now())))
}

#[cfg(all(test, loom))]
pub(crate) mod models;
