//! What a worker is doing.

/// What a worker is doing; it is always doing exactly one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Searching a subtree.
    Search,
    /// Making, joining, leaving or closing a split point.
    Split,
    /// Waiting for shared state that another worker holds.
    Lock,
    /// An owner without moves left, waiting for its helpers.
    WaitHelpers,
    /// Without work.
    WaitWork,
    /// Combining results between groups of workers.
    Reduce,
    /// Done before the search ended.
    Finished,
}

impl State {
    /// How many there are.
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

    /// The word used in output.
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

    /// Whether what a worker is charged in it is work of the search, and no search for work.
    #[inline]
    pub const fn is_work(self) -> bool {
        matches!(self, State::Search | State::Split | State::Reduce)
    }
}
