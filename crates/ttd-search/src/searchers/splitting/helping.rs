//! Help at the split points of others: by free workers anywhere, by waiting owners as far as they
//! may.

use super::Sharing;
use super::working::{kept_nodes, stops_early, work};
use crate::cores::{Core, State};
use crate::searchers::rule::Rule;
use crate::searchers::split_point::{Joining, SplitPoint};
use crate::searchers::steps::join;
use std::sync::Arc;

/// Waits until all helpers have left. Meanwhile the owner helps below its own split point, or for a
/// time anywhere.
pub(super) fn wait_for_helpers<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
) {
    let left = |_| split.helpers() == 0;
    // The helpers of a node that was cut off leave at their next nodes.
    let stays = worker.policy.nested >= worker.policy.rule.nesting() || split.is_in_vain();
    if left(false) {
        return;
    }
    let home = worker.policy.home.replace(Arc::clone(split));
    if stays {
        help_until(worker, State::WaitHelpers, Some(split), left);
    } else {
        let (place, before, elsewhere) = (worker.place(), kept_nodes(worker), worker.elsewhere);
        worker.policy.nested += 1;
        help_until(worker, State::WaitHelpers, None, left);
        worker.policy.nested -= 1;
        worker.return_to(place);
        // A visit may hold other visits: all nodes kept since `before` were visited elsewhere.
        worker.elsewhere = elsewhere;
        worker.elsewhere += kept_nodes(worker) - before;
    }
    worker.policy.home = home;
}

/// Helps where help is wanted, until `done` returns true. `done` is given whether the search has
/// ended. `below` limits the help to split points below it.
pub(in super::super) fn help_until<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    waiting: State,
    below: Option<&Arc<SplitPoint>>,
    done: impl Fn(bool) -> bool,
) {
    let (open, id) = (worker.policy.open, worker.core.id());
    let most = worker.policy.rule.most_workers();
    // Whether the worker is on the list of idle workers, or was taken off it by a call that it has
    // not heard. It does not look at the board again before that call.
    let mut idle = false;
    // Whether it was called to look at all boards, or came too late to what it had found at one.
    let mut looks = false;
    while !done(worker.core.ended()) {
        let called = if let Some(own) = below {
            own.flags.call(&mut worker.core);
            None
        } else {
            let is_called = open.mailboxes.is_called(id);
            idle &= !is_called;
            let invitation = open.mailboxes.take(&mut worker.core);
            looks |= is_called && invitation.is_none();
            invitation.filter(|split| split.is_joinable(most) && !open.is_needless(split.iteration))
        };
        let found = called.map(|split| (split, false)).or_else(|| choose(worker, below, looks));
        looks = false;
        if found.is_none() {
            idle = below.is_none();
            worker.core.wait_while(waiting, |ended| {
                let quiet =
                    || below.map_or_else(|| !open.mailboxes.is_called(id), |own| own.flags.calls());
                !done(ended) && (ended || quiet())
            });
        }
        if let Some(own) = below {
            own.flags.answer(&mut worker.core);
        }
        if let Some((split, others)) = found {
            looks = !help(worker, &split, others);
            if below.is_none() && stops_early(worker) {
                open.be_idle(&mut worker.core);
                idle = true;
                worker.core.wait_while(waiting, |ended| {
                    !ended && !done(ended) && !open.mailboxes.is_called(id)
                });
            }
        }
    }
    if idle && !worker.core.ended() {
        open.retire(&mut worker.core);
    }
}

/// The open split point that is worth most to a free worker, and whether there are others. A worker
/// that finds none and may help anywhere is idle from then on. One that `looks` tries all boards.
fn choose<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    below: Option<&Arc<SplitPoint>>,
    looks: bool,
) -> Option<(Arc<SplitPoint>, bool)> {
    if worker.core.ended() {
        return None;
    }
    let (open, rule, coin) = (worker.policy.open, worker.policy.rule, worker.policy.toss());
    let joinable = |split: &Arc<SplitPoint>| {
        split.is_joinable(rule.most_workers())
            && !open.is_needless(split.iteration)
            && below.is_none_or(|top| split.chain().any(|other| Arc::ptr_eq(other, top)))
    };
    if open.are_in_deques() {
        let stolen = open.steal(&mut worker.core, (below.is_some(), coin), joinable);
        return stolen.map(|split| (split, false));
    }
    let worth = |index: usize, split: &SplitPoint| {
        let worth = rule.worth(&split.node, split.left(), coin.wrapping_mul(index as u64 * 2 + 1));
        (rule.is_likely_needed(&split.node, split.done()), -split.iteration, worth)
    };
    open.choose(&mut worker.core, (below, looks, coin), joinable, worth)
}

/// The part of a helper: it joins, searches moves, and leaves. If there is more work, here or at
/// `others`, it first lets other workers know. Returns whether it could join.
fn help<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    others: bool,
) -> bool {
    let (before, span) = (worker.core.enter(State::Split), worker.core.span());
    let most = worker.policy.rule.most_workers();
    let joining = split.join(&mut worker.core, most);
    let joins = matches!(joining, Joining::Member(..));
    match joining {
        Joining::Member(membership, more) => {
            worker.core.continue_from(split.made());
            pass_on(worker, split, (more, others));
            join(worker, split.node.kind, split.number);
            let height = worker.path.len();
            split.enter(worker);
            worker.policy.histories.join(&mut worker.core, split.owner, split.killers());
            let above = worker.policy.turn_to(Some(Arc::clone(split)));
            let (open, rule) = (worker.policy.open, worker.policy.rule);
            // A worker that may not be needed here would rather help elsewhere.
            let speculates = !rule.is_likely_needed(&split.node, split.done());
            if speculates {
                open.count_speculator(&mut worker.core, true);
            }
            let start = kept_nodes(worker);
            work(worker, split, true);
            if above.is_none() {
                worker.policy.kept[split.iteration as usize] += kept_nodes(worker) - start;
            }
            if more && open.are_in_deques() {
                open.remove(&mut worker.core, split);
            }
            if speculates {
                open.count_speculator(&mut worker.core, false);
            }
            worker.policy.turn_to(above);
            // A waiting owner that helps below its own node goes on there. From anywhere else it
            // returns to its place.
            worker.path.truncate(height);
            drop(membership);
            worker.core.wake(split.owner);
        }
        Joining::Full => {}
        Joining::Exhausted if worker.policy.open.are_in_deques() => {}
        Joining::Exhausted => worker.policy.open.remove(&mut worker.core, split),
    }
    // The worker's later work does not depend on its work here.
    worker.core.continue_from(span);
    worker.core.enter(before);
    joins
}

/// Lets others know of work that a helper has found: `more` where it has joined, or at `others`. A
/// thief has taken the split point out of a deque, and puts it into its own.
fn pass_on<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    (more, others): (bool, bool),
) {
    let open = worker.policy.open;
    if !open.are_in_deques() {
        if more || others {
            open.call_idle(&mut worker.core, more.then_some(split));
        }
    } else if more {
        open.announce(&mut worker.core, split);
    }
}
