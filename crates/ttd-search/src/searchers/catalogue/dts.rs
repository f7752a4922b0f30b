//! Dynamic tree splitting: a free worker looks at the trees that all busy workers have published,
//! and joins where the most work is likely left.
//!
//! Every worker publishes nodes on its way as split points, from some depth on, whether others are
//! free or not. Together they are its tree. A free worker chooses among the nodes of all workers:
//! 1. nodes where no cutoff is expected come first;
//! 2. then the deepest;
//! 3. then the one with the most moves left.
//!
//! A node where a cutoff is expected is published only after `eldest_at_cut` moves have failed to
//! cut off. After that a cutoff is hardly likely any more.
//!
//! The search of Cray Blitz is iterative, and its state is a structure of data. The worker that
//! finishes last at a split point goes on above it. In a recursive search the owner cannot hand
//! over its continuation: it must come back itself. So a waiting owner helps wherever there is
//! work, on top of its own stack, with at most `nesting` such visits one inside the other. After
//! that it helps below its own split point only. A second difference: Cray Blitz makes the split
//! point when a worker is idle. Here it was made before, and an idle worker joins it.
//!
//! The workers share the split points (see `splitting.rs` for locks and deadlock) and, as set, the
//! table, the killers and the history.
//!
//! Source: R. Hyatt, "The dynamic tree-splitting parallel search algorithm", ICCA Journal 20(1),
//! 1997.

use crate::engine::MAX_MOVES;
use crate::search::{Node, NodeKind};
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_DEPTH, MOST_MOVES, OwnMemory, Ran, Rule, Search,
    Sharing, groups, share_nodes,
};
use crate::settings;

settings! { "dts";
    about: "Dynamic tree splitting: every worker publishes its tree. An idle worker looks at all \
            trees and joins where the most work is likely left, never where a cutoff is likely.";
    source: "Hyatt, \"The dynamic tree-splitting parallel search algorithm\", ICCA Journal 20(1), \
             1997 (Cray Blitz); here on a recursive search, in which owners must come back.";
    /// Eldest brothers to be searched before a node on the principal variation is published (1 or
    /// more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a node where a cutoff is expected is published. A
    /// cutoff is hardly expected when so many have failed to cut off.
    eldest_at_cut: usize = 3, from 1, to MOST_MOVES;
    /// Least depth of a node that is published, plies.
    publish_depth: i32 = 6, from 1, to MOST_DEPTH;
    /// Least depth of a node that is published when a worker is idle, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Visits to other workers' nodes, one inside the other, on the stack of an owner that waits.
    /// With 0 it helps below its own node only.
    nesting: usize = 2, from 0, to MOST_NESTING;
    /// Workers to each board of open split points. With 16, 64 workers have four boards. With 0 all
    /// share one.
    workers_per_board: usize = 0, from 0, to MANY;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history.
    history: Sharing = Sharing::Shared;
}

/// The most visits: each takes room on a stack of a fixed size.
const MOST_NESTING: i64 = 4;

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        let count = of.lines(self.min_depth) * (1 + self.nesting);
        let split_points = OwnMemory::split_points(of, count, false);
        split_points.and_boards(self.boards(of.threads) - 1).and_places(of, self.nesting)
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        let eldest = match node.kind {
            NodeKind::Pv => self.eldest,
            NodeKind::Cut => self.eldest_at_cut,
            NodeKind::All => 0,
        };
        node.depth >= self.min_depth && handed >= eldest
    }

    fn ahead_of_need(&self, node: &Node) -> bool {
        node.depth >= self.publish_depth
    }

    fn nesting(&self) -> usize {
        self.nesting
    }

    fn boards(&self, workers: usize) -> usize {
        groups(workers, self.workers_per_board)
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn worth(&self, node: &Node, left: usize, _coin: u64) -> i64 {
        let work = i64::from(node.depth) * MAX_MOVES as i64 + left as i64;
        if node.kind == NodeKind::Cut { work - (MAX_MOVES * 128) as i64 } else { work }
    }
}
