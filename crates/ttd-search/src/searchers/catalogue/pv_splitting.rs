//! Splitting on the principal variation: only its nodes are shared, from the leaf up.
//!
//! Worker 0 goes down to the end of the principal variation. At each of its nodes, when the eldest
//! brother is done, the others are dealt out. All of them must be done before it goes back up.
//!
//! The workers share the split points (see `splitting.rs` for locks and deadlock) and, as set, the
//! table, the killers and the history.
//!
//! Source: Marsland and Campbell, "Parallel search of strongly ordered game trees", ACM Computing
//! Surveys 14(4), 1982.

use crate::engine::{RootSearch, Techniques};
use crate::search::{Node, NodeKind};
use crate::searchers::{
    Algorithm, Extent, Holding, MOST_DEPTH, MOST_MOVES, OwnMemory, Ran, Rule, Search, Sharing,
    share_nodes,
};
use crate::settings;

settings! { "pv-splitting";
    about: "Splitting on the principal variation, from its end up to the root. At each of its \
            nodes, the younger brothers are dealt out when the eldest has been searched. All must \
            be done before the next node.";
    source: "Marsland and Campbell, \"Parallel search of strongly ordered game trees\", ACM \
             Computing Surveys 14(4), 1982.";
    /// Eldest brothers that are searched before the others are dealt out (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history. Its older name is `shared_history`.
    history or "shared_history": Sharing = Sharing::Shared;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        OwnMemory::split_points(of, of.lines(self.min_depth), false)
    }

    fn fits(&self, techniques: &Techniques) -> Result<(), &'static str> {
        match techniques.root_search {
            RootSearch::Windows => Ok(()),
            RootSearch::MtdF => Err("another searcher expected with root_search = \"mtd-f\": all \
                 its windows are null. So no node is on the principal variation, and \
                 pv-splitting shares no other nodes"),
        }
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.kind == NodeKind::Pv && node.depth >= self.min_depth && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }
}
