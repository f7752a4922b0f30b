//! Ratings with known figures, and how often their intervals hold.

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
    let games =
        [met(0, 2, record(5, 3, 9)), met(2, 1, pairs([1, 2, 6, 3, 2])), met(3, 2, record(9, 1, 1))];
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
    let games =
        [met(0, 2, record(5, 3, 9)), met(2, 1, pairs([1, 2, 6, 3, 2])), met(3, 2, record(9, 1, 1))];
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
    let found = ratings(&[Some(2850.0), None], &[met(1, 0, record(10, 0, 0))]).expect("they met");
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
