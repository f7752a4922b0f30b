//! Root splitting: the moves of the root are dealt out to the workers, one at a time.
//!
//! The first moves are searched by worker 0 alone, for a lower bound; then every free worker takes the next
//! move until there is none. Alpha of the root is shared. The workers share the root as
//! a split point (see [`super::splitting`] for locks and deadlock) and, as set, the table, the killers and the history.
//!
//! Source: the simplest idea of all, and nobody's in particular (Chess Programming Wiki, "Parallel Search");
//! so Henni and Gaci's engine does it with OpenMP.

use super::rule::Rule;
use super::settings::{Holding, MOST_MOVES, Sharing, settings};
use crate::search::Node;

settings! { "root-splitting";
    /// Moves that are searched before the others are dealt out (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
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
        node.ply == 0 && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }
}
