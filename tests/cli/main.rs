//! The command line, as its users call it.
//!
//! All these tests are one program, and those of the search are another. Each is linked with
//! optimisation across crates, which takes far longer than the tests run.

mod commands;
mod common;
mod compare;
mod engines;
mod foreign;
mod foreign_engines;
mod hooked;
mod matches;
mod own_searcher;
mod quality;
mod resume;
mod run_options;
mod shards;
mod small_commands;
mod strangers;
mod tables;
mod uci;
mod uci_people;
mod variants;
mod virtual_cores;
