//! The turn of a move: it is pruned, reduced, extended or searched in full. Every searcher uses
//! this code, and every worker that takes part in a node.

use super::{Aborted, Flow, MoveLoop, News, Node, NodeKind, Policy, Turn, Verdict, Visit, Worker};
use crate::cores::Core;
use crate::engine::{
    Bound, DEEPEST_MATE, INFINITY, Move, Moved, Piece, Position, Rank, Score, Square, Stage,
    see_at_least,
};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Searches the moves of a node that a loop hands out, until it has none or the node is cut
    /// off.
    ///
    /// # Errors
    /// [`Aborted`] when the loop says so: the whole node is not wanted any more.
    pub fn turns<L: MoveLoop<C, P>>(
        &mut self,
        position: &Position,
        node: &Node,
        moves: &mut L,
    ) -> Result<(), Aborted> {
        while let Some(turn) = moves.next(self, position) {
            let result = self.turn(position, node, &turn, moves);
            if moves.absorb(self, node, &turn, result)? == Flow::CutOff {
                break;
            }
        }
        Ok(())
    }

    /// Searches one move of a node.
    ///
    /// # Errors
    /// [`Aborted`] when it is not wanted any more.
    pub fn turn<L: MoveLoop<C, P>>(
        &mut self,
        position: &Position,
        node: &Node,
        turn: &Turn,
        moves: &L,
    ) -> Result<Verdict, Aborted> {
        let mv = turn.mv;
        if node.excluded == Some(mv) {
            return Ok(Verdict::Pruned);
        }
        // Early, although some moves will be pruned: the table's entry takes long to arrive.
        self.prefetch(position.likely_key_after(mv));
        let color = position.side_to_move();
        let piece = position.moved(mv);
        let moved = Moved::new(color, piece, mv.to);
        let gives_check = node.checks.given_by(piece, mv);
        let record = if turn.quiet {
            let answers = self.history.answers(color, self.context(position, node.ply));
            answers.of(piece, mv.from).score(mv.to)
        } else {
            0
        };
        if node.ply == 0 {
            self.shared.tell(&self.core, News::RootMove { mv, number: turn.number });
        } else if turn.safe
            && !gives_check
            && let Some(verdict) = self.prune_move(position, node, turn)
        {
            return Ok(verdict);
        }
        let from_table = turn.stage == Stage::Table;
        let singular =
            if from_table { self.singular_extension(position, node, turn.mv)? } else { 0 };

        let child = position.after(mv);
        let extends = singular == 0
            && (gives_check && self.extends_check(position, node, turn)
                || self.extends_pawn(position, node, piece, mv.to));
        let extension = if extends { 1 } else { singular };
        self.frame_mut(node.ply).moved = Some(moved);
        self.path.push(child.key());
        let depth = node.depth - 1 + extension;
        let verdict =
            self.principal_variation_search(&child, node, turn, moves, (depth, record))?;
        self.path.pop();
        Ok(verdict)
    }

    /// The child's score by principal variation search.
    ///
    /// The eldest brother is searched with the whole window. A younger one is searched with a null
    /// window first, perhaps reduced, and again as far as its score demands.
    fn principal_variation_search<L: MoveLoop<C, P>>(
        &mut self,
        child: &Position,
        node: &Node,
        turn: &Turn,
        moves: &L,
        (depth, record): (i32, i32),
    ) -> Result<Verdict, Aborted> {
        let techniques = self.shared.techniques;
        let whole = Visit { depth, ..Visit::child(node, turn.alpha, node.ceiling) };
        // Without a lower bound there is nothing to test.
        let untested = turn.number == 1 || turn.alpha == -INFINITY;
        if untested {
            return Ok(Verdict::Score(-self.node(child, whole)?));
        }
        let kind = node.kind.younger_child();
        let reduced =
            depth - self.reduction(child, node, turn, record).clamp(0, (depth - 1).max(0));
        if !techniques.principal_variation_search {
            let mut score = -self.node(child, Visit { depth: reduced, kind, ..whole })?;
            if score > turn.alpha && reduced < depth {
                let alpha = moves.alpha(self).min(node.beta - 1);
                let visit = Visit { depth, kind, ..Visit::child(node, alpha, node.ceiling) };
                score = -self.node(child, visit)?;
            }
            return Ok(Verdict::Score(score));
        }
        let null = |alpha: Score, depth: i32| Visit {
            alpha: -alpha - 1,
            beta: -alpha,
            depth,
            kind,
            ..whole
        };
        let mut alpha = turn.alpha;
        let mut score = -self.node(child, null(alpha, reduced))?;
        if score > alpha && reduced < depth {
            alpha = moves.alpha(self);
            score = -self.node(child, null(alpha, depth))?;
        }
        let is_open = |score: Score, alpha: Score| node.pv && score > alpha && score < node.beta;
        if is_open(score, alpha) && !moves.may_value(self) {
            return Ok(Verdict::PutOff);
        }
        // Another worker may have raised alpha meanwhile. A test that failed high against the old
        // alpha gave a lower bound. That says nothing about the new alpha unless it lies above it.
        while score > alpha && score <= moves.alpha(self) {
            alpha = moves.alpha(self);
            score = -self.node(child, null(alpha, depth))?;
        }
        if is_open(score, alpha) {
            let window = Visit::child(node, moves.alpha(self), node.beta);
            let open = Visit { depth, kind: NodeKind::Pv, ..window };
            score = -self.node(child, open)?;
        } else if node.pv {
            // Null windows find no line: the line below still belongs to an elder brother.
            self.line_mut(node.ply + 1).clear();
        }
        Ok(Verdict::Score(score))
    }

    /// Prunes a move at a shallow node if it loses material.
    ///
    /// Quiet moves that come too late, or are futile, were left out before:
    /// [`SharedState::unwanted_quiets`].
    fn prune_move(&self, position: &Position, node: &Node, turn: &Turn) -> Option<Verdict> {
        let techniques = self.shared.techniques;
        let Node { depth, .. } = *node;
        if turn.stage == Stage::Table || !position.has_pieces() {
            return None;
        }
        let exchange = &techniques.exchange_pruning;
        if exchange.enabled && depth <= exchange.max_depth && turn.stage > Stage::Capture {
            let margin = if turn.quiet { exchange.quiet_margin } else { exchange.capture_margin };
            if !see_at_least(position, turn.mv, -margin * depth) {
                return Some(Verdict::Pruned);
            }
        }
        None
    }

    /// The reduction of the first search of a late move, plies.
    fn reduction(&self, child: &Position, node: &Node, turn: &Turn, record: i32) -> i32 {
        let parameters = &self.shared.techniques.late_move_reductions;
        let late = parameters.enabled
            && node.depth >= parameters.min_depth
            && turn.number as i32 > parameters.min_moves
            && turn.stage > Stage::Capture;
        if !late {
            return 0;
        }
        let mut reduction = self.shared.reductions.get(node.depth, turn.number);
        if node.kind == NodeKind::Cut {
            reduction += parameters.cut_node;
        }
        if !node.improving {
            reduction += parameters.not_improving;
        }
        if node.principal {
            reduction -= parameters.open_window;
        }
        if turn.stage == Stage::Refutation {
            reduction -= parameters.refutation;
        }
        if turn.stage == Stage::LosingCapture {
            reduction -= parameters.losing_capture;
        }
        if child.in_check() || node.in_check {
            reduction -= parameters.check;
        }
        reduction -= record * 100 / parameters.history_divisor;
        reduction / 100
    }

    /// Whether a move that gives check without losing material is extended.
    fn extends_check(&self, position: &Position, node: &Node, turn: &Turn) -> bool {
        let check = &self.shared.techniques.check_extension;
        check.enabled
            && node.depth >= check.min_depth
            && self.may_extend(node.ply)
            && (turn.stage == Stage::Capture || see_at_least(position, turn.mv, -check.margin))
    }

    /// Whether a pawn's move to the seventh rank is extended.
    #[inline]
    fn extends_pawn(&self, position: &Position, node: &Node, piece: Piece, to: Square) -> bool {
        let pawn = &self.shared.techniques.pawn_extension;
        pawn.enabled
            && piece == Piece::Pawn
            && to.rank() == Rank::Seventh.relative_to(position.side_to_move())
            && node.depth >= pawn.min_depth
            && self.may_extend(node.ply)
    }

    /// The extension of a node with a single legal move, or a single one that loses no material:
    /// one ply.
    #[inline]
    pub(super) fn one_reply_extension(
        &self,
        position: &Position,
        (depth, ply): (i32, usize),
        excluded: Option<Move>,
    ) -> i32 {
        let one_reply = &self.shared.techniques.one_reply_extension;
        let extends = one_reply.enabled
            && depth >= one_reply.min_depth
            && excluded.is_none()
            && self.may_extend(ply)
            && has_one_move(position);
        let safe = &self.shared.techniques.one_safe_reply_extension;
        let extends = extends
            || safe.enabled
                && depth >= safe.min_depth
                && excluded.is_none()
                && self.may_extend(ply)
                && has_one_safe_move(position, safe.margin);
        i32::from(extends)
    }

    /// Whether extensions are allowed at this ply. They end at twice the depth of the search.
    fn may_extend(&self, ply: usize) -> bool {
        ply < 2 * usize::from(self.shared.depth)
    }

    /// The extension of the table's move, plies.
    ///
    /// One ply if it is better than all other moves, two if it is far better. If it is not, and the
    /// table expects a cutoff anyway, -1.
    fn singular_extension(
        &mut self,
        position: &Position,
        node: &Node,
        table_move: Move,
    ) -> Result<i32, Aborted> {
        let singular = &self.shared.techniques.singular_extension;
        let Some(entry) = &node.entry else { return Ok(0) };
        let tried = singular.enabled
            && node.ply > 0
            && node.depth >= singular.min_depth
            && entry.depth >= node.depth - singular.depth_slack
            && entry.bound != Bound::Upper
            && entry.best == Some(table_move)
            && entry.score.abs() < DEEPEST_MATE
            && self.may_extend(node.ply);
        if !tried {
            return Ok(0);
        }
        let bar = entry.score - singular.margin * node.depth / 100;
        let without = Visit {
            alpha: bar - 1,
            beta: bar,
            depth: (node.depth - 1) / 2,
            ply: node.ply,
            kind: node.kind,
            excluded: Some(table_move),
            may_pass: false,
            evaluation: Some(node.evaluation),
        };
        let score = self.node(position, without)?;
        Ok(if score < bar - singular.double_margin && !node.principal {
            2
        } else if score < bar {
            1
        } else if entry.score >= node.beta && !node.principal {
            -1
        } else {
            0
        })
    }
}

/// Whether there is exactly one legal move.
#[cold]
fn has_one_move(position: &Position) -> bool {
    let mut moves = 0;
    position.board().generate_moves(|of_piece| {
        moves += of_piece.len();
        moves > 1
    });
    moves == 1
}

/// Whether there is exactly one legal move that loses at most `margin` by static exchange.
#[cold]
fn has_one_safe_move(position: &Position, margin: Score) -> bool {
    let mut safe = 0;
    position.board().generate_moves(|of_piece| {
        safe += of_piece.into_iter().filter(|&mv| see_at_least(position, mv, -margin)).count();
        safe > 1
    });
    safe == 1
}
