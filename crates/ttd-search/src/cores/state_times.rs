//! The state times of a worker.

use super::{Event, State, Time, Timeline};

/// The time that one worker has spent in each state.
///
/// Invariant: the entries sum to `since`, the time of the last change. Owned by the worker.
#[derive(Clone, Debug)]
pub struct StateTimes {
    state: State,
    /// The state whose time grew last.
    last: State,
    since: Time,
    spent: [Time; State::COUNT],
    timeline: Option<Timeline>,
}

impl StateTimes {
    /// The times of a worker that is in `state` from "go" on.
    pub const fn new(state: State) -> StateTimes {
        StateTimes {
            state,
            last: state,
            since: Time::ZERO,
            spent: [Time::ZERO; State::COUNT],
            timeline: None,
        }
    }

    /// The present state.
    #[inline]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Changes the state at `now`; returns the one before.
    pub fn enter(&mut self, state: State, now: Time) -> State {
        let now = now.max(self.since);
        self.spent[self.state as usize] += now - self.since;
        if now > self.since {
            self.last = self.state;
        }
        self.since = now;
        if let Some(timeline) = &mut self.timeline {
            timeline.add(now, Event::Enters(state));
        }
        std::mem::replace(&mut self.state, state)
    }

    /// Keeps a timeline of at most `most` moments from now on.
    pub fn record(&mut self, most: usize) {
        let mut timeline = Timeline::new(most);
        timeline.add(self.since, Event::Enters(self.state));
        self.timeline = Some(timeline);
    }

    /// Notes an event at the time that `now` returns, if a timeline is kept.
    #[inline]
    pub fn note(&mut self, now: impl FnOnce() -> Time, event: impl FnOnce() -> Event) {
        if let Some(timeline) = &mut self.timeline {
            timeline.add(now().max(self.since), event());
        }
    }

    /// The timeline, if one was kept.
    pub const fn timeline(&mut self) -> Option<Timeline> {
        self.timeline.take()
    }

    /// The time in each state until `end`.
    ///
    /// A worker may have read the clock before it knew of the end. Time after the end is taken off
    /// again, from the last state first.
    pub fn close(&mut self, end: Time) -> [Time; State::COUNT] {
        self.enter(State::Finished, end);
        let mut over = self.since.saturating_sub(end);
        for state in [self.last].into_iter().chain(State::ALL) {
            let spent = &mut self.spent[state as usize];
            let off = over.min(*spent);
            *spent = *spent - off;
            over = over - off;
        }
        self.since = self.since.min(end);
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_states_sum_to_the_time() {
        let mut state_times = StateTimes::new(State::WaitWork);
        assert_eq!(state_times.enter(State::Search, Time::from_ps(5)), State::WaitWork);
        state_times.enter(State::Lock, Time::from_ps(12));
        state_times.enter(State::Search, Time::from_ps(11)); // a clock never runs backwards here
        let spent = state_times.close(Time::from_ps(40));
        assert_eq!(spent[State::Search as usize], Time::from_ps(7 + 28));
        assert_eq!(spent.into_iter().sum::<Time>(), Time::from_ps(40));
    }

    #[test]
    fn what_was_booked_after_the_end_is_taken_off() {
        let mut state_times = StateTimes::new(State::Search);
        state_times.enter(State::Lock, Time::from_ps(30));
        state_times.enter(State::Search, Time::from_ps(37));
        let spent = state_times.close(Time::from_ps(33));
        assert_eq!(spent[State::Lock as usize], Time::from_ps(3));
        assert_eq!(spent.into_iter().sum::<Time>(), Time::from_ps(33));
    }
}
