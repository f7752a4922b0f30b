//! Two passes over a node's moves, beside workers that search them too: unmarked moves first, then
//! the rest.

use super::move_marks::{Mark, MoveMarks};
use crate::cores::{Area, Core, Line};
use crate::engine::{Position, Score};
use crate::search::{Aborted, Flow, MoveLoop, Node, Policy, Turn, UnsharedMoves, Verdict, Worker};
use std::cell::Cell;
use std::collections::VecDeque;

/// Searches the rest of a node's moves. Moves that another worker searches now (`marks` has them)
/// come last.
///
/// # Errors
/// [`Aborted`] when the node is not wanted any more.
pub(super) fn search<C: Core, P: Policy<C>>(
    worker: &mut Worker<'_, C, P>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
    marks: Option<&MoveMarks>,
) -> Result<(), Aborted> {
    let (put_off, mark) = (VecDeque::new(), Cell::new(None));
    worker.turns(position, node, &mut TwoPasses { node, moves, marks, put_off, mark })
}

/// A loop that hands out the unmarked moves first, and then those that were put off.
struct TwoPasses<'a, 'b> {
    node: &'a Node,
    moves: &'a mut UnsharedMoves,
    marks: Option<&'b MoveMarks>,
    put_off: VecDeque<Turn>,
    /// The mark of the move that is being searched.
    mark: Cell<Option<Mark<'b>>>,
}

impl<C: Core, P: Policy<C>> MoveLoop<C, P> for TwoPasses<'_, '_> {
    fn next(&mut self, worker: &mut Worker<'_, C, P>, position: &Position) -> Option<Turn> {
        loop {
            let unwanted = worker.shared.unwanted_quiets(position, self.node, &self.moves.progress);
            self.moves.leave_out(unwanted, position, &self.node.checks);
            let Some(turn) = self.moves.next(worker, position) else { break };
            // The eldest brother is searched by every worker that comes.
            let Some(marks) = self.marks.filter(|_| turn.number > 1) else { return Some(turn) };
            let key = MoveMarks::key(position, turn.mv);
            worker.core.change_line(Line::new(Area::Marks, MoveMarks::line_of(key) as u64));
            if !marks.has(key) {
                self.mark.set(marks.mark(key));
                return Some(turn);
            }
            self.put_off.push_back(turn);
        }
        let turn = self.put_off.pop_front()?;
        self.mark.set(self.marks.and_then(|marks| marks.mark(MoveMarks::key(position, turn.mv))));
        Some(self.moves.progress.hand_out_again(turn))
    }

    fn alpha(&self, _worker: &mut Worker<'_, C, P>) -> Score {
        self.moves.progress.alpha
    }

    fn may_value(&self, _worker: &mut Worker<'_, C, P>) -> bool {
        drop(self.mark.take());
        true
    }

    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, P>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        drop(self.mark.take());
        self.moves.absorb(worker, node, turn, result)
    }
}
