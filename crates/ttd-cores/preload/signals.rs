//! Signals that are this library's own and kept from the program: one at most.
//!
//! On the processor it is that of a trapped counter of time (`system.rs`). In qemu-user it is that
//! of the plugin (`plugin/lib.rs`), which counts the instructions of a program without a hook.
//! There all threads share one budget, since only the thread that has the turn runs the program.
//! When it is used up the signal comes before the next block. A block of the C library, or of this
//! one, is then the first of a function, which has taken no lock yet. But functions of the library
//! may be its callers, if they called the program.

use crate::processor::{aligned, system_call};
use crate::runtime::{self, ENDLESS, SHARED_BUDGET, budget_at, real, refuse};
use libc::{c_int, sigset_t};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicI32, Ordering};
use ttd_cores::program::{ANSWER, QUESTION, SPENT, TELL};

type Sigaction = unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;

/// No signal: 0 is one that programs ask for, and the system refuses.
const NONE: c_int = -1;

/// The signal that is kept from the program, or [`NONE`].
static KEPT: AtomicI32 = AtomicI32::new(NONE);

/// The program's own action for that signal. Only the thread that has the turn touches it.
struct Own(UnsafeCell<libc::sigaction>);

// SAFETY: see the invariant.
unsafe impl Sync for Own {}

// SAFETY: zeros are an action, the default one.
static OWN: Own = Own(UnsafeCell::new(unsafe { std::mem::zeroed() }));

/// Keeps a signal from the program, for this handler. It may come again while the handler runs.
pub(crate) fn keep(signal: c_int, handler: usize, flags: c_int) {
    let action = real!(sigaction: Sigaction);
    // SAFETY: zeros are an action, and the handler has the form that the flags want.
    unsafe {
        let mut own: libc::sigaction = std::mem::zeroed();
        (own.sa_sigaction, own.sa_flags) = (handler, flags | libc::SA_NODEFER);
        action(signal, &raw const own, OWN.0.get());
    }
    KEPT.store(signal, Ordering::Relaxed);
}

/// Whether a signal is kept from the program.
pub(crate) fn keeps(signal: c_int) -> bool {
    KEPT.load(Ordering::Relaxed) == signal
}

/// Sets the program's own action for a signal that was kept.
pub(crate) fn give_back(signal: c_int) {
    let action = real!(sigaction: Sigaction);
    // SAFETY: an action that the program gave, or the default one.
    unsafe { action(signal, OWN.0.get(), std::ptr::null_mut()) };
}

/// Keeps a signal no more.
pub(crate) fn let_go(signal: c_int) {
    give_back(signal);
    KEPT.store(NONE, Ordering::Relaxed);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    let real = real!(sigaction: Sigaction);
    // SAFETY: the caller's own arguments.
    unsafe {
        if !keeps(signal) {
            return real(signal, new, old);
        }
        let own = OWN.0.get().read();
        if !new.is_null() {
            OWN.0.get().write(*new);
        }
        if !old.is_null() {
            old.write(own);
        }
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn signal(signal: c_int, handler: libc::sighandler_t) -> libc::sighandler_t {
    if !keeps(signal) {
        let real =
            real!(signal: unsafe extern "C" fn(c_int, libc::sighandler_t) -> libc::sighandler_t);
        // SAFETY: the caller's own arguments.
        return unsafe { real(signal, handler) };
    }
    // SAFETY: zeros are an action, and the caller has the turn.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (action.sa_sigaction, action.sa_flags) = (handler, libc::SA_RESTART);
        OWN.0.get().replace(action).sa_sigaction
    }
}

/// Defines functions that block signals of a thread: not that of the plugin.
macro_rules! blocking {
    ($($name:ident)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(how: c_int, new: *const sigset_t, old: *mut sigset_t) -> c_int {
            let real = real!($name: unsafe extern "C" fn(c_int, *const sigset_t, *mut sigset_t) -> c_int);
            // SAFETY: the caller's own arguments. The set is copied, since it is changed.
            unsafe {
                if new.is_null() || how == libc::SIG_UNBLOCK || !keeps(SPENT) {
                    return real(how, new, old);
                }
                let mut set = new.read();
                libc::sigdelset(&raw mut set, SPENT);
                real(how, &raw const set, old)
            }
        }
    )*};
}

blocking! { pthread_sigmask sigprocmask }

/// Tells the plugin where the budget lies, and what to do with its signal. Returns that place.
pub(crate) fn begin_emulated() -> isize {
    let budget = budget_at(SHARED_BUDGET, 0);
    // SAFETY: no thread has the turn yet. The plugin reads and writes a number, and the system
    // knows no such call.
    unsafe {
        budget.write_volatile(QUESTION);
        system_call(TELL as libc::c_long, [budget as usize, 0, 0, 0, 0, 0]);
        if budget.replace(ENDLESS) != ANSWER {
            refuse(
                "qemu runs the program without the plugin, or with addresses of its own. The \
                 variables QEMU_GUEST_BASE and QEMU_RESERVED_VA must not be set",
            );
        }
    }
    // The next thread has the turn, and a budget, before the handler ends.
    keep(SPENT, signalled as *const () as usize, 0);
    // A mask is inherited, and the signal may be blocked there.
    let signal = 1u64 << (SPENT - 1);
    let how = libc::SIG_UNBLOCK as usize;
    // SAFETY: the mask is 8 bytes, and the old one is not asked for.
    unsafe {
        let mask = &raw const signal as usize;
        system_call(libc::SYS_rt_sigprocmask, [how, mask, 0, 8, 0, 0]);
    }
    SHARED_BUDGET
}

aligned! { signalled calls spent }

extern "C" fn spent() {
    runtime::spent(SHARED_BUDGET);
}
