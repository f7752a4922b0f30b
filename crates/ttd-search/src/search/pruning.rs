//! Pruning of nodes and of quiet moves.
//!
//! Razoring, reverse futility and the null move decide a node without searching its moves. Late
//! move pruning and futility leave out its quiet moves.

use super::visit::{Node, Visit, sharpened};
use super::{Aborted, NodeKind, Policy, Progress, SharedState, Unwanted, Worker};
use crate::cores::Core;
use crate::engine::{DEEPEST_MATE, Entry, Position, Score};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// The score of a node that is decided without searching its moves, if it is.
    ///
    /// # Errors
    /// [`Aborted`] when it is not wanted any more.
    pub(super) fn prune(
        &mut self,
        position: &Position,
        visit: &Visit,
        (evaluation, improving): (Score, bool),
        entry: Option<&Entry>,
    ) -> Result<Option<Score>, Aborted> {
        let techniques = self.shared.techniques;
        let Visit { alpha, beta, depth, ply, .. } = *visit;
        let estimate = entry.map_or(evaluation, |entry| sharpened(entry, evaluation));

        let razoring = &techniques.razoring;
        if razoring.enabled
            && depth <= razoring.max_depth
            && estimate + razoring.margin * depth <= alpha
        {
            let (window, known) = ((alpha, beta), Some(evaluation));
            let score = self.quiescence(position, window, ply, self.quiet_checks(), known)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }

        let futility = &techniques.reverse_futility;
        if futility.enabled
            && depth <= futility.max_depth
            && estimate - futility.margin * (depth - i32::from(improving)) >= beta
            && beta > -DEEPEST_MATE
            && estimate < DEEPEST_MATE
        {
            return Ok(Some(estimate));
        }

        let null = &techniques.null_move;
        let allowed = null.enabled
            && visit.may_pass
            && depth >= null.min_depth
            && estimate >= beta
            && evaluation >= beta - null.margin
            && beta > -DEEPEST_MATE
            && self.before(ply)[0].is_some()
            && position.has_pieces();
        if allowed { self.pass(position, visit, (evaluation, estimate)) } else { Ok(None) }
    }

    /// The score of a node if its side to move passes and still reaches beta.
    fn pass(
        &mut self,
        position: &Position,
        visit: &Visit,
        (evaluation, estimate): (Score, Score),
    ) -> Result<Option<Score>, Aborted> {
        let null = &self.shared.techniques.null_move;
        let Visit { beta, depth, ply, .. } = *visit;
        self.prefetch(position.key_after_null());
        let Some(passed) = position.after_null() else { return Ok(None) };
        let reduction = null.reduction
            + depth / null.depth_divisor
            + ((estimate - beta) / null.evaluation_divisor).min(null.evaluation_most);
        self.frame_mut(ply).moved = None;
        self.path.push(passed.key());
        let below = Visit {
            alpha: -beta,
            beta: 1 - beta,
            depth: depth - reduction,
            ply: ply + 1,
            kind: NodeKind::All,
            excluded: None,
            may_pass: false,
            evaluation: Some(self.shared.techniques.evaluation.after_pass(evaluation)),
        };
        let score = -self.node(&passed, below)?;
        self.path.pop();
        if score < beta {
            return Ok(None);
        }
        // A mate found after passing is not proved.
        let score = if score >= DEEPEST_MATE { beta } else { score };
        if depth < null.verify_depth {
            return Ok(Some(score));
        }
        let again = Visit {
            alpha: beta - 1,
            depth: depth - reduction,
            may_pass: false,
            evaluation: Some(evaluation),
            ..*visit
        };
        let verified = self.node(position, again)?;
        Ok((verified >= beta).then_some(score))
    }
}

impl SharedState<'_> {
    /// The quiet moves that a node can do without from its next move on.
    pub fn unwanted_quiets(
        &self,
        position: &Position,
        node: &Node,
        progress: &Progress,
    ) -> Unwanted {
        let number = progress.handed + 1;
        if !progress.is_safe() || !position.has_pieces() {
            Unwanted::None
        } else if self.is_late(node, number) {
            Unwanted::All
        } else if self.is_futile(node, number, progress.alpha) {
            Unwanted::WithoutCheck
        } else {
            Unwanted::None
        }
    }

    /// Whether quiet moves from `number` on come too late to be searched at a shallow node.
    fn is_late(&self, node: &Node, number: usize) -> bool {
        let late = &self.techniques.late_move_pruning;
        let enough = (late.base + node.depth * node.depth) >> i32::from(!node.improving);
        late.enabled && node.ply > 0 && node.depth <= late.max_depth && number as i32 > enough
    }

    /// Whether the evaluation lies so far below alpha that quiet moves from `number` on will not
    /// raise it, unless they give check.
    fn is_futile(&self, node: &Node, number: usize, alpha: Score) -> bool {
        let futility = &self.techniques.futility;
        let left = (node.depth - self.reductions.get(node.depth, number) / 100).max(0);
        futility.enabled
            && node.ply > 0
            && !node.in_check
            && left <= futility.max_depth
            && node.evaluation + futility.base + futility.margin * left <= alpha
    }
}
