//! A worker is busy: its clock moves on, and its work and its states are counted.

use super::{Pause, VirtualCore};
use crate::cores::{State, Time};

impl VirtualCore<'_> {
    /// Is busy for `time`, which is work if the state is one of work.
    #[inline]
    pub(super) fn spend(&mut self, time: Time) {
        if self.group.processors.is_some() {
            self.share(time, || ());
        } else {
            self.pass(time);
            self.count(time);
        }
    }

    /// Is busy for `time`, if that is any. Another worker runs first only if time passes.
    pub(super) fn pay(&mut self, time: Time) {
        if time > Time::ZERO {
            self.spend(time);
        }
    }

    /// Moves the clock on by `time`. Another worker runs first if it is earlier then.
    #[inline]
    pub(super) fn pass(&mut self, time: Time) {
        let clock = self.group.now.get() + time;
        self.group.now.set(clock);
        if self.group.switch_always || !self.group.ready.borrow().is_first(self.id, clock) {
            self.yielder.suspend(Pause::Later);
        }
    }

    /// Counts `cost`, which was just spent, as work if the state is one of work. The part after the
    /// end of the search does not count.
    #[inline]
    pub(super) fn count(&mut self, cost: Time) {
        let group = self.group;
        let over = group.end.get().map_or(Time::ZERO, |end| group.now.get().saturating_sub(end));
        let done = cost.saturating_sub(over);
        if self.state_times.state().is_work() {
            self.span += done;
            group.work.set(group.work.get() + done);
        }
    }

    /// Changes the state at `now`, or at the end of the search if that was earlier.
    pub(super) fn enter_at(&mut self, state: State, now: Time) -> State {
        let before =
            self.state_times.enter(state, now.min(self.group.end.get().unwrap_or(Time::NEVER)));
        match (before, state) {
            (State::Search, State::Search) => {}
            (State::Search, _) => self.group.searches(self.id, false),
            (_, State::Search) => self.group.searches(self.id, true),
            _ => {}
        }
        before
    }
}
