//! The chess engine. It knows no threads.

mod features;
mod position;

pub use cozy_chess::{Board, Move};
pub use features::Features;
pub use position::Position;

/// Centipawns from the side to move; beyond ±31,000 a mate: 32,000 less the plies to it.
pub type Score = i32;
