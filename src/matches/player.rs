//! The interface between a game and its players, of whatever kind.

use super::ending::Reason;
use crate::uci::{Go, Said};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::engine::Move;

/// A player of games. In matches it is an engine; in tests it follows a script.
pub trait Player {
    /// Tells the player that another game begins: that at this place in the plan.
    ///
    /// # Errors
    /// If the player cannot begin it.
    fn new_game(&mut self, number: usize) -> Result<(), Failure>;

    /// Whether it may play more than one game.
    fn is_reusable(&self) -> bool {
        true
    }

    /// Asks for a move in a position that has one. `interrupt`, set from outside, ends the thinking
    /// early; the answer then does not count.
    ///
    /// # Errors
    /// If there is no answer, or no legal move in it.
    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure>;
}

/// The answer of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A legal move; none: the player resigns.
    pub best: Option<Move>,
    /// The time from asking to reading the answer, on our clock.
    pub elapsed: Duration,
    /// The player's report of its thinking.
    pub thought: Thought,
}

/// A player's report of the thinking for one move; an outside engine may report nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The score, from the player's side.
    pub score: Option<Said>,
    /// The depth of the search.
    pub depth: Option<u32>,
    /// The nodes of the search.
    pub nodes: Option<u64>,
}

/// The reason why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of fault: one of which [`Reason::is_fault`] is true, or the host's limit.
    pub reason: Reason,
    /// The details, in words.
    pub what: String,
}

/// The value of a mate in centipawns, before a centipawn is taken off for each move to it.
const MATE_CENTIPAWNS: i32 = 30_000;

/// A score in centipawns; a mate is worth more than any other score.
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
