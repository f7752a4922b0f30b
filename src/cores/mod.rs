//! What workers run on. The only place that touches `std::thread`, clocks and parking.
//!
//! Workers meet time, and each other, only through [`Core`]. On real cores ([`real`]) a worker is
//! an operating-system thread and the clock is the wall's.

mod ledger;
pub mod real;
mod time;

pub use ledger::{Ledger, State};
pub use time::{ParseTimeError, Time};

use parking_lot::Mutex;

/// What a worker spends time on, where time is counted and not measured. Real cores take the time
/// that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A node of the search.
    Node,
    /// A node of the quiescence search.
    QuiescenceNode,
    /// Making a split point.
    Split,
    /// Joining one.
    Join,
}

/// State shared by the workers, entered by one at a time through [`Core::section`].
#[derive(Debug, Default)]
pub struct Section<T>(Mutex<T>);

impl<T> Section<T> {
    /// A section around `state`.
    pub const fn new(state: T) -> Section<T> {
        Section(Mutex::new(state))
    }

    /// The state, when all workers have gone.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
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

    /// Spends time on something whose time is counted.
    fn charge(&mut self, cost: Cost);

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

    /// Time spent in each state until the end of the search.
    fn states(&mut self) -> [Time; State::COUNT];
}
