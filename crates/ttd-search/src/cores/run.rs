//! Runs the workers of a search.

use super::affinity;
use super::real::{self, Waiting};
use super::virtual_clock::{self, Simulation};
use super::workload::{Gathered, RunError, Workload};

/// The kind of cores that the workers of a search run on.
#[derive(Clone, Copy, Debug)]
pub enum Cores<'s> {
    /// Operating-system threads and the wall clock. Worker `i` is bound to processor `i` of the
    /// list, counted round. An empty list binds none.
    Real(&'s [usize]),
    /// Coroutines on a virtual clock.
    Virtual(Simulation),
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
            Cores::Real(cpus) => {
                // On the worker's own thread. An impossible binding is refused before anything is
                // measured.
                let prepare = |id: usize| {
                    let cpu = cpus.get(id % cpus.len().max(1));
                    let _ = cpu.map(|cpu| affinity::pin(&[*cpu]));
                    prepare(id)
                };
                let ran = real::run(workers, waiting, prepare, |prepared, core| {
                    workload.work(prepared, core)
                });
                ran.map(|(results, time)| Gathered { results, time, work_span: None })
            }
            Cores::Virtual(simulation) => {
                virtual_clock::run(workers, *simulation, prepare, |prepared, core| {
                    workload.work(prepared, core)
                })
            }
        }
    }
}
