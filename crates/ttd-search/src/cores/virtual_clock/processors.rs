//! Fewer processors than workers: which worker has one, and for how long.
//!
//! - A worker that is ready takes a free processor: its last one, or else the one that is free for
//!   longest. If none is free, it waits at the end of a queue.
//! - A worker whose slice is over makes room for the first of the queue, and goes to its end. It
//!   has another slice if nobody waits. That holds within a charge and within a section too.
//! - A worker that waits for anything else, or returns, gives its processor up.
//! - The switch costs time where a processor ran another worker before.
//!
//! A worker without a processor is in state `lock`, and so is one during a switch. A worker that
//! comes to a section waits with its processor while the worker in it has one, as an adaptive mutex
//! does. If that one has lost it, the worker gives its own up, and is woken.

use crate::cores::{CostModel, Time};
use std::collections::VecDeque;

/// The processors and the workers that share them.
///
/// Invariants: a processor is free, or one worker has it. None is free while the queue has a
/// worker.
#[derive(Debug)]
pub(super) struct Processors {
    slice: Time,
    switch: Time,
    /// The free processors, the longest free one first.
    free: VecDeque<usize>,
    /// The worker that each processor ran last, if any.
    last: Vec<Option<usize>>,
    /// The workers that are ready and wait for a processor.
    queue: VecDeque<usize>,
    pub(super) seats: Vec<Held>,
}

/// The place of one worker.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    processor: Option<usize>,
    /// The end of its slice.
    pub(super) until: Time,
    /// The time since when it is ready and does not run, until it has accounted for that.
    pub(super) ready_since: Option<Time>,
}

/// The answer to a worker that is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seat {
    /// It has a processor.
    Now,
    /// It has one from this time on, after the switch.
    From(Time),
    /// It is in the queue.
    None,
}

impl Processors {
    pub(super) fn new(workers: usize, model: &CostModel) -> Processors {
        let processors = model.processors as usize;
        Processors {
            slice: Time::from_ps(model.slice_ps),
            switch: Time::from_ps(model.switch_ps),
            free: (0..processors).collect(),
            last: vec![None; processors],
            queue: VecDeque::with_capacity(workers),
            seats: vec![Held::default(); workers],
        }
    }

    /// A worker is ready at `now`.
    pub(super) fn seat(&mut self, worker: usize, now: Time) -> Seat {
        if self.seats[worker].processor.is_some() {
            return Seat::Now;
        }
        let own = self.free.iter().position(|&free| self.last[free] == Some(worker));
        let Some(processor) = self.free.remove(own.unwrap_or(0)) else {
            self.enqueue(worker, now);
            return Seat::None;
        };
        let from = self.give(processor, worker, now);
        if from == now {
            return Seat::Now;
        }
        self.seats[worker].ready_since = Some(now);
        Seat::From(from)
    }

    fn enqueue(&mut self, worker: usize, now: Time) {
        self.seats[worker].ready_since = Some(now);
        self.queue.push_back(worker);
    }

    /// Gives a processor to a worker at `now`. Returns the time from which on it runs.
    fn give(&mut self, processor: usize, worker: usize, now: Time) -> Time {
        let before = self.last[processor].replace(worker);
        let is_switch = before.is_some_and(|before| before != worker);
        let from = if is_switch { now + self.switch } else { now };
        let held = &mut self.seats[worker];
        (held.processor, held.until) = (Some(processor), from + self.slice);
        from
    }

    /// A worker gives up its processor at `now`. Returns the worker that has it now, and the time
    /// from which on that one runs.
    pub(super) fn release(&mut self, worker: usize, now: Time) -> Option<(usize, Time)> {
        let processor = self.seats[worker].processor.take()?;
        let Some(next) = self.queue.pop_front() else {
            self.free.push_back(processor);
            return None;
        };
        Some((next, self.give(processor, next, now)))
    }

    /// The slice of a worker is over at `now`: whether it must make room. It is in the queue then.
    pub(super) fn makes_room(&mut self, worker: usize, now: Time) -> bool {
        if self.queue.is_empty() {
            self.seats[worker].until = now + self.slice;
            return false;
        }
        self.enqueue(worker, now);
        true
    }
}
