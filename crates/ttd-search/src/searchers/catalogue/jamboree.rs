//! Jamboree: after the eldest brother of a node, all others are tested at once: is any of them
//! better? The better ones are valued one after another.
//!
//! A test is a search with a null window. Only on the principal variation can it fail without a
//! cutoff. There the move is put off until none of its brothers is being valued, while the tests go
//! on. (With a null window the rest of a node is shared as in Young Brothers Wait.) No worker waits
//! for a value. A worker that puts a move off takes another test; a worker that is done with a
//! value takes the next.
//!
//! The workers share the split points (see `splitting.rs` for locks and deadlock) and, as set, the
//! table, the killers and the history.
//!
//! Source: Kuszmaul, "Synchronized MIMD computing", thesis, MIT 1994; *Socrates.

use crate::engine::Techniques;
use crate::search::Node;
use crate::searchers::{
    Algorithm, Extent, Holding, MANY, MOST_DEPTH, MOST_MOVES, OwnMemory, Ran, Rule, Search,
    Sharing, groups, share_nodes,
};
use crate::settings;

settings! { "jamboree";
    about: "Jamboree: when the eldest brother of a node has been searched, all others are tested \
            at once with a null window. On the principal variation, the moves that turn out better \
            are valued one after another.";
    source: "Kuszmaul's thesis, MIT 1994; the chess program *Socrates.";
    /// Eldest brothers that are valued before the others are tested (1 or more).
    eldest: usize = 1, from 1, to MOST_MOVES;
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Workers to each board of open split points. With 16, 64 workers have four boards. With 0 all
    /// share one.
    workers_per_board: usize = 0, from 0, to MANY;
    /// Whether a raised alpha reaches workers that are at work.
    shared_alpha: bool = true;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Sharing = Sharing::CopiedAtSplit;
    /// The sharing of the quiet moves' history.
    history: Sharing = Sharing::Shared;
}

impl Algorithm for Settings {
    fn search(&self, search: &Search<'_>) -> Ran {
        share_nodes(search, self)
    }

    fn has_split_points(&self) -> bool {
        true
    }

    fn own_memory(&self, of: Extent) -> OwnMemory {
        let boards = self.boards(of.threads) - 1;
        OwnMemory::split_points(of, of.lines(self.min_depth), true).and_boards(boards)
    }

    fn fits(&self, techniques: &Techniques) -> Result<(), &'static str> {
        if techniques.principal_variation_search {
            return Ok(());
        }
        Err("another searcher expected without principal_variation_search: the tests of jamboree \
             are the null-window searches of that technique. It is also off with \
             root_search = \"mtd-f\" and with alpha_beta = false")
    }
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.depth >= self.min_depth && handed >= self.eldest
    }

    fn boards(&self, workers: usize) -> usize {
        groups(workers, self.workers_per_board)
    }

    fn shares_alpha(&self) -> bool {
        self.shared_alpha
    }

    fn values_in_turn(&self) -> bool {
        true
    }
}
