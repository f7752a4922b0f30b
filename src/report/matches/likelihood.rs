//! The likeliest ratings of all entries that have played.

use crate::matches::Match;
use crate::report::matches::outcomes::Crosstable;
use ttd_stats::elo::ratings::{Encounter, Rating, RatingsError, ratings};

/// The ratings of a match.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Likeliest {
    /// The ratings in the order of the entries; none for an entry without a game.
    pub(crate) entries: Vec<Option<Rating>>,
    /// The number of anchors among them, whose ratings were given.
    pub(crate) anchors: usize,
    /// The number of virtual pairs of draws that were added.
    pub(crate) virtual_pairs: usize,
}

/// Rates all entries that have played.
///
/// # Errors
/// The reason why there are no ratings, in words.
pub(crate) fn likeliest(spec: &Match, table: &Crosstable) -> Result<Likeliest, String> {
    let names: Vec<&str> = spec.entries.iter().map(|entry| entry.name.as_str()).collect();
    let players: Vec<usize> =
        (0..names.len()).filter(|e| table.played(*e).next().is_some()).collect();
    let anchors: Vec<Option<f64>> = players.iter().map(|e| spec.entries[*e].rating).collect();
    let known = anchors.iter().flatten().count();
    if players.is_empty() {
        return Err("no game has been played".to_owned());
    }
    if known == players.len() {
        return Err("the rating of everybody who has played is given".to_owned());
    }
    let pairs = (0..players.len()).flat_map(|a| (a + 1..players.len()).map(move |b| (a, b)));
    let met = |(first, second): (usize, usize)| Encounter {
        first,
        second,
        results: *table.between(players[first], players[second]),
    };
    let encounters: Vec<Encounter> = pairs.map(met).collect();
    let found = ratings(&anchors, &encounters).map_err(|error| match error {
        RatingsError::Unconnected { entry } => format!(
            "no chain of games joins `{}` to {}",
            names[players[entry]],
            if known > 0 { "an entry whose rating is given" } else { "all others" }
        ),
        RatingsError::Contradiction => {
            "the given ratings are too far from what the games say".to_owned()
        }
    })?;
    let mut entries = vec![None; names.len()];
    for (place, rating) in players.iter().zip(found.entries) {
        entries[*place] = Some(rating);
    }
    Ok(Likeliest { entries, anchors: known, virtual_pairs: found.virtual_pairs })
}
