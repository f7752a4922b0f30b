//! Root splitting: the moves of the root are dealt out to the workers, one at a time.
//!
//! The first moves are searched by worker 0 alone, for a lower bound. Then every free worker takes
//! the next move until there is none. Alpha of the root is shared.
//!
//! The workers share the root as a split point (see `splitting.rs` for locks and deadlock) and, as
//! set, the table, the killers and the history.
//!
//! Source: the simplest idea of all, without a known author (Chess Programming Wiki, "Parallel
//! Search"). Henni and Gaci's engine does it with OpenMP.

mod by_messages;

use crate::search::Node;
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_MOVES, OwnMemory, Parameters, Ran, Rule, Search,
    Sharing, share_nodes,
};
use crate::settings;
use by_messages::Terms;

settings! { "root-splitting";
    about: "Root splitting: when the first move of the root has been searched, the others are \
            dealt out to the workers, one at a time. Alpha is shared.";
    source: "The simplest idea, of no known author; the OpenMP engine of Henni and Gaci has it.";
    /// Moves that are searched before the others are dealt out (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// Where workers meet by messages alone: nodes between two looks for messages of a worker that
    /// searches.
    look_every: u64 = 1000, from 1, to MANY;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history. Its older name is `shared_history`.
    history or "shared_history": Sharing = Sharing::Shared;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        if search.is_by_messages() {
            let Settings { eldest, shared_alpha, look_every, .. } = *self;
            return by_messages::search(search, Terms { eldest, shared_alpha, look_every });
        }
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        OwnMemory::split_points(of, 1, false) // the root
    }

    fn fits_messages(&self) -> Result<(), &'static str> {
        self.common_settings().fits_messages()
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.ply == 0 && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }
}
