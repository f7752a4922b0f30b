//! The parallel algorithms, one file each, and the split point that some of them share.
//!
//! | file | what it holds |
//! |---|---|
//! | `begun` | the moves that are being searched at this moment |
//! | `board` | where open split points are announced and idle workers are called |
//! | `catalogue` | the searchers by name, and their parameters |
//! | `costs` | what things cost on virtual cores, by searcher |
//! | `division` | a node whose moves are divided among groups of workers |
//! | `fits` | which searcher has nothing to do under which techniques |
//! | `lab` | what lives from search to search; a task in, an outcome out |
//! | `learnt` | what workers learn of quiet moves, and whose it is |
//! | `rule` | what the searchers that share nodes differ in |
//! | `sequential`, `root_splitting`, `recursive_splitting`, `pv_splitting`, `jamboree`, `ybwc`, `dts`, `abdada`, `lazy_smp` | an algorithm each |
//! | `settings` | how a searcher declares its parameters |
//! | `sharers` | the team of a searcher that shares nodes by a rule |
//! | `split_point` | a node that several workers search together |
//! | `splitting` | the policy of workers that make and join split points |
//! | `team` | the workers of any searcher: how each is set up, searches, and is done |
//! | `two_passes` | a node whose moves are put off while others search them |

pub mod abdada;
mod begun;
mod board;
mod catalogue;
mod costs;
mod division;
pub mod dts;
#[cfg(test)]
#[allow(unreachable_pub, reason = "as the guide shows it")]
mod example;
mod fits;
pub mod jamboree;
mod lab;
pub mod lazy_smp;
mod learnt;
#[cfg(all(test, loom))]
mod models;
pub mod pv_splitting;
pub mod recursive_splitting;
pub mod root_splitting;
mod rule;
mod sequential;
mod settings;
mod sharers;
mod split_point;
mod splitting;
mod team;
mod two_passes;
pub mod ybwc;

pub use crate::search::Iteration;
pub use catalogue::{Impossible, Searcher, Settings};
pub use costs::Costs;
pub use lab::{Game, Lab, LabError, Outcome, Status, Task};
pub use settings::{Holding, Sharing, TableLock};
