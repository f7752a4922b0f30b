//! The work of a worker at every node: it counts the node, and asks whether to go on.

use super::{Aborted, Policy, Worker};
use crate::cores::{Core, Cost};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// Counts a node and asks whether to go on.
    ///
    /// # Errors
    /// [`Aborted`] when the node is not wanted any more.
    // Inlined: a call for each node takes 1% of all instructions.
    #[inline(always)]
    pub fn visit(&mut self, cost: Cost) -> Result<(), Aborted> {
        let counted = self.core.charge(cost);
        self.counters.nodes += u64::from(counted);
        self.counters.qnodes += u64::from(counted && cost != Cost::Node);
        if !counted {
            return Err(Aborted);
        }
        self.shared.tally(self.core.id(), self.counters.nodes);
        if self.counters.nodes >= self.next_look {
            self.look()?;
        }
        if P::cancelled(self) { Err(Aborted) } else { Ok(()) }
    }

    /// Looks whether the search is over.
    #[cold]
    fn look(&mut self) -> Result<(), Aborted> {
        let (shared, nodes) = (self.shared, self.counters.nodes);
        self.next_look = shared.next_look(nodes);
        self.core.notice_fill(|| shared.table.fill());
        if shared.is_over(self.core.now()) {
            self.core.end();
            return Err(Aborted);
        }
        Ok(())
    }

    /// Makes the worker look at its next node whether the search is over.
    pub(super) fn look_soon(&mut self) {
        self.next_look = self.counters.nodes;
    }
}
