//! The threads of real workers: new ones for each search, or kept from search to search.
//!
//! A search that is measured has new threads, so that nothing is left of the one before. A game has
//! kept ones, because starting them takes longer than a short search. Workers that meet by messages
//! have new threads each time ([`ranks`](super::ranks)).

use super::affinity;
use super::workload::message;
use parking_lot::Mutex;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::thread::{Builder, ScopedJoinHandle, scope};

/// The stack of a worker, in bytes: several times the deepest recursion of the search. Only the
/// used part takes memory.
pub const STACK_BYTES: usize = 16 << 20;

/// The threads that run the workers of one search after another. By default they are new each time,
/// and bound to no processor.
///
/// Invariant: `kept` has no thread at work. It is taken out for a search, and put back after it.
/// One thread owns all this, and runs one search at a time. Threads that are let go end by
/// themselves, and nobody waits for that.
#[derive(Debug, Default)]
pub struct WorkerThreads {
    /// The processors of the workers, one each, in turn. An empty list allows any processor.
    cpus: Vec<usize>,
    keeps: bool,
    kept: RefCell<Option<ThreadPool>>,
}

impl WorkerThreads {
    /// Threads of which that of worker `i` is bound to processor `i` of the list, counted round. An
    /// empty list binds none.
    pub fn pinned(cpus: Vec<usize>) -> WorkerThreads {
        WorkerThreads { cpus, ..WorkerThreads::default() }
    }

    /// These threads, kept from search to search. They end with this value, or with a search by
    /// another number of workers.
    #[must_use]
    pub fn keeping(self) -> WorkerThreads {
        WorkerThreads { keeps: true, ..self }
    }

    /// The processors of the workers, one each, in turn.
    pub(super) fn cpus(&self) -> &[usize] {
        &self.cpus
    }

    /// Does the work of each worker on a thread of its own, all at once, and bound to its
    /// processor. Meanwhile this thread does something else. That is told whether all threads are
    /// there, and is left out if none was started. Returns the results in the order of workers.
    ///
    /// # Errors
    /// A thread could not be started, or `work` panicked on a new thread.
    ///
    /// # Panics
    /// If `work` panics on a kept thread.
    pub(super) fn run<R: Send>(
        &self,
        workers: usize,
        work: impl Fn(usize) -> R + Sync,
        meanwhile: impl FnOnce(bool),
    ) -> Result<Vec<R>, String> {
        let cpus = &self.cpus;
        let work = |id| {
            pin(cpus, id);
            work(id)
        };
        if self.keeps {
            self.on_kept(workers, work, meanwhile)
        } else {
            on_new(workers, work, meanwhile)
        }
    }

    fn on_kept<R: Send>(
        &self,
        workers: usize,
        work: impl Fn(usize) -> R + Sync,
        meanwhile: impl FnOnce(bool),
    ) -> Result<Vec<R>, String> {
        let kept = self.kept.take().filter(|pool| pool.current_num_threads() == workers);
        let pool = kept.map_or_else(|| new_pool(workers), Ok)?;
        let results: Vec<Mutex<Option<R>>> = (0..workers).map(|_| Mutex::default()).collect();
        pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, here| {
                let result = work(here.index());
                *results[here.index()].lock() = Some(result);
            });
            meanwhile(true);
        });
        self.kept.replace(Some(pool));
        let results: Option<Vec<R>> = results.into_iter().map(Mutex::into_inner).collect();
        results.ok_or_else(|| "a worker has no result".to_owned())
    }
}

/// Binds this thread, which is that of worker `id`, to its processor, if there is one for it. A
/// list that cannot be had was refused before.
pub(super) fn pin(cpus: &[usize], id: usize) {
    let cpu = cpus.get(id % cpus.len().max(1));
    let _ = cpu.map(|cpu| affinity::pin(&[*cpu]));
}

/// A pool of exactly so many threads, at least one.
fn new_pool(workers: usize) -> Result<ThreadPool, String> {
    let builder = ThreadPoolBuilder::new().num_threads(workers).stack_size(STACK_BYTES);
    let named = builder.thread_name(|id| format!("worker {id}"));
    let pool = named.build().map_err(|error| not_started(workers, &error))?;
    // The library has a limit of its own, and takes 0 for all processors.
    let most = pool.current_num_threads();
    let too_many = || not_started(workers, &format!("{most} of them are there"));
    if most == workers { Ok(pool) } else { Err(too_many()) }
}

fn on_new<R: Send>(
    workers: usize,
    work: impl Fn(usize) -> R + Sync,
    meanwhile: impl FnOnce(bool),
) -> Result<Vec<R>, String> {
    let work = &work;
    scope(|scope| {
        let spawn = |id| {
            let builder = Builder::new().name(format!("worker {id}")).stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, move || work(id))
        };
        let threads: Result<Vec<_>, _> = (0..workers).map(spawn).collect();
        meanwhile(threads.is_ok());
        let joined = threads.map_err(|error| not_started(workers, &error))?.into_iter();
        joined
            .map(ScopedJoinHandle::join)
            .map(|end| end.map_err(|panic| message(&*panic)))
            .collect()
    })
}

fn not_started(workers: usize, why: &dyn std::fmt::Display) -> String {
    format!("{workers} threads could not be started: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;
    use std::thread::{ThreadId, current};

    /// The threads of a search by so many workers that all run at once.
    fn ids(threads: &WorkerThreads, workers: usize) -> Vec<ThreadId> {
        let all = Barrier::new(workers + 1);
        let work = |id| {
            all.wait();
            (id, current().id())
        };
        let meanwhile = |started: bool| {
            assert!(started);
            all.wait();
        };
        let results = threads.run(workers, work, meanwhile).expect("they start");
        assert!(results.iter().map(|(id, _)| *id).eq(0..workers), "in the order of workers");
        results.into_iter().map(|(_, thread)| thread).collect()
    }

    fn different(threads: &[ThreadId]) -> usize {
        threads.iter().map(|thread| format!("{thread:?}")).collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn threads_are_kept_where_they_shall_be() {
        let kept = WorkerThreads::default().keeping();
        let first = ids(&kept, 3);
        assert_eq!(different(&first), 3);
        assert_eq!(ids(&kept, 3), first);
        let five = ids(&kept, 5);
        assert_eq!(different(&[first, five.clone()].concat()), 8, "another number has new ones");
        assert_eq!(ids(&kept, 5), five);
    }

    /// A search whose worker panics says so, and the next one is as good as on new threads.
    #[test]
    fn kept_threads_outlive_a_search_that_fails() {
        use crate::cores::real::{self, RealCore, Waiting};
        use crate::cores::{Core, State};
        let kept = WorkerThreads::default().keeping();
        let search = |threads: &WorkerThreads, panics: usize| {
            let done = crate::cores::Section::new(0);
            real::run(
                threads,
                3,
                Waiting::PARKED,
                |id| id,
                |id, mut core: RealCore<'_>| {
                    assert!(id != panics, "worker {id} is planted");
                    let all = core.section(&done, |done| {
                        *done += 1;
                        *done == 3
                    });
                    if all {
                        core.end();
                    }
                    core.wait_while(State::Finished, |ended| !ended);
                    id
                },
            )
        };
        for round in 0..50 {
            assert_eq!(search(&kept, 9).expect("no panic").0, [0, 1, 2], "{round}");
            let failed = search(&kept, round % 3).expect_err("a panic").to_string();
            assert!(failed.contains("is planted"), "{failed}");
        }
        assert_eq!(search(&WorkerThreads::default(), 9).expect("no panic").0, [0, 1, 2]);
        assert!(kept.run(0, |_| (), |_| ()).is_err(), "no worker, and no pool of all processors");
    }

    #[test]
    fn by_default_each_search_has_new_ones() {
        let new = WorkerThreads::default();
        assert_eq!(different(&[ids(&new, 4), ids(&new, 4)].concat()), 8);
    }
}
