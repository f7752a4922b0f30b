//! The conditions of the searches that costs are computed from.

use super::costs::CalibrationError;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use ttd_search::engine::Techniques;
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Lab, Outcome, Searcher, Settings, Status, Task};

/// The searches that costs are computed from.
#[derive(Clone, Debug)]
pub struct Workload<'a> {
    /// The positions.
    pub positions: &'a [TestPosition],
    /// The searchers: at least one, and each can have several workers.
    pub searchers: &'a [Searcher],
    /// The depth of each search.
    pub depth: u8,
    /// Size of the table in MiB.
    pub hash_mib: usize,
    /// The number of runs of every measurement (at least 1).
    pub runs: u32,
    /// The number of cores that may be used (at least 1).
    pub cores: usize,
}

/// The place where searches are timed.
pub(super) struct Site<'a> {
    pub(super) workload: &'a Workload<'a>,
    pub(super) interrupt: &'a AtomicBool,
}

impl Site<'_> {
    pub(super) fn lab(&self) -> Result<Lab, CalibrationError> {
        Ok(Lab::new(self.workload.hash_mib, Techniques::default(), Settings::default())?)
    }

    pub(super) fn task(&self, searcher: Searcher, threads: usize, position: &TestPosition) -> Task {
        let task = Task::to_depth(position.position(), self.workload.depth);
        Task { searcher, threads, ..task }
    }

    /// Searches once, with an empty table.
    pub(super) fn search(&self, lab: &mut Lab, task: &Task) -> Result<Outcome, CalibrationError> {
        lab.clear();
        let outcome = lab.search(task, self.interrupt);
        match outcome.status {
            _ if self.interrupt.load(Relaxed) => Err(CalibrationError::Interrupted),
            Status::Failed(why) => Err(CalibrationError::Failed(why.to_string())),
            Status::Ok | Status::Censored => Ok(outcome),
        }
    }
}
