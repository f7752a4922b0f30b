//! The clock of a player. This program keeps it: from writing `go` to reading the best move.

use super::time_control::TimeControl;
use std::time::Duration;

/// The player has used more time than there was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

/// A clock of one player in one game.
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
