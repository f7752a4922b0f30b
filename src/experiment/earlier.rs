//! The beginning of an experiment that grew: positions or threads were added to its directory.
//!
//! A directory has its samples in the order of the plan. So the plan of a grown experiment is that
//! of the experiment before, and then its other cells, round by round.
//!
//! A new position brings its own base, which is measured in the same rounds as its cells. A new
//! number of threads does not: its base was measured before. On virtual cores that does not
//! matter, because a sample is the same whenever it is taken.

use serde::{Deserialize, Serialize};
use ttd_search::positions::TestPosition;

/// The cells and rounds that an experiment had before it grew.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Earlier {
    /// The numbers of workers.
    pub threads: Vec<usize>,
    /// The ids of the positions.
    pub positions: Vec<String>,
    /// The number of rounds.
    pub runs: u32,
}

impl Earlier {
    /// Whether these threads, rounds and positions have all its cells and rounds.
    pub(super) fn is_part_of(
        &self,
        threads: &[usize],
        runs: u32,
        positions: &[TestPosition],
    ) -> bool {
        self.runs <= runs
            && self.threads.iter().all(|own| threads.contains(own))
            && self.positions.iter().all(|id| positions.iter().any(|p| p.id == *id))
    }
}
