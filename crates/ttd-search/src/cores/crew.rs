//! The threads of real workers: new ones for each search, or kept from search to search.
//!
//! A search that is measured has new threads, so that nothing is left of the one before. A game has
//! kept ones, because starting them takes longer than a short search.

use super::real::STACK_BYTES;
use super::workload::message;
use parking_lot::Mutex;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::thread::{Builder, ScopedJoinHandle, scope};

/// The threads that run the workers of one search after another. By default they are new each time,
/// and bound to no processor.
#[derive(Debug, Default)]
pub struct Crew {
    /// The processors of the workers, one each, in turn. An empty list allows any processor.
    cpus: Vec<usize>,
    keeps: bool,
    /// The threads of the search before, while no search runs. None if threads are not kept.
    kept: RefCell<Option<ThreadPool>>,
}

impl Crew {
    /// A crew whose worker `i` is bound to processor `i` of the list, counted round. An empty list
    /// binds none.
    pub fn pinned(cpus: Vec<usize>) -> Crew {
        Crew { cpus, ..Crew::default() }
    }

    /// This crew, with threads that are kept from search to search. They end with the crew, or with
    /// a search by another number of workers.
    #[must_use]
    pub fn keeping(self) -> Crew {
        Crew { keeps: true, ..self }
    }

    /// The processors of the workers, one each, in turn.
    pub(super) fn cpus(&self) -> &[usize] {
        &self.cpus
    }

    /// Does the work of each worker on a thread of its own, all at once. Meanwhile this thread does
    /// something else, which is told whether all threads were started. Returns the results in the
    /// order of workers.
    ///
    /// # Errors
    /// A thread could not be started, or a worker panicked.
    pub(super) fn run<R: Send>(
        &self,
        workers: usize,
        work: impl Fn(usize) -> R + Sync,
        meanwhile: impl FnOnce(bool),
    ) -> Result<Vec<R>, String> {
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
        Ok(results.into_iter().filter_map(Mutex::into_inner).collect())
    }
}

fn new_pool(workers: usize) -> Result<ThreadPool, String> {
    let builder = ThreadPoolBuilder::new().num_threads(workers).stack_size(STACK_BYTES);
    let named = builder.thread_name(|id| format!("worker {id}"));
    named.build().map_err(|error| not_started(workers, &error))
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

fn not_started(workers: usize, error: &dyn std::error::Error) -> String {
    format!("{workers} threads could not be started: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;
    use std::thread::{ThreadId, current};

    /// The threads of a search by so many workers that all run at once.
    fn threads(crew: &Crew, workers: usize) -> Vec<ThreadId> {
        let all = Barrier::new(workers + 1);
        let work = |id| {
            all.wait();
            (id, current().id())
        };
        let meanwhile = |started: bool| {
            assert!(started);
            all.wait();
        };
        let results = crew.run(workers, work, meanwhile).expect("they start");
        assert!(results.iter().map(|(id, _)| *id).eq(0..workers), "in the order of workers");
        results.into_iter().map(|(_, thread)| thread).collect()
    }

    fn different(threads: &[ThreadId]) -> usize {
        threads.iter().map(|thread| format!("{thread:?}")).collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn threads_are_kept_where_they_shall_be() {
        let crew = Crew::default().keeping();
        let first = threads(&crew, 3);
        assert_eq!(different(&first), 3);
        assert_eq!(threads(&crew, 3), first);
        let five = threads(&crew, 5);
        assert_eq!(different(&[first, five.clone()].concat()), 8, "another number has new ones");
        assert_eq!(threads(&crew, 5), five);
    }

    #[test]
    fn by_default_each_search_has_new_ones() {
        let crew = Crew::default();
        assert_eq!(different(&[threads(&crew, 4), threads(&crew, 4)].concat()), 8);
    }
}
