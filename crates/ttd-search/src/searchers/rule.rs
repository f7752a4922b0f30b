//! The decisions in which the searchers that share nodes differ.

use super::splitting::Splitting;
use crate::cores::Core;
use crate::engine::Position;
use crate::search::{Aborted, MoveLoop, Node, Turn, Verdict, Worker};

/// The number of groups that so many workers make, of `size` workers each or a few more. With a
/// size of 0 all of them are one group, and so are too few.
pub fn groups(workers: usize, size: usize) -> usize {
    workers.checked_div(size).unwrap_or(1).max(1)
}

/// The need of another iteration.
#[derive(Clone, Copy)]
pub struct Need {
    /// The idle workers for each iteration under way at which the next one is begun (1 or more).
    pub idle_per_iteration: usize,
    /// The most iterations under way (1 or more).
    pub most_iterations: usize,
}

impl Need {
    /// Whether another iteration is needed beside those `under_way`. `are_idle` says whether so
    /// many workers are.
    pub(super) fn is_there(self, under_way: usize, are_idle: impl Fn(usize) -> bool) -> bool {
        under_way == 0
            || under_way < self.most_iterations
                && are_idle(self.idle_per_iteration.saturating_mul(under_way))
    }
}

/// The decisions of a searcher about split points.
///
/// The example is a searcher that shares the root alone, and a search by four of its workers:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ttd_search::engine::{Board, Techniques, Position};
/// use ttd_search::search::Node;
/// use ttd_search::searchers::{
///     Algorithm, Holding, Lab, Ran, Rule, Search, Searcher, Settings as All, Sharing, Task,
///     share_nodes,
/// };
/// use ttd_search::settings;
///
/// settings! { "root-only";
///     about: "The moves of the root are dealt out.";
///     source: "An example.";
///     /// Moves that are searched before the others are dealt out.
///     eldest: usize = 1, from 1, to 218;
///     /// The sharing of the table's entries.
///     table: Holding = Holding::Shared;
///     /// The sharing of the killers.
///     killers: Sharing = Sharing::CopiedAtSplit;
///     /// The sharing of the quiet moves' history.
///     history: Sharing = Sharing::Shared;
/// }
///
/// impl Rule for Settings {
///     fn may_share(&self, node: &Node, handed: usize) -> bool {
///         node.ply == 0 && handed >= self.eldest
///     }
///
///     fn shares_alpha(&self) -> bool {
///         true
///     }
/// }
///
/// impl Algorithm for Settings {
///     fn search(&self, search: &Search<'_>) -> Ran {
///         share_nodes(search, self)
///     }
/// }
///
/// let searcher = Searcher::new(&Settings::DEFAULT);
/// let task = Task::to_depth(Position::new(Board::default()), 5);
/// let mut lab = Lab::new(1, Techniques::default(), All::default())?;
/// let found = lab.search(&Task { searcher, threads: 4, ..task }, &AtomicBool::new(false));
/// assert_eq!(found.workers.len(), 4);
/// # Ok::<(), ttd_search::searchers::LabError>(())
/// ```
pub trait Rule: Sync {
    /// Whether the rest of a node may be shared after `handed` of its moves were searched.
    fn may_share(&self, node: &Node, handed: usize) -> bool;

    /// Whether to make a split point of a node although no worker is free to join.
    fn ahead_of_need(&self, _node: &Node) -> bool {
        false
    }

    /// Whether the rest of a node is likely needed after its first `done` moves were searched. Such
    /// a node is work of the first class. A free worker that was called to no split point takes the
    /// first class before the second.
    ///
    /// A helper takes only one move at a time of the second class. A rule that has a second class
    /// may therefore not value moves in turn.
    fn is_likely_needed(&self, _node: &Node, _done: usize) -> bool {
        true
    }

    /// The most workers at one split point, its owner included.
    fn most_workers(&self) -> usize {
        usize::MAX
    }

    /// Whether a raised alpha reaches the helpers that are at work. Otherwise it reaches only the
    /// moves that are handed out afterwards.
    fn shares_alpha(&self) -> bool;

    /// The number of nodes from one look at the split points above to the next.
    fn poll_nodes(&self) -> u64 {
        1
    }

    /// The most visits that a waiting owner may have on its stack, one inside the other. A visit is
    /// help at a split point that does not lie below the owner's.
    fn nesting(&self) -> usize {
        0
    }

    /// The number of boards of open split points that so many workers have, 1 or more.
    fn boards(&self, _workers: usize) -> usize {
        1
    }

    /// The need of several iterations at once. None if one comes after another.
    fn need_of_iterations(&self) -> Option<Need> {
        None
    }

    /// Whether moves that failed their test at a shared node are valued one after another. The
    /// tests of the others go on meanwhile.
    fn values_in_turn(&self) -> bool {
        false
    }

    /// The worth of an open split point to a free worker that was called to none. The worker joins
    /// the one with the greatest worth among those of one class. `left` is the number of its moves
    /// that no worker searches yet; `coin` is a random number. It is asked while a board is
    /// locked: the answer must be quick, and must need no lock.
    fn worth(&self, node: &Node, _left: usize, _coin: u64) -> i64 {
        node.depth.into()
    }

    /// Searches a move of a shared node.
    ///
    /// # Errors
    /// [`Aborted`] when the move is not wanted any more.
    #[inline]
    fn turn<'p, C: Core, L: MoveLoop<C, Splitting<'p, Self>>>(
        worker: &mut Worker<'_, C, Splitting<'p, Self>>,
        (position, node): (&Position, &Node),
        turn: &Turn,
        moves: &L,
    ) -> Result<Verdict, Aborted>
    where
        Self: Sized,
    {
        worker.turn(position, node, turn, moves)
    }
}
