//! The nodes of which a worker gives moves away, and the moves that it was given.

use super::letters::{Ask, Done, Letter, Work, ask_helper, attend, serve, tell_nodes};
use super::{Asking, Core, Cost, Event, Member, Messenger, State};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Flow, Listed, MoveLoop, Node, Policy, SharedState, Turn, UnsharedMoves, Verdict,
    Worker,
};
use crate::searchers::desk::{Division, post};
use crate::searchers::letters::{Order, Parts};
use crate::searchers::split_point::number;
use crate::searchers::steps::join;

/// A node on a worker's stack of which moves are given away, or one was given.
pub(super) struct Place {
    pub(super) division: Division,
    /// The moves that are left, if it is the worker's own node.
    pub(super) own: Option<Own>,
}

/// The worker's own node, open to questions.
///
/// Invariant: `helpers` are the workers that have a move of it whose result is not there, each with
/// the number of that move.
pub(super) struct Own {
    /// An order without a move.
    order: Order,
    list: Listed,
    pub(super) helpers: Vec<(usize, usize)>,
}

impl Place {
    /// The next move of the worker's own node, unless it is cut off.
    fn next(&mut self, shared: &SharedState<'_>) -> Option<Turn> {
        let Place { division, own } = self;
        let Own { order, list, .. } = own.as_mut()?;
        let node = &division.node;
        let sum = division.sum.as_mut().filter(|_| !division.is_cut)?;
        let unwanted = shared.unwanted_quiets(&order.position, node, &sum.progress);
        list.leave_out(unwanted, &order.position, &node.checks);
        let turn = sum.progress.hand_out(list.next()?);
        sum.turns.push(turn);
        Some(turn)
    }

    /// Whether it is a move of this shared node, given to the worker.
    pub(super) fn is_given(&self, number: u64) -> bool {
        self.own.is_none() && self.division.number == number
    }

    fn is_done(&self) -> bool {
        self.division.is_cut || self.own.as_ref().is_none_or(|own| own.helpers.is_empty())
    }

    pub(super) fn helpers(&self) -> &[(usize, usize)] {
        self.own.as_ref().map_or(&[], |own| &own.helpers)
    }
}

/// Gives a move away that answers a question; none if the worker has none to give.
pub(super) fn give<C: Messenger>(worker: &mut Member<'_, '_, C>, ask: &Ask) -> Option<Work> {
    let places = &worker.policy.places;
    let first = match ask.below {
        None => 0,
        Some(number) => 1 + places.iter().position(|place| place.is_given(number))?,
    };
    if worker.policy.is_lost {
        return None;
    }
    let shared = worker.shared;
    let mut all = worker.policy.places.iter_mut().enumerate().skip(first);
    let (index, turn) = all.find_map(|(index, place)| Some((index, place.next(shared)?)))?;
    if worker.policy.places[index].helpers().is_empty() {
        begin_sharing(worker, index);
    }
    let Place { division, own } = &mut worker.policy.places[index];
    let own = own.as_mut()?;
    own.helpers.push((ask.asker, turn.number));
    let (parts, turns) = (Parts { whole: 0..1, count: 1, own: 0 }, vec![turn]);
    let (number, alpha, span) = (division.number, division.alpha, division.alpha_span);
    let order = Order { number, alpha, turns, parts, span, ..own.order.clone() };
    Some(Work { order, ask: ask.number, safe: turn.safe, asks: Vec::new() })
}

/// Makes a split point of a node, if it is none yet.
fn begin_sharing<C: Messenger>(worker: &mut Member<'_, '_, C>, index: usize) {
    if worker.policy.places[index].division.number != UNSHARED {
        return;
    }
    worker.core.charge(Cost::Split);
    let kind = worker.policy.places[index].division.node.kind;
    worker.counters.splits.add(kind, 1);
    let number = number(worker);
    let division = &mut worker.policy.places[index].division;
    division.number = number;
    worker.core.note(|| Event::Splits(division.shown()));
}

/// The number of a node of which no move was given away.
const UNSHARED: u64 = u64::MAX;

/// Searches the moves that are left of a node, open to questions, and takes the result of all into
/// its loop.
pub(super) fn open<C: Messenger>(
    worker: &mut Member<'_, '_, C>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
) -> Result<(), Aborted> {
    moves.go_back(&mut worker.core);
    let list = moves.take_list();
    let parts = Parts { whole: 0..1, count: 1, own: 0 };
    let mut division = Division::made(worker, node, parts, moves);
    (division.number, division.ends_at_cut) = (UNSHARED, true);
    let order = division.order(worker, position);
    let index = worker.policy.places.len();
    let own = Some(Own { order, list, helpers: Vec::new() });
    worker.policy.places.push(Place { division, own });
    serve(worker);
    let height = worker.path.len();
    // After an abort the worker still waits: a helper may search below.
    let _: Result<(), Aborted> = worker.turns(position, node, &mut OwnMoves { index });
    worker.path.truncate(height);
    if !worker.policy.places[index].is_done() {
        wait_for_helpers(worker, index, height);
    }
    let place = worker.policy.leave();
    if worker.core.ended() || worker.policy.is_lost {
        return Err(Aborted);
    }
    if let Some(place) = place {
        place.division.conclude(worker, moves);
    }
    Ok(())
}

/// Waits for the results of the innermost node, and searches below it meanwhile.
fn wait_for_helpers<C: Messenger>(worker: &mut Member<'_, '_, C>, index: usize, height: usize) {
    let before = worker.core.enter(State::WaitHelpers);
    loop {
        attend(worker);
        let Asking { places, is_lost, settings, is_open, .. } = &mut worker.policy;
        if places[index].is_done() || *is_lost || worker.core.ended() {
            break;
        }
        let (is_helpful, asks) = (settings.helpful, *is_open);
        if let Some(work) = worker.policy.work.take() {
            worker.policy.is_open = false;
            let span = worker.core.span();
            obey(worker, work);
            worker.core.continue_from(span);
            worker.path.truncate(height);
            worker.core.enter(State::WaitHelpers);
            continue;
        }
        serve(worker);
        if is_helpful && !asks {
            ask_helper(worker, index);
        }
        worker.core.wait_for_mail(State::WaitHelpers);
    }
    // Nobody needs an answer to the last question. Work that comes nevertheless was cut off.
    (worker.policy.is_open, worker.policy.work) = (false, None);
    worker.policy.asked += 1;
    worker.core.enter(before);
}

impl Asking<'_> {
    /// Leaves the innermost place.
    fn leave(&mut self) -> Option<Place> {
        let place = self.places.pop();
        self.is_lost = self.places.iter().any(|place| place.division.is_cut);
        place
    }
}

/// The worker's node with this index is not wanted any more, nor is anything below it: tells all
/// who search there.
pub(super) fn give_up<C: Messenger>(worker: &mut Member<'_, '_, C>, index: usize) {
    let Asking { places, is_lost, .. } = &mut worker.policy;
    *is_lost = true;
    for Place { division, own } in &mut places[index..] {
        division.is_cut = true;
        for (helper, _) in own.iter_mut().flat_map(|own| own.helpers.drain(..)) {
            let letter = Letter::Cut(division.number).packed();
            post(&mut worker.core, &mut worker.counters, helper, letter);
        }
    }
}

/// Takes the score of a move of the worker's own node, and tells its effect.
pub(super) fn take_score<C: Messenger>(
    worker: &mut Member<'_, '_, C>,
    index: usize,
    (turn, score): (usize, Score),
    (line, span): (Option<&crate::search::Line>, crate::cores::Time),
) {
    let Place { division, own } = &mut worker.policy.places[index];
    if division.is_cut {
        return;
    }
    let before = division.alpha;
    division.add(&mut worker.core, &[(turn, score)], line, span);
    if division.is_cut {
        let number = division.number;
        worker.core.note(|| Event::Cuts(number));
        give_up(worker, index);
    } else if division.alpha > before && worker.policy.settings.shared_alpha {
        let told = Letter::Alpha(division.number, division.alpha).packed();
        for (helper, _) in own.iter().flat_map(|own| &own.helpers) {
            post(&mut worker.core, &mut worker.counters, *helper, told.clone());
        }
    }
}

/// The lower bound of a place. It is below beta, so that the window of a move at work stays open.
fn alpha<C: Messenger>(worker: &mut Member<'_, '_, C>, index: usize) -> Score {
    let Division { alpha, alpha_span, node, .. } = &worker.policy.places[index].division;
    worker.core.depend_on(*alpha_span);
    (*alpha).min(node.beta - 1)
}

/// The loop of a worker over its own node.
struct OwnMoves {
    index: usize,
}

impl<C: Messenger> MoveLoop<C, Asking<'_>> for OwnMoves {
    fn next(&mut self, worker: &mut Member<'_, '_, C>, _position: &Position) -> Option<Turn> {
        let place = &mut worker.policy.places[self.index];
        worker.core.continue_from(place.division.alpha_span);
        place.next(worker.shared)
    }

    fn alpha(&self, worker: &mut Member<'_, '_, C>) -> Score {
        alpha(worker, self.index)
    }

    fn absorb(
        &mut self,
        worker: &mut Member<'_, '_, C>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        if let Verdict::Score(score) = result? {
            let line = node.pv.then(|| worker.line_from(node.ply, turn.mv));
            let span = worker.core.span();
            take_score(worker, self.index, (turn.number, score), (line.as_ref(), span));
        }
        let is_cut = worker.policy.places[self.index].division.is_cut;
        Ok(if is_cut { Flow::CutOff } else { Flow::Continue })
    }
}

/// The nodes of a worker without those that were aborted.
fn kept_nodes<C: Core, P: Policy<C>>(worker: &Worker<'_, C, P>) -> u64 {
    worker.counters.nodes - worker.counters.aborted_nodes.0.iter().sum::<u64>()
}

/// Searches a move that the worker was given, and sends its score back.
pub(super) fn obey<C: Messenger>(worker: &mut Member<'_, '_, C>, work: Work) {
    worker.core.enter(State::Split);
    let Work { order, safe, .. } = work;
    worker.core.continue_from(order.span);
    join(worker, order.node.kind, order.number);
    let (division, position, turns) = order.enter(worker);
    let (node, index) = (division.node, worker.policy.places.len());
    worker.policy.places.push(Place { division, own: None });
    worker.core.enter(State::Search);
    let start = kept_nodes(worker);
    for turn in turns {
        let turn = Turn { alpha: alpha(worker, index), safe, ..turn };
        let result = worker.turn(&position, &node, &turn, &Given { index });
        worker.core.enter(State::Split);
        let place = worker.policy.leave();
        let Some(Place { division, .. }) = place else { continue };
        match result {
            Ok(verdict) if !division.is_cut && !worker.policy.is_lost => {
                bring(worker, &division, &turn, verdict);
            }
            _ if worker.core.ended() => {}
            _ => {
                let nodes = kept_nodes(worker) - start;
                worker.counters.aborts.add(node.kind, 1);
                worker.counters.aborted_nodes.add(node.kind, nodes);
                worker.core.note(|| Event::GivesUp(division.number));
            }
        }
    }
}

/// Sends the result of a move to its node. A worker without other work asks for more.
fn bring<C: Messenger>(
    worker: &mut Member<'_, '_, C>,
    division: &Division,
    turn: &Turn,
    verdict: Verdict,
) {
    let score = match verdict {
        Verdict::Score(score) => Some(score),
        Verdict::Pruned | Verdict::PutOff => None,
    };
    let node = &division.node;
    let wanted = node.pv && score.is_some_and(|score| score > division.alpha);
    let line = wanted.then(|| worker.line_from(node.ply, turn.mv));
    let id = worker.core.id();
    let is_free = worker.policy.is_free(id);
    let ask = is_free.then(|| worker.policy.next_ask(id, None).number);
    let (number, turn, nodes) = (division.number, turn.number, tell_nodes(worker));
    let done = Done { number, turn, score, line, ask, nodes };
    let (leader, letter) = (division.leader, Letter::Done(done).packed());
    post(&mut worker.core, &mut worker.counters, leader, letter);
}

/// The loop of a worker that was given a move.
struct Given {
    index: usize,
}

impl<C: Messenger> MoveLoop<C, Asking<'_>> for Given {
    fn next(&mut self, _worker: &mut Member<'_, '_, C>, _position: &Position) -> Option<Turn> {
        None
    }

    fn alpha(&self, worker: &mut Member<'_, '_, C>) -> Score {
        alpha(worker, self.index)
    }

    fn absorb(
        &mut self,
        _worker: &mut Member<'_, '_, C>,
        _node: &Node,
        _turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        result.map(|_| Flow::Continue)
    }
}
