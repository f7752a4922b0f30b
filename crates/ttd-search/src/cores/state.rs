//! The states of a worker.

use crate::words::words;

words! {
    /// The occupation of a worker, which is always in exactly one state. Columns of files are in
    /// this order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum State {
        /// Searching a subtree.
        Search = "search",
        /// Making, joining, leaving or closing a split point.
        Split = "split",
        /// Waiting for shared state that another worker holds.
        Lock = "lock",
        /// Waiting for its helpers, as an owner without moves left.
        WaitHelpers = "wait-helpers",
        /// Without work.
        WaitWork = "wait-work",
        /// Combining results between groups of workers.
        Reduce = "reduce",
        /// Done before the search ended.
        Finished = "finished",
    }
}

impl State {
    /// The number of states.
    pub const COUNT: usize = State::ALL.len();

    /// Whether a charge in this state is work of the search. Looking for work is none.
    #[inline]
    pub const fn is_work(self) -> bool {
        matches!(self, State::Search | State::Split | State::Reduce)
    }
}
