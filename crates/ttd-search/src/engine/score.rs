//! Scores, and mates as scores.

/// Centipawns for the side to move. A mate in `n` plies is [`MATE`]` - n`. Below [`DEEPEST_MATE`]
/// there are only evaluations.
pub type Score = i32;

/// The relation of an entry's score to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
    /// The true score is this.
    Exact,
}

/// A bound beyond every score.
pub const INFINITY: Score = 32_500;
/// The score of a mate on the board, for the side that has mated.
pub const MATE: Score = 32_000;
/// The least score of a forced mate.
pub const DEEPEST_MATE: Score = MATE - 1_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// The score of being mated `ply` plies from the root.
pub const fn mated_in(ply: usize) -> Score {
    ply as Score - MATE
}

/// Whether a score is a forced mate for either side.
pub const fn is_mate(score: Score) -> bool {
    score.abs() >= DEEPEST_MATE
}

/// A score with mates counted from this node, as the table keeps it, from one counted from the
/// root.
pub(super) const fn to_table(score: Score, ply: usize) -> Score {
    if score >= DEEPEST_MATE {
        score + ply as Score
    } else if score <= -DEEPEST_MATE {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_table`].
pub(super) const fn from_table(score: Score, ply: usize) -> Score {
    if score >= DEEPEST_MATE {
        score - ply as Score
    } else if score <= -DEEPEST_MATE {
        score + ply as Score
    } else {
        score
    }
}
