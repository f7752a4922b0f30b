//! Games of known strength, for the tests.

use super::counts::{games_a_unit, score_at};
use super::{Counts, ELO_PER_NAT, Trinomial, expected_score};
use crate::draw::Draw;

/// The openings of simulated pairs: the advantage of one side in Elo, for each kind of opening.
pub(super) const BALANCED: [f64; 1] = [0.0];
pub(super) const BIASED: [f64; 2] = [300.0, 100.0];
pub(super) const LOPSIDED: [f64; 1] = [600.0];

/// The Elo by which one side must exceed the other to win half of its games (as in `BayesElo`).
const DRAW_ELO: f64 = 150.0;

/// A distribution of scores to draw from.
pub(super) struct Distribution<const N: usize> {
    cumulative: [f64; N],
}

impl Distribution<3> {
    /// Independent games of an entry that is stronger by `elo`.
    pub(super) fn games(elo: f64) -> Self {
        Distribution::new(game(calibrated(elo, game)))
    }
}

impl Distribution<5> {
    /// Pairs of games of an entry that is stronger by `elo`, over all of these openings.
    pub(super) fn pairs(elo: f64, openings: &[f64]) -> Self {
        let model = |own: f64| {
            let mut all = [0.0; 5];
            for bias in openings {
                let one = pair(game(own + bias), game(own - bias));
                all.iter_mut().zip(one).for_each(|(sum, p)| *sum += p / openings.len() as f64);
            }
            all
        };
        Distribution::new(model(calibrated(elo, model)))
    }
}

impl<const N: usize> Distribution<N> {
    fn new(probabilities: [f64; N]) -> Self {
        let mut sum = 0.0;
        let cumulative = probabilities.map(|p| {
            sum += p;
            sum
        });
        Distribution { cumulative }
    }

    /// The true normalised Elo (see [`super::Difference::normalised`]).
    pub(super) fn normalised(&self) -> f64 {
        let below = |i: usize| if i == 0 { 0.0 } else { self.cumulative[i - 1] };
        let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
            (0..N).map(|i| (self.cumulative[i] - below(i)) * of(score_at::<N>(i))).sum()
        };
        let mean = mean_of(&|score| score);
        let variance = mean_of(&|score| (score - mean).powi(2));
        2.0 * ELO_PER_NAT * (mean - 0.5) / (variance * games_a_unit::<N>() as f64).sqrt()
    }

    /// The score of the next unit, by its place.
    pub(super) fn unit(&self, draw: &mut Draw) -> usize {
        const STEPS: usize = 1 << 30;
        let at = draw.below(STEPS) as f64 / STEPS as f64;
        self.cumulative.iter().position(|sum| at < *sum).unwrap_or(N - 1)
    }

    /// The counts of this number of units.
    pub(super) fn counts(&self, draw: &mut Draw, units: u64) -> Counts<N> {
        let mut counts = Counts::default();
        for _ in 0..units {
            counts.0[self.unit(draw)] += 1;
        }
        counts
    }
}

/// The single games of pairs from biased openings, between equals.
pub(super) fn games_of_biased_pairs(draw: &mut Draw, pairs: u64) -> Trinomial {
    let kinds = BIASED.map(|bias| [bias, -bias].map(|own| Distribution::new(game(own))));
    let mut counts = Trinomial::default();
    for _ in 0..pairs {
        for game in &kinds[draw.below(kinds.len())] {
            counts.0[game.unit(draw)] += 1;
        }
    }
    counts
}

/// All ways in which this number of pairs can end.
pub(super) fn all_pairs(pairs: u64) -> Vec<[u64; 5]> {
    let mut all = Vec::new();
    for a in 0..=pairs {
        for b in 0..=pairs - a {
            for c in 0..=pairs - a - b {
                for d in 0..=pairs - a - b - c {
                    all.push([a, b, c, d, pairs - a - b - c - d]);
                }
            }
        }
    }
    all
}

/// These pairs with one of them better by half a point, in every way.
pub(super) fn improved(pairs: [u64; 5]) -> Vec<[u64; 5]> {
    let better = |from: usize| {
        let mut better = pairs;
        better[from] -= 1;
        better[from + 1] += 1;
        better
    };
    (0..4).filter(|from| pairs[*from] > 0).map(better).collect()
}

/// Losses, draws and wins of a game at this difference.
fn game(elo: f64) -> [f64; 3] {
    let (win, loss) = (expected_score(elo - DRAW_ELO), expected_score(-elo - DRAW_ELO));
    [loss, 1.0 - win - loss, win]
}

fn pair(white: [f64; 3], black: [f64; 3]) -> [f64; 5] {
    let mut both = [0.0; 5];
    for (i, w) in white.iter().enumerate() {
        for (j, b) in black.iter().enumerate() {
            both[i + j] += w * b;
        }
    }
    both
}

/// The model's own difference at which the expected score is the one of `elo` on the logistic
/// scale.
fn calibrated<const N: usize>(elo: f64, model: impl Fn(f64) -> [f64; N]) -> f64 {
    let mean = |own: f64| model(own).iter().enumerate().map(|(i, p)| score_at::<N>(i) * p).sum();
    let wanted = expected_score(elo);
    let (mut low, mut high) = (-3000.0, 3000.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let score: f64 = mean(middle);
        if score < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
