//! What workers learn of quiet moves, and whose it is.

use super::conditions::{Conditions, Sharing};
use crate::cores::{Core, Cost};
use crate::engine::{History, Killers, KillersBelow};
use crate::search::MAX_PLY;
use std::iter;
use std::sync::OnceLock;

/// The histories and killers of a searcher's workers: one for all, or one for each.
///
/// Written by the workers that they are `of`; who takes a history over reads another's meanwhile,
/// entry by entry, and may find some older than others. Lives for one search; the histories may go on to the next one.
pub struct Learnt {
    histories: Box<[OnceLock<History>]>,
    killers: Box<[OnceLock<Killers>]>,
    shares_killers: bool,
    copies_history: bool,
    copies_killers: bool,
}

impl Learnt {
    /// With the histories of the search before, each for its worker, and nothing else yet.
    pub(super) fn new(conditions: &Conditions, workers: usize, before: Vec<History>) -> Learnt {
        let count = |sharing| if sharing == Sharing::Shared { 1 } else { workers };
        let known = before.into_iter().map(OnceLock::from);
        let histories = known.chain(iter::repeat_with(OnceLock::new));
        Learnt {
            histories: histories.take(count(conditions.history)).collect(),
            killers: (0..count(conditions.killers)).map(|_| OnceLock::new()).collect(),
            shares_killers: conditions.killers == Sharing::Shared && workers > 1,
            copies_history: conditions.history == Sharing::CopiedAtSplit,
            copies_killers: conditions.killers == Sharing::CopiedAtSplit,
        }
    }

    /// The histories, for the next search.
    pub(super) fn into_histories(self) -> Vec<History> {
        self.histories.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// What a worker writes. Made by who asks for it first: a worker, before the clock starts, so that its
    /// memory is near.
    pub(super) fn of(&self, worker: usize) -> (&History, &Killers) {
        let (histories, killers) = (&self.histories, &self.killers);
        let history = histories[worker % histories.len()].get_or_init(History::default);
        // A worker forgets the killers of two plies below where it is.
        let none = || Killers::new(MAX_PLY + 4, self.shares_killers);
        (history, killers[worker % killers.len()].get_or_init(none))
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
