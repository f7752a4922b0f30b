//! The parameters of Lazy SMP.

use super::stagger::Stagger;
use crate::searchers::{Holding, MOST_DEPTH};
use crate::settings;
use serde::{Deserialize, Serialize};

settings! { "lazy-smp";
    about: "Lazy SMP: every worker searches the same root by itself. Workers help one another \
            only through the transposition table, and because not all are at one depth.";
    source: "Described by D. Homan (EXchess). M. Sedlak (Cheng) and E. Østensen's thesis, Oslo \
             2016, have helpers for each iteration.";
    /// The way in which helpers follow the main worker.
    helpers: Helpers = Helpers::Independent;
    /// The first iteration in which helpers take part, with helpers per iteration.
    helpers_from: i32 = 1, from 1, to MOST_DEPTH;
    /// Whether helpers per iteration start again when the main worker's window fails. If not, they
    /// go on with the first window until the iteration ends.
    restart: bool = true;
    /// The number of plies by which helpers are ahead of the main worker.
    stagger: Stagger = Stagger::Alternate;
    /// Whether a helper may search deeper than the depth asked for.
    past_depth: bool = false;
    /// The order in which a helper takes the root's moves at first.
    root_order: RootOrder = RootOrder::Rotated;
    /// The worker that ends a search.
    end: End = End::First;
    /// Least depth at which a move that another worker is searching is put off, plies. It is
    /// searched when the other moves of its node are done. The studies' Lazy SMP has no such
    /// rule: 100 switches it off.
    put_off_depth: i32 = 4, from 1, to MOST_DEPTH;
    /// Least depth of a node where no cutoff is expected at which each helper begins with a move of
    /// its own, plies.
    spread_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// Least depth of a node that is left when another worker has decided it meanwhile, plies.
    look_again_depth: i32 = 100, from 1, to MOST_DEPTH;
    /// The worker whose best move is the search's.
    best_move: BestMove = BestMove::First;
    /// The sharing of the table's entries.
    table: Holding = Holding::Shared;
    /// The sharing of the killers: the quiet moves that cut off lately.
    killers: Holding = Holding::Private;
    /// The sharing of the quiet moves' history. Its older name is `shared_history`.
    history or "shared_history": Holding = Holding::Private;
    /// The sharing of the quiet moves' pawn records, where the engine has them (`[engine]
    /// pawn_history`). With a shared history they are shared too.
    pawn_history: Holding = Holding::Shared;
}

/// The way in which helpers follow the main worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Helpers {
    /// Each deepens on its own.
    Independent,
    /// They are started and stopped with each of the main worker's searches of the root, with its
    /// window and root moves.
    PerIteration,
}

/// The worker that ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The main worker.
    Main,
    /// The first worker to finish the depth; with helpers per iteration, also every iteration.
    First,
}

/// The worker whose best move is the search's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BestMove {
    /// The worker that ended the search.
    First,
    /// All workers: each votes by the depth and the score that it has reached.
    Vote,
}

/// The order in which a helper takes the root's moves at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootOrder {
    /// The order of the main worker.
    Same,
    /// The order of the main worker, begun at another move by each helper.
    Rotated,
    /// A random order, by the sample's seed.
    Shuffled,
}
