//! The running rating of every challenger, game after game.

use crate::matches::{GameRow, Match, outcome};
use crate::report::matches::series::subjects;
use cozy_chess::Color;
use ttd_stats::elo::running::{KFactor, running};
use ttd_stats::elo::{Colour, Outcome};

/// The rating of one challenger with one K.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Run {
    /// The challenger's place among the entries.
    pub(crate) entry: usize,
    /// The K factor: how far one game moves the rating.
    pub(crate) k: f64,
    /// Its games: opponent after opponent in the order of the match; for each, in the order of the
    /// plan.
    pub(crate) games: Vec<RunGame>,
    /// The ratings before the first and after each of these games.
    pub(crate) ratings: Vec<f64>,
}

/// A game as a running rating sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunGame {
    /// Its number in `games.csv`.
    pub(crate) game: usize,
    /// The opponent's place among the entries.
    pub(crate) opponent: usize,
    /// The opponent's rating, which does not change.
    pub(crate) rating: f64,
    /// The challenger's colour.
    pub(crate) colour: Colour,
    /// The result for the challenger.
    pub(crate) outcome: Outcome,
}

impl Run {
    /// The rating after the last game; none before the first.
    pub(crate) fn last(&self) -> Option<f64> {
        self.ratings.last().copied().filter(|_| !self.games.is_empty())
    }
}

/// The ratings, one for each challenger and K of the match; empty if the match has no K.
pub(crate) fn runs(spec: &Match, games: &[GameRow]) -> Vec<Run> {
    let Some(terms) = &spec.running_rating else { return Vec::new() };
    let mut runs = Vec::new();
    for entry in subjects(spec) {
        let games = games_of(spec, entry, games);
        let pairs: Vec<(f64, Outcome)> = games.iter().map(|g| (g.rating, g.outcome)).collect();
        // Resolving the match has refused invalid values of K already.
        for k in terms.k.iter().filter_map(|k| KFactor::new(*k).ok()) {
            let ratings = running(terms.start, k, &pairs);
            runs.push(Run { entry, k: k.get(), games: games.clone(), ratings });
        }
    }
    runs
}

fn games_of(spec: &Match, entry: usize, games: &[GameRow]) -> Vec<RunGame> {
    let name = spec.entries[entry].name.as_str();
    let place = |name: &str| spec.entries.iter().position(|entry| entry.name == name);
    let mut own: Vec<RunGame> = games
        .iter()
        .filter_map(|row| {
            let side = Color::ALL.into_iter().find(|s| row.sides[*s as usize].name == name)?;
            let opponent = place(&row.sides[!side as usize].name)?;
            let rating = spec.entries[opponent].rating?;
            let colour = if side == Color::White { Colour::White } else { Colour::Black };
            Some(RunGame { game: row.game, opponent, rating, colour, outcome: outcome(row, side)? })
        })
        .collect();
    own.sort_by_key(|game| (game.opponent, game.game));
    own
}
