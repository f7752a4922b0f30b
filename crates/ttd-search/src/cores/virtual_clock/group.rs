//! The state that the virtual cores of one search share: the clock, the ready queue, the waits, and
//! the letters on their way.

use super::lines::Lines;
use super::mail_room::{MailRoom, Network};
use super::processors::{Processors, Seat};
use crate::cores::cost_model::CostModel;
use crate::cores::machine::Machine;
use crate::cores::ready_queue::{Ready, ReadyQueue, Schedule};
use crate::cores::time::Time;
use crate::cores::timeline::State;
use crate::cores::workload::RunError;
use crate::cores::{Line, Mail};
use rustix::time::{ClockId, clock_gettime};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The values that make a search on virtual cores equal each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// The price of everything.
    pub model: CostModel,
    /// The machine on which these prices hold for a worker that is alone.
    pub machine: Machine,
    /// The seed of the jitter of nodes.
    pub noise: u64,
    /// The seed of the order of workers with equal clocks.
    pub ties: u64,
    /// The rule by which the next worker is chosen.
    pub schedule: Schedule,
    /// The greatest processor time that the simulation may take on the host. Beyond it, it fails.
    pub host_limit: Option<Duration>,
}

impl Simulation {
    /// A simulation with the default prices, on the default machine, with the seeds 1.
    pub fn plain(schedule: Schedule) -> Simulation {
        let (model, machine) = (CostModel::default(), Machine::default());
        Simulation { model, machine, noise: 1, ties: 1, schedule, host_limit: None }
    }
}

/// The workers of a machine that search, by core.
///
/// Invariant: `cores` is the number of cores on which any does.
pub(super) struct Load {
    on_core: Box<[Cell<usize>]>,
    cores: Cell<usize>,
}

/// The state that the virtual cores of one search share. Used by one thread only.
///
/// Invariants:
///
/// - `now` is the clock of the worker that runs. In a simulation no other worker that may go on has
///   an earlier clock. If workers are chosen at random, all have one clock.
/// - A worker that has not returned runs, is in the ready queue, has a wait, or waits for a
///   processor.
/// - `waiting` is the number of waits; `searching` is the number of workers in [`State::Search`].
/// - `end` is set once, and the critical path with it.
pub(super) struct CoreGroup {
    pub(super) simulation: Simulation,
    pub(super) now: Cell<Time>,
    pub(super) end: Cell<Option<Time>>,
    pub(super) ready: RefCell<ReadyQueue>,
    pub(super) waits: Box<[Cell<Option<Wait>>]>,
    pub(super) waiting: Cell<usize>,
    /// The time after which a waiting worker parks. Dilated workers do not spin, nor do workers
    /// that share processors.
    spin: Time,
    pub(super) searching: Cell<usize>,
    /// The workers that search on each core; none on the default machine.
    pub(super) load: Option<Load>,
    /// The cache lines that workers share, if they have a price.
    pub(super) lines: Option<RefCell<Lines>>,
    /// The processors, if they are fewer than the workers.
    pub(super) processors: Option<RefCell<Processors>>,
    /// The sum of all charges in states that are work.
    pub(super) work: Cell<Time>,
    /// The longest chain of work that leads to the end.
    pub(super) critical_path: Cell<Time>,
    /// The number of times that workers told the table's fill; then its value at the last look,
    /// thousandths.
    pub(super) fills_told: Cell<u32>,
    pub(super) fill_permille: Cell<u64>,
    /// The letters between workers.
    pub(super) mail: MailRoom,
    pub(super) failure: RefCell<Option<RunError>>,
    /// The thread's [`processor_time`] before the search.
    pub(super) began: Duration,
    /// Whether every charge goes through the scheduler: a test that this changes nothing.
    pub(super) switch_always: bool,
    /// The addresses of each worker's end of stack and of its core at its last pause, for a hint to
    /// the host's cache. 0 before the first one.
    pub(super) left: Box<[Cell<[usize; 2]>]>,
}

/// The state in which a worker waits, and the time since when.
#[derive(Clone, Copy)]
pub(super) struct Wait {
    pub(super) state: State,
    pub(super) since: Time,
}

/// The time that the host's processors have given to this thread.
///
/// It is not the time that passed. A program that is stopped for an hour, or shares its processors,
/// does not search too long.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

impl CoreGroup {
    #[allow(clippy::large_types_passed_by_value, reason = "once a search")]
    pub(super) fn new(
        workers: usize,
        simulation: Simulation,
        network: Network,
        switch_always: bool,
    ) -> CoreGroup {
        let mut ready = ReadyQueue::new(simulation.ties, workers, simulation.schedule);
        let start = Time::from_ps(if workers > 1 { simulation.model.start_ps } else { 0 });
        let start = simulation.model.undilated(start);
        (0..workers).for_each(|worker| ready.add(worker, start));
        let is_shared = (simulation.model.processors as usize) < workers
            && simulation.schedule == Schedule::Earliest;
        let processors =
            is_shared.then(|| RefCell::new(Processors::new(workers, &simulation.model)));
        let spins = !is_shared && simulation.model.dilate == 1;
        let spin = Time::from_ps(if spins { simulation.model.spin_ps } else { 0 });
        let machine = &simulation.machine;
        let cores = (0..workers).map(|worker| machine.core_of(worker) + 1).max().unwrap_or(0);
        let load = (!machine.is_plain()).then(|| Load {
            on_core: (0..cores).map(|_| Cell::new(0)).collect(),
            cores: Cell::new(0),
        });
        let lines = machine.caches.map(|caches| RefCell::new(Lines::new(workers, &caches)));
        CoreGroup {
            simulation,
            now: Cell::new(Time::ZERO),
            end: Cell::new(None),
            ready: RefCell::new(ready),
            waits: (0..workers).map(|_| Cell::new(None)).collect(),
            waiting: Cell::new(0),
            spin,
            searching: Cell::new(0),
            load,
            lines,
            processors,
            work: Cell::default(),
            critical_path: Cell::default(),
            fills_told: Cell::new(0),
            fill_permille: Cell::new(0),
            mail: MailRoom::new(workers, network),
            failure: RefCell::new(None),
            began: processor_time(),
            switch_always,
            left: (0..workers).map(|_| Cell::new([0; 2])).collect(),
        }
    }

    /// A worker begins to search, or ends.
    pub(super) fn searches(&self, worker: usize, begins: bool) {
        let step = |count: &Cell<usize>, up: bool| {
            count.set(count.get() + usize::from(up) - usize::from(!up));
        };
        step(&self.searching, begins);
        if let Some(load) = &self.load {
            let here = &load.on_core[self.simulation.machine.core_of(worker)];
            step(here, begins);
            if here.get() == usize::from(begins) {
                step(&load.cores, begins);
            }
        }
    }

    /// The time of work on the core of a worker, which takes `time` where nobody else is busy. The
    /// lines that the worker has looked at since its last work come on top.
    #[inline]
    pub(super) fn on_machine(&self, worker: usize, time: Time) -> Time {
        let Some(load) = &self.load else { return time };
        let looks = self.lines.as_ref().map_or(0, |lines| lines.borrow_mut().take_owed(worker));
        let machine = &self.simulation.machine;
        let here = load.on_core[machine.core_of(worker)].get();
        let permille = machine.price_permille(here, load.cores.get().max(1));
        Time::from_ps(time.ps() * permille / 1000 + looks)
    }

    /// A worker looks at a line, and changes it if so said.
    #[inline]
    pub(super) fn look(&self, worker: usize, line: Line, changes: bool) {
        if let Some(lines) = &self.lines {
            lines.borrow_mut().touch(worker, line, changes);
        }
    }

    /// The time that a worker stays in a section, if it comes there after another one.
    ///
    /// The price of a section holds one way of its lock's line between two cores of a cluster: it
    /// was measured so. Another way takes the place of that one, and none where the worker itself
    /// was the last. A section that costs nothing costs no way either.
    pub(super) fn stay(&self, worker: usize, before: Option<usize>) -> Time {
        let price = self.simulation.model.section_ps;
        let caches = self.simulation.machine.caches.filter(|_| price > 0);
        let Some(caches) = caches else { return Time::from_ps(price) };
        let way = before.map_or(0, |before| caches.price(caches.distance(worker, before)));
        Time::from_ps(price.saturating_sub(caches.cluster_ps) + way)
    }

    /// The worker that goes on next: the first that is ready and has a processor, or gets one.
    /// Letters whose time comes before are delivered.
    pub(super) fn next(&self, first: Option<Ready>) -> Option<Ready> {
        let mut next = first.or_else(|| self.ready.borrow_mut().next());
        while let Some(Ready { worker, clock, .. }) = next {
            if let Some(receiver) = worker.checked_sub(self.waits.len()) {
                if self.simulation.schedule == Schedule::Earliest {
                    self.now.set(clock);
                }
                self.deliver(receiver);
                next = self.ready.borrow_mut().next();
                continue;
            }
            let Some(processors) = &self.processors else { break };
            let seat = processors.borrow_mut().seat(worker, clock);
            next = match seat {
                Seat::Now => break,
                Seat::From(clock) => Some(self.ready.borrow_mut().exchange(worker, clock)),
                Seat::None => self.ready.borrow_mut().next(),
            };
        }
        next
    }

    /// A worker gives up its processor, if they are shared. It goes to the first worker that waits
    /// for one.
    pub(super) fn release(&self, worker: usize) {
        let Some(processors) = &self.processors else { return };
        if let Some((next, from)) = processors.borrow_mut().release(worker, self.now.get()) {
            self.ready.borrow_mut().add(next, from);
        }
    }

    pub(super) fn wait(&self, worker: usize, wait: Wait) {
        self.waits[worker].set(Some(wait));
        self.waiting.set(self.waiting.get() + 1);
    }

    /// Wakes a worker, if it waits. Returns the time that it takes the worker that wakes it.
    pub(super) fn wake(&self, worker: usize) -> Time {
        self.wake_after(worker, Time::ZERO)
    }

    /// Wakes a worker, if it waits, after so much time that the wakes of others take. Returns the
    /// time that it takes.
    fn wake_after(&self, worker: usize, others: Time) -> Time {
        let model = &self.simulation.model;
        let is_parked = |Wait { since, .. }| self.now.get() - since >= self.spin;
        if !self.waits[worker].get().is_some_and(is_parked) {
            self.rouse(worker, 0);
            return Time::ZERO;
        }
        // Dilated time does not divide the work of the worker that wakes them.
        self.rouse(worker, model.park_ps + others.ps() * model.dilate);
        Time::from_ps(model.unpark_ps)
    }

    /// Lets a worker go on, if it waits, so much later than one that spins.
    pub(super) fn rouse(&self, worker: usize, later_ps: u64) {
        if self.waits[worker].take().is_some() {
            self.waiting.set(self.waiting.get() - 1);
            let model = &self.simulation.model;
            let after = model.undilated(Time::from_ps(model.wake_ps + later_ps));
            self.ready.borrow_mut().add(worker, self.now.get() + after);
        }
    }

    /// Wakes all workers that wait, one after the other. Returns the time that it takes the worker
    /// that wakes them.
    pub(super) fn wake_all(&self) -> Time {
        if self.waiting.get() == 0 {
            return Time::ZERO;
        }
        (0..self.waits.len()).fold(Time::ZERO, |took, worker| took + self.wake_after(worker, took))
    }

    pub(super) fn end(&self) -> Option<Time> {
        if self.end.get().is_some() {
            return None;
        }
        self.end.set(Some(self.now.get()));
        self.wake_all();
        self.end.get()
    }

    /// The search has failed: notes the reason, if it is the first, and ends the search.
    pub(super) fn fail(&self, why: impl FnOnce() -> RunError) {
        self.failure.borrow_mut().get_or_insert_with(why);
        self.end();
    }

    /// Ends a search that has taken too long on the host. The result of a search depends on this
    /// only if it fails.
    pub(super) fn look_at_host(&self) {
        let taken = || processor_time().saturating_sub(self.began);
        if let Some(limit) = self.simulation.host_limit.filter(|&limit| taken() > limit) {
            self.fail(|| RunError::HostLimit { limit, at: self.now.get() });
        }
    }

    /// The message with the wait of each worker.
    pub(super) fn deadlock(&self) -> String {
        let wait = |(worker, wait): (usize, &Cell<Option<Wait>>)| {
            let Wait { state, since } = wait.get()?;
            Some(format!("worker {worker} in {} since {since} s", state.name()))
        };
        let waits: Vec<String> = self.waits.iter().enumerate().filter_map(wait).collect();
        format!("deadlock: every worker waits: {}", waits.join(", "))
    }

    /// Sends a letter now.
    pub(super) fn post(&self, to: usize, mail: Mail) {
        match self.mail.send(to, mail, self.now.get()) {
            Some(comes) => self.ready.borrow_mut().add(self.waits.len() + to, comes),
            // A worker without shared memory does not park.
            None => self.rouse(to, 0),
        }
    }

    /// The next letter to `worker` comes now.
    pub(super) fn deliver(&self, worker: usize) {
        if self.mail.arrive(worker) {
            self.rouse(worker, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::virtual_clock::run;
    use crate::cores::virtual_clock::tests::{PLAIN, ps, simulation};
    use crate::cores::{Core, Cost};

    #[test]
    fn several_workers_begin_later_than_one() {
        let model = CostModel { start_ps: 40, ..PLAIN };
        let begun = |workers| {
            let ran = run(workers, simulation(model), |_| (), |(), core| core.now());
            ran.map(|gathered| gathered.results).map_err(|why| why.to_string())
        };
        assert_eq!(begun(1), Ok(vec![ps(0)]));
        assert_eq!(begun(3), Ok(vec![ps(40); 3]));
    }

    #[test]
    fn a_worker_that_has_waited_long_is_parked() {
        let model = CostModel { spin_ps: 200, park_ps: 40, unpark_ps: 60, ..PLAIN };
        let woken_at = |nodes: u64| {
            let woken = Cell::new(false);
            let ran = run(
                2,
                simulation(model),
                |_| (),
                |(), mut core| {
                    if core.id() == 1 {
                        core.wait_while(State::WaitWork, |_| !woken.get());
                        return core.now();
                    }
                    for _ in 0..nodes {
                        core.charge(Cost::Node);
                    }
                    woken.set(true);
                    core.wake(1);
                    core.now()
                },
            );
            ran.map(|gathered| gathered.results).map_err(|why| why.to_string())
        };
        assert_eq!(woken_at(1), Ok(vec![ps(100), ps(107)]), "it spins still");
        assert_eq!(woken_at(2), Ok(vec![ps(200 + 60), ps(200 + 7 + 40)]));
    }
}
