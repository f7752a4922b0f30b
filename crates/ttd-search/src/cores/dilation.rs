//! Dilated time: many real workers on few cores.
//!
//! A worker that has worked for a time rests. It goes on when a core of its own, slower by a whole
//! factor, would have done the work too. All clocks of the search are wall time over
//! that factor. So more workers than cores meet as if each had a core. Events keep their order, and
//! trees and waits are those of real threads. Contention, races and caches are not: no more workers
//! execute at once than there are cores.
//!
//! A worker works in bursts of some nodes, at full speed, and rests between them. Its results of
//! a burst are seen too early, by half a burst's dilated time on average. Shorter bursts show how
//! much that matters.

mod clocks;

use super::time::Time;
use super::workload::RunError;
use crate::wire::Portable;
use clocks::{Clocks, SCHEDSTAT, ThreadClocks, exact_timers};
use std::cell::Cell;
use std::time::Duration;

/// The greatest share of their dilated work for which workers may wait for a core, thousandths.
const MOST_DELAY_PERMILLE: u64 = 20;
/// A worker may work for at most one part in so many of the time of its share of the cores. So it
/// rarely finds none free.
const ROOM: usize = 4;
/// The number of looks at the clock that are timed before a search.
const LOOKS: u64 = 64;
/// The time between two looks of a dilated worker that waits for messages, nanoseconds of dilated
/// time. With a tenth of it the looks of seven ranks waited for cores for 6 to 13% of the work.
const LOOK_NS: u64 = 50_000;

/// The dilation of a search on real cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dilation {
    /// The factor by which all is slower than it could be, 1 or more.
    pub factor: u64,
    /// The number of nodes between two rests of a worker, 1 or more.
    pub nodes: u64,
}

impl Dilation {
    /// The usual number of nodes between two rests.
    pub const NODES: u64 = 256;

    /// The least factor at which so many workers have room on so many cores.
    pub const fn least(workers: usize, cores: usize) -> u64 {
        let cores = if cores == 0 { 1 } else { cores };
        (ROOM * workers).div_ceil(cores) as u64
    }

    /// Checks that this system tells how long a thread has waited for a core. Without that no
    /// dilated sample could be trusted.
    ///
    /// # Errors
    /// The reason why it does not.
    pub fn check_system() -> Result<(), String> {
        let unknown = "it would tell how long workers wait for a core";
        Clocks.delay().map(drop).map_err(|why| format!("{SCHEDSTAT}: {why}: {unknown}"))
    }

    /// The time between two looks of a worker that waits for messages.
    pub(super) const fn pause(self) -> Duration {
        Duration::from_nanos(LOOK_NS * self.factor)
    }

    /// Refuses a search whose workers waited too long for a core.
    pub(super) fn check(self, workers: impl IntoIterator<Item = Paid>) -> Result<(), RunError> {
        let mut all = Paid::default();
        workers.into_iter().for_each(|paid| all += paid);
        let dilated = all.busy.saturating_mul(self.factor);
        if all.delay <= dilated / 1000 * MOST_DELAY_PERMILLE {
            return Ok(());
        }
        let [delay, busy] = [all.delay, dilated].map(|ns| Duration::from_nanos(ns).into());
        Err(RunError::Delayed { delay, busy })
    }
}

/// The figures by which a dilated search is trusted. Of a worker, or of all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Paid {
    /// The processor time that was paid for, nanoseconds.
    pub(super) busy: u64,
    /// The time of waits for a core, nanoseconds of wall time.
    pub(super) delay: u64,
}

impl std::ops::AddAssign for Paid {
    fn add_assign(&mut self, other: Paid) {
        self.busy += other.busy;
        self.delay = self.delay.saturating_add(other.delay);
    }
}

impl Portable for Paid {
    fn put(&self, bytes: &mut Vec<u8>) {
        [self.busy, self.delay].put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Paid> {
        <[u64; 2]>::take(bytes).map(|[busy, delay]| Paid { busy, delay })
    }
}

/// The pace of a worker: how much of its work is paid for by rests.
///
/// Owned by the worker's thread. Invariants of a dilated one, in nanoseconds:
///
/// - `worked` is the processor time at the end of the last rest or wait. `due` is the wall time at
///   which a core slower by the factor would have done the work until then.
/// - A rest ends at `due` or later. Lateness stays in `due`, and shortens the next rests.
/// - Processor time within rests and waits, and of looks at the clock, is not owed.
///
/// One that is not dilated does nothing at all.
#[derive(Debug)]
pub(super) struct Pace<C = Clocks> {
    dilation: Option<Dilation>,
    due: u64,
    worked: u64,
    /// The waits for a core that do not count: those before the search, and those of looks. None
    /// if the system did not tell.
    delay: Option<u64>,
    busy: u64,
    /// The looks at the clock since the last rest or wait, and the processor time that each takes.
    looks: Cell<u64>,
    look: u64,
    clocks: C,
}

impl Pace {
    /// The pace of a worker on this thread. It begins with [`Pace::begin`].
    pub(super) const fn new(dilation: Option<Dilation>) -> Pace {
        Pace::by(Clocks, dilation)
    }
}

impl<C: ThreadClocks> Pace<C> {
    const fn by(clocks: C, dilation: Option<Dilation>) -> Pace<C> {
        let looks = Cell::new(0);
        Pace { dilation, due: 0, worked: 0, delay: Some(0), busy: 0, looks, look: 0, clocks }
    }

    /// The search begins. Returns the number of nodes until the first rest.
    pub(super) fn begin(&mut self) -> u64 {
        let Some(dilation) = self.dilation else { return u64::MAX };
        exact_timers();
        self.delay = self.clocks.delay().ok();
        let before = self.clocks.worked();
        (0..LOOKS).for_each(|_| _ = self.debt());
        self.look = (self.clocks.worked() - before) / LOOKS;
        self.resume();
        dilation.nodes
    }

    /// Pays for the work since the last rest. Returns the number of nodes until the next one.
    #[cold]
    pub(super) fn rest(&mut self) -> u64 {
        let Some(dilation) = self.dilation else { return u64::MAX };
        let worked = self.unpaid();
        self.busy += worked;
        self.due += worked * dilation.factor;
        if self.due > self.clocks.wall() {
            self.clocks.sleep_until(self.due);
        }
        self.go_on();
        dilation.nodes
    }

    /// Work counts from now on.
    fn go_on(&mut self) {
        self.looks.set(0);
        self.worked = self.clocks.worked();
    }

    /// The processor time that is not paid for.
    fn unpaid(&self) -> u64 {
        let worked = self.clocks.worked() - self.worked;
        worked.saturating_sub(self.looks.get() * self.look)
    }

    /// A wait has ended: the worker owes nothing, and is owed nothing.
    pub(super) fn resume(&mut self) {
        if self.dilation.is_some() {
            self.due = self.clocks.wall();
            self.go_on();
        }
    }

    /// Waits by looks at something. No look's own wait for a core counts: it makes that look a
    /// little later, and keeps no work from a core.
    pub(super) fn looks_for<R>(&mut self, wait: impl FnOnce() -> R) -> R {
        if self.dilation.is_none() {
            return wait();
        }
        let before = self.clocks.delay().ok();
        let result = wait();
        let after = self.clocks.delay().ok();
        self.delay = self.delay.zip(before).zip(after).map(|((of, from), to)| of + (to - from));
        self.resume();
        result
    }

    /// Waits for a section another worker is in. That takes as long as it takes, and is no rest.
    pub(super) fn held_up<R>(&mut self, wait: impl FnOnce() -> R) -> R {
        if self.dilation.is_none() {
            return wait();
        }
        let [wall, worked] = [self.clocks.wall(), self.clocks.worked()];
        let result = wait();
        self.due += self.clocks.wall() - wall;
        self.worked += self.clocks.worked() - worked;
        result
    }

    /// The wall time that the worker's unpaid work still takes.
    pub(super) fn debt(&self) -> Duration {
        let debt = self.dilation.map_or(0, |dilation| {
            let unpaid = self.unpaid() * dilation.factor;
            self.looks.set(self.looks.get() + 1);
            (self.due + unpaid).saturating_sub(self.clocks.wall())
        });
        Duration::from_nanos(debt)
    }

    /// The worker has ended: the figures by which its search is trusted. A wait that is not known
    /// counts as endless.
    pub(super) fn paid(&self) -> Paid {
        let of = |now: u64| self.delay.map_or(u64::MAX, |before| now.saturating_sub(before));
        let delay = self.dilation.map_or(0, |_| self.clocks.delay().map_or(u64::MAX, of));
        Paid { busy: self.busy, delay }
    }
}

/// Time on a clock that is slower by `factor`.
pub(super) fn slowed(wall: Duration, factor: u64) -> Time {
    Time::from_ps(Time::from(wall).ps() / factor)
}

/// The factor of a search that may be dilated.
pub(super) const fn factor(dilation: Option<Dilation>) -> u64 {
    match dilation {
        Some(dilation) => dilation.factor,
        None => 1,
    }
}

#[cfg(test)]
mod tests;
