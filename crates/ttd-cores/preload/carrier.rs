//! Carriers: how the processor goes from one thread to the next.
//!
//! With the *baton*, every thread is one of the operating system. It sleeps on a futex until the
//! baton is handed to it. With the *swap*, the first thread of the operating system carries all
//! others. It exchanges the stack pointer and the thread pointer, on which thread-local data hang.
//! The own thread of a carried one only made its stack and these data, and sleeps until it is
//! joined. Both run the same threads in the same order. Each keeps its rounding and its traps.
//!
//! Signals are blocked in a thread that sleeps under a swap, since a handler would run on the stack
//! that is in use elsewhere.
//!
//! The C library's own locks are those of the operating system. A thread that waits for one waits
//! with all others. So a thread that holds one of a stream keeps the processor.
//!
//! At the end stand the streams of the C library, and its functions behind those of this one.

use crate::processor::{sit, swap, system_call, thread_pointer};
use std::cell::UnsafeCell;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use ttd_cores::schedule::MOST_THREADS;

/// How threads take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carrier {
    /// One thread of the operating system carries all.
    Swap,
    /// Every thread waits for the baton.
    Baton,
}

/// Where a thread sits while others run.
///
/// Invariant: `stack` is written by the thread that leaves, and read by the one that goes to it.
/// Only the thread that has the turn does either, so that no two accesses are at once.
#[derive(Debug, Default)]
pub(crate) struct Seat {
    /// The stack pointer of a thread that was left by a swap.
    stack: UnsafeCell<usize>,
    thread_pointer: AtomicUsize,
    /// 1 when the thread has come to its seat for the first time.
    seated: AtomicU32,
    /// 1 while the baton lies here.
    baton: AtomicU32,
    /// 1 when the thread may end as a thread of the operating system.
    dismissed: AtomicU32,
}

// SAFETY: see the invariant; all other fields are atomic.
unsafe impl Sync for Seat {}

impl Seat {
    /// A seat that is never freed: a sleeping thread may still look at it.
    pub(crate) fn new() -> &'static Seat {
        Box::leak(Box::default())
    }

    /// The thread that calls sits here.
    pub(crate) fn claim(&self) {
        self.thread_pointer.store(thread_pointer(), Ordering::Relaxed);
    }

    /// The thread pointer of the thread that sits here.
    pub(crate) fn thread_pointer(&self) -> usize {
        self.thread_pointer.load(Ordering::Relaxed)
    }

    /// A new thread sits down. It returns when the thread has its first turn.
    pub(crate) fn sit(&self, carrier: Carrier) {
        match carrier {
            Carrier::Baton => {
                // Release: pairs with the acquire of `await_seated`, for the thread pointer.
                self.seated.store(1, Ordering::Release);
                futex_wake(&self.seated);
                self.await_baton();
            }
            Carrier::Swap => {
                block_signals();
                // SAFETY: the three words live forever. The function returns once on the carrier,
                // when the thread has its first turn, with the stack and registers of this call.
                unsafe { sit(self.stack.get(), &raw const self.seated, &raw const self.dismissed) }
            }
        }
    }

    /// Waits until the thread sits here.
    pub(crate) fn await_seated(&self) {
        await_word(&self.seated);
    }

    /// Leaves the turn to another thread, and returns when it is this thread's turn again.
    pub(crate) fn go_to(&self, next: &Seat, carrier: Carrier) {
        match carrier {
            Carrier::Baton => {
                next.hand_baton();
                self.await_baton();
            }
            // SAFETY: the next thread left its stack pointer when it sat down or went away. It runs
            // nowhere else: only the thread with the turn calls this.
            Carrier::Swap => unsafe {
                swap(self.stack.get(), *next.stack.get(), next.thread_pointer());
            },
        }
    }

    /// Leaves the turn for ever; returns in the own thread of the caller, when it is dismissed.
    pub(crate) fn leave_to(&self, next: &Seat, carrier: Carrier) {
        match carrier {
            Carrier::Baton => {
                next.hand_baton();
                await_word(&self.dismissed);
            }
            Carrier::Swap => self.go_to(next, carrier),
        }
    }

    /// Lets a thread that left for ever end as a thread of the operating system.
    pub(crate) fn dismiss(&self) {
        // Release: pairs with the acquire of `await_word`, or the load in `sit`, which is one too.
        self.dismissed.store(1, Ordering::Release);
        futex_wake(&self.dismissed);
    }

    fn hand_baton(&self) {
        // Release: pairs with the acquire of `await_baton`; all that this thread did is seen there.
        self.baton.store(1, Ordering::Release);
        futex_wake(&self.baton);
    }

    fn await_baton(&self) {
        await_word(&self.baton);
        self.baton.store(0, Ordering::Relaxed);
    }
}

fn await_word(word: &AtomicU32) {
    // Acquire: pairs with the release of whoever stores 1.
    while word.load(Ordering::Acquire) == 0 {
        futex(word, libc::FUTEX_WAIT, 0);
    }
}

fn futex_wake(word: &AtomicU32) {
    futex(word, libc::FUTEX_WAKE, 1);
}

fn futex(word: &AtomicU32, operation: libc::c_int, value: usize) {
    let operation = (operation | libc::FUTEX_PRIVATE_FLAG) as usize;
    // SAFETY: the word lives, and there is no time limit (a null pointer).
    unsafe {
        system_call(libc::SYS_futex, [word.as_ptr() as usize, operation, value, 0, 0, 0]);
    }
}

fn block_signals() {
    let all = u64::MAX;
    let how = libc::SIG_BLOCK as usize;
    // SAFETY: the mask is 8 bytes, and the old one is not asked for.
    unsafe {
        let mask = &raw const all as usize;
        system_call(libc::SYS_rt_sigprocmask, [how, mask, 0, 8, 0, 0]);
    }
}

/// The start of a stream (`FILE`) of the C library, the same on all processors of 64 bits.
#[repr(C)]
struct Stream {
    flags: libc::c_int,
    places: [usize; 12],
    next: *const Stream,
    numbers: [usize; 3],
    lock: *const StreamLock,
}

#[repr(C)]
struct StreamLock {
    word: [libc::c_int; 2],
    /// The thread that holds it, by its own name.
    owner: usize,
}

unsafe extern "C" {
    /// The open streams. The C library writes it.
    static mut _IO_list_all: *const Stream;
}

/// Whether the caller holds the lock of a stream. It may do so by `flockfile`. Or the C library
/// holds it, and calls a function of the program meanwhile, such as a `malloc`.
pub(crate) fn holds_a_stream() -> bool {
    // SAFETY: the list is that of streams that are open. Only the thread that has the turn makes or
    // closes one.
    unsafe {
        let own = libc::pthread_self() as usize;
        let mut at = (&raw const _IO_list_all).read_volatile();
        while let Some(stream) = at.as_ref() {
            if stream.lock.as_ref().is_some_and(|lock| lock.owner == own) {
                return true;
            }
            at = stream.next;
        }
    }
    false
}

/// A function of the C library that this library replaces, as it would be without.
macro_rules! real {
    ($name:ident: $kind:ty) => {{
        static FOUND: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let name = concat!(stringify!($name), "\0");
        // SAFETY: the C library has a function of this name and type.
        unsafe { std::mem::transmute::<usize, $kind>($crate::carrier::next(&FOUND, name)) }
    }};
}
pub(crate) use real;

/// The address of the next definition of a function, behind this library's.
pub(crate) fn next(found: &AtomicUsize, name: &'static str) -> usize {
    let known = found.load(Ordering::Relaxed);
    if known != 0 {
        return known;
    }
    // SAFETY: the name ends with a zero.
    let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr().cast()) } as usize;
    if address == 0 {
        let name = name.trim_end_matches('\0');
        refuse(&format!("no {name} in the C library, or two builds of ttd-cores in the program"));
    }
    found.store(address, Ordering::Relaxed);
    address
}

/// A failure as the C library tells it: by `errno`.
pub(crate) fn failed(why: libc::c_int) -> libc::c_int {
    // SAFETY: the caller's own word.
    unsafe { *libc::__errno_location() = why };
    -1
}

/// Whether the program asked for more threads than there may be.
pub(crate) static LACKS_THREADS: AtomicBool = AtomicBool::new(false);

/// The words where a program may wait for a thread that it did not get; else nothing.
pub(crate) struct Lacking;

impl fmt::Display for Lacking {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !LACKS_THREADS.load(Ordering::Relaxed) {
            return Ok(());
        }
        write!(to, ". The bound of {MOST_THREADS} threads at a time was reached before")
    }
}

/// Says why the program cannot go on, and ends it with the status 97.
pub(crate) fn refuse(why: &str) -> ! {
    eprintln!("ttd-cores: {why}");
    // SAFETY: ends the process without the program's own last words.
    unsafe { libc::_exit(97) }
}
