//! The host, as far as a program has to do with it: processors, files that tell of them, and the
//! limit of its time.
//!
//! A program sees the processors of `--seen`. The usual files that tell of the host's do not exist
//! for it: engines bind threads by them, and results would depend on the host.

use crate::carrier::{Lacking, failed};
use crate::processor::{aligned, system_call};
use crate::runtime::{self, is_here, real};
use libc::{c_char, c_int, c_long, c_uint, c_void, pthread_t, size_t};
use std::ffi::CStr;
use std::fmt::Write as _;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of processors that the program sees.
static PROCESSORS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of processors that the program sees; before any thread is made.
pub(crate) fn prepare(processors: usize) {
    PROCESSORS.store(processors, Ordering::Relaxed);
}

/// Defines functions that ask for processors.
macro_rules! counted {
    ($(fn $name:ident($($of:ident: $kind:ty),*) -> $result:ty where $when:expr => $answer:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            if is_here() && $when {
                return $answer;
            }
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> $result);
            // SAFETY: the caller's own arguments.
            unsafe { real($($of),*) }
        }
    )*};
}

counted! {
    fn sysconf(name: c_int) -> c_long
        where [libc::_SC_NPROCESSORS_ONLN, libc::_SC_NPROCESSORS_CONF].contains(&name) => seen().into();
    fn get_nprocs() -> c_int where true => seen();
    fn get_nprocs_conf() -> c_int where true => seen();
    fn sched_getcpu() -> c_int where true => own();
    fn sched_getaffinity(process: libc::pid_t, size: size_t, set: *mut u8) -> c_int
        where true => if fill(size, set) == 0 { 0 } else { failed(libc::EINVAL) };
    fn getcpu(processor: *mut c_uint, node: *mut c_uint) -> c_int where true => place(processor, node);
    fn pthread_getaffinity_np(thread: pthread_t, size: size_t, set: *mut u8) -> c_int where true => fill(size, set);
    // On virtual cores these bind nothing.
    fn sched_setaffinity(process: libc::pid_t, size: size_t, set: *const c_void) -> c_int where true => 0;
    fn pthread_setaffinity_np(thread: pthread_t, size: size_t, set: *const c_void) -> c_int where true => 0;
}

fn seen() -> c_int {
    PROCESSORS.load(Ordering::Relaxed) as c_int
}

/// The processor of the calling thread: its number, as far as the program sees so many.
fn own() -> c_int {
    let id = runtime::enter(|runtime| runtime.schedule.running()).unwrap_or(0);
    (id % PROCESSORS.load(Ordering::Relaxed).max(1)) as c_int
}

/// Fills a set of the caller's with the processors that the program sees. Returns an error, as the
/// system does, if the set has no room for them.
fn fill(size: size_t, set: *mut u8) -> c_int {
    if 8 * size < PROCESSORS.load(Ordering::Relaxed) {
        return libc::EINVAL;
    }
    for byte in 0..size {
        let bits = PROCESSORS.load(Ordering::Relaxed).saturating_sub(8 * byte).min(8);
        // SAFETY: the caller's own set.
        unsafe { set.add(byte).write(((1u32 << bits) - 1) as u8) };
    }
    0
}

/// The system's own `sched_getaffinity`, which tells how many bytes it has filled.
pub(crate) fn affinity(size: size_t, set: *mut u8) -> c_long {
    let words = PROCESSORS.load(Ordering::Relaxed).div_ceil(64);
    let size = size.min(8 * words);
    if fill(size, set) == 0 { size as c_long } else { failed(libc::EINVAL).into() }
}

/// Tells the processor of the calling thread; all are of one node.
pub(crate) fn place(processor: *mut c_uint, node: *mut c_uint) -> c_int {
    for (to, number) in [(processor, own() as c_uint), (node, 0)] {
        if !to.is_null() {
            // SAFETY: the caller's own word.
            unsafe { to.write(number) };
        }
    }
    0
}

/// Files and directories that tell of the host's processors, by the parts of their names.
const UNSEEN: [&[&[u8]]; 12] = [
    &[b"sys", b"devices", b"system", b"node"],
    &[b"sys", b"devices", b"system", b"cpu"],
    &[b"sys", b"bus", b"node"],
    &[b"sys", b"bus", b"cpu"],
    &[b"sys", b"fs", b"cgroup"],
    &[b"proc", b"self", b"cgroup"],
    &[b"proc", b"self", b"status"],
    &[b"proc", b"thread-self", b"cgroup"],
    &[b"proc", b"thread-self", b"status"],
    &[b"proc", b"cpuinfo"],
    &[b"proc", b"interrupts"],
    &[b"proc", b"stat"],
];

/// The most parts of a name that are looked at.
const DEEPEST: usize = 4;

/// Whether an absolute name is one of [`UNSEEN`], or of a file below it. Names that go by a link,
/// or begin in another directory, are not followed.
fn tells_of_host(path: &[u8]) -> bool {
    if path.first() != Some(&b'/') {
        return false;
    }
    let (mut parts, mut count) = ([&b""[..]; DEEPEST], 0);
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => count = usize::saturating_sub(count, 1),
            _ => {
                if let Some(place) = parts.get_mut(count) {
                    *place = part;
                }
                count += 1;
            }
        }
    }
    let parts = &parts[..count.min(DEEPEST)];
    UNSEEN.iter().any(|name| parts.starts_with(name))
}

type Path = *const c_char;

/// Whether a program is to find no file of this name. Sets the error of the C library then.
fn is_unseen(path: Path) -> bool {
    if path.is_null() || !is_here() {
        return false;
    }
    // SAFETY: a text of the caller.
    let is_unseen = tells_of_host(unsafe { CStr::from_ptr(path) }.to_bytes());
    if is_unseen {
        failed(libc::ENOENT);
    }
    is_unseen
}

/// Defines functions that find a file by its name, and the answer of each if there is none.
macro_rules! finding {
    ($($name:ident($($of:ident: $kind:ty),*) of $path:ident -> $result:ty => $none:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            if is_unseen($path) {
                return $none;
            }
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> $result);
            // SAFETY: the caller's own arguments.
            unsafe { real($($of),*) }
        }
    )*};
}

// Some take a mode only where they make a file. It is handed on all the same.
finding! {
    open(path: Path, how: c_int, mode: c_uint) of path -> c_int => -1;
    open64(path: Path, how: c_int, mode: c_uint) of path -> c_int => -1;
    __open_2(path: Path, how: c_int) of path -> c_int => -1;
    __open64_2(path: Path, how: c_int) of path -> c_int => -1;
    openat(dir: c_int, path: Path, how: c_int, mode: c_uint) of path -> c_int => -1;
    openat64(dir: c_int, path: Path, how: c_int, mode: c_uint) of path -> c_int => -1;
    __openat_2(dir: c_int, path: Path, how: c_int) of path -> c_int => -1;
    __openat64_2(dir: c_int, path: Path, how: c_int) of path -> c_int => -1;
    fopen(path: Path, mode: Path) of path -> *mut c_void => null_mut();
    fopen64(path: Path, mode: Path) of path -> *mut c_void => null_mut();
    freopen(path: Path, mode: Path, file: *mut c_void) of path -> *mut c_void => null_mut();
    freopen64(path: Path, mode: Path, file: *mut c_void) of path -> *mut c_void => null_mut();
    opendir(path: Path) of path -> *mut c_void => null_mut();
    scandir(path: Path, list: *mut c_void, choose: *const c_void, order: *const c_void) of path -> c_int => -1;
    scandir64(path: Path, list: *mut c_void, choose: *const c_void, order: *const c_void) of path -> c_int => -1;
    access(path: Path, mode: c_int) of path -> c_int => -1;
    faccessat(dir: c_int, path: Path, mode: c_int, flags: c_int) of path -> c_int => -1;
    stat(path: Path, to: *mut c_void) of path -> c_int => -1;
    stat64(path: Path, to: *mut c_void) of path -> c_int => -1;
    lstat(path: Path, to: *mut c_void) of path -> c_int => -1;
    lstat64(path: Path, to: *mut c_void) of path -> c_int => -1;
    fstatat(dir: c_int, path: Path, to: *mut c_void, flags: c_int) of path -> c_int => -1;
    fstatat64(dir: c_int, path: Path, to: *mut c_void, flags: c_int) of path -> c_int => -1;
    statx(dir: c_int, path: Path, flags: c_int, mask: c_uint, to: *mut c_void) of path -> c_int => -1;
}

/// Seconds of the host that a program may take for a line of input; 0 without end.
static LIMIT: AtomicUsize = AtomicUsize::new(0);

/// Ends a program that takes so many seconds of the host's time for a line of input.
pub(crate) fn limit(seconds: usize) {
    LIMIT.store(seconds, Ordering::Relaxed);
    // SAFETY: the handler takes a number.
    unsafe { libc::signal(libc::SIGALRM, alarmed as extern "C" fn(c_int) as usize) };
    set_alarm(seconds);
}

/// The wait for a line is not limited.
pub(crate) fn rest() {
    set_alarm(0);
}

/// The program gets a line.
pub(crate) fn begin_line() {
    LOOKED.store(0, Ordering::Relaxed);
    set_alarm(LIMIT.load(Ordering::Relaxed));
}

fn set_alarm(seconds: usize) {
    let once = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let after = libc::timeval { tv_sec: seconds as i64, tv_usec: 0 };
    let times = libc::itimerval { it_interval: once, it_value: after };
    let which = libc::ITIMER_REAL as usize;
    // SAFETY: the times live here.
    unsafe { system_call(libc::SYS_setitimer, [which, &raw const times as usize, 0, 0, 0, 0]) };
}

/// The last look of the handler; 0 before the first one behind a line.
static LOOKED: AtomicUsize = AtomicUsize::new(0);

/// A text on the stack: a handler of a signal must not take memory.
struct Text([u8; 512], usize);

impl std::fmt::Write for Text {
    fn write_str(&mut self, part: &str) -> std::fmt::Result {
        let room = &mut self.0[self.1..];
        let length = part.len().min(room.len());
        room[..length].copy_from_slice(&part.as_bytes()[..length]);
        self.1 += length;
        Ok(())
    }
}

aligned! { alarmed calls late }

/// The handler: it looks twice, a second apart, whether anything goes on.
extern "C" fn late() {
    let (now, word) = runtime::standing();
    let seen = LOOKED.swap(word as usize | 1, Ordering::Relaxed);
    if seen == 0 {
        return set_alarm(1);
    }
    let is_still = seen == word as usize | 1;
    let standing =
        ": a loop without a hook neither waits nor counts, or a call that is not replaced waits";
    let why = if is_still { standing } else { "" };
    let (limit, now) = (LIMIT.load(Ordering::Relaxed), now as f64 / 1e12);
    let mut text = Text([0; 512], 0);
    let _ = writeln!(
        text,
        "ttd-cores: the limit of {limit} s of the host is over{why}, at {now:.6} s of virtual time{Lacking}"
    );
    let write = [2, text.0.as_ptr() as usize, text.1, 0, 0, 0];
    // SAFETY: the text lives here. The process ends without the program's own last words.
    unsafe {
        system_call(libc::SYS_write, write);
        libc::_exit(97);
    }
}
