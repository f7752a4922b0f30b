//! The results of one entry: wins, draws and losses, by colour and in pairs.

use super::{Counts, Pentanomial, Trinomial, Z};
use crate::Bounds;

/// The end of a game, as an entry sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// One point.
    Win,
}

impl Outcome {
    /// The points of it: 0, 1/2 or 1.
    pub const fn points(self) -> f64 {
        self.half_points() as f64 / 2.0
    }

    /// The end of that game, as the opponent sees it.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The number of half points: the place in the declaration.
    const fn half_points(self) -> usize {
        self as usize
    }
}

/// The side that an entry played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Record {
    /// Counts one more game.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// The record as counts by score.
    pub const fn counts(self) -> Trinomial {
        Counts([self.losses, self.draws, self.wins])
    }

    /// The number of all games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of points: a win is one, a draw half of one.
    pub fn points(self) -> f64 {
        self.counts().points()
    }

    /// The points per game, from 0 to 1; none without games. It is the win rate of matches.
    pub fn score(self) -> Option<f64> {
        self.counts().score()
    }

    /// The 95% interval of [`Record::score`], taking games as independent of each other (Wilson
    /// 1927, "Probable inference, the law of succession, and statistical inference"). A draw counts
    /// as half a game won and half a game lost. So the interval is too wide where games are drawn.
    pub fn score_interval(self) -> Option<Bounds> {
        let (rate, games) = (self.score()?, self.games() as f64);
        let weight = 1.0 + Z * Z / games;
        let middle = (rate + Z * Z / (2.0 * games)) / weight;
        let half = Z / weight * (rate * (1.0 - rate) / games + (Z / (2.0 * games)).powi(2)).sqrt();
        // Rounding may step over the ends.
        Some(Bounds { lower: (middle - half).max(0.0), upper: (middle + half).min(1.0) })
    }

    /// The sum of both records.
    #[must_use]
    pub const fn plus(self, other: Record) -> Record {
        Record {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// The record as seen by the opponent.
    #[must_use]
    pub const fn reversed(self) -> Record {
        Record { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

/// The results of one entry, against one opponent or many.
///
/// A game may lack its partner (equal opening, colours reversed). Such a game counts in the records
/// and in [`Results::score`], and in a tournament's ratings. It is no part of the pairs, nor of
/// figures computed from them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Its games with the white pieces.
    pub white: Record,
    /// Its games with the black pieces.
    pub black: Record,
    /// Its finished pairs by points.
    pub pairs: Pentanomial,
    /// Its games outside of finished pairs; they are in `white` or `black` too.
    pub unpaired: Record,
}

impl Results {
    /// Counts the two games of one opening.
    pub fn add_pair(&mut self, as_white: Outcome, as_black: Outcome) {
        self.white.add(as_white);
        self.black.add(as_black);
        self.pairs.0[as_white.half_points() + as_black.half_points()] += 1;
    }

    /// Counts a game without a partner.
    pub fn add_unpaired(&mut self, colour: Colour, outcome: Outcome) {
        match colour {
            Colour::White => self.white.add(outcome),
            Colour::Black => self.black.add(outcome),
        }
        self.unpaired.add(outcome);
    }

    /// The wins, draws and losses with either colour.
    pub const fn total(&self) -> Record {
        self.white.plus(self.black)
    }

    /// The points per game over all games, from 0 to 1; none without games.
    pub fn score(&self) -> Option<f64> {
        self.total().score()
    }

    /// The sum of both results: against several opponents, or in several sittings.
    #[must_use]
    pub fn plus(&self, other: &Results) -> Results {
        Results {
            white: self.white.plus(other.white),
            black: self.black.plus(other.black),
            pairs: self.pairs.plus(&other.pairs),
            unpaired: self.unpaired.plus(other.unpaired),
        }
    }

    /// The results as seen by the opponent, which had the other colour.
    #[must_use]
    pub fn reversed(&self) -> Results {
        Results {
            white: self.black.reversed(),
            black: self.white.reversed(),
            pairs: self.pairs.reversed(),
            unpaired: self.unpaired.reversed(),
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};

    fn some() -> Results {
        let mut results = Results::default();
        results.add_pair(Win, Win);
        results.add_pair(Win, Loss);
        results.add_pair(Draw, Draw);
        results.add_pair(Draw, Loss);
        results.add_unpaired(Colour::Black, Win);
        results
    }

    #[test]
    fn games_are_counted_by_colour_and_pair() {
        let results = some();
        assert_eq!(results.white, Record { wins: 2, draws: 2, losses: 0 });
        assert_eq!(results.black, Record { wins: 2, draws: 1, losses: 2 });
        assert_eq!(results.pairs, Counts([0, 1, 2, 0, 1]));
        assert_eq!(results.total().games(), 9);
        assert_eq!(results.total().points(), 5.5);
        assert_eq!(results.score(), Some(5.5 / 9.0));
        assert_eq!(results.total().score(), Some(5.5 / 9.0));
        assert_eq!(results.pairs.points(), 4.5);
    }

    #[test]
    fn the_opponent_has_the_rest() {
        let results = some();
        let other = results.reversed();
        assert_eq!(other.white, Record { wins: 2, draws: 1, losses: 2 });
        assert_eq!(other.total().points() + results.total().points(), 9.0);
        assert_eq!(other.reversed(), results);
        assert_eq!(results.plus(&other).score(), Some(0.5));
        assert_eq!((Win.reversed(), Draw.reversed(), Loss.points()), (Loss, Draw, 0.0));
    }

    #[test]
    fn nothing_played() {
        assert_eq!(Results::default().score(), None);
        assert_eq!(Record::default().score(), None);
        assert_eq!(Record::default().score_interval(), None);
    }

    /// The figures are from Newcombe 1998 ("Two-sided confidence intervals for the single
    /// proportion", table I, method 3).
    #[test]
    fn agrees_with_published_intervals_of_a_proportion() {
        let published = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (wins, games, lower, upper) in published {
            let record = Record { wins, draws: 0, losses: games - wins };
            let own = record.score_interval().expect("there are games");
            assert!((own.lower - lower).abs() < 5.1e-5, "{own:?}");
            assert!((own.upper - upper).abs() < 5.1e-5, "{own:?}");
            // Two draws are a game won and a game lost.
            let wins_or_losses = wins.min(games - wins);
            let (wins, losses) = (wins - wins_or_losses, games - wins - wins_or_losses);
            let drawn = Record { wins, draws: 2 * wins_or_losses, losses };
            assert_eq!(drawn.score_interval(), Some(own));
        }
    }
}
