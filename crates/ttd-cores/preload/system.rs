//! Questions of the program to the system: the time, sleep, random bytes.
//!
//! The processor's counter of time traps where it can, and counts nanoseconds of virtual time.
//! Programs that this one starts get theirs back.

use crate::processor::{self, system_call};
use crate::runtime::{self, is_here, real};
use crate::signals;
use libc::{c_int, c_uint, c_void, clockid_t, size_t, ssize_t, timespec, timeval};
use std::sync::atomic::{AtomicU64, Ordering};
use ttd_cores::schedule::{Doing, Picoseconds, hash};

/// Virtual times in picoseconds.
const NANOSECOND: i64 = 1_000;
pub(crate) const MICROSECOND: i64 = 1_000 * NANOSECOND;
const SECOND: i64 = 1_000_000 * MICROSECOND;

/// Time of a call that goes to the system.
pub(crate) const CALL: i64 = 300 * NANOSECOND;

/// Time of a look at a clock.
const LOOK: i64 = 25 * NANOSECOND;

/// The wall clock at the start of a program, in seconds since 1970.
const EPOCH: i64 = 1_700_000_000;

/// A length of time.
pub(crate) fn picoseconds(time: timespec) -> Picoseconds {
    time.tv_sec.saturating_mul(SECOND).saturating_add(time.tv_nsec.saturating_mul(NANOSECOND))
}

fn is_wall(clock: clockid_t) -> bool {
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI)
}

/// A point in time of the program, on one of its clocks.
pub(crate) fn deadline(clock: clockid_t, time: *const timespec) -> Picoseconds {
    // SAFETY: a time of the program.
    let mut time = unsafe { time.read() };
    if is_wall(clock) {
        time.tv_sec = time.tv_sec.saturating_sub(EPOCH);
    }
    picoseconds(time)
}

/// Sleeps for a time.
pub(crate) fn sleep_for(length: Picoseconds) {
    sleep_until(|now| now.saturating_add(length));
}

fn sleep_until(ask: impl FnOnce(Picoseconds) -> Picoseconds) {
    runtime::charge(CALL);
    runtime::pass(|schedule| {
        let until = ask(schedule.now());
        schedule.block(Doing::Sleep, 0, Some(until))
    });
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nanosleep(time: *const timespec, rest: *mut timespec) -> c_int {
    if !is_here() {
        let real = real!(nanosleep: unsafe extern "C" fn(*const timespec, *mut timespec) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { real(time, rest) };
    }
    // SAFETY: the caller's own time.
    sleep_for(picoseconds(unsafe { time.read() }));
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(
    clock: clockid_t,
    flags: c_int,
    time: *const timespec,
    rest: *mut timespec,
) -> c_int {
    if !is_here() {
        let real = real!(clock_nanosleep: unsafe extern "C" fn(clockid_t, c_int, *const timespec, *mut timespec) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { real(clock, flags, time, rest) };
    }
    if flags & libc::TIMER_ABSTIME != 0 {
        sleep_until(|_| deadline(clock, time));
    } else {
        // SAFETY: the caller's own time.
        sleep_for(picoseconds(unsafe { time.read() }));
    }
    0
}

/// Sleeps for a time.
fn pause(tv_sec: i64, tv_nsec: i64) {
    let time = timespec { tv_sec, tv_nsec };
    // SAFETY: the time lives here.
    unsafe { nanosleep(&raw const time, std::ptr::null_mut()) };
}

#[unsafe(no_mangle)]
extern "C" fn usleep(micros: c_uint) -> c_int {
    pause(i64::from(micros / 1_000_000), i64::from(micros % 1_000_000) * 1_000);
    0
}

#[unsafe(no_mangle)]
extern "C" fn sleep(seconds: c_uint) -> c_uint {
    pause(i64::from(seconds), 0);
    0
}

#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn clock_gettime(clock: clockid_t, time: *mut timespec) -> c_int {
    runtime::charge(LOOK);
    let Some(now) = time_on(clock) else {
        let real = real!(clock_gettime: unsafe extern "C" fn(clockid_t, *mut timespec) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { real(clock, time) };
    };
    // SAFETY: the caller's own pointer.
    unsafe { time.write(now) };
    0
}

/// The time on a clock. Processor time is the busy time of one thread or of all.
fn time_on(clock: clockid_t) -> Option<timespec> {
    let time = runtime::enter(|runtime| match clock {
        libc::CLOCK_PROCESS_CPUTIME_ID => runtime.schedule.busy().0,
        libc::CLOCK_THREAD_CPUTIME_ID => runtime.schedule.busy().1,
        _ => runtime.schedule.now(),
    })?;
    let start = if is_wall(clock) { EPOCH } else { 0 };
    Some(timespec { tv_sec: start + time / SECOND, tv_nsec: time % SECOND / NANOSECOND })
}

/// The time on a clock: seconds and nanoseconds.
fn read_clock(clock: clockid_t) -> (i64, i64) {
    let mut now = timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time lives here.
    unsafe { clock_gettime(clock, &raw mut now) };
    (now.tv_sec, now.tv_nsec)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut timeval, _: *mut c_void) -> c_int {
    let (seconds, nanos) = read_clock(libc::CLOCK_REALTIME);
    // SAFETY: the caller's own pointer.
    unsafe { time.write(timeval { tv_sec: seconds, tv_usec: nanos / 1_000 }) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn time(result: *mut libc::time_t) -> libc::time_t {
    let (seconds, _) = read_clock(libc::CLOCK_REALTIME);
    if !result.is_null() {
        // SAFETY: the caller's own pointer.
        unsafe { result.write(seconds) };
    }
    seconds
}

/// The processor time of a program, in microseconds.
#[unsafe(no_mangle)]
extern "C" fn clock() -> libc::clock_t {
    let (seconds, nanos) = read_clock(libc::CLOCK_PROCESS_CPUTIME_ID);
    seconds * 1_000_000 + nanos / 1_000
}

/// Defines functions that ask for the time or for random words.
macro_rules! asked {
    ($(fn $name:ident($($of:ident: $kind:ty),*) -> $result:ty $body:block)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            if !is_here() {
                let real = real!($name: unsafe extern "C" fn($($kind),*) -> $result);
                // SAFETY: the caller's own arguments.
                return unsafe { real($($of),*) };
            }
            // SAFETY: the caller's own pointers.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }
    )*};
}

asked! {
    fn timespec_get(time: *mut timespec, base: c_int) -> c_int {
        if base != 1 {
            return 0;
        }
        clock_gettime(libc::CLOCK_REALTIME, time);
        base
    }
    fn getrusage(who: c_int, usage: *mut libc::rusage) -> c_int {
        let clock = match who {
            libc::RUSAGE_SELF => Some(libc::CLOCK_PROCESS_CPUTIME_ID),
            libc::RUSAGE_THREAD => Some(libc::CLOCK_THREAD_CPUTIME_ID),
            _ => None,
        };
        let (tv_sec, nanos) = clock.map_or((0, 0), read_clock);
        usage.write(std::mem::zeroed());
        (*usage).ru_utime = timeval { tv_sec, tv_usec: nanos / 1_000 };
        0
    }
    fn times(of: *mut libc::tms) -> libc::clock_t {
        let ticks = |(seconds, nanos): (i64, i64)| seconds * 100 + nanos / 10_000_000;
        if !of.is_null() {
            of.write(std::mem::zeroed());
            (*of).tms_utime = ticks(read_clock(libc::CLOCK_PROCESS_CPUTIME_ID));
        }
        ticks(read_clock(libc::CLOCK_MONOTONIC))
    }
    fn getentropy(buffer: *mut u8, size: size_t) -> c_int { getrandom(buffer, size, 0); 0 }
    fn arc4random_buf(buffer: *mut u8, size: size_t) -> () { getrandom(buffer, size, 0); }
    fn arc4random() -> u32 { random_word() }
    fn arc4random_uniform(below: u32) -> u32 {
        ((u64::from(random_word()) * u64::from(below)) >> 32) as u32
    }
    // `std::random_device::_M_getval` of libstdc++, which asks the processor.
    fn _ZNSt13random_device9_M_getvalEv(device: *mut c_void) -> u32 { let _ = device; random_word() }
}

fn random_word() -> u32 {
    let mut word = 0u32;
    // SAFETY: the word lives here.
    unsafe { getrandom((&raw mut word).cast(), 4, 0) };
    word
}

/// The source of random bytes. Only the thread that has the turn touches it.
static SEED: AtomicU64 = AtomicU64::new(0);

/// The seed of random bytes, and the trap of the counter; before the first thread is made. An
/// emulated counter cannot trap.
pub(crate) fn prepare(seed: u64, is_emulated: bool) {
    SEED.store(seed, Ordering::Relaxed);
    // SAFETY: the handler takes nothing.
    unsafe { libc::pthread_atfork(None, None, Some(released)) };
    if is_emulated || !processor::COUNTER_TRAPS {
        return;
    }
    let flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    signals::keep(libc::SIGSEGV, trapped as *const () as usize, flags);
    if !let_counter(TRAPS) {
        signals::let_go(libc::SIGSEGV);
    }
}

/// Random bytes that are the same in every run of a seed.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn getrandom(buffer: *mut u8, size: size_t, flags: c_uint) -> ssize_t {
    if !is_here() {
        let real = real!(getrandom: unsafe extern "C" fn(*mut u8, size_t, c_uint) -> ssize_t);
        // SAFETY: the caller's own arguments.
        return unsafe { real(buffer, size, flags) };
    }
    let mut word = SEED.load(Ordering::Relaxed);
    for at in 0..size {
        word = hash(word);
        // SAFETY: the caller's own buffer.
        unsafe { buffer.add(at).write(word as u8) };
    }
    SEED.store(word, Ordering::Relaxed);
    size as ssize_t
}

/// Values for `let_counter`: `PR_TSC_ENABLE`, `PR_TSC_SIGSEGV`.
const RUNS: usize = 1;
const TRAPS: usize = 2;

/// Lets the counter of the calling thread, and of threads it makes, run or trap.
fn let_counter(how: usize) -> bool {
    let set = libc::PR_SET_TSC as usize;
    // SAFETY: the kernel takes two numbers.
    unsafe { system_call(libc::SYS_prctl, [set, how, 0, 0, 0, 0]) == 0 }
}

/// Starts another program, whose counter runs.
pub(crate) fn released_in<T>(start: impl FnOnce() -> T) -> T {
    let is_trapped = signals::keeps(libc::SIGSEGV) && let_counter(RUNS);
    let result = start();
    if is_trapped {
        let_counter(TRAPS);
    }
    result
}

/// A forked child has no virtual cores.
extern "C" fn released() {
    let_counter(RUNS);
    runtime::TURN.store(0, Ordering::Relaxed);
}

/// The counter itself.
fn counter() -> u64 {
    let_counter(RUNS);
    let count = processor::counter();
    let_counter(TRAPS);
    count
}

/// Whether an address is code that the kernel lends, which reads the counter for real clocks.
fn is_kernels(at: usize) -> bool {
    // SAFETY: reads a number that the kernel gave.
    let start = unsafe { libc::getauxval(libc::AT_SYSINFO_EHDR) } as usize;
    at.wrapping_sub(start) < 4 * 4096
}

/// The virtual time of the calling thread, which takes so much; in a handler of a signal, where
/// nobody looks after the output.
fn glance(time: Picoseconds) -> Option<Picoseconds> {
    is_here().then(|| {
        let runtime = runtime::runtime();
        runtime.settle();
        runtime.schedule.charge(time);
        runtime.resume();
        runtime.schedule.now()
    })
}

/// The handler of `SIGSEGV`: counts if the processor stands at a read of the counter.
unsafe extern "C" fn trapped(
    _: c_int,
    info: *const libc::siginfo_t,
    context: *mut libc::ucontext_t,
) {
    /// The kernel itself sent the signal (`SI_KERNEL`), without an address.
    const BY_KERNEL: c_int = 0x80;
    // SAFETY: what the kernel gave. It sends the signal so only if the instruction could be read.
    unsafe {
        let count = |at| {
            let virtual_time = if is_kernels(at) { None } else { glance(LOOK) };
            virtual_time.map_or_else(counter, |now| (now / NANOSECOND) as u64)
        };
        if (*info).si_code != BY_KERNEL || !processor::answer_counter(context, count) {
            // The instruction comes again, and meets what the program wants.
            signals::give_back(libc::SIGSEGV);
        }
    }
}
