//! A node whose moves are divided among groups of workers, and the mailboxes through which these
//! get their parts.

use super::split_point::number;
use crate::cores::{Core, Cost, Section, Split};
use crate::engine::{MAX_MOVES, Path, Position, Score};
use crate::search::{
    Dependencies, Effect, FramesAbout, Line, MAX_PLY, Node, Progress, Turn, UnsharedMoves, Worker,
};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// A divided node.
///
/// Invariants:
/// - `missing` is the number of parts that were assigned and not reduced yet.
/// - `position`, `node`, `path`, `frames`, `number` and `leader` never change.
/// - `alpha` is written in the section only.
/// - `dependencies` (used on virtual cores, where one thread runs all) is written right after
///   `alpha`.
///
/// The memory is freed when the leader and the last worker with a part have let go.
pub(super) struct Division {
    pub(super) position: Position,
    pub(super) node: Node,
    number: u64,
    leader: usize,
    path: Path,
    frames: FramesAbout,
    alpha: AtomicI32,
    missing: AtomicUsize,
    pub(super) dependencies: Dependencies,
    sum: Section<Sum>,
}

/// The results of the parts.
struct Sum {
    progress: Progress,
    line: Line,
}

/// An assignment: a part of a node's moves, for a group of workers.
pub(super) struct Assignment {
    pub(super) division: Arc<Division>,
    pub(super) turns: Vec<Turn>,
    pub(super) group: Range<usize>,
}

impl Division {
    /// The most bytes that a division takes, with its parts: the longest path, the most moves, and
    /// a part for each move.
    pub(super) const MOST_BYTES: usize = 2 * size_of::<usize>() // of the `Arc`
        + size_of::<Division>()
        + MAX_PLY * size_of::<u64>()
        + MAX_MOVES * (size_of::<Assignment>() + size_of::<Turn>());

    /// Deals out the moves of a node in turn to parts of its leader's group. The number of parts is
    /// that of the moves, or that of the workers if they are fewer.
    pub(super) fn divide<C: Core, P>(
        worker: &mut Worker<'_, C, P>,
        (position, node): (&Position, &Node),
        group: &Range<usize>,
        moves: &mut UnsharedMoves,
    ) -> Vec<Assignment> {
        let turns = moves.take_turns();
        let parts = group.len().min(turns.len());
        let division = Arc::new(Division {
            position: position.clone(),
            node: *node,
            number: number(worker),
            leader: worker.core.id(),
            path: worker.path.clone(),
            frames: worker.frames_about(node.ply),
            alpha: AtomicI32::new(moves.progress.alpha),
            missing: AtomicUsize::new(parts),
            dependencies: moves.hand_over(&worker.core),
            sum: Section::new(Sum { progress: moves.progress.clone(), line: Line::new() }),
        });
        let assignment = |part: usize| Assignment {
            division: Arc::clone(&division),
            turns: deal(&turns, part, parts),
            group: share(group, part, parts),
        };
        (0..parts).map(assignment).collect()
    }

    /// The division as a timeline shows it.
    pub(super) fn shown(&self) -> Split {
        let Node { ply, depth, kind, .. } = self.node;
        Split { number: self.number, ply, depth, kind: kind.name(), searched: 0 }
    }

    /// Sets a worker up at the node, as if it had come there by itself.
    pub(super) fn enter<C, P>(&self, worker: &mut Worker<'_, C, P>) {
        worker.path.copy_from(&self.path);
        worker.take_frames(self.node.ply, &self.frames);
    }

    /// The greatest lower bound that has been reduced so far.
    pub(super) fn alpha(&self) -> Score {
        self.alpha.load(Relaxed)
    }

    /// Adds the results of one worker to those of the others.
    pub(super) fn reduce<C: Core>(
        &self,
        core: &mut C,
        found: impl IntoIterator<Item = (Turn, Score)>,
        line: Option<&Line>,
    ) {
        core.charge(Cost::Reduce);
        let raised = core.section(&self.sum, |sum| {
            for (turn, score) in found {
                if sum.progress.absorb(&self.node, &turn, score)
                    && let Some(line) = line.filter(|line| line.first() == Some(&turn.mv))
                {
                    sum.line.clone_from(line);
                }
            }
            let raised = sum.progress.alpha > self.alpha();
            self.alpha.store(sum.progress.alpha, Relaxed);
            raised
        });
        // A cutoff ends nothing here: no worker goes on before all parts are done.
        self.dependencies.come_back(core, Effect::on_alpha(raised));
    }

    /// Notes that a part is done.
    pub(super) fn leave<C: Core>(&self, core: &mut C) {
        self.missing.fetch_sub(1, Release); // partner: the acquire in `is_done`
        core.wake(self.leader);
    }

    /// Whether every part is done.
    pub(super) fn is_done(&self) -> bool {
        self.missing.load(Acquire) == 0 // partner: the release in `leave`
    }

    /// Puts the result into the leader's loop, when all parts are done.
    pub(super) fn conclude<C: Core, P>(
        &self,
        worker: &mut Worker<'_, C, P>,
        moves: &mut UnsharedMoves,
    ) {
        self.dependencies.conclude(&mut worker.core);
        let line = worker.core.section(&self.sum, |sum| {
            moves.progress.clone_from(&sum.progress);
            sum.line.clone()
        });
        if self.node.pv {
            *worker.line_mut(self.node.ply) = line;
        }
    }
}

/// The workers of one part of a group. If the parts cannot be equal, the first ones have one worker
/// more.
pub(super) fn share(group: &Range<usize>, part: usize, parts: usize) -> Range<usize> {
    let begin =
        |part: usize| group.start + part * (group.len() / parts) + part.min(group.len() % parts);
    begin(part)..begin(part + 1)
}

/// The turns of one part, if they are dealt out in order.
pub(super) fn deal(turns: &[Turn], part: usize, parts: usize) -> Vec<Turn> {
    turns.iter().skip(part).step_by(parts).copied().collect()
}

/// The mailbox in which a worker gets its assignments.
///
/// Invariant: the leader of the worker's group writes `assignment` before it raises `called`. The
/// worker takes the assignment and lowers `called`. It gets no other one before it has left the
/// division.
#[derive(Default)]
pub(super) struct Mailbox {
    called: AtomicBool,
    assignment: Section<Option<Assignment>>,
}

impl Mailbox {
    /// Gives an assignment to the worker of this mailbox.
    pub(super) fn put<C: Core>(&self, core: &mut C, assignment: Assignment) {
        let worker = assignment.group.start;
        core.section(&self.assignment, |place| *place = Some(assignment));
        self.called.store(true, Release); // partner: the acquire in `is_called`
        core.wake(worker);
    }

    /// Whether there is an assignment.
    pub(super) fn is_called(&self) -> bool {
        self.called.load(Acquire) // partner: the release in `put`
    }

    /// The assignment, if there is one.
    pub(super) fn take<C: Core>(&self, core: &mut C) -> Option<Assignment> {
        self.called.store(false, Relaxed);
        core.section(&self.assignment, Option::take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_shared_out_evenly() {
        for (size, parts) in [(1, 1), (7, 3), (8, 8), (128, 20), (5, 2)] {
            let group = 3..3 + size;
            let shares: Vec<_> = (0..parts).map(|part| share(&group, part, parts)).collect();
            assert_eq!(
                shares.iter().cloned().flatten().collect::<Vec<_>>(),
                group.collect::<Vec<_>>()
            );
            let sizes = || shares.iter().map(ExactSizeIterator::len);
            assert!(sizes().max() <= sizes().min().map(|least| least + 1));
        }
    }
}
