//! The team of every searcher whose workers share nodes by a rule. Worker 0 deepens, or several
//! leaders do (`ahead`). The others are free: they join the split points that these make, and those
//! that any of them make later.
//!
//! Shared: the split points (see [`super::splitting`] for locks and deadlock) and, as set, the
//! table, the killers and the history.

use super::ahead::{Iterations, lead_or_help};
use super::board::OpenSplits;
use super::splitting::helping::help_until;
use super::{Histories, Ran, Rule, Search, Splitting, Team};
use crate::cores::{Core, State};
use crate::search::Worker;

/// Searches by iterative deepening with workers that share nodes by a rule.
///
/// # Errors
/// The errors of [`Search::run`].
pub fn share_nodes<R: Rule>(search: &Search<'_>, rule: &R) -> Ran {
    let open = OpenSplits::on_boards(search.workers, rule.boards(search.workers));
    search.run(&Sharers::new(search, rule, open))
}

/// Shares nodes as [`share_nodes`] does. Each worker has a deque of split points, from which free
/// workers steal. The rule must have one class of work. It must limit neither the workers at a
/// split point nor the nesting: else one with moves left could be in no deque.
///
/// # Errors
/// The errors of [`Search::run`].
///
/// # Panics
/// If the rule has such a limit.
pub(super) fn steal_nodes<R: Rule>(search: &Search<'_>, rule: &R) -> Ran {
    assert!(rule.most_workers() >= search.workers && rule.nesting() == 0, "a rule without limits");
    let open = OpenSplits::in_deques(search.workers);
    search.run(&Sharers::new(search, rule, open))
}

/// The state that the workers share.
struct Sharers<'s, R> {
    rule: &'s R,
    open: OpenSplits,
    /// The iterations, if several can be under way.
    iterations: Option<Iterations>,
    seed: u64,
}

impl<'s, R: Rule> Sharers<'s, R> {
    fn new(search: &Search<'_>, rule: &'s R, open: OpenSplits) -> Sharers<'s, R> {
        let several = rule.need_of_iterations().filter(|_| search.workers > 1);
        // Nodes of a visit are of no iteration of the worker's.
        assert!(several.is_none() || rule.nesting() == 0, "a rule without visits");
        let iterations = several.map(|need| Iterations::new(&search.shared.iterations(), need));
        Sharers { rule, open, iterations, seed: search.shared.seed }
    }
}

impl<R: Rule> Team for Sharers<'_, R> {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t>
        = Splitting<'t, R>
    where
        Self: 't;

    fn policy<'t>(&'t self, id: usize, histories: &'t Histories) -> Splitting<'t, R> {
        Splitting::new(&self.open, self.rule, histories, self.seed ^ id as u64)
    }

    fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Splitting<'t, R>>) {
        if let Some(iterations) = &self.iterations {
            lead_or_help(worker, (iterations, &self.open), Worker::search_root);
        } else if worker.core.id() == 0 {
            worker.lead();
        } else {
            help_until(worker, State::WaitWork, None, |ended| ended);
        }
    }
}
