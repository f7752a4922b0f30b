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

use super::part::{Grouped, Member, Plan, Results, Way, search_part};
use crate::cores::{Cost, Messenger, State, Time};
use crate::engine::{Position, Score};
use crate::search::{Aborted, Node, Turn, UnsharedMoves, Worker};
use crate::searchers::desk::{Desk, post};
use crate::searchers::division::deal;
use crate::searchers::led::{self, Led};
use crate::searchers::letters::{Letter, Order, Parts};
use crate::searchers::{MessageTeam, Ran, Search};

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

    type Policy<'t> = Grouped<Desk>;

    fn policy(&self, id: usize) -> Grouped<Desk> {
        Grouped::new(self.plan, (id, self.workers), Desk::default())
    }

    fn work<C: Messenger>(&self, worker: &mut Worker<'_, C, Grouped<Desk>>) {
        led::work(worker, self.look_every);
    }
}

impl<C: Messenger> Led<C> for Grouped<Desk> {
    const WAITS: State = State::Reduce;
    const IDLE: State = State::Reduce;

    fn desk(&mut self) -> &mut Desk {
        &mut self.way
    }

    fn lead(
        worker: &mut Member<'_, C, Desk>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) {
        let (whole, turns) = (worker.policy.group.clone(), moves.take_turns());
        let count = whole.len().min(turns.len());
        let parts = Parts { whole, count, own: 0 };
        let order = led::open(worker, (position, node), parts.clone(), moves);
        for part in 1..count {
            let parts = Parts { own: part, ..parts.clone() };
            let (to, turns) = (parts.own_group().start, deal(&turns, part, count));
            let order = Order { turns, parts, ..order.clone() };
            post(&mut worker.core, &mut worker.counters, to, Letter::Order(order).packed());
        }
        let own = deal(&turns, 0, count);
        if let Some(sum) = &mut worker.policy.way.innermost().sum {
            (sum.missing, sum.turns) = (count - 1, turns);
        }
        Self::obey(worker, position, own);
    }

    fn obey(worker: &mut Member<'_, C, Desk>, position: &Position, turns: Vec<Turn>) {
        let division = worker.policy.way.innermost();
        let (node, group) = (division.node, division.parts.own_group());
        search_part(worker, (position, &node), &(), (turns, group));
    }
}

impl<C: Messenger> Way<C> for Desk {
    type Division = ();

    const REDUCES_PRUNED: bool = false;

    fn divide(
        worker: &mut Member<'_, C, Desk>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<(), Aborted> {
        led::divide(worker, position, node, moves)
    }

    fn listen(worker: &mut Member<'_, C, Desk>) {
        worker.policy.way.read(&mut worker.core, worker.shared);
    }

    fn alpha(worker: &mut Member<'_, C, Desk>, (): &()) -> (Score, Time) {
        let division = worker.policy.way.innermost();
        (division.alpha, division.alpha_span)
    }

    /// Adds the results at this worker if it leads, or by a letter.
    fn reduce(worker: &mut Member<'_, C, Desk>, (): &(), results: &mut Results, done: bool) {
        let (core, counters, shared) = (&mut worker.core, &mut worker.counters, worker.shared);
        let Grouped { plan, way: desk, .. } = &mut worker.policy;
        core.charge(Cost::Reduce);
        let Results { progress, line, found } = results;
        let scores: Vec<_> = found.drain(..).map(|(turn, score)| (turn.number, score)).collect();
        if desk.innermost().sum.is_some() {
            // Results that came before count before.
            desk.read(core, shared);
        }
        let division = desk.innermost();
        let before = division.alpha;
        if division.sum.is_some() {
            let span = core.span();
            division.add(core, &scores, Some(line), span);
        } else {
            let found = division.found(shared, scores, Some(line), done);
            post(core, counters, division.leader, found);
            division.alpha = division.alpha.max(progress.alpha);
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
