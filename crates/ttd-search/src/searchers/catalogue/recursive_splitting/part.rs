//! The leader of a group: the nodes that it divides, and the loop over its own part.

use crate::cores::{Core, State, Time};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Dependencies, Effect, Flow, Line, MoveLoop, Node, Policy, Progress, Shared, Turn,
    UnsharedMoves, Verdict, Worker,
};
use crate::searchers::steps::is_divisible;
use std::mem;
use std::ops::Range;

/// The decisions of the settings.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) sequential_plies: usize,
    pub(super) top_level_only: bool,
    pub(super) exchange_alpha: bool,
    pub(super) min_depth: i32,
}

impl Plan {
    /// Whether a leader should divide a node.
    fn wants(self, node: &Node) -> bool {
        let first = self.sequential_plies;
        let in_range = node.ply >= first && (node.ply == first || !self.top_level_only);
        in_range && node.depth >= self.min_depth && node.excluded.is_none()
    }
}

/// The way of parts to other workers, and of their results back: through memory, or by messages.
pub(super) trait Way<C: Core>: Sized {
    /// The part of a divided node that its workers share.
    type Division;

    /// Whether a part reduces after a pruned move too, if alpha is exchanged. It has no new result
    /// then, but hears of those of others.
    const REDUCES_PRUNED: bool;

    /// Divides a node among the worker's group, searches its own part, and takes the result of all
    /// into its loop.
    ///
    /// # Errors
    /// [`Aborted`] when the search has ended meanwhile.
    fn divide(
        worker: &mut Member<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
    ) -> Result<(), Aborted>;

    /// Reads what other parts have sent, if they send anything.
    fn listen(_worker: &mut Member<'_, C, Self>) {}

    /// The greatest lower bound that the worker knows of all parts, and the chain of work to it.
    fn alpha(worker: &mut Member<'_, C, Self>, division: &Self::Division) -> (Score, Time);

    /// Adds the results of one part that are new to those of the others. If it is `done`, there
    /// will be no more.
    fn reduce(
        worker: &mut Member<'_, C, Self>,
        division: &Self::Division,
        results: &mut Results,
        done: bool,
    );
}

/// The results of one part of a node's moves.
pub(super) struct Results {
    /// All of them, beginning with the alpha that the part was given.
    pub(super) progress: Progress,
    pub(super) line: Line,
    /// The scores that were not reduced yet.
    pub(super) found: Vec<(Turn, Score)>,
}

/// The policy of one worker, with the group that it leads. The worker itself is the first of the
/// group, and owns the policy.
pub(super) struct Grouped<W> {
    pub(super) plan: Plan,
    pub(super) group: Range<usize>,
    pub(super) way: W,
}

/// A worker with a group.
pub(super) type Member<'s, C, W> = Worker<'s, C, Grouped<W>>;

impl<W> Grouped<W> {
    /// The policy of the worker `id`, of so many. The first leads all.
    pub(super) fn new(plan: Plan, (id, workers): (usize, usize), way: W) -> Grouped<W> {
        let group = if id == 0 { 0..workers } else { id..id + 1 };
        Grouped { plan, group, way }
    }
}

impl<C: Core, W: Way<C>> Policy<C> for Grouped<W> {
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
        let (plan, alone) = (worker.policy.plan, worker.policy.group.len() == 1);
        if !is_divisible(worker, alone, position, moves, |_| plan.wants(node)) {
            return Ok(Shared::No);
        }
        W::divide(worker, position, node, moves)?;
        Ok(Shared::Done)
    }
}

/// Searches a part of a divided node with a group, and reduces.
pub(super) fn search_part<C: Core, W: Way<C>>(
    worker: &mut Member<'_, C, W>,
    (position, node): (&Position, &Node),
    division: &W::Division,
    (turns, group): (Vec<Turn>, Range<usize>),
) {
    let above = mem::replace(&mut worker.policy.group, group);
    worker.core.enter(State::Search);
    let (alpha, span) = W::alpha(worker, division);
    worker.core.depend_on(span);
    let results = Results { progress: Progress::new(alpha), line: Line::new(), found: Vec::new() };
    let (turns, dependencies) = (turns.into_iter(), Dependencies::begun(&worker.core));
    let mut part = Part { node, division, turns, results, dependencies };
    // An abort leaves the results as they are.
    let _: Result<(), Aborted> = worker.turns(position, node, &mut part);
    worker.core.enter(State::Reduce);
    part.dependencies.conclude(&mut worker.core);
    W::reduce(worker, division, &mut part.results, true);
    worker.policy.group = above;
}

/// The loop over one part of a node's moves.
struct Part<'a, D> {
    node: &'a Node,
    division: &'a D,
    turns: std::vec::IntoIter<Turn>,
    results: Results,
    /// The dependencies in this part: its moves depend on alpha, and not on each other.
    dependencies: Dependencies,
}

impl<C: Core, W: Way<C>> MoveLoop<C, Grouped<W>> for Part<'_, W::Division> {
    fn next(&mut self, worker: &mut Member<'_, C, W>, position: &Position) -> Option<Turn> {
        worker.core.continue_from(self.dependencies.alpha());
        let (node, progress) = (self.node, &mut self.results.progress);
        if worker.policy.plan.exchange_alpha {
            W::listen(worker);
            let (alpha, span) = W::alpha(worker, self.division);
            if alpha > progress.alpha {
                progress.alpha = alpha;
                worker.core.depend_on(span);
                self.dependencies.come_back(&worker.core, Effect::Raised);
            }
        }
        if node.cuts && progress.alpha >= node.beta {
            return None;
        }
        loop {
            let turn = self.turns.next()?;
            progress.handed = turn.number - 1;
            let unwanted = worker.shared.unwanted_quiets(position, node, progress);
            if !(turn.quiet && unwanted.holds(position, &node.checks, turn.mv)) {
                return Some(progress.hand_out_again(turn));
            }
        }
    }

    fn alpha(&self, _worker: &mut Member<'_, C, W>) -> Score {
        self.results.progress.alpha
    }

    fn absorb(
        &mut self,
        worker: &mut Member<'_, C, W>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let verdict = result?;
        let Results { progress, line, found } = &mut self.results;
        let alpha = progress.alpha;
        if let Verdict::Score(score) = verdict {
            if progress.absorb(node, turn, score) && node.pv {
                *line = worker.line_from(node.ply, turn.mv);
            }
            found.push((*turn, score));
        }
        let reduces = W::REDUCES_PRUNED || !found.is_empty();
        if worker.policy.plan.exchange_alpha && reduces {
            let before = worker.core.enter(State::Reduce);
            W::reduce(worker, self.division, &mut self.results, false);
            worker.core.enter(before);
        }
        let progress = &self.results.progress;
        let effect = Effect::on_alpha(progress.alpha > alpha);
        self.dependencies.come_back(&worker.core, effect);
        Ok(if progress.is_cut(node) { Flow::CutOff } else { Flow::Continue })
    }
}
