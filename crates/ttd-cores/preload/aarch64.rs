//! ARM's 64-bit processors (AArch64): registers, system calls, the counter of time.
//!
//! `x86_64.rs` has the same names for its processor, and says what each is for.

use std::arch::{asm, naked_asm};
use std::sync::atomic::AtomicU32;

/// The counter runs. Linux lets it trap since 6.12, but this library does not ask for that.
pub(crate) const COUNTER_TRAPS: bool = false;

/// The address that names the running thread of the C library.
#[inline(always)]
pub(crate) fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: reads a register.
    unsafe {
        asm!("mrs {}, tpidr_el0", out(reg) pointer, options(nomem, nostack, preserves_flags));
    }
    pointer
}

/// Every program may write its thread pointer. It must have no guarded control stack, since a swap
/// exchanges none.
pub(crate) fn can_swap(_: bool) -> bool {
    /// `PR_GET_SHADOW_STACK_STATUS`: older kernels know neither it nor such stacks.
    const STATUS: usize = 74;
    let mut guarded = 0u64;
    // SAFETY: the kernel writes a number.
    unsafe { system_call(libc::SYS_prctl, [STATUS, &raw mut guarded as usize, 0, 0, 0, 0]) };
    guarded & 1 == 0
}

/// A system call without the C library, whose own functions this library replaces.
///
/// # Safety
///
/// The rules of the call itself hold.
pub(crate) unsafe fn system_call(number: libc::c_long, of: [usize; 6]) -> isize {
    let result;
    // SAFETY: the kernel keeps all registers but the first. The caller vouches for the rest.
    unsafe {
        asm!("svc #0", in("x8") number, inlateout("x0") of[0] => result, in("x1") of[1],
            in("x2") of[2], in("x3") of[3], in("x4") of[4], in("x5") of[5], options(nostack));
    }
    result
}

/// The registers that a call keeps, and both words of the floating-point unit, are pushed.
macro_rules! push_registers {
    () => {
        "stp x19, x20, [sp, #-176]!
        stp x21, x22, [sp, #16]
        stp x23, x24, [sp, #32]
        stp x25, x26, [sp, #48]
        stp x27, x28, [sp, #64]
        stp x29, x30, [sp, #80]
        stp d8, d9, [sp, #96]
        stp d10, d11, [sp, #112]
        stp d12, d13, [sp, #128]
        stp d14, d15, [sp, #144]
        mrs x9, fpcr
        mrs x10, fpsr
        stp x9, x10, [sp, #160]"
    };
}

/// And back.
macro_rules! pop_registers {
    () => {
        "ldp x9, x10, [sp, #160]
        msr fpcr, x9
        msr fpsr, x10
        ldp d14, d15, [sp, #144]
        ldp d12, d13, [sp, #128]
        ldp d10, d11, [sp, #112]
        ldp d8, d9, [sp, #96]
        ldp x29, x30, [sp, #80]
        ldp x27, x28, [sp, #64]
        ldp x25, x26, [sp, #48]
        ldp x23, x24, [sp, #32]
        ldp x21, x22, [sp, #16]
        ldp x19, x20, [sp], #176"
    };
}

/// Saves the registers on the stack. Goes to another stack and thread pointer, and takes those
/// registers there.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn swap(save: *mut usize, stack: usize, pointer: usize) {
    naked_asm!(
        push_registers!(),
        "mov x9, sp",
        "str x9, [x0]",
        "mov sp, x1",
        "msr tpidr_el0, x2",
        pop_registers!(),
        "ret",
    )
}

/// Saves the registers as `swap` does, says so in `seated`, and sleeps until `dismissed` is 1. The
/// stack belongs to the carrier from then on, and is not touched here. Once dismissed it goes on
/// where the carried thread left for ever.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn sit(
    save: *mut usize,
    seated: *const AtomicU32,
    dismissed: *const AtomicU32,
) {
    naked_asm!(
        push_registers!(),
        "mov x19, x0",
        "mov x20, x2",
        "mov x9, sp",
        "str x9, [x0]",
        // Release: pairs with the acquire of `Seat::await_seated`.
        "mov w9, #1",
        "stlr w9, [x1]",
        // futex(seated, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1)
        "mov x0, x1",
        "mov x8, #98",
        "mov x1, #129",
        "mov x2, #1",
        "mov x3, xzr",
        "svc #0",
        "2:",
        // Acquire: pairs with the release of `Seat::dismiss`.
        "ldar w9, [x20]",
        "cbnz w9, 3f",
        // futex(dismissed, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 0)
        "mov x0, x20",
        "mov x8, #98",
        "mov x1, #128",
        "mov x2, xzr",
        "mov x3, xzr",
        "svc #0",
        "b 2b",
        "3:",
        "ldr x9, [x19]",
        "mov sp, x9",
        pop_registers!(),
        "ret",
    )
}

/// The offset of the library's own budget from a thread's pointer.
#[unsafe(naked)]
pub(crate) extern "C" fn own_budget() -> isize {
    naked_asm!(
        "adrp x0, :gottprel:ttd_cores_own_budget",
        "ldr x0, [x0, #:gottprel_lo12:ttd_cores_own_budget]",
        "ret",
    )
}

/// The body of a function that takes one off the library's own budget. It goes to another function
/// when the budget is used up.
macro_rules! takes_one {
    ($spent:path) => {
        std::arch::naked_asm!(
            "adrp x16, :gottprel:ttd_cores_own_budget",
            "ldr x16, [x16, #:gottprel_lo12:ttd_cores_own_budget]",
            "mrs x17, tpidr_el0",
            "ldr x9, [x17, x16]",
            "sub x9, x9, #1",
            "str x9, [x17, x16]",
            "tbnz x9, #63, 2f",
            "ret",
            "2: b {}",
            sym $spent,
        )
    };
}

/// The body of a function that hands its arguments on, and its caller's address behind them: as the
/// argument of a number, from 0.
macro_rules! hands_caller_on {
    (3, $to:path) => { std::arch::naked_asm!("mov x3, x30", "b {}", sym $to) };
    (4, $to:path) => { std::arch::naked_asm!("mov x4, x30", "b {}", sym $to) };
}

/// The body of a function that goes where another function tells, with its arguments as they are.
/// All are pointers or numbers, and their count is not known. The other gets the first one.
macro_rules! goes_where_told {
    ($told:path) => {
        std::arch::naked_asm!(
            "stp x0, x1, [sp, #-80]!", "stp x2, x3, [sp, #16]", "stp x4, x5, [sp, #32]",
            "stp x6, x7, [sp, #48]", "str x30, [sp, #64]",
            "bl {}", "mov x16, x0",
            "ldr x30, [sp, #64]", "ldp x6, x7, [sp, #48]", "ldp x4, x5, [sp, #32]",
            "ldp x2, x3, [sp, #16]", "ldp x0, x1, [sp], #80",
            "br x16", sym $told)
    };
}

/// Defines a handler of a signal that calls a function. Linux and qemu align the stack.
macro_rules! aligned {
    ($name:ident calls $function:ident) => {
        extern "C" fn $name(_: libc::c_int) {
            $function();
        }
    };
}

pub(crate) use {aligned, goes_where_told, hands_caller_on, takes_one};

/// The counter of time.
pub(crate) fn counter() -> u64 {
    let count;
    // SAFETY: reads a counter.
    unsafe { asm!("mrs {}, cntvct_el0", out(reg) count, options(nomem, nostack)) };
    count
}

/// Answers nothing, since no read of the counter traps.
///
/// # Safety
///
/// The context is that of a signal.
pub(crate) unsafe fn answer_counter(
    _: *mut libc::ucontext_t,
    _: impl FnOnce(usize) -> u64,
) -> bool {
    false
}
