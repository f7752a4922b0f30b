//! The one alpha-beta search. Every searcher uses it, and it knows none of them.
//!
//! A [`Worker`] visits nodes (`node`). Each has a prologue (table, null move, pruning), a
//! loop over its moves, and an epilogue (histories, table). One function, `turn`, searches every
//! move.
//!
//! A searcher takes part at two places. A [`Policy`] says when a subtree is not wanted any more,
//! and whether the rest of a node is shared. A [`MoveLoop`] hands out the moves of a node.
//!
//! | file | what it holds |
//! |---|---|
//! | `node`, `visit` | a node before and after its moves; its data, and its end without a score |
//! | `turn` | one move: pruned, extended, reduced, searched |
//! | `records` | what a node teaches the history |
//! | `quiescence` | captures to their end |
//! | `pruning`, `reductions` | pruning of nodes and of quiet moves; reductions of late moves |
//! | `move_loop` | hands out the moves of a node |
//! | `listed`, `listing` | a list of moves; orders that are known before |
//! | `policy` | what a searcher decides at a node; counts a node and asks whether to go on |
//! | `deepening` | iterations and windows; MTD(f) |
//! | `worker` | all that a worker owns |
//! | `counters` | all counters |
//! | `shared_state` | limits, record and observer of one search |
//! | `table`, `table_access` | look-ups and entries; how the workers of a search share the table |
//! | `dependencies` | which work needs which result, for the critical path |
//! | `ideal` | an idealised machine, for `ttd explain` |

mod counters;
mod deepening;
mod dependencies;
mod ideal;
mod listed;
mod listing;
mod move_loop;
mod node;
mod policy;
mod pruning;
mod quiescence;
mod records;
mod reductions;
mod shared_state;
mod table;
mod table_access;
mod turn;
mod visit;
mod worker;

pub use counters::{ByDepth, ByKind, Counter, Counters, LookUps, NodeKind};
pub use deepening::Window;
pub use dependencies::{Dependencies, Effect};
pub(crate) use ideal::{Fate, LATE, LONG_LOCK, SELDOM, STALE};
pub use ideal::{Fates, Ideal, IdealMachine, Planted};
pub use listed::{Listed, Unwanted};
pub use move_loop::{Flow, MoveLoop, Progress, Source, Turn, UnsharedMoves, Verdict};
pub use policy::{Alone, Policy, Shared};
pub use reductions::Reductions;
pub use shared_state::{GameContext, Iteration, Limits, News, SearchObserver, SharedState};
pub use table::Sought;
pub use table_access::{TableAccess, TableLock};
pub use visit::{Aborted, Line, MAX_PLY, Node, Visit};
pub use worker::{Frame, FramesAbout, Memory, Place, SharedRecords, Worker};

/// The greatest depth that can be asked for, plies.
pub const MAX_DEPTH: u8 = 100;
