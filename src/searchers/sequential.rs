//! One worker, nobody to share with.

use super::lab::{Ran, waiting};
use crate::cores::{Core, Cores, Crew, State};
use crate::engine::History;
use crate::search::{Alone, Counters, Memory, Session, Worker};

/// Searches by iterative deepening with one worker.
pub(super) fn search(session: &Session<'_>, cores: Cores) -> Ran {
    cores.run(1, waiting(1, 0, false), &Single { session })
}

struct Single<'s> {
    session: &'s Session<'s>,
}

impl Crew for Single<'_> {
    type Kit = (Memory, History);
    type Result = Counters;

    fn prepare(&self, _id: usize) -> Self::Kit {
        Self::Kit::default()
    }

    fn work<C: Core>(&self, (memory, history): Self::Kit, core: C) -> Counters {
        let mut worker = Worker::new(core, Alone, self.session, &history, memory);
        worker.core.enter(State::Search);
        // An abort has ended the search; what was completed stands in the record.
        let _ = worker.deepen();
        worker.finish()
    }
}
