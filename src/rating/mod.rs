//! Ratings from games that anyone played.
//!
//! | file | what it holds |
//! |---|---|
//! | `tournament` | the results of all players against each other, in pairs where these are seen |

mod tournament;

use std::collections::HashMap;
pub use tournament::Tournament;
use ttd_stats::elo::Results;
use ttd_stats::elo::ratings::{Encounter, Rating, RatingsError, ratings};

/// The most players that are rated at once: the work grows with the cube of their number.
const MOST_PLAYERS: usize = 500;

/// A player, its results, and its rating.
#[derive(Clone, Debug)]
pub struct RatedPlayer {
    /// The name.
    pub name: String,
    /// The results against all others.
    pub results: Results,
    /// The rating; none if no chain of games joins the player to the rated ones.
    pub rating: Option<Rating>,
}

/// The players of a tournament, the best first.
#[derive(Clone, Debug)]
pub struct Rated {
    /// The players.
    pub players: Vec<RatedPlayer>,
    /// The number of virtual draws that were added, since someone won or lost everything.
    pub virtual_pairs: usize,
    /// The reason why nobody has a rating, if that is so.
    pub unrated: Option<String>,
}

/// Rates the players of a tournament. `anchors` are ratings that are known, by name. Without any,
/// the mean is 0. Of players that are not joined by games, the group with the most games is rated.
pub fn rate(tournament: &mut Tournament, anchors: &[(String, f64)]) -> Rated {
    let encounters = tournament.encounters().clone();
    let names = tournament.names();
    let mut results = vec![Results::default(); names.len()];
    for (&(first, second), result) in &encounters {
        results[first] = results[first].plus(result);
        results[second] = results[second].plus(&result.reversed());
    }
    let group = largest_group(names.len(), encounters.keys().copied(), &results);
    let places: HashMap<usize, usize> = group.iter().copied().zip(0..).collect();
    let place = |player: &usize| places.get(player).copied();
    let games = encounters.iter().filter_map(|(&(first, second), &results)| {
        Some(Encounter { first: place(&first)?, second: place(&second)?, results })
    });
    let games: Vec<Encounter> = games.collect();
    let known = |player: &usize| {
        anchors.iter().find(|(name, _)| *name == names[*player]).map(|(_, rating)| *rating)
    };
    let anchors: Vec<Option<f64>> = group.iter().map(known).collect();
    let found = if group.len() > MOST_PLAYERS {
        let players = group.len();
        Err(format!("{players} players found, at most {MOST_PLAYERS} expected for ratings"))
    } else {
        ratings(&anchors, &games).map_err(|error: RatingsError| error.to_string())
    };
    let (entries, virtual_pairs) =
        found.as_ref().map_or((&[][..], 0), |found| (&found.entries, found.virtual_pairs));
    let rating = |player: usize| entries.get(place(&player)?).copied();
    let players = names.iter().zip(results).enumerate();
    let mut players: Vec<RatedPlayer> = players
        .map(|(player, (name, results))| RatedPlayer {
            name: name.clone(),
            results,
            rating: rating(player),
        })
        .collect();
    let elo = |player: &RatedPlayer| player.rating.map_or(f64::NEG_INFINITY, |rating| rating.elo);
    players.sort_by(|a, b| elo(b).total_cmp(&elo(a)).then_with(|| a.name.cmp(&b.name)));
    Rated { players, virtual_pairs, unrated: found.err().filter(|_| !group.is_empty()) }
}

/// The players of the group with the most games that chains of games join, ascending.
fn largest_group(
    players: usize,
    edges: impl Iterator<Item = (usize, usize)>,
    results: &[Results],
) -> Vec<usize> {
    let mut heads: Vec<usize> = (0..players).collect();
    let head = |heads: &mut Vec<usize>, mut player: usize| {
        while heads[player] != player {
            heads[player] = heads[heads[player]];
            player = heads[player];
        }
        player
    };
    for (first, second) in edges {
        let (first, second) = (head(&mut heads, first), head(&mut heads, second));
        heads[first.max(second)] = first.min(second);
    }
    let of: Vec<usize> = (0..players).map(|player| head(&mut heads, player)).collect();
    let mut games = vec![0; players];
    for (player, &head) in of.iter().enumerate() {
        games[head] += results[player].total().games();
    }
    let Some(largest) = (0..players).rev().max_by_key(|&head| games[head]) else {
        return Vec::new();
    };
    (0..players).filter(|&player| of[player] == largest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tournament(games: &[(&str, &str, &str)]) -> Tournament {
        let mut tournament = Tournament::default();
        for (white, black, result) in games {
            let text = format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{result}\n");
            tournament.read(text.as_bytes()).expect("it is read");
        }
        tournament
    }

    #[test]
    fn three_quarters_of_the_points_are_191_elo() {
        let games = [("a", "b", "1-0"), ("b", "a", "0-1"), ("a", "b", "1-0"), ("b", "a", "1-0")];
        let rated = rate(&mut tournament(&games), &[]);
        let elo = |at: usize| rated.players[at].rating.expect("rated").elo;
        assert_eq!(rated.players[0].name, "a");
        assert!((elo(0) - elo(1) - 190.85).abs() < 0.1 && (elo(0) + elo(1)).abs() < 1e-6);
        let rated = rate(&mut tournament(&games), &[("b".to_owned(), 2800.0)]);
        assert!((rated.players[0].rating.expect("rated").elo - 2990.85).abs() < 0.1);
    }

    #[test]
    fn who_is_not_joined_to_the_others_has_no_rating() {
        let games = [("a", "b", "1-0"), ("x", "y", "0-1"), ("b", "c", "1/2-1/2")];
        let rated = rate(&mut tournament(&games), &[]);
        let rating: Vec<bool> = rated.players.iter().map(|p| p.rating.is_some()).collect();
        assert_eq!(rating, [true, true, true, false, false]);
        assert!(rated.virtual_pairs > 0 && rated.unrated.is_none());
        assert!(rate(&mut Tournament::default(), &[]).players.is_empty());
    }
}
