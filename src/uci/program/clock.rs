//! The time that a move may take.

use std::fmt;
use std::time::Duration;
use ttd_search::engine::{MATE, Score, is_mate};

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLeft {
    /// The time on its clock.
    pub(crate) left: Duration,
    /// The time added after the move.
    pub(crate) increment: Duration,
    /// The moves until the clock is set again; without it the time is for the whole game.
    pub(crate) moves_to_control: Option<u32>,
}

/// The times at which a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeLimit {
    /// No iteration begins after this time. None if every move gets an equal time.
    pub(crate) soft: Option<Duration>,
    /// The search is given up at this time.
    pub(crate) hard: Option<Duration>,
}

/// A completed iteration, as far as its time and worth matter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completed {
    /// Its depth, plies.
    pub(crate) depth: u8,
    /// Its score.
    pub(crate) score: Score,
    /// The time of the search so far.
    pub(crate) now: Duration,
    /// The time that this iteration took.
    pub(crate) took: Duration,
    /// The number of moves to choose from.
    pub(crate) moves: usize,
}

/// The number of moves still expected where the time is for the whole game.
const MOVES_EXPECTED: u32 = 30;
/// The largest number of moves that time is kept for: the game may end before.
const MOST_MOVES: u32 = 50;
/// The time kept on the clock is `CUSHION` x overhead, or half of the clock if that is less. The
/// time lost on the way varies, where other programs want the cores too.
const CUSHION: u32 = 5;
/// A move takes at most `STRETCH` x its share.
const STRETCH: u32 = 4;
/// The soft limit as a part of a move's share, in hundredths. An iteration takes longer than all
/// before it together. After this share the next one would hardly end in time.
const SOFT_SHARE: u32 = 60;

impl TimeLimit {
    /// No limit.
    pub(crate) const NONE: TimeLimit = TimeLimit { soft: None, hard: None };

    /// The earlier of two limits: by a clock, and by a time for each move. `overhead` is the time
    /// that a move loses on the way to and from the program that keeps the clock.
    pub(crate) fn new(
        clock: Option<TimeLeft>,
        time_a_move: Option<Duration>,
        overhead: Duration,
    ) -> TimeLimit {
        let by_clock = clock.map(|clock| clock.limit(overhead));
        // If the time for each move is very short, at most half of it is kept for the loss on the
        // way.
        let fixed = time_a_move.map(|time| time.saturating_sub(overhead).max(time / 2));
        let hard = [by_clock.and_then(|limit| limit.hard), fixed].into_iter().flatten().min();
        TimeLimit { soft: by_clock.and_then(|limit| limit.soft), hard }
    }

    /// Whether a further iteration is not worth its time: this one settled the move, or the next
    /// one would not end in time. Where every move gets an equal time, all of it is used.
    pub(crate) fn is_enough(&self, after: Completed) -> bool {
        let Completed { depth, score, now, took, moves } = after;
        let settled = moves == 1 || (is_mate(score) && i32::from(depth) > MATE - score.abs());
        // The next iteration takes longer than this one.
        let is_late = |soft| now >= soft || self.hard.is_some_and(|hard| now + took > hard);
        self.soft.is_some_and(|soft| settled || is_late(soft))
    }
}

impl TimeLeft {
    fn limit(&self, overhead: Duration) -> TimeLimit {
        let moves = self.moves_to_control.unwrap_or(MOVES_EXPECTED).clamp(1, MOST_MOVES);
        let cushion = overhead * CUSHION;
        // On the last move before the control there are no later moves to keep time for.
        let kept = if moves > 1 { cushion } else { cushion.min(self.left / 2).max(overhead) };
        let usable = self.left.saturating_sub(kept);
        // Every move to come loses the overhead, too. The increment comes back with each move but
        // the last.
        let come_back = if moves > 1 { self.increment } else { Duration::ZERO };
        let share = (usable / moves + come_back).saturating_sub(overhead * (moves - 1) / moves);
        // Some time must be left for the moves after this one, unless this is the last.
        let most = if moves > 1 { usable / 2 } else { usable };
        let hard = (share * STRETCH).min(most);
        let soft = (share * SOFT_SHARE / 100).min(hard);
        TimeLimit { soft: Some(soft), hard: Some(hard) }
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |limit: Option<Duration>| {
            limit.map_or("none".to_owned(), |limit| format!("{} ms", limit.as_millis()))
        };
        write!(f, "time limits: soft {}, hard {}", words(self.soft), words(self.hard))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn limits(left: u64, increment: u64, moves_to_control: Option<u32>) -> (Duration, Duration) {
        let clock = TimeLeft { left: ms(left), increment: ms(increment), moves_to_control };
        let limit = TimeLimit::new(Some(clock), None, OVERHEAD);
        (limit.soft.expect("by the clock"), limit.hard.expect("by the clock"))
    }

    #[test]
    fn never_more_than_is_left() {
        for left in [0, 1, 5, 9, 10, 11, 50, 1_000, 180_000, 86_400_000] {
            for increment in [0, 10, 5_000, 3_600_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = limits(left, increment, moves);
                    let usable = ms(left).saturating_sub(OVERHEAD);
                    let most = if moves == Some(1) { usable } else { usable / 2 };
                    assert!(soft <= hard && hard <= most, "{left}+{increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_what_is_left() {
        let (soft, hard) = limits(10_000, 0, Some(1));
        assert_eq!((soft, hard), (ms(5_970), ms(9_950)));
        assert_eq!(limits(40, 0, Some(1)).1, ms(20));
    }

    #[test]
    fn nothing_is_left_to_use_of_what_the_way_takes() {
        for left in [5, 20, 50] {
            assert_eq!(limits(left, 0, None), (Duration::ZERO, Duration::ZERO));
        }
        assert_eq!(limits(5, 0, Some(1)), (Duration::ZERO, Duration::ZERO));
    }

    #[test]
    fn without_increment_the_share_shrinks_with_the_clock() {
        let (soft, hard) = limits(180_000, 0, None);
        assert!(soft >= ms(3_000) && hard <= ms(25_000), "{soft:?} {hard:?}");
        // Each move takes its soft limit and loses the overhead: some time is left even in a very
        // long game.
        let mut left = 180_000.0;
        for _ in 0..300 {
            let (soft, _) = limits(left as u64, 0, None);
            left -= soft.as_secs_f64() * 1000.0;
            assert!(left > 0.0);
        }
    }

    #[test]
    fn a_game_with_an_increment_lasts() {
        // The worst case: one second, and 10 ms for each move, which are all lost on the way.
        let mut left: i64 = 1_000;
        for _ in 0..500 {
            let (_, hard) = limits(left as u64, 10, None);
            left -= hard.as_millis() as i64 + 10;
            assert!(left >= 0, "{left}");
            left += 10;
        }
    }

    #[test]
    fn a_huge_increment_is_used_but_not_beyond_the_clock() {
        let (soft, hard) = limits(2_000, 60_000, None);
        assert_eq!((soft, hard), (ms(975), ms(975)));
        let (soft, _) = limits(600_000, 60_000, None);
        assert!(soft > ms(36_000), "{soft:?}");
    }

    #[test]
    fn a_time_for_each_move() {
        let limit = |time| TimeLimit::new(None, Some(ms(time)), OVERHEAD);
        assert_eq!(limit(100), TimeLimit { soft: None, hard: Some(ms(90)) });
        assert_eq!(limit(1), TimeLimit { soft: None, hard: Some(Duration::from_micros(500)) });
        let clock = TimeLeft { left: ms(1_000), increment: ms(0), moves_to_control: None };
        let both = TimeLimit::new(Some(clock), Some(ms(50)), OVERHEAD);
        assert_eq!(both.hard, Some(ms(40)), "the earlier one");
        assert_eq!(TimeLimit::new(None, None, OVERHEAD), TimeLimit::NONE);
    }
}
