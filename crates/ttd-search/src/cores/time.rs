//! Time, in the unit of every clock.

use crate::wire::Portable;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;
use std::time::Duration;

/// A time since "go", in whole picoseconds (up to 213 days). Real cores take it from a monotonic
/// nanosecond clock; virtual cores count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

const PS_PER_S: u64 = 1_000_000_000_000;

impl Time {
    /// No time at all.
    pub const ZERO: Time = Time(0);
    /// A time later than any other.
    pub const NEVER: Time = Time(u64::MAX);

    /// The time from whole picoseconds.
    pub const fn from_ps(ps: u64) -> Time {
        Time(ps)
    }

    /// The time in whole picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }

    /// The time from seconds; beyond the range it is [`Time::NEVER`].
    pub fn from_secs_f64(seconds: f64) -> Time {
        Time((seconds * PS_PER_S as f64) as u64)
    }

    /// The time in seconds.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }

    /// The difference, or zero where `earlier` is the later one.
    #[must_use]
    pub fn saturating_sub(self, earlier: Time) -> Time {
        Time(self.0.saturating_sub(earlier.0))
    }
}

impl Portable for Time {
    fn put(&self, bytes: &mut Vec<u8>) {
        self.0.put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Time> {
        u64::take(bytes).map(Time)
    }
}

impl From<Duration> for Time {
    fn from(duration: Duration) -> Time {
        Time(u64::try_from(duration.as_nanos() * 1000).unwrap_or(u64::MAX))
    }
}

impl Add for Time {
    type Output = Time;
    fn add(self, other: Time) -> Time {
        Time(self.0 + other.0)
    }
}

impl AddAssign for Time {
    fn add_assign(&mut self, other: Time) {
        self.0 += other.0;
    }
}

impl Sub for Time {
    type Output = Time;
    fn sub(self, other: Time) -> Time {
        Time(self.0 - other.0)
    }
}

impl Sum for Time {
    fn sum<I: Iterator<Item = Time>>(times: I) -> Time {
        times.fold(Time::ZERO, Add::add)
    }
}

/// Seconds with nine decimals, cut (not rounded) to the nanosecond. No float is involved, so the
/// text is equal everywhere.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:09}", self.0 / PS_PER_S, self.0 % PS_PER_S / 1000)
    }
}

/// The error for a text that is not a time in seconds, such as `1.250000000`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no time in seconds, such as 1.250000000")]
pub struct ParseTimeError(String);

/// Reads the form that `Display` writes: whole seconds, and after a point at most twelve decimals.
impl FromStr for Time {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<Time, ParseTimeError> {
        let error = || ParseTimeError(text.to_owned());
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(decimals) || decimals.len() > 12 {
            return Err(error());
        }
        let whole: u64 = whole.parse().map_err(|_| error())?;
        let ps: u64 = format!("{decimals:0<12}").parse().map_err(|_| error())?;
        whole.checked_mul(PS_PER_S).and_then(|w| w.checked_add(ps)).map(Time).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_seconds() {
        assert_eq!(Time::from_ps(1_500_000_000_000).to_string(), "1.500000000");
        assert_eq!(Time::from(Duration::from_nanos(42)).to_string(), "0.000000042");
    }

    #[test]
    fn reads_what_it_prints() {
        for ps in [0, 1_000, 42_000, 1_500_000_000_000, 7_000_000_001_000] {
            let time = Time::from_ps(ps);
            assert_eq!(time.to_string().parse(), Ok(time));
        }
        for wrong in ["", ".", "1.", ".5", "-1", "1e3", "1.0000000000001", "99999999999"] {
            assert!(wrong.parse::<Time>().is_err(), "{wrong}");
        }
    }
}
