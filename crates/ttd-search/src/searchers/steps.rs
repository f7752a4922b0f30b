//! The steps of every worker that splits a node or joins one: the charges, counts and notes.

use crate::cores::{Core, Cost, Event, State};
use crate::engine::Position;
use crate::search::{Aborted, Node, NodeKind, UnsharedMoves, Worker};

/// Whether the moves that are left of a node can be divided. They are listed then. `wanted` is
/// asked whether they should be, after so many others.
///
/// A worker that is `alone` divides nothing. If work is counted, it notes that others could begin
/// here.
#[inline]
pub(super) fn is_divisible<C: Core, P>(
    worker: &Worker<'_, C, P>,
    alone: bool,
    position: &Position,
    moves: &mut UnsharedMoves,
    wanted: impl FnOnce(usize) -> bool,
) -> bool {
    if alone && !C::COUNTS_WORK || !wanted(moves.progress.handed) {
        return false;
    }
    moves.fork(&worker.core);
    !alone && moves.list(worker, position) >= 2
}

/// Splits a node by `share`, which searches its moves with others and waits for them.
///
/// # Errors
/// [`Aborted`] when the search has ended meanwhile.
pub(super) fn split<'s, C: Core, P, R>(
    worker: &mut Worker<'s, C, P>,
    node: &Node,
    moves: &mut UnsharedMoves,
    share: impl FnOnce(&mut Worker<'s, C, P>, &mut UnsharedMoves) -> R,
) -> Result<R, Aborted> {
    let before = worker.core.enter(State::Split);
    let shared = charge_split(worker, node, moves).map(|()| share(worker, moves));
    worker.core.enter(before);
    if worker.core.ended() { Err(Aborted) } else { shared }
}

/// Charges and counts a split. The worker goes on from where the node may be shared.
///
/// # Errors
/// [`Aborted`] when the search has ended meanwhile.
pub(super) fn charge_split<C: Core, P>(
    worker: &mut Worker<'_, C, P>,
    node: &Node,
    moves: &UnsharedMoves,
) -> Result<(), Aborted> {
    moves.go_back(&mut worker.core);
    if !worker.core.charge(Cost::Split) {
        return Err(Aborted);
    }
    worker.counters.splits.add(node.kind, 1);
    Ok(())
}

/// Charges, counts and notes that a worker joins the split point or division with this number.
pub(super) fn join<C: Core, P>(worker: &mut Worker<'_, C, P>, kind: NodeKind, number: u64) {
    let counted = worker.core.charge(Cost::Join);
    worker.counters.joins.add(kind, u64::from(counted));
    worker.core.note(|| Event::Joins(number));
}
