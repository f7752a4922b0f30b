//! The schedule and the carrier together: the thread that has the turn, its budget, and the calls
//! that may give the turn away.
//!
//! The hook takes units (instructions or blocks) off a *budget* of the thread that runs. At zero
//! the thread comes here. A unit has a price in virtual time. The model of cores makes it dearer,
//! by a rate that holds from one look at the schedule to the next.

use crate::carrier::{Carrier, Lacking, Seat, holds_a_stream};
pub(crate) use crate::carrier::{real, refuse};
use crate::processor::thread_pointer;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use ttd_cores::processors::PLAIN;
use ttd_cores::schedule::{Id, Next, Picoseconds, Schedule, Settings};

/// A budget that does not end: of threads without turns.
pub(crate) const ENDLESS: i64 = i64::MAX / 4;

/// In the place of a distance from a thread's pointer: all threads share one budget.
pub(crate) const SHARED_BUDGET: isize = isize::MIN;

/// Where a budget lies, by its distance from the pointer of its thread.
pub(crate) fn budget_at(distance: isize, thread: usize) -> *mut i64 {
    static OF_ALL: AtomicI64 = AtomicI64::new(0);
    match distance {
        SHARED_BUDGET => OF_ALL.as_ptr(),
        _ => thread.wrapping_add_signed(distance) as *mut i64,
    }
}

/// How often a thread looks after what it wrote, at the calls that come here: 50 µs.
const LOOK: Picoseconds = 50_000_000;
/// How often a thread that holds the lock of a stream looks whether it still does: 1 µs.
const STREAM: Picoseconds = 1_000_000;
/// How long it keeps its turn at most: 10 ms. It may spin on a lock of the program that waits.
const HOLD: Picoseconds = 10_000_000_000;
const LONG_AGO: Picoseconds = Picoseconds::MIN / 2;

/// Virtual time of a byte that is set or copied, in picoseconds: 20 GB/s.
const BYTE: u64 = 50;
const BYTE_SHIFT: u32 = 20;

/// A thread's place.
#[derive(Clone, Copy)]
struct Place {
    seat: &'static Seat,
    handle: libc::pthread_t,
    is_detached: bool,
}

/// All that threads with turns share.
pub(crate) struct Runtime {
    /// Who runs next.
    pub(crate) schedule: Schedule,
    pub(crate) carrier: Carrier,
    places: Vec<Option<Place>>,
    /// Virtual time of a unit of the budget.
    price: Picoseconds,
    /// Units of a byte of memory, times two to the power [`BYTE_SHIFT`].
    byte: u64,
    /// Millionths of the price that a unit costs, until the next look.
    rate: i64,
    /// Where the budget lies, as [`budget_at`] has it.
    budget: isize,
    /// The last budget, before anything was taken off.
    granted: i64,
    /// Whether anything was ever taken off.
    is_counted: bool,
    pub(crate) switches: u64,
    /// Called when a thread gives its turn away, and every [`LOOK`].
    pub(crate) before: fn(&mut Schedule),
    /// When `before` was last called.
    looked: Picoseconds,
    /// Detached threads that left and were not yet dismissed.
    left: Vec<Id>,
    /// Since when the running thread keeps its turn for the lock of a stream.
    kept: Option<Picoseconds>,
}

/// Invariant: only the thread whose pointer is `TURN` touches the runtime.
struct Shared(UnsafeCell<Option<Runtime>>);

// SAFETY: see the invariant; `TURN` goes from thread to thread with the turn.
unsafe impl Sync for Shared {}

static SHARED: Shared = Shared(UnsafeCell::new(None));

/// The thread pointer of the thread that has the turn; 0 while nothing is virtual.
pub(crate) static TURN: AtomicUsize = AtomicUsize::new(0);

/// Whether the caller is a thread that takes turns.
pub(crate) fn is_here() -> bool {
    TURN.load(Ordering::Relaxed) == thread_pointer()
}

/// The runtime, for a thread that has the turn. No reference may outlive a switch.
pub(crate) fn runtime() -> &'static mut Runtime {
    // SAFETY: `is_here` was asked, or the thread has just got the turn. Each use ends before the
    // next call of this function.
    match unsafe { &mut *SHARED.0.get() } {
        Some(runtime) => runtime,
        None => refuse("a thread asks for its turn before the start"),
    }
}

/// Makes the calling thread the first one, number 0. `budget` is the place of budgets.
pub(crate) fn begin(
    settings: Settings,
    price: Picoseconds,
    carrier: Carrier,
    budget: isize,
    before: fn(&mut Schedule),
) {
    let seat = Seat::new();
    seat.claim();
    let most = ttd_cores::schedule::MOST_THREADS;
    let mut places = vec![None; most];
    // SAFETY: asks for the caller's own handle.
    let handle = unsafe { libc::pthread_self() };
    places[0] = Some(Place { seat, handle, is_detached: false });
    let runtime = Runtime {
        schedule: Schedule::new(settings),
        carrier,
        places,
        price: price.max(1),
        byte: (BYTE << BYTE_SHIFT) / price.max(1) as u64,
        rate: PLAIN,
        budget,
        granted: 0,
        is_counted: false,
        switches: 0,
        before,
        looked: 0,
        left: Vec::with_capacity(most),
        kept: None,
    };
    // SAFETY: no thread has the turn yet, and this one is the only one.
    let shared = unsafe { &mut *SHARED.0.get() };
    shared.insert(runtime).resume();
    TURN.store(thread_pointer(), Ordering::Relaxed);
}

impl Runtime {
    fn budget(&self) -> *mut i64 {
        budget_at(self.budget, thread_pointer())
    }

    /// Books what the running thread used of its budget. It has no end until the thread resumes:
    /// this library may call a `malloc` of the program, which must not come here again.
    pub(crate) fn settle(&mut self) {
        // SAFETY: the budget is thread-local data of the caller.
        let left = unsafe { self.budget().replace(ENDLESS) };
        self.is_counted |= left != self.granted;
        let time = (self.granted - left) * self.price;
        self.granted = ENDLESS;
        self.schedule.charge(if self.rate == PLAIN {
            time
        } else {
            (i128::from(time) * i128::from(self.rate) / i128::from(PLAIN)) as Picoseconds
        });
    }

    /// Looks after the output, which is a call of the system, unless somebody did so just before.
    fn look(&mut self) {
        let now = self.schedule.now();
        if (now - self.looked).abs() >= LOOK {
            self.looked = now;
            (self.before)(&mut self.schedule);
        }
    }

    /// Whether the running thread keeps its turn: for a stream's lock, and less than [`HOLD`].
    fn keeps_turn(&mut self) -> bool {
        self.settle();
        let now = self.schedule.now();
        holds_a_stream() && now - *self.kept.get_or_insert(now) < HOLD
    }

    /// Gives the running thread a new budget.
    pub(crate) fn resume(&mut self) {
        self.rate = self.schedule.rate();
        let mut units = self.schedule.allowance() / self.price;
        if self.rate != PLAIN {
            units = (i128::from(units) * i128::from(PLAIN) / i128::from(self.rate)) as i64;
        }
        // Without a unit the next block comes here: a thread that is ahead gives its turn away.
        self.grant(units);
    }

    fn grant(&mut self, units: i64) {
        // SAFETY: as in `settle`.
        unsafe { self.budget().write(units) };
        self.granted = units;
    }

    fn place(&mut self, id: Id) -> &mut Place {
        self.places[id].as_mut().unwrap_or_else(|| refuse("a thread has no place"))
    }

    /// The thread with a handle, unless it was joined.
    pub(crate) fn find(&self, handle: libc::pthread_t) -> Option<Id> {
        let is_it = |place: &Option<Place>| place.is_some_and(|place| place.handle == handle);
        self.places.iter().position(is_it)
    }

    /// The key of waits for a thread's end.
    pub(crate) fn end_key(&mut self, id: Id) -> usize {
        &raw const *self.place(id).seat as usize
    }
}

/// Books the time until now and does something with the runtime; `None` for a thread without turns.
pub(crate) fn enter<T>(act: impl FnOnce(&mut Runtime) -> T) -> Option<T> {
    is_here().then(|| {
        let runtime = runtime();
        runtime.settle();
        // Each call gives a new budget, so that a thread may never use one up.
        runtime.look();
        let result = act(runtime);
        runtime.resume();
        result
    })
}

/// Books the time until now, asks who is next, and lets that thread run. Returns when the caller
/// has its turn again: true if a wait of its ended by the deadline.
pub(crate) fn pass(ask: impl FnOnce(&mut Schedule) -> Next) -> bool {
    static IS_SAID: AtomicBool = AtomicBool::new(false);
    runtime().looked = LONG_AGO;
    if holds_a_stream() && !IS_SAID.swap(true, Ordering::Relaxed) {
        // The words may be written by a `malloc` of the program.
        runtime().settle();
        let now = runtime().schedule.now() as f64 / 1e12;
        eprintln!(
            "ttd-cores: a thread waits with the lock of a stream, at {now:.6} s of virtual time: \
             whoever uses that stream then waits for ever"
        );
    }
    hand_over(ask)
}

/// The running thread yields, unless it holds the lock of a stream.
pub(crate) fn yield_now() {
    if runtime().keeps_turn() {
        runtime().resume();
    } else {
        pass(Schedule::yield_now);
    }
}

fn hand_over(ask: impl FnOnce(&mut Schedule) -> Next) -> bool {
    let (own, next, carrier) = departing(ask);
    if !std::ptr::eq(own, next) {
        own.go_to(next, carrier);
    }
    arrive()
}

/// The caller's seat, and that of the next thread, which has the turn from now on.
fn departing(ask: impl FnOnce(&mut Schedule) -> Next) -> (&'static Seat, &'static Seat, Carrier) {
    let runtime = runtime();
    runtime.settle();
    runtime.look();
    runtime.kept = None;
    let own = runtime.place(runtime.schedule.running()).seat;
    let next = match ask(&mut runtime.schedule) {
        Next::Thread(id) => runtime.place(id).seat,
        Next::Nobody => {
            (runtime.before)(&mut runtime.schedule);
            let now = runtime.schedule.now() as f64 / 1e12;
            refuse(&format!(
                "every thread waits for another one, at {now:.6} s of virtual time{Lacking}"
            ))
        }
    };
    runtime.switches += u64::from(!std::ptr::eq(own, next));
    TURN.store(next.thread_pointer(), Ordering::Relaxed);
    (own, next, runtime.carrier)
}

/// The caller has the turn.
pub(crate) fn arrive() -> bool {
    runtime().resume();
    while let Some(id) = runtime().left.pop() {
        dismiss(id);
    }
    runtime().schedule.timed_out()
}

/// A place for a new thread; `None` if there are too many.
pub(crate) fn seat_new(is_detached: bool) -> Option<(Id, &'static Seat, Carrier)> {
    enter(|runtime| {
        if !runtime.is_counted {
            refuse("the program does not count what it executes: build it with a hook (ttd-cores instrument)");
        }
        let id = runtime.schedule.spawn()?;
        let seat = Seat::new();
        runtime.places[id] = Some(Place { seat, handle: 0, is_detached });
        Some((id, seat, runtime.carrier))
    })
    .flatten()
}

/// The handle of a new thread.
pub(crate) fn name(id: Id, handle: libc::pthread_t) {
    enter(|runtime| runtime.place(id).handle = handle);
}

/// The thread of this seat ends. Returns when it is dismissed; the caller has no turn then.
pub(crate) fn leave() {
    let id = runtime().schedule.running();
    if runtime().place(id).is_detached {
        runtime().left.push(id);
    }
    let key = runtime().end_key(id);
    runtime().looked = LONG_AGO;
    let (own, next, carrier) = departing(|schedule| schedule.exit(key));
    own.leave_to(next, carrier);
}

/// Nobody will join a thread.
pub(crate) fn detach(id: Id) {
    runtime().place(id).is_detached = true;
    if runtime().schedule.is_done(id) {
        dismiss(id);
    }
}

/// Takes a thread out that is done. It ends while the caller has the turn, so that what the C
/// library frees then is freed at a known point.
pub(crate) fn dismiss(id: Id) -> *mut c_void {
    let place = *runtime().place(id);
    enter(|runtime| {
        runtime.schedule.remove_done(id);
        runtime.places[id] = None;
    });
    place.seat.dismiss();
    let mut result = std::ptr::null_mut();
    let join = real!(pthread_join: unsafe extern "C" fn(libc::pthread_t, *mut *mut c_void) -> i32);
    // SAFETY: the thread was made joinable and is joined once.
    unsafe { join(place.handle, &raw mut result) };
    result
}

/// The budget of the caller is used up. One that holds the lock of a stream keeps its turn a while:
/// others would wait for that outside virtual time. A thread without the turn gets one without end.
/// It leaves one that all share alone: another thread runs on that, except in a forked child.
pub(crate) fn spent(budget: isize) {
    let is_own = is_here() && runtime().budget == budget;
    if is_own && runtime().keeps_turn() {
        let units = STREAM / runtime().price + 1;
        runtime().grant(units);
    } else if is_own {
        hand_over(Schedule::turn);
    } else if budget != SHARED_BUDGET || TURN.load(Ordering::Relaxed) == 0 {
        // SAFETY: the budget is thread-local data of the caller, or nobody has the turn.
        unsafe { budget_at(budget, thread_pointer()).write(ENDLESS) };
    }
}

/// The program has a hook of its own, with a budget elsewhere.
pub(crate) fn adopt(budget: isize) {
    if is_here() {
        let runtime = runtime();
        runtime.settle();
        runtime.budget = budget;
        runtime.is_counted = true;
        runtime.resume();
    }
}

/// The virtual time of the calling thread.
pub(crate) fn now() -> Option<Picoseconds> {
    enter(|runtime| runtime.schedule.now())
}

/// Virtual time, as last booked; a word that changes while threads wait or count. For a handler.
pub(crate) fn standing() -> (Picoseconds, u64) {
    let runtime = runtime();
    let budget = budget_at(runtime.budget, TURN.load(Ordering::Relaxed));
    // SAFETY: the budget is thread-local data of a thread that lives.
    let left = unsafe { budget.read_volatile() };
    let now = runtime.schedule.now();
    (now, runtime.switches ^ left as u64 ^ (now as u64).rotate_left(32))
}

/// The calling thread goes over so many bytes of memory. Its next block looks at the budget.
pub(crate) fn goes_over(bytes: usize) {
    if is_here() {
        let units = (bytes as u64).saturating_mul(runtime().byte) >> BYTE_SHIFT;
        // SAFETY: the budget is thread-local data of the caller.
        unsafe { *runtime().budget() -= units as i64 };
    }
}

/// Time that the calling thread spends in the system.
pub(crate) fn charge(time: Picoseconds) {
    enter(|runtime| runtime.schedule.charge(time));
}
