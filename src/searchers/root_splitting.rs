//! Root splitting: the moves of the root are dealt out to the workers, one at a time.
//!
//! The first moves are searched by worker 0 alone, for a lower bound; then every free worker takes the next
//! move until there is none. Alpha of the root is shared. The workers share the table, the root as a
//! split point (see [`super::splitting`] for locks and deadlock) and, if so set, the history.
//!
//! Source: the simplest idea of all, and nobody's in particular (Chess Programming Wiki, "Parallel Search");
//! so Henni and Gaci's engine does it with OpenMP.

use super::catalogue::{MOST_SPIN_US, Number};
use super::crew::Sharer;
use super::rule::Rule;
use crate::engine::MAX_MOVES;
use crate::search::Node;
use serde::{Deserialize, Serialize};

/// The parameters: `[searcher.root-splitting]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Moves that are searched before the others are dealt out (1 or more).
    pub eldest: usize,
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
            shared_alpha: true,
            shared_history: true,
            spin_us: 200,
            sequential: false,
        }
    }
}

impl Settings {
    /// Its numbers, and what they can be.
    pub(super) fn numbers(&self) -> [Number; 2] {
        [
            ("eldest", self.eldest as i64, (1, MAX_MOVES as i64)),
            ("spin_us", self.spin_us as i64, (0, MOST_SPIN_US)),
        ]
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
