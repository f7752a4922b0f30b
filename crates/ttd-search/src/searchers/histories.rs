//! The killers, histories and corrections of workers, shared or private.

use super::common_settings::{CommonSettings, Sharing};
use crate::cores::{Core, Cost};
use crate::engine::{Corrections, History, Killers, KillersBelow, Rounding, Techniques};
use crate::search::MAX_PLY;
use std::iter;
use std::sync::OnceLock;

/// The memory that goes on from one search of a game to the next, each for its worker.
#[derive(Default)]
pub(super) struct Learned {
    histories: Vec<Option<History>>,
    corrections: Vec<Option<Corrections>>,
}

/// The histories, corrections and killers of a searcher's workers: one for all, or one for each.
///
/// A worker writes those that `Histories::of` gives it. A worker that copies a history reads it
/// entry by entry while its owner writes, and may find some entries older than others. All live for
/// one search; all but the killers may go on to the next one.
pub struct Histories {
    history: Box<[OnceLock<History>]>,
    /// None of them if evaluations are not corrected.
    corrections: Box<[OnceLock<Corrections>]>,
    killers: Box<[OnceLock<Killers>]>,
    /// The number of killers at a ply.
    killers_at_ply: usize,
    shares_killers: bool,
    copies_history: bool,
    copies_killers: bool,
    step: i32,
}

impl Histories {
    /// Starts with the memory of the search before.
    pub(super) fn new(
        common_settings: &CommonSettings,
        workers: usize,
        techniques: &Techniques,
        before: Learned,
    ) -> Histories {
        let count = |sharing| if sharing == Sharing::Shared { 1 } else { workers };
        let killers_at_ply = techniques.killers.count as usize;
        let corrects = techniques.correction_history.enabled;
        let corrections = if corrects { count(common_settings.corrections.into()) } else { 0 };
        Histories {
            history: known_first(before.histories, count(common_settings.history)),
            corrections: known_first(before.corrections, corrections),
            killers: (0..count(common_settings.killers)).map(|_| OnceLock::new()).collect(),
            killers_at_ply,
            shares_killers: common_settings.killers == Sharing::Shared && workers > 1,
            copies_history: common_settings.history == Sharing::CopiedAtSplit,
            copies_killers: common_settings.killers == Sharing::CopiedAtSplit,
            step: if workers > 1 { common_settings.history_step } else { 0 },
        }
    }

    /// Whether several workers write one history.
    pub(super) fn are_shared(&self) -> bool {
        self.history.len() == 1
    }

    /// The rounding of a worker's changes to the history: none if no other worker has it too.
    pub(super) fn rounding(&self, worker: usize) -> Rounding {
        Rounding::new(if self.are_shared() { self.step } else { 0 }, worker as u64)
    }

    /// The memory for the next search.
    pub(super) fn into_learned(self) -> Learned {
        Learned {
            histories: self.history.into_iter().map(OnceLock::into_inner).collect(),
            corrections: self.corrections.into_iter().map(OnceLock::into_inner).collect(),
        }
    }

    /// The corrections that a worker reads and writes, and whether others do so too.
    pub(super) fn corrections(&self, worker: usize) -> Option<(&Corrections, bool)> {
        let own = self.corrections.get(worker % self.corrections.len().max(1))?;
        Some((own.get_or_init(Corrections::default), self.corrections.len() == 1))
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

/// So many, those that are known first. A worker of another process has made none here.
fn known_first<T>(known: Vec<Option<T>>, count: usize) -> Box<[OnceLock<T>]> {
    let known = known.into_iter().map(|known| known.map_or_else(OnceLock::new, OnceLock::from));
    known.chain(iter::repeat_with(OnceLock::new)).take(count).collect()
}

#[cfg(test)]
mod tests {
    use crate::cores::{Caches, Machine, Time};
    use crate::positions;
    use crate::searchers::{Costs, Lab, Searcher, Settings, Task};
    use std::sync::atomic::AtomicBool;

    /// The time of eight workers for one search, and their nodes.
    fn searched(searcher: &str, settings: &str, machine: Machine) -> (Time, u64) {
        searched_by(8, searcher, settings, machine)
    }

    fn searched_by(
        threads: usize,
        searcher: &str,
        settings: &str,
        machine: Machine,
    ) -> (Time, u64) {
        let said = format!("[{searcher}]\n{settings}");
        let settings: Settings = toml::from_str(&said).expect("settings");
        let techniques = toml::from_str("correction_history = true").expect("techniques");
        let lab = Lab::new(4, techniques, settings).expect("memory");
        let mut costs = Costs::default();
        costs.machine = machine;
        let mut lab = lab.on_virtual_cores(costs, None);
        let set = positions::load("bratko-kopec").expect("a built-in set");
        let task = Task {
            searcher: Searcher::named(searcher),
            threads,
            ..Task::to_depth(set[6].position(), 9)
        };
        lab.clear();
        let found = lab.search(&task, &AtomicBool::new(false));
        (found.time, found.counters().nodes)
    }

    /// The time of a node with caches over that without.
    fn dearer(searcher: &str, settings: &str) -> f64 {
        // A socket for each worker.
        let caches = Caches { cores_per_cluster: 1, clusters_per_socket: 1, ..Caches::default() };
        let caches = Some(Caches { sockets: 8, ..caches });
        let plain = searched(searcher, settings, Machine::default());
        let cached = searched(searcher, settings, Machine { caches, turbo: None });
        let node = |(time, nodes): (Time, u64)| time.as_secs_f64() / nodes as f64;
        node(cached) / node(plain)
    }

    #[test]
    fn memory_of_all_workers_costs_lines_and_that_of_each_does_not() {
        let dearer = |history, corrections| {
            let said = format!("history = '{history}'\ncorrections = '{corrections}'");
            dearer("lazy-smp", &said)
        };
        let private = dearer("private", "private");
        assert!(private > 1.0, "the table is shared: {private}");
        for shared in [dearer("shared", "private"), dearer("private", "shared")] {
            assert!(shared > private + 0.02, "{shared} and {private}");
        }
    }

    #[test]
    fn changes_are_rounded_where_workers_share_the_history() {
        let nodes = |history: &str, step, threads| {
            let settings = format!("history = '{history}'\nhistory_step = {step}");
            searched_by(threads, "pipelined", &settings, Machine::default()).1
        };
        let differ = |history, threads| nodes(history, 0, threads) != nodes(history, 4096, threads);
        assert!(differ("shared", 8));
        assert!(!differ("private", 8) && !differ("shared", 1));
    }

    #[test]
    fn lines_that_cost_nothing_change_nothing() {
        let free =
            Caches { core_ps: 0, cluster_ps: 0, socket_ps: 0, machine_ps: 0, ..Caches::default() };
        for searcher in ["ybwc", "lazy-smp", "abdada", "dts", "stealing", "pipelined"] {
            let plain = searched(searcher, "history = 'shared'", Machine::default());
            let machine = Machine { caches: Some(free), turbo: None };
            assert_eq!(searched(searcher, "history = 'shared'", machine), plain, "{searcher}");
        }
    }
}
