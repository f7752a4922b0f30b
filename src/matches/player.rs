//! Who can play: what a game needs of a player, whoever that is.

use super::ending::Reason;
use crate::uci::{Go, Said};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::engine::Move;

/// A player of games. The outside engine is the real one; tests have one with a script.
pub trait Player {
    /// Another game begins.
    ///
    /// # Errors
    /// If the player cannot.
    fn new_game(&mut self) -> Result<(), Failure>;

    /// Whether it may play more than one game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Thinks about a move where there is one. `interrupt` set from outside ends that early; what is answered then
    /// does not count.
    ///
    /// # Errors
    /// If there is no answer, or none that is a legal move.
    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure>;
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A legal move; none: the player gives up.
    pub best: Option<Move>,
    /// From asking to reading the answer, on our clock.
    pub elapsed: Duration,
    /// What the player says of it.
    pub thought: Thought,
}

/// What a player says of a move; an outside engine may say nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The score, from the player's side.
    pub score: Option<Said>,
    /// To which depth it was searched.
    pub depth: Option<u32>,
    /// With how many nodes.
    pub nodes: Option<u64>,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of fault it is: one that [is a fault](Reason::is_fault).
    pub reason: Reason,
    /// What exactly.
    pub what: String,
}

/// A mate is worth so much, centipawns, less a centipawn a move.
const MATE_CENTIPAWNS: i32 = 30_000;

/// A score in centipawns; a mate is worth more than anything else.
pub(super) fn centipawns(score: Said) -> i32 {
    match score {
        Said::Centipawns(score) => score,
        Said::Mate(moves) if moves > 0 => MATE_CENTIPAWNS - moves.min(1_000),
        Said::Mate(moves) => -MATE_CENTIPAWNS - moves.max(-1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_worth_more_than_material_and_a_near_one_more() {
        let order = [
            Said::Mate(0),
            Said::Mate(-1),
            Said::Mate(-5),
            Said::Centipawns(-2_500),
            Said::Centipawns(2_500),
            Said::Mate(5),
            Said::Mate(1),
        ];
        assert!(order.is_sorted_by(|&a, &b| centipawns(a) < centipawns(b)));
    }
}
