//! Functions of the C library that read the standard input: each waits for a line first. Some that
//! would wait without giving the turn away are refused.

use crate::lines::await_line;
use crate::runtime::{self, is_here, real, refused};
use libc::{c_char, c_int, c_ulong, c_void, fd_set, pollfd, size_t, ssize_t, timeval};

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

/// Whether a question to the system is about the standard input. Rust's start asks without a kind.
fn polls_input(of: *const pollfd, count: c_ulong) -> bool {
    // SAFETY: the caller's own list.
    let asked = |at| unsafe { *of.add(at) };
    (0..count as usize).any(|at| asked(at).fd == 0 && asked(at).events & libc::POLLIN != 0)
}

/// Whether a set of files has the standard input, and the time to wait for it is not zero.
fn selects_input(set: *const fd_set, time: *const timeval) -> bool {
    // SAFETY: the caller's own set and time, each looked at if it is there.
    unsafe {
        let waits = time.is_null() || (*time).tv_sec != 0 || (*time).tv_usec != 0;
        waits && !set.is_null() && libc::FD_ISSET(0, set)
    }
}

/// Why a function is refused that would wait for input without giving the turn away.
const INPUT: &str =
    "on virtual cores the standard input is read by read, fgets, getline, fread, getc";

refused! {
    fn vscanf(format: *const c_char, of: *mut c_void) -> c_int where true => INPUT;
    fn vfscanf(file: *mut File, format: *const c_char, of: *mut c_void) -> c_int where is_stdin(file) => INPUT;
    fn readv(file: c_int, parts: *const c_void, count: c_int) -> ssize_t where file == 0 => INPUT;
    fn poll(of: *const pollfd, count: c_ulong, timeout: c_int) -> c_int
        where timeout != 0 && polls_input(of, count) => INPUT;
    fn select(most: c_int, read: *const fd_set, write: *mut fd_set, error: *mut fd_set, time: *const timeval) -> c_int
        where selects_input(read, time) => INPUT;
    fn fdopen(file: c_int, mode: *const c_char) -> *mut File where file == 0 => INPUT;
}

/// Defines `scanf` and its like. All arguments are pointers or numbers. They stay where they are.
macro_rules! scanning {
    ($($name:ident $asked:ident $file:expr;)*) => {$(
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name() {
            std::arch::naked_asm!(
                "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9", "push rax",
                "call {}", "mov r11, rax",
                "pop rax", "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi",
                "jmp r11", sym $asked)
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
