//! Young Brothers Wait: a node may be shared once its eldest brothers have been searched and did
//! not cut off.
//!
//! The workers share the split points (see `splitting.rs` for locks and deadlock) and, as set, the
//! table, the killers and the history. A waiting owner is a helpful master: it helps only below its
//! own split point. So it is never kept from its own work for long.
//!
//! A second class of work can be set: nodes whose eldest brothers have not been searched. Free
//! workers take it where there is none of the first class, one move at a time. They look for the
//! first class again before the next move. (Ura suspends such work as soon as there is better. In a
//! recursive search a move that was begun is finished.)
//!
//! Sources: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree search", ICCA
//! Journal 12(2), 1989; Feldmann's thesis, Paderborn 1993. Ura, Yokoyama and Chikayama, "Two-level
//! task scheduling for parallel game tree search based on necessity", Journal of Information
//! Processing 21(1), 2013.

use crate::engine::MAX_MOVES;
use crate::search::{Node, NodeKind};
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_DEPTH, MOST_MOVES, OwnMemory, Ran, Rule, Search,
    Sharing, groups, share_nodes,
};
use crate::settings;
use serde::{Deserialize, Serialize};

settings! { "ybwc";
    about: "Young Brothers Wait: several workers may search the younger brothers of a node \
            once the eldest has been searched and did not cut off.";
    source: "Feldmann, Monien, Mysliwietz and Vornberger, \"Distributed game-tree search\", ICCA \
             Journal 12(2), 1989; here on shared memory, with a helpful owner.";
    /// Eldest brothers to be searched before a split on the principal variation (1 or more). The
    /// second one is a long search too, and later brothers find its answers in the table. With 1,
    /// two workers visit a sixth more nodes.
    eldest: usize = 2, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a split where a cutoff is expected (1 or more).
    eldest_at_cut: usize = 1, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a split where no cutoff is expected. With 0 such a
    /// node is shared at once.
    eldest_at_all: usize = 0, from 0, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Most workers at a split point, its owner included (2 or more).
    most_workers: usize = 8, from 2, to MANY;
    /// The split point that a free worker joins if it was not called to one.
    join: Join = Join::MostWork;
    /// Least depth of a split point that is made although no worker is free to join it, plies.
    ahead_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Least depth of a split point that is made although its eldest brothers have not been
    /// searched, plies.
    second_class_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Workers to each board of open split points. With 16, 64 workers have four boards. With 0 all
    /// share one.
    workers_per_board: usize = 0, from 0, to MANY;
    /// Whether a raised alpha reaches helpers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history. Its older name is `shared_history`.
    history or "shared_history": Sharing = Sharing::Shared;
    /// Nodes between two looks at the split points above (1 or more).
    poll_nodes: u64 = 1, from 1, to MANY;
}

/// The open split point that a free worker chooses. A worker that is called to a split point goes
/// there without a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Join {
    /// The one nearest to the root.
    Shallowest,
    /// The one farthest from the root.
    Deepest,
    /// The one with the most plies to search; among equals, the one with the most moves left.
    MostWork,
    /// Any of them, by chance.
    Random,
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        let boards = self.boards(of.threads) - 1;
        OwnMemory::split_points(of, of.lines(self.min_depth), false).and_boards(boards)
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.depth >= self.min_depth
            && (self.is_likely_needed(node, handed) || node.depth >= self.second_class_depth)
    }

    fn is_likely_needed(&self, node: &Node, done: usize) -> bool {
        let eldest = match node.kind {
            NodeKind::Pv => self.eldest,
            NodeKind::Cut => self.eldest_at_cut,
            NodeKind::All => self.eldest_at_all,
        };
        done >= eldest
    }

    fn ahead_of_need(&self, node: &Node) -> bool {
        node.depth >= self.ahead_depth
    }

    fn boards(&self, workers: usize) -> usize {
        groups(workers, self.workers_per_board)
    }

    fn most_workers(&self) -> usize {
        self.most_workers
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn poll_nodes(&self) -> u64 {
        self.poll_nodes
    }

    fn worth(&self, node: &Node, left: usize, coin: u64) -> i64 {
        match self.join {
            Join::Shallowest => -(node.ply as i64),
            Join::Deepest => node.ply as i64,
            Join::MostWork => i64::from(node.depth) * MAX_MOVES as i64 + left as i64,
            Join::Random => (coin >> 1) as i64,
        }
    }
}
