//! The loop of one group over its part of a divided node.

use crate::cores::{Core, State};
use crate::engine::{Position, Score};
use crate::search::{
    Aborted, Dependencies, Effect, Flow, Line, MoveLoop, Node, Progress, Turn, Verdict, Worker,
};
use crate::searchers::division::Division;

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
