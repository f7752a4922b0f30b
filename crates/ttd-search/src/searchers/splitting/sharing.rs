//! The sharing of a node: where a split point is made, and the part of its owner.

use super::helping::wait_for_helpers;
use super::working::work;
use super::{Sharing, Splitting, machine, planted, priced};
use crate::cores::{Core, Cost, Event, State};
use crate::engine::Position;
use crate::search::{
    Aborted, Fate, IdealMachine, Node, Planted, Policy, Progress, SELDOM, Shared, UnsharedMoves,
    Worker,
};
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
        let policy = &worker.policy;
        let cuts = policy.open.cuts.load(Acquire); // partner: the release in `OpenSplits::count_cut`
        if cuts == policy.seen {
            return false;
        }
        let at_once = machine(worker).is_some_and(|of| of.ideal.no_aborts);
        let policy = &mut worker.policy;
        if !at_once && !worker.counters.nodes.is_multiple_of(policy.rule.poll_nodes()) {
            return false;
        }
        policy.seen = cuts;
        if let Some(current) = &policy.current {
            current.read_flags(&mut worker.core);
        }
        let Splitting { open, current, leads, .. } = policy;
        current.as_ref().map_or_else(
            || open.is_needless(*leads),
            |split| split.is_in_vain() || open.is_needless(split.iteration),
        )
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
        let machine = machine(worker);
        let wanted = open.is_help_wanted(&mut worker.core, current.as_ref())
            || rule.ahead_of_need(node)
            || machine.is_some_and(|of| of.ideal.found_at_once)
            || open.speculators.load(Relaxed) > 0
                && rule.is_likely_needed(node, moves.progress.handed);
        // A search without one move is a test of that move, and soon over.
        if !wanted || node.excluded.is_some() {
            return Ok(Shared::No);
        }
        if let Some(machine) = machine
            && keeps_to_itself(worker, machine, (position, node), moves)
        {
            return Ok(Shared::No);
        }
        let before = worker.core.enter(State::Split);
        if moves.list(worker, position) < 2 {
            worker.core.enter(before);
            return Ok(Shared::No);
        }
        let result = match machine {
            Some(machine) => share_as_foretold(worker, machine, (position, node), moves),
            None => share_with_others(worker, position, node, moves).map(|_| ()),
        };
        worker.core.enter(before);
        result.map(|()| Shared::Done)
    }

    #[inline]
    fn concluded(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &UnsharedMoves,
    ) {
        record(worker, position, node, moves);
    }
}

/// Records what became of a node that may be shared, on an idealised machine.
fn record<C: Core, R: Rule>(
    worker: &Sharing<'_, '_, C, R>,
    position: &Position,
    node: &Node,
    moves: &UnsharedMoves,
) {
    let may_be_shared = |rule: &R| rule.may_share(node, usize::MAX);
    if let Some(machine) = machine(worker).filter(|_| may_be_shared(worker.policy.rule)) {
        let Progress { best_move, best, .. } = moves.progress;
        let fate = Fate { best_move, best, is_cut: moves.progress.is_cut(node) };
        machine.record(position.key(), node, fate);
    }
}

/// Shares the moves that are left of a node, and takes the result into its loop. Returns the number
/// of workers that joined.
///
/// # Errors
/// [`Aborted`] when the node is not wanted any more.
pub(super) fn share_with_others<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
) -> Result<u64, Aborted> {
    let split = publish(worker, position, node, moves)?;
    own(worker, &split, moves)
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
    let open = worker.policy.open;
    let at_once = machine(worker).is_some_and(|of| of.ideal.found_at_once);
    if at_once {
        moves.go_back(&mut worker.core);
        worker.counters.splits.add(node.kind, 1);
    } else {
        charge_split(worker, node, moves)?;
    }
    let above = (worker.policy.current.clone(), worker.policy.leads);
    let split = Arc::new(SplitPoint::new(worker, position, node, moves, above));
    worker.core.note(|| Event::Splits(split.shown()));
    worker.core.enter_at_no_price(at_once && !open.is_anybody_idle());
    open.announce(&mut worker.core, &split);
    worker.core.enter_at_no_price(false);
    Ok(split)
}

/// The part of the owner: it searches moves beside the helpers, and waits for them, helping below.
/// Then it takes the result into its loop.
fn own<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    moves: &mut UnsharedMoves,
) -> Result<u64, Aborted> {
    let above = worker.policy.turn_to(Some(Arc::clone(split)));
    work(worker, split, false);

    priced(worker, split, |worker| {
        worker.policy.open.remove(&mut worker.core, split);
        moves.put_back(split.close(&mut worker.core));
    });
    wait_for_helpers(worker, split);
    worker.policy.turn_to(above);

    let joined = priced(worker, split, |worker| split.conclude(worker, moves));
    if joined == 0 {
        worker.counters.unjoined.add(split.node.kind, 1);
    }
    let needless = worker.policy.open.is_needless(split.iteration);
    if worker.core.ended() || needless || split.is_orphaned() {
        return Err(Aborted);
    }
    Ok(joined)
}

/// Whether a node is not shared now on this machine. A node whose cutoff is foretold is not shared
/// before its cutting move was searched. If any worker would have joined it, that move is the next.
fn keeps_to_itself<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    machine: &IdealMachine,
    (position, node): (&Position, &Node),
    moves: &mut UnsharedMoves,
) -> bool {
    let seldom = planted(worker, |ideal| ideal.found_at_once) == Some(Planted::SeldomAsks);
    if seldom && !worker.policy.toss().is_multiple_of(SELDOM) {
        return true;
    }
    let Some(cutter) = machine.cutter(position.key(), node) else { return false };
    moves.list(worker, position);
    let Splitting { open, current, .. } = &worker.policy;
    let is_next = open.is_help_wanted(&mut worker.core, current.as_ref());
    if is_next { moves.put_first(cutter) } else { moves.holds(cutter) }
}

/// Shares the moves that are left of a node on an idealised machine, with the alpha that is
/// foretold. If no move reaches it, all of them are searched again without it.
///
/// # Errors
/// [`Aborted`] when the node is not wanted any more.
fn share_as_foretold<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    machine: &IdealMachine,
    (position, node): (&Position, &Node),
    moves: &mut UnsharedMoves,
) -> Result<(), Aborted> {
    let foretold = machine.foretold(position.key(), node, moves.progress.alpha);
    let before = foretold.and_then(|_| Some((moves.progress.clone(), moves.listed()?)));
    moves.progress.alpha = foretold.unwrap_or(moves.progress.alpha);
    let mut joined = share_with_others(worker, position, node, moves)?;
    if let Some((progress, list)) = before.filter(|_| foretold == Some(moves.progress.alpha)) {
        moves.progress = progress;
        moves.put_back(list);
        joined += share_with_others(worker, position, node, moves)?;
    }
    if joined > 0 && machine.ideal.found_at_once {
        worker.core.charge(Cost::Split);
    }
    Ok(())
}
