//! A search as an engine is asked for it: where, and how far.

use cozy_chess::{Board, Move};
use std::time::Duration;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Where the game begins.
    pub start: &'a Board,
    /// The moves since, all legal.
    pub moves: &'a [Move],
}

impl Place<'_> {
    /// The position there.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for &mv in self.moves {
            board.play(mv);
        }
        board
    }
}

/// How far an engine is to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// To the end of an iteration.
    Depth(u8),
    /// About so many nodes.
    Nodes(u64),
    /// So long.
    MoveTime(Duration),
    /// As it likes, with these clocks.
    Clock {
        /// The time that White has left.
        white: Duration,
        /// The time that Black has left.
        black: Duration,
        /// The time that White gets for each move.
        increment_white: Duration,
        /// The time that Black gets for each move.
        increment_black: Duration,
        /// Moves until the clocks are set anew, if they will be.
        moves_to_go: Option<u32>,
    },
    /// Until it is told to stop.
    Infinite,
}

/// A search.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// Where it starts.
    pub place: Place<'a>,
    /// How far it goes.
    pub limit: Limit,
    /// When the engine is told to stop, since `go`; never, if there is none.
    pub deadline: Option<Duration>,
}
