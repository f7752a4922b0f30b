//! A search that is asked for, and its control while it runs: to stop it, or to tell it that the
//! pondered move was made.

use super::clock::TimeLimit;
use super::command::Go;
use super::place::Notation;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use ttd_search::engine::{Evaluation, Move, Position};
use ttd_search::searchers::Searcher;

/// A search as `go` asks for it, with all its conditions.
pub(super) struct Request {
    pub(super) root: Position,
    /// The move that the opening book has chosen, if it has.
    pub(super) book: Option<Move>,
    /// The keys of the positions before, in this game.
    pub(super) past: Vec<u64>,
    /// The moves that may be made.
    pub(super) moves: Vec<Move>,
    /// Whether `moves` lacks some legal moves.
    pub(super) restricted: bool,
    /// The `go` command as it came. `moves` and `limit` follow from it. With a mate in it, the
    /// search ends when it knows a mate in at most that number of moves.
    pub(super) go: Go,
    pub(super) limit: TimeLimit,
    pub(super) threads: usize,
    pub(super) searcher: Searcher,
    /// The nodes that may be visited: by `go`, and by the rating that was asked for.
    pub(super) nodes: Option<u64>,
    /// The evaluation, for a search without a result.
    pub(super) evaluation: Evaluation,
    /// Whether the chances of a win, a draw and a loss are printed.
    pub(super) show_wdl: bool,
    /// The number of best moves to print.
    pub(super) lines: usize,
    pub(super) notation: Notation,
    pub(super) control: Arc<Control>,
}

/// The state of a search that the reader and the thinker share.
///
/// Invariant: `stop` and `done` go from false to true once; `clock_runs` is set once. `gate` is
/// held while `stop` or `clock_runs` changes, so that [`Control::hold`] misses nothing. The state
/// lives as long as one of the two threads needs it.
pub(super) struct Control {
    begun: Instant,
    /// Ends the search; its workers read it.
    pub(super) stop: AtomicBool,
    /// The start of our clock: it does not run while the search ponders.
    clock_runs: OnceLock<Instant>,
    done: AtomicBool,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// The control of a search that was asked for at `begun`. If it `ponders`, it uses the other
    /// side's time.
    pub(super) fn new(begun: Instant, ponders: bool) -> Control {
        let clock_runs = OnceLock::new();
        if !ponders {
            let _ = clock_runs.set(begun);
        }
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        Control { begun, stop, clock_runs, done, gate: Mutex::new(()), changed: Condvar::new() }
    }

    /// The control of a job that begins now.
    pub(super) fn begun() -> Control {
        Control::new(Instant::now(), false)
    }

    /// The time since the search was asked for.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The time for which our clock has run; none while the search ponders.
    pub(super) fn on_own_time(&self) -> Option<Duration> {
        self.clock_runs.get().map(Instant::elapsed)
    }

    /// Ends the search, so that its best move is told.
    pub(super) fn stop(&self) {
        let gate = self.gate.lock();
        self.stop.store(true, Relaxed);
        drop(gate);
        self.changed.notify_all();
    }

    /// Whether it was stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Notes that the pondered move was made: our clock runs from now on.
    pub(super) fn ponder_hit(&self) {
        let gate = self.gate.lock();
        let _ = self.clock_runs.set(Instant::now());
        drop(gate);
        self.changed.notify_all();
    }

    /// Waits until the best move may be told: after pondering, and for an `endless` search after
    /// `stop`.
    pub(super) fn hold(&self, endless: bool) {
        let holds =
            |(): &mut ()| !self.stop.load(Relaxed) && (endless || self.clock_runs.get().is_none());
        self.changed.wait_while(&mut self.gate.lock(), holds);
    }

    /// Waits until it is done, at most this time.
    pub(super) fn wait(&self, most: Duration) {
        let (begun, step) = (Instant::now(), Duration::from_millis(5));
        while !self.is_done() && begun.elapsed() < most {
            thread::sleep(step);
        }
    }

    /// Notes that the best move was told.
    pub(super) fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether the best move was told.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }
}
