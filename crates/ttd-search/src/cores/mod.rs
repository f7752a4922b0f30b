//! What workers run on. The only place where a search touches clocks, parking and, but for clearing a
//! table, `std::thread`. (The driver dates sittings and measures how long they take by itself.)
//!
//! Workers meet time, and each other, only through [`Core`]. On real cores ([`real`]) a worker is
//! an operating-system thread and the clock is the wall's; on virtual ones ([`virtual_clock`]) it is
//! a coroutine, and the clock is counted by a [`CostModel`]. A searcher is a [`Crew`], which does
//! not know which of the two it runs on.

pub mod affinity;
mod agenda;
mod cost_model;
pub mod jobs;
mod ledger;
pub mod real;
pub(crate) mod sync;
mod time;
mod timeline;
pub mod virtual_clock;
mod work_span;

pub use agenda::Schedule;
pub use cost_model::CostModel;
pub use ledger::{Ledger, State};
pub use real::Waiting;
pub use time::{ParseTimeError, Time};
pub use timeline::{Event, Moment, Split, Timeline};
pub use virtual_clock::Simulation;
pub use work_span::{Chain, WorkSpan};

use sync::Mutex;

/// What a worker spends time on, where time is counted and not measured. Real cores take the time
/// that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A node of the search.
    Node,
    /// A node of the quiescence search.
    QuiescenceNode,
    /// A node that is valued as it stands, where there is no quiescence search.
    Leaf,
    /// A static evaluation that is not part of a node's own work.
    Evaluation,
    /// Making a split point.
    Split,
    /// Joining one.
    Join,
    /// Combining the results of two groups of workers.
    Reduce,
    /// Copying another worker's history.
    Copy,
}

/// State shared by the workers, entered by one at a time through [`Core::section`].
#[derive(Debug, Default)]
pub struct Section<T>(Mutex<Guarded<T>>);

#[derive(Debug, Default)]
struct Guarded<T> {
    /// On virtual cores: when the last of those who came will have left.
    free_at: Time,
    state: T,
}

impl<T> Section<T> {
    /// A section around `state`.
    pub fn new(state: T) -> Section<T> {
        Section(Mutex::new(Guarded { free_at: Time::ZERO, state }))
    }

    /// The state, when all workers have gone.
    pub fn into_inner(self) -> T {
        self.0.into_inner().state
    }

    /// Who comes at `arrival` to stay for `cost` enters as soon as all before have left: when that
    /// is, and when they leave.
    fn book(&self, arrival: Time, cost: Time) -> (Time, Time) {
        let mut guarded = self.0.lock();
        let start = arrival.max(guarded.free_at);
        guarded.free_at = start + cost;
        (start, start + cost)
    }

    /// Looks at the state without entering: a race, for `scripts/races.sh` to find.
    #[cfg(seeded_race)]
    #[allow(unsafe_code, reason = "the race is the purpose")]
    pub(crate) fn peek<R>(&self, body: impl FnOnce(&T) -> R) -> R {
        // SAFETY: none.
        body(unsafe { &(*self.0.data_ptr()).state })
    }

    /// Works on the state.
    fn alone<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        body(&mut self.0.lock().state)
    }
}

/// One worker's core. Owned by that worker; the methods that take `&mut self` may cost it time.
pub trait Core {
    /// Which worker this is, from 0.
    fn id(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// Since "go".
    fn now(&self) -> Time;

    /// Spends time on something whose time is counted. Whether it was done by the end of the search,
    /// as far as the clock tells: what was not is no part of the search.
    fn charge(&mut self, cost: Cost) -> bool;

    /// Whether work and chains of work are counted.
    const COUNTS_WORK: bool = false;

    /// The length of the longest chain of work that leads to where the worker is; zero where it is not counted.
    #[inline]
    fn span(&self) -> Time {
        Time::ZERO
    }

    /// What the worker does next depends on a chain of this length, and on nothing else that it has done.
    #[inline]
    fn continue_from(&mut self, _span: Time) {}

    /// What the worker does next depends on a chain of this length too.
    #[inline]
    fn depend_on(&mut self, _span: Time) {}

    /// Tells how full the shared table is, 0 to 1, to whom that makes a difference.
    #[inline]
    fn notice_fill(&mut self, _fill: impl FnOnce() -> f64) {}

    /// Changes what the worker is doing; returns what it was doing.
    fn enter(&mut self, state: State) -> State;

    /// Works on shared state, alone. `body` must not wait for anybody.
    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R;

    /// Waits in `state` as long as `condition` holds. It is given whether the search has ended, and
    /// reads what other workers write before they call [`Core::wake`] or [`Core::wake_all`].
    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool);

    /// Has a waiting worker look at its condition again.
    fn wake(&mut self, worker: usize);

    /// Has every waiting worker look at its condition again.
    fn wake_all(&mut self);

    /// Ends the search now, for everybody. The time of the end, for the first to call this.
    fn end(&mut self) -> Option<Time>;

    /// Whether the search has ended.
    fn ended(&self) -> bool;

    /// Keeps a timeline of at most so many moments from now on.
    fn record(&mut self, most: usize);

    /// Notes what the worker does, if a timeline is kept.
    fn note(&mut self, event: impl FnOnce() -> Event);

    /// The timeline, if one was kept.
    fn timeline(&mut self) -> Option<Timeline>;

    /// Time spent in each state until the end of the search, which it waits for.
    fn states(&mut self) -> [Time; State::COUNT];
}

/// What the workers of a search do, whatever they run on.
pub trait Crew: Sync {
    /// What a worker needs.
    type Kit;
    /// What a worker returns.
    type Result: Send;

    /// Sets a worker up, before the clock starts.
    fn prepare(&self, id: usize) -> Self::Kit;

    /// A worker's work, from "go" until it is done. Some worker ends the search.
    fn work<C: Core>(&self, kit: Self::Kit, core: C) -> Self::Result;
}

/// What the workers of a search have come to.
#[derive(Debug, PartialEq, Eq)]
pub struct Gathered<R> {
    /// What each of them returned, in their order.
    pub results: Vec<R>,
    /// When the search ended.
    pub time: Time,
    /// Work and critical path, as far as the workers tell what depends on what; none of real cores.
    pub work_span: Option<WorkSpan>,
}

/// What the workers of a search run on.
#[derive(Clone, Copy, Debug)]
pub enum Cores<'s> {
    /// Operating-system threads and the wall clock; on these processors, one a worker, in turn, or on any if there
    /// are none.
    Real(&'s [usize]),
    /// Coroutines on a virtual clock.
    Virtual(Simulation),
}

impl Cores<'_> {
    /// Runs the workers of a crew. `waiting` is how real workers wait.
    ///
    /// # Errors
    /// Why it failed, when a worker panicked or could not be started, or all virtual ones wait.
    pub fn run<J: Crew>(
        &self,
        workers: usize,
        waiting: Waiting,
        crew: &J,
    ) -> Result<Gathered<J::Result>, String> {
        let prepare = |id| crew.prepare(id);
        match self {
            Cores::Real(cpus) => {
                // On the worker's own thread. What cannot be is refused before anything is measured.
                let prepare = |id: usize| {
                    let cpu = cpus.get(id % cpus.len().max(1));
                    let _ = cpu.map(|cpu| affinity::pin(&[*cpu]));
                    prepare(id)
                };
                let ran = real::run(workers, waiting, prepare, |kit, core| crew.work(kit, core));
                ran.map(|(results, time)| Gathered { results, time, work_span: None })
            }
            Cores::Virtual(simulation) => {
                virtual_clock::run(workers, *simulation, prepare, |kit, core| crew.work(kit, core))
            }
        }
    }
}

/// What a panic says.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
