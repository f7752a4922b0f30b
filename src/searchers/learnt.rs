//! What workers learn of quiet moves, and whose it is.

use super::settings::{Conditions, Sharing};
use crate::cores::{Core, Cost};
use crate::engine::{History, Killers, KillersBelow};
use crate::search::MAX_PLY;

/// The histories and killers of a searcher's workers: one for all, or one for each.
///
/// Written by the workers that they are [`Learnt::of`]; who takes a history over reads another's meanwhile,
/// entry by entry, and may find some older than others. Lives for one search.
pub(super) struct Learnt {
    histories: Box<[History]>,
    killers: Box<[Killers]>,
    copies_history: bool,
    copies_killers: bool,
}

impl Learnt {
    /// Nothing yet.
    pub(super) fn new(conditions: &Conditions, workers: usize) -> Learnt {
        let count = |sharing| if sharing == Sharing::Shared { 1 } else { workers };
        let shared = conditions.killers == Sharing::Shared;
        // A worker forgets the killers of two plies below where it is.
        let killers = |_| Killers::new(MAX_PLY + 4, shared);
        Learnt {
            histories: (0..count(conditions.history)).map(|_| History::default()).collect(),
            killers: (0..count(conditions.killers)).map(killers).collect(),
            copies_history: conditions.history == Sharing::CopiedAtSplit,
            copies_killers: conditions.killers == Sharing::CopiedAtSplit,
        }
    }

    /// What a worker writes.
    pub(super) fn of(&self, worker: usize) -> (&History, &Killers) {
        let (histories, killers) = (&self.histories, &self.killers);
        (&histories[worker % histories.len()], &killers[worker % killers.len()])
    }

    /// A worker joins a node at `ply` of `owner`, who had these killers below it.
    pub(super) fn join<C: Core>(
        &self,
        core: &mut C,
        owner: usize,
        (ply, killers): (usize, &KillersBelow),
    ) {
        let own = self.of(core.id());
        if self.copies_killers {
            own.1.take(ply, killers);
        }
        if self.copies_history && owner != core.id() && core.charge(Cost::Copy) {
            own.0.copy_from(self.of(owner).0);
        }
    }
}
