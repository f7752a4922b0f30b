//! Short measurements: the clock, and a fixed piece of work, alone and on several threads at once.

use std::hint::black_box;
use std::io;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};
use ttd_search::engine::{Board, perft};
use ttd_stats::summary;

/// The number of readings of the clock.
const READINGS: u32 = 100_000;
/// The work is counting the leaves of the game tree to this depth, again and again.
const DEPTH: u8 = 3;
/// The approximate time that one piece should take.
const PIECE: Duration = Duration::from_millis(4);
/// The number of pieces that are timed one after another.
const PIECES: usize = 50;
/// The number of pieces that each thread does while others work too.
const TOGETHER: u32 = 8;
/// The number of turns; one thread alone and several at once take turns.
const TURNS: usize = 5;

/// The qualities of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The shortest time that the clock can tell from zero.
    pub step: Duration,
    /// The time of one reading.
    pub cost: Duration,
}

impl Clock {
    /// Reads the clock many times.
    pub fn measured() -> Clock {
        let start = Instant::now();
        let (mut last, mut step) = (start, Duration::MAX);
        for _ in 0..READINGS {
            let now = Instant::now();
            if now > last {
                step = step.min(now - last);
            }
            last = now;
        }
        Clock { step: step.min(last - start), cost: (last - start) / READINGS }
    }
}

/// The work of several threads at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideBySide {
    /// The number of threads.
    pub threads: usize,
    /// Their work over that of one of them alone: at best equal to `threads`.
    pub times: f64,
}

/// The speed and steadiness of work.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// The time of each of many equal pieces, seconds.
    pub pieces: Vec<f64>,
    /// Two threads, and as many as there are cores; empty where there is one core. An error says
    /// why threads could not work.
    pub together: Result<Vec<SideBySide>, String>,
}

impl Work {
    /// Works alone and on at most `cores` cores.
    pub fn measured(cores: usize) -> Work {
        let piece = Piece::sized();
        let pieces = (0..PIECES).map(|_| piece.timed(1).as_secs_f64()).collect();
        Work { pieces, together: together(piece, &counts(cores)).map_err(|e| e.to_string()) }
    }
}

/// The numbers of threads that are tried at once on `cores` cores.
fn counts(cores: usize) -> Vec<usize> {
    let mut counts = vec![2, cores];
    counts.retain(|threads| (2..=cores).contains(threads));
    counts.dedup();
    counts
}

/// A piece of work: this many counts of the tree.
#[derive(Clone, Copy)]
struct Piece(u32);

impl Piece {
    fn sized() -> Piece {
        let once = (0..5).map(|_| Piece(1).timed(1)).min().unwrap_or(PIECE);
        Piece((PIECE.as_secs_f64() / once.as_secs_f64().max(1e-9)).ceil() as u32)
    }

    fn timed(self, pieces: u32) -> Duration {
        let start = Instant::now();
        let board = Board::default();
        for _ in 0..self.0 * pieces {
            black_box(perft(black_box(&board), DEPTH));
        }
        start.elapsed()
    }
}

/// Measures each number of threads in turn with one thread alone. Takes the median over the turns.
fn together(piece: Piece, counts: &[usize]) -> io::Result<Vec<SideBySide>> {
    let mut all = Vec::new();
    for &threads in counts {
        let mut ratios = Vec::new();
        for _ in 0..TURNS {
            let alone = rate(piece, 1)?;
            ratios.push(rate(piece, threads)? / alone);
        }
        let times = summary::median(&ratios).unwrap_or(0.0);
        all.push(SideBySide { threads, times });
    }
    Ok(all)
}

/// The work of `threads` threads in a second, in pieces.
fn rate(piece: Piece, threads: usize) -> io::Result<f64> {
    // Whether all threads have started, once this is known.
    let complete = OnceLock::new();
    let work = || loop {
        match complete.get() {
            None => thread::yield_now(),
            Some(false) => return 0.0,
            Some(true) => return f64::from(TOGETHER) / piece.timed(TOGETHER).as_secs_f64(),
        }
    };
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work);
        let started: io::Result<Vec<_>> = (0..threads).map(start).collect();
        let _ = complete.set(started.is_ok());
        Ok(started?.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_measured() {
        let clock = Clock::measured();
        assert!(clock.step > Duration::ZERO && clock.cost > Duration::ZERO, "{clock:?}");
        let piece = Piece(1);
        assert!(piece.timed(2) > Duration::ZERO);
        let together = together(piece, &[2, 3]).expect("threads");
        assert_eq!(together.iter().map(|of| of.threads).collect::<Vec<_>>(), [2, 3]);
        assert!(together.iter().all(|of| of.times > 0.0), "{together:?}");
    }

    #[test]
    fn one_core_has_nothing_beside_it() {
        assert_eq!([1, 2, 3].map(counts), [vec![], vec![2], vec![2, 3]]);
    }
}
