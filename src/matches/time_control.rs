//! The pace of a player: a time control, or a fixed amount for each move.
//!
//! This program keeps the clock of a player, from writing `go` to reading the best move.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest time of a control or of a move, in seconds.
pub(super) const MAX_SECONDS: f64 = 1_000_000.0;
/// The most moves of a control.
const MAX_MOVES: u32 = 1_000;

/// A time control: a base time for a number of moves, again and again, or for the whole game. Its
/// text is `[MOVES/]SECONDS[+INCREMENT]`, such as `60+0.6` or `40/300`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The moves that the base time is for (1 to 1,000); none: all moves of the game.
    pub moves: Option<u32>,
    /// The time on the clock at the start, added again after every control; at least a millisecond.
    pub base: Duration,
    /// The time that is added after every move.
    pub increment: Duration,
}

impl TimeControl {
    /// The control with `factor` times the time; the number of moves stays.
    #[must_use]
    pub fn scaled(self, factor: f64) -> TimeControl {
        let TimeControl { moves, base, increment } = self;
        TimeControl { moves, base: base.mul_f64(factor), increment: increment.mul_f64(factor) }
    }
}

/// A time of 0 seconds or more, to the millisecond: seconds, or minutes and seconds such as `1:30`.
fn seconds(text: &str) -> Option<Duration> {
    let (minutes, seconds) = text.split_once(':').unwrap_or(("0", text));
    let minutes: u16 = minutes.trim().parse().ok()?;
    let seconds: f64 = seconds.trim().parse().ok().filter(|seconds| *seconds >= 0.0)?;
    let seconds = 60.0 * f64::from(minutes) + seconds;
    let in_range = (0.0..=MAX_SECONDS).contains(&seconds);
    in_range.then(|| Duration::from_millis((seconds * 1_000.0).round() as u64))
}

impl FromStr for TimeControl {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeControl, String> {
        let read = || {
            let (moves, times) =
                text.split_once('/').map_or((None, text), |(moves, times)| (Some(moves), times));
            let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
            let moves = moves.map(|moves| moves.trim().parse().unwrap_or(0));
            let (base, increment) = (seconds(base)?, seconds(increment)?);
            let fits = !base.is_zero() && moves.is_none_or(|n| (1..=MAX_MOVES).contains(&n));
            fits.then_some(TimeControl { moves, base, increment })
        };
        read().ok_or_else(|| {
            format!(
                "`{text}` found, seconds and increment such as 60+0.6 expected, or moves, seconds \
                 and increment such as 40/300+0. Seconds are from 0.001 to {MAX_SECONDS}, moves \
                 from 1 to {MAX_MOVES}"
            )
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TimeControl, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The pace of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// A clock.
    Clock(TimeControl),
    /// A number of nodes for each move.
    Nodes(u64),
    /// A depth for each move.
    Depth(u8),
    /// A time for each move.
    MoveTime(Duration),
}

impl Pace {
    /// The pace with `factor` times the time or nodes; a depth stays.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Pace {
        match self {
            Pace::Clock(control) => Pace::Clock(control.scaled(factor)),
            Pace::Nodes(nodes) => Pace::Nodes(((nodes as f64 * factor).round() as u64).max(1)),
            Pace::Depth(depth) => Pace::Depth(depth),
            Pace::MoveTime(time) => Pace::MoveTime(time.mul_f64(factor)),
        }
    }

    /// The time that a player may take for so many moves; none if it is not bounded.
    pub fn longest(self, moves: u32) -> Option<Duration> {
        match self {
            Pace::Clock(TimeControl { moves: each, base, increment }) => {
                let times = each.map_or(1, |each| moves.div_ceil(each));
                Some(base * times + increment * moves)
            }
            Pace::MoveTime(time) => Some(time * moves),
            Pace::Nodes(_) | Pace::Depth(_) => None,
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Clock(control) => control.fmt(f),
            Pace::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Pace::Depth(depth) => write!(f, "depth {depth}"),
            Pace::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
        }
    }
}

/// The player has used more time than there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

/// A clock of one player in one game. This program keeps it.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    control: TimeControl,
    left: Duration,
    to_go: Option<u32>,
}

impl Clock {
    /// The clock before the first move.
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.base, to_go: control.moves }
    }

    /// The time that is left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// The time that is added after every move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// The moves to the next control; none if there is none.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.to_go
    }

    /// Takes the time of a move off the clock. A player may overstep its time by up to `margin`:
    /// its clock then stands at 0.
    ///
    /// # Errors
    /// If it took longer.
    pub fn press(&mut self, elapsed: Duration, margin: Duration) -> Result<(), FlagFell> {
        if elapsed > self.left + margin {
            self.left = Duration::ZERO;
            return Err(FlagFell);
        }
        self.left = self.left.saturating_sub(elapsed) + self.control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                self.left += self.control.base;
                self.to_go = self.control.moves;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_read_and_written() {
        for (text, moves, base_ms, increment_ms, again) in [
            ("60+0.6", None, 60_000, 600, "60+0.6"),
            ("1+0.01", None, 1_000, 10, "1+0.01"),
            ("40/300", Some(40), 300_000, 0, "40/300+0"),
            ("180", None, 180_000, 0, "180+0"),
            ("40/1:30+0.5", Some(40), 90_000, 500, "40/90+0.5"),
        ] {
            let control: TimeControl = text.parse().expect("a control");
            let expected = TimeControl {
                moves,
                base: Duration::from_millis(base_ms),
                increment: Duration::from_millis(increment_ms),
            };
            assert_eq!(control, expected);
            assert_eq!(control.to_string(), again);
            assert_eq!(again.parse(), Ok(control));
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in [
            "", "x", "0", "0+1", "-1", "1+-1", "0/60", "2000/60", "nan", "1e9", "x/60", "-1:00",
            "1:-5",
        ] {
            let refused = text.parse::<TimeControl>().expect_err(text);
            assert!(refused.starts_with(&format!("`{text}` found, ")), "{refused}");
        }
    }

    #[test]
    fn a_factor_scales_whatever_is_measured() {
        let control: TimeControl = "40/10+0.1".parse().expect("a control");
        assert_eq!(Pace::Clock(control).scaled(1.5).to_string(), "40/15+0.15");
        assert_eq!(Pace::Nodes(1_000).scaled(2.5), Pace::Nodes(2_500));
        assert_eq!(Pace::MoveTime(Duration::from_secs(1)).scaled(0.5).to_string(), "0.5 s a move");
        assert_eq!(Pace::Depth(8).scaled(3.0), Pace::Depth(8));
    }

    const NONE: Duration = Duration::ZERO;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(control.parse().expect("a control"))
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let mut clock = clock("1+0.1");
        assert_eq!(clock.press(ms(300), NONE), Ok(()));
        assert_eq!(clock.left(), ms(800));
        assert_eq!(clock.press(ms(800), NONE), Ok(()), "the last millisecond may be used");
        assert_eq!(clock.left(), ms(100));
        assert_eq!(clock.press(ms(101), NONE), Err(FlagFell));
        assert_eq!(clock.left(), NONE);
    }

    #[test]
    fn a_margin_forgives_but_gives_nothing() {
        let mut clock = clock("1+0");
        assert_eq!(clock.press(ms(1_005), ms(5)), Ok(()));
        assert_eq!(clock.left(), NONE);
        assert_eq!(clock.press(ms(6), ms(5)), Err(FlagFell));
    }

    #[test]
    fn every_control_brings_its_time() {
        let mut clock = clock("2/10+1");
        let mut seen = Vec::new();
        for _ in 0..4 {
            seen.push((clock.moves_to_go(), clock.left()));
            clock.press(ms(4_000), NONE).expect("enough time");
        }
        assert_eq!(
            seen,
            [
                (Some(2), ms(10_000)),
                (Some(1), ms(7_000)),
                (Some(2), ms(14_000)),
                (Some(1), ms(11_000))
            ]
        );
    }
}
