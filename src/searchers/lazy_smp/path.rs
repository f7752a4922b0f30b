//! Nodes on a worker's path that another one has decided meanwhile: the table is asked again while they are searched.

use super::{Follow, Lazy};
use crate::cores::Core;
use crate::engine::{Entry, Position};
use crate::search::{Aborted, Node, Owned, Shared, Sought};
use crate::searchers::two_passes;

/// Nodes between two looks at the table.
const LOOK_NODES: u64 = 256;

/// The nodes that a worker asks about again, from the root on. Owned by it.
#[derive(Default)]
pub(super) struct Asked {
    sought: Vec<Sought>,
    /// Which of them the table knows by now, and what it says.
    decided: Option<(usize, Entry)>,
}

/// Whether some node on the worker's path needs no search any more.
#[inline]
pub(super) fn is_decided<C: Core>(worker: &mut Lazy<'_, '_, C>) -> bool {
    if worker.policy.asked.sought.is_empty() || !worker.counters.nodes.is_multiple_of(LOOK_NODES) {
        return false;
    }
    for index in 0..worker.policy.asked.sought.len() {
        let sought = worker.policy.asked.sought[index];
        if let Some(entry) = worker.found_meanwhile(&sought) {
            worker.policy.asked.decided = Some((index, entry));
            return true;
        }
    }
    false
}

/// Searches the moves of `this` node, as long as the table does not know its score.
///
/// # Errors
/// [`Aborted`] when the node is not wanted any more.
pub(super) fn search<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    position: &Position,
    node: &Node,
    moves: &mut Owned,
    this: Sought,
) -> Result<Shared, Aborted> {
    let (height, index) = (worker.path.len(), worker.policy.asked.sought.len());
    worker.policy.asked.sought.push(this);
    let Follow { begun, settings, .. } = worker.policy;
    let put_off = (node.depth >= settings.put_off_depth).then_some(begun);
    let searched = two_passes::search(worker, position, node, moves, put_off);
    let Asked { sought, decided } = &mut worker.policy.asked;
    sought.truncate(index);
    let Some((_, entry)) = decided.take_if(|(decided, _)| *decided == index) else {
        return searched.map(|()| Shared::Done);
    };
    worker.path.truncate(height);
    moves.progress.best = entry.score;
    moves.progress.best_move = entry.best.filter(|_| entry.score >= node.beta);
    Ok(Shared::Done)
}
