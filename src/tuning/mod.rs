//! The weights of the evaluation, learnt from games: Texel's method (Österlund, 2014).
//!
//! The evaluation of a quiet position, put through a logistic curve, is a forecast of the game's
//! result. The best forecast has the weights under which the results are likeliest.
//!
//! | file | what it holds |
//! |---|---|
//! | `games` | reads finished games from PGN |
//! | `examples` | the quiet positions of a game, and the games held out |
//! | `linear` | by how much the value of each position changes with each number of the table |
//! | `likelihood` | the likeliest numbers: Newton's method |
//! | `tune` | from games to weights, and what was gained |

mod examples;
mod games;
mod likelihood;
mod linear;
#[cfg(test)]
mod test_boards;
mod tune;

pub use examples::{Example, Examples};
pub use games::{RecordedGame, games_of, read_games};
pub use likelihood::{Losses, losses};
pub use tune::{Recipe, Side, Trial, TuneError, Tuned, tune};
