//! The data of a node: a [`Visit`] says how to search it, and its moves depend on the [`Node`]. A
//! visit that ends without a score is [`Aborted`].

use super::counters::NodeKind;
use crate::engine::{Bound, Checks, DEEPEST_MATE, Entry, MATE, Move, Position, Score};
use arrayvec::ArrayVec;

/// The greatest distance from the root, plies.
pub const MAX_PLY: usize = 128;

/// The subtree is not wanted any more: the search has ended, or a node above was cut off or decided
/// by other workers. It is never a score. Nothing of an aborted node is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;

/// A principal variation.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// The way in which a node is to be searched.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Scores up to this are of no interest.
    pub alpha: Score,
    /// Scores from this on are all as good.
    pub beta: Score,
    /// Plies to search; with 0 or less it is a node of the quiescence search.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// The kind that is expected of the node.
    pub kind: NodeKind,
    /// A move that must not be made: a test whether all others are worse.
    pub excluded: Option<Move>,
    /// Whether the side to move may try to pass.
    pub may_pass: bool,
    /// The static evaluation, where it is known already.
    pub evaluation: Option<Score>,
}

impl Visit {
    /// A visit to a child of a node that searches the window from `alpha` to `beta`.
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

/// The state of a node on which its moves depend, equal for every worker that searches some of
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Plies from the root.
    pub ply: usize,
    /// Plies to search.
    pub depth: i32,
    /// The score at which it cuts off.
    pub beta: Score,
    /// Whether its window is open, so that a best line is wanted. The root wants one in any window.
    pub pv: bool,
    /// Whether it may be on the principal variation, which is searched with care.
    ///
    /// With principal variation search an open window decides that. Without it the node's place
    /// does.
    pub principal: bool,
    /// The limit that its children inherit besides alpha: beta, or none without deep cutoffs.
    pub ceiling: Score,
    /// Whether it cuts off at beta at all (minimax does not).
    pub cuts: bool,
    /// The kind that is expected of it.
    pub kind: NodeKind,
    /// A move that must not be made.
    pub excluded: Option<Move>,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The static evaluation; without meaning in check.
    pub evaluation: Score,
    /// Whether the side to move stands better than at its last turn.
    pub improving: bool,
    /// The moves that give check.
    pub checks: Checks,
    /// The table's entry.
    pub entry: Option<Entry>,
    /// The counts of the worker that came first, when it came: nodes, and doubled nodes.
    pub counted: (u64, u64),
}

/// Whether scores of the table hold for a position. The table knows nothing of the way to it, which
/// matters near a draw by the fifty-move rule.
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

/// The static evaluation, or the table's score where that says more.
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
