//! State that workers share.

use super::sync::Mutex;
use super::time::Time;

/// State shared by the workers. One worker at a time enters it, through
/// [`Core::section`](super::Core::section).
#[derive(Debug, Default)]
pub struct Section<T>(pub(super) Mutex<Guarded<T>>);

#[derive(Debug, Default)]
pub(super) struct Guarded<T> {
    /// On virtual cores: the time at which the last worker that has come lets others in.
    free_at: Time,
    /// On virtual cores: the last worker that has come.
    last: Option<usize>,
    /// On fewer processors than workers: whether the worker in it has lost its processor, and the
    /// workers that wait for that one.
    stalled: bool,
    blocked: Vec<usize>,
    pub(super) state: T,
}

impl<T> Section<T> {
    /// A section around `state`.
    pub fn new(state: T) -> Section<T> {
        let (free_at, last, stalled, blocked) = (Time::ZERO, None, false, Vec::new());
        Section(Mutex::new(Guarded { free_at, last, stalled, blocked, state }))
    }

    /// The state, when all workers have gone.
    pub fn into_inner(self) -> T {
        self.0.into_inner().state
    }

    /// Books a stay of `cost` for a worker that comes at `arrival`. It enters as soon as all before
    /// it let others in, and itself does that after `closed`. Returns when it enters and leaves.
    pub(super) fn book(&self, arrival: Time, cost: Time, closed: Time) -> (Time, Time) {
        let mut guarded = self.0.lock();
        let start = arrival.max(guarded.free_at);
        guarded.free_at = start + closed;
        (start, start + cost)
    }

    /// The last worker that has come before, if it was another one.
    pub(super) fn comes_from(&self, worker: usize) -> Option<usize> {
        self.0.lock().last.replace(worker).filter(|last| *last != worker)
    }

    /// The worker in it has lost its processor.
    pub(super) fn stall(&self) {
        self.0.lock().stalled = true;
    }

    /// Whether the worker in it has lost its processor. If so, `worker` is woken when that one
    /// leaves.
    pub(super) fn blocks(&self, worker: usize) -> bool {
        let mut guarded = self.0.lock();
        if guarded.stalled && !guarded.blocked.contains(&worker) {
            guarded.blocked.push(worker);
        }
        guarded.stalled
    }

    /// A worker leaves at `now`, which may be later than it was booked. Returns workers to wake.
    pub(super) fn leave(&self, now: Time) -> Vec<usize> {
        let mut guarded = self.0.lock();
        guarded.free_at = guarded.free_at.max(now);
        guarded.stalled = false;
        std::mem::take(&mut guarded.blocked)
    }

    /// Looks at the state without entering: a race, for `scripts/concurrency.sh races` to find.
    #[cfg(seeded_race)]
    #[allow(unsafe_code, reason = "the race is the purpose")]
    pub(crate) fn peek<R>(&self, body: impl FnOnce(&T) -> R) -> R {
        // SAFETY: none.
        body(unsafe { &(*self.0.data_ptr()).state })
    }

    /// Works on the state, alone.
    pub(super) fn alone<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        body(&mut self.0.lock().state)
    }
}
