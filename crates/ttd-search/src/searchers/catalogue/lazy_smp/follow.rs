//! The policy of a worker of Lazy SMP, and the rounds in which helpers take part: each is one
//! search of the root.

use super::parameters::{RootOrder, Settings};
use super::vote::Vote;
use crate::cores::{Core, Section};
use crate::engine::{Move, Score, random};
use crate::search::{Line, Sought, Window, Worker};
use crate::searchers::move_marks::MoveMarks;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One search of the root that all workers take part in, with helpers per iteration.
pub(super) struct Round {
    pub(super) depth: i32,
    pub(super) window: Window,
    pub(super) root_moves: Vec<Move>,
    /// The first worker to finish it, with its score and line.
    pub(super) result: Option<(usize, Score, Line)>,
}

/// The rounds of a search.
///
/// Invariants: `begun` and `done` number rounds from 1 and never fall; `done <= begun`. Only the
/// main worker writes `begun`, inside the section. `present` is round `begun`. A worker gives its
/// round up when `done` has reached it.
pub(super) struct Rounds {
    pub(super) begun: AtomicU64,
    pub(super) done: AtomicU64,
    pub(super) present: Section<Round>,
}

impl Rounds {
    /// Whether this round has its result.
    pub(super) fn is_done(&self, number: u64) -> bool {
        self.done.load(Relaxed) >= number // the result is fetched from the section
    }

    pub(super) fn new() -> Rounds {
        let none = Round { depth: 0, window: Window::FULL, root_moves: Vec::new(), result: None };
        Rounds { begun: AtomicU64::new(0), done: AtomicU64::new(0), present: Section::new(none) }
    }
}

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

/// Gives a helper its own order of the root's moves.
pub(super) fn vary<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) {
    let id = worker.core.id();
    let moves = &mut worker.root_moves;
    if id == 0 || moves.is_empty() {
        return;
    }
    match settings.root_order {
        RootOrder::Same => {}
        RootOrder::Rotated => {
            let by = id % moves.len();
            moves.rotate_left(by);
        }
        RootOrder::Shuffled => {
            let own = random(worker.shared.seed ^ random(id as u64));
            for last in (1..moves.len()).rev() {
                // The bias of the remainder is below 2^-56 for a list of moves.
                moves.swap(last, (random(own ^ last as u64) % (last as u64 + 1)) as usize);
            }
        }
    }
}
