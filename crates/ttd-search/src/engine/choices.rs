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
    /// Alpha-beta with move ordering, and nothing else. With `alpha_beta = false` it is minimax.
    Plain,
}

/// The way in which the root is searched to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootSearch {
    /// With an open window. With aspiration the window is narrow at first.
    Windows,
    /// By MTD(f): null windows until the bounds meet.
    ///
    /// Source: Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms",
    /// Artificial Intelligence 87, 1996.
    MtdF,
}

/// The values of the pieces in the static evaluation. Exchanges keep their own
/// ([`super::PIECE_VALUES`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PieceValues {
    /// The values of the evaluation itself: the tuned ones, or 1, 3, 3, 5 and 9 pawns.
    #[default]
    Own,
    /// 1, 2.7, 2.9, 4.3 and 8.9 pawns.
    ///
    /// Source: Droste and Fürnkranz, "Learning the piece values for three chess variants", ICGA
    /// Journal 31(4), 2008, as Pokharel's review quotes it.
    DrosteFuernkranz,
}

/// The order in which the moves of a node are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveOrder {
    /// The table's move, captures that win, killers, the countermove, quiet moves by history,
    /// captures that lose.
    ///
    /// At the root the best moves of earlier iterations come first. The two orders below begin the
    /// root with the best move of the last iteration only.
    Full,
    /// Captures and promotions before quiet moves: the most valuable victim first, taken by the
    /// least valuable attacker (Chess Programming Wiki, "MVV-LVA").
    MvvLva,
    /// By the static evaluation of the position after each move (the MPI study). That is a search
    /// of each move to depth 1 without quiescence.
    StaticEvaluation,
    /// As the generator makes them.
    None,
    /// At random, by the noise of the search and the position.
    Random,
}

/// The way in which the transposition table chooses the entry that gives way to a new one.
///
/// [`TableScheme::Always`] and [`TableScheme::DepthPreferred`] are "new" and "deep". Source:
/// Breuker, Uiterwijk and van den Herik, "Replacement schemes for transposition tables", ICCA
/// Journal 17(4), 1994.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableScheme {
    /// Of the four entries in a bucket, the shallowest and oldest (Chess Programming Wiki,
    /// "Transposition Table").
    #[default]
    #[serde(alias = "aged-4")]
    Aged,
    /// The scheme of [`TableScheme::Aged`], with one place. A deep entry of this search stays.
    #[serde(rename = "aged-1", alias = "aged-one-way")]
    AgedOneWay,
    /// The scheme of [`TableScheme::Aged`], with two of the four entries for a position.
    #[serde(rename = "aged-2", alias = "aged-two-ways")]
    AgedTwoWays,
    /// The scheme of [`TableScheme::Aged`], with the eight entries of two buckets for a position.
    #[serde(rename = "aged-8")]
    AgedEightWays,
    /// The only entry in its place, always.
    Always,
    /// The only entry in its place, unless it is from a deeper search.
    DepthPreferred,
    /// There is no table.
    None,
}
