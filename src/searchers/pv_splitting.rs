//! Splitting on the principal variation: only its nodes are shared, from the leaf up.
//!
//! Worker 0 goes down to the end of the principal variation. At each of its nodes, when the eldest
//! brother is done, the others are dealt out; all of them must be done before it goes back up. The workers
//! share the table, the split points (see [`super::splitting`] for locks and deadlock) and, if so set, the
//! history.
//!
//! Source: Marsland and Campbell, "Parallel search of strongly ordered game trees", ACM Computing Surveys
//! 14(4), 1982.

use super::catalogue::{MOST_SPIN_US, Number};
use super::crew::Sharer;
use super::rule::Rule;
use crate::engine::MAX_MOVES;
use crate::search::{MAX_DEPTH, Node, NodeKind};
use serde::{Deserialize, Serialize};

/// The parameters: `[searcher.pv-splitting]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Eldest brothers that are searched before the others are dealt out (1 or more).
    pub eldest: usize,
    /// Least depth of a split point, plies.
    pub min_depth: i32,
    /// Whether a raised alpha reaches workers that are at work.
    pub shared_alpha: bool,
    /// Whether all workers learn the quiet moves' history together.
    pub shared_history: bool,
    /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    pub spin_us: u64,
    /// One worker goes on at a time, for debugging.
    pub sequential: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            eldest: 1,
            min_depth: 4,
            shared_alpha: true,
            shared_history: true,
            spin_us: 200,
            sequential: false,
        }
    }
}

impl Settings {
    /// Its numbers, and what they can be.
    pub(super) fn numbers(&self) -> [Number; 3] {
        [
            ("eldest", self.eldest as i64, (1, MAX_MOVES as i64)),
            ("min_depth", self.min_depth.into(), (1, MAX_DEPTH.into())),
            ("spin_us", self.spin_us as i64, (0, MOST_SPIN_US)),
        ]
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
