//! Ratings of all entries of a tournament at once.
//!
//! They are the ratings at which the results are likeliest. The model expects A to score
//! `1 / (1 + 10^((B - A) / 400))` points in a game against B (Zermelo 1929; Bradley and Terry
//! 1952). Draws are half points, as in Ordo. Equivalently, the expected points of every entry are
//! the points that it has.

use super::logistic::{Row, fit};
use super::{ELO_PER_NAT, Results, Z};
use crate::Bounds;

/// The games of two entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// One entry, by its number from 0.
    pub first: usize,
    /// The other entry, by its number.
    pub second: usize,
    /// The results of the first entry.
    pub results: Results,
}

/// The rating of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating in Elo.
    pub elo: f64,
    /// The 95% interval of the rating; of an anchor both ends are its rating.
    pub interval: Bounds,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// The ratings, in the order of the entries.
    pub entries: Vec<Rating>,
    /// The number of virtual pairs of two draws that were added; see [`ratings`].
    pub virtual_pairs: usize,
}

/// The reason why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingsError {
    /// No chain of games joins an entry to the anchors, or to the first entry where there are none.
    #[error("entry {entry} has no chain of games to the others")]
    Unconnected {
        /// The number of that entry, from 0.
        entry: usize,
    },
    /// The anchors are so far apart that no games could tell what lies between.
    #[error("the ratings of the anchors are too far from the results of the games")]
    Contradiction,
}

/// The likeliest ratings of the entries. An entry is an anchor if a rating is given for it. Without
/// anchors the mean of the ratings is 0.
///
/// Intervals are 1.96 standard errors to either side. The errors are from the sandwich by pairs, so
/// that each encounter has the spread of its own pairs (see `logistic.rs`). Without anchors they
/// are of the distance from the mean.
///
/// No finite rating is the likeliest if an entry won or lost every point against all others. That
/// holds also for a group against all entries outside of it. Then one virtual pair of two draws is
/// added to every encounter; it counts as any other pair.
///
/// # Errors
/// If the games do not connect all entries, counting all anchors as connected, or if the anchors'
/// ratings are many thousands of points apart.
///
/// # Panics
/// If an encounter names an entry that has no place in `anchors`.
pub fn ratings(anchors: &[Option<f64>], encounters: &[Encounter]) -> Result<Ratings, RatingsError> {
    let games: Vec<&Encounter> =
        encounters.iter().filter(|e| e.results.total().games() > 0).collect();
    let fixed = Fixed::new(anchors);
    let every = |e: &Encounter| [Some((e.first, e.second)), Some((e.second, e.first))];
    if let Some(entry) = fixed.unreached(games.iter().map(|e| every(e))) {
        return Err(RatingsError::Unconnected { entry });
    }
    let won = |e: &Encounter| {
        let (own, other) = (e.results.total().points(), e.results.reversed().total().points());
        [(own > 0.0).then_some((e.first, e.second)), (other > 0.0).then_some((e.second, e.first))]
    };
    let lost = |e: &Encounter| won(e).map(|edge| edge.map(|(winner, loser)| (loser, winner)));
    let determined = fixed.unreached(games.iter().map(|e| won(e))).is_none()
        && fixed.unreached(games.iter().map(|e| lost(e))).is_none();
    let virtual_pairs = if determined { 0 } else { games.len() };
    let drawn = |e: &&Encounter| Row::virtual_pair(fixed.terms(e), fixed.offset(e), 1.0);
    let drawn = games.iter().take(virtual_pairs).map(drawn);
    let rows: Vec<Row> = games.iter().flat_map(|e| fixed.rows(e)).chain(drawn).collect();
    let regression = fit(&rows, fixed.free())
        // Connected entries that all won and lost determine their ratings, but for rounding.
        .ok_or(RatingsError::Contradiction)?;
    let entries = fixed.entries(&regression.coefficients, &regression.covariance);
    Ok(Ratings { entries, virtual_pairs })
}

/// The ratings that stay while the others are fitted.
struct Fixed<'a> {
    anchors: &'a [Option<f64>],
    /// The zero of the fitted ratings: the mean of the anchors.
    origin: f64,
    /// The place of each entry among the fitted ones; none for anchors. Without any anchor the
    /// first entry has none.
    places: Vec<Option<usize>>,
}

impl Fixed<'_> {
    fn new(anchors: &[Option<f64>]) -> Fixed<'_> {
        let known: Vec<f64> = anchors.iter().copied().flatten().collect();
        let fixed = |i: usize| anchors[i].is_some() || (known.is_empty() && i == 0);
        let mut free = 0;
        let place = |i: usize| {
            if fixed(i) {
                return None;
            }
            free += 1;
            Some(free - 1)
        };
        Fixed {
            anchors,
            origin: known.iter().sum::<f64>() / known.len().max(1) as f64,
            places: (0..anchors.len()).map(place).collect(),
        }
    }

    fn free(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// The first entry that no chain of these edges reaches from the fixed ones.
    fn unreached(&self, edges: impl Iterator<Item = [Option<(usize, usize)>; 2]>) -> Option<usize> {
        let edges: Vec<(usize, usize)> = edges.flatten().flatten().collect();
        let mut reached: Vec<bool> = self.places.iter().map(Option::is_none).collect();
        // A chain has at most as many links as there are entries.
        for _ in 0..reached.len() {
            for &(from, to) in &edges {
                reached[to] |= reached[from];
            }
        }
        reached.iter().position(|r| !r)
    }

    /// The rating of an entry in natural units, from the origin; 0 for those that are fitted.
    fn known(&self, entry: usize) -> f64 {
        self.anchors[entry].map_or(0.0, |elo| (elo - self.origin) / ELO_PER_NAT)
    }

    fn terms(&self, encounter: &Encounter) -> Vec<f64> {
        let mut terms = vec![0.0; self.free()];
        for (entry, sign) in [(encounter.first, 1.0), (encounter.second, -1.0)] {
            if let Some(place) = self.places[entry] {
                terms[place] += sign;
            }
        }
        terms
    }

    fn offset(&self, encounter: &Encounter) -> f64 {
        self.known(encounter.first) - self.known(encounter.second)
    }

    fn rows(&self, encounter: &Encounter) -> [Row; 2] {
        let (terms, offset) = (self.terms(encounter), self.offset(encounter));
        let Results { pairs, unpaired, .. } = &encounter.results;
        [Row::new(terms.clone(), offset, pairs), Row::new(terms, offset, &unpaired.counts())]
    }

    fn entries(&self, fitted: &[f64], covariance: &[Vec<f64>]) -> Vec<Rating> {
        let n = self.places.len() as f64;
        let anchored = self.anchors.iter().any(Option::is_some);
        // Without anchors every rating is relative to the mean. The first entry's is 0 and known.
        let share = if anchored { 0.0 } else { 1.0 / n };
        let mean = share * fitted.iter().sum::<f64>();
        let mean_variance = share * share * covariance.iter().flatten().sum::<f64>();
        let rating = |(entry, place): (usize, &Option<usize>)| {
            let own = place.map_or(self.known(entry), |p| fitted[p]);
            let with_mean = place.map_or(0.0, |p| share * covariance[p].iter().sum::<f64>());
            let variance =
                place.map_or(0.0, |p| covariance[p][p]) - 2.0 * with_mean + mean_variance;
            let elo = self.origin + ELO_PER_NAT * (own - mean);
            let half = Z * ELO_PER_NAT * variance.max(0.0).sqrt();
            Rating { elo, interval: Bounds { lower: elo - half, upper: elo + half } }
        };
        self.places.iter().enumerate().map(rating).collect()
    }
}

#[cfg(test)]
mod tests;
