//! A search that is asked for.

use super::clock::TimeLimit;
use super::command::Go;
use super::control::Control;
use super::place::Notation;
use std::sync::Arc;
use ttd_search::engine::{Evaluation, Move, Position};
use ttd_search::searchers::Searcher;

/// A search as `go` asks for it, with all its conditions.
pub(super) struct Request {
    pub(super) root: Position,
    /// The move that the opening book has chosen, if it has.
    pub(super) book: Option<Move>,
    /// The keys of the positions before, in this game.
    pub(super) past: Vec<u64>,
    /// The moves that may be made.
    pub(super) moves: Vec<Move>,
    /// Whether `moves` lacks some legal moves.
    pub(super) restricted: bool,
    /// The `go` command as it came. `moves` and `limit` follow from it. With a mate in it, the
    /// search ends when it knows a mate in at most that number of moves.
    pub(super) go: Go,
    pub(super) limit: TimeLimit,
    pub(super) threads: usize,
    pub(super) searcher: Searcher,
    /// The nodes that may be visited: by `go`, and by the rating that was asked for.
    pub(super) nodes: Option<u64>,
    /// The evaluation, for a search without a result.
    pub(super) evaluation: Evaluation,
    /// Whether the chances of a win, a draw and a loss are printed.
    pub(super) show_wdl: bool,
    /// The number of best moves to print.
    pub(super) lines: usize,
    pub(super) notation: Notation,
    pub(super) control: Arc<Control>,
}
