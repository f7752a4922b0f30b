//! A searcher of one's own in a program with the whole command line of `ttd`. Its workers share the
//! nodes where no cutoff is expected, and only these.
//!
//!     cargo run --release --example own_searcher -- run --searchers all-splitting,ybwc

use std::process::ExitCode;
use ttd_search::search::{Node, NodeKind};
use ttd_search::searchers::{
    Algorithm, Holding, MOST_DEPTH, MOST_MOVES, Ran, Rule, Search, Searcher, Sharing, share_nodes,
};
use ttd_search::settings;

settings! { "all-splitting";
    about: "Splitting where all moves are expected to be searched.";
    source: "An example of this program.";
    /// Least depth of a split point, plies.
    min_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Eldest brothers that are searched before the others are shared.
    eldest: usize = 0, from 0, to MOST_MOVES;
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
}

impl Rule for Settings {
    fn may_share(&self, node: &Node, handed: usize) -> bool {
        node.kind == NodeKind::All && node.depth >= self.min_depth && handed >= self.eldest
    }

    fn shares_alpha(&self) -> bool {
        true
    }
}

fn main() -> ExitCode {
    ttd::main_with(&[Searcher::new(&Settings::DEFAULT)])
}
