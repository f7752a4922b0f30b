//! The task of a search for an engine: where, and how far.

use cozy_chess::{Board, Move};
use std::time::Duration;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The position in which the game begins.
    pub start: &'a Board,
    /// The moves played since `start`, all legal.
    pub moves: &'a [Move],
}

impl Place<'_> {
    /// The position after these moves.
    pub fn board(&self) -> Board {
        let mut board = self.start.clone();
        for &mv in self.moves {
            board.play(mv);
        }
        board
    }
}

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// To the end of the iteration of this depth.
    Depth(u8),
    /// About this number of nodes.
    Nodes(u64),
    /// This time.
    MoveTime(Duration),
    /// As long as the engine likes, with these clocks.
    Clock {
        /// The time that White and Black have left.
        left: [Duration; 2],
        /// The time that White and Black get for each move.
        increment: [Duration; 2],
        /// The moves until the clocks are set anew, if that will happen.
        moves_to_go: Option<u32>,
    },
    /// Until `stop`.
    Infinite,
}

/// A search.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// Where it starts.
    pub place: Place<'a>,
    /// How far it goes.
    pub limit: Limit,
    /// The time since `go` at which the engine is told to stop; never, if there is none.
    pub deadline: Option<Duration>,
    /// The moves that are searched, all legal; every legal one, if none is named. An engine of the
    /// `XBoard` protocol cannot be told them.
    pub among: &'a [Move],
}
