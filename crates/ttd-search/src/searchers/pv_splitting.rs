//! Splitting on the principal variation: only its nodes are shared, from the leaf up.
//!
//! Worker 0 goes down to the end of the principal variation. At each of its nodes, when the eldest
//! brother is done, the others are dealt out; all of them must be done before it goes back up. The workers
//! share the split points (see [`super::splitting`] for locks and deadlock) and, as set,
//! the table, the killers and the history.
//!
//! Source: Marsland and Campbell, "Parallel search of strongly ordered game trees", ACM Computing Surveys
//! 14(4), 1982.

use super::rule::Rule;
use super::settings::{Holding, MOST_DEPTH, MOST_MOVES, Sharing, settings};
use crate::search::{Node, NodeKind};

settings! { "pv-splitting";
    /// Eldest brothers that are searched before the others are dealt out (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// Whose the entries of the table are.
    table: Holding = Holding::Shared;
    /// Whose the killers are: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// Whose the quiet moves' history is; once `shared_history`.
    #[serde(alias = "shared_history")]
    history: Sharing = Sharing::Shared;
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.kind == NodeKind::Pv && node.depth >= self.min_depth && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }
}
