//! Why a search returns without a score.

/// The subtree is not wanted any more: the search has ended, or a node above was cut off or decided by others.
/// Never a score; nothing of an aborted node is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aborted;
