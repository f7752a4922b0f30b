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
    /// The waits for a core that do not count: those before the search, and those of looks.
    delay: u64,
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
        Pace { dilation, due: 0, worked: 0, delay: 0, busy: 0, looks, look: 0, clocks }
    }

    /// The search begins. Returns the number of nodes until the first rest.
    pub(super) fn begin(&mut self) -> u64 {
        let Some(dilation) = self.dilation else { return u64::MAX };
        exact_timers();
        self.delay = self.clocks.delay().unwrap_or(0);
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
        let before = self.clocks.delay().unwrap_or(0);
        let result = wait();
        self.delay += self.clocks.delay().unwrap_or(u64::MAX).saturating_sub(before);
        self.resume();
        result
    }

    /// Waits for a section another worker is in. That takes as long as it takes, and is no rest.
    pub(super) fn held_up<R>(&mut self, wait: impl FnOnce() -> R) -> R {
        if self.dilation.is_none() {
            return wait();
        }
        let before = self.clocks.wall();
        let result = wait();
        self.due += self.clocks.wall() - before;
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
        let delay = self.dilation.map_or(0, |_| self.clocks.delay().unwrap_or(u64::MAX));
        Paid { busy: self.busy, delay: delay.saturating_sub(self.delay) }
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
mod tests {
    use super::*;
    use std::io;

    /// Clocks that a test moves. A sleep ends `late` after it is due, and takes processor time.
    #[derive(Default)]
    struct Fake {
        wall: Cell<u64>,
        worked: Cell<u64>,
        late: Cell<u64>,
        delay: Cell<u64>,
    }

    impl Fake {
        /// The worker works for a time, and has a core meanwhile.
        fn work(&self, time: u64) {
            self.worked.set(self.worked.get() + time);
            self.wall.set(self.wall.get() + time);
        }

        /// The worker does not run for a time.
        fn pass(&self, time: u64) {
            self.wall.set(self.wall.get() + time);
        }
    }

    impl ThreadClocks for &Fake {
        fn wall(&self) -> u64 {
            self.wall.get()
        }

        fn worked(&self) -> u64 {
            self.worked.get()
        }

        fn sleep_until(&self, wall: u64) {
            self.wall.set(wall + self.late.get());
            self.worked.set(self.worked.get() + 3);
        }

        fn delay(&self) -> io::Result<u64> {
            Ok(self.delay.get())
        }
    }

    fn begun(fake: &Fake, factor: u64) -> Pace<&Fake> {
        fake.wall.set(1000);
        fake.worked.set(77);
        let mut pace = Pace::by(fake, Some(Dilation { factor, nodes: 16 }));
        assert_eq!(pace.begin(), 16);
        pace
    }

    #[test]
    fn work_is_paid_by_rests_as_long_as_a_slower_core_would_take() {
        let fake = Fake::default();
        let mut pace = begun(&fake, 8);
        for burst in 1..=5 {
            fake.work(10);
            assert_eq!(pace.debt(), Duration::from_nanos(70));
            assert_eq!(pace.rest(), 16);
            assert_eq!(fake.wall.get(), 1000 + 80 * burst);
            assert_eq!(pace.debt(), Duration::ZERO, "a rest's own time is not owed");
        }
        assert_eq!(pace.paid().busy, 50);
    }

    #[test]
    fn lateness_is_taken_off_the_next_rests() {
        let fake = Fake::default();
        let mut pace = begun(&fake, 4);
        fake.late.set(30);
        fake.work(20);
        pace.rest();
        assert_eq!(fake.wall.get(), 1000 + 80 + 30);
        fake.late.set(0);
        fake.work(20);
        assert_eq!(pace.debt(), Duration::from_nanos(30));
        pace.rest();
        assert_eq!(fake.wall.get(), 1160);
        // So are waits for a core, also longer ones than a rest.
        fake.pass(100);
        fake.work(20);
        pace.rest();
        assert_eq!(fake.wall.get(), 1160 + 120, "no rest, and 40 are left");
        fake.work(20);
        pace.rest();
        assert_eq!(fake.wall.get(), 1000 + 4 * 80);
    }

    #[test]
    fn waits_are_no_work_and_no_rest() {
        let fake = Fake::default();
        let mut pace = begun(&fake, 10);
        fake.work(5);
        pace.rest();
        fake.pass(1000);
        fake.work(40);
        pace.resume();
        assert_eq!(fake.wall.get(), 1000 + 50 + 1040);
        fake.work(5);
        pace.rest();
        assert_eq!(fake.wall.get(), 2090 + 50);
        assert_eq!(pace.paid().busy, 10, "a wait's own time is not owed");
        let given = pace.held_up(|| {
            fake.pass(7);
            42
        });
        fake.work(5);
        pace.rest();
        assert_eq!((given, fake.wall.get()), (42, 2140 + 7 + 50));
    }

    #[test]
    fn looks_at_the_clock_are_not_owed() {
        let fake = Fake::default();
        let mut pace = begun(&fake, 10);
        pace.look = 2;
        fake.work(7);
        assert_eq!(pace.debt(), Duration::from_nanos(63));
        fake.work(2); // the look
        assert_eq!(pace.debt(), Duration::from_nanos(61), "70 of work, 9 have gone by");
        pace.rest();
        assert_eq!((pace.paid().busy, fake.wall.get()), (5, 1050));
    }

    #[test]
    fn a_pace_that_is_not_dilated_does_nothing() {
        let fake = Fake::default();
        let mut pace = Pace::by(&fake, None);
        assert_eq!(pace.begin(), u64::MAX);
        fake.work(1000);
        assert_eq!((pace.rest(), pace.debt(), fake.wall.get()), (u64::MAX, Duration::ZERO, 1000));
        assert_eq!(pace.paid(), Paid::default());
    }

    #[test]
    fn waits_for_a_core_above_two_hundredths_of_the_dilated_work_fail() {
        let fake = Fake::default();
        fake.delay.set(5_000);
        let dilation = Dilation { factor: 8, nodes: 16 };
        let mut pace = begun(&fake, 8);
        fake.work(1_000_000);
        pace.rest();
        fake.delay.set(5_000 + 160_000);
        assert_eq!(dilation.check([pace.paid()]), Ok(()));
        fake.delay.set(5_000 + 160_001);
        let failed = dilation.check([pace.paid()]).expect_err("too long");
        assert_eq!(
            failed.to_string(),
            "dilated: workers waited 0.000160001 s for a core, 2.0% of their 0.008000000 s of \
             dilated work, at most 2% expected: a larger --dilate or a quieter machine is needed"
        );
    }

    #[test]
    fn the_least_factor_leaves_three_quarters_of_the_cores_free() {
        assert_eq!([1, 2, 4, 16, 64].map(|n| Dilation::least(n, 2)), [2, 4, 8, 32, 128]);
        assert_eq!((Dilation::least(1, 8), Dilation::least(3, 8)), (1, 2));
    }

    #[test]
    fn figures_of_workers_add_up_and_go_over_a_wire() {
        let mut all = Paid { busy: 7, delay: 1 };
        all += Paid { busy: 30, delay: 20 };
        assert_eq!(all, Paid { busy: 37, delay: 21 });
        assert_eq!(Paid::take(&mut &all.packed()[..]), Some(all));
    }
}
