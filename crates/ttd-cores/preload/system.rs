//! Questions of the program to the system: the time, sleep, random bytes.

use crate::runtime::{self, is_here, real};
use libc::{c_int, c_uint, c_void, clockid_t, size_t, ssize_t, timespec, timeval};
use std::sync::atomic::{AtomicU64, Ordering};
use ttd_cores::schedule::{Picoseconds, hash};

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

fn sleep_until(ask: impl FnOnce(Picoseconds) -> Picoseconds) {
    runtime::charge(CALL);
    runtime::pass(|schedule| {
        let until = ask(schedule.now());
        schedule.block(0, Some(until))
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
    let length = picoseconds(unsafe { time.read() });
    sleep_until(|now| now.saturating_add(length));
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
        let length = picoseconds(unsafe { time.read() });
        sleep_until(|now| now.saturating_add(length));
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
    let Some(now) = runtime::now() else {
        let real = real!(clock_gettime: unsafe extern "C" fn(clockid_t, *mut timespec) -> c_int);
        // SAFETY: the caller's own arguments.
        return unsafe { real(clock, time) };
    };
    let start = if is_wall(clock) { EPOCH } else { 0 };
    let now = timespec { tv_sec: start + now / SECOND, tv_nsec: now % SECOND / NANOSECOND };
    // SAFETY: the caller's own pointer.
    unsafe { time.write(now) };
    0
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

/// The processor time of a program: its virtual time, in microseconds.
#[unsafe(no_mangle)]
extern "C" fn clock() -> libc::clock_t {
    let (seconds, nanos) = read_clock(libc::CLOCK_PROCESS_CPUTIME_ID);
    seconds * 1_000_000 + nanos / 1_000
}

/// The source of random bytes. Only the thread that has the turn touches it.
static SEED: AtomicU64 = AtomicU64::new(0);

/// The seed of random bytes; before the first thread is made.
pub(crate) fn prepare(seed: u64) {
    SEED.store(seed, Ordering::Relaxed);
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
