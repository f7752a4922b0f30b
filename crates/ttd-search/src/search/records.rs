//! The records of a node's quiet moves, when one of them cuts off.

use super::{Node, Policy, SharedRecords, UnsharedMoves, Worker};
use crate::cores::{Area, Core, Line};
use crate::engine::{
    Bound, Context, CorrectionHistory, Corrections, DEEPEST_MATE, EVALUATION_LIMIT, Entry, History,
    MAX_MOVES, Move, Picked, Picker, Position, RecordLine, Score,
};
use arrayvec::ArrayVec;

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Remembers a quiet move that cut off: it becomes a killer. Its record rises, and the records
    /// of others fall ([`losers`]).
    pub(super) fn remember(
        &mut self,
        position: &Position,
        node: &Node,
        mv: Move,
        moves: &mut UnsharedMoves,
    ) {
        let records = &self.shared.techniques.history;
        let ply = node.ply;
        self.killers.add(ply, mv);
        if let Some(line) = self.killers.shared_line(ply) {
            self.core.change_line(Line::new(Area::Killers, line));
        }
        let context = self.context(position, ply);
        if let Some(moved) = context.before[0] {
            let is_new = self.history.set_countermove(moved, mv);
            if self.prices_history() {
                self.look_at_history(History::line_of_countermove(moved), is_new);
            }
        }
        if !records.enabled {
            return;
        }
        let depth = node.depth.min(records.max_depth);
        let bonus = (depth * (depth * records.square + records.linear)).min(records.max);
        let malus = bonus * records.tried / 100;
        // Shallow nodes are too many: their quiet moves would be generated for this alone.
        let untried =
            if node.depth >= records.untried_depth { records.untried as usize } else { 0 };
        self.update(position, mv, context, bonus);
        for loser in losers(moves, mv, untried, position, self.history) {
            self.update(position, loser, context, -malus);
        }
    }

    /// Raises the record of a move, or lowers it.
    fn update(&mut self, position: &Position, mv: Move, context: Context, bonus: i32) {
        let (color, piece) = (position.side_to_move(), position.moved(mv));
        let prices = self.prices_history();
        let Worker { core, rounding, history, shared_records, .. } = self;
        history.update((color, piece, mv), context, bonus, rounding, |line, changes| {
            if prices {
                look(core, *shared_records, line, changes);
            }
        });
    }
}

impl<C: Core, P> Worker<'_, C, P> {
    /// An evaluation with its correction.
    pub(super) fn correct(&mut self, position: &Position, evaluation: Score) -> Score {
        let Some((corrections, shared)) = self.corrections else { return evaluation };
        let at = Corrections::at(position);
        if shared {
            for line in Corrections::lines(at) {
                self.core.read_line(Line::new(Area::Corrections, line));
            }
        }
        let corrected =
            evaluation + corrections.sum(at) / self.shared.techniques.correction_history.divisor;
        corrected.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Learns from a node how wrong its evaluation was, if its score tells: a bound on the other
    /// side of the evaluation does not. Nor does a capture, which the evaluation does not foresee.
    pub(super) fn learn(&mut self, position: &Position, node: &Node, found: &Entry) {
        let Some((corrections, shared)) = self.corrections else { return };
        let error = found.score - node.evaluation;
        let tells = match found.bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        let captures = found.best.is_some_and(|mv| position.is_tactical(mv));
        // After a pass the evaluation is that of the node before, with the corrections of that.
        let passed = self.before(node.ply)[0].is_none();
        if node.in_check || passed || captures || !tells || found.score.abs() >= DEEPEST_MATE {
            return;
        }
        let CorrectionHistory { pace, max, .. } = self.shared.techniques.correction_history;
        let at = Corrections::at(position);
        let gain = (error * node.depth).saturating_mul(pace);
        corrections.learn(at, gain.clamp(-max, max));
        if shared {
            for line in Corrections::lines(at) {
                self.core.change_line(Line::new(Area::Corrections, line));
            }
        }
    }

    /// Whether looks at the history have a price: other workers have it too, and lines have one.
    #[inline]
    pub(super) fn prices_history(&self) -> bool {
        self.core.prices_lines() && (self.shared_records.history || self.shared_records.pawns)
    }

    /// Looks at a line of the history. `changes`: whether the look is a change.
    pub(super) fn look_at_history(&mut self, line: RecordLine, changes: bool) {
        look(&mut self.core, self.shared_records, line, changes);
    }

    /// The next move of a picker. Where it ranks the quiet moves, the worker reads all
    /// their records.
    #[inline]
    pub(super) fn pick(&mut self, picker: &mut Picker, position: &Position) -> Option<Picked> {
        let ranks = self.prices_history() && !picker.has_ranked_quiets();
        let picked = picker.next(position, self.history);
        if ranks && picker.has_ranked_quiets() {
            History::lines_of_answers(position.board(), picker.context(), |line| {
                self.look_at_history(line, false);
            });
        }
        picked
    }
}

/// A worker looks at a line of its history. `changes`: whether the look is a change. The worker
/// pays for a line that others have too.
fn look<C: Core>(core: &mut C, shared: SharedRecords, line: RecordLine, changes: bool) {
    match shared.line(line) {
        Some(line) if changes => core.change_line(line),
        Some(line) => core.read_line(line),
        None => {}
    }
}

/// The quiet moves whose records fall when `mv` cuts off. They are the others that were tried, and
/// at most `untried` of those that come next in the order.
fn losers(
    moves: &mut UnsharedMoves,
    mv: Move,
    untried: usize,
    position: &Position,
    history: &History,
) -> ArrayVec<Move, MAX_MOVES> {
    let mut losers: ArrayVec<Move, MAX_MOVES> = ArrayVec::new();
    losers.extend(moves.progress.quiets.iter().copied().filter(|tried| *tried != mv));
    let next = std::iter::from_fn(|| moves.next_quiet(position, history));
    losers.extend(next.take(untried));
    losers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Board, Picked, Stage, legal_moves};
    use crate::search::{Listed, Source};

    /// The opening position's moves in a list, of which the second cuts off. The moves at `tried`
    /// were searched, and those from `next` on are left. Every fifth move passes for a capture.
    fn losers_at_the_start(tried: &[usize], next: usize, untried: usize) -> Vec<usize> {
        let position = Position::new(Board::default());
        let all = legal_moves(position.board());
        let picked = |at: usize| Picked {
            mv: all[at],
            stage: Stage::Quiet,
            quiet: !(at + 1).is_multiple_of(5),
        };
        let left = Listed::new((next..all.len()).map(picked).collect());
        let mut moves = UnsharedMoves::new(0, Source::Listed(left));
        moves.progress.quiets = tried.iter().map(|&at| all[at]).collect();
        let history = History::default();
        let found = losers(&mut moves, all[1], untried, &position, &history);
        let place = |loser: &Move| all.iter().position(|mv| mv == loser).expect("a move of these");
        found.iter().map(place).collect()
    }

    #[test]
    fn moves_that_one_worker_has_not_tried_lose_as_those_that_several_have_tried() {
        assert_eq!(losers_at_the_start(&[0, 1], 2, 0), [0]);
        assert_eq!(losers_at_the_start(&[0, 1], 2, 3), [0, 2, 3, 5]);
        // Two brothers of the move that cuts off were searched beside it, and one was aborted.
        assert_eq!(losers_at_the_start(&[0, 2, 3, 1], 6, 2), [0, 2, 3, 6, 7]);
        assert_eq!(losers_at_the_start(&[0, 1], 17, 8), [0, 17, 18]);
    }
}
