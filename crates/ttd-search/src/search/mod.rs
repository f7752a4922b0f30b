//! The one alpha-beta. Every searcher uses it, and it knows none of them.
//!
//! A [`Worker`] visits nodes ([`node`](self)): prologue (table, null move, pruning), then a loop
//! over moves, each searched by one function (`turn`), then the epilogue (histories, table). A
//! searcher comes in at two places: a [`Policy`] says when a subtree is not wanted any more and
//! whether the rest of a node is shared, and a [`MoveLoop`] hands out the moves of a node.

mod counters;
mod deepening;
mod dependencies;
mod listing;
mod move_loop;
mod mtd;
mod node;
mod policy;
mod pruning;
mod quiescence;
mod reductions;
mod session;
mod table;
mod turn;
mod watcher;
mod worker;

pub use counters::{ByDepth, ByKind, Counters, LookUps, NodeKind};
pub use deepening::Window;
pub use dependencies::{Dependencies, Effect};
pub use move_loop::{Flow, Listed, MoveLoop, Owned, Progress, Source, Turn, Verdict};
pub use node::{Line, Node, Visit};
pub use policy::{Aborted, Alone, Policy, Shared};
pub use pruning::Unwanted;
pub use reductions::Reductions;
pub use session::{Iteration, Limits, Session};
pub use table::{Sought, TableAccess};
pub use watcher::{News, Watcher};
pub use worker::{Frame, FramesAbout, MAX_PLY, Memory, Place, Worker};

/// The greatest depth that can be asked for, plies.
pub const MAX_DEPTH: u8 = 100;
