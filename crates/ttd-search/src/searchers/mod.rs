//! The parallel algorithms, one file each, and the split point that some of them share.
//!
//! | file | what it holds |
//! |---|---|
//! | `ahead` | several iterations under way at once, and their leaders |
//! | `algorithm` | the parts of a searcher: its parameters, its search, its description |
//! | `board` | the boards of open split points, and the lists of idle workers |
//! | `catalogue` | the searchers, a file each, and the list of them |
//! | `cluster` | a virtual cluster: ranks, their memory, and the costs of messages |
//! | `common_settings` | the settings that every searcher has |
//! | `costs` | the cost models of virtual cores, by searcher |
//! | `declare` | the macro with which a searcher declares its parameters |
//! | `desk` | the divided nodes in which a worker takes part that shares no memory |
//! | `division` | a node whose moves are divided among groups of workers |
//! | `histories` | the killers and histories of workers, shared or private |
//! | `lab` | the lab, which lives from search to search: a task in, an outcome out |
//! | `led` | workers that share no memory: one leads the division of a node, the others obey |
//! | `letters` | letters between workers that share no memory |
//! | `mailboxes` | the mailboxes in which idle workers are called |
//! | `memory_use` | the memory that a search takes, by part |
//! | `move_marks` | the table of marked moves: those that some worker is searching now |
//! | `rule` | the decisions in which searchers that share nodes differ |
//! | `searcher` | a searcher by its name |
//! | `settings` | the parameters of all searchers |
//! | `sharers` | the team of a searcher that shares nodes by a rule |
//! | `split_point` | a node that several workers search together |
//! | `splitting` | the policy of workers that make and join split points |
//! | `steps` | the steps of every worker that splits a node or joins one |
//! | `team` | the workers of any searcher: how each is set up, searches, and is done |
//! | `two_passes` | a node whose moves are put off while others search them |

mod ahead;
mod algorithm;
mod board;
pub mod catalogue;
mod cluster;
mod common_settings;
mod costs;
mod declare;
mod desk;
mod division;
mod histories;
mod lab;
mod led;
mod letters;
mod mailboxes;
mod memory_use;
#[cfg(all(test, loom))]
mod models;
mod move_marks;
mod rule;
mod searcher;
mod settings;
mod sharers;
mod split_point;
mod splitting;
mod steps;
mod team;
mod two_passes;

pub use crate::search::{GameContext, Iteration, TableLock};
pub use algorithm::{Algorithm, Description, Field, Parameters};
pub use cluster::Cluster;
pub use common_settings::{CommonSettings, Holding, Sharing};
pub use costs::Costs;
pub use declare::{MANY, MOST_DEPTH, MOST_MOVES, MOST_RECORD, MOST_SPIN_US};
pub use histories::Histories;
pub use lab::{Lab, LabError, Outcome, Status, Task};
pub use memory_use::{Extent, MemoryUse, OwnMemory};
pub use rule::{Need, Rule, groups};
pub use searcher::Searcher;
pub use settings::{Impossible, Settings};
pub use sharers::share_nodes;
pub use splitting::Splitting;
pub use team::{MessageTeam, Ran, Returned, Search, Team};
