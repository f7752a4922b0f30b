//! The memory of searches: computed, and measured by an allocator that counts.

use peak_alloc::PeakAlloc;
use std::sync::atomic::AtomicBool;
use ttd_search::engine::{Board, PawnCache, Position, Techniques};
use ttd_search::searchers::{
    Costs, Extent, Lab, MemoryUse, Searcher, Settings, Status, TableLock, Task,
};

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Memory for each worker that is not computed: names of threads, results, places in queues.
const BESIDE: usize = 32 << 10;

const DEPTH: u8 = 9;

/// The memory of a search as computed, and the most bytes by which the heap grew in it.
fn both(settings: &str, searcher: &str, threads: usize, virtually: bool) -> (MemoryUse, usize) {
    let [corrects, has_pawn_history] =
        ["corrections", "pawn_history"].map(|key| settings.contains(key));
    let settings: Settings = toml::from_str(settings).expect("settings");
    let searcher = Searcher::named(searcher);
    let extent = Extent { threads, hash_mib: 1, depth: DEPTH, corrects, has_pawn_history };
    let computed = settings.memory_use(searcher, extent);
    let techniques = format!("correction_history = {corrects}\npawn_history = {has_pawn_history}");
    let techniques: Techniques = toml::from_str(&techniques).expect("techniques");
    let lab = Lab::new(1, techniques, settings).expect("one MiB");
    let mut lab = if virtually { lab.on_virtual_cores(Costs::default(), None) } else { lab };
    lab.clear();
    let task = Task::to_depth(Position::new(Board::default()), DEPTH);
    let task = Task { searcher, threads, ..task };
    let before = HEAP.current_usage();
    HEAP.reset_peak_usage();
    let outcome = lab.search(&task, &AtomicBool::new(false));
    let grown = HEAP.peak_usage() - before;
    assert_eq!(outcome.status, Status::Ok, "{searcher}");
    (computed, grown)
}

/// One test alone, since all threads of a process share the heap.
#[test]
fn what_is_computed_is_what_is_taken() {
    let settings = [
        "",
        "[ybwc]\nhistory = 'private'\nmin_depth = 1\n[lazy-smp]\nhistory = 'shared'\n\
         table_access = 'locked'\n[dts]\nnesting = 0\npublish_depth = 1\n\
         [stealing]\nahead_depth = 1\nmin_depth = 1\n[abdada]\nkillers = 'private'",
        "[lazy-smp]\ncorrections = 'private'\npawn_history = 'private'",
        "[lazy-smp]\npawn_history = 'shared'",
        "[lazy-smp]\nhistory = 'shared'\npawn_history = 'private'",
    ];
    for settings in settings {
        for searcher in Searcher::all() {
            for (threads, virtually) in [(1, false), (3, false), (4, true), (24, true)] {
                if searcher.takes_one_thread() && threads > 1 {
                    continue;
                }
                let (of, grown) = both(settings, searcher.name(), threads, virtually);
                // Virtual workers have one cache of pawns together.
                let pawns = if virtually { (threads - 1) * PawnCache::BYTES } else { 0 };
                let known = of.histories + of.workers + of.shared - pawns;
                let what = format!("{searcher} x {threads} ({settings}): {grown}, {of:?}");
                assert!(grown >= known, "{what}");
                assert!(grown <= known + of.nodes + threads * BESIDE, "{what}");
                assert_eq!(of.total(), known + pawns + of.nodes + (1 << 20), "{what}");
            }
        }
    }
}

#[test]
fn locks_count() {
    let of = |text: &str| {
        let settings: Settings = toml::from_str(text).expect("settings");
        let extent =
            Extent { threads: 2, hash_mib: 8, depth: 10, corrects: false, has_pawn_history: false };
        settings.memory_use(Searcher::named("ybwc"), extent)
    };
    let (without, with) = (of(""), of("[ybwc]\ntable_access = 'locked'"));
    assert!(with.shared > without.shared, "{:?}", TableLock::Locked);
    assert_eq!(MemoryUse { shared: without.shared, ..with }, without);
}
