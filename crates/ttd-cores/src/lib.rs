//! Virtual cores for the threads of another program.
//!
//! A program in machine code is made to count what it executes (a *hook*). A library that is
//! preloaded (`preload/`) takes over its threads, locks, waits and clocks. The thread with the
//! earliest virtual clock runs, and all others wait. So the program runs with any number of threads
//! on one core, and two runs with one seed are the same.
//!
//! | module | content |
//! |---|---|
//! | [`schedule`] | which thread runs next, and how long: plain data, without threads |
//! | [`assembler`] | the hook: assembler text in which every basic block counts its instructions |
//!
//! The command `ttd-cores` (`main.rs`) stands in for the assembler, tells the flags of compilers,
//! and runs a program with the library.

pub mod assembler;
pub mod schedule;
