//! The clocks of a thread that rests: how long it has worked, waited for a core, and slept.

use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::time::Duration;

/// The clocks of a thread, in nanoseconds, and its sleep.
pub(in crate::cores) trait ThreadClocks {
    /// The monotonic clock.
    fn wall(&self) -> u64;

    /// The processor time of this thread.
    fn worked(&self) -> u64;

    /// Sleeps until the monotonic clock shows this time or a later one.
    fn sleep_until(&self, wall: u64);

    /// The time for which this thread was ready to run and had no core.
    ///
    /// # Errors
    /// If the system does not tell.
    fn delay(&self) -> io::Result<u64>;
}

/// The clocks of the system.
#[derive(Clone, Copy, Debug)]
pub(in crate::cores) struct Clocks;

/// The file that tells a thread's time on cores, its waits for one, and the number of its turns.
pub(super) const SCHEDSTAT: &str = "/proc/thread-self/schedstat";

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32).as_nanos() as u64
}

impl ThreadClocks for Clocks {
    fn wall(&self) -> u64 {
        nanoseconds(ClockId::Monotonic)
    }

    fn worked(&self) -> u64 {
        nanoseconds(ClockId::ThreadCPUTime)
    }

    fn sleep_until(&self, wall: u64) {
        while self.wall() < wall {
            sleep_until(wall);
        }
    }

    fn delay(&self) -> io::Result<u64> {
        let text = fs::read_to_string(SCHEDSTAT)?;
        let numbers: Vec<u64> = text.split_whitespace().flat_map(str::parse).collect();
        // A system that counts nothing writes zeros. A thread that reads this has had a turn.
        match numbers[..] {
            [_, delay, turns] if turns > 0 => Ok(delay),
            _ => Err(io::Error::other(format!("`{}` found", text.trim()))),
        }
    }
}

/// Sleeps until the monotonic clock shows this time, unless a signal comes.
#[cfg(target_os = "linux")]
fn sleep_until(wall: u64) {
    let [tv_sec, tv_nsec] = [wall / 1_000_000_000, wall % 1_000_000_000].map(|n| n as i64);
    let _ = rustix::thread::clock_nanosleep_absolute(
        ClockId::Monotonic,
        &rustix::time::Timespec { tv_sec, tv_nsec },
    );
}

/// Sleeps until the monotonic clock shows this time, or about that.
#[cfg(not(target_os = "linux"))]
fn sleep_until(wall: u64) {
    let left = wall.saturating_sub(nanoseconds(ClockId::Monotonic));
    std::thread::sleep(Duration::from_nanos(left));
}

/// Lets this thread's sleeps end when they are due, not up to 50 microseconds later.
pub(super) fn exact_timers() {
    #[cfg(target_os = "linux")]
    {
        // A system that refuses it makes sleeps longer, which the next rests make good.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clocks of the system: an overshoot is a matter of the machine, and not tested.
    #[test]
    fn a_sleep_ends_when_it_is_due_and_work_shows_on_the_clock() {
        let (before, worked) = (Clocks.wall(), Clocks.worked());
        Clocks.sleep_until(before + 2_000_000);
        assert!(Clocks.wall() >= before + 2_000_000);
        while Clocks.worked() < worked + 1_000_000 {
            std::hint::spin_loop();
        }
    }
}
