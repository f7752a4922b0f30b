//! The parallel algorithms, one file each, and the split point that some of them share.
//!
//! | file | what it holds |
//! |---|---|
//! | `board` | where open split points are announced and idle workers are called |
//! | `catalogue` | the searchers by name, and their parameters |
//! | `costs` | what things cost on virtual cores, by searcher |
//! | `crew` | the workers of a searcher that shares nodes |
//! | `kit` | what each of several workers brings along |
//! | `lab` | what lives from search to search; a task in, an outcome out |
//! | `rule` | what the searchers that share nodes differ in |
//! | `sequential`, `root_splitting`, `pv_splitting`, `ybwc`, `lazy_smp` | an algorithm each |
//! | `split_point` | a node that several workers search together |
//! | `splitting` | the policy of workers that make and join split points |

mod board;
mod catalogue;
mod costs;
mod crew;
mod kit;
mod lab;
pub mod lazy_smp;
pub mod pv_splitting;
pub mod root_splitting;
mod rule;
mod sequential;
mod split_point;
mod splitting;
pub mod ybwc;

pub use crate::search::Iteration;
pub use catalogue::{Impossible, Searcher, Settings};
pub use costs::Costs;
pub use lab::{Lab, LabError, Outcome, Status, Task};
