//! A node that several workers search together.
//!
//! The workers share the [`SplitPoint`]: its moves, best score, alpha and line, behind a section. A
//! helper copies the node's context when it joins; everything else of a [`Worker`] is private.

use crate::cores::sync::atomic::{
    AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use crate::cores::{Core, Line as CacheLine, Section, Split, Time};
use crate::engine::{KillersBelow, MAX_MOVES, Move, Path, Picked, Position};
use crate::search::{
    Dependencies, Effect, FramesAbout, Line, Listed, MAX_PLY, Node, Progress, Turn, UnsharedMoves,
    Verdict, Worker,
};
use std::collections::VecDeque;
use std::mem::offset_of;
use std::sync::Arc;

mod flags;

use flags::Flags;

/// A shared node.
///
/// Invariants:
/// - Moves are handed out only while the node is neither cut off nor closed.
/// - `helpers` is the number of [`Membership`]s.
/// - `position`, `node`, `path`, `frames`, `killers`, `number`, `searched`, `owner` and `above`
///   never change.
/// - `done` and `left` are written inside the section `rest` only.
/// - `dependencies` (used on virtual cores, where one thread runs all) is written right after the
///   events that it records.
///
/// The memory is freed when all these have let go: the owner, the last helper, the last split
/// point below and the last unread invitation.
///
/// The order of the fields keeps the cache line of `flags` apart from those of `counts` and of the
/// reference counts before it.
#[repr(C)]
pub(super) struct SplitPoint {
    /// The position whose moves are shared.
    pub(super) position: Position,
    /// The facts that its moves depend on.
    pub(super) node: Node,
    /// Its number in this search.
    pub(super) number: u64,
    /// The number of its moves that were handed out before it became a split point.
    searched: usize,
    /// The worker that made it.
    pub(super) owner: usize,
    above: Option<Arc<SplitPoint>>,
    /// The iteration that it is a part of, if there are several at once.
    pub(super) iteration: i32,
    /// All that workers poll.
    pub(super) flags: Flags,
    path: Path,
    frames: FramesAbout,
    killers: KillersBelow,
    dependencies: Dependencies,
    counts: Counts,
}

const _: () = assert!(
    offset_of!(SplitPoint, flags) >= CacheLine::BYTES
        && offset_of!(SplitPoint, flags) + size_of::<Flags>() + CacheLine::BYTES
            <= offset_of!(SplitPoint, counts),
    "the flags are a line apart from what changes often"
);

/// All that changes with each move and each helper. The counts stand before the lock, mostly in its
/// cache line: a worker that changes them has the line.
#[repr(C)]
struct Counts {
    helpers: AtomicUsize,
    done: AtomicUsize,
    left: AtomicUsize,
    rest: Section<Rest>,
}

/// The moves that are left of a shared node, and the results so far.
///
/// Where moves are valued in turn, `put_off` holds those that wait for it. Each comes with the
/// chain of work that leads to the end of its test. `valued` is the move whose turn it is. The
/// worker that values it takes the next one, so that no move waits when no other worker is here.
struct Rest {
    progress: Progress,
    line: Line,
    moves: Listed,
    put_off: VecDeque<(Turn, Time)>,
    valued: Option<Move>,
    joined: u64,
    /// The numbers of the moves that were handed out and are not done.
    at_work: Vec<usize>,
}

/// The result of an attempt to join.
pub(super) enum Joining<'a> {
    /// The worker joined; the flag says whether there is work for another one.
    Member(Membership<'a>, bool),
    /// There are enough workers.
    Full,
    /// There is nothing left to do.
    Exhausted,
}

/// A helper between joining and leaving; leaves when dropped, also by a panic.
pub(super) struct Membership<'a>(&'a SplitPoint);

impl Drop for Membership<'_> {
    fn drop(&mut self) {
        self.0.counts.helpers.fetch_sub(1, Release); // partner: the acquire in `helpers`
    }
}

/// Room for all moves of a position in a list that doubles its room.
const MOST_LISTED: usize = MAX_MOVES.next_power_of_two();

impl SplitPoint {
    /// The most bytes that a split point takes: with the longest path, the most moves and `workers`
    /// workers. Where moves are valued `in_turn`, all of them may wait for it.
    pub(super) const fn most_bytes(workers: usize, in_turn: bool) -> usize {
        let counts = 2 * size_of::<usize>(); // of the `Arc`
        let path = MAX_PLY * size_of::<u64>();
        let at_work = workers.next_power_of_two() * size_of::<usize>();
        let waiting = if in_turn { MOST_LISTED * size_of::<(Turn, Time)>() } else { 0 };
        let lists = MOST_LISTED * size_of::<Picked>() + at_work + waiting;
        counts + size_of::<SplitPoint>() + path + lists
    }

    /// The rest of a node, taken out of its owner's loop. `above` is the split point that the owner
    /// works for. Without one it leads this `iteration`.
    pub(super) fn new<C: Core, P>(
        worker: &Worker<'_, C, P>,
        position: &Position,
        node: &Node,
        moves: &mut UnsharedMoves,
        (above, iteration): (Option<Arc<SplitPoint>>, i32),
    ) -> SplitPoint {
        let (list, number) = (moves.take_list(), number(worker));
        SplitPoint {
            position: position.clone(),
            node: *node,
            number,
            searched: moves.progress.handed,
            owner: worker.core.id(),
            iteration: above.as_ref().map_or(iteration, |above| above.iteration),
            above,
            path: worker.path.clone(),
            frames: worker.frames_about(node.ply),
            killers: worker.killers.below(node.ply),
            dependencies: moves.hand_over(&worker.core),
            flags: Flags::new(number, moves.progress.alpha),
            counts: Counts {
                helpers: AtomicUsize::new(0),
                done: AtomicUsize::new(moves.progress.handed),
                left: AtomicUsize::new(list.left()),
                rest: Section::new(Rest {
                    progress: moves.progress.clone(),
                    line: if node.pv { worker.line(node.ply).clone() } else { Line::new() },
                    moves: list,
                    put_off: VecDeque::new(),
                    valued: None,
                    joined: 0,
                    at_work: Vec::new(),
                }),
            },
        }
    }

    /// The split point as a timeline shows it.
    pub(super) fn shown(&self) -> Split {
        let Node { ply, depth, kind, .. } = self.node;
        let searched = self.searched;
        Split { number: self.number, ply, depth, kind: kind.name(), searched }
    }

    /// This split point, and those that it lies below, from the inside out.
    pub(super) fn chain(self: &Arc<SplitPoint>) -> impl Iterator<Item = &Arc<SplitPoint>> {
        std::iter::successors(Some(self), |split| split.above.as_ref())
    }

    /// Reads the cache lines of its flags, and of those that it lies below.
    pub(super) fn read_flags<C: Core>(self: &Arc<SplitPoint>, core: &mut C) {
        if core.prices_lines() {
            self.chain().for_each(|split| split.flags.read(core));
        }
    }

    /// Tells the split points above that this one is at this board.
    pub(super) fn tell_above<C: Core>(self: &Arc<SplitPoint>, core: &mut C, board: usize) {
        // Whoever set a bit that is there tells those farther up.
        let mut above = self.chain().skip(1);
        while above.next().is_some_and(|split| split.flags.note_below(core, board)) {}
    }

    /// Whether this split point, or one that it lies below, was cut off.
    pub(super) fn is_in_vain(self: &Arc<SplitPoint>) -> bool {
        self.chain().any(|split| split.flags.is_cut())
    }

    /// Whether a split point that this one lies below was cut off: then all work here is in vain.
    pub(super) fn is_orphaned(self: &Arc<SplitPoint>) -> bool {
        self.chain().skip(1).any(|split| split.flags.is_cut())
    }

    /// Whether there may be work for one more worker, of at most `most`. The answer is a hint;
    /// [`SplitPoint::join`] has the final word.
    pub(super) fn is_joinable(self: &Arc<SplitPoint>, most: usize) -> bool {
        // Only for `scripts/concurrency.sh races`, which must find it: see `Section::peek`.
        #[cfg(seeded_race)]
        std::hint::black_box(self.counts.rest.peek(|rest| rest.joined));
        self.left() > 0 && self.helpers() + 1 < most && !self.is_in_vain()
    }

    /// The chain of work that leads to [`Flags::alpha`].
    pub(super) fn alpha_span(&self) -> Time {
        self.dependencies.alpha()
    }

    /// The chain of work that leads to the making of the split point.
    pub(super) const fn made(&self) -> Time {
        self.dependencies.made()
    }

    /// The number of moves, from the first on, that have all been searched or pruned.
    pub(super) fn done(&self) -> usize {
        self.counts.done.load(Relaxed)
    }

    /// The most moves that may be left to hand out.
    pub(super) fn left(&self) -> usize {
        self.counts.left.load(Relaxed)
    }

    /// The number of helpers.
    pub(super) fn helpers(&self) -> usize {
        self.counts.helpers.load(Acquire) // partner: the release in `Membership::drop`
    }

    /// The next move, and whether it failed its test before; none if no move is left or wanted.
    /// Moves that became futile meanwhile are left out, as in a node that one worker searches
    /// alone.
    pub(super) fn next<C: Core, P>(&self, worker: &mut Worker<'_, C, P>) -> Option<(Turn, bool)> {
        let shared = worker.shared;
        let (turn, test) = worker.core.section(&self.counts.rest, |rest| {
            if self.flags.is_cut() {
                return None;
            }
            if rest.valued.is_none()
                && let Some((turn, test)) = rest.put_off.pop_front()
            {
                rest.valued = Some(turn.mv);
                // Pruning was decided before the test of this move; the move has failed that test
                // since.
                return Some((Turn { alpha: rest.progress.alpha, ..turn }, Some(test)));
            }
            let unwanted = shared.unwanted_quiets(&self.position, &self.node, &rest.progress);
            rest.moves.leave_out(unwanted, &self.position, &self.node.checks);
            let picked = rest.moves.next();
            self.counts.left.store(rest.moves.left(), Relaxed);
            let turn = rest.progress.hand_out(picked?);
            rest.at_work.push(turn.number);
            Some((turn, None))
        })?;
        self.flags.read(&mut worker.core);
        worker.core.depend_on(self.alpha_span());
        if let Some(test) = test {
            self.dependencies.value(&mut worker.core, test);
        }
        Some((turn, test.is_some()))
    }

    /// Takes the result of a move, and the line that begins with it. Returns whether this result is
    /// the first to cut the node off.
    pub(super) fn absorb<C: Core>(
        &self,
        core: &mut C,
        turn: &Turn,
        verdict: Verdict,
        line: Option<Line>,
    ) -> bool {
        let span = core.span();
        let (valued, effect) = core.section(&self.counts.rest, |rest| {
            let valued = rest.valued == Some(turn.mv);
            if valued {
                rest.valued = None;
            }
            if verdict != Verdict::PutOff {
                rest.at_work.retain(|number| *number != turn.number);
                let first = rest.at_work.iter().min().copied();
                self.counts
                    .done
                    .store(first.map_or(rest.progress.handed, |first| first - 1), Relaxed);
            }
            match verdict {
                Verdict::Pruned => {}
                Verdict::PutOff => rest.put_off.push_back((*turn, span)),
                Verdict::Score(score) => {
                    if rest.progress.absorb(&self.node, turn, score) {
                        rest.line = line.unwrap_or_default();
                    }
                }
            }
            (valued, self.flags.show(rest.progress.is_cut(&self.node), rest.progress.alpha))
        });
        self.flags.shown(core, effect);
        if valued {
            self.dependencies.valued(core);
        }
        self.dependencies.come_back(core, effect);
        effect == Effect::Cut
    }

    /// Joins, if there is work for one more worker, of at most `most` with the owner.
    pub(super) fn join<C: Core>(&self, core: &mut C, most: usize) -> Joining<'_> {
        core.section(&self.counts.rest, |rest| {
            if rest.moves.left() == 0 || self.flags.is_cut() {
                Joining::Exhausted
            } else if self.helpers() + 1 >= most {
                Joining::Full
            } else {
                rest.joined += 1;
                self.counts.helpers.fetch_add(1, Relaxed);
                let more = rest.moves.left() > 1 && self.helpers() + 1 < most;
                Joining::Member(Membership(self), more)
            }
        })
    }

    /// Sets a helper up at the node, as if it had come there by itself.
    pub(super) fn enter<C, P>(&self, worker: &mut Worker<'_, C, P>) {
        worker.path.copy_from(&self.path);
        worker.take_frames(self.node.ply, &self.frames);
    }

    /// The ply of the node, and the killers that its owner had there and below.
    pub(super) const fn killers(&self) -> (usize, &KillersBelow) {
        (self.node.ply, &self.killers)
    }

    /// Closes the split point: no worker joins from here on. Returns the moves that no worker took.
    pub(super) fn close<C: Core>(&self, core: &mut C) -> Listed {
        core.section(&self.counts.rest, |rest| {
            self.counts.left.store(0, Relaxed);
            std::mem::take(&mut rest.moves)
        })
    }

    /// Puts the result into the owner's loop, after all helpers have left. Returns the number of
    /// workers that had joined.
    pub(super) fn conclude<C: Core, P>(
        &self,
        worker: &mut Worker<'_, C, P>,
        moves: &mut UnsharedMoves,
    ) -> u64 {
        self.dependencies.conclude(&mut worker.core);
        let (joined, line) = worker.core.section(&self.counts.rest, |rest| {
            moves.progress.clone_from(&rest.progress);
            (rest.joined, self.node.pv.then(|| std::mem::take(&mut rest.line)))
        });
        if let Some(line) = line {
            *worker.line_mut(self.node.ply) = line;
        }
        joined
    }
}

/// A number for the split point that a worker has just counted. No other split point of the search
/// has it.
pub(super) fn number<C: Core, P>(worker: &Worker<'_, C, P>) -> u64 {
    let splits: u64 = worker.counters.splits.0.iter().sum();
    splits * worker.core.workers() as u64 + worker.core.id() as u64
}

#[cfg(all(test, loom))]
mod models;
