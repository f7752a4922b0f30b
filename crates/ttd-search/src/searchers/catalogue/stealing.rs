//! Work stealing: each worker has a deque of its split points, and an idle worker steals the oldest
//! of another one.
//!
//! A worker that makes a split point pushes it at the young end of its deque. It takes it out there
//! when no move is left. An idle worker is a thief. It tries other workers' deques, from a victim
//! on that is drawn at random, and takes the oldest split point that it may join. If the split
//! point has more moves than the one that the thief takes, the thief pushes it into its own deque.
//! So the next thief comes to it there, as Cilk's do to a loop whose rest was stolen.
//!
//! Nobody is called to a split point. A thief that has tried all others in vain sleeps; a push
//! wakes one sleeper, which tries again. (Cilk's thieves never sleep, and draw every victim anew.)
//!
//! The nodes that may be shared are those of Young Brothers Wait, so that a comparison with `ybwc`
//! compares the schedulers. A recursive search has no continuation to steal: an owner must come
//! back itself. While it waits it steals below its own split point only.
//!
//! The workers share the deques, the split points (see `splitting.rs` for locks and deadlock) and,
//! as set, the table, the killers and the history.
//!
//! Sources: Blumofe and Leiserson, "Scheduling multithreaded computations by work stealing",
//! Journal of the ACM 46(5), 1999. Leiserson's lecture on speculative parallelism.

use crate::search::{Node, NodeKind};
use crate::searchers::sharers::steal_nodes;
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_DEPTH, MOST_MOVES, OwnMemory, Ran, Rule, Search, Sharing,
};
use crate::settings;

settings! { "stealing";
    about: "Work stealing: each worker has a deque of split points, and an idle worker steals the \
            oldest of a victim drawn at random. The nodes are those of Young Brothers Wait.";
    source: "Blumofe and Leiserson, \"Scheduling multithreaded computations by work stealing\", \
             Journal of the ACM 46(5), 1999 (Cilk); here of split points, whose owners must come \
             back.";
    /// Eldest brothers to be searched before a split on the principal variation (1 or more).
    eldest: usize = 2, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a split where a cutoff is expected (1 or more).
    eldest_at_cut: usize = 1, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a split where no cutoff is expected. With 0 such a
    /// node is shared at once.
    eldest_at_all: usize = 0, from 0, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Least depth of a split point that is made although no worker sleeps, plies. Cilk's workers
    /// make all of them.
    ahead_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Whether a raised alpha reaches helpers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history.
    history: Sharing = Sharing::Shared;
    /// Nodes between two looks at the split points above (1 or more).
    poll_nodes: u64 = 1, from 1, to MANY;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        steal_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        OwnMemory::in_deques(of, of.lines(self.min_depth))
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        let eldest = match node.kind {
            NodeKind::Pv => self.eldest,
            NodeKind::Cut => self.eldest_at_cut,
            NodeKind::All => self.eldest_at_all,
        };
        node.depth >= self.min_depth && handed >= eldest
    }

    fn ahead_of_need(&self, node: &Node) -> bool {
        node.depth >= self.ahead_depth
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn poll_nodes(&self) -> u64 {
        self.poll_nodes
    }
}
