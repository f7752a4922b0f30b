//! Leaving nodes that another worker has decided meanwhile: a worker looks up the nodes on its way
//! again. On virtual cores these looks cost nothing.

use super::follow::{Follow, Lazy, LookAgain};
use crate::cores::Core;
use crate::engine::Position;
use crate::search::{Aborted, Node, Shared, Sought, UnsharedMoves};
use crate::searchers::two_passes;

/// The number of nodes from one look at the table to the next.
const LOOK_NODES: u64 = 256;

/// Whether some node on the worker's way needs no search any more.
#[inline]
pub(super) fn is_decided<C: Core>(worker: &mut Lazy<'_, '_, C>) -> bool {
    if worker.policy.again.sought.is_empty() || !worker.counters.nodes.is_multiple_of(LOOK_NODES) {
        return false;
    }
    for index in 0..worker.policy.again.sought.len() {
        let sought = worker.policy.again.sought[index];
        if let Some(score) = worker.found_meanwhile(&sought) {
            worker.policy.again.decided = Some((index, score));
            return true;
        }
    }
    false
}

/// Searches the moves of `this` node, as long as the table does not know its score.
///
/// # Errors
/// [`Aborted`] when the node is not wanted any more, or one above it is decided.
pub(super) fn search<C: Core>(
    worker: &mut Lazy<'_, '_, C>,
    position: &Position,
    node: &Node,
    moves: &mut UnsharedMoves,
    this: Sought,
) -> Result<Shared, Aborted> {
    let (height, index) = (worker.path.len(), worker.policy.again.sought.len());
    worker.policy.again.sought.push(this);
    let Follow { marks, settings, .. } = worker.policy;
    let put_off = (node.depth >= settings.put_off_depth).then_some(marks);
    let searched = two_passes::search(worker, position, node, moves, put_off);
    let LookAgain { sought, decided } = &mut worker.policy.again;
    sought.truncate(index);
    if let Some((_, score)) = decided.take_if(|(decided, _)| *decided == index) {
        worker.path.truncate(height);
        return Ok(Shared::Known(score));
    }
    searched.map(|()| Shared::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::{Cores, Cost, Schedule, Simulation, Time};
    use crate::engine::{Bound, Entry, Score, Table, Techniques};
    use crate::search::{Limits, NodeKind, Reductions, SharedState, Visit, Worker};
    use crate::searchers::algorithm::Parameters;
    use crate::searchers::catalogue::lazy_smp::follow::Rounds;
    use crate::searchers::catalogue::lazy_smp::parameters::Settings;
    use crate::searchers::histories::Histories;
    use crate::searchers::move_marks::MoveMarks;
    use crate::searchers::team::{Search, Team};
    use parking_lot::Mutex;
    use std::cell::Cell;
    use std::sync::atomic::AtomicBool;

    const DEPTH: i32 = 14;
    const DEEPER: i32 = 17;

    /// A team of two: worker 0 searches a node with a null window; worker 1 stores its value after
    /// a while.
    struct Two {
        settings: Settings,
        rounds: Rounds,
        marks: MoveMarks,
        known: Score,
        found: Mutex<Option<(Score, usize)>>,
    }

    impl Team for Two {
        const HAS_CRITICAL_PATH: bool = false;

        type Policy<'t> = Follow<'t>;

        fn policy<'t>(&'t self, _id: usize, _histories: &'t Histories) -> Follow<'t> {
            Follow::new(&self.settings, &self.rounds, &self.marks)
        }

        fn work<'t, C: Core>(&'t self, worker: &mut Worker<'_, C, Follow<'t>>) {
            let root = worker.shared.root;
            if worker.core.id() == 1 {
                while worker.core.now() < Time::from_secs_f64(0.001) {
                    worker.core.charge(Cost::Node);
                }
                let entry =
                    Entry { best: None, score: self.known, depth: DEEPER, bound: Bound::Exact };
                worker.shared.table.store(root.key(), 1, entry);
                return;
            }
            worker.path.push(root.key());
            let visit = Visit {
                alpha: 0,
                beta: 1,
                depth: DEPTH,
                ply: 1,
                kind: NodeKind::All,
                excluded: None,
                may_pass: true,
                evaluation: None,
            };
            let score = worker.node(root, visit).expect("nobody ends the search");
            *self.found.lock() = Some((score, worker.path.len()));
            assert!(worker.policy.again.sought.is_empty() && worker.policy.again.decided.is_none());
            worker.core.end();
        }
    }

    #[test]
    fn a_node_that_another_worker_decides_is_left_as_it_was_found() {
        let root = Position::new(cozy_chess::Board::default());
        let techniques = Techniques::default();
        let reductions = Reductions::of(&techniques);
        let interrupt = AtomicBool::new(false);
        for known in [-300, 300] {
            let table = Table::new(8).expect("8 MiB");
            let limits = Limits {
                depth: 20,
                time_limit: None,
                interrupt: &interrupt,
                seed: 1,
                order_seed: 1,
            };
            let engine = (&techniques, &reductions, &table);
            let shared = SharedState::new(&root, &[], engine, limits, 2);
            let simulation = Simulation::plain(Schedule::Earliest);
            let settings = Settings { look_again_depth: 4, ..Settings::default() };
            let common_settings = settings.common_settings();
            let cores = Cores::Virtual(simulation);
            let histories = Cell::default();
            let search = Search {
                shared: &shared,
                cores,
                dilation: None,
                cluster: None,
                workers: 2,
                common_settings,
                histories: &histories,
            };
            let (rounds, marks) = (Rounds::new(), MoveMarks::new());
            let team = Two { settings, rounds, marks, known, found: Mutex::new(None) };
            let ran = search.run(&team).expect("nobody fails");
            assert_eq!(*team.found.lock(), Some((known, 1)), "the score, and the way back");
            assert!(ran.time < Time::from_secs_f64(0.002), "{} s", ran.time);
            let entry = table.probe(root.key(), 1).map(|entry| (entry.depth, entry.bound));
            assert_eq!(entry, Some((DEEPER, Bound::Exact)), "nothing shallower takes its place");
        }
    }
}
