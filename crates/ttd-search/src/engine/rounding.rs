//! Changes of records: towards zero in proportion to their size, and rounded where workers share
//! them.

use super::zobrist::random;
use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

/// The bound of every record: it lies from -`LIMIT` to `LIMIT`.
pub(super) const LIMIT: i32 = 16_384;

/// The rounding of changes to records that several workers share.
///
/// A worker that changes an entry takes its cache line from all others. Most changes are small. A
/// change that is smaller than the step becomes the step, with a probability of change over step,
/// or nothing. So entries are written less often, and their means stay as they are. With a step of
/// a quarter of the limit, small changes leave an entry at one of nine values.
///
/// Source: stochastic rounding, as in sums of small numbers (Croci et al., "Stochastic rounding:
/// implementation, error analysis and applications", 2022).
#[derive(Clone, Copy, Debug, Default)]
pub struct Rounding {
    step: i32,
    coin: u64,
}

impl Rounding {
    /// The rounding to this step, 0 or more: with 0 each change is as it is. Different seeds, less
    /// than 2^24, have different coins.
    pub const fn new(step: i32, seed: u64) -> Rounding {
        Rounding { step, coin: seed << 40 }
    }

    /// Moves an entry by `bonus`, rounded, and towards zero in proportion to its size. Returns
    /// whether it has changed.
    #[inline]
    pub(super) fn nudge(&mut self, entry: &AtomicI16, bonus: i32) -> bool {
        let old = i32::from(entry.load(Relaxed));
        let new = old + self.round(old, change(old, bonus));
        if new != old {
            entry.store(new as i16, Relaxed);
        }
        new != old
    }

    #[inline]
    fn round(&mut self, old: i32, change: i32) -> i32 {
        // No change is greater than the room that an entry has.
        let (size, step) = (change.abs(), self.step.min(LIMIT - old * change.signum()));
        if size >= step {
            return change;
        }
        self.coin += 1;
        let drawn = ((random(self.coin) >> 32) * step as u64) >> 32;
        if drawn < size as u64 { change.signum() * step } else { 0 }
    }
}

/// Moves an entry by `bonus`, and towards zero in proportion to its size.
pub(super) fn nudge(entry: &AtomicI16, bonus: i32) {
    let old = i32::from(entry.load(Relaxed));
    entry.store((old + change(old, bonus)) as i16, Relaxed);
}

fn change(old: i32, bonus: i32) -> i32 {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    bonus - old * bonus.abs() / LIMIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_changes_are_seldom_and_add_up_to_the_same() {
        let (step, times, bonus) = (4096, 200, 40);
        let (mut sum, mut written) = (0, 0);
        for seed in 0..500 {
            let (entry, mut rounding) = (AtomicI16::new(0), Rounding::new(step, seed));
            for _ in 0..times {
                written += usize::from(rounding.nudge(&entry, bonus));
            }
            sum += i32::from(entry.load(Relaxed));
        }
        let exact = AtomicI16::new(0);
        (0..times).for_each(|_| nudge(&exact, bonus));
        let exact = f64::from(exact.load(Relaxed));
        let mean = f64::from(sum) / 500.0;
        // A hundredth of the changes. The standard error of the mean is 1.6% of it.
        assert!((written as f64 / (500.0 * 200.0 * 40.0 / 4096.0) - 1.0).abs() < 0.5, "{written}");
        assert!((mean / exact - 1.0).abs() < 0.1, "{mean} and {exact}");
        // Near the limit the step is the room that is left.
        let near = |seed| {
            let entry = AtomicI16::new(15_000);
            Rounding::new(step, seed).nudge(&entry, 2000);
            i32::from(entry.load(Relaxed))
        };
        let ends: Vec<i32> = (0..10_000).map(near).collect();
        assert!(ends.iter().all(|end| [15_000, LIMIT].contains(end)));
        let mean = f64::from(ends.iter().map(|end| end - 15_000).sum::<i32>()) / 10_000.0;
        assert!((mean / f64::from(change(15_000, 2000)) - 1.0).abs() < 0.15, "{mean}");
        let entry = AtomicI16::new(0);
        assert!(Rounding::new(step, 0).nudge(&entry, 5000), "a great change is as it is");
        assert_eq!(entry.load(Relaxed), 5000);
    }

    #[test]
    fn entries_stay_within_bounds() {
        let entry = AtomicI16::new(0);
        for _ in 0..1000 {
            nudge(&entry, 2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) <= LIMIT);
        for _ in 0..1000 {
            nudge(&entry, -2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) >= -LIMIT);
    }
}
