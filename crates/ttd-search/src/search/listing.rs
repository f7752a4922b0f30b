//! Lists of moves: orders that are known before the first move is searched.

use super::{Listed, Node, Policy, Source, Worker};
use crate::cores::{Core, Cost};
use crate::engine::{
    BitBoard, Checks, Entry, Hints, Move, MoveOrder, Picked, Picker, Position, Score, Stage,
    Techniques, capture_rank, legal_moves, random, see_at_least,
};
use std::cmp::Reverse;

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// The moves of the root in the full order, the best known first. That one is trusted like the
    /// table's move.
    fn root_list(&self, position: &Position) -> Listed {
        let picked = self.root_moves.iter().enumerate().map(|(index, &mv)| {
            let quiet = !position.is_tactical(mv);
            let stage = match index {
                0 => Stage::Table,
                _ if quiet => Stage::Quiet,
                _ if see_at_least(position, mv, 0) => Stage::Capture,
                _ => Stage::LosingCapture,
            };
            Picked { mv, stage, quiet }
        });
        Listed::new(picked.collect())
    }

    /// Puts a move of the root first from now on, unless the order is none or random.
    pub fn prefer_at_root(&mut self, best: Move) {
        self.root_best = Some(best);
        if let Some(index) = self.root_moves.iter().position(|&mv| mv == best) {
            self.root_moves[..=index].rotate_right(1);
        }
    }

    /// The moves of a node without the usual order: the root, and all nodes if another order is
    /// set.
    #[cold]
    pub(super) fn moves_in_another_order(&mut self, position: &Position, node: &Node) -> Source {
        let Techniques { beam, ordering, .. } = self.shared.techniques;
        let full_at_root = node.ply == 0 && *ordering == MoveOrder::Full;
        if full_at_root {
            // Not by value: in the order of the earlier iterations.
            return Source::Listed(self.root_list(position));
        }
        let mut picker = self.in_another_order(position, node.ply, node.entry.as_ref());
        let by_worth = matches!(ordering, MoveOrder::MvvLva | MoveOrder::StaticEvaluation);
        let best = self.root_best.filter(|_| node.ply == 0 && by_worth);
        let narrow = beam.enabled && !node.in_check && node.depth >= beam.min_depth;
        if best.is_none() && !narrow {
            return Source::Staged(picker);
        }
        let history = self.history;
        let mut moves: Vec<_> = std::iter::from_fn(|| picker.next(position, history)).collect();
        if narrow {
            let better = (moves.len() * beam.percent as usize).div_ceil(100);
            moves.truncate(better.max(beam.least as usize));
        }
        // The best move of the iteration before goes first within the beam, and does not change it.
        if let Some(known) = moves.iter().position(|picked| Some(picked.mv) == best) {
            moves[..=known].rotate_right(1);
        }
        Source::Listed(Listed::new(moves))
    }

    /// All moves of a position without the usual order.
    #[cold]
    pub(super) fn in_another_order(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Picker {
        if self.shared.techniques.ordering == MoveOrder::Full {
            let hints = self.hints(position, ply, entry);
            let Techniques { table_move, refutation_table, .. } = *self.shared.techniques;
            let table = hints.table.filter(|_| table_move || refutation_table);
            return self.with_its_captures(Picker::new(position, Hints { table, ..hints }));
        }
        // The worker's own list of root moves has the full order.
        let moves =
            if ply == 0 { self.shared.root_moves.clone() } else { legal_moves(position.board()) };
        Picker::in_order(position, &self.put_in_order(position, moves, ply))
    }

    /// The promotions and the captures of `victims` without the usual order, and with `checks` also
    /// the quiet moves that give check.
    #[cold]
    pub(super) fn tactical_in_another_order(
        &mut self,
        position: &Position,
        ply: usize,
        table: Option<Move>,
        (victims, checks): (BitBoard, Option<Checks>),
    ) -> Picker {
        if self.shared.techniques.ordering == MoveOrder::Full {
            let table = table.filter(|_| self.shared.techniques.table_move);
            return self.with_its_captures(Picker::tactical(position, table, victims, checks));
        }
        let mut moves = legal_moves(position.board());
        let wanted = |mv: Move| match position.victim(mv) {
            _ if mv.promotion.is_some() => true,
            Some((square, _)) => victims.has(square),
            None => checks.is_some_and(|checks| checks.given_by(position.moved(mv), mv)),
        };
        moves.retain(|&mv| wanted(mv));
        Picker::in_order(position, &self.put_in_order(position, moves, ply))
    }

    /// The full order; losing captures are among the others if they are set so.
    fn with_its_captures(&self, picker: Picker) -> Picker {
        if self.shared.techniques.exchange_ordering { picker } else { picker.captures_together() }
    }

    /// Sorts moves by the chosen order. Moves that are equal in it keep their order.
    fn put_in_order(&mut self, position: &Position, mut moves: Vec<Move>, ply: usize) -> Vec<Move> {
        match self.shared.techniques.ordering {
            MoveOrder::Full | MoveOrder::None => {}
            MoveOrder::MvvLva => moves.sort_by_key(|&mv| Reverse(capture_rank(position, mv))),
            MoveOrder::StaticEvaluation => {
                let valued = |mv: Move| (self.value_after(position, mv, ply), mv);
                let mut valued: Vec<(Score, Move)> = moves.into_iter().map(valued).collect();
                valued.sort_by_key(|(score, _)| *score);
                moves = valued.into_iter().map(|(_, mv)| mv).collect();
            }
            MoveOrder::Random => {
                let own = random(self.shared.order_seed ^ position.key());
                moves.sort_by_cached_key(|mv| {
                    let [from, to] = [mv.from, mv.to].map(|square| square as u64);
                    let promotion = mv.promotion.map_or(0, |piece| piece as u64);
                    random(own ^ (from | to << 6 | promotion << 12))
                });
            }
        }
        moves
    }

    /// The value of a move to the other side, as a search to depth 1 without looking into leaves.
    ///
    /// It costs an evaluation that the node alone would not need.
    fn value_after(&mut self, position: &Position, mv: Move, ply: usize) -> Score {
        self.core.charge(Cost::Evaluation);
        let child = position.after(mv);
        self.path.push(child.key());
        let value = self.leaf(&child, ply + 1);
        self.path.pop();
        value
    }
}
