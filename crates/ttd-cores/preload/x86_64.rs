//! The processors of x86-64: registers, system calls, the counter of time.
//!
//! `aarch64.rs` has the same names for its processor. No other file here knows a processor.

use std::arch::{asm, naked_asm};
use std::sync::atomic::AtomicU32;

/// Whether the kernel lets the counter of time trap.
pub(crate) const COUNTER_TRAPS: bool = true;

/// The address that names the running thread of the C library.
#[inline(always)]
pub(crate) fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: the first word of the thread's block holds its own address on x86-64.
    unsafe {
        asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags));
    }
    pointer
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

/// Saves the registers on the stack. Goes to another stack and thread pointer, and takes those
/// registers there.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn swap(save: *mut usize, stack: usize, pointer: usize) {
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
pub(crate) unsafe extern "C" fn sit(
    save: *mut usize,
    seated: *const AtomicU32,
    dismissed: *const AtomicU32,
) {
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

/// The offset of the library's own budget from a thread's pointer.
#[unsafe(naked)]
pub(crate) extern "C" fn own_budget() -> isize {
    naked_asm!("mov rax, qword ptr [rip + ttd_cores_own_budget@gottpoff]", "ret")
}

/// The body of a function that takes one off the library's own budget. It goes to another function
/// when the budget is used up.
macro_rules! takes_one {
    ($spent:path) => {
        std::arch::naked_asm!(
            "mov rax, qword ptr [rip + ttd_cores_own_budget@gottpoff]",
            "sub qword ptr fs:[rax], 1",
            "js 2f",
            "ret",
            "2: jmp {}",
            sym $spent,
        )
    };
}

/// The body of a function that hands its arguments on, and its caller's address behind them: as the
/// argument of a number, from 0.
macro_rules! hands_caller_on {
    (3, $to:path) => { std::arch::naked_asm!("mov rcx, [rsp]", "jmp {}", sym $to) };
    (4, $to:path) => { std::arch::naked_asm!("mov r8, [rsp]", "jmp {}", sym $to) };
}

/// The body of a function that goes where another function tells, with its arguments as they are.
/// All are pointers or numbers, and their count is not known. The other gets the first one.
macro_rules! goes_where_told {
    ($told:path) => {
        std::arch::naked_asm!(
            "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9", "push rax",
            "call {}", "mov r11, rax",
            "pop rax", "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi",
            "jmp r11", sym $told)
    };
}

/// Defines a handler of a signal that aligns the stack, which qemu 7.2 does not do, and calls a
/// function. All registers are in the signal's frame, those of vectors too.
macro_rules! aligned {
    ($name:ident calls $function:ident) => {
        #[unsafe(naked)]
        extern "C" fn $name(_: libc::c_int) {
            std::arch::naked_asm!(
                "push rbp", "mov rbp, rsp", "and rsp, -64", "call {}", "leave", "ret",
                sym $function)
        }
    };
}

pub(crate) use {aligned, goes_where_told, hands_caller_on, takes_one};

/// The counter of time.
pub(crate) fn counter() -> u64 {
    // SAFETY: reads a counter.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// Answers `rdtsc` or `rdtscp` if the processor stands there, by a function of the instruction's
/// address. The processor goes on behind it. False if it stands elsewhere.
///
/// # Safety
///
/// The context is that of a signal of the kernel itself, which could read the instruction.
pub(crate) unsafe fn answer_counter(
    context: *mut libc::ucontext_t,
    answer: impl FnOnce(usize) -> u64,
) -> bool {
    // SAFETY: as this function's.
    unsafe {
        let registers = &mut (*context).uc_mcontext.gregs;
        let at = registers[libc::REG_RIP as usize] as usize;
        let code = at as *const u8;
        let length = match (code.read() == 0x0f).then(|| code.add(1).read()) {
            Some(0x31) => 2,
            Some(0x01) if code.add(2).read() == 0xf9 => 3,
            _ => return false,
        };
        let count = answer(at);
        registers[libc::REG_RAX as usize] = (count & 0xffff_ffff) as i64;
        registers[libc::REG_RDX as usize] = (count >> 32) as i64;
        if length == 3 {
            registers[libc::REG_RCX as usize] = 0;
        }
        registers[libc::REG_RIP as usize] += length;
    }
    true
}
