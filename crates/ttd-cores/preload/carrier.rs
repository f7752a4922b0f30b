//! Carriers: how the processor goes from one thread to the next.
//!
//! With the *baton*, every thread is one of the operating system. It sleeps on a futex until the
//! baton is handed to it. With the *swap*, the first thread of the operating system carries all
//! others. It exchanges the stack pointer and FS, the register that thread-local data hang on. The
//! own thread of a carried one only made its stack and these data, and sleeps until it is joined.
//! Both run the same threads in the same order. Each keeps its rounding and its traps.
//!
//! Signals are blocked in a thread that sleeps under a swap, since a handler would run on the stack
//! that is in use elsewhere.

use std::arch::{asm, naked_asm};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicUsize, Ordering};

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

/// The address that names the running thread of the C library.
pub(crate) fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: the first word of the thread's block holds its own address on x86-64.
    unsafe {
        asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags));
    }
    pointer
}

/// In the place of a distance from a thread's pointer: all threads share one budget.
pub(crate) const SHARED_BUDGET: isize = isize::MIN;

/// Where a budget lies, by its distance from the pointer of its thread.
pub(crate) fn budget_at(distance: isize, thread: usize) -> *mut i64 {
    static SHARED: AtomicI64 = AtomicI64::new(0);
    match distance {
        SHARED_BUDGET => SHARED.as_ptr(),
        _ => thread.wrapping_add_signed(distance) as *mut i64,
    }
}

/// Whether a program may write the FS register: the kernel says so in `AT_HWCAP2`, bit 1. It must
/// have no shadow stack, since a swap exchanges none. qemu-user says nothing there, and lets a
/// program do so if its processor can.
pub(crate) fn can_swap(is_emulated: bool) -> bool {
    /// `ARCH_SHSTK_STATUS`: older kernels know neither it nor shadow stacks.
    const STATUS: usize = 0x5005;
    let mut shadow = 0u64;
    if is_emulated {
        // Leaf 7: FSGSBASE is the first bit of EBX.
        return std::arch::x86_64::__cpuid_count(7, 0).ebx & 1 != 0;
    }
    // SAFETY: reads numbers that the kernel gives.
    unsafe {
        system_call(libc::SYS_arch_prctl, [STATUS, &raw mut shadow as usize, 0, 0, 0, 0]);
        libc::getauxval(libc::AT_HWCAP2) & 2 != 0 && shadow & 1 == 0
    }
}

/// A system call without the C library, whose own functions this library replaces.
///
/// # Safety
///
/// The rules of the call itself hold.
pub(crate) unsafe fn system_call(number: libc::c_long, of: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel keeps all registers but these. The caller vouches for the rest.
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") of[0], in("rsi") of[1],
            in("rdx") of[2], in("r10") of[3], in("r8") of[4], in("r9") of[5],
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result
}

/// The registers that a call keeps, and the control words of both floating-point units, are pushed.
macro_rules! push_registers {
    () => {
        "push rbp; push rbx; push r12; push r13; push r14; push r15
        sub rsp, 8; stmxcsr [rsp]; fnstcw [rsp + 4]"
    };
}

/// And back.
macro_rules! pop_registers {
    () => {
        "ldmxcsr [rsp]; fldcw [rsp + 4]; add rsp, 8
        pop r15; pop r14; pop r13; pop r12; pop rbx; pop rbp"
    };
}

/// Saves the registers on the stack. Goes to another stack, and takes them there.
#[unsafe(naked)]
unsafe extern "C" fn swap(save: *mut usize, stack: usize, fs: usize) {
    naked_asm!(
        push_registers!(),
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "wrfsbase rdx",
        pop_registers!(),
        "ret",
    )
}

/// Saves the registers as `swap` does, says so in `seated`, and sleeps until `dismissed` is 1. The
/// stack belongs to the carrier from then on, and is not touched here. Once dismissed it goes on
/// where the carried thread left for ever.
#[unsafe(naked)]
unsafe extern "C" fn sit(save: *mut usize, seated: *const AtomicU32, dismissed: *const AtomicU32) {
    naked_asm!(
        push_registers!(),
        "mov rbx, rdi",
        "mov r12, rdx",
        "mov [rdi], rsp",
        "mov dword ptr [rsi], 1",
        // futex(seated, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1)
        "mov rdi, rsi",
        "mov eax, 202",
        "mov esi, 129",
        "mov edx, 1",
        "xor r10d, r10d",
        "syscall",
        "2:",
        "mov eax, [r12]",
        "test eax, eax",
        "jnz 3f",
        // futex(dismissed, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0)
        "mov rdi, r12",
        "mov eax, 202",
        "mov esi, 128",
        "xor edx, edx",
        "xor r10d, r10d",
        "syscall",
        "jmp 2b",
        "3:",
        "mov rsp, [rbx]",
        pop_registers!(),
        "ret",
    )
}
