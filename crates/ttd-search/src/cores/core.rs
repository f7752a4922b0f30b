//! The core of a worker, as the worker sees it.

use super::{Event, Section, State, Time, Timeline};

/// The price of something, where time is counted and not measured. On real cores everything takes
/// the time that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A node of the search.
    Node,
    /// A node of the quiescence search.
    QuiescenceNode,
    /// A node that is valued as it stands, without a quiescence search.
    Leaf,
    /// A static evaluation that is not part of a node's own price.
    Evaluation,
    /// Making a split point.
    Split,
    /// Joining a split point.
    Join,
    /// Combining the results of two groups of workers.
    Reduce,
    /// Copying another worker's history.
    Copy,
}

/// A kind of memory that workers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// The transposition table.
    Table = 1,
    /// A history that all workers share.
    History,
    /// Killers that all workers share.
    Killers,
    /// The flags of split points, one line each.
    SplitPoint,
    /// The counts beside the board of open split points, one line each.
    Board,
    /// The table of marked moves.
    Marks,
    /// Corrections that all workers share.
    Corrections,
    /// Pawn records that all workers share.
    PawnRecords,
}

/// A cache line of shared memory, by its area and its number there.
///
/// It is no address: addresses differ from run to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line(u64);

/// The number of bits of a line's number. The area has some of those above, and the highest is 0.
const NUMBER_BITS: u32 = 56;

impl Line {
    /// The bytes of a line.
    pub const BYTES: usize = 64;

    /// A line of an area. The highest eight bits of the number are left out.
    #[inline]
    pub const fn new(area: Area, number: u64) -> Line {
        Line((area as u64) << NUMBER_BITS | number & ((1 << NUMBER_BITS) - 1))
    }

    /// A number that no other line has. Its highest bit is 0.
    pub(super) const fn name(self) -> u64 {
        self.0
    }
}

/// The core of one worker. Owned by that worker; methods that take `&mut self` may cost it time.
///
/// An example of three workers that add up, on virtual cores and on threads:
///
/// ```
/// use ttd_search::cores::{
///     Core, Cores, Cost, CostModel, Schedule, Section, Simulation, State, Waiting, WorkerThreads,
///     Workload,
/// };
///
/// #[derive(Default)]
/// struct Sum(Section<usize>);
///
/// impl Workload for Sum {
///     type Prepared = ();
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
/// let simulation = Simulation { model, ..Simulation::plain(schedule) };
/// for cores in [Cores::Virtual(simulation), Cores::Real(&WorkerThreads::default())] {
///     let sum = Sum::default();
///     let gathered = cores.run(3, Waiting::PARKED, &sum)?;
///     assert_eq!((gathered.results, sum.0.into_inner()), (vec![0, 1, 2], 3));
/// }
/// # Ok::<(), ttd_search::cores::RunError>(())
/// ```
pub trait Core {
    /// The number of this worker, from 0.
    fn id(&self) -> usize;

    /// The number of workers.
    fn workers(&self) -> usize;

    /// The time since "go".
    fn now(&self) -> Time;

    /// Spends time on something whose time is counted.
    ///
    /// Returns whether it was done by the end of the search, as far as the clock tells. Anything
    /// later is no part of the search.
    fn charge(&mut self, cost: Cost) -> bool;

    /// Whether a look at shared memory may cost anything ([`Core::read_line`]). It never does on
    /// real cores, where all takes the time that it takes.
    #[inline]
    fn prices_lines(&self) -> bool {
        false
    }

    /// The worker reads a line of shared memory. It pays for that with its next charge.
    #[inline]
    fn read_line(&mut self, _line: Line) {}

    /// The worker changes a line of shared memory. It pays for that with its next charge.
    #[inline]
    fn change_line(&mut self, _line: Line) {}

    /// The worker pauses while it writes an entry of the table without a lock. Where time is
    /// counted, others may run meanwhile.
    #[inline]
    fn pause_to_write(&mut self) {}

    /// Whether work and the critical path are counted.
    const COUNTS_WORK: bool = false;

    /// The length of the longest chain of work that leads to the worker's present place. Zero where
    /// that is not counted.
    #[inline]
    fn span(&self) -> Time {
        Time::ZERO
    }

    /// The worker's next work depends on a chain of this length, and not on its own work so far.
    #[inline]
    fn continue_from(&mut self, _span: Time) {}

    /// The worker's next work depends on a chain of this length too.
    #[inline]
    fn depend_on(&mut self, _span: Time) {}

    /// Sections are entered at no price and without a wait from now on, or no longer. It is for
    /// idealised machines. Only virtual cores heed it.
    #[inline]
    fn enter_at_no_price(&mut self, _yes: bool) {}

    /// Tells how full the shared table is, 0 to 1. Only virtual cores make use of it.
    #[inline]
    fn notice_fill(&mut self, _fill: impl FnOnce() -> f64) {}

    /// Changes the state of the worker; returns the state before.
    fn enter(&mut self, state: State) -> State;

    /// Works on shared state, alone. `body` must not wait for another worker. It cannot enter
    /// another section, as the core is borrowed meanwhile. So no order of entering
    /// sections is needed to exclude deadlock.
    fn section<T, R>(&mut self, section: &Section<T>, body: impl FnOnce(&mut T) -> R) -> R;

    /// Waits in `state` as long as `condition` holds.
    ///
    /// The condition is given whether the search has ended. It reads state that other workers write
    /// before they call [`Core::wake`] or [`Core::wake_all`].
    fn wait_while(&mut self, state: State, condition: impl Fn(bool) -> bool);

    /// Makes a waiting worker look at its condition again.
    fn wake(&mut self, worker: usize);

    /// Makes every waiting worker look at its condition again.
    fn wake_all(&mut self);

    /// Ends the search now, for all workers. The first call returns the time of the end.
    fn end(&mut self) -> Option<Time>;

    /// Whether the search has ended.
    fn ended(&self) -> bool;

    /// Keeps a timeline of at most `most` moments from now on.
    fn record(&mut self, most: usize);

    /// Notes an event of the worker, if a timeline is kept.
    fn note(&mut self, event: impl FnOnce() -> Event);

    /// The timeline, if one was kept.
    fn timeline(&mut self) -> Option<Timeline>;

    /// The time spent in each state until the end of the search; waits for that end.
    fn states(&mut self) -> [Time; State::COUNT];
}

/// A message that has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The worker that sent it.
    pub from: usize,
    /// Its bytes, at least one.
    pub message: Vec<u8>,
    /// The length of the longest chain of work that leads to its sending ([`Core::span`]). The
    /// receiver tells by [`Core::continue_from`] or [`Core::depend_on`] what depends on it.
    pub span: Time,
}

/// The core of a worker that can send messages to other workers.
///
/// It is the contract between searchers over messages and the things that carry them: channels
/// between threads, MPI, and the network of virtual cores. Whatever carries them keeps this:
///
/// - A message comes once and whole.
/// - Between two workers messages keep their order. On virtual cores with a cost for each byte a
///   short one may overtake a longer one.
/// - Sending waits for nobody. A message to a worker that has left the search is dropped.
/// - A message to oneself is none: a worker does not send to its own number.
/// - After the end of a search none of its messages comes to the next search.
///
/// The end of a search is told by [`Core::end`] and [`Core::ended`] as on all cores. Where workers
/// are processes it is a message too, which they notice at a look. Sections are for the workers of
/// one process only, and a worker of several processes is alone in its own.
pub trait Messenger: Core {
    /// Makes charges look for messages at every so many nodes, 1 or more. A thousand is usual.
    fn look_every(&mut self, nodes: u64);

    /// Whether a message is there, as far as the looks of charges tell. It is asked at every node,
    /// and looks at nothing outside the worker.
    fn has_mail(&self) -> bool;

    /// Sends a message of one byte or more to another worker.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The message that came first, if any is there. It looks for one.
    fn receive(&mut self) -> Option<Mail>;

    /// Waits in `state` until a message is there or the search has ended. It may come back a few
    /// times without either.
    fn wait_for_mail(&mut self, state: State);
}
