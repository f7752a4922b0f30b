//! The parallel algorithms, one file each, and the split point that some of them share.
//!
//! | file | what it holds |
//! |---|---|
//! | `algorithm` | what a searcher is: parameters that know how to search, and what it says of itself |
//! | `begun` | the moves that are being searched at this moment |
//! | `board` | where open split points are announced and idle workers are called |
//! | `catalogue` | the searchers, a file each, and the list of them |
//! | `conditions` | what the workers of every searcher have in common |
//! | `costs` | what things cost on virtual cores, by searcher |
//! | `declare` | how a searcher declares its parameters |
//! | `division` | a node whose moves are divided among groups of workers |
//! | `lab` | what lives from search to search; a task in, an outcome out |
//! | `learnt` | what workers learn of quiet moves, and whose it is |
//! | `rule` | what the searchers that share nodes differ in |
//! | `searcher` | a searcher by its name |
//! | `settings` | the parameters of all searchers |
//! | `sharers` | the team of a searcher that shares nodes by a rule |
//! | `split_point` | a node that several workers search together |
//! | `splitting` | the policy of workers that make and join split points |
//! | `team` | the workers of any searcher: how each is set up, searches, and is done |
//! | `two_passes` | a node whose moves are put off while others search them |

mod algorithm;
mod begun;
mod board;
pub mod catalogue;
mod conditions;
mod costs;
mod declare;
mod division;
mod lab;
mod learnt;
#[cfg(all(test, loom))]
mod models;
mod rule;
mod searcher;
mod settings;
mod sharers;
mod split_point;
mod splitting;
mod team;
mod two_passes;

pub use crate::search::Iteration;
pub use algorithm::{Algorithm, Description, Field, Parameters};
pub use conditions::{Conditions, Holding, Sharing, TableLock};
pub use costs::Costs;
pub use declare::{MANY, MOST_DEPTH, MOST_MOVES, MOST_SPIN_US};
pub use lab::{Game, Lab, LabError, Outcome, Status, Task};
pub use learnt::Learnt;
pub use rule::Rule;
pub use searcher::Searcher;
pub use settings::{Impossible, Settings};
pub use sharers::share_nodes;
pub use splitting::Splitting;
pub use team::{Ran, Returned, Search, Team};
