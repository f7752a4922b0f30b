//! One worker, nobody to share with.

use super::learnt::Learnt;
use super::team::{Ran, Search, Team};
use crate::cores::Core;
use crate::search::{Alone, Worker};

/// Searches by iterative deepening with one worker.
pub(super) fn search(search: &Search<'_>) -> Ran {
    Search { workers: 1, ..*search }.run(&Single)
}

struct Single;

impl Team for Single {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t> = Alone;

    fn policy(&self, _id: usize, _learnt: &Learnt) -> Alone {
        Alone
    }

    fn work<C: Core>(&self, worker: &mut Worker<'_, C, Alone>) {
        worker.lead();
    }
}
