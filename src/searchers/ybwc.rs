//! Young Brothers Wait: a node may be shared once its eldest brothers have been searched and did
//! not cut off.
//!
//! The workers share the table, the split points (see [`super::splitting`] for locks and deadlock)
//! and, if so set, the history. A waiting owner is a helpful master: it helps only below its own
//! split point, so that it is never kept from its own work for long.
//!
//! Source: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree search", ICCA
//! Journal 12(2), 1989; Feldmann's thesis, Paderborn 1993.

use super::catalogue::{MOST_SPIN_US, Number};
use super::crew::Sharer;
use super::rule::Rule;
use crate::engine::MAX_MOVES;
use crate::search::{MAX_DEPTH, Node, NodeKind};
use serde::{Deserialize, Serialize};

/// The parameters: `[searcher.ybwc]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Eldest brothers to be searched before a split on the principal variation (1 or more). The
    /// second one is a long search too, and the table has its answers for those after it: with 1, two
    /// workers visit a sixth more nodes.
    pub eldest: usize,
    /// The same at nodes where a cutoff is expected (1 or more).
    pub eldest_at_cut: usize,
    /// The same at nodes where no cutoff is expected; 0 shares them at once.
    pub eldest_at_all: usize,
    /// Least depth of a split point, plies.
    pub min_depth: i32,
    /// Most workers at a split point, its owner included (2 or more).
    pub most_workers: usize,
    /// Which split point a free worker joins that was called to none.
    pub join: Join,
    /// Least depth of a split point that is made although nobody is free to join it, plies.
    pub ahead_depth: i32,
    /// Whether a raised alpha reaches helpers that are at work.
    pub shared_alpha: bool,
    /// Whether all workers learn the quiet moves' history together.
    pub shared_history: bool,
    /// Nodes between two looks at the split points above (1 or more).
    pub poll_nodes: u64,
    /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    pub spin_us: u64,
    /// One worker goes on at a time, for debugging.
    pub sequential: bool,
}

/// Which of several open split points a free worker joins that looks for itself: one that is called to a split point
/// goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Join {
    /// The one nearest to the root.
    Shallowest,
    /// The one farthest from the root.
    Deepest,
    /// The one with the most plies to search; of several, the one with the most moves left.
    MostWork,
    /// Any.
    Random,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            eldest: 2,
            eldest_at_cut: 1,
            eldest_at_all: 0,
            min_depth: 4,
            most_workers: 8,
            join: Join::MostWork,
            ahead_depth: 100,
            shared_alpha: true,
            shared_history: true,
            poll_nodes: 1,
            spin_us: 200,
            sequential: false,
        }
    }
}

impl Settings {
    /// Its numbers, and what they can be.
    pub(super) fn numbers(&self) -> [Number; 8] {
        let most_moves = MAX_MOVES as i64;
        [
            ("eldest", self.eldest as i64, (1, most_moves)),
            ("eldest_at_cut", self.eldest_at_cut as i64, (1, most_moves)),
            ("eldest_at_all", self.eldest_at_all as i64, (0, most_moves)),
            ("min_depth", self.min_depth.into(), (1, MAX_DEPTH.into())),
            ("ahead_depth", self.ahead_depth.into(), (1, MAX_DEPTH.into())),
            ("most_workers", self.most_workers as i64, (2, i64::MAX)),
            ("poll_nodes", self.poll_nodes as i64, (1, i64::MAX)),
            ("spin_us", self.spin_us as i64, (0, MOST_SPIN_US)),
        ]
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

impl Sharer for Settings {
    fn spin_us(&self) -> u64 {
        self.spin_us
    }

    fn one_at_a_time(&self) -> bool {
        self.sequential
    }

    fn shares_history(&self) -> bool {
        self.shared_history
    }
}
