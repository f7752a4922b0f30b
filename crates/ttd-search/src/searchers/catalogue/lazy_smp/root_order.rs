//! The order in which helpers take the root's moves.

use super::{Lazy, Settings};
use crate::cores::Core;
use crate::engine::random;
use serde::{Deserialize, Serialize};

/// The order in which a helper takes the root's moves at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootOrder {
    /// The main worker's.
    Same,
    /// The main worker's, begun at another move by each helper.
    Rotated,
    /// Random, by the sample's seed.
    Shuffled,
}

/// Gives a helper its own order of the root's moves.
pub(super) fn vary<C: Core>(worker: &mut Lazy<'_, '_, C>, settings: &Settings) {
    let id = worker.core.id();
    let moves = &mut worker.root_moves;
    if id == 0 || moves.is_empty() {
        return;
    }
    match settings.root_order {
        RootOrder::Same => {}
        RootOrder::Rotated => {
            let by = id % moves.len();
            moves.rotate_left(by);
        }
        RootOrder::Shuffled => {
            let own = random(worker.session.seed ^ random(id as u64));
            for last in (1..moves.len()).rev() {
                // The remainder's bias is below 2^-56 for a list of moves.
                moves.swap(last, (random(own ^ last as u64) % (last as u64 + 1)) as usize);
            }
        }
    }
}
