//! The states of a worker, and timelines of them and of its other events, recorded on request.

use super::Time;
use crate::words::words;

words! {
    /// The occupation of a worker, which is always in exactly one state. Columns of files are in
    /// this order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum State {
        /// Searching a subtree.
        Search = "search",
        /// Making, joining, leaving or closing a split point.
        Split = "split",
        /// Waiting for shared state that another worker holds.
        Lock = "lock",
        /// Waiting for its helpers, as an owner without moves left.
        WaitHelpers = "wait-helpers",
        /// Without work.
        WaitWork = "wait-work",
        /// Combining results between groups of workers.
        Reduce = "reduce",
        /// Done before the search ended.
        Finished = "finished",
    }
}

impl State {
    /// The number of states.
    pub const COUNT: usize = State::ALL.len();

    /// Whether a charge in this state is work of the search. Looking for work is none.
    #[inline]
    pub const fn is_work(self) -> bool {
        matches!(self, State::Search | State::Split | State::Reduce)
    }
}

/// An event in the work of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It is in this state from now on.
    Enters(State),
    /// It made a split point.
    Splits(Split),
    /// It joined the split point with this number.
    Joins(u64),
    /// It cut the split point with this number off.
    Cuts(u64),
    /// It gave up its search, since the split point with this number was cut off.
    GivesUp(u64),
}

/// A split point, as a timeline shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Its number, unique in this search.
    pub number: u64,
    /// Plies from the root.
    pub ply: usize,
    /// Plies to search.
    pub depth: i32,
    /// The kind of node that alpha-beta expects: `pv`, `cut` or `all`.
    pub kind: &'static str,
    /// The number of its moves that were searched before.
    pub searched: usize,
}

/// An event and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The time since "go".
    pub time: Time,
    /// The event.
    pub event: Event,
}

/// The timeline of one worker. Owned by it; ordered by time.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// The events, in their order.
    pub moments: Vec<Moment>,
    /// Whether more events happened than it could hold.
    pub is_cut_short: bool,
    most: usize,
}

impl Timeline {
    /// An empty timeline that holds at most `most` moments.
    pub const fn new(most: usize) -> Timeline {
        Timeline { moments: Vec::new(), is_cut_short: false, most }
    }

    /// Adds an event. A state that ends at the time at which it begins leaves no trace.
    pub(super) fn add(&mut self, time: Time, event: Event) {
        if let (Some(Moment { time: before, event: last }), Event::Enters(_)) =
            (self.moments.last_mut(), event)
            && *before == time
            && matches!(last, Event::Enters(_))
        {
            *last = event;
            return;
        }
        if self.moments.len() == self.most {
            self.is_cut_short = true;
        } else {
            self.moments.push(Moment { time, event });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_no_length_leave_no_trace_and_what_is_too_much_is_told() {
        let mut timeline = Timeline::new(2);
        let enters = |state| Event::Enters(state);
        timeline.add(Time::ZERO, enters(State::WaitWork));
        timeline.add(Time::ZERO, enters(State::Search));
        timeline.add(Time::from_ps(3), Event::Joins(7));
        assert!(!timeline.is_cut_short);
        timeline.add(Time::from_ps(3), enters(State::Lock));
        let first = Moment { time: Time::ZERO, event: enters(State::Search) };
        assert_eq!((timeline.moments[0], timeline.moments.len()), (first, 2));
        assert!(timeline.is_cut_short);
    }
}
