//! The command line, as its users call it.
//!
//! One program for all these tests, and one for those of the search: each is linked with
//! optimisation across crates, which takes far longer than it runs.

mod bad_input;
mod commands;
mod common;
mod compare;
mod detail;
mod doctor;
mod engines;
mod formats;
mod matches;
mod own_searcher;
mod perft;
mod resume;
mod tables;
mod trace;
mod tune;
mod uci;
mod until;
mod variants;
mod virtual_cores;
