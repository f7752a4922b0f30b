//! Recursive splitting by workers that share no memory: an order, results, and no more.
//!
//! The leader of a group sends each part of a node's moves to the first worker of a part of the
//! group. It searches its own part, and takes the results of the others in the order in which they
//! come. A part begins with the alpha of its order. If alpha is exchanged, each part tells the
//! others when it has raised it.
//!
//! The tree is that of workers with private memory that share the divided nodes: node for node,
//! where messages take no time.
//!
//! No worker waits but for the results of its own division, or for an order. So every wait ends, as
//! in the module above.

use super::part::Plan;
use crate::cores::{Cost, Event, Messenger, State};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Dependencies, Effect, Flow, Line, MoveLoop, Node, Policy, Progress, Shared, Turn,
    UnsharedMoves, Verdict, Worker,
};
use crate::searchers::desk::{Desk, Division, post};
use crate::searchers::letters::{Letter, Order, Parts};
use crate::searchers::{MessageTeam, Ran, Search};
use std::ops::Range;

/// Runs a search by messages.
pub(super) fn search(search: &Search<'_>, plan: Plan, look_every: u64) -> Ran {
    search.run_by_messages(&Hierarchy { plan, look_every, workers: search.workers })
}

struct Hierarchy {
    plan: Plan,
    look_every: u64,
    workers: usize,
}

impl MessageTeam for Hierarchy {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t> = Grouped;

    fn policy(&self, id: usize) -> Grouped {
        let group = if id == 0 { 0..self.workers } else { id..id + 1 };
        Grouped { plan: self.plan, group, desk: Desk::default() }
    }

    fn work<C: Messenger>(&self, worker: &mut Worker<'_, C, Grouped>) {
        worker.core.look_every(self.look_every);
        if worker.core.id() == 0 { worker.lead() } else { follow(worker) }
    }
}

/// The policy of one worker, with the group that it leads. The worker itself is the first of the
/// group, and owns the policy.
pub(super) struct Grouped {
    plan: Plan,
    group: Range<usize>,
    desk: Desk,
}

type Member<'s, C> = Worker<'s, C, Grouped>;

impl<C: Messenger> Policy<C> for Grouped {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        worker.core.ended()
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<Shared, Aborted> {
        let (plan, workers) = (worker.policy.plan, worker.policy.group.len());
        if !plan.divides(worker, workers, (position, node), moves) {
            return Ok(Shared::No);
        }
        divide(worker, position, node, moves)?;
        Ok(Shared::Done)
    }
}

/// Divides a node among the worker's group, searches its own part, and takes the result of all into
/// its loop.
fn divide<C: Messenger>(
    worker: &mut Member<'_, C>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
) -> Result<(), Aborted> {
    let before = worker.core.enter(State::Split);
    moves.go_back(&mut worker.core);
    if !worker.core.charge(Cost::Split) {
        worker.core.enter(before);
        return Err(Aborted);
    }
    worker.counters.splits.add(node.kind, 1);
    let whole = worker.policy.group.clone();
    let turns: Vec<Turn> =
        moves.take_list().map(|picked| moves.progress.hand_out(picked)).collect();
    let count = whole.len().min(turns.len());
    let parts = Parts { whole: whole.clone(), count, own: 0 };
    let mut division = Division::made(worker, node, parts.clone(), moves);
    worker.core.note(|| Event::Splits(division.shown()));
    let order = division.order(worker, position);
    let of_part = |part: usize| turns.iter().skip(part).step_by(count).copied().collect();
    for part in 1..count {
        let parts = Parts { own: part, ..parts.clone() };
        let (to, turns) = (parts.own_group().start, of_part(part));
        let order = Order { turns, parts, ..order.clone() };
        post(&mut worker.core, &mut worker.counters, to, Letter::Order(order).packed());
    }
    let own = of_part(0);
    if let Some(sum) = &mut division.sum {
        (sum.missing, sum.turns) = (count - 1, turns);
    }
    worker.policy.desk.open.push(division);
    let height = worker.path.len();
    fulfil(worker, position, own);
    worker.path.truncate(height);
    loop {
        let policy = &mut worker.policy;
        policy.desk.read(&mut worker.core, worker.shared);
        let is_done = policy.desk.innermost().sum.as_ref().is_none_or(|sum| sum.missing == 0);
        if is_done || worker.core.ended() {
            break;
        }
        worker.core.wait_for_mail(State::Reduce);
    }
    worker.policy.group = whole;
    worker.core.enter(before);
    let division = worker.policy.desk.open.pop();
    if worker.core.ended() {
        return Err(Aborted);
    }
    if let Some(division) = division {
        division.conclude(worker, moves);
    }
    Ok(())
}

/// The work of every worker but the first.
fn follow<C: Messenger>(worker: &mut Member<'_, C>) {
    loop {
        worker.core.wait_for_mail(State::Reduce);
        if worker.core.ended() {
            return;
        }
        worker.policy.desk.read(&mut worker.core, worker.shared);
        while let Some(order) = worker.policy.desk.orders.pop_front() {
            worker.core.enter(State::Split);
            obey(worker, order);
            worker.core.enter(State::Reduce);
        }
    }
}

/// Takes part in the division of another worker.
fn obey<C: Messenger>(worker: &mut Member<'_, C>, order: Order) {
    worker.core.continue_from(order.span);
    let counted = worker.core.charge(Cost::Join);
    worker.counters.joins.add(order.node.kind, u64::from(counted));
    worker.core.note(|| Event::Joins(order.number));
    let (division, position, turns) = order.enter(worker);
    worker.policy.desk.open.push(division);
    fulfil(worker, &position, turns);
    worker.policy.desk.open.pop();
}

/// Searches a part of the innermost division, and reduces.
fn fulfil<C: Messenger>(worker: &mut Member<'_, C>, position: &Position, turns: Vec<Turn>) {
    let division = worker.policy.desk.innermost();
    let (node, alpha, alpha_span) = (division.node, division.alpha, division.alpha_span);
    worker.policy.group = division.parts.own_group();
    worker.core.enter(State::Search);
    worker.core.depend_on(alpha_span);
    let mut part = Part {
        node,
        turns: turns.into_iter(),
        progress: Progress::new(alpha),
        dependencies: Dependencies::begun(&worker.core),
        line: Line::new(),
        found: Vec::new(),
    };
    while let Some(turn) = part.next(worker, position) {
        let result = worker.turn(position, &node, &turn, &part);
        if part.absorb(worker, &node, &turn, result) != Ok(Flow::Continue) {
            break;
        }
    }
    worker.core.enter(State::Reduce);
    part.dependencies.conclude(&mut worker.core);
    part.reduce(worker, true);
}

/// The loop over one part of a node's moves.
struct Part {
    node: Node,
    turns: std::vec::IntoIter<Turn>,
    /// The results of this part, beginning with the alpha that it was given.
    progress: Progress,
    /// The dependencies in this part: its moves depend on alpha, and not on each other.
    dependencies: Dependencies,
    line: Line,
    /// The results that were not reduced yet.
    found: Vec<(usize, Score)>,
}

impl Part {
    /// Adds the results to those of the other parts: at this worker if it leads, or by a letter.
    fn reduce<C: Messenger>(&mut self, worker: &mut Member<'_, C>, done: bool) {
        let (core, counters, shared) = (&mut worker.core, &mut worker.counters, worker.shared);
        let Grouped { plan, desk, .. } = &mut worker.policy;
        core.charge(Cost::Reduce);
        let scores = std::mem::take(&mut self.found);
        if desk.innermost().sum.is_some() {
            // Results that came before count before.
            desk.read(core, shared);
        }
        let division = desk.innermost();
        let before = division.alpha;
        if division.sum.is_some() {
            let span = core.span();
            division.add(core, &scores, Some(&self.line), span);
        } else {
            let found = division.found(shared, scores, Some(&self.line), done);
            post(core, counters, division.leader, found);
            division.alpha = division.alpha.max(self.progress.alpha);
        }
        if plan.exchange_alpha && division.alpha > before {
            let told = division.told_alpha();
            let parts = &division.parts;
            let others = (0..parts.count).filter(|&part| part != parts.own);
            // The leader has the results themselves.
            for part in others.filter(|&part| parts.group(part).start != division.leader) {
                post(core, counters, parts.group(part).start, told.clone());
            }
        }
    }
}

impl<C: Messenger> MoveLoop<C, Grouped> for Part {
    fn next(&mut self, worker: &mut Member<'_, C>, position: &Position) -> Option<Turn> {
        worker.core.continue_from(self.dependencies.alpha());
        if worker.policy.plan.exchange_alpha {
            worker.policy.desk.read(&mut worker.core, worker.shared);
            let Division { alpha, alpha_span, .. } = *worker.policy.desk.innermost();
            if alpha > self.progress.alpha {
                self.progress.alpha = alpha;
                worker.core.depend_on(alpha_span);
                self.dependencies.come_back(&worker.core, Effect::Raised);
            }
        }
        let node = &self.node;
        if node.cuts && self.progress.alpha >= node.beta {
            return None;
        }
        loop {
            let turn = self.turns.next()?;
            self.progress.handed = turn.number - 1;
            let unwanted = worker.shared.unwanted_quiets(position, node, &self.progress);
            if !(turn.quiet && unwanted.holds(position, &node.checks, turn.mv)) {
                return Some(self.progress.hand_out_again(turn));
            }
        }
    }

    fn alpha(&self, _worker: &mut Member<'_, C>) -> Score {
        self.progress.alpha
    }

    fn absorb(
        &mut self,
        worker: &mut Member<'_, C>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let verdict = result?;
        let alpha = self.progress.alpha;
        if let Verdict::Score(score) = verdict {
            if self.progress.absorb(node, turn, score) && node.pv {
                self.line = worker.line_from(node.ply, turn.mv);
            }
            self.found.push((turn.number, score));
            if worker.policy.plan.exchange_alpha {
                let before = worker.core.enter(State::Reduce);
                self.reduce(worker, false);
                worker.core.enter(before);
            }
        }
        let effect = Effect::on_alpha(self.progress.alpha > alpha);
        self.dependencies.come_back(&worker.core, effect);
        Ok(if self.progress.is_cut(node) { Flow::CutOff } else { Flow::Continue })
    }
}
