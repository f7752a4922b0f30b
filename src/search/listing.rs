//! Moves in an order that is known before the first is searched.

use super::move_loop::Listed;
use super::policy::Policy;
use super::worker::Worker;
use crate::cores::Core;
use crate::engine::{Move, Picked, Position, Score, Stage, see_at_least};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// The moves of the root, the best known first.
    pub(super) fn root_list(&self, position: &Position) -> Listed {
        listed(position, &self.root_moves)
    }

    /// All moves by the static evaluation of what they lead to, the best for the side to move first; of equal ones
    /// as they were generated. (A search of depth 1 for each, as in the MPI study.)
    pub(super) fn evaluated_list(&mut self, position: &Position, ply: usize) -> Listed {
        let mut moves: Vec<(Score, Move)> = Vec::new();
        position.board().generate_moves(|generated| {
            moves.extend(generated.into_iter().map(|mv| (0, mv)));
            false
        });
        if ply == 0 {
            moves.retain(|(_, mv)| self.root_moves.contains(mv));
        }
        for (score, mv) in &mut moves {
            *score = self.evaluate(&position.after(*mv));
        }
        moves.sort_by_key(|(score, _)| *score);
        listed(position, &moves.into_iter().map(|(_, mv)| mv).collect::<Vec<_>>())
    }
}

/// These moves in this order; the first one is trusted as the table's.
fn listed(position: &Position, moves: &[Move]) -> Listed {
    let picked = moves.iter().enumerate().map(|(index, &mv)| {
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
