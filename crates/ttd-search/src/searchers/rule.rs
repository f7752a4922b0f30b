//! What the searchers that share nodes differ in.

use super::splitting::Splitting;
use crate::cores::Core;
use crate::engine::Position;
use crate::search::{Aborted, MoveLoop, Node, Turn, Verdict, Worker};

/// What a searcher decides about split points.
///
/// A searcher that shares the root alone, and a search by four of its workers:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use ttd_search::engine::{Board, Features, Position};
/// use ttd_search::search::Node;
/// use ttd_search::searchers::{
///     Algorithm, Description, Holding, Lab, Ran, Rule, Search, Searcher, Settings as All, Sharing,
///     Task, share_nodes,
/// };
/// use ttd_search::settings;
///
/// settings! { "root-only";
///     /// Moves that are searched before the others are dealt out.
///     eldest: usize = 1, from 1, to 218;
///     /// Whose the entries of the table are.
///     table: Holding = Holding::Shared;
///     /// Whose the killers are.
///     killers: Sharing = Sharing::CopiedAtSplit;
///     /// Whose the quiet moves' history is.
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
///     fn description(&self) -> &'static Description {
///         &Description {
///             about: "The moves of the root are dealt out.",
///             source: "An example.",
///             takes_one_thread: false,
///             has_critical_path: true,
///         }
///     }
///
///     fn search(&self, search: &Search<'_>) -> Ran {
///         share_nodes(search, self)
///     }
/// }
///
/// let searcher = Searcher::new(&Settings::DEFAULT);
/// let task = Task::to_depth(Position::new(Board::default()), 5);
/// let mut lab = Lab::new(1, Features::default(), All::default())?;
/// let found = lab.search(&Task { searcher, threads: 4, ..task }, &AtomicBool::new(false));
/// assert_eq!(found.workers.len(), 4);
/// # Ok::<(), ttd_search::searchers::LabError>(())
/// ```
pub trait Rule: Sync {
    /// Whether the rest of a node may be shared after `handed` of its moves were searched.
    fn may_share(&self, node: &Node, handed: usize) -> bool;

    /// Whether to make a split point of a node although nobody is free to join.
    fn ahead_of_need(&self, _node: &Node) -> bool {
        false
    }

    /// Whether the rest of a node is likely needed when its first `done` moves have been searched: work of the first
    /// class, which a free worker that was called to none takes before any other. Of the second class a
    /// helper takes one move at a time (so a rule that has it may not value moves in turn).
    fn is_likely_needed(&self, _node: &Node, _done: usize) -> bool {
        true
    }

    /// The most workers at one split point, its owner included.
    fn most_workers(&self) -> usize {
        usize::MAX
    }

    /// Whether a raised alpha reaches the helpers that are at work, or only the moves handed out
    /// afterwards.
    fn shares_alpha(&self) -> bool;

    /// Nodes between two looks at the split points above.
    fn poll_nodes(&self) -> u64 {
        1
    }

    /// On the stack of an owner that waits: how many visits to split points that do not lie below its own there
    /// may be, one inside the other.
    fn nesting(&self) -> usize {
        0
    }

    /// Whether moves that failed their test at a shared node are valued one after another, while the
    /// tests of the others go on.
    fn values_in_turn(&self) -> bool {
        false
    }

    /// Which of several open split points of one class a free worker that was called to none should join: the one with
    /// the greatest worth. `left` is how many of its moves nobody has begun; `coin` is a random number.
    fn worth(&self, node: &Node, _left: usize, _coin: u64) -> i64 {
        node.depth.into()
    }

    /// Searches a move of a shared node.
    ///
    /// # Errors
    /// [`Aborted`] when it is not wanted any more.
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
