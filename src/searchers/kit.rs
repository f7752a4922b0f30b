//! What each of several workers brings along, and the history that they may have in common.

use crate::engine::History;
use crate::search::Memory;

/// A worker's own memory, and its own history if there is none in common.
pub(super) type Kit = (Memory, Option<History>);

/// The histories of a searcher's workers: one for all, or one for each.
pub(super) struct Histories {
    common: History,
    shared: bool,
}

impl Histories {
    pub(super) fn new(shared: bool) -> Histories {
        Histories { common: History::default(), shared }
    }

    /// What one worker needs.
    pub(super) fn kit(&self) -> Kit {
        (Memory::default(), (!self.shared).then(History::default))
    }

    /// The history that a worker writes: its own, if it has one.
    pub(super) fn of<'h>(&'h self, own: Option<&'h History>) -> &'h History {
        own.unwrap_or(&self.common)
    }
}
