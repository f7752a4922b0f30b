//! The crew of every searcher whose workers share nodes by a rule: worker 0 deepens; the others are free,
//! and join the split points that it, and then each other, make.
//!
//! Shared: the table, the split points (see [`super::splitting`] for locks and deadlock) and, if so set,
//! the history.

use super::board::OpenSplits;
use super::kit::{Histories, Kit};
use super::lab::{Ran, waiting};
use super::rule::Rule;
use super::splitting::{Splitting, help_until};
use crate::cores::{Core, Cores, Crew, State};
use crate::search::{Counters, Session, Worker};

/// A rule, and how the workers that go by it wait and learn.
pub(super) trait Sharer: Rule {
    /// How long a waiting worker spins before it parks, microseconds; 0 when oversubscribed.
    fn spin_us(&self) -> u64;

    /// Whether one worker goes on at a time, for debugging.
    fn one_at_a_time(&self) -> bool;

    /// Whether all workers learn the quiet moves' history together.
    fn shares_history(&self) -> bool;
}

/// Searches by iterative deepening with `threads` workers that share nodes by a rule.
pub(super) fn search<R: Sharer>(
    session: &Session<'_>,
    cores: Cores,
    threads: usize,
    rule: &R,
) -> Ran {
    let waiting = waiting(threads, rule.spin_us(), rule.one_at_a_time());
    let (open, histories) = (OpenSplits::new(threads), Histories::new(rule.shares_history()));
    cores.run(threads, waiting, &Sharers { session, rule, open, histories })
}

/// The workers, and what they share beside the session.
struct Sharers<'s, R> {
    session: &'s Session<'s>,
    rule: &'s R,
    open: OpenSplits,
    histories: Histories,
}

impl<R: Rule> Crew for Sharers<'_, R> {
    type Kit = Kit;
    type Result = Counters;

    fn prepare(&self, _id: usize) -> Kit {
        self.histories.kit()
    }

    fn work<C: Core>(&self, (memory, own): Kit, core: C) -> Counters {
        let history = self.histories.of(own.as_ref());
        let id = core.id();
        let policy = Splitting::new(&self.open, self.rule, self.session.seed ^ id as u64);
        let mut worker = Worker::new(core, policy, self.session, history, memory);
        if id == 0 {
            worker.core.enter(State::Search);
            // An abort has ended the search; what was completed stands in the record.
            let _ = worker.deepen();
        } else {
            help_until(&mut worker, State::WaitWork, None, |ended| ended);
        }
        worker.finish()
    }
}
