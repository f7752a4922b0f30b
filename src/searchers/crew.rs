//! The crew of every searcher whose workers share nodes by a [`Rule`]: worker 0 deepens; the others are free,
//! and join the split points that it, and then each other, make.
//!
//! Shared: the table, the split points (see [`super::splitting`] for locks and deadlock) and, if so set,
//! the history.

use super::board::OpenSplits;
use super::kit::{Histories, Kit};
use super::lab::Ran;
use super::splitting::{Rule, Splitting, help_until};
use crate::cores::{Core, Cores, Crew, State, Waiting};
use crate::search::{Counters, Session, Worker};

/// Searches by iterative deepening with `threads` workers that share nodes by `rule`.
pub(super) fn search<R: Rule>(
    session: &Session<'_>,
    (cores, threads, waiting): (Cores, usize, Waiting),
    rule: &R,
    histories: Histories,
) -> Ran {
    let open = OpenSplits::new(threads);
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
