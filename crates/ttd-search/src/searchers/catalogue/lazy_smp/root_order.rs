//! The order in which helpers take the root's moves.

use super::follow::Lazy;
use super::parameters::{RootOrder, Settings};
use crate::cores::Core;
use crate::engine::random;

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
            let own = random(worker.shared.seed ^ random(id as u64));
            for last in (1..moves.len()).rev() {
                // The bias of the remainder is below 2^-56 for a list of moves.
                moves.swap(last, (random(own ^ last as u64) % (last as u64 + 1)) as usize);
            }
        }
    }
}
