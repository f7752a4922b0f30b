//! Questions of the program to the system: the time, sleep; its lines, in and out.
//!
//! Input comes line by line, and only when every thread waits: no line overtakes the answer to the
//! one before. The program's standard input is replaced by a pipe that holds one line at most.
//! Whoever is about to read from an empty pipe waits for that first.
//!
//! If asked to, output is stamped with virtual time. A pipe takes the standard output, and is
//! emptied when its writer gives the turn away. Each line gets `@` and picoseconds before it. Each
//! line of input is repeated so, with `>` behind the time.

use crate::carrier::system_call;
use crate::runtime::{self, is_here, real};
use libc::{c_char, c_int, c_uint, c_void, clockid_t, size_t, ssize_t, timespec, timeval};
use std::cell::UnsafeCell;
use ttd_cores::schedule::{Picoseconds, Schedule};

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

/// The numbers of what a program has from outside, but for its time.
struct Outside {
    /// Where the program's input really comes from.
    source: c_int,
    /// The end of the pipe that is written.
    sink: c_int,
    /// Bytes that were read and not yet handed out.
    rest: Vec<u8>,
    /// Where the output goes to, if it is stamped, and the end of the pipe that is read.
    output: Option<(c_int, c_int)>,
    /// Bytes of a line of output that is not at its end.
    begun: Vec<u8>,
}

/// Invariant: written before the first thread is made; later only the thread that has the turn
/// touches it.
struct Shared(UnsafeCell<Option<Outside>>);

// SAFETY: see the invariant.
unsafe impl Sync for Shared {}

static OUTSIDE: Shared = Shared(UnsafeCell::new(None));

fn outside() -> Option<&'static mut Outside> {
    if !is_here() {
        return None;
    }
    // SAFETY: the caller has the turn, and no reference outlives a call below.
    unsafe { (*OUTSIDE.0.get()).as_mut() }
}

/// Replaces the standard input by a pipe of lines, and the output by one too if it is stamped.
pub(crate) fn prepare(is_stamped: bool) {
    let (source, sink) = piped(0);
    let output = is_stamped.then(|| piped(1));
    let of = Outside { source, sink, rest: Vec::new(), output, begun: Vec::new() };
    // SAFETY: no thread was made yet.
    unsafe { *OUTSIDE.0.get() = Some(of) };
}

/// Replaces a standard file of the program by a pipe of a mebibyte: where the file led to, and the
/// other end of the pipe.
fn piped(file: c_int) -> (c_int, c_int) {
    let mut ends = [0; 2];
    let (own, other) = if file == 0 { (0, 1) } else { (1, 0) };
    // SAFETY: plain calls. Our files lie beyond those of a program.
    unsafe {
        let before = libc::fcntl(file, libc::F_DUPFD_CLOEXEC, 200);
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            runtime::refuse("there is no pipe for the input or the output");
        }
        libc::fcntl(ends[1], libc::F_SETPIPE_SZ, 1 << 20);
        let kept = libc::fcntl(ends[other], libc::F_DUPFD_CLOEXEC, 200);
        libc::dup2(ends[own], file);
        libc::close(ends[0]);
        libc::close(ends[1]);
        (before, kept)
    }
}

/// How many bytes a pipe holds.
fn held(pipe: c_int) -> usize {
    let mut held: c_int = 0;
    // SAFETY: the kernel writes a number.
    unsafe { libc::ioctl(pipe, libc::FIONREAD, &raw mut held) };
    held as usize
}

/// Stamps the output of a thread that gives its turn away.
pub(crate) fn stamp(now: Picoseconds) {
    // SAFETY: the caller has the turn.
    let Some(of) = (unsafe { (*OUTSIDE.0.get()).as_mut() }) else { return };
    let Some((sink, pipe)) = of.output else { return };
    let count = held(pipe);
    if count == 0 {
        return;
    }
    let start = of.begun.len();
    of.begun.resize(start + count, 0);
    let rest = of.begun[start..].as_mut_ptr();
    // SAFETY: the buffer has room for what the pipe holds.
    unsafe { system_call(libc::SYS_read, [pipe as usize, rest as usize, count, 0, 0, 0]) };
    while let Some(end) = of.begun.iter().position(|&byte| byte == b'\n') {
        let line: Vec<u8> = of.begun.drain(..=end).collect();
        write_all(sink, format!("@{now} ").as_bytes(), &line);
    }
}

/// Writes two pieces to a file.
fn write_all(file: c_int, head: &[u8], line: &[u8]) {
    let all = [head, line].concat();
    let mut rest = all.as_slice();
    while !rest.is_empty() {
        let write = [file as usize, rest.as_ptr() as usize, rest.len(), 0, 0, 0];
        // SAFETY: the bytes live here.
        match unsafe { system_call(libc::SYS_write, write) } {
            written @ 1.. => rest = &rest[written as usize..],
            _ => return,
        }
    }
}

/// Waits until the pipe holds something or is closed; for a thread that is about to read it.
fn await_line() {
    let Some(of) = outside() else { return };
    if held(0) == 0 && of.sink >= 0 {
        runtime::pass(Schedule::external_wait);
        let now = runtime::now();
        if let Some(of) = outside() {
            feed(of, now);
        }
    }
}

/// Moves a line from the source to the pipe, or closes the pipe at its end.
fn feed(of: &mut Outside, now: Option<Picoseconds>) {
    let mut buffer = [0u8; 4096];
    let length = loop {
        if let Some(end) = of.rest.iter().position(|&byte| byte == b'\n') {
            break end + 1;
        }
        let read = [of.source as usize, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0, 0];
        // SAFETY: the buffer lives here.
        let count = unsafe { system_call(libc::SYS_read, read) };
        if [libc::EINTR, libc::EAGAIN].contains(&(-count as c_int)) {
            await_source(of.source);
            continue;
        }
        if count <= 0 {
            break of.rest.len();
        }
        of.rest.extend_from_slice(&buffer[..count as usize]);
    };
    let is_over = !of.rest[..length].ends_with(b"\n");
    if let (Some((output, _)), Some(now)) = (of.output.filter(|_| length > 0), now) {
        let line = of.rest[..length].trim_ascii_end();
        write_all(output, format!("@{now}> ").as_bytes(), &[line, b"\n"].concat());
    }
    write_all(of.sink, &[], &of.rest[..length]);
    if is_over {
        // SAFETY: a file of this library.
        unsafe { libc::close(of.sink) };
        of.sink = -1;
    }
    of.rest.drain(..length);
}

/// Waits until a file can be read that does not wait by itself.
fn await_source(fd: c_int) {
    let mut asked = libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let without_end = -1isize as usize;
    // SAFETY: the question lives here.
    unsafe { system_call(libc::SYS_poll, [&raw mut asked as usize, 1, without_end, 0, 0, 0]) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn read(file: c_int, buffer: *mut c_void, size: size_t) -> ssize_t {
    if file == 0 {
        await_line();
    }
    let read = real!(read: unsafe extern "C" fn(c_int, *mut c_void, size_t) -> ssize_t);
    // SAFETY: the caller's own arguments.
    unsafe { read(file, buffer, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __read_chk(
    file: c_int,
    to: *mut c_void,
    size: size_t,
    room: size_t,
) -> ssize_t {
    if size > room {
        runtime::refuse("the program reads more than its buffer holds");
    }
    // SAFETY: the caller's own arguments.
    unsafe { read(file, to, size) }
}

/// The head of the C library's `FILE`: what is read and not yet handed out lies between the two.
#[repr(C)]
pub(crate) struct File {
    flags: c_int,
    next: *const c_char,
    end: *const c_char,
}

unsafe extern "C" {
    pub(crate) static stdin: *mut File;
}

/// Waits for a line if a function of `<stdio.h>` is about to read the standard input.
unsafe fn await_line_of(file: *mut File) {
    // SAFETY: a file of the caller.
    unsafe {
        if is_here() && file == stdin && (*file).next >= (*file).end {
            await_line();
        }
    }
}

/// Defines functions of `<stdio.h>` that read a file.
macro_rules! reading {
    ($(fn $name:ident($($of:ident: $kind:ty),*) of $file:expr => $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> $result);
            // SAFETY: the caller's own arguments.
            unsafe {
                await_line_of($file);
                real($($of),*)
            }
        }
    )*};
}

reading! {
    fn getc(file: *mut File) of file => c_int;
    fn fgetc(file: *mut File) of file => c_int;
    fn _IO_getc(file: *mut File) of file => c_int;
    fn fgetc_unlocked(file: *mut File) of file => c_int;
    fn getc_unlocked(file: *mut File) of file => c_int;
    fn __uflow(file: *mut File) of file => c_int;
    fn getchar() of stdin => c_int;
    fn getchar_unlocked() of stdin => c_int;
    fn fgets(to: *mut c_char, size: c_int, file: *mut File) of file => *mut c_char;
    fn fgets_unlocked(to: *mut c_char, size: c_int, file: *mut File) of file => *mut c_char;
    fn __fgets_chk(to: *mut c_char, room: size_t, size: c_int, file: *mut File) of file => *mut c_char;
    fn fread_unlocked(to: *mut c_void, size: size_t, count: size_t, file: *mut File) of file => size_t;
    fn __fread_chk(to: *mut c_void, room: size_t, size: size_t, count: size_t, file: *mut File) of file => size_t;
    fn fread(to: *mut c_void, size: size_t, count: size_t, file: *mut File) of file => size_t;
    fn getline(line: *mut *mut c_char, size: *mut size_t, file: *mut File) of file => ssize_t;
    fn getdelim(line: *mut *mut c_char, size: *mut size_t, end: c_int, file: *mut File) of file => ssize_t;
    fn __getdelim(line: *mut *mut c_char, size: *mut size_t, end: c_int, file: *mut File) of file => ssize_t;
}
