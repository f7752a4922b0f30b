//! A worker is busy: its clock moves on, and its work and its states are counted. It pauses where
//! another worker runs first.
//!
//! With hundreds of workers, a worker's memory has left the host's nearest cache when its turn
//! comes again. So the first lines of it are fetched one turn before.

use super::group::CoreGroup;
use super::{Pause, VirtualCore};
use crate::cores::{State, Time};
use std::ptr;

/// The lines about the end of a stack that its worker needs first: those below the place of its
/// pause, and all of them. `docs/many-cores.md` has what other numbers gain.
const OF_STACK: [usize; 2] = [4, 16];
/// The lines about a worker's core that it needs first: those before it, and all of them.
const OF_WORKER: [usize; 2] = [4, 8];

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
            self.pause(Pause::Later);
        }
    }

    /// Hands over to the scheduler.
    #[inline(always)]
    pub(super) fn pause(&self, why: Pause) {
        let here = 0_u8;
        self.group.left[self.id].set([(&raw const here).addr(), ptr::from_ref(self).addr()]);
        self.yielder.suspend(why);
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

impl CoreGroup {
    /// Fetches the memory of the worker that is the first one in the ready queue.
    #[inline]
    pub(super) fn fetch_first(&self) {
        let first = self.ready.borrow().first();
        // A letter is in the queue too, and a worker that has not begun has left nothing.
        if let Some([stack, worker]) = first.and_then(|first| Some(self.left.get(first)?.get()))
            && stack > 0
        {
            fetch(stack, OF_STACK);
            fetch(worker, OF_WORKER);
        }
    }
}

/// Fetches lines about an address into the nearest cache: so many before it, and so many in all.
#[allow(unsafe_code, reason = "a hint that reads nothing and cannot fault")]
#[inline(always)]
fn fetch(address: usize, [before, all]: [usize; 2]) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..all {
        use crate::cores::Line;
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = address.wrapping_sub(before * Line::BYTES);
        let line = ptr::without_provenance(first.wrapping_add(line * Line::BYTES));
        // SAFETY: a hint that reads nothing and cannot fault.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, before, all);
}
