//! The memory of each competitor of ours, by threads, computed from its settings.

use crate::experiment::{Experiment, OurSettings};
use crate::report::columns::columns;
use crate::report::numbers::fixed;
use crate::report::{Report, Source, Table, Topic, file};
use ttd_search::searchers::{Extent, MemoryUse};

/// The topic.
pub(crate) const TOPIC: Topic<Source> = Topic {
    files: &[file!("memory.csv", columns, Table::filled, |of| &rows(&of.input.experiment))],
    charts: &[],
    section,
};

/// The memory of a searcher, or of a variant, at a number of threads.
pub(crate) struct MemoryRow {
    /// Its name.
    pub(crate) searcher: String,
    /// Number of workers.
    pub(crate) threads: usize,
    /// The memory by part.
    pub(crate) of: MemoryUse,
}

fn section(report: &mut Report<'_>, of: &Source) {
    let experiment = &of.input.experiment;
    let rows = rows(experiment);
    // Many variants differ in nothing that takes memory: the file has them.
    let is_shown =
        |row: &&MemoryRow| of.input.figures.on_their_own().any(|own| own.searcher == row.searcher);
    let shown: Vec<&MemoryRow> = rows.iter().filter(is_shown).collect();
    if shown.is_empty() {
        return;
    }
    report.heading(2, "Memory by searcher");
    report.table(
        &format!(
            "Memory of each search, computed from its settings and not measured (MiB). Table: the \
             transposition table. Histories: with the killers, one for all workers or one for \
             each. Workers: the other parts that each worker owns. Shared: marked moves, mailboxes \
             and locks. Shared nodes: a bound for depth {}, without extensions. Stacks are \
             reserved: the system gives only what is used of them. Threads have them on real \
             cores, coroutines on virtual ones.",
            experiment.depth
        ),
        &columns().whole_table(shown),
    );
}

/// The memory of each competitor of ours at each number of its threads.
fn rows(experiment: &Experiment) -> Vec<MemoryRow> {
    let mut rows = Vec::new();
    for (competitor, OurSettings { searcher, settings, engine }) in experiment.all_ours() {
        for &threads in experiment.threads_of(competitor) {
            let extent = Extent {
                threads,
                hash_mib: experiment.hash_mib,
                depth: experiment.depth,
                corrects: engine.correction_history.enabled,
                has_pawn_history: engine.pawn_history,
            };
            let searcher_name = experiment.name_of(competitor).to_owned();
            let of = settings.memory_use(searcher, extent);
            rows.push(MemoryRow { searcher: searcher_name, threads, of });
        }
    }
    rows
}

/// Bytes in MiB, for people.
fn mib(bytes: usize) -> String {
    fixed(bytes as f64 / f64::from(1 << 20), 2)
}

columns! {
    /// The columns of `memory.csv`, and of `ttd searchers --memory`.
    pub(crate) fn columns<'a>(of: &'a MemoryRow);

    /// the searcher or variant, and its number of workers
    Words "searcher" = of.searcher.as_str(), as "searcher";
    Whole "threads" = of.threads, as "threads";
    /// bytes of the transposition table
    Whole "table_bytes" = of.of.table, as "table", shown mib(of.of.table);
    /// bytes of histories, pawn records, corrections and killers: one of each for all workers, or
    /// one for each worker
    Whole "histories_bytes" = of.of.histories, as "histories", shown mib(of.of.histories);
    /// bytes of the other parts that each worker owns, summed: the cache of pawns, a frame and a
    /// line for each ply, the path. Virtual cores have one cache of pawns together
    Whole "workers_bytes" = of.of.workers, as "workers", shown mib(of.of.workers);
    /// bytes of the parts of a searcher that all workers share: marked moves, mailboxes, deques,
    /// and the locks of the table
    Whole "shared_bytes" = of.of.shared, as "shared", shown mib(of.of.shared);
    /// bytes of split points, or of divided nodes, at one moment: a bound. It takes one for each
    /// worker at each depth at which nodes are shared, each with the most moves that a position can
    /// have. Extensions are left out. A worker of `dts` keeps its place besides when it visits
    /// others
    Whole "nodes_bytes_most" = of.of.nodes, as "shared nodes, at most", shown mib(of.of.nodes);
    /// the sum of these
    Whole "total_bytes" = of.of.total(), as "total", shown mib(of.of.total());
    /// bytes of the stacks of threads, on real cores: reserved. The system gives what is used
    Whole "thread_stacks_bytes" = of.of.thread_stacks, as "stacks of threads",
        shown mib(of.of.thread_stacks);
    /// these of coroutines, on virtual cores: in the place of those of threads
    Whole "coroutine_stacks_bytes" = of.of.coroutine_stacks, as "stacks of coroutines",
        shown mib(of.of.coroutine_stacks);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_worker_of_lazy_smp_has_a_history_and_all_of_ybwc_share_one() {
        let experiment = Experiment { threads: vec![1, 4], ..Experiment::default() };
        let rows = rows(&experiment);
        let histories = |name: &str, threads: usize| {
            let row = rows.iter().find(|row| row.searcher == name && row.threads == threads);
            row.expect("a row").of.histories
        };
        assert_eq!(histories("lazy-smp", 4), 4 * histories("lazy-smp", 1));
        assert!(histories("ybwc", 4) < histories("lazy-smp", 1) + 4096);
        let table = columns().whole_table(&rows);
        assert_eq!(table[1][2], "256.00", "{table:?}");
    }
}
