//! The sharing of a node: where a split point is made, and the part of its owner.

use super::helping::wait_for_helpers;
use super::working::work;
use super::{Sharing, Splitting};
use crate::cores::{Core, Event, State};
use crate::engine::Position;
use crate::search::{Aborted, Node, Policy, Shared, UnsharedMoves, Worker};
use crate::searchers::board::Count;
use crate::searchers::rule::Rule;
use crate::searchers::split_point::SplitPoint;
use crate::searchers::steps::charge_split;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

impl<C: Core, R: Rule> Policy<C> for Splitting<'_, R> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.policy.alone {
            return false; // only the worker itself could end the search
        }
        if worker.core.ended() {
            return true;
        }
        worker.core.read_line(Count::Cuts.line());
        let policy = &mut worker.policy;
        let cuts = policy.open.cuts.load(Acquire); // partner: the release in `OpenSplits::count_cut`
        if cuts == policy.seen || !worker.counters.nodes.is_multiple_of(policy.rule.poll_nodes()) {
            return false;
        }
        policy.seen = cuts;
        if worker.core.prices_lines()
            && let Some(current) = &policy.current
        {
            current.chain().for_each(|split| worker.core.read_line(split.flags()));
        }
        policy.current.as_ref().is_some_and(SplitPoint::is_in_vain)
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        // These tests run before every move: the one that fails most often comes first.
        let Splitting { open, rule, alone, current, .. } = &worker.policy;
        if *alone && !C::COUNTS_WORK || !rule.may_share(node, moves.progress.handed) {
            return Ok(Shared::No);
        }
        if C::COUNTS_WORK {
            if node.excluded.is_none() {
                moves.fork(&worker.core);
            }
            if *alone {
                return Ok(Shared::No);
            }
        }
        worker.core.read_line(Count::Speculators.line());
        let wanted = open.is_help_wanted(&mut worker.core, current.as_ref())
            || rule.ahead_of_need(node)
            || open.speculators.load(Relaxed) > 0
                && rule.is_likely_needed(node, moves.progress.handed);
        // A search without one move is a test of that move, and soon over.
        if !wanted || node.excluded.is_some() {
            return Ok(Shared::No);
        }
        let before = worker.core.enter(State::Split);
        if moves.list(worker, position) < 2 {
            worker.core.enter(before);
            return Ok(Shared::No);
        }
        let split = publish(worker, position, node, moves);
        let result = split.and_then(|split| own(worker, &split, moves));
        worker.core.enter(before);
        result.map(|()| Shared::Done)
    }
}

/// Makes a split point of a node. Calls one idle worker, and the nearest owner above that waits.
///
/// # Errors
/// [`Aborted`] when the search has ended meanwhile.
pub(super) fn publish<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
) -> Result<Arc<SplitPoint>, Aborted> {
    charge_split(worker, node, moves)?;
    let open = worker.policy.open;
    let above = worker.policy.current.clone();
    let split = Arc::new(SplitPoint::new(worker, position, node, moves, above));
    worker.core.note(|| Event::Splits(split.shown()));
    open.announce(&mut worker.core, &split);
    Ok(split)
}

/// The part of the owner: it searches moves beside the helpers, and waits for them, helping below.
/// Then it takes the result into its loop.
fn own<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    moves: &mut UnsharedMoves,
) -> Result<(), Aborted> {
    let above = worker.policy.turn_to(Some(Arc::clone(split)));
    work(worker, split, false);

    worker.policy.open.remove(&mut worker.core, split);
    moves.put_back(split.close(&mut worker.core));
    wait_for_helpers(worker, split);
    worker.policy.turn_to(above);

    let joined = split.conclude(worker, moves);
    if joined == 0 {
        worker.counters.unjoined.add(split.node.kind, 1);
    }
    if worker.core.ended() || split.is_orphaned() {
        return Err(Aborted);
    }
    Ok(())
}
