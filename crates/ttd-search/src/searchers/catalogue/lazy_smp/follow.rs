//! A worker of Lazy SMP: what it brings along to its nodes.

use super::parameters::Settings;
use super::round::Rounds;
use super::vote::Vote;
use crate::cores::Core;
use crate::engine::Score;
use crate::search::{Sought, Worker};
use crate::searchers::begun::Begun;

/// The nodes that a worker asks about again, from the root on. Owned by it.
#[derive(Default)]
pub(super) struct LookAgain {
    pub(super) sought: Vec<Sought>,
    /// Which of them the table knows by now, and the score.
    pub(super) decided: Option<(usize, Score)>,
}

/// The policy of a worker that takes part in a round; a worker on its own is in none. Owned by it.
pub(super) struct Follow<'s> {
    pub(super) settings: &'s Settings,
    pub(super) rounds: &'s Rounds,
    pub(super) number: u64,
    pub(super) begun: &'s Begun,
    pub(super) again: LookAgain,
    /// Its vote as things are.
    pub(super) vote: Option<Vote>,
}

impl<'s> Follow<'s> {
    pub(super) fn new(settings: &'s Settings, rounds: &'s Rounds, begun: &'s Begun) -> Follow<'s> {
        let (number, again, vote) = (NO_ROUND, LookAgain::default(), None);
        Follow { settings, rounds, number, begun, again, vote }
    }
}

const NO_ROUND: u64 = u64::MAX;

/// Such a worker.
pub(super) type Lazy<'s, 'p, C> = Worker<'s, C, Follow<'p>>;

/// The depth to which the worker searches in the main worker's iteration; none if it leaves that one out. Without
/// iterative deepening there is one iteration only, and nobody leaves it out.
pub(super) fn staggered<C: Core>(
    worker: &Lazy<'_, '_, C>,
    settings: &Settings,
    iteration: i32,
) -> Option<i32> {
    let depth = settings.stagger.depth(worker.core.id(), iteration);
    depth.or((!worker.session.features.iterative_deepening).then_some(iteration))
}

/// The worker has completed an iteration.
pub(super) fn prefer<C: Core>(worker: &mut Lazy<'_, '_, C>, depth: i32, score: Score) {
    let best = worker.line(0).first().copied();
    worker.policy.vote = best.map(|best| Vote { depth, score, best });
}
