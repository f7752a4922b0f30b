//! The command line, as its users call it.
//!
//! One program for all these tests, and one for those of the search: each is linked with
//! optimisation across crates, which takes far longer than it runs.

mod commands;
mod common;
mod compare;
mod detail;
mod engines;
mod matches;
mod perft;
mod resume;
mod trace;
mod tune;
mod uci;
mod variants;
mod virtual_cores;
