//! The choices of the engine that are more than a switch.

use serde::{Deserialize, Serialize};

/// A set of techniques.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The engine as it plays.
    #[default]
    Default,
    /// Nothing that depends on alpha or the table: every correct searcher returns the same score.
    Exact,
    /// Alpha-beta with move ordering, and nothing else; with `alpha_beta = false` it is minimax.
    Plain,
}

/// How the root is searched to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootSearch {
    /// With an open window, narrow at first if there is aspiration.
    Windows,
    /// With null windows until the bounds meet (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax
    /// algorithms", Artificial Intelligence 87, 1996).
    MtdF,
}

/// The order in which the moves of a node are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveOrder {
    /// By all that is known: the table's move, captures that win, killers, the countermove, the history, captures that
    /// lose. At the root the best moves of the iterations before come first; in the next two orders that of the last.
    Full,
    /// Captures and promotions before quiet moves: the most valuable victim first, taken by the least valuable attacker
    /// (Chess Programming Wiki, "MVV-LVA").
    MvvLva,
    /// By the static evaluation of what they lead to, as if each was searched to depth 1 without quiescence (the MPI
    /// study).
    StaticEvaluation,
    /// As they were generated.
    None,
    /// Random, by the noise of the search and the position.
    Random,
}

/// How the transposition table chooses the entry that gives way to a new one. Those with one place are "new" and "deep" of
/// Breuker, Uiterwijk and van den Herik, "Replacement schemes for transposition tables", ICCA Journal 17(4), 1994.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableScheme {
    /// Of the four in a bucket, the shallowest and oldest (Chess Programming Wiki, "Transposition Table").
    #[default]
    Aged,
    /// The only one in its place, always.
    Always,
    /// The only one in its place, unless it is from a deeper search.
    DepthPreferred,
    /// There is no table.
    None,
}
