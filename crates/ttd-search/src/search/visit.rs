//! A node as it is searched: how it is visited, and what its moves depend on.

use super::counters::NodeKind;
use crate::engine::{Bound, Checks, DEEPEST_MATE, Entry, MATE, Move, Position, Score};
use arrayvec::ArrayVec;

/// The greatest distance from the root, plies.
pub const MAX_PLY: usize = 128;

/// A principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// How a node is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Scores up to this are of no interest.
    pub alpha: Score,
    /// Scores from this on are as good as each other.
    pub beta: Score,
    /// Plies to search; 0 or less goes to quiescence.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// What the node is expected to be.
    pub kind: NodeKind,
    /// A move that must not be made (to see how singular it is).
    pub excluded: Option<Move>,
    /// Whether the side to move may try to pass.
    pub may_pass: bool,
    /// The static evaluation, where it is known already.
    pub evaluation: Option<Score>,
}

impl Visit {
    /// A visit to a child, whose parent searches the window from `alpha` to `beta`.
    pub const fn child(parent: &Node, alpha: Score, beta: Score) -> Visit {
        Visit {
            alpha: -beta,
            beta: -alpha,
            depth: parent.depth - 1,
            ply: parent.ply + 1,
            kind: parent.kind.eldest_child(),
            excluded: None,
            may_pass: true,
            evaluation: None,
        }
    }
}

/// What the moves of a node depend on; alike for every worker that searches some of them.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Plies from the root.
    pub ply: usize,
    /// Plies to search.
    pub depth: i32,
    /// Where it cuts off.
    pub beta: Score,
    /// Whether its window is open, so that a best line is wanted. Of the root one is wanted in any window.
    pub pv: bool,
    /// Whether it may be one of the principal variation, which is searched with care: with principal variation search
    /// an open window says so, without it the node's place.
    pub principal: bool,
    /// Whether it cuts off at beta at all (minimax does not).
    pub cuts: bool,
    /// What it is expected to be.
    pub kind: NodeKind,
    /// A move that must not be made.
    pub excluded: Option<Move>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The static evaluation; in check, of no meaning.
    pub evaluation: Score,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// Which moves give check.
    pub checks: Checks,
    /// What the table knows.
    pub entry: Option<Entry>,
    /// What the worker that came first had counted before: nodes, and those of them that were doubled.
    pub counted: (u64, u64),
}

/// Whether scores of the table, which knows nothing of the way to a position, hold for it.
pub(super) fn is_far_from_a_draw(position: &Position) -> bool {
    position.halfmove_clock() < 90
}

/// Whether a table entry decides a node with this window.
pub(super) const fn ends(entry: &Entry, alpha: Score, beta: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= beta,
        Bound::Upper => entry.score <= alpha,
    }
}

/// The static evaluation, mended by what a search has already shown.
pub(super) const fn sharpened(entry: &Entry, evaluation: Score) -> Score {
    let better = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > evaluation,
        Bound::Upper => entry.score < evaluation,
    };
    if better && entry.score.abs() < DEEPEST_MATE && entry.score.abs() < MATE {
        entry.score
    } else {
        evaluation
    }
}
