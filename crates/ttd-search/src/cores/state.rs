//! The states of a worker.

/// The occupation of a worker, which is always in exactly one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Searching a subtree.
    Search,
    /// Making, joining, leaving or closing a split point.
    Split,
    /// Waiting for shared state that another worker holds.
    Lock,
    /// Waiting for its helpers, as an owner without moves left.
    WaitHelpers,
    /// Without work.
    WaitWork,
    /// Combining results between groups of workers.
    Reduce,
    /// Done before the search ended.
    Finished,
}

impl State {
    /// The number of states.
    pub const COUNT: usize = 7;
    /// Every state, in the order of the columns.
    pub const ALL: [State; State::COUNT] = [
        State::Search,
        State::Split,
        State::Lock,
        State::WaitHelpers,
        State::WaitWork,
        State::Reduce,
        State::Finished,
    ];

    /// The name in outputs.
    pub const fn name(self) -> &'static str {
        match self {
            State::Search => "search",
            State::Split => "split",
            State::Lock => "lock",
            State::WaitHelpers => "wait-helpers",
            State::WaitWork => "wait-work",
            State::Reduce => "reduce",
            State::Finished => "finished",
        }
    }

    /// Whether a charge in this state is work of the search. Looking for work is none.
    #[inline]
    pub const fn is_work(self) -> bool {
        matches!(self, State::Search | State::Split | State::Reduce)
    }
}
