//! The ratings of entries: the likeliest ones of all, the running ones of challengers, and both by
//! threads with their trends.

use crate::matches::{GameRow, Match, outcome};
use crate::report::matches::outcomes::Crosstable;
use crate::report::matches::series::Series;
use crate::report::matches::series::subjects;
use crate::report::numbers::fixed;
use cozy_chess::Color;
use ttd_stats::Bounds;
use ttd_stats::elo::ratings::{Encounter, Rating, RatingsError, ratings};
use ttd_stats::elo::running::{KFactor, running};
use ttd_stats::elo::trend::Trend;
use ttd_stats::elo::{Colour, Outcome};

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

/// The kind of a rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scale {
    /// The likeliest rating.
    Likelihood,
    /// The running rating with this K.
    Running(f64),
}

impl Scale {
    /// The kind in words.
    pub(crate) fn words(self) -> String {
        match self {
            Scale::Likelihood => "likeliest rating".to_owned(),
            Scale::Running(k) => format!("running rating, K = {k}"),
        }
    }
}

/// A rating of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rated {
    /// The entry's threads.
    pub(crate) threads: usize,
    /// In Elo.
    pub(crate) elo: f64,
    /// Its 95% interval, if it has one.
    pub(crate) interval: Option<Bounds>,
}

/// The ratings of a series.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RatingLine {
    /// The series' name.
    pub(crate) series: String,
    /// The number of its look in charts.
    pub(crate) look: usize,
    /// The kind of the ratings.
    pub(crate) scale: Scale,
    /// The ratings, by threads ascending.
    pub(crate) points: Vec<Rated>,
    /// The logarithmic trend; none with fewer than three thread counts.
    pub(crate) trend: Option<Trend>,
}

impl RatingLine {
    pub(crate) fn new(series: &Series, scale: Scale, points: Vec<Rated>) -> RatingLine {
        let ratings: Vec<(usize, f64)> = points.iter().map(|p| (p.threads, p.elo)).collect();
        let trend = Trend::of(&ratings);
        let Series { name, look, .. } = series;
        RatingLine { series: name.clone(), look: *look, scale, points, trend }
    }

    /// The trend as a formula: `36.789 ln N + 3028.5 (R² 0.9988)`.
    pub(crate) fn formula(&self) -> Option<String> {
        let trend = self.trend?;
        let sign = if trend.intercept < 0.0 { "−" } else { "+" };
        let r_squared =
            trend.r_squared.map_or_else(String::new, |r| format!(" (R² {})", fixed(r, 4)));
        let (slope, intercept) = (fixed(trend.slope, 3), fixed(trend.intercept.abs(), 1));
        Some(format!("{slope} ln N {sign} {intercept}{r_squared}"))
    }
}

/// The ratings of every series, on every scale that the match has.
pub(crate) fn lines(
    spec: &Match,
    series: &[Series],
    runs: &[Run],
    likeliest: Option<&Likeliest>,
) -> Vec<RatingLine> {
    let ks = spec.running_rating.as_ref().map_or(&[][..], |terms| &terms.k);
    let scales = likeliest.map(|_| Scale::Likelihood).into_iter();
    let scales = scales.chain(ks.iter().copied().map(Scale::Running));
    let rating = |scale: Scale, entry: usize| {
        let (elo, interval) = match scale {
            Scale::Likelihood => {
                let rating = likeliest?.entries[entry]?;
                (rating.elo, Some(rating.interval))
            }
            Scale::Running(k) => {
                let run = runs.iter().find(|r| r.entry == entry && r.k.total_cmp(&k).is_eq())?;
                (run.last()?, None)
            }
        };
        Some(Rated { threads: spec.entries[entry].threads, elo, interval })
    };
    let mut lines = Vec::new();
    for scale in scales {
        for of in series {
            let points = of.entries.iter().filter_map(|e| rating(scale, *e)).collect();
            lines.push(RatingLine::new(of, scale, points));
        }
    }
    lines
}
