//! A rating that moves after each game.

use super::{Outcome, expected_score};

/// The K factor: a win that was not expected at all moves a rating by K. Above 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct KFactor(f64);

/// A K that is not a positive, finite number.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("K = {0} found, a number above 0 expected")]
pub struct BadK(pub f64);

impl KFactor {
    /// # Errors
    /// If `k` is not a finite number above 0.
    pub fn new(k: f64) -> Result<KFactor, BadK> {
        if k.is_finite() && k > 0.0 { Ok(KFactor(k)) } else { Err(BadK(k)) }
    }

    /// The factor in Elo.
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The rating before the first and after each of these games, in this order. Each game comes with
/// the opponent's rating, which does not change.
///
/// The rating after a game is `rating + K (points - expected score)` (Elo 1978). Säfström and
/// Yllmark (KTH 2024), with K of 10, 20 and 30, start at 2953 and play their opponents one after
/// the other.
pub fn running(start: f64, k: KFactor, games: &[(f64, Outcome)]) -> Vec<f64> {
    let after = |rating: &mut f64, (opponent, outcome): &(f64, Outcome)| {
        *rating += k.0 * (outcome.points() - expected_score(*rating - opponent));
        Some(*rating)
    };
    std::iter::once(start).chain(games.iter().scan(start, after)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Draw, Loss, Win};

    fn last(start: f64, k: f64, games: &[(f64, Outcome)]) -> f64 {
        let k = KFactor::new(k).expect("above 0");
        *running(start, k, games).last().expect("there is the start")
    }

    /// The example of the English Wikipedia's "Elo rating system": a player rated 1613 against five
    /// opponents, with the expected score against each. There the rating is changed once, by K of
    /// 32, to 1601.
    const PUBLISHED: [(f64, Outcome, f64); 5] = [
        (1609.0, Loss, 0.51),
        (1477.0, Draw, 0.69),
        (1388.0, Win, 0.79),
        (1586.0, Win, 0.54),
        (1720.0, Loss, 0.35),
    ];

    #[test]
    fn agrees_with_a_published_example() {
        let mut once = 1613.0;
        for (opponent, outcome, expected) in PUBLISHED {
            let after = last(1613.0, 32.0, &[(opponent, outcome)]);
            assert!((after - 1613.0 - 32.0 * (outcome.points() - expected)).abs() < 32.0 * 0.006);
            once += after - 1613.0;
        }
        assert!((once - 1601.0).abs() < 0.5, "{once}");
    }

    #[test]
    fn every_step_by_hand() {
        let k = KFactor::new(20.0).expect("above 0");
        let ratings = running(2953.0, k, &[(2953.0, Win), (2563.0, Draw)]);
        assert_eq!(ratings.len(), 3);
        assert!((ratings[1] - 2963.0).abs() < 1e-12);
        // The difference is 400 points: an expected score of 10/11.
        assert!((ratings[2] - (2963.0 + 20.0 * (0.5 - 10.0 / 11.0))).abs() < 1e-9);
        assert!((last(2953.0, 20.0, &[]) - 2953.0).abs() < 1e-12);
    }

    #[test]
    fn the_order_counts() {
        let (weak, strong) = ((2500.0, Loss), (3000.0, Win));
        let (one, other) =
            (last(2953.0, 30.0, &[weak, strong]), last(2953.0, 30.0, &[strong, weak]));
        assert!((one - other).abs() > 0.1);
    }

    #[test]
    fn a_bad_k_is_refused() {
        for k in [0.0, -10.0, f64::NAN, f64::INFINITY] {
            assert!(KFactor::new(k).is_err(), "{k}");
        }
        assert_eq!(BadK(0.0).to_string(), "K = 0 found, a number above 0 expected");
    }
}
