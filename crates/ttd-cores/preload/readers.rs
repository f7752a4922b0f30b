//! Functions of the C library that read the standard input: each waits for a line first. Some that
//! would wait without giving the turn away are refused.

use crate::lines::{self, await_line};
use crate::processor::goes_where_told;
use crate::runtime::{self, is_here, real};
use crate::system::{CALL, MICROSECOND, picoseconds, sleep_for};
use libc::{c_char, c_int, c_ulong, c_void, fd_set, pollfd, size_t, ssize_t, timespec, timeval};
use ttd_cores::schedule::{Doing, Picoseconds};

#[unsafe(no_mangle)]
unsafe extern "C" fn read(file: c_int, buffer: *mut c_void, size: size_t) -> ssize_t {
    if file == 0 {
        await_line(None);
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

/// Defines functions that end a program on virtual cores if it calls them so, with the reason.
macro_rules! refused {
    ($(fn $name:ident($($of:ident: $kind:ty),*) -> $result:ty where $when:expr => $why:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            if $crate::runtime::is_here() && $when {
                $crate::runtime::refuse(&format!("the program calls {}: {}", stringify!($name), $why));
            }
            let real = $crate::runtime::real!($name: unsafe extern "C" fn($($kind),*) -> $result);
            // SAFETY: the caller's own arguments.
            unsafe { real($($of),*) }
        }
    )*};
}
pub(crate) use refused;

/// The head of the C library's `FILE`: what is read and not yet handed out lies between the two.
#[repr(C)]
pub(crate) struct File {
    flags: c_int,
    next: *const c_char,
    end: *const c_char,
}

unsafe extern "C" {
    static mut stdin: *mut File;
}

/// Waits for a line if a function of `<stdio.h>` is about to read the standard input.
unsafe fn await_line_of(file: *mut File) {
    // SAFETY: a file of the caller.
    unsafe {
        if is_here() && file == stdin && (*file).next >= (*file).end {
            await_line(None);
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

/// Whether a file is the standard input of the C library.
fn is_stdin(file: *mut File) -> bool {
    // SAFETY: a variable of the C library.
    file == unsafe { stdin }
}

/// Waits for a line for a time, or without end.
fn wait(time: Option<Picoseconds>) {
    runtime::charge(CALL);
    match time {
        Some(..=0) => lines::look(),
        Some(time) => {
            await_line(runtime::now().map(|now| now.saturating_add(time)));
        }
        None => {
            await_line(None);
        }
    }
}

/// A question to the system about files, as far as it is about the standard input.
struct Question {
    asks_input: bool,
    asks_others: bool,
    /// How long it waits, if it does not wait without end.
    time: Option<Picoseconds>,
}

impl Question {
    /// Waits as the question does, if it is about the input or about nothing. So the real question
    /// can be asked without a wait: true then.
    fn waits(&self, name: &str) -> bool {
        if !is_here() {
            return false;
        }
        if self.asks_others && self.time.is_none_or(|time| time > 0) {
            runtime::refuse(&format!(
                "the program calls {name}: virtual cores wait for the input, and for no other file"
            ));
        }
        match self.time {
            time if self.asks_input => wait(time),
            Some(time) => sleep_for(time),
            None => {
                runtime::pass(|schedule| schedule.block(Doing::Sleep, 0, None));
            }
        }
        true
    }
}

/// A question by a list of files. Rust's start asks without a kind.
fn listed(of: *const pollfd, count: c_ulong, time: Option<Picoseconds>) -> Question {
    let files = count as usize;
    // SAFETY: the caller's own list.
    let asked = |at| unsafe { *of.add(at) };
    let is_input = |at| asked(at).fd == 0 && asked(at).events & libc::POLLIN != 0;
    let asks_input = (0..files).any(is_input);
    Question { asks_input, asks_others: (0..files).any(|at| !is_input(at)), time }
}

/// A question by sets of files, each null or a set.
fn in_sets(most: c_int, sets: [*const fd_set; 3], time: Option<Picoseconds>) -> Question {
    // SAFETY: the caller's own sets.
    let has = |set: usize, file| unsafe { !sets[set].is_null() && libc::FD_ISSET(file, sets[set]) };
    let asks_input = most > 0 && has(0, 0);
    // A set has no more.
    let most = most.min(libc::FD_SETSIZE as c_int);
    let other = |file: c_int| (0..3).any(|set| (file, set) != (0, 0) && has(set, file));
    Question { asks_input, asks_others: (0..most).any(other), time }
}

/// Milliseconds of a question; below zero without end.
fn millis(time: c_int) -> Option<Picoseconds> {
    (time >= 0).then(|| i64::from(time) * 1_000 * MICROSECOND)
}

fn length(time: *const timespec) -> Option<Picoseconds> {
    // SAFETY: the caller's own time, if there is one.
    unsafe { time.as_ref().map(|time| picoseconds(*time)) }
}

/// Defines functions that wait for files.
macro_rules! asking {
    ($(fn $name:ident($($of:ident: $kind:ty),*) as $question:expr => $now:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> c_int {
            let question: Question = $question;
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> c_int);
            // SAFETY: the caller's own arguments.
            unsafe {
                if question.waits(stringify!($name)) { $now } else { real($($of),*) }
            }
        }
    )*};
}

asking! {
    fn poll(of: *mut pollfd, count: c_ulong, time: c_int) as listed(of, count, millis(time)) => poll_now(of, count);
    fn __poll_chk(of: *mut pollfd, count: c_ulong, time: c_int, size: size_t) as listed(of, count, millis(time))
        => poll_now(of, count);
    fn ppoll(of: *mut pollfd, count: c_ulong, time: *const timespec, mask: *const c_void)
        as listed(of, count, length(time)) => poll_now(of, count);
    fn select(most: c_int, read: *mut fd_set, write: *mut fd_set, error: *mut fd_set, time: *mut timeval)
        as in_sets(most, [read, write, error], of_timeval(time)) => select_now(most, read, write, error);
    fn pselect(most: c_int, read: *mut fd_set, write: *mut fd_set, error: *mut fd_set, time: *const timespec,
        mask: *const c_void) as in_sets(most, [read, write, error], length(time)) => select_now(most, read, write, error);
}

fn of_timeval(time: *const timeval) -> Option<Picoseconds> {
    // SAFETY: the caller's own time, if there is one.
    unsafe { time.as_ref() }.map(|time| {
        let seconds = picoseconds(timespec { tv_sec: time.tv_sec, tv_nsec: 0 });
        seconds.saturating_add(time.tv_usec.saturating_mul(MICROSECOND))
    })
}

unsafe fn poll_now(of: *mut pollfd, count: c_ulong) -> c_int {
    let real = real!(poll: unsafe extern "C" fn(*mut pollfd, c_ulong, c_int) -> c_int);
    // SAFETY: the caller's own list.
    unsafe { real(of, count, 0) }
}

unsafe fn select_now(
    most: c_int,
    read: *mut fd_set,
    write: *mut fd_set,
    error: *mut fd_set,
) -> c_int {
    let mut none = timeval { tv_sec: 0, tv_usec: 0 };
    let real = real!(select: unsafe extern "C" fn(c_int, *mut fd_set, *mut fd_set, *mut fd_set, *mut timeval) -> c_int);
    // SAFETY: the caller's own sets.
    unsafe { real(most, read, write, error, &raw mut none) }
}

/// Why a function is refused that would wait for input without giving the turn away.
const INPUT: &str =
    "on virtual cores the standard input is read by read, fgets, getline, fread, getc";

refused! {
    fn vscanf(format: *const c_char, of: *mut c_void) -> c_int where true => INPUT;
    fn vfscanf(file: *mut File, format: *const c_char, of: *mut c_void) -> c_int where is_stdin(file) => INPUT;
    fn readv(file: c_int, parts: *const c_void, count: c_int) -> ssize_t where file == 0 => INPUT;
    fn epoll_ctl(epoll: c_int, what: c_int, file: c_int, event: *mut c_void) -> c_int where file == 0 => INPUT;
    fn fdopen(file: c_int, mode: *const c_char) -> *mut File where file == 0 => INPUT;
}

/// Defines `scanf` and its like.
macro_rules! scanning {
    ($($name:ident $asked:ident $file:expr;)*) => {$(
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name() {
            goes_where_told!($asked)
        }

        /// The real function, unless the standard input is to be read.
        unsafe extern "C" fn $asked(first: *mut File) -> usize {
            let file: fn(*mut File) -> *mut File = $file;
            if is_here() && is_stdin(file(first)) {
                runtime::refuse(&format!("the program calls {}: {INPUT}", stringify!($name)));
            }
            real!($name: unsafe extern "C" fn()) as usize
        }
    )*};
}

scanning! {
    scanf asked_scanf |_| unsafe { stdin };
    __isoc99_scanf asked_c99_scanf |_| unsafe { stdin };
    __isoc23_scanf asked_c23_scanf |_| unsafe { stdin };
    fscanf asked_fscanf |file| file;
    __isoc99_fscanf asked_c99_fscanf |file| file;
    __isoc23_fscanf asked_c23_fscanf |file| file;
}
