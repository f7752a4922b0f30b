//! Threads of the program: made, joined, detached, ended. At the end stand C11's names of threads
//! and locks.
//!
//! A thread of the operating system is made for each, always joinable: a detached one is joined
//! here. A thread leaves in the last round of the destructors of thread-local data, so that those
//! of the program are done before.

use crate::carrier::{Carrier, LACKS_THREADS, Seat};
use crate::locks::{self, Condition, Mutex, replaced};
use crate::runtime::{self, is_here, real};
use crate::system::{self, MICROSECOND, picoseconds, sleep_for};
use libc::{c_int, c_void, pthread_attr_t, pthread_t, timespec};
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use ttd_cores::schedule::{Doing, MOST_THREADS};

type Body = extern "C-unwind" fn(*mut c_void) -> *mut c_void;
type Attributes = *const pthread_attr_t;

/// The rounds of destructors that the C library promises (`PTHREAD_DESTRUCTOR_ITERATIONS`).
const ROUNDS: u32 = 4;

/// Time of a call that makes a thread.
const CREATION: i64 = 10 * MICROSECOND;

/// The key whose destructor lets a thread leave.
static KEY: AtomicU32 = AtomicU32::new(0);

/// A new thread's work, and its seat.
struct Start {
    body: Body,
    argument: *mut c_void,
    seat: &'static Seat,
    carrier: Carrier,
    /// The rounds of destructors that are left.
    rounds: Cell<u32>,
}

/// Makes the key; before any thread is made.
pub(crate) fn prepare() {
    let mut key = 0;
    // SAFETY: the destructor takes what `begin` stores.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } != 0 {
        runtime::refuse("there is no key of thread-local data left");
    }
    KEY.store(key, Ordering::Relaxed);
}

/// The first steps of a thread. Its frame has nothing to drop: `pthread_exit` may unwind it.
extern "C-unwind" fn begin(start: *mut c_void) -> *mut c_void {
    // SAFETY: `pthread_create` below gave this thread a leaked `Start`, which `end` frees.
    let start: &Start = unsafe { &*start.cast() };
    let pointer: *const Start = start;
    // SAFETY: the key exists, and its value is a pointer.
    unsafe { libc::pthread_setspecific(KEY.load(Ordering::Relaxed), pointer.cast()) };
    start.seat.claim();
    start.seat.sit(start.carrier);
    runtime::arrive();
    (start.body)(start.argument)
}

/// The destructor: puts itself off to the last round, and leaves then.
unsafe extern "C" fn end(start: *mut c_void) {
    // SAFETY: the value that `begin` stored; nobody else frees it.
    let of = unsafe { &*start.cast::<Start>() };
    of.rounds.set(of.rounds.get() - 1);
    if of.rounds.get() > 0 {
        // SAFETY: as in `begin`.
        unsafe { libc::pthread_setspecific(KEY.load(Ordering::Relaxed), start) };
        return;
    }
    // SAFETY: made by `Box::into_raw`, and used no more.
    drop(unsafe { Box::from_raw(start.cast::<Start>()) });
    if is_here() {
        runtime::leave();
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    thread: *mut pthread_t,
    attributes: Attributes,
    body: Body,
    argument: *mut c_void,
) -> c_int {
    let create = real!(pthread_create: unsafe extern "C" fn(*mut pthread_t, Attributes, Body, *mut c_void) -> c_int);
    if !is_here() {
        // SAFETY: the caller's own arguments.
        return unsafe { create(thread, attributes, body, argument) };
    }
    runtime::charge(CREATION);
    // SAFETY: attributes are null or the caller's, and copied, since they are changed below.
    let mut own = (!attributes.is_null()).then(|| unsafe { attributes.read() });
    let is_detached = own.as_mut().is_some_and(made_joinable);
    let Some((id, seat, carrier)) = runtime::seat_new(is_detached) else { return too_many() };
    // Until it sits it can have no turn, and a `malloc` of the program must not end this one.
    runtime::runtime().settle();
    let start = Start { body, argument, seat, carrier, rounds: Cell::new(ROUNDS) };
    let own = own.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let mut handle = 0;
    let start = Box::into_raw(Box::new(start)).cast();
    // SAFETY: `begin` takes the start, and the attributes live until the thread is made.
    if unsafe { create(&raw mut handle, own, begin, start) } != 0 {
        runtime::refuse(&format!(
            "the system makes no thread beyond {id}: too many, or no memory for its stack"
        ));
    }
    seat.await_seated();
    runtime::name(id, handle);
    // SAFETY: the caller's own pointer.
    unsafe { thread.write(handle) };
    0
}

/// The answer where there are too many threads. It is said once.
fn too_many() -> c_int {
    if !LACKS_THREADS.swap(true, Ordering::Relaxed) {
        runtime::enter(|_| {
            eprintln!(
                "ttd-cores: the bound of {MOST_THREADS} threads at a time is reached: the program gets \
                 no further one (EAGAIN)"
            );
        });
    }
    libc::EAGAIN
}

/// Makes attributes those of a joinable thread; says whether they were of a detached one.
fn made_joinable(attributes: &mut pthread_attr_t) -> bool {
    let mut state = libc::PTHREAD_CREATE_JOINABLE;
    // SAFETY: initialised attributes of the caller.
    unsafe {
        pthread_attr_getdetachstate(attributes, &raw mut state);
        libc::pthread_attr_setdetachstate(attributes, libc::PTHREAD_CREATE_JOINABLE);
    }
    state != libc::PTHREAD_CREATE_JOINABLE
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(attributes: Attributes, state: *mut c_int) -> c_int;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_join(thread: pthread_t, result: *mut *mut c_void) -> c_int {
    if !is_here() {
        let join = real!(pthread_join: unsafe extern "C" fn(pthread_t, *mut *mut c_void) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { join(thread, result) };
    }
    let Some(id) = runtime::enter(|runtime| runtime.find(thread)).flatten() else {
        return libc::ESRCH;
    };
    let runtime = runtime::runtime;
    let key = runtime().end_key(id);
    while !runtime().schedule.is_done(id) {
        runtime::pass(|schedule| schedule.block(Doing::Join, key, None));
    }
    runtime::enter(|runtime| runtime.schedule.join(id));
    let value = runtime::dismiss(id);
    if !result.is_null() {
        // SAFETY: the caller's own pointer.
        unsafe { result.write(value) };
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_detach(thread: pthread_t) -> c_int {
    if !is_here() {
        let detach = real!(pthread_detach: unsafe extern "C" fn(pthread_t) -> c_int);
        // SAFETY: the caller's own argument.
        return unsafe { detach(thread) };
    }
    match runtime::enter(|runtime| runtime.find(thread)).flatten() {
        Some(id) => {
            runtime::detach(id);
            0
        }
        None => libc::ESRCH,
    }
}

/// The states of a `pthread_once_t`, in its own memory; 0 is its initialiser, and 2 is the C
/// library's own "done".
const RUNNING: u32 = 1;
const DONE: u32 = 2;

/// The end of a call of the body: "done", or the start if an exception ends it.
struct Once {
    control: *mut u32,
    left: u32,
}

impl Drop for Once {
    fn drop(&mut self) {
        // SAFETY: the caller's control block, which outlives the call.
        unsafe { self.control.write(self.left) };
        runtime::enter(|runtime| runtime.schedule.wake(self.control as usize, usize::MAX));
    }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_once(control: *mut u32, body: extern "C-unwind" fn()) -> c_int {
    if !is_here() {
        let once = real!(pthread_once: unsafe extern "C-unwind" fn(*mut u32, extern "C-unwind" fn()) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { once(control, body) };
    }
    // SAFETY: the caller's control block; only the thread that has the turn touches it.
    unsafe {
        while control.read() == RUNNING {
            runtime::pass(|schedule| schedule.block(Doing::Lock, control as usize, None));
        }
        if control.read() != DONE {
            control.write(RUNNING);
            let mut once = Once { control, left: 0 };
            body();
            once.left = DONE;
        }
    }
    0
}

/// The first thread cannot leave while others run: its stack may carry them.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn pthread_exit(value: *mut c_void) -> ! {
    if runtime::enter(|runtime| runtime.schedule.running()) == Some(0) {
        runtime::refuse("the program calls pthread_exit in its first thread: return from main");
    }
    let exit = real!(pthread_exit: unsafe extern "C-unwind" fn(*mut c_void) -> !);
    // SAFETY: the caller's own argument. No frame here has anything to drop.
    unsafe { exit(value) }
}

#[unsafe(no_mangle)]
extern "C" fn sched_yield() -> c_int {
    if is_here() {
        runtime::charge(system::CALL);
        runtime::yield_now();
    } else {
        // SAFETY: a call without arguments.
        unsafe { crate::processor::system_call(libc::SYS_sched_yield, [0; 6]) };
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_yield() -> c_int {
    sched_yield()
}

#[unsafe(no_mangle)]
extern "C" fn thrd_yield() {
    sched_yield();
}

/// A thread's work by C11, whose result is a number.
struct Work {
    body: unsafe extern "C-unwind" fn(*mut c_void) -> c_int,
    argument: *mut c_void,
}

extern "C-unwind" fn work(work: *mut c_void) -> *mut c_void {
    // SAFETY: `thrd_create` below leaked it for this thread.
    let Work { body, argument } = *unsafe { Box::from_raw(work.cast::<Work>()) };
    // SAFETY: the caller's own function and argument.
    unsafe { body(argument) as isize as *mut c_void }
}

/// A result of C11: success, busy, too late, or an error.
fn c11(result: c_int) -> c_int {
    match result {
        0 => 0,
        libc::EBUSY => 1,
        libc::ETIMEDOUT => 4,
        _ => 2,
    }
}

replaced! {
    fn thrd_create(thread: *mut pthread_t, body: unsafe extern "C-unwind" fn(*mut c_void) -> c_int, argument: *mut c_void) {
        let start = Box::into_raw(Box::new(Work { body, argument }));
        c11(pthread_create(thread, std::ptr::null(), work, start.cast()))
    }
    fn thrd_join(thread: pthread_t, result: *mut c_int) {
        let mut value = std::ptr::null_mut();
        let joined = pthread_join(thread, &raw mut value);
        if !result.is_null() && joined == 0 {
            result.write(value as c_int);
        }
        c11(joined)
    }
    fn thrd_detach(thread: pthread_t) { c11(pthread_detach(thread)) }
    fn thrd_sleep(time: *const timespec, rest: *mut timespec) { let _ = rest; sleep_for(picoseconds(*time)); 0 }
    fn mtx_init(mutex: *mut Mutex, kind: c_int) { mutex.write(Mutex::new(kind & 1 != 0)); 0 }
    fn mtx_lock(mutex: *mut Mutex) { c11(locks::pthread_mutex_lock(mutex)) }
    fn mtx_trylock(mutex: *mut Mutex) { c11(locks::pthread_mutex_trylock(mutex)) }
    fn mtx_timedlock(mutex: *mut Mutex, time: *const timespec) { c11(locks::pthread_mutex_timedlock(mutex, time)) }
    fn mtx_unlock(mutex: *mut Mutex) { c11(locks::pthread_mutex_unlock(mutex)) }
    fn cnd_init(condition: *mut Condition) { locks::pthread_cond_init(condition, std::ptr::null()) }
    fn cnd_wait(condition: *mut Condition, mutex: *mut Mutex) { c11(locks::pthread_cond_wait(condition, mutex)) }
    fn cnd_timedwait(condition: *mut Condition, mutex: *mut Mutex, time: *const timespec) {
        c11(locks::pthread_cond_timedwait(condition, mutex, time))
    }
    fn cnd_signal(condition: *mut Condition) { locks::pthread_cond_signal(condition) }
    fn cnd_broadcast(condition: *mut Condition) { locks::pthread_cond_broadcast(condition) }
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn call_once(control: *mut u32, body: extern "C-unwind" fn()) {
    // SAFETY: the caller's own arguments. C11's control block is that of `pthread_once`.
    unsafe { pthread_once(control, body) };
}

#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn thrd_exit(result: c_int) -> ! {
    // SAFETY: as `pthread_exit`.
    unsafe { pthread_exit(result as isize as *mut c_void) }
}
