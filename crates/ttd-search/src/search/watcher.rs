//! Who follows a search from outside, while it runs.

use super::node::Line;
use super::session::{Iteration, Session};
use crate::engine::{Bound, Move, Score};

/// Something of a search that is worth telling.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// An iteration was completed, deeper than all before.
    Iteration(&'a Iteration),
    /// The first worker's search of the root left its window, and is done again with another: after an aspiration window
    /// with a wider one, in MTD(f) with the next test.
    Outside {
        /// Plies.
        depth: i32,
        /// What it came to.
        score: Score,
        /// What that says of the true score: [`Bound::Lower`] or [`Bound::Upper`].
        bound: Bound,
        /// The best line; empty where no move reached the window.
        line: &'a Line,
    },
    /// The first worker begins a move of the root.
    RootMove {
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
}

/// Follows a search from outside. Called by its workers, of whom several may come at once, and while none of them
/// holds anything shared: it may print.
pub trait Watcher: Sync {
    /// Takes news; of two workers' iterations the deeper may come first.
    fn hear(&self, session: &Session<'_>, news: News<'_>);

    /// Whether to give the search up. Asked by every worker at least every 1,024 of its nodes, and after every iteration.
    fn is_enough(&self) -> bool;
}
