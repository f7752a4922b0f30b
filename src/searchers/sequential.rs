//! One worker, nobody to share with.

use super::lab::Ran;
use crate::cores::{Core, Cores, Crew, State, Waiting};
use crate::engine::{History, Killers};
use crate::search::{Alone, Counters, MAX_PLY, Memory, Session, Worker};
use std::time::Duration;

/// Searches by iterative deepening with one worker.
pub(super) fn search(session: &Session<'_>, cores: Cores) -> Ran {
    let waiting = Waiting { spin: Duration::ZERO, one_at_a_time: false };
    cores.run(1, waiting, &Single { session })
}

struct Single<'s> {
    session: &'s Session<'s>,
}

impl Crew for Single<'_> {
    type Kit = (Memory, History, Killers);
    type Result = Counters;

    fn prepare(&self, _id: usize) -> Self::Kit {
        (Memory::default(), History::default(), Killers::new(MAX_PLY + 4, false))
    }

    fn work<C: Core>(&self, (memory, history, killers): Self::Kit, core: C) -> Counters {
        let mut worker = Worker::new(core, Alone, self.session, (&history, &killers), memory);
        worker.core.enter(State::Search);
        // An abort has ended the search; what was completed stands in the record.
        let _ = worker.deepen();
        worker.finish()
    }
}
