//! The end of a search without a score.

/// The subtree is not wanted any more: the search has ended, or a node above was cut off or decided
/// by other workers. It is never a score. Nothing of an aborted node is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;
