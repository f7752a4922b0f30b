//! The best move by vote: every worker votes for its own. A vote weighs more the deeper and the
//! higher its score is.

use crate::cores::{Core, Section};
use crate::engine::{Move, Score};

/// The margin that even the worst score counts for, centipawns.
const MARGIN: Score = 20;

/// The vote of a worker: its best move, as of the last iteration that it completed.
#[derive(Clone, Copy)]
pub(super) struct Vote {
    pub(super) depth: i32,
    pub(super) score: Score,
    pub(super) best: Move,
}

/// The votes of a search, with the worker of each.
///
/// Each worker writes its vote once, when it is done. The ballot lives for one search.
#[derive(Default)]
pub(super) struct Ballot(Section<Vec<(usize, Vote)>>);

impl Ballot {
    /// Casts the vote of the worker on this core.
    pub(super) fn cast<C: Core>(&self, core: &mut C, vote: Vote) {
        let id = core.id();
        core.section(&self.0, |votes| votes.push((id, vote)));
    }

    /// The move with the greatest sum of `depth * (score - worst score + margin)`. Among equals,
    /// that of the first worker wins.
    pub(super) fn winner(self) -> Option<Move> {
        let mut votes = self.0.into_inner();
        votes.sort_by_key(|(id, _)| *id);
        let worst = votes.iter().map(|(_, vote)| vote.score).min()?;
        let weight = |best: Move| -> i64 {
            let of_it = votes.iter().filter(|(_, vote)| vote.best == best);
            of_it.map(|(_, v)| i64::from(v.depth) * i64::from(v.score - worst + MARGIN)).sum()
        };
        // The last of equal ones wins, so the votes run from the last worker to the first.
        votes.iter().rev().map(|(_, vote)| vote.best).max_by_key(|best| weight(*best))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::Square;

    fn winner(votes: &[(i32, Score, Square)]) -> Option<Square> {
        let vote = |&(depth, score, to): &(i32, Score, Square)| Vote {
            depth,
            score,
            best: Move { from: Square::E2, to, promotion: None },
        };
        let votes = votes.iter().map(vote).enumerate().collect();
        Ballot(Section::new(votes)).winner().map(|mv| mv.to)
    }

    #[test]
    fn who_sees_deeper_or_more_counts_for_more() {
        let (e3, e4) = (Square::E3, Square::E4);
        assert_eq!(winner(&[]), None);
        assert_eq!(winner(&[(10, 0, e3), (10, 0, e4)]), Some(e3), "the first of equal ones");
        assert_eq!(winner(&[(10, 0, e3), (11, 0, e4)]), Some(e4), "deeper");
        assert_eq!(winner(&[(10, 0, e3), (10, 5, e4)]), Some(e4), "better");
        assert_eq!(winner(&[(10, 0, e3), (10, 15, e4), (10, 0, e3)]), Some(e3), "two of them");
        assert_eq!(winner(&[(10, 0, e3), (10, 30, e4), (10, 0, e3)]), Some(e4), "much better");
    }
}
