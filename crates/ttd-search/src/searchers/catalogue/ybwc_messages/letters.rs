//! The letters of workers that ask each other for moves, and the answers to questions.

use super::nodes::{give, give_up, take_score};
use super::{Asking, Member, Messenger, State};
use crate::cores::{Mail, Time};
use crate::engine::{Entry, Score};
use crate::search::{Line, SharedState};
use crate::searchers::desk::post;
use crate::searchers::letters::Order;
use crate::wire::Portable;
use std::mem;

/// A question for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ask {
    /// The worker that asks.
    pub(super) asker: usize,
    /// The number of its question. A later question has a greater one, and ends all before.
    pub(super) number: u64,
    /// The number of times that a worker without moves to give may pass it on by chance.
    pub(super) hops: usize,
    /// The shared node below which the work must lie, if anywhere else will not do.
    pub(super) below: Option<u64>,
}

/// A move to search.
pub(super) struct Work {
    /// The node, and the only move.
    pub(super) order: Order,
    /// The number of the question that it answers.
    pub(super) ask: u64,
    /// Whether some move has shown that the side to move is not being mated.
    pub(super) safe: bool,
    /// Questions of others that the giver could not answer.
    pub(super) asks: Vec<Ask>,
}

/// The result of a move that was given away.
pub(super) struct Done {
    /// The shared node.
    pub(super) number: u64,
    /// The move's number, and its score unless it was pruned.
    pub(super) turn: usize,
    pub(super) score: Option<Score>,
    /// The best line from the node on, if one is wanted.
    pub(super) line: Option<Line>,
    /// The number of the next question of the worker, if it has no other work.
    pub(super) ask: Option<u64>,
    /// Workers, and the numbers of nodes that each has searched.
    pub(super) nodes: Vec<(usize, u64)>,
}

pub(super) enum Letter {
    Ask(Ask),
    Work(Work),
    Done(Done),
    /// The lower bound of a shared node has risen to this.
    Alpha(u64, Score),
    /// A shared node was cut off, or is not wanted any more.
    Cut(u64),
    /// A look-up: its number, the key of a position, and the ply.
    LookUp(u64, u64, usize),
    /// The answer to a look-up.
    Found(u64, Option<Entry>),
    /// An entry for the owner of its position: the key, and the ply.
    Keep(u64, usize, Entry),
}

impl Letter {
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Letter::Ask(ask) => {
                bytes.push(0);
                ask.put(&mut bytes);
            }
            Letter::Work(Work { order, ask, safe, asks }) => {
                bytes.push(1);
                order.put(&mut bytes);
                (*ask, *safe).put(&mut bytes);
                asks.put(&mut bytes);
            }
            Letter::Done(Done { number, turn, score, line, ask, nodes }) => {
                bytes.push(2);
                (*number, *turn).put(&mut bytes);
                score.put(&mut bytes);
                line.put(&mut bytes);
                ask.put(&mut bytes);
                nodes.put(&mut bytes);
            }
            Letter::Alpha(number, alpha) => {
                bytes.push(3);
                (*number, *alpha).put(&mut bytes);
            }
            Letter::Cut(number) => {
                bytes.push(4);
                number.put(&mut bytes);
            }
            Letter::LookUp(number, key, ply) => {
                bytes.push(5);
                (*number, (*key, *ply)).put(&mut bytes);
            }
            Letter::Found(number, entry) => {
                bytes.push(6);
                (*number, *entry).put(&mut bytes);
            }
            Letter::Keep(key, ply, entry) => {
                bytes.push(7);
                (*key, (*ply, *entry)).put(&mut bytes);
            }
        }
        bytes
    }

    pub(super) fn read(bytes: &[u8], shared: &SharedState<'_>) -> Option<Letter> {
        let (kind, mut bytes) = bytes.split_first()?;
        let bytes = &mut bytes;
        Some(match kind {
            0 => Letter::Ask(Ask::take(bytes)?),
            1 => {
                let order = Order::take(bytes, shared)?;
                let ((ask, safe), asks) = (Portable::take(bytes)?, Portable::take(bytes)?);
                Letter::Work(Work { order, ask, safe, asks })
            }
            2 => {
                let ((number, turn), score) = (Portable::take(bytes)?, Portable::take(bytes)?);
                let (line, ask) = (Portable::take(bytes)?, Portable::take(bytes)?);
                let nodes = Portable::take(bytes)?;
                Letter::Done(Done { number, turn, score, line, ask, nodes })
            }
            3 => {
                let (number, alpha) = Portable::take(bytes)?;
                Letter::Alpha(number, alpha)
            }
            4 => Letter::Cut(Portable::take(bytes)?),
            5 => {
                let (number, (key, ply)) = Portable::take(bytes)?;
                Letter::LookUp(number, key, ply)
            }
            6 => {
                let (number, entry) = Portable::take(bytes)?;
                Letter::Found(number, entry)
            }
            7 => {
                let (key, (ply, entry)) = Portable::take(bytes)?;
                Letter::Keep(key, ply, entry)
            }
            _ => return None,
        })
    }
}

impl Portable for Ask {
    fn put(&self, bytes: &mut Vec<u8>) {
        let Ask { asker, number, hops, below } = self;
        (*asker, *number).put(bytes);
        hops.put(bytes);
        below.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Ask> {
        let (asker, number) = Portable::take(bytes)?;
        let (hops, below) = (Portable::take(bytes)?, Portable::take(bytes)?);
        Some(Ask { asker, number, hops, below })
    }
}

/// Reads what has come, and answers questions.
pub(super) fn attend<C: Messenger>(worker: &mut Member<'_, '_, C>) {
    let before = worker.policy.asks.len();
    while let Some(mail) = worker.core.receive() {
        read(worker, &mail);
    }
    if worker.policy.asks.len() > before {
        serve(worker);
    }
}

fn read<C: Messenger>(worker: &mut Member<'_, '_, C>, mail: &Mail) {
    let letter = Letter::read(&mail.message, worker.shared);
    let policy = &mut worker.policy;
    match letter.expect("a letter is written by this program") {
        Letter::Ask(ask) => policy.asks.push_back(ask),
        Letter::Work(mut work) => {
            policy.asks.extend(mem::take(&mut work.asks));
            work.order.span = mail.span;
            take_work(policy, work);
        }
        Letter::Done(done) => take_result(worker, (mail.from, mail.span), done),
        Letter::Alpha(number, alpha) => {
            let place = policy.places.iter_mut().find(|place| place.is_given(number));
            if let Some(division) = place.map(|place| &mut place.division)
                && alpha > division.alpha
            {
                division.alpha = alpha;
                division.alpha_span = division.alpha_span.max(mail.span);
            }
        }
        Letter::Cut(number) => {
            let index = policy.places.iter().position(|place| place.is_given(number));
            if let Some(index) = index {
                give_up(worker, index);
            } else if policy.work.as_ref().is_some_and(|work| work.order.number == number) {
                (policy.work, policy.is_open) = (None, false);
            } else {
                policy.early_cuts.insert(number);
            }
        }
        Letter::LookUp(number, key, ply) => {
            let entry = worker.look_in(key, ply);
            let letter = Letter::Found(number, entry).packed();
            post(&mut worker.core, &mut worker.counters, mail.from, letter);
        }
        Letter::Found(number, entry) if number == policy.looked_up => {
            (policy.is_looking_up, policy.found) = (false, entry);
        }
        Letter::Found(..) => {} // its node was given up meanwhile
        Letter::Keep(key, ply, entry) => worker.hear(key, ply, entry),
    }
}

/// Takes work that answers the last question, unless its node was cut off meanwhile. Work that
/// answers an earlier one was cut off too: see `wait_for_helpers`.
fn take_work(policy: &mut Asking<'_>, work: Work) {
    let is_cut = policy.early_cuts.remove(&work.order.number);
    if work.ask == policy.asked && policy.is_open {
        policy.is_open = !is_cut;
        policy.work = Some(work).filter(|_| !is_cut);
    }
}

fn take_result<C: Messenger>(
    worker: &mut Member<'_, '_, C>,
    (from, span): (usize, Time),
    done: Done,
) {
    let Done { number, turn, score, line, ask, nodes } = done;
    for (rank, nodes) in nodes {
        // Where workers share their process, they count there.
        if nodes > worker.shared.nodes_of(rank) {
            worker.shared.tally(rank, nodes);
            worker.policy.heard.insert(rank);
        }
    }
    let policy = &mut worker.policy;
    let hops = policy.settings.hops;
    policy.asks.extend(ask.map(|number| Ask { asker: from, number, hops, below: None }));
    let mut owns = policy.places.iter_mut().enumerate().filter_map(|(index, place)| {
        let is_it = place.division.number == number;
        Some((index, place.own.as_mut().filter(|_| is_it)?))
    });
    let Some((index, own)) = owns.next() else { return };
    let Some(at) = own.helpers.iter().position(|helper| *helper == (from, turn)) else { return };
    own.helpers.remove(at);
    if policy.asked_of == Some((from, number)) {
        // Its answer would have kept the helper waiting: there is none.
        (policy.asked_of, policy.is_open) = (None, false);
    }
    match score {
        Some(score) => take_score(worker, index, (turn, score), (line.as_ref(), span)),
        None => policy.places[index].division.add(&mut worker.core, &[], None, span),
    }
}

/// Answers questions with moves, as far as there are any. The others go along with these moves, or
/// on to other workers, or stay.
pub(super) fn serve<C: Messenger>(worker: &mut Member<'_, '_, C>) {
    if worker.policy.asks.is_empty() {
        return;
    }
    let span = worker.core.span();
    let works = !worker.policy.places.is_empty();
    let before = works.then(|| worker.core.enter(State::Split));
    let mut given: Vec<(usize, Work)> = Vec::new();
    let mut left: Vec<Ask> = Vec::new();
    let mut has_any = works;
    for ask in mem::take(&mut worker.policy.asks) {
        let work = if has_any || ask.below.is_some() { give(worker, &ask) } else { None };
        if let Some(work) = work {
            given.push((ask.asker, work));
        } else {
            has_any &= ask.below.is_some();
            left.push(ask);
        }
    }
    let mut next = 0;
    for ask in left {
        if ask.below.is_none() && !given.is_empty() {
            let count = given.len();
            given[next % count].1.asks.push(ask);
            next += 1;
        } else {
            pass_on(worker, ask);
        }
    }
    for (to, work) in given {
        // The move depends on its node, and not on whatever the worker is searching now.
        worker.core.continue_from(work.order.span);
        post(&mut worker.core, &mut worker.counters, to, Letter::Work(work).packed());
    }
    worker.core.continue_from(span);
    before.map(|before| worker.core.enter(before));
}

/// The number of workers that send questions to one worker above them. Worker 0 is on top, and
/// always has work.
const BRANCHES: usize = 8;

/// Passes a question on that the worker cannot answer, or keeps it.
fn pass_on<C: Messenger>(worker: &mut Member<'_, '_, C>, ask: Ask) {
    let (id, workers) = (worker.core.id(), worker.core.workers());
    let policy = &mut worker.policy;
    let first = match ask.below {
        None => 0,
        Some(number) => match policy.places.iter().position(|place| place.is_given(number)) {
            Some(index) => index + 1,
            None => return, // the result is on its way
        },
    };
    let (to, ask) = if ask.hops > 0 {
        (policy.anyone_but(id, workers), Ask { hops: ask.hops - 1, ..ask })
    } else {
        let coin = policy.toss() as usize;
        let with_helpers =
            policy.places.iter().skip(first).find(|place| !place.helpers().is_empty());
        match with_helpers {
            Some(place) => {
                let helpers = place.helpers();
                let below = ask.below.map(|_| place.division.number);
                (helpers[coin % helpers.len()].0, Ask { below, ..ask })
            }
            None if policy.is_free(id) => (id / BRANCHES, ask),
            None => (id, ask),
        }
    };
    // Nobody is asked by itself.
    let to = match to == ask.asker {
        true if policy.is_free(id) => ask.asker / BRANCHES,
        true => id,
        false => to,
    };
    // No question stays with a worker that waits for work itself.
    let to = if to == id && policy.is_free(id) { id / BRANCHES } else { to };
    if to == id {
        policy.asks.push_back(ask);
    } else {
        post(&mut worker.core, &mut worker.counters, to, Letter::Ask(ask).packed());
    }
}

/// Asks a worker by chance.
pub(super) fn ask_anyone<C: Messenger>(worker: &mut Member<'_, '_, C>) {
    let (id, workers) = (worker.core.id(), worker.core.workers());
    let ask = worker.policy.next_ask(id, None);
    let to = worker.policy.anyone_but(id, workers);
    post(&mut worker.core, &mut worker.counters, to, Letter::Ask(ask).packed());
}

/// Asks a helper at the innermost node for work below that.
pub(super) fn ask_helper<C: Messenger>(worker: &mut Member<'_, '_, C>, index: usize) {
    let id = worker.core.id();
    let coin = worker.policy.toss() as usize;
    let place = &worker.policy.places[index];
    let (number, helpers) = (place.division.number, place.helpers());
    if helpers.is_empty() {
        return;
    }
    let to = helpers[coin % helpers.len()].0;
    let ask = worker.policy.next_ask(id, Some(number));
    worker.policy.asked_of = Some((to, number));
    post(&mut worker.core, &mut worker.counters, to, Letter::Ask(ask).packed());
}

/// The nodes of this worker, and those that it has heard of and not told yet.
pub(super) fn tell_nodes<C: Messenger>(worker: &mut Member<'_, '_, C>) -> Vec<(usize, u64)> {
    let heard = mem::take(&mut worker.policy.heard);
    let all = std::iter::once(worker.core.id()).chain(heard);
    all.map(|rank| (rank, worker.shared.nodes_of(rank))).collect()
}
