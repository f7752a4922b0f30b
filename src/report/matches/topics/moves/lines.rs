//! The columns of `moves.csv`.

use crate::matches::{Effort, efforts};
use crate::report::MatchInput;
use crate::report::columns::columns;

/// An entry that has moved, at one of the fixed depths, if there are any.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    input: &'a MatchInput,
    depth: Option<u8>,
    entry: usize,
    pub(super) effort: Effort,
}

/// Every entry that has moved, depth by depth.
pub(super) fn lines(input: &MatchInput) -> impl Iterator<Item = Line<'_>> {
    let all = efforts(&input.games);
    let entries = 0..input.spec().entries.len();
    let places = input
        .depths()
        .into_iter()
        .flat_map(move |depth| entries.clone().map(move |entry| (depth, entry)));
    places.filter_map(move |(depth, entry)| {
        let effort = *all.get(&(depth, input.name(entry)))?;
        Some(Line { input, depth, entry, effort })
    })
}

/// Who never said how many has none to show.
pub(super) fn said(mean: Option<f64>) -> Option<f64> {
    mean.filter(|mean| *mean > 0.0)
}

columns! {
    /// The columns of `moves.csv`.
    pub(super) fn columns<'a>(of: Line<'a>);

    /// the fixed depth; blank without one
    Whole "depth" = of.depth.map(usize::from), as "fixed depth";
    /// the entry
    Words "entry" = of.input.name(of.entry), as "entry", shown of.input.starred(of.entry);
    /// how many moves it made
    Whole "moves" = of.effort.moves, as "moves";
    /// their mean time on our clock
    Seconds "mean_time_s" = of.effort.mean_time(), as "time a move (s)";
    /// their mean nodes and depth, as far as the engine said them
    Whole "mean_nodes" = said(of.effort.mean_nodes()), as "nodes a move";
    One "mean_depth" = said(of.effort.mean_depth()), as "depth";
}
