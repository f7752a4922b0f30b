//! The ready queue: it says which virtual worker runs next. That is the one with the earliest
//! clock, or any one, to look for errors.

use super::cost_model::hash;
use super::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The rule by which the next worker is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// The worker with the earliest clock: a simulation.
    #[default]
    Earliest,
    /// Any worker, by the seed, at every charge.
    ///
    /// There is one clock for all, which means nothing. Tests see orders of events like this that
    /// no cost model would give.
    AtRandom,
}

/// A worker that may go on, and the time from which on it may.
///
/// Ordered by clock. Workers at equal clocks are ordered by a hash of the seed, the clock and the
/// worker, so that no worker is always the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ready {
    pub(super) clock: Time,
    tie: u64,
    pub(super) worker: usize,
}

/// The workers that may go on, without the one that runs.
#[derive(Debug)]
pub(super) struct ReadyQueue {
    ready: BinaryHeap<Reverse<Ready>>,
    seed: u64,
    schedule: Schedule,
    /// The number of times that a worker was given a random place.
    drawn: u64,
}

impl ReadyQueue {
    pub(super) fn new(seed: u64, workers: usize, schedule: Schedule) -> ReadyQueue {
        ReadyQueue { ready: BinaryHeap::with_capacity(workers), seed, schedule, drawn: 0 }
    }

    fn ready(&self, worker: usize, clock: Time) -> Ready {
        Ready { clock, tie: hash(self.seed ^ clock.ps(), worker as u64), worker }
    }

    /// The place of a worker that may go on from `clock` on.
    fn place(&mut self, worker: usize, clock: Time) -> Ready {
        match self.schedule {
            Schedule::Earliest => self.ready(worker, clock),
            Schedule::AtRandom => {
                self.drawn += 1;
                Ready { clock: Time::ZERO, tie: hash(self.seed, self.drawn), worker }
            }
        }
    }

    /// Whether a worker, now at `clock`, goes before all others.
    #[inline]
    pub(super) fn is_first(&self, worker: usize, clock: Time) -> bool {
        match self.ready.peek() {
            None => true,
            Some(_) if self.schedule == Schedule::AtRandom => false,
            Some(Reverse(other)) if other.clock == clock => self.ready(worker, clock) < *other,
            Some(Reverse(other)) => clock < other.clock,
        }
    }

    /// Adds a worker that may go on from `clock` on.
    pub(super) fn add(&mut self, worker: usize, clock: Time) {
        let place = self.place(worker, clock);
        self.ready.push(Reverse(place));
    }

    /// The first worker.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        self.ready.peek().map(|Reverse(ready)| ready.worker)
    }

    /// Takes the first worker.
    pub(super) fn next(&mut self) -> Option<Ready> {
        self.ready.pop().map(|Reverse(ready)| ready)
    }

    /// Adds a worker and then takes the first one.
    pub(super) fn exchange(&mut self, worker: usize, clock: Time) -> Ready {
        let mine = self.place(worker, clock);
        match self.ready.peek_mut() {
            Some(mut first) if first.0 < mine => {
                let next = first.0;
                *first = Reverse(mine);
                next
            }
            _ => mine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_is_first() {
        let mut ready = ReadyQueue::new(1, 4, Schedule::Earliest);
        for (worker, ps) in [(0, 30), (1, 10), (2, 20)] {
            ready.add(worker, Time::from_ps(ps));
        }
        assert!(ready.is_first(3, Time::from_ps(9)) && !ready.is_first(3, Time::from_ps(11)));
        assert_eq!(ready.exchange(3, Time::from_ps(15)).worker, 1);
        assert_eq!(ready.exchange(1, Time::from_ps(15)).clock, Time::from_ps(15));
        let order: Vec<u64> = std::iter::from_fn(|| ready.next()).map(|r| r.clock.ps()).collect();
        assert_eq!(order, [15, 20, 30]);
    }

    #[test]
    fn ties_depend_on_the_seed_and_the_clock_and_are_consistent() {
        let first = |seed, ps| {
            let mut ready = ReadyQueue::new(seed, 8, Schedule::Earliest);
            (0..8).for_each(|worker| ready.add(worker, Time::from_ps(ps)));
            let first = ready.next().expect("eight were added").worker;
            assert!(ready.is_first(first, Time::from_ps(ps)), "it comes before the rest again");
            first
        };
        assert_eq!(first(1, 5), first(1, 5));
        let firsts = |of: &dyn Fn(u64) -> usize| (0..40).map(of).collect::<Vec<_>>();
        for list in [firsts(&|seed| first(seed, 5)), firsts(&|ps| first(1, ps))] {
            assert!((0..8).all(|worker| list.contains(&worker)), "{list:?}");
        }
    }

    #[test]
    fn at_random_everybody_has_turns() {
        let order = |seed| {
            let mut ready = ReadyQueue::new(seed, 4, Schedule::AtRandom);
            (0..4).for_each(|worker| ready.add(worker, Time::from_ps(worker as u64)));
            let mut worker = ready.next().expect("four were added").worker;
            let turn = |_| {
                assert!(!ready.is_first(worker, Time::ZERO), "it asks before it goes on");
                worker = ready.exchange(worker, Time::ZERO).worker;
                worker
            };
            (0..100).map(turn).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        assert!((0..4).all(|worker| order(3).contains(&worker)));
    }
}
