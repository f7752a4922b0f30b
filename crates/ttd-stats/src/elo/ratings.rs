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
mod tests {
    use super::super::simulate::{BALANCED, BIASED, Distribution, LOPSIDED};
    use super::super::{Counts, Difference, Record};
    use super::*;
    use crate::draw::Draw;

    fn record(wins: u64, draws: u64, losses: u64) -> Results {
        let record = Record { wins, draws, losses };
        Results { white: record, unpaired: record, ..Results::default() }
    }

    fn pairs(pairs: [u64; 5]) -> Results {
        // The split into colours does not matter here.
        let pairs = Counts(pairs);
        let points = (2.0 * pairs.points()) as u64;
        let draws = points % 2;
        let white = Record { wins: points / 2, draws, losses: pairs.games() - draws - points / 2 };
        Results { white, pairs, ..Results::default() }
    }

    fn met(first: usize, second: usize, results: Results) -> Encounter {
        Encounter { first, second, results }
    }

    fn elos(ratings: &Ratings) -> Vec<f64> {
        ratings.entries.iter().map(|r| r.elo).collect()
    }

    /// Baseball in the American League, 1987 (Agresti 2002, "Categorical Data Analysis", tables
    /// 10.10 and 10.11). The numbers are the wins of each team against the later ones, of 13 games.
    /// The order is Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    const WINS: [&[u64]; 6] =
        [&[7, 9, 7, 7, 9, 11], &[7, 5, 11, 9, 9], &[7, 7, 8, 12], &[6, 7, 10], &[7, 12], &[6]];

    #[test]
    fn agrees_with_a_published_example() {
        let mut games = Vec::new();
        for (team, row) in WINS.iter().enumerate() {
            for (later, wins) in row.iter().enumerate() {
                games.push(met(team, team + 1 + later, record(*wins, 0, 13 - wins)));
            }
        }
        let found = ratings(&[None; 7], &games).expect("all met");
        let elos = elos(&found);
        assert!(elos.iter().sum::<f64>().abs() < 1e-9);
        // The published figures are in natural units above Baltimore, to two decimals.
        let published = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0.0];
        for (elo, published) in elos.iter().zip(published) {
            let above = (elo - elos[6]) / ELO_PER_NAT;
            assert!((above - published).abs() < 0.005_1, "{above} {published}");
        }
        // The standard error of each from Baltimore is about 0.34 (R's BradleyTerry2 prints 0.33 to
        // 0.34). Baltimore is the anchor from which the others are measured.
        let mut anchors = [None; 7];
        anchors[6] = Some(0.0);
        for rating in &ratings(&anchors, &games).expect("all met").entries[..6] {
            let error = (rating.interval.upper - rating.elo) / Z / ELO_PER_NAT;
            assert!((0.29..0.37).contains(&error), "{error}");
        }
        assert_eq!(found.virtual_pairs, 0);
    }

    #[test]
    fn one_anchor_and_one_entry_are_the_plain_difference() {
        let results = pairs([34, 54, 63, 64, 75]);
        let found = ratings(&[Some(2850.0), None], &[met(1, 0, results)]).expect("they met");
        let plain = Difference::of(&results.pairs).expect("there are games");
        assert!((found.entries[1].elo - 2850.0 - plain.elo).abs() < 1e-6);
        let (own, other) = (found.entries[1].interval, plain.interval);
        let ratio = (own.upper - own.lower) / (other.upper - other.lower);
        assert!((ratio - 1.0).abs() < 0.02, "{ratio}");
        assert_eq!(found.entries[0].interval, Bounds::exact(2850.0));
    }

    #[test]
    fn everybody_has_the_points_that_are_expected() {
        let games = [
            met(0, 2, record(5, 3, 9)),
            met(2, 1, pairs([1, 2, 6, 3, 2])),
            met(3, 2, record(9, 1, 1)),
        ];
        let anchors = [Some(2700.0), Some(2500.0), None, None];
        let found = elos(&ratings(&anchors, &games).expect("connected"));
        for entry in [2, 3] {
            let of = |e: &Encounter| {
                let total = e.results.total();
                let expected = super::super::expected_score(found[e.first] - found[e.second]);
                total.points() - expected * total.games() as f64
            };
            let surplus = |e: &Encounter| match entry {
                _ if e.first == entry => of(e),
                _ if e.second == entry => -of(e),
                _ => 0.0,
            };
            assert!(games.iter().map(surplus).sum::<f64>().abs() < 1e-6, "{entry}");
        }
    }

    /// The figures are from `scripts/elo-reference.py`: `SciPy`'s general optimiser over that
    /// likelihood.
    #[test]
    fn agrees_with_a_general_optimiser() {
        let games = [
            met(0, 2, record(5, 3, 9)),
            met(2, 1, pairs([1, 2, 6, 3, 2])),
            met(3, 2, record(9, 1, 1)),
        ];
        let anchors = [Some(2700.0), Some(2500.0), None, None];
        let found = ratings(&anchors, &games).expect("connected");
        for (entry, elo, half) in [(2, 2633.1224, 106.0551), (3, 2953.7753, 302.5739)] {
            let Rating { elo: own, interval } = found.entries[entry];
            assert!((own - elo).abs() < 1e-3, "{own}");
            assert!((interval.upper - own - half).abs() < 1e-3, "{interval:?}");
        }
    }

    #[test]
    fn who_won_everything_is_rated_with_virtual_draws() {
        let found =
            ratings(&[Some(2850.0), None], &[met(1, 0, record(10, 0, 0))]).expect("they met");
        assert_eq!(found.virtual_pairs, 1);
        // The share is eleven points of twelve.
        let above = super::super::elo_of_score(11.0 / 12.0);
        assert!((found.entries[1].elo - 2850.0 - above).abs() < 1e-6, "{found:?}");
        assert!(found.entries[1].interval.lower > 2850.0);
        // A group that won everything is no better determined.
        let groups =
            [met(0, 1, record(1, 0, 1)), met(2, 3, record(1, 0, 1)), met(0, 2, record(2, 0, 0))];
        let found = ratings(&[None; 4], &groups).expect("connected");
        assert_eq!(found.virtual_pairs, 3);
        assert!(found.entries[1].elo > found.entries[2].elo);
    }

    #[test]
    fn all_draws_leave_a_positive_width() {
        let found = ratings(&[None; 2], &[met(0, 1, record(0, 8, 0))]).expect("they met");
        assert!(found.entries[0].elo.abs() < 1e-9);
        assert!(found.entries[0].interval.upper > 5.0, "{found:?}");
    }

    #[test]
    fn unconnected_entries_are_named() {
        let games = [met(0, 1, record(1, 0, 1)), met(2, 3, record(1, 0, 1))];
        assert_eq!(ratings(&[None; 4], &games), Err(RatingsError::Unconnected { entry: 2 }));
        let anchors = [Some(0.0), None, Some(100.0), None];
        assert!(ratings(&anchors, &games).is_ok());
        let empty = [met(0, 1, Results::default())];
        assert_eq!(ratings(&[None; 2], &empty), Err(RatingsError::Unconnected { entry: 1 }));
    }

    #[test]
    fn anchors_far_from_all_sense_are_refused() {
        let games = [met(0, 1, record(3, 2, 3)), met(2, 3, record(1, 2, 1))];
        let anchors = [Some(2850.0), None, Some(1e6), None];
        assert_eq!(ratings(&anchors, &games), Err(RatingsError::Contradiction));
        // One of the ratings has a digit too many.
        let typo = [Some(2850.0), None, Some(28_500.0), None];
        assert_eq!(ratings(&typo, &games), Err(RatingsError::Contradiction));
        let found = ratings(&[Some(1000.0), None, Some(3500.0), None], &games).expect("found");
        assert!((found.entries[1].elo - 1000.0).abs() < 1e-3, "{found:?}");
        assert!((found.entries[3].elo - 3500.0).abs() < 1e-3, "{found:?}");
    }

    /// The figures are from `scripts/elo-reference.py`.
    #[test]
    fn each_encounter_has_its_own_spread() {
        let even = [0, 3, 24, 3, 0];
        let wild = [12, 2, 2, 2, 12];
        let games = [met(1, 0, pairs(even)), met(2, 0, pairs(wild))];
        let found = ratings(&[Some(0.0), None, None], &games).expect("all met");
        let halves = [1, 2].map(|i: usize| found.entries[i].interval.upper);
        assert!(3.0 * halves[0] < halves[1], "{halves:?}");
        // Nearly as wide as of one encounter alone.
        for (half, counts) in halves.into_iter().zip([even, wild]) {
            let alone = Difference::of(&Counts(counts)).expect("there are games").interval.upper;
            assert!((half / alone - 1.0).abs() < 0.15, "{half} {alone}");
        }
        for (half, reference) in halves.into_iter().zip([32.6496, 116.5824]) {
            assert!((half - reference).abs() < 1e-3, "{half}");
        }
    }

    const TRUTH: [f64; 4] = [2850.0, 2800.0, 2950.0, 3000.0];
    const TOURNAMENTS: usize = 1000;

    /// How many intervals of each entry but the first, an anchor, hold the truth, of round robins
    /// with so many pairs each encounter. The games of the last entry may have other openings.
    fn held(openings: &[f64], of_the_last: &[f64], units: u64) -> [f64; 3] {
        let all = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
        let meetings: Vec<(usize, usize, Distribution<5>)> = all
            .map(|(i, j)| {
                let openings = if j == 3 { of_the_last } else { openings };
                (i, j, Distribution::pairs(TRUTH[i] - TRUTH[j], openings))
            })
            .collect();
        let mut draw = Draw::new(5, 0);
        let mut held = [0; 3];
        for _ in 0..TOURNAMENTS {
            let games: Vec<Encounter> = meetings
                .iter()
                .map(|(i, j, games)| met(*i, *j, pairs(games.counts(&mut draw, units).0)))
                .collect();
            let found = ratings(&[Some(TRUTH[0]), None, None, None], &games).expect("all met");
            for (held, (rating, truth)) in
                held.iter_mut().zip(found.entries[1..].iter().zip(&TRUTH[1..]))
            {
                let Bounds { lower, upper } = rating.interval;
                *held += usize::from(lower <= *truth && *truth <= upper);
            }
        }
        held.map(|held| held as f64 / TOURNAMENTS as f64)
    }

    /// Prints a table of docs/coverage.md.
    #[test]
    fn ratings_over_a_grid() {
        for (words, openings, of_the_last) in [
            ("biased; biased", &BIASED[..], &BIASED[..]),
            ("biased; balanced", &BIASED[..], &BALANCED[..]),
            ("lopsided; balanced", &LOPSIDED[..], &BALANCED[..]),
            ("balanced; lopsided", &BALANCED[..], &LOPSIDED[..]),
        ] {
            for units in [5, 10, 30, 100] {
                let shares = held(openings, of_the_last, units);
                let [b, c, d] = shares.map(|share| 100.0 * share);
                println!("| {words} | {units} | {b:.1} | {c:.1} | {d:.1} |");
                // The limits are three standard deviations of 1,000 to either side.
                let as_said = shares.iter().all(|share| (0.93..=0.97).contains(share));
                assert!(units < 30 || as_said, "{words} {units}: {shares:?}");
            }
        }
    }
}
