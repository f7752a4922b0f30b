//! The library that is preloaded into a program, so that its threads run on virtual cores.
//!
//! It replaces functions of the C library. Without the variable `TTD_CORES` it hands every call on.
//! `unsafe` is everywhere here: each function has a program in C as its caller. Each says why it is
//! sound. This file has the start, the hooks, and functions that are refused.
//!
//! | module | content |
//! |---|---|
//! | `x86_64`, `aarch64` | registers and system calls of a processor; the other files say `processor` |
//! | [`carrier`] | how the processor goes from one thread to the next |
//! | [`runtime`] | who has the turn, its budget, and the calls that give the turn away |
//! | [`signals`] | signals that are kept from the program; turns in qemu-user |
//! | [`system`] | clocks, sleep, random bytes |
//! | [`host`] | the processors that the program sees, files that tell of others, the limit of its time |
//! | [`lines`] | lines of input, stamped lines of output, the file of the timeline |
//! | [`readers`] | functions that read the standard input |
//! | [`locks`] | mutexes, condition variables, semaphores, barriers, futexes |
//! | [`threads`] | threads that are made, joined, detached, that end |
//!
//! Variables of the environment (messages name the options of `ttd-cores run` that set them):
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `TTD_CORES` | `1`: threads run on virtual cores | off |
//! | `TTD_CORES_EMULATED` | `1`: an emulator runs the program; `2`: and its plugin counts | off |
//! | `TTD_CORES_SEED` | breaks ties, draws latencies and random bytes | 1 |
//! | `TTD_CORES_PRICE_PS` | virtual time of an instruction or a block, in picoseconds | 300 |
//! | `TTD_CORES_QUANTUM_NS` | how far a thread may be ahead of the next | 10000 |
//! | `TTD_CORES_START_NS`, `TTD_CORES_WAKE_NS` | mean latencies | 20000, 5000 |
//! | `TTD_CORES_SEEN` | how many processors the program sees | those that threads share, or 256 |
//! | `TTD_CORES_PROCESSORS` | how many processors threads share | one for each |
//! | `TTD_CORES_SLICE_PS`, `TTD_CORES_SWITCH_PS` | the slices of threads that share | 3000000000, 3800000 |
//! | `TTD_CORES_THREADS_PER_CORE`, `TTD_CORES_SMT_PERMILLE` | processors of a core, and its work with all busy | 1, 1250 |
//! | `TTD_CORES_SLOWDOWN_PERMILLE` | how much dearer each further busy thread makes all | 0 |
//! | `TTD_CORES_TURBO` | frequencies by busy cores, as `1=1000,64=800` | 1000 |
//! | `TTD_CORES_CARRIER` | `swap` or `baton` | `swap` where the processor can |
//! | `TTD_CORES_HOST_LIMIT_S` | seconds of the host for a line of input | without end |
//! | `TTD_CORES_STAMPS` | `1`: lines of output are stamped with virtual time | off |
//! | `TTD_CORES_TIMELINE`, `TTD_CORES_TIMELINE_MIB` | the file of the timeline, and its largest size | off, 64 |
//! | `TTD_CORES_REPORT` | `1`: a line on standard error at the end | off |
#![allow(unsafe_code)]

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
compile_error!("virtual cores for other programs exist for Linux with glibc only");

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod carrier;
mod host;
mod lines;
mod locks;
mod readers;
mod runtime;
mod signals;
mod system;
mod threads;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
use aarch64 as processor;
#[cfg(target_arch = "x86_64")]
use x86_64 as processor;

use carrier::Carrier;
use libc::{c_uint, c_ulong, c_void, clockid_t, pthread_t, size_t, timespec};
use lines::Writer;
use processor::{can_swap, hands_caller_on, own_budget, takes_one};
use readers::refused;
use runtime::{is_here, real};
use std::arch::global_asm;
use std::ffi::{CStr, c_char, c_int};
use std::ops::RangeInclusive;
use ttd_cores::assembler::VERSION;
use ttd_cores::processors::{Machine, Turbo};
use ttd_cores::schedule::Settings;

// The budget of programs whose blocks call a function (`-fsanitize-coverage=trace-pc`).
global_asm!(
    ".section .tbss,\"awT\",@nobits",
    ".globl ttd_cores_own_budget",
    ".hidden ttd_cores_own_budget",
    ".type ttd_cores_own_budget,@tls_object",
    ".size ttd_cores_own_budget,8",
    ".balign 8",
    "ttd_cores_own_budget: .zero 8",
    ".text",
);

/// Called by each block of such a program.
#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc() {
    takes_one!(own_budget_spent)
}

extern "C" fn own_budget_spent() {
    runtime::spent(own_budget());
}

/// Called by the start of a program with the assembler's hook: the hook's version, the offset of
/// its budget. It gets the function to call when the budget is used up, or null.
#[unsafe(no_mangle)]
extern "C" fn ttd_cores_register(version: u64, budget: isize) -> Option<extern "C" fn(isize)> {
    if version != VERSION {
        runtime::refuse(&format!(
            "the program's hook is of version {version}, and this library of {VERSION}: build the program anew"
        ));
    }
    let is_on = is_here();
    runtime::adopt(budget);
    is_on.then_some(spent as extern "C" fn(isize))
}

extern "C" fn spent(budget: isize) {
    runtime::spent(budget);
}

unsafe extern "C" {
    /// The bounds of this library, by the linker.
    static __ehdr_start: u8;
    static etext: u8;
}

/// Charges a call for the bytes that it goes over, unless this library itself calls.
fn goes_over(size: size_t, caller: usize) {
    let (start, end) = (&raw const __ehdr_start as usize, &raw const etext as usize);
    if !(start..end).contains(&caller) {
        runtime::goes_over(size);
    }
}

/// Defines functions that set or copy memory. Each hands its caller's address on.
macro_rules! moving {
    ($(fn $name:ident, $charged:ident($($of:ident: $kind:ty),*) of $size:ident, $count:tt;)*) => {$(
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> *mut c_void {
            hands_caller_on!($count, $charged)
        }

        unsafe extern "C" fn $charged($($of: $kind),*, caller: usize) -> *mut c_void {
            goes_over($size, caller);
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> *mut c_void);
            // SAFETY: the caller's own arguments.
            unsafe { real($($of),*) }
        }
    )*};
}

moving! {
    fn memset, charged_memset(to: *mut c_void, byte: c_int, size: size_t) of size, 3;
    fn memcpy, charged_memcpy(to: *mut c_void, from: *const c_void, size: size_t) of size, 3;
    fn memmove, charged_memmove(to: *mut c_void, from: *const c_void, size: size_t) of size, 3;
    fn __memset_chk, checked_memset(to: *mut c_void, byte: c_int, size: size_t, room: size_t) of size, 4;
    fn __memcpy_chk, checked_memcpy(to: *mut c_void, from: *const c_void, size: size_t, room: size_t) of size, 4;
    fn __memmove_chk, checked_memmove(to: *mut c_void, from: *const c_void, size: size_t, room: size_t) of size, 4;
}

/// Defines functions that start another program, whose counter of time runs.
macro_rules! starting {
    ($(fn $name:ident($($of:ident: $kind:ty),*) -> $result:ty;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($of: $kind),*) -> $result {
            let real = real!($name: unsafe extern "C" fn($($kind),*) -> $result);
            // SAFETY: the caller's own arguments.
            system::released_in(|| unsafe { real($($of),*) })
        }
    )*};
}

type Text = *const c_char;
type List = *const Text;

starting! {
    fn execv(file: Text, words: List) -> c_int;
    fn execvp(file: Text, words: List) -> c_int;
    fn execve(file: Text, words: List, environment: List) -> c_int;
    fn system(command: Text) -> c_int;
    fn popen(command: Text, mode: Text) -> *mut c_void;
    fn posix_spawn(id: *mut c_int, file: Text, actions: *const c_void, how: *const c_void, words: List, environment: List) -> c_int;
    fn posix_spawnp(id: *mut c_int, file: Text, actions: *const c_void, how: *const c_void, words: List, environment: List) -> c_int;
}

/// Why a timer is refused.
const TIMER: &str = "no timer of virtual time sends a signal";

/// Why a function is refused that has no like on virtual cores.
const NOT_YET: &str = "virtual cores have no such call yet";

refused! {
    fn timer_create(clock: clockid_t, event: *mut c_void, timer: *mut c_void) -> c_int where true => TIMER;
    fn setitimer(which: c_int, new: *const c_void, old: *mut c_void) -> c_int where true => TIMER;
    fn alarm(seconds: c_uint) -> c_int where true => TIMER;
    fn pthread_cancel(thread: pthread_t) -> c_int where true => NOT_YET;
    fn pthread_tryjoin_np(thread: pthread_t, result: *mut *mut c_void) -> c_int where true => NOT_YET;
    fn pthread_timedjoin_np(thread: pthread_t, result: *mut *mut c_void, time: *const timespec) -> c_int
        where true => NOT_YET;
    fn pthread_clockjoin_np(thread: pthread_t, result: *mut *mut c_void, clock: clockid_t, time: *const timespec) -> c_int
        where true => NOT_YET;
}

#[used]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn(c_int, *const *const c_char, *const *const c_char) = start;

/// The first call, before those of the program.
extern "C" fn start(_: c_int, arguments: *const *const c_char, environment: *const *const c_char) {
    if number("TTD_CORES", 0) == 0 {
        return;
    }
    let emulated = number("TTD_CORES_EMULATED", 0);
    let (is_emulated, counts) = (emulated > 0, emulated > 1);
    if !is_emulated {
        fix_addresses(arguments, environment);
    }
    // SAFETY: there is one thread. Programs that this one starts run as ever.
    unsafe {
        libc::unsetenv(c"TTD_CORES".as_ptr());
        libc::unsetenv(c"TTD_CORES_EMULATED".as_ptr());
    }
    let seed = number("TTD_CORES_SEED", 1);
    let nanoseconds = |name, default, least| within(name, default, least..=SECOND) as i64 * 1_000;
    let machine = machine();
    let settings = Settings {
        seed,
        quantum: nanoseconds("TTD_CORES_QUANTUM_NS", 10_000, 1),
        start: nanoseconds("TTD_CORES_START_NS", 20_000, 0),
        wake: nanoseconds("TTD_CORES_WAKE_NS", 5_000, 0),
        machine,
    };
    let price = within("TTD_CORES_PRICE_PS", 300, 1..=SECOND) as i64;
    system::prepare(seed, is_emulated);
    let timeline = timeline();
    let most_bytes = timeline.as_ref().map_or(0, Writer::most_bytes);
    lines::prepare(number("TTD_CORES_STAMPS", 0) != 0, timeline);
    let seen = machine.processors.unwrap_or(256);
    host::prepare(within("TTD_CORES_SEEN", seen as u64, 1..=1 << 16) as usize);
    threads::prepare();
    // SAFETY: the function takes nothing.
    unsafe { libc::atexit(report) };
    let budget = if counts { signals::begin_emulated() } else { own_budget() };
    runtime::begin(settings, price, carrier(is_emulated), budget, lines::stamp);
    runtime::enter(|runtime| runtime.schedule.record(most_bytes));
    if is_said("TTD_CORES_HOST_LIMIT_S") {
        host::limit(within("TTD_CORES_HOST_LIMIT_S", 1, 1..=SECOND) as usize);
    }
}

/// The greatest number of most options: nanoseconds of a second, picoseconds of a millisecond.
const SECOND: u64 = 1_000_000_000;

fn is_said(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

/// The option of `ttd-cores run` that sets a variable.
fn option(name: &str) -> String {
    name.replacen("TTD_CORES_", "--", 1).replace('_', "-").to_lowercase()
}

/// Refuses a variable that needs another one.
fn needs(name: &str, other: &str) -> ! {
    runtime::refuse(&format!("{} needs {}", option(name), option(other)))
}

/// A number of the environment.
fn number(name: &str, default: u64) -> u64 {
    let Ok(text) = std::env::var(name) else { return default };
    text.parse().unwrap_or_else(|_| {
        runtime::refuse(&format!("{} is \"{text}\": a whole number was expected", option(name)))
    })
}

/// A number of the environment within bounds.
fn within(name: &str, default: u64, bounds: RangeInclusive<u64>) -> u64 {
    let value = number(name, default);
    if !bounds.contains(&value) {
        let (least, most) = bounds.into_inner();
        runtime::refuse(&format!("{} is {value}: {least} to {most} expected", option(name)));
    }
    value
}

/// The model of cores.
fn machine() -> Machine {
    let usual = Machine::default();
    let time = |name, usual: i64| number(name, usual as u64) as i64;
    let is_shared = is_said("TTD_CORES_PROCESSORS");
    let turbo =
        std::env::var("TTD_CORES_TURBO").map_or(Ok(usual.turbo), |text| Turbo::parse(&text));
    for (name, other) in [
        ("TTD_CORES_SLICE_PS", "TTD_CORES_PROCESSORS"),
        ("TTD_CORES_SWITCH_PS", "TTD_CORES_PROCESSORS"),
        ("TTD_CORES_SMT_PERMILLE", "TTD_CORES_THREADS_PER_CORE"),
    ] {
        if is_said(name) && !is_said(other) {
            needs(name, other);
        }
    }
    let machine = turbo.and_then(|turbo| {
        let machine = Machine {
            processors: is_shared.then(|| number("TTD_CORES_PROCESSORS", 0) as usize),
            threads_per_core: number("TTD_CORES_THREADS_PER_CORE", 1) as usize,
            slice: time("TTD_CORES_SLICE_PS", usual.slice),
            switch: time("TTD_CORES_SWITCH_PS", usual.switch),
            slowdown_permille: time("TTD_CORES_SLOWDOWN_PERMILLE", usual.slowdown_permille),
            smt_permille: time("TTD_CORES_SMT_PERMILLE", usual.smt_permille),
            turbo,
        };
        machine.checked()
    });
    machine.unwrap_or_else(|why| runtime::refuse(&why))
}

/// The file of the timeline, if one was asked for.
fn timeline() -> Option<Writer> {
    let path = std::env::var_os("TTD_CORES_TIMELINE");
    if path.is_none() && is_said("TTD_CORES_TIMELINE_MIB") {
        needs("TTD_CORES_TIMELINE_MIB", "TTD_CORES_TIMELINE");
    }
    let mib = within("TTD_CORES_TIMELINE_MIB", 64, 1..=4096);
    Some(Writer::new(path?.into(), mib as usize))
}

fn carrier(is_emulated: bool) -> Carrier {
    let name = std::env::var("TTD_CORES_CARRIER");
    match name.as_deref() {
        Ok("baton") => Carrier::Baton,
        Ok("swap") | Err(_) if can_swap(is_emulated) => Carrier::Swap,
        Ok("swap") => {
            runtime::refuse("this processor or kernel cannot swap threads: use the carrier baton")
        }
        Ok(other) => runtime::refuse(&format!("--carrier is \"{other}\": swap or baton expected")),
        Err(_) => Carrier::Baton,
    }
}

/// Starts the program again with addresses that are not random, unless they are so already.
fn fix_addresses(arguments: *const *const c_char, environment: *const *const c_char) {
    let fixed = libc::ADDR_NO_RANDOMIZE as c_ulong;
    // SAFETY: plain calls; the two lists are those that the program got. They end with a null.
    unsafe {
        let old = libc::personality(0xffff_ffff);
        if old < 0 || old as c_ulong & fixed != 0 {
            return;
        }
        if libc::personality(old as c_ulong | fixed) >= 0 {
            let own: &CStr = c"/proc/self/exe";
            libc::execve(own.as_ptr(), arguments, environment);
        }
    }
    eprintln!("ttd-cores: addresses stay random here, so that two runs may differ");
}

/// The last words: lines that were not yet stamped, and the report.
extern "C" fn report() {
    if !is_here() {
        return;
    }
    // SAFETY: empties the buffers of all files.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    let report = runtime::enter(|runtime| {
        let schedule = &mut runtime.schedule;
        (runtime.before)(schedule);
        schedule.answers();
        (runtime.before)(schedule);
        let [time, busy] = [schedule.now(), schedule.busy().0].map(|time| time as f64 / 1e12);
        let (threads, switches) = (schedule.spawned(), runtime.switches);
        format!(
            "{time:.9} s of virtual time, {threads} threads, {switches} switches; busy for {busy:.9} s"
        )
    });
    if let Some(report) = report.filter(|_| number("TTD_CORES_REPORT", 0) != 0) {
        eprintln!("ttd-cores: {report}");
    }
}
