//! The policy of a worker of Lazy SMP.

use super::parameters::Settings;
use super::round::Rounds;
use super::vote::Vote;
use crate::cores::Core;
use crate::engine::Score;
use crate::search::{Sought, Worker};
use crate::searchers::move_marks::MoveMarks;

/// The nodes on the worker's way that it looks up again, from the root on. The worker owns them.
#[derive(Default)]
pub(super) struct LookAgain {
    pub(super) sought: Vec<Sought>,
    /// The index of the node whose score the table knows by now, and that score.
    pub(super) decided: Option<(usize, Score)>,
}

/// The policy of a worker that takes part in a round. A worker that deepens on its own is in no
/// round. The worker owns its policy.
pub(super) struct Follow<'s> {
    pub(super) settings: &'s Settings,
    pub(super) rounds: &'s Rounds,
    pub(super) number: u64,
    pub(super) marks: &'s MoveMarks,
    pub(super) again: LookAgain,
    /// The present vote of the worker.
    pub(super) vote: Option<Vote>,
}

impl<'s> Follow<'s> {
    pub(super) fn new(
        settings: &'s Settings,
        rounds: &'s Rounds,
        marks: &'s MoveMarks,
    ) -> Follow<'s> {
        let (number, again, vote) = (NO_ROUND, LookAgain::default(), None);
        Follow { settings, rounds, number, marks, again, vote }
    }
}

const NO_ROUND: u64 = u64::MAX;

/// A worker with that policy.
pub(super) type Lazy<'s, 'p, C> = Worker<'s, C, Follow<'p>>;

/// The depth to which the worker searches in the main worker's iteration; none if it leaves that
/// one out. Without iterative deepening there is one iteration only, and no worker leaves it out.
pub(super) fn staggered<C: Core>(
    worker: &Lazy<'_, '_, C>,
    settings: &Settings,
    iteration: i32,
) -> Option<i32> {
    let depth = settings.stagger.depth(worker.core.id(), iteration);
    depth.or((!worker.shared.techniques.iterative_deepening).then_some(iteration))
}

/// Notes that the worker has completed an iteration.
pub(super) fn prefer<C: Core>(worker: &mut Lazy<'_, '_, C>, depth: i32, score: Score) {
    let best = worker.line(0).first().copied();
    worker.policy.vote = best.map(|best| Vote { depth, score, best });
}
