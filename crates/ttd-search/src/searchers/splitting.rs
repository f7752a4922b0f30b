//! The policy of workers that share nodes, whatever the rule by which they do.
//!
//! A worker makes a [`SplitPoint`] of a node, announces it, and searches its moves; free workers
//! join. When no move is left the owner waits for its helpers, and meanwhile helps below its own
//! node (the helpful master), or, if the rule lets it, for a time anywhere. A cutoff reaches every worker below it
//! by polling up the chain of split points.
//!
//! Locks and deadlock: there is a section around the board of open split points, one in each split
//! point, and one around the letter to each worker (and, if so set, those of the table). No worker is ever in two
//! sections at once, and none waits inside one. An owner waits only for its own helpers. These joined after the
//! split point was made; all that lies on top of such a helper's part on its stack began later still; so if the helper
//! waits as an owner itself, it is for a split point made later. Waits lead to later and later split points, of
//! which there are finitely many: every wait ends. (And who leaves the list of idle workers waits for a call that
//! another one, who does not wait, is about to make.)

pub(super) mod helping;
#[cfg(all(test, loom))]
mod models;
mod sharing;
#[cfg(test)]
mod tests;
mod working;

use super::board::OpenSplits;
use super::learnt::Learnt;
use super::rule::Rule;
use super::split_point::SplitPoint;
use crate::search::Worker;
use std::sync::Arc;

/// The policy of one worker that shares nodes. Owned by it.
pub struct Splitting<'s, R> {
    open: &'s OpenSplits,
    rule: &'s R,
    learnt: &'s Learnt,
    /// Whether there is nobody to share with.
    alone: bool,
    /// The innermost split point that the worker works for.
    current: Option<Arc<SplitPoint>>,
    /// Visits to split points that do not lie below an own one that waits, one inside the other.
    nested: usize,
    /// The own split point that the innermost of these visits shortens the wait for.
    home: Option<Arc<SplitPoint>>,
    /// `cuts` at the last look at the chain above.
    seen: u64,
    coin: u64,
}

/// Such a worker.
type Sharing<'s, 'p, C, R> = Worker<'s, C, Splitting<'p, R>>;

impl<'s, R: Rule> Splitting<'s, R> {
    /// The policy of one worker, with its own random numbers.
    pub(super) const fn new(
        open: &'s OpenSplits,
        rule: &'s R,
        learnt: &'s Learnt,
        seed: u64,
    ) -> Splitting<'s, R> {
        Splitting {
            open,
            rule,
            learnt,
            alone: open.workers() == 1,
            current: None,
            nested: 0,
            home: None,
            seen: 0,
            coin: seed,
        }
    }

    /// Works for `split` from now on; returns what it worked for before.
    fn turn_to(&mut self, split: Option<Arc<SplitPoint>>) -> Option<Arc<SplitPoint>> {
        self.seen = u64::MAX;
        std::mem::replace(&mut self.current, split)
    }

    /// Whether it visits somewhere while it waits for helpers, and they have left.
    fn may_go_home(&self) -> bool {
        self.home.as_ref().is_some_and(|own| own.helpers() == 0)
    }

    fn toss(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea and Flood): a few operations for each number.
        self.coin = self.coin.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.coin;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
