//! The killers and histories of workers, shared or private.

use super::common_settings::{CommonSettings, Sharing};
use crate::cores::{Core, Cost};
use crate::engine::{History, Killers, KillersBelow};
use crate::search::MAX_PLY;
use std::iter;
use std::sync::OnceLock;

/// The histories and killers of a searcher's workers: one for all, or one for each.
///
/// A worker writes those that `Histories::of` gives it. A worker that copies a history reads it
/// entry by entry while its owner writes, and may find some entries older than others. All live for
/// one search; the histories may go on to the next one.
pub struct Histories {
    history: Box<[OnceLock<History>]>,
    killers: Box<[OnceLock<Killers>]>,
    /// The number of killers at a ply.
    killers_at_ply: usize,
    shares_killers: bool,
    copies_history: bool,
    copies_killers: bool,
}

impl Histories {
    /// Starts with the histories of the search before, each for its worker, and with room for so
    /// many killers at each ply.
    pub(super) fn new(
        common_settings: &CommonSettings,
        workers: usize,
        killers_at_ply: usize,
        before: Vec<History>,
    ) -> Histories {
        let count = |sharing| if sharing == Sharing::Shared { 1 } else { workers };
        let known = before.into_iter().map(OnceLock::from);
        let histories = known.chain(iter::repeat_with(OnceLock::new));
        Histories {
            history: histories.take(count(common_settings.history)).collect(),
            killers: (0..count(common_settings.killers)).map(|_| OnceLock::new()).collect(),
            killers_at_ply,
            shares_killers: common_settings.killers == Sharing::Shared && workers > 1,
            copies_history: common_settings.history == Sharing::CopiedAtSplit,
            copies_killers: common_settings.killers == Sharing::CopiedAtSplit,
        }
    }

    /// Whether several workers write one history.
    pub(super) fn are_shared(&self) -> bool {
        self.history.len() == 1
    }

    /// The histories, for the next search.
    pub(super) fn into_histories(self) -> Vec<History> {
        self.history.into_iter().filter_map(OnceLock::into_inner).collect()
    }

    /// The history and the killers that a worker writes. The first call makes them: a worker calls
    /// before the clock starts, so that its memory is near.
    pub(super) fn of(&self, worker: usize) -> (&History, &Killers) {
        let (histories, killers) = (&self.history, &self.killers);
        let history = histories[worker % histories.len()].get_or_init(History::default);
        // A worker empties the killers two plies below its own ply: hence the room.
        let none = || Killers::new(MAX_PLY + 4, self.killers_at_ply, self.shares_killers);
        (history, killers[worker % killers.len()].get_or_init(none))
    }

    /// Notes that a worker joins a node at `ply` of `owner`, which had these killers there and
    /// below.
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
