//! The reasons why a search is not faster, each by its cost: `ttd explain`.
//!
//! A search is run on a ladder of idealised machines on virtual cores. Each rung takes one cause of
//! loss away. The factor between two rungs is what that cause costs.
//!
//! | file | what it holds |
//! |---|---|
//! | `what_if` | changed costs |
//! | `rung` | the rungs, the machines that are run, a row of `explain.csv` and its check |
//! | `climb` | the searches on all machines, written down one after another |
//! | `ladder` | the factors of the rungs, with intervals |

mod climb;
mod ladder;
mod rung;
#[cfg(test)]
mod tests;
mod what_if;

pub use climb::{Case, Climb, ClimbError, Told};
pub use ladder::{Beside, Ladder, Step};
pub use rung::{ExplainedRow, Machines, RowsCheck, Rung};
pub use what_if::WhatIf;
