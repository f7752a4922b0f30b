//! One worker, nobody to share with.

use super::lab::{Ran, waiting};
use crate::cores::{Core, State, real};
use crate::engine::History;
use crate::search::{Alone, Memory, Session, Worker};

/// Searches by iterative deepening with one worker.
pub(super) fn search(session: &Session<'_>) -> Ran {
    let prepare = |_| (Memory::default(), History::default());
    real::run(1, waiting(1, 0, false), prepare, |(memory, history), core| {
        let mut worker = Worker::new(core, Alone, session, &history, memory);
        worker.core.enter(State::Search);
        // An abort has ended the search; what was completed stands in the record.
        let _ = worker.deepen();
        worker.finish()
    })
}
