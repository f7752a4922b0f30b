//! The policy of workers that share nodes, by any rule.
//!
//! A worker makes a [`SplitPoint`] of a node, announces it, and searches its moves; free workers
//! join. When no move is left the owner waits for its helpers. Meanwhile it helps below its own
//! node (the "helpful master" of Feldmann and others) or, if the rule allows it, for a time
//! anywhere. A worker polls the chain of split points above it, and so hears of a cutoff in any of
//! them.
//!
//! Free workers look for split points at a board of all of them or of a group, or in a deque of
//! each ([`OpenSplits`]). Help differs with it (`helping`). A worker is called to a split point of
//! a board, and a thief takes one out of a deque.
//!
//! Locks: a section is around each board of open split points, and around each deque. There is one
//! in each split point, and one around the invitation to each worker. Several leaders have one
//! around their iterations (`ahead`). The state of the search has
//! two more: its record and its timelines. The table has sections too, if so set. No worker is ever
//! in two sections at once: a section borrows the core, so its body cannot enter another one. No
//! worker waits inside a section.
//!
//! No deadlock: an owner waits only for its own helpers. They joined after the split point was
//! made, and all that such a helper has begun since then is later still. If it waits now, it waits
//! for the helpers of a split point that is newer than this one. This also holds where the rule
//! lets an owner help elsewhere (`Rule::nesting`). Waits lead to later and later split points, of
//! which there are finitely many: every wait ends. A worker that leaves the list of idle workers
//! may wait for a call. The worker that is about to call does not wait. A thief that finds nothing
//! tries all deques once more for each push that it has missed.

pub(super) mod helping;
#[cfg(all(test, loom))]
mod models;
mod sharing;
#[cfg(test)]
mod tests;
pub(super) mod working;

use super::board::OpenSplits;
use super::histories::Histories;
use super::rule::Rule;
use super::split_point::SplitPoint;
use crate::cores::Core;
use crate::engine::mix;
use crate::search::{Ideal, IdealMachine, MAX_DEPTH, Planted, Worker};
use std::sync::Arc;

/// The policy of one worker that shares nodes. Each worker owns its policy.
pub struct Splitting<'s, R> {
    open: &'s OpenSplits,
    rule: &'s R,
    histories: &'s Histories,
    /// Whether there is no other worker to share with.
    alone: bool,
    /// The innermost split point that the worker works for.
    current: Option<Arc<SplitPoint>>,
    /// The iteration that it leads, if there are several at once; 1 otherwise.
    pub(super) leads: i32,
    /// The nodes that it kept in each iteration, as leader or as a free worker.
    pub(super) kept: [u64; MAX_DEPTH as usize + 1],
    /// The visits to split points that do not lie below one that this worker owns and waits at.
    /// They lie one inside the other.
    nested: usize,
    /// The worker's split point whose helpers it waits for now: that of the innermost wait.
    home: Option<Arc<SplitPoint>>,
    /// The value of `cuts` at the last look at the chain above.
    seen: u64,
    coin: u64,
}

/// A worker that shares nodes.
type Sharing<'s, 'p, C, R> = Worker<'s, C, Splitting<'p, R>>;

/// The idealised machine of a search; none on real cores.
#[inline]
fn machine<'s, C: Core, R>(worker: &Sharing<'s, '_, C, R>) -> Option<&'s IdealMachine> {
    if C::COUNTS_WORK { worker.shared.machine } else { None }
}

/// The defect that a test planted, unless the machine is `mended`.
fn planted<C: Core, R>(
    worker: &Sharing<'_, '_, C, R>,
    mended: impl FnOnce(Ideal) -> bool,
) -> Option<Planted> {
    let ideal = machine(worker)?.ideal;
    ideal.planted.filter(|_| !mended(ideal))
}

/// Does something at a split point. Its sections have no price if work is found at once, and no
/// helper is there.
#[inline]
fn priced<'s, 'p, C: Core, R, T>(
    worker: &mut Sharing<'s, 'p, C, R>,
    split: &SplitPoint,
    body: impl FnOnce(&mut Sharing<'s, 'p, C, R>) -> T,
) -> T {
    let alone = machine(worker).is_some_and(|of| of.ideal.found_at_once && split.helpers() == 0);
    worker.core.enter_at_no_price(alone);
    let result = body(worker);
    worker.core.enter_at_no_price(false);
    result
}

impl<'s, R: Rule> Splitting<'s, R> {
    /// The policy of one worker, with its own random numbers.
    pub(super) const fn new(
        open: &'s OpenSplits,
        rule: &'s R,
        histories: &'s Histories,
        seed: u64,
    ) -> Splitting<'s, R> {
        Splitting {
            open,
            rule,
            histories,
            alone: open.workers() == 1,
            current: None,
            leads: 1,
            kept: [0; MAX_DEPTH as usize + 1],
            nested: 0,
            home: None,
            seen: 0,
            coin: seed,
        }
    }

    /// Works for `split` from now on; returns the split point that it worked for before.
    fn turn_to(&mut self, split: Option<Arc<SplitPoint>>) -> Option<Arc<SplitPoint>> {
        self.seen = u64::MAX;
        std::mem::replace(&mut self.current, split)
    }

    /// Whether the worker waits for helpers, and all of them have left.
    fn may_go_home(&self) -> bool {
        self.home.as_ref().is_some_and(|own| own.helpers() == 0)
    }

    fn toss(&mut self) -> u64 {
        // The generator is SplitMix64 (Steele, Lea and Flood): a few operations for each number.
        self.coin = self.coin.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.coin)
    }
}
