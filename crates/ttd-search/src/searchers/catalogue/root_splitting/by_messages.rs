//! Root splitting by workers that share no memory: the first worker deals the moves of the root
//! out, an order for each.
//!
//! It searches moves itself. Meanwhile it looks for results as often as `look_every` says, and
//! answers each with the next move. It tells the others when alpha has risen, and when the root is
//! cut off. No worker waits but for a result or for an order, and every order is answered or cut
//! off: every wait ends.

use crate::cores::{Messenger, State};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Counters, Flow, Listed, MoveLoop, Node, Policy, Progress, Shared, Turn, UnsharedMoves,
    Verdict, Worker,
};
use crate::searchers::desk::{Desk, Division, post};
use crate::searchers::led::{self, Led};
use crate::searchers::letters::{Letter, Order, Parts};
use crate::searchers::steps::is_divisible;
use crate::searchers::{MessageTeam, Ran, Search};

/// Runs a search by messages.
pub(super) fn search(search: &Search<'_>, terms: Terms) -> Ran {
    search.run_by_messages(&Dealt { terms })
}

/// The decisions of the settings.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) eldest: usize,
    pub(super) shared_alpha: bool,
    pub(super) look_every: u64,
}

struct Dealt {
    terms: Terms,
}

impl MessageTeam for Dealt {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t> = Dealing;

    fn policy(&self, _id: usize) -> Dealing {
        Dealing { terms: self.terms, desk: Desk::default(), hand: None }
    }

    fn work<C: Messenger>(&self, worker: &mut Worker<'_, C, Dealing>) {
        led::work(worker, self.terms.look_every);
    }
}

/// The policy of one worker, which owns it.
pub(super) struct Dealing {
    terms: Terms,
    /// The root, if it is dealt out or if the worker has a move of it.
    desk: Desk,
    /// At the first worker: the moves that are left, and an order without a move.
    hand: Option<(Listed, Order)>,
}

type Member<'s, C> = Worker<'s, C, Dealing>;

impl<C: Messenger> Policy<C> for Dealing {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.core.ended() {
            return true;
        }
        if worker.core.has_mail() {
            attend(worker);
        }
        worker.policy.desk.open.first().is_some_and(|root| root.is_cut)
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        let (alone, eldest) = (worker.core.workers() == 1, worker.policy.terms.eldest);
        let wanted = |handed| node.ply == 0 && node.excluded.is_none() && handed >= eldest;
        if !is_divisible(worker, alone, position, moves, wanted) {
            return Ok(Shared::No);
        }
        let divided = led::divide(worker, position, node, moves);
        worker.policy.hand = None;
        divided.map(|()| Shared::Done)
    }
}

impl<C: Messenger> Led<C> for Dealing {
    const WAITS: State = State::WaitHelpers;
    const IDLE: State = State::WaitWork;

    fn desk(&mut self) -> &mut Desk {
        &mut self.desk
    }

    fn attend(worker: &mut Member<'_, C>) {
        attend(worker);
    }

    /// Deals out the moves that are left, and searches some of them.
    fn lead(
        worker: &mut Member<'_, C>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) {
        let (workers, list) = (worker.core.workers(), moves.take_list());
        let parts = Parts { whole: 0..workers, count: workers, own: 0 };
        let order = led::open(worker, (position, node), parts, moves);
        let root = worker.policy.desk.innermost();
        root.ends_at_cut = true;
        if let Some(sum) = &mut root.sum {
            sum.free.extend(1..workers);
        }
        worker.policy.hand = Some((list, order));
        attend(worker);
        worker.core.enter(State::Search);
        // After an abort the worker still hears what is to be told.
        let _: Result<(), Aborted> = worker.turns(position, node, &mut Own);
    }

    /// Searches moves of the root that the worker was given, and sends their scores.
    fn obey(worker: &mut Member<'_, C>, position: &Position, turns: Vec<Turn>) {
        let node = worker.policy.desk.innermost().node;
        worker.core.enter(State::Search);
        let mut given = Given { turns: turns.into_iter(), scores: Vec::new() };
        // An abort leaves the scores as they are.
        let _: Result<(), Aborted> = worker.turns(position, &node, &mut given);
        let line = given.scores.first().map(|_| worker.line(node.ply).clone());
        let root = worker.policy.desk.innermost();
        if !root.is_cut && !worker.core.ended() {
            let found = root.found(worker.shared, given.scores, line.as_ref(), true);
            post(&mut worker.core, &mut worker.counters, root.leader, found);
        }
    }
}

/// Reads what has come. The first worker tells what the others should know, and gives each that is
/// free the next move.
fn attend<C: Messenger>(worker: &mut Member<'_, C>) {
    let Dealing { terms, desk, hand } = &mut worker.policy;
    let core = &mut worker.core;
    let before = desk.open.first().map(|root| root.alpha);
    desk.read(core, worker.shared);
    let (Some((list, order)), Some(before)) = (hand, before) else { return };
    let root = desk.innermost();
    tell((core, &mut worker.counters), root, before, *terms);
    while let Some(free) = root.sum.as_ref().and_then(|sum| sum.free.front().copied()) {
        let Some(turn) = next_turn(root, list) else { return };
        let parts = Parts { own: free, ..order.parts.clone() };
        let order = Order { alpha: root.alpha, parts, turns: vec![turn], ..order.clone() };
        if let Some(sum) = &mut root.sum {
            sum.free.pop_front();
            sum.missing += 1;
        }
        post(core, &mut worker.counters, free, Letter::Order(order).packed());
    }
}

/// The next move of the root, unless it is cut off.
fn next_turn(root: &mut Division, list: &mut Listed) -> Option<Turn> {
    let sum = root.sum.as_mut().filter(|_| !root.is_cut)?;
    let turn = sum.progress.hand_out(list.next()?);
    sum.turns.push(turn);
    Some(turn)
}

/// Tells the workers that have a move if alpha has risen since it was `before`, or that the root is
/// cut off.
fn tell<C: Messenger>(
    (core, counters): (&mut C, &mut Counters),
    root: &Division,
    before: Score,
    terms: Terms,
) {
    if root.alpha <= before || !(root.is_cut || terms.shared_alpha) {
        return;
    }
    let told = if root.is_cut { root.told_cut() } else { root.told_alpha() };
    let is_free = |id: &usize| root.sum.as_ref().is_none_or(|sum| sum.free.contains(id));
    for busy in root.parts.whole.clone().skip(1).filter(|id| !is_free(id)) {
        post(core, counters, busy, told.clone());
    }
}

/// The loop of the first worker over the moves that it takes itself.
struct Own;

impl<C: Messenger> MoveLoop<C, Dealing> for Own {
    fn next(&mut self, worker: &mut Member<'_, C>, _position: &Position) -> Option<Turn> {
        attend(worker);
        let Dealing { desk, hand, .. } = &mut worker.policy;
        let root = desk.innermost();
        worker.core.continue_from(root.alpha_span);
        next_turn(root, &mut hand.as_mut()?.0)
    }

    fn alpha(&self, worker: &mut Member<'_, C>) -> Score {
        alpha(worker)
    }

    fn absorb(
        &mut self,
        worker: &mut Member<'_, C>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let line = worker.line_from(node.ply, turn.mv);
        let Dealing { desk, terms, .. } = &mut worker.policy;
        let root = desk.innermost();
        if let (false, Verdict::Score(score)) = (root.is_cut, result?) {
            let (before, span) = (root.alpha, worker.core.span());
            root.add(&mut worker.core, &[(turn.number, score)], Some(&line), span);
            tell((&mut worker.core, &mut worker.counters), root, before, *terms);
        }
        Ok(if root.is_cut { Flow::CutOff } else { Flow::Continue })
    }
}

/// The lower bound that the worker knows. It is below beta, so that the window of a move at work
/// stays open.
fn alpha<C: Messenger>(worker: &mut Member<'_, C>) -> Score {
    let root = worker.policy.desk.innermost();
    let (alpha, span) = (root.alpha.min(root.node.beta - 1), root.alpha_span);
    worker.core.depend_on(span);
    alpha
}

/// The loop of a worker that was given a move.
struct Given {
    turns: std::vec::IntoIter<Turn>,
    scores: Vec<(usize, Score)>,
}

impl<C: Messenger> MoveLoop<C, Dealing> for Given {
    fn next(&mut self, worker: &mut Member<'_, C>, _position: &Position) -> Option<Turn> {
        let turn = self.turns.next()?;
        Some(Progress::new(alpha(worker)).hand_out_again(turn))
    }

    fn alpha(&self, worker: &mut Member<'_, C>) -> Score {
        alpha(worker)
    }

    fn absorb(
        &mut self,
        worker: &mut Member<'_, C>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        if let Verdict::Score(score) = result? {
            self.scores.push((turn.number, score));
            worker.extend_line(node.ply, turn.mv);
        }
        Ok(Flow::Continue)
    }
}
