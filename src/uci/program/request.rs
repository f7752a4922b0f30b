//! A search that is asked for.

use super::clock::Limit;
use super::control::Control;
use super::place::Notation;
use std::sync::Arc;
use ttd_search::engine::{Move, Position};
use ttd_search::searchers::Searcher;

/// A search as `go` asks for it, with all its conditions.
pub(super) struct Request {
    pub(super) root: Position,
    /// The keys of the positions before, in this game.
    pub(super) past: Vec<u64>,
    /// The moves that may be made.
    pub(super) moves: Vec<Move>,
    /// Whether `moves` lacks some legal moves.
    pub(super) restricted: bool,
    pub(super) depth: Option<u8>,
    pub(super) nodes: Option<u64>,
    /// The search ends when it knows a mate in at most this number of moves.
    pub(super) mate: Option<u32>,
    pub(super) limit: Limit,
    /// Whether only `stop` brings the best move.
    pub(super) endless: bool,
    pub(super) threads: usize,
    pub(super) searcher: Searcher,
    /// The number of best moves to print.
    pub(super) lines: usize,
    pub(super) notation: Notation,
    pub(super) control: Arc<Control>,
}
