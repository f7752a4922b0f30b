//! Ratings from games that anyone played.
//!
//! | file | what it holds |
//! |---|---|
//! | `tournament` | the results of all players against each other, in pairs where these are seen |
//! | `rated` | the ratings of a tournament |

mod rated;
mod tournament;

pub use rated::{Rated, RatedPlayer, rate};
pub use tournament::Tournament;
