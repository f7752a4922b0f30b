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
//! | `scale` | Elo's logistic scale |
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
mod scale;
#[cfg(test)]
mod simulate;
pub mod sprt;
pub mod trend;

pub use counts::{Counts, Pentanomial, Trinomial};
pub use difference::Difference;
pub use results::{Colour, Outcome, Record, Results};
pub use scale::{elo_of_score, expected_score};

use scale::{ELO_PER_NAT, Z};
