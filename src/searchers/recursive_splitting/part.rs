//! The loop of one group over its part of a divided node.

use super::{Division, Grouped};
use crate::cores::{Core, State};
use crate::engine::{Position, Score};
use crate::search::{Aborted, Flow, Line, MoveLoop, Node, Progress, Turn, Verdict, Worker};

/// The loop over one part of a node's moves.
pub(super) struct Part<'a> {
    division: &'a Division,
    turns: std::vec::IntoIter<Turn>,
    exchange: bool,
    /// What the moves of this part have given, beginning with alpha as it was.
    progress: Progress,
    pub(super) line: Line,
    /// What was not reduced yet.
    pub(super) found: Vec<(Turn, Verdict)>,
}

impl<'a> Part<'a> {
    pub(super) fn new(division: &'a Division, turns: Vec<Turn>, exchange: bool) -> Part<'a> {
        let (progress, turns) = (Progress::new(division.alpha()), turns.into_iter());
        Part { division, turns, exchange, progress, line: Line::new(), found: Vec::new() }
    }
}

impl<'s, C: Core> MoveLoop<C, Grouped<'s>> for Part<'_> {
    fn next(
        &mut self,
        worker: &mut Worker<'_, C, Grouped<'s>>,
        position: &Position,
    ) -> Option<Turn> {
        let node = &self.division.node;
        if self.exchange {
            self.progress.alpha = self.progress.alpha.max(self.division.alpha());
        }
        if node.cuts && self.progress.alpha >= node.beta {
            return None;
        }
        loop {
            let turn = self.turns.next()?;
            self.progress.handed = turn.number - 1;
            let unwanted = worker.session.unwanted_quiets(position, node, &self.progress);
            if !(turn.quiet && unwanted.holds(position, &node.checks, turn.mv)) {
                return Some(self.progress.hand_out_again(turn));
            }
        }
    }

    fn alpha(&self) -> Score {
        self.progress.alpha
    }

    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, Grouped<'s>>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let verdict = result?;
        if let Verdict::Score(score) = verdict
            && self.progress.absorb(node, turn, score)
            && node.pv
        {
            self.line.clear();
            self.line.push(turn.mv);
            let room = self.line.remaining_capacity();
            self.line.extend(worker.line(node.ply + 1).iter().copied().take(room));
        }
        self.found.push((*turn, verdict));
        if self.exchange {
            let before = worker.core.enter(State::Reduce);
            self.division.reduce(&mut worker.core, self.found.drain(..), Some(&self.line));
            worker.core.enter(before);
        }
        Ok(if self.progress.is_cut(node) { Flow::CutOff } else { Flow::Continue })
    }
}
