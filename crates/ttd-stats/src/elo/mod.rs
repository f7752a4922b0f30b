//! Playing strength from the results of games.
//!
//! Ratings are on Elo's logistic scale: 400 points more are ten times the odds of the expected
//! score (Elo 1978, "The Rating of Chessplayers"). A draw is half a point. Every interval is one of
//! 95%.
//!
//! | module | what it holds |
//! |---|---|
//! | [`counts`] | counts by score: single games (trinomial), game pairs (pentanomial) |
//! | [`results`] | wins, draws and losses of one entry, by colour and in pairs |
//! | [`difference`] | the Elo difference of two entries, its interval, and normalised Elo |
//! | [`sprt`] | whether a match can stop: the sequential probability ratio test |
//! | [`ratings`] | ratings of all entries of a tournament at once, some of them anchors |
//! | [`running`] | a rating that moves after each game |
//! | [`trend`] | ratings by threads, and the gain of each doubling |
//! | `multinomial`, `logistic` | the likeliest distribution of scores; their regression |
//! | `region` | the distributions of scores that counts do not refute |
//! | [`effective_speedup`] | the time factor with which one thread is as strong as N threads |

pub mod counts;
pub mod difference;
pub mod effective_speedup;
mod logistic;
mod multinomial;
pub mod ratings;
mod region;
pub mod results;
pub mod running;
#[cfg(test)]
mod simulate;
pub mod sprt;
pub mod trend;

pub use counts::{Counts, Pentanomial, Trinomial};
pub use difference::Difference;
pub use results::{Colour, Outcome, Record, Results};

/// Elo points for each factor of e in the odds of the expected score: `400 / ln 10`.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The normal quantile of a two-sided interval of 95%.
const Z: f64 = 1.959_963_984_540_054;

/// The expected score, from 0 to 1, of an entry rated `difference` Elo above its opponent:
/// `1 / (1 + 10^(-difference / 400))`.
pub fn expected_score(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference / ELO_PER_NAT).exp())
}

/// The Elo difference at which this score (0 to 1) is expected: `-400 log10(1/score - 1)`. Infinite
/// for a score of 0 or 1.
pub fn elo_of_score(score: f64) -> f64 {
    ELO_PER_NAT * (score.ln() - (1.0 - score).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_differences_are_inverse() {
        // 400 points are odds of ten to one.
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
        assert!((elo_of_score(0.75) - 190.848_5).abs() < 1e-4);
        for elo in [-800.0, -35.5, 0.0, 2.0, 600.0] {
            assert!((elo_of_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert!(elo_of_score(1.0).is_infinite() && elo_of_score(0.0) < 0.0);
    }
}
