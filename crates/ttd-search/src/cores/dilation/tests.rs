//! The pace of a worker by clocks that a test moves.

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

    /// Fails at `u64::MAX`.
    fn delay(&self) -> io::Result<u64> {
        Some(self.delay.get()).filter(|ns| *ns < u64::MAX).ok_or_else(|| io::Error::other("none"))
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

#[test]
fn work_within_a_wait_for_a_section_is_not_owed() {
    let fake = Fake::default();
    let mut pace = begun(&fake, 4);
    fake.work(20);
    pace.held_up(|| fake.work(50));
    assert_eq!(pace.debt(), Duration::from_nanos(60));
    pace.rest();
    assert_eq!((fake.wall.get(), pace.paid().busy), (1000 + 50 + 80, 20));
}

#[test]
fn waits_for_a_core_count_but_those_of_looks_and_an_unknown_one_is_endless() {
    let fake = Fake::default();
    fake.delay.set(5);
    let mut pace = begun(&fake, 4);
    fake.delay.set(8);
    pace.looks_for(|| fake.delay.set(108));
    fake.delay.set(110);
    assert_eq!(pace.paid().delay, 5);
    pace.looks_for(|| fake.delay.set(u64::MAX));
    assert_eq!(pace.paid().delay, u64::MAX);
    fake.delay.set(120);
    pace.looks_for(|| fake.delay.set(130));
    assert_eq!(pace.paid().delay, u64::MAX, "what was unknown once stays so");
}
