//! The crew of every searcher whose workers share nodes by a rule: worker 0 deepens; the others are free,
//! and join the split points that it, and then each other, make.
//!
//! Shared: the split points (see [`super::splitting`] for locks and deadlock) and, as set, the table, the killers
//! and the history.

use super::board::OpenSplits;
use super::lab::{Ran, waiting};
use super::learnt::Learnt;
use super::rule::Rule;
use super::settings::Parameters;
use super::splitting::{Splitting, help_until};
use crate::cores::{Core, Cores, Crew, State};
use crate::search::{Counters, Memory, Session, Worker};

/// Searches by iterative deepening with `threads` workers that share nodes by a rule.
pub(super) fn search<R: Rule + Parameters>(
    session: &Session<'_>,
    cores: Cores,
    threads: usize,
    rule: &R,
) -> Ran {
    let conditions = rule.conditions();
    let open = OpenSplits::new(threads);
    let learnt = Learnt::new(&conditions, threads);
    cores.run(threads, waiting(threads, &conditions), &Sharers { session, rule, open, learnt })
}

/// The workers, and what they share beside the session.
struct Sharers<'s, R> {
    session: &'s Session<'s>,
    rule: &'s R,
    open: OpenSplits,
    learnt: Learnt,
}

impl<R: Rule> Crew for Sharers<'_, R> {
    type Kit = Memory;
    type Result = Counters;

    fn prepare(&self, id: usize) -> Memory {
        self.learnt.of(id);
        Memory::default()
    }

    fn work<C: Core>(&self, memory: Memory, core: C) -> Counters {
        let id = core.id();
        let seed = self.session.seed ^ id as u64;
        let policy = Splitting::new(&self.open, self.rule, &self.learnt, seed);
        let mut worker = Worker::new(core, policy, self.session, self.learnt.of(id), memory);
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
