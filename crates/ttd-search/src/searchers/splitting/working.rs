//! Work at a split point, by its owner and its helpers alike.

use super::{Sharing, Splitting, planted, priced};
use crate::cores::{Core, Cost, Event, State, Time};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Flow, LATE, LONG_LOCK, MoveLoop, Node, Planted, Policy, STALE, Turn, Verdict, Worker,
};
use crate::searchers::rule::Rule;
use crate::searchers::split_point::SplitPoint;
use std::sync::Arc;

/// Searches moves of a split point, as long as there are any and they are wanted. A worker that
/// `helps` during its own wait stops when that wait is over.
pub(super) fn work<C: Core, R: Rule>(
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
        && let Some(turn) = priced(worker, split, |worker| moves.next(worker, &split.position))
    {
        let start = kept_nodes(worker);
        let result = R::turn(worker, (&split.position, &split.node), &turn, &moves);
        if result.is_err() {
            worker.path.truncate(height);
            note_abort(worker, split, helps, start);
        }
        let absorb = |worker: &mut _| moves.absorb(worker, &split.node, &turn, result);
        let flow = priced(worker, split, absorb);
        let leaves = || helps && !rule.is_likely_needed(&split.node, split.done());
        if flow != Ok(Flow::Continue) || leaves() || helps && stops_early(worker) {
            break;
        }
    }
    worker.core.enter(before);
}

/// Whether a helper leaves after one move, by a defect that a test planted. A machine on which work
/// is found at once has no such helpers.
pub(super) fn stops_early<C: Core, R>(worker: &Sharing<'_, '_, C, R>) -> bool {
    planted(worker, |ideal| ideal.found_at_once) == Some(Planted::StopsEarly)
}

/// The nodes of a worker without those that are counted elsewhere. Aborted nodes are left out: an
/// aborted subtree may hold subtrees aborted before, and no node counts twice. Nodes of visits
/// during a wait are left out too: they are no part of the worker's own subtrees.
pub(in super::super) fn kept_nodes<C: Core, P: Policy<C>>(worker: &Worker<'_, C, P>) -> u64 {
    let aborted: u64 = worker.counters.aborted_nodes.0.iter().sum();
    worker.counters.nodes - aborted - worker.elsewhere
}

/// Counts an aborted subtree, if a cutoff aborted it and the abort ends here for this worker.
fn note_abort<C: Core, R: Rule>(
    worker: &mut Sharing<'_, '_, C, R>,
    split: &Arc<SplitPoint>,
    helps: bool,
    start: u64,
) {
    let cut = split.chain().filter(|other| other.flags.is_cut()).last();
    if let Some(cut) = cut
        && !worker.core.ended()
        && (helps || Arc::ptr_eq(cut, split))
    {
        let nodes = kept_nodes(worker) - start;
        worker.counters.aborts.add(cut.node.kind, 1);
        worker.core.note(|| Event::GivesUp(cut.number));
        worker.counters.aborted_nodes.add(cut.node.kind, nodes);
        if planted(worker, |ideal| ideal.no_aborts) == Some(Planted::LateAborts) {
            for _ in 0..LATE {
                worker.core.charge(Cost::Node);
            }
        }
    }
}

/// The loop of one worker over a split point's moves.
struct Joined<'a> {
    split: &'a Arc<SplitPoint>,
    /// The chain of work that leads to the worker's arrival. Each move depends on it, and on no
    /// move before.
    arrived: Time,
    /// Whether an alpha raised by other workers counts at once.
    live: bool,
    /// The value of alpha when the present move was handed out.
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
        if planted(worker, |_| false) == Some(Planted::LongLock) {
            (0..LONG_LOCK).for_each(|_| worker.policy.open.lock_for_nothing(&mut worker.core));
        }
        let (mut turn, failed) = self.split.next(worker)?;
        let stale = planted(worker, |ideal| ideal.final_alpha) == Some(Planted::StaleAlpha);
        if stale && self.split.node.pv {
            turn.alpha -= STALE;
        }
        self.handed = turn.alpha;
        self.values = failed || !worker.policy.rule.values_in_turn();
        Some(turn)
    }

    fn alpha(&self, worker: &mut Worker<'_, C, Splitting<'s, R>>) -> Score {
        if !self.live {
            return self.handed;
        }
        worker.core.depend_on(self.split.alpha_span());
        self.split.flags.read(&mut worker.core);
        self.split.flags.alpha()
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
        // An abort by a split point above goes on up. An abort by this one is this node's cutoff.
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Aborted)
                if worker.core.ended()
                    || self.split.is_orphaned()
                    || worker.policy.open.is_needless(self.split.iteration) =>
            {
                return Err(Aborted);
            }
            Err(Aborted) => return Ok(Flow::CutOff),
        };
        let line = node.pv.then(|| worker.line_from(node.ply, turn.mv));
        if self.split.absorb(&mut worker.core, turn, verdict, line) {
            worker.core.note(|| Event::Cuts(self.split.number));
            worker.policy.open.count_cut(&mut worker.core);
            return Ok(Flow::CutOff);
        }
        Ok(Flow::Continue)
    }
}
