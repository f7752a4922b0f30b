//! Runs the workers of a search.

use super::ranks::{self, Rank};
use super::real::{self, Waiting};
use super::virtual_clock::{self, Network, Simulation};
use super::worker_threads::{WorkerThreads, pin};
use super::workload::{Gathered, MessageWorkload, RunError, Workload};
use super::{Messenger, Time};

/// The kind of cores that the workers of a search run on.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one of it in a search")]
pub enum Cores<'s> {
    /// Operating-system threads and the wall clock.
    Real(&'s WorkerThreads),
    /// Coroutines on a virtual clock.
    Virtual(Simulation),
    /// This process is one rank of several, with one worker. Workers meet by messages alone.
    Rank(Rank<'s>),
}

impl Cores<'_> {
    /// Runs a workload. `waiting` is the way in which real workers wait.
    ///
    /// # Errors
    /// The reason, if a worker panicked or could not be started, or if all virtual workers wait.
    pub fn run<J: Workload>(
        &self,
        workers: usize,
        waiting: Waiting,
        workload: &J,
    ) -> Result<Gathered<J::Result>, RunError> {
        let prepare = |id| workload.prepare(id);
        match self {
            Cores::Real(threads) => {
                let ran = real::run(threads, workers, waiting, prepare, |prepared, core| {
                    workload.work(prepared, core)
                });
                ran.map(|(results, time)| Gathered { results, time, work_span: None })
            }
            Cores::Virtual(simulation) => {
                virtual_clock::run(workers, *simulation, prepare, |prepared, core| {
                    workload.work(prepared, core)
                })
            }
            Cores::Rank(_) if workers > 1 => {
                Err("ranks share no memory: workers that meet by messages expected".to_owned())?
            }
            // Rank 0 searches alone, as it would without others, and no other rank does anything.
            Cores::Rank(rank) if rank.transport.rank() == 0 => {
                Cores::Real(&WorkerThreads::default()).run(workers, waiting, workload)
            }
            Cores::Rank(_) => {
                Ok(Gathered { results: Vec::new(), time: Time::ZERO, work_span: None })
            }
        }
    }

    /// Runs a workload of workers that meet by messages: over channels between threads, over the
    /// `network` of virtual cores, or as one rank of several. A rank other than the first returns
    /// its own results alone.
    ///
    /// # Errors
    /// The reason, as [`Cores::run`] gives it.
    pub fn run_messages<J: MessageWorkload>(
        &self,
        workers: usize,
        waiting: Waiting,
        network: Network,
        workload: &J,
    ) -> Result<Gathered<J::Result>, RunError> {
        match self {
            Cores::Real(threads) => {
                ranks::run_on_channels(workers, waiting, &Pinned { cpus: threads.cpus(), workload })
            }
            Cores::Virtual(simulation) => virtual_clock::run_messengers(
                workers,
                *simulation,
                network,
                |id| workload.prepare(id),
                |prepared, core| workload.work(prepared, core),
            ),
            Cores::Rank(rank) => ranks::run(*rank, workers, waiting, workload),
        }
    }
}

/// A workload whose workers are bound to processors.
struct Pinned<'s, J> {
    cpus: &'s [usize],
    workload: &'s J,
}

impl<J: MessageWorkload> MessageWorkload for Pinned<'_, J> {
    type Prepared = J::Prepared;
    type Result = J::Result;

    fn prepare(&self, id: usize) -> J::Prepared {
        pin(self.cpus, id);
        self.workload.prepare(id)
    }

    fn work<C: Messenger>(&self, prepared: J::Prepared, core: C) -> J::Result {
        self.workload.work(prepared, core)
    }
}
