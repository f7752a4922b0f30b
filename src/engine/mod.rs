//! The chess engine. It knows no threads.

mod evaluation;
mod features;
mod position;
mod see;
#[cfg(test)]
pub(crate) mod test_boards;

pub use cozy_chess::{Board, Move};
pub use evaluation::{
    EVALUATION_LIMIT, Evaluation, FULL_PHASE, PHASE, PawnCache, Taper, evaluate, material_square,
};
pub use features::Features;
pub use position::Position;
pub use see::{PIECE_VALUES, see_at_least};

/// Centipawns from the side to move; beyond ±31,000 a mate: 32,000 less the plies to it.
pub type Score = i32;
