//! The quiescence search: captures to their end, checks answered.

use super::visit::{MAX_PLY, ends, sharpened};
use super::{Aborted, Policy, Worker};
use crate::cores::{Core, Cost};
use crate::engine::{
    BitBoard, Bound, DRAW, Entry, INFINITY, Move, PIECE_VALUES, Picker, Piece, Position, Rank,
    Score, Stage, legal_moves, mated_in, see_at_least,
};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// The score of a position by captures, promotions and answers to checks only.
    ///
    /// `checks` is the number of plies that still try quiet checks. `known` is the static
    /// evaluation, where it is known already.
    ///
    /// # Errors
    /// [`Aborted`] when it is not wanted any more.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        (alpha, beta): (Score, Score),
        ply: usize,
        checks: i32,
        known: Option<Score>,
    ) -> Result<Score, Aborted> {
        let techniques = self.shared.techniques;
        self.visit(if techniques.quiescence { Cost::QuiescenceNode } else { Cost::Leaf })?;
        let pv = beta - alpha > 1;
        if pv {
            self.line_mut(ply).clear();
            self.shared.reach(ply);
        }
        if ply >= MAX_PLY - 1 || !techniques.quiescence {
            return Ok(self.leaf(position, ply));
        }
        if self.is_draw(position) {
            return Ok(DRAW);
        }
        let in_check = position.in_check();
        // Before the table is read, as in `node`.
        let evaluation = self.evaluation_out_of_check(position, known);
        let entry = self.probe(position, ply, 0).filter(|_| techniques.table_cutoffs);
        if let Some(entry) = &entry
            && (!pv || !techniques.principal_variation_search)
            && ends(entry, alpha, beta)
        {
            self.look_ups.at(0).cutoffs += 1;
            return Ok(entry.score);
        }

        let mut best = evaluation.map_or(-INFINITY, |evaluation| {
            entry.as_ref().map_or(evaluation, |entry| sharpened(entry, evaluation))
        });
        let mut raised = alpha.max(best);
        let mut best_move = None;
        if raised < beta {
            let (floor, ceiling) = (best, beta.max(self.shared.least_ceiling));
            let usual = self.shared.usual_order;
            let mut picker = if in_check {
                if usual {
                    Picker::new(position, self.hints(position, ply, entry.as_ref()))
                } else {
                    self.in_another_order(position, ply, entry.as_ref())
                }
            } else {
                let table = entry.as_ref().and_then(|entry| entry.best);
                let (victims, reach) = self.worth_taking(position, floor, raised);
                best = best.max(reach);
                let checks = (checks > 0).then(|| position.checks());
                if usual {
                    Picker::tactical(position, table, victims, checks)
                } else {
                    self.tactical_in_another_order(position, ply, table, (victims, checks))
                }
            };
            let mut number = 0;
            while let Some(picked) = self.pick(&mut picker, position) {
                number += 1;
                if !in_check {
                    if techniques.quiescence_exchange {
                        if picked.stage == Stage::LosingCapture {
                            if usual {
                                break;
                            }
                            continue;
                        }
                        if picked.quiet && !see_at_least(position, picked.mv, 0) {
                            continue;
                        }
                    }
                    let margin = &techniques.delta_pruning;
                    if margin.enabled && !picked.quiet && picked.mv.promotion.is_none() {
                        let reach = floor + gain(position, picked.mv) + margin.margin;
                        if reach <= raised {
                            best = best.max(reach);
                            continue;
                        }
                    }
                }
                let child = self.descend(position, picked.mv, ply);
                let score =
                    -self.quiescence(&child, (-ceiling, -raised), ply + 1, checks - 1, None)?;
                self.path.pop();
                best = best.max(score);
                if score > raised {
                    raised = score;
                    best_move = Some(picked.mv);
                    if pv {
                        self.extend_line(ply, picked.mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if techniques.quiescence_pushes && !in_check && raised < beta {
                let (found, limits) = ((best, raised, best_move), (ceiling, beta));
                (best, best_move) = self.push_pawns(position, limits, (ply, checks), found)?;
            }
            if in_check && number == 0 {
                return Ok(mated_in(ply));
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        let entry = Entry { best: best_move, score: best, depth: 0, bound };
        self.write_table(position.key(), ply, entry);
        Ok(best)
    }

    /// The best score and move when pawn moves to the seventh rank are tried too, from the best
    /// score, alpha and move so far. A move that loses the pawn by static exchange is left out, and
    /// one that was tried as a check.
    #[cold]
    fn push_pawns(
        &mut self,
        position: &Position,
        (ceiling, beta): (Score, Score),
        (ply, checks): (usize, i32),
        (mut best, mut raised, mut best_move): (Score, Score, Option<Move>),
    ) -> Result<(Score, Option<Move>), Aborted> {
        let gives = position.checks();
        for mv in legal_moves(position.board()) {
            let tried = checks > 0 && gives.given_by(Piece::Pawn, mv);
            let pushed = position.moved(mv) == Piece::Pawn
                && mv.to.rank() == Rank::Seventh.relative_to(position.side_to_move())
                && !position.is_tactical(mv);
            if !pushed || tried || !see_at_least(position, mv, 0) {
                continue;
            }
            let child = self.descend(position, mv, ply);
            let score = -self.quiescence(&child, (-ceiling, -raised), ply + 1, checks - 1, None)?;
            self.path.pop();
            best = best.max(score);
            if score > raised {
                (raised, best_move) = (score, Some(mv));
                self.extend_line(ply, mv);
            }
            if score >= beta {
                break;
            }
        }
        Ok((best, best_move))
    }

    /// The enemy pieces whose capture could raise alpha from `floor`, by delta pruning. Also the
    /// best score that the capture of any other piece could reach.
    fn worth_taking(&self, position: &Position, floor: Score, alpha: Score) -> (BitBoard, Score) {
        let board = position.board();
        let enemies = board.colors(!position.side_to_move());
        let delta = &self.shared.techniques.delta_pruning;
        if !delta.enabled {
            return (enemies, floor);
        }
        let (mut worth, mut best) = (enemies, floor);
        for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            let reach = floor + PIECE_VALUES[piece as usize] + delta.margin;
            let kind = enemies & board.pieces(piece);
            if reach <= alpha && !kind.is_empty() {
                worth -= kind;
                best = best.max(reach);
            }
        }
        (worth, best)
    }

    /// The value of a leaf without looking into it. It is on the path; draws, mate and stalemate
    /// are seen.
    pub(super) fn leaf(&mut self, position: &Position, ply: usize) -> Score {
        if self.is_draw(position) {
            DRAW
        } else if position.board().generate_moves(|_| true) {
            self.corrected(position)
        } else if position.in_check() {
            mated_in(ply)
        } else {
            DRAW
        }
    }
}

/// The value of the piece that a move takes.
#[inline]
fn gain(position: &Position, mv: Move) -> Score {
    position.victim(mv).map_or(0, |(_, piece)| PIECE_VALUES[piece as usize])
}
