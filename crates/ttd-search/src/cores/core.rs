//! What a worker runs on, as it sees it.

use super::section::Section;
use super::state::State;
use super::time::Time;
use super::timeline::{Event, Timeline};

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

/// One worker's core. Owned by that worker; the methods that take `&mut self` may cost it time.
///
/// Three workers that add up, on virtual cores and on threads:
///
/// ```
/// use std::time::Duration;
/// use ttd_search::cores::{
///     Core, Cores, Cost, CostModel, Crew, Schedule, Section, Simulation, State, Waiting,
/// };
///
/// #[derive(Default)]
/// struct Sum(Section<usize>);
///
/// impl Crew for Sum {
///     type Kit = ();
///     type Result = usize;
///
///     fn prepare(&self, _id: usize) {}
///
///     fn work<C: Core>(&self, (): (), mut core: C) -> usize {
///         core.charge(Cost::Node);
///         let (id, workers) = (core.id(), core.workers());
///         let done = core.section(&self.0, |done| {
///             *done += 1;
///             *done
///         });
///         if done == workers {
///             core.end();
///         }
///         core.wait_while(State::Finished, |ended| !ended);
///         id
///     }
/// }
///
/// let (model, schedule) = (CostModel::default(), Schedule::Earliest);
/// let simulation = Simulation { model, noise: 1, ties: 1, schedule, host_limit: None };
/// let waiting = Waiting { spin: Duration::ZERO, one_at_a_time: false };
/// for cores in [Cores::Virtual(simulation), Cores::Real(&[])] {
///     let sum = Sum::default();
///     let gathered = cores.run(3, waiting, &sum)?;
///     assert_eq!((gathered.results, sum.0.into_inner()), (vec![0, 1, 2], 3));
/// }
/// # Ok::<(), String>(())
/// ```
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
