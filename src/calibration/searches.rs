//! The searches from which all costs but sections and wakes are computed, and their conditions.

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
    /// Whether lines of caches are measured. They explain as much as they can of the dearness of
    /// nodes on all cores, and a slowdown of each searcher explains the rest.
    pub caches: bool,
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

/// The searches of one position: every searcher on one core and on all, in every run.
#[derive(Default)]
pub(super) struct Searches {
    pub(super) alone: Vec<(Searcher, Outcome)>,
    /// Empty if there is one core.
    pub(super) together: Vec<(Searcher, Outcome)>,
}

impl Searches {
    /// One search on all cores, and none on one core.
    #[cfg(test)]
    pub(super) fn of_one(searcher: Searcher, together: Outcome) -> Searches {
        Searches { alone: Vec::new(), together: vec![(searcher, together)] }
    }

    /// The searches of one worker, by every searcher.
    pub(super) fn alone(&self) -> Vec<&Outcome> {
        self.alone.iter().map(|(_, search)| search).collect()
    }
}

/// The searches by this searcher.
pub(super) fn by(searches: &[(Searcher, Outcome)], searcher: Searcher) -> Vec<&Outcome> {
    let of = searches.iter().filter(|(who, _)| *who == searcher);
    of.map(|(_, search)| search).collect()
}

/// Searches every position as often as is asked for. Searches on one core and on all take turns, so
/// that other work of the machine disturbs both alike.
pub(super) fn run(
    site: &Site<'_>,
    said: &mut impl FnMut(&str),
) -> Result<Vec<Searches>, CalibrationError> {
    let workload = site.workload;
    let mut lab = site.lab()?;
    let mut all: Vec<Searches> = workload.positions.iter().map(|_| Searches::default()).collect();
    for run in 1..=workload.runs {
        said(&format!("searches, alone and on all cores: run {run} of {}", workload.runs));
        for (position, searches) in workload.positions.iter().zip(&mut all) {
            for &searcher in workload.searchers {
                let mut on = |cores| site.search(&mut lab, &site.task(searcher, cores, position));
                searches.alone.push((searcher, on(1)?));
                if workload.cores > 1 {
                    searches.together.push((searcher, on(workload.cores)?));
                }
            }
        }
    }
    Ok(all)
}
