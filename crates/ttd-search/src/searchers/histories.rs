//! The killers, histories and corrections of workers, shared or private.

use super::common_settings::{CommonSettings, Sharing};
use crate::cores::{Core, Cost};
use crate::engine::{
    Corrections, History, Killers, KillersBelow, PawnRecords, Rounding, Techniques,
};
use crate::search::{MAX_PLY, SharedRecords};
use std::iter;
use std::sync::OnceLock;

/// The memory that goes on from one search of a game to the next, each for its worker.
#[derive(Default)]
pub(super) struct Learned {
    histories: Vec<Option<History>>,
    pawns: Vec<Option<PawnRecords>>,
    corrections: Vec<Option<Corrections>>,
}

/// The histories, corrections and killers of a searcher's workers: one for all, or one for each.
///
/// A worker writes those that `Histories::of` gives it. A worker that copies a history reads it
/// entry by entry while its owner writes, and may find some entries older than others. All live for
/// one search; all but the killers may go on to the next one.
pub struct Histories {
    history: Box<[OnceLock<History>]>,
    /// The pawn records of the histories. None of them if the engine has none.
    pawns: Box<[OnceLock<PawnRecords>]>,
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
        let pawns =
            if techniques.pawn_history { count(common_settings.pawn_history.into()) } else { 0 };
        let pawns = known_first(before.pawns, pawns);
        let mut histories = before.histories;
        for (number, history) in histories.iter_mut().enumerate() {
            if let Some(history) = history {
                history.set_pawns(records_of(&pawns, number));
            }
        }
        let killers_at_ply = techniques.killers.count as usize;
        let corrects = techniques.correction_history.enabled;
        let corrections = if corrects { count(common_settings.corrections.into()) } else { 0 };
        Histories {
            history: known_first(histories, count(common_settings.history)),
            pawns,
            corrections: known_first(before.corrections, corrections),
            killers: (0..count(common_settings.killers)).map(|_| OnceLock::new()).collect(),
            killers_at_ply,
            shares_killers: common_settings.killers == Sharing::Shared && workers > 1,
            copies_history: common_settings.history == Sharing::CopiedAtSplit,
            copies_killers: common_settings.killers == Sharing::CopiedAtSplit,
            step: if workers > 1 { common_settings.history_step } else { 0 },
        }
    }

    /// The parts of the history that several workers write.
    pub(super) fn shared(&self) -> SharedRecords {
        SharedRecords { history: self.history.len() == 1, pawns: self.pawns.len() == 1 }
    }

    /// The rounding of a worker's changes to the history: none if no other worker has it too.
    pub(super) fn rounding(&self, worker: usize) -> Rounding {
        Rounding::new(if self.shared().history { self.step } else { 0 }, worker as u64)
    }

    /// The memory for the next search.
    pub(super) fn into_learned(self) -> Learned {
        Learned {
            histories: self.history.into_iter().map(OnceLock::into_inner).collect(),
            pawns: self.pawns.into_iter().map(OnceLock::into_inner).collect(),
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
        let number = worker % histories.len();
        let history =
            histories[number].get_or_init(|| History::with(records_of(&self.pawns, number)));
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

/// The pawn records of the history with this number.
fn records_of(pawns: &[OnceLock<PawnRecords>], number: usize) -> Option<PawnRecords> {
    let own = pawns.get(number % pawns.len().max(1))?;
    Some(own.get_or_init(PawnRecords::default).clone())
}

/// So many, those that are known first. A worker of another process has made none here.
fn known_first<T>(known: Vec<Option<T>>, count: usize) -> Box<[OnceLock<T>]> {
    let known = known.into_iter().map(|known| known.map_or_else(OnceLock::new, OnceLock::from));
    known.chain(iter::repeat_with(OnceLock::new)).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::{Caches, Machine, Time};
    use crate::engine::{Board, Context, Piece};
    use crate::positions;
    use crate::searchers::Holding;
    use crate::searchers::{Costs, Lab, Searcher, Settings, Task};
    use cozy_chess::{Color, Square};
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
        let techniques = "correction_history = true\npawn_history = true";
        let techniques = toml::from_str(techniques).expect("techniques");
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
        let dearer = |shared: Option<&str>| {
            let key = |key| {
                format!("{key} = '{}'\n", if shared == Some(key) { "shared" } else { "private" })
            };
            dearer("lazy-smp", &["history", "corrections", "pawn_history"].map(key).concat())
        };
        let private = dearer(None);
        assert!(private > 1.0, "the table is shared: {private}");
        for shared in ["history", "corrections", "pawn_history"] {
            let shared = dearer(Some(shared));
            assert!(shared > private + 0.02, "{shared} and {private}");
        }
    }

    #[test]
    fn pawn_records_go_on_and_are_shared_as_set_last() {
        let begun = |learned, workers, holding: Option<Holding>| {
            let common = CommonSettings {
                pawn_history: holding.unwrap_or(Holding::Private),
                ..CommonSettings::ALONE
            };
            let techniques = format!("pawn_history = {}", holding.is_some());
            let techniques: Techniques = toml::from_str(&techniques).expect("techniques");
            Histories::new(&common, workers, &techniques, learned)
        };
        let start = Context::new([None; 2], Some(&Board::default()));
        let learn = |all: &Histories, worker| {
            let mv = "e2e4".parse().expect("a move");
            let of = (Color::White, Piece::Pawn, mv);
            all.of(worker).0.update(of, start, 300, &mut Rounding::default(), |_, _| ());
        };
        // Of another pawn's move there: by origin nothing was learned of it.
        let known = |all: &Histories, worker| {
            let answers = all.of(worker).0.answers(Color::White, start);
            answers.of(Piece::Pawn, Square::A2).score(Square::E4)
        };
        let all_known = |all: &Histories, workers| -> Vec<i32> {
            (0..workers).map(|worker| known(all, worker)).collect()
        };
        let first = begun(Learned::default(), 2, Some(Holding::Shared));
        learn(&first, 0);
        assert_eq!(all_known(&first, 2), [300, 300]);
        let more = begun(first.into_learned(), 3, Some(Holding::Shared));
        assert_eq!(all_known(&more, 3), [300, 300, 300]);
        let private = begun(more.into_learned(), 3, Some(Holding::Private));
        assert_eq!(all_known(&private, 3), [300, 0, 0]);
        learn(&private, 1);
        assert_eq!(all_known(&private, 3), [300, 300, 0]);
        let shared = begun(private.into_learned(), 3, Some(Holding::Shared));
        learn(&shared, 2);
        // A record's second gain is less, in proportion to its size.
        assert_eq!(all_known(&shared, 3), [595, 595, 595]);
        let off = begun(shared.into_learned(), 3, None);
        assert_eq!(all_known(&off, 3), [0, 0, 0]);
        let again = begun(off.into_learned(), 3, Some(Holding::Shared));
        learn(&again, 2);
        assert_eq!(all_known(&again, 3), [300, 300, 300]);
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
