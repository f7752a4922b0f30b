//! How a search that is going on is stopped, or told that the move it ponders was made.

use parking_lot::{Condvar, Mutex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What the reader and the thinker share of a search.
///
/// Invariant: `stop` and `done` go from false to true once; `clock_runs` is set once. `gate` is held while `stop` or
/// `clock_runs` changes, so that [`Control::hold`] misses nothing. Lives as long as either of both wants it.
pub(super) struct Control {
    begun: Instant,
    /// Ends the search; its workers read it.
    pub(super) stop: AtomicBool,
    /// Since when the own clock runs: not while it ponders.
    clock_runs: OnceLock<Instant>,
    done: AtomicBool,
    gate: Mutex<()>,
    changed: Condvar,
}

impl Control {
    /// Of a search that was asked for at `begun`, on the other side's time if it `ponders`.
    pub(super) fn new(begun: Instant, ponders: bool) -> Control {
        let clock_runs = OnceLock::new();
        if !ponders {
            let _ = clock_runs.set(begun);
        }
        let (stop, done) = (AtomicBool::new(false), AtomicBool::new(false));
        Control { begun, stop, clock_runs, done, gate: Mutex::new(()), changed: Condvar::new() }
    }

    /// Since it was asked for.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// How long the own clock runs already; nothing while it ponders.
    pub(super) fn on_own_time(&self) -> Option<Duration> {
        self.clock_runs.get().map(Instant::elapsed)
    }

    /// Ends the search, and brings the best move.
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

    /// The move that it ponders was made: the own clock runs.
    pub(super) fn ponder_hit(&self) {
        let gate = self.gate.lock();
        let _ = self.clock_runs.set(Instant::now());
        drop(gate);
        self.changed.notify_all();
    }

    /// Waits until the best move may be told: not while it ponders, and of an `endless` search only after `stop`.
    pub(super) fn hold(&self, endless: bool) {
        let holds =
            |(): &mut ()| !self.stop.load(Relaxed) && (endless || self.clock_runs.get().is_none());
        self.changed.wait_while(&mut self.gate.lock(), holds);
    }

    /// The best move is told.
    pub(super) fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    /// Whether the best move was told.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Relaxed)
    }
}
