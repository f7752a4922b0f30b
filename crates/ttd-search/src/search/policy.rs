//! The part of a searcher in a node: when to give the node up, and whether to share it. The visit
//! to a node, which counts it and asks.

use super::{Aborted, Node, UnsharedMoves, Worker};
use crate::cores::{Core, Cost};
use crate::engine::{Entry, Position, Score};

/// The outcome of the question whether the rest of a node's moves is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Nothing was shared: the node goes on by itself.
    No,
    /// All workers together have searched the rest, or this one by a loop of its own. The node's
    /// loop holds the result.
    Done,
    /// Another worker has found the score meanwhile. It is in the table.
    Known(Score),
}

/// The places at which a searcher takes part in a node. All default to "no" and compile away.
///
/// An example of workers that search the whole tree, each by itself, and meet in the table alone:
///
/// ```
/// use ttd_search::cores::{Core, State};
/// use ttd_search::search::{Policy, Worker};
/// use ttd_search::searchers::{Histories, Ran, Search, Team};
///
/// struct Alike;
///
/// impl<C: Core> Policy<C> for Alike {
///     fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
///         worker.core.ended()
///     }
/// }
///
/// struct All;
///
/// impl Team for All {
///     const HAS_CRITICAL_PATH: bool = false;
///
///     type Policy<'t> = Alike;
///
///     fn policy(&self, _id: usize, _histories: &Histories) -> Alike {
///         Alike
///     }
///
///     fn work<C: Core>(&self, worker: &mut Worker<'_, C, Alike>) {
///         worker.lead();
///         worker.core.enter(State::Finished);
///     }
/// }
///
/// /// The body of `Algorithm::search`.
/// fn search(search: &Search<'_>) -> Ran {
///     search.run(&All)
/// }
/// ```
pub trait Policy<C: Core>: Sized {
    /// Whether the subtree of the worker is no longer wanted. Asked at every node.
    #[inline]
    fn cancelled(_worker: &mut Worker<'_, C, Self>) -> bool {
        false
    }

    /// Shares the rest of a node's moves, if this searcher wants to. Asked before each move.
    ///
    /// If it shares them, it leaves the result in `moves`.
    ///
    /// # Errors
    /// [`Aborted`] when the node is not wanted any more.
    #[inline]
    fn share(
        _worker: &mut Worker<'_, C, Self>,
        _position: &Position,
        _node: &Node,
        _moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        Ok(Shared::No)
    }

    /// Hears that all moves of a node were searched, or that one cut it off. The node may have been
    /// shared.
    #[inline]
    fn concluded(
        _worker: &mut Worker<'_, C, Self>,
        _position: &Position,
        _node: &Node,
        _moves: &UnsharedMoves,
    ) {
    }

    /// The entry of a node with `depth` plies left that another worker keeps. Asked where the
    /// worker's own table has none as deep.
    #[inline]
    fn look_up(
        _worker: &mut Worker<'_, C, Self>,
        _position: &Position,
        _ply: usize,
        _depth: i32,
    ) -> Option<Entry> {
        None
    }
}

/// The policy of a worker that is alone.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl<C: Core> Policy<C> for Alone {}

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Counts a node and asks whether to go on.
    ///
    /// # Errors
    /// [`Aborted`] when the node is not wanted any more.
    // Inlined: a call for each node takes 1% of all instructions.
    #[inline(always)]
    pub fn visit(&mut self, cost: Cost) -> Result<(), Aborted> {
        let counted = self.core.charge(cost);
        self.counters.nodes += u64::from(counted);
        self.counters.qnodes += u64::from(counted && cost != Cost::Node);
        if !counted {
            return Err(Aborted);
        }
        self.shared.tally(self.core.id(), self.counters.nodes);
        if self.counters.nodes >= self.next_look {
            self.look()?;
        }
        if P::cancelled(self) { Err(Aborted) } else { Ok(()) }
    }

    /// Looks whether the search is over.
    #[cold]
    fn look(&mut self) -> Result<(), Aborted> {
        let (shared, nodes) = (self.shared, self.counters.nodes);
        self.next_look = shared.next_look(nodes);
        self.core.notice_fill(|| shared.table.fill());
        if shared.is_over(self.core.now()) {
            self.core.end();
            return Err(Aborted);
        }
        Ok(())
    }

    /// Makes the worker look at its next node whether the search is over.
    pub(super) fn look_soon(&mut self) {
        self.next_look = self.counters.nodes;
    }
}
