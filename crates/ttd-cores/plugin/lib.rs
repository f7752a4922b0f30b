//! The plugin for qemu-user: it lets every translated block of a program count its instructions.
//!
//! A program without a hook runs in `qemu-x86_64`, with the preloaded library inside. The library
//! tells the address of one word, the *budget* of whichever thread has the turn. Each block of the
//! program's own file takes its instructions off. Below zero the plugin sends its own thread a
//! signal. The program has it before its next block, and its handler gives the turn away.
//!
//! Blocks of the C library and of the preloaded one are not counted. So no thread gives its turn
//! away in their code, where it may hold a lock. In code of the program that they call it may: a
//! `malloc` of the program would be such code, so that `program.rs` refuses one.
//!
//! The functions of qemu are those of its plugin interface, as
//! <https://www.qemu.org/docs/master/devel/tcg-plugins.html> describes it.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicPtr, Ordering};
use ttd_cores::program::{ANSWER, QUESTION, SPENT, TELL};

/// A block that is being translated, which only qemu looks into.
enum Block {}

/// An instruction of a block.
enum Instruction {}

type Translated = unsafe extern "C" fn(u64, *mut Block);
type Executed = unsafe extern "C" fn(c_uint, *mut c_void);
type Called = unsafe extern "C" fn(u64, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);

unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(plugin: u64, call: Translated);
    fn qemu_plugin_register_vcpu_tb_exec_cb(
        block: *mut Block,
        call: Executed,
        registers: c_int,
        data: *mut c_void,
    );
    fn qemu_plugin_register_vcpu_syscall_cb(plugin: u64, call: Called);
    fn qemu_plugin_tb_n_insns(block: *const Block) -> usize;
    fn qemu_plugin_tb_vaddr(block: *const Block) -> u64;
    fn qemu_plugin_tb_get_insn(block: *const Block, number: usize) -> *mut Instruction;
    fn qemu_plugin_insn_haddr(instruction: *const Instruction) -> *const u8;
    fn qemu_plugin_insn_size(instruction: *const Instruction) -> usize;
    fn qemu_plugin_start_code() -> u64;
    fn qemu_plugin_end_code() -> u64;
}

/// The version of the interface.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "qemu looks for this name")]
static qemu_plugin_version: c_int = 1;

/// The word of the program from which instructions are taken; null until it is told.
///
/// Invariant: only the thread that has the turn runs blocks of the program, so that no two threads
/// touch the word at once.
static BUDGET: AtomicPtr<AtomicI64> = AtomicPtr::new(std::ptr::null_mut());

/// Called by qemu when it has loaded the plugin, with the number that it gave it.
#[unsafe(no_mangle)]
unsafe extern "C" fn qemu_plugin_install(
    plugin: u64,
    _: *const c_void,
    _: c_int,
    _: *const *const c_char,
) -> c_int {
    // SAFETY: the number is the plugin's, and the functions have the forms that qemu wants.
    unsafe {
        qemu_plugin_register_vcpu_tb_trans_cb(plugin, translated);
        qemu_plugin_register_vcpu_syscall_cb(plugin, called);
    }
    0
}

/// A block was translated: it counts if it is of the program's own file.
unsafe extern "C" fn translated(_: u64, block: *mut Block) {
    // SAFETY: the block lives during this call. Its callback has a number for data.
    unsafe {
        let code = qemu_plugin_start_code()..qemu_plugin_end_code();
        if code.contains(&qemu_plugin_tb_vaddr(block)) {
            let count = qemu_plugin_tb_n_insns(block);
            (0..count).for_each(|number| look_at(qemu_plugin_tb_get_insn(block, number)));
            let count = std::ptr::without_provenance_mut(count);
            qemu_plugin_register_vcpu_tb_exec_cb(block, executed, 0, count);
        }
    }
}

/// Says once if an instruction reads the processor's counter of time: no plugin can answer it.
///
/// # Safety
///
/// The instruction is one of the block that is being translated.
unsafe fn look_at(instruction: *const Instruction) {
    static IS_TOLD: AtomicBool = AtomicBool::new(false);
    // SAFETY: qemu has just read its bytes there.
    let bytes = unsafe {
        let size = qemu_plugin_insn_size(instruction);
        std::slice::from_raw_parts(qemu_plugin_insn_haddr(instruction), size)
    };
    let is_counter = matches!(bytes, [0x0f, 0x31] | [0x0f, 0x01, 0xf9]);
    if is_counter && !IS_TOLD.swap(true, Ordering::Relaxed) {
        eprintln!(
            "ttd-cores: the program reads the processor's counter of time (rdtsc), which is the \
             host's in qemu: runs may differ"
        );
    }
}

/// A block of the program begins.
unsafe extern "C" fn executed(_: c_uint, count: *mut c_void) {
    // SAFETY: null, or a word of the program, whose addresses are those of this process.
    let Some(budget) = (unsafe { BUDGET.load(Ordering::Relaxed).as_ref() }) else { return };
    // No other thread runs such a block: there is no need of an atomic subtraction.
    let left = budget.load(Ordering::Relaxed) - count.addr() as i64;
    budget.store(left, Ordering::Relaxed);
    if left < 0 {
        spent();
    }
}

/// The budget is used up. The signal is there when the call returns, and qemu looks for one before
/// each block.
#[cold]
fn spent() {
    // SAFETY: a signal to the calling thread, for which the program has a handler.
    unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::gettid(), SPENT) };
}

/// The program calls the system.
unsafe extern "C" fn called(
    _: u64,
    _: c_uint,
    number: i64,
    first: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
    _: u64,
) {
    let word = std::ptr::with_exposed_provenance_mut::<AtomicI64>(first as usize);
    if number == TELL && holds(word, QUESTION) {
        // SAFETY: the library passes the address of a word that lives as long as the program.
        unsafe { (*word).store(ANSWER, Ordering::Relaxed) };
        BUDGET.store(word, Ordering::Relaxed);
    }
}

/// Whether a word is there and has this value. So it is if the program's addresses are those of
/// this process, as qemu has it where it can.
fn holds(word: *mut AtomicI64, value: i64) -> bool {
    // A wrong address fails here, where a look would end the process.
    let mut found = [0; size_of::<i64>()];
    let memory = File::open("/proc/self/mem");
    memory.is_ok_and(|memory| memory.read_exact_at(&mut found, word.addr() as u64).is_ok())
        && i64::from_ne_bytes(found) == value
}
