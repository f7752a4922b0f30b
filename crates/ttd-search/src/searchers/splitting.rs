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

pub(super) use helping::help_until;

use super::board::OpenSplits;
use super::learnt::Learnt;
use super::rule::Rule;
use super::split_point::SplitPoint;
use crate::cores::{Core, Cost, Event, State, Time};
use crate::engine::{Move, Position, Score};
use crate::search::{
    Aborted, Flow, Line, MoveLoop, Node, Owned, Policy, Shared, Turn, Verdict, Worker,
};
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

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

impl<C: Core, R: Rule> Policy<C> for Splitting<'_, R> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.policy.alone {
            return false; // who alone could end the search is the worker itself
        }
        if worker.core.ended() {
            return true;
        }
        let policy = &mut worker.policy;
        let cuts = policy.open.cuts.load(Acquire); // partner: the release in `Joined::absorb`
        if cuts == policy.seen || !worker.counters.nodes.is_multiple_of(policy.rule.poll_nodes()) {
            return false;
        }
        policy.seen = cuts;
        policy.current.as_ref().is_some_and(SplitPoint::is_in_vain)
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut Owned,
    ) -> Result<Shared, Aborted> {
        // Before every move: what most often says no comes first.
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
        let wanted = open.is_help_wanted(current.as_ref())
            || rule.ahead_of_need(node)
            || open.speculators.load(Relaxed) > 0
                && rule.is_likely_needed(node, moves.progress.handed);
        // The search without one move is a test of that move, and soon over.
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

/// Makes a split point of a node, and calls one idle worker and the nearest owner above that waits.
///
/// # Errors
/// [`Aborted`] when the search has ended meanwhile.
fn publish<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    position: &Position,
    node: &Node,
    moves: &mut Owned,
) -> Result<Arc<SplitPoint>, Aborted> {
    moves.go_back(&mut worker.core);
    if !worker.core.charge(Cost::Split) {
        return Err(Aborted);
    }
    worker.counters.splits.add(node.kind, 1);
    let open = worker.policy.open;
    let above = worker.policy.current.clone();
    let split = Arc::new(SplitPoint::new(worker, position, node, moves, above));
    worker.core.note(|| Event::Splits(split.shown()));
    open.announce(&mut worker.core, &split);
    // Who looked at the board before has said that it waits before that.
    if let Some(waiting) = split.chain().skip(1).find(|above| above.answer()) {
        worker.core.wake(waiting.owner);
    }
    Ok(split)
}

/// The owner's part: searches moves with the others, waits for them (helping below), and takes the
/// result into its loop.
fn own<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    moves: &mut Owned,
) -> Result<(), Aborted> {
    let above = worker.policy.turn_to(Some(Arc::clone(split)));
    work(worker, split, false);

    worker.policy.open.remove(&mut worker.core, split);
    split.close(&mut worker.core);
    helping::wait_for_helpers(worker, split);
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

/// Searches moves of a split point as long as there are any and they are wanted; who `helps` on top of an own
/// node that it waits for, as long as it has to wait.
fn work<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    helps: bool,
) {
    let before = worker.core.enter(State::Search);
    let height = worker.path.len();
    let rule = worker.policy.rule;
    let (live, values) = (rule.shares_alpha(), !rule.values_in_turn());
    let arrived = worker.core.span();
    let mut moves = Joined { split, arrived, live, handed: 0, values };
    while !(helps && worker.policy.may_go_home())
        && let Some(turn) = moves.next(worker, &split.position)
    {
        let start = kept_nodes(worker);
        let result = R::turn(worker, (&split.position, &split.node), &turn, &moves);
        if result.is_err() {
            worker.path.truncate(height);
            note_abort(worker, split, helps, start);
        }
        let flow = moves.absorb(worker, &split.node, &turn, result);
        let leaves = || helps && !rule.is_likely_needed(&split.node, split.done());
        if flow != Ok(Flow::Continue) || leaves() {
            break;
        }
    }
    worker.core.enter(before);
}

/// A worker's nodes without those already counted as aborted: a cutoff above may abort what holds aborted subtrees,
/// and no node counts twice. What it visited elsewhere, while it waited, is no part of its own subtrees either.
fn kept_nodes<C: Core, P: Policy<C>>(worker: &Worker<'_, C, P>) -> u64 {
    let aborted: u64 = worker.counters.aborted_nodes.0.iter().sum();
    worker.counters.nodes - aborted - worker.elsewhere
}

/// Counts an aborted subtree, where it was a cutoff that aborted it and this is where it ends for
/// the worker.
fn note_abort<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    helps: bool,
    start: u64,
) {
    let cut = split.chain().filter(|other| other.is_cut()).last();
    if let Some(cut) = cut
        && !worker.core.ended()
        && (helps || Arc::ptr_eq(cut, split))
    {
        let nodes = kept_nodes(worker) - start;
        worker.counters.aborts.add(cut.node.kind, 1);
        worker.core.note(|| Event::GivesUp(cut.number));
        worker.counters.aborted_nodes.add(cut.node.kind, nodes);
    }
}

/// The loop of one worker over a split point's moves.
struct Joined<'a> {
    split: &'a Arc<SplitPoint>,
    /// The chain of work that leads to the worker's being here: each move depends on that, none on those before.
    arrived: Time,
    /// Whether an alpha raised by others counts at once.
    live: bool,
    /// Alpha when the present move was handed out.
    handed: Score,
    /// Whether the present move may be valued when its test fails.
    values: bool,
}

impl<'s, C: Core, R: Rule> MoveLoop<C, Splitting<'s, R>> for Joined<'_> {
    fn next(
        &mut self,
        worker: &mut Worker<'_, C, Splitting<'s, R>>,
        _position: &Position,
    ) -> Option<Turn> {
        worker.core.continue_from(self.arrived);
        let (turn, failed) = self.split.next(worker)?;
        self.handed = turn.alpha;
        self.values = failed || !worker.policy.rule.values_in_turn();
        Some(turn)
    }

    fn alpha(&self, worker: &mut Worker<'_, C, Splitting<'s, R>>) -> Score {
        if !self.live {
            return self.handed;
        }
        worker.core.depend_on(self.split.alpha_span());
        self.split.alpha()
    }

    fn may_value(&self, _worker: &mut Worker<'_, C, Splitting<'s, R>>) -> bool {
        self.values
    }

    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, Splitting<'s, R>>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        // Cut by a split point above, the abort goes on; cut by this one, it is this node's cutoff.
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Aborted) if worker.core.ended() || self.split.is_orphaned() => return Err(Aborted),
            Err(Aborted) => return Ok(Flow::CutOff),
        };
        let line = node.pv.then(|| line_from(turn.mv, worker.line(node.ply + 1)));
        if self.split.absorb(&mut worker.core, turn, verdict, line) {
            worker.core.note(|| Event::Cuts(self.split.number));
            worker.policy.open.cuts.fetch_add(1, Release); // partner: the acquire in `cancelled`
            return Ok(Flow::CutOff);
        }
        Ok(Flow::Continue)
    }
}

/// A principal variation that begins with `mv` and goes on with `rest`.
fn line_from(mv: Move, rest: &Line) -> Line {
    let mut line = Line::new();
    line.push(mv);
    line.extend(rest.iter().copied().take(line.remaining_capacity()));
    line
}

mod helping;

#[cfg(all(test, loom))]
mod models;

#[cfg(test)]
mod tests;
