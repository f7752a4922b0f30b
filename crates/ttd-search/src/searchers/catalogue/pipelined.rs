//! Pipelined iterations: Young Brothers Wait whose idle workers begin the next iteration.
//!
//! An iteration of `ybwc` waits for the end of the one before. On many workers these ends are most
//! of the critical path (`docs/many-cores.md`). Here a worker that finds no work leads the next
//! iteration, as soon as `idle_per_iteration` workers are idle for each iteration under way. So
//! there are as many iterations at once as there is need for, but at most `most_iterations`. Free
//! workers help the shallowest iteration first. One that ends makes all shallower ones needless
//! (see `ahead.rs`).
//!
//! The rule of split points is that of `ybwc` with its defaults.
//!
//! Source: none is known for whole teams. Lazy SMP lets single workers be at different depths.

use crate::engine::MAX_MOVES;
use crate::search::{Node, NodeKind};
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_DEPTH, MOST_MOVES, MOST_RECORD, Need, OwnMemory, Ran,
    Rule, Search, Sharing, groups, share_nodes,
};
use crate::settings;

settings! { "pipelined";
    about: "Young Brothers Wait whose idle workers begin the next iteration, so that several are \
            under way at once.";
    source: "The split points are those of `ybwc`. Lazy SMP has workers at different depths; here \
             teams are.";
    /// Idle workers, for each iteration under way, at which one of them begins the next iteration
    /// (1 or more). With 2, three workers are the fewest that ever search two.
    idle_per_iteration: usize = 2, from 1, to MANY;
    /// Most iterations under way (1 or more). Deeper ones would have a poor order of moves.
    most_iterations: usize = 6, from 1, to MANY;
    /// Workers to each board of open split points. With 8, 64 workers have eight boards. With 0 all
    /// share one.
    workers_per_board: usize = 8, from 0, to MANY;
    /// Eldest brothers to be searched before a split on the principal variation (1 or more).
    eldest: usize = 2, from 1, to MOST_MOVES;
    /// Eldest brothers to be searched before a split where a cutoff is expected (1 or more).
    eldest_at_cut: usize = 1, from 1, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Most workers at a split point, its owner included (2 or more).
    most_workers: usize = 8, from 2, to MANY;
    /// Whether a raised alpha reaches helpers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history.
    history: Sharing = Sharing::Shared;
    /// Least change of an entry in the shared history, of which the greatest is 16,384. A smaller
    /// change becomes that, with a probability of the one over the other, or nothing. So workers
    /// take cache lines from each other less often. With 0 each change is as it is.
    history_step: i32 = 4096, from 0, to MOST_RECORD;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn searches_apart(&self) -> bool {
        true
    }

    fn tells_useless_nodes(&self) -> bool {
        true
    }

    fn history_step(&self) -> i32 {
        self.history_step
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        let boards = self.boards(of.threads) - 1;
        OwnMemory::split_points(of, of.lines(self.min_depth), false).and_boards(boards)
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        let eldest = match node.kind {
            NodeKind::Pv => self.eldest,
            NodeKind::Cut => self.eldest_at_cut,
            NodeKind::All => 0,
        };
        node.depth >= self.min_depth && handed >= eldest
    }

    fn need_of_iterations(&self) -> Option<Need> {
        let Settings { idle_per_iteration, most_iterations, .. } = *self;
        Some(Need { idle_per_iteration, most_iterations })
    }

    fn boards(&self, workers: usize) -> usize {
        groups(workers, self.workers_per_board)
    }

    fn most_workers(&self) -> usize {
        self.most_workers
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn worth(&self, node: &Node, left: usize, _coin: u64) -> i64 {
        i64::from(node.depth) * MAX_MOVES as i64 + left as i64
    }
}
