//! Which nodes are divided, and the loop of one group over its part.

use crate::cores::{Core, State};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Dependencies, Effect, Flow, Line, MoveLoop, Node, Progress, Turn, UnsharedMoves,
    Verdict, Worker,
};
use crate::searchers::division::Division;

/// The decisions of the settings.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) sequential_plies: usize,
    pub(super) top_level_only: bool,
    pub(super) exchange_alpha: bool,
    pub(super) min_depth: i32,
}

impl Plan {
    /// Whether a worker that leads so many, itself included, divides a node among them. Its moves
    /// are listed then.
    #[inline]
    pub(super) fn divides<C: Core, P>(
        self,
        worker: &Worker<'_, C, P>,
        workers: usize,
        (position, node): (&Position, &Node),
        moves: &mut UnsharedMoves,
    ) -> bool {
        let first = self.sequential_plies;
        let in_range = node.ply >= first && (node.ply == first || !self.top_level_only);
        let alone = workers == 1;
        if alone && !C::COUNTS_WORK
            || !in_range
            || node.depth < self.min_depth
            || node.excluded.is_some()
        {
            return false;
        }
        moves.fork(&worker.core);
        !alone && moves.list(worker, position) >= 2
    }
}

/// The loop over one part of a node's moves.
pub(super) struct Part<'a> {
    division: &'a Division,
    turns: std::vec::IntoIter<Turn>,
    exchange: bool,
    /// The results of this part, beginning with the alpha that it was given.
    progress: Progress,
    /// The dependencies in this part: its moves depend on alpha, and not on each other.
    dependencies: Dependencies,
    pub(super) line: Line,
    /// The results that were not reduced yet.
    pub(super) found: Vec<(Turn, Verdict)>,
}

impl<'a> Part<'a> {
    /// The part with which the worker on this core begins.
    pub(super) fn begin<C: Core>(
        core: &mut C,
        division: &'a Division,
        turns: Vec<Turn>,
        exchange: bool,
    ) -> Part<'a> {
        let (progress, turns) = (Progress::new(division.alpha()), turns.into_iter());
        core.depend_on(division.dependencies.alpha());
        let dependencies = Dependencies::begun(core);
        let (line, found) = (Line::new(), Vec::new());
        Part { division, turns, exchange, progress, dependencies, line, found }
    }

    /// Lets the worker go on from the results of the whole part.
    pub(super) fn conclude<C: Core>(&self, core: &mut C) {
        self.dependencies.conclude(core);
    }
}

impl<C: Core, P> MoveLoop<C, P> for Part<'_> {
    fn next(&mut self, worker: &mut Worker<'_, C, P>, position: &Position) -> Option<Turn> {
        let node = &self.division.node;
        worker.core.continue_from(self.dependencies.alpha());
        if self.exchange && self.division.alpha() > self.progress.alpha {
            self.progress.alpha = self.division.alpha();
            worker.core.depend_on(self.division.dependencies.alpha());
            self.dependencies.come_back(&worker.core, Effect::Raised);
        }
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

    fn alpha(&self, _worker: &mut Worker<'_, C, P>) -> Score {
        self.progress.alpha
    }

    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, P>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let verdict = result?;
        let alpha = self.progress.alpha;
        if let Verdict::Score(score) = verdict
            && self.progress.absorb(node, turn, score)
            && node.pv
        {
            self.line = worker.line_from(node.ply, turn.mv);
        }
        self.found.push((*turn, verdict));
        if self.exchange {
            let before = worker.core.enter(State::Reduce);
            self.division.reduce(&mut worker.core, self.found.drain(..), Some(&self.line));
            worker.core.enter(before);
        }
        let effect = Effect::on_alpha(self.progress.alpha > alpha);
        self.dependencies.come_back(&worker.core, effect);
        Ok(if self.progress.is_cut(node) { Flow::CutOff } else { Flow::Continue })
    }
}
