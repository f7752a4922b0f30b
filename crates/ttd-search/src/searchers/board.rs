//! The board of open split points, or the workers' deques of them. Mailboxes in which idle workers
//! are called.

use super::split_point::SplitPoint;
use crate::cores::sync::atomic::{
    AtomicBool, AtomicI32, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};
use crate::cores::{Area, Core, Line, Section, State};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::sync::Arc;

/// The open split points of a search, and the workers that are free to join them.
///
/// Invariants:
/// - Without deques, `splits` of the board holds every split point that may still have moves to
///   hand out. With deques it is empty.
/// - With deques, such a split point has at most one place, from which one worker can come to it.
///   It is in the deque of a worker that works there, or in the hands of a thief that is about to
///   join. A deque has its owner's split points in the order in which the owner came to them. Its
///   owner works at the young end, thieves take from the old end.
/// - `pushed` counts what was put into deques. A thief that found nothing is on the list `idle`
///   before it looks at `pushed` again. A worker that pushes counts before it looks at `idle`. So
///   the thief sees the push, or the worker sees the thief.
/// - `idle` of the board holds every worker that found no split point there, and that was not
///   called since. `idle` beside the board is their number; it is written in the board's section
///   only.
/// - The mailbox of a worker is written by the worker that took it off that list. The worker itself
///   empties it before it is on the list again.
/// - `waiting_owners` counts the owners that wait for their helpers, and help below their own split
///   points only.
/// - `speculators` counts the workers that help at split points whose work may not be needed.
/// - `cuts` counts the cutoffs at split points, and the iterations that make others needless.
/// - `done` is the deepest iteration that was completed, where there are several at once. It only
///   rises, and `cuts` rises after it.
pub(super) struct OpenSplits {
    board: Section<Board>,
    deques: Box<[CachePadded<Section<Deque>>]>,
    pushed: CachePadded<AtomicU64>,
    mailboxes: Box<[CachePadded<Mailbox>]>,
    idle: CachePadded<AtomicUsize>,
    pub(super) waiting_owners: CachePadded<AtomicUsize>,
    pub(super) speculators: CachePadded<AtomicUsize>,
    pub(super) cuts: CachePadded<AtomicU64>,
    done: AtomicI32,
}

/// The counts beside the board, each in a cache line of its own.
#[derive(Clone, Copy)]
pub(super) enum Count {
    Idle,
    WaitingOwners,
    Speculators,
    Cuts,
}

impl Count {
    /// The cache line of the count.
    pub(super) const fn line(self) -> Line {
        Line::new(Area::Board, self as u64)
    }
}

/// The mailbox of one worker, in which it is called while it is idle. `invitation` is written
/// before `is_called` is raised.
#[derive(Default)]
struct Mailbox {
    is_called: AtomicBool,
    invitation: Section<Option<Arc<SplitPoint>>>,
}

/// The split points of one worker, the oldest first.
type Deque = VecDeque<Arc<SplitPoint>>;

#[derive(Default)]
struct Board {
    splits: Vec<Arc<SplitPoint>>,
    idle: Vec<usize>,
}

impl OpenSplits {
    /// An empty board for a search by `workers` workers, all of them busy.
    pub(super) fn new(workers: usize) -> OpenSplits {
        OpenSplits {
            board: Section::default(),
            deques: Box::default(),
            pushed: CachePadded::default(),
            mailboxes: (0..workers).map(|_| CachePadded::default()).collect(),
            idle: CachePadded::default(),
            waiting_owners: CachePadded::default(),
            speculators: CachePadded::default(),
            cuts: CachePadded::default(),
            done: AtomicI32::new(0),
        }
    }

    /// The memory of the mailboxes of `workers` workers, and of their deques if they steal, bytes.
    pub(super) const fn bytes(workers: usize, in_deques: bool) -> usize {
        let deque = if in_deques { size_of::<CachePadded<Section<Deque>>>() } else { 0 };
        workers * (size_of::<CachePadded<Mailbox>>() + deque)
    }

    /// A deque for each of `workers` workers, instead of a board.
    pub(super) fn in_deques(workers: usize) -> OpenSplits {
        let deques = (0..workers).map(|_| CachePadded::default()).collect();
        OpenSplits { deques, ..OpenSplits::new(workers) }
    }

    /// Whether workers steal from deques.
    pub(super) fn are_in_deques(&self) -> bool {
        !self.deques.is_empty()
    }

    /// Whether any worker would join a split point below `current`.
    #[inline]
    pub(super) fn is_help_wanted<C: Core>(
        &self,
        core: &mut C,
        current: Option<&Arc<SplitPoint>>,
    ) -> bool {
        core.read_line(Count::Idle.line());
        core.read_line(Count::WaitingOwners.line());
        self.idle.load(Relaxed) > 0
            || self.waiting_owners.load(Relaxed) > 0
                && current.is_some_and(|split| split.chain().any(|above| above.calls()))
    }

    /// The number of idle workers.
    pub(super) fn idle(&self) -> usize {
        self.idle.load(Relaxed)
    }

    /// Whether any worker is idle.
    pub(super) fn is_anybody_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Enters the board's section for nothing: a defect that tests plant.
    pub(super) fn lock_for_nothing<C: Core>(&self, core: &mut C) {
        core.section(&self.board, |_| ());
    }

    /// Notes that the worker is idle, although it did not look for work: a defect that tests plant.
    pub(super) fn be_idle<C: Core>(&self, core: &mut C) {
        let id = core.id();
        core.section(&self.board, |board| self.add_idle(board, id));
    }

    /// The number of workers.
    pub(super) const fn workers(&self) -> usize {
        self.mailboxes.len()
    }

    /// Puts a split point on the board, or into the worker's deque. Calls one idle worker, and the
    /// nearest owner above that waits.
    pub(super) fn announce<C: Core>(&self, core: &mut C, split: &Arc<SplitPoint>) {
        if let Some(own) = self.deques.get(core.id()) {
            core.section(own, |deque| deque.push_back(Arc::clone(split)));
            self.pushed.fetch_add(1, AcqRel); // partner: its like in `steal`
            self.call_idle(core, None);
        } else {
            let idle = core.section(&self.board, |board| {
                board.splits.push(Arc::clone(split));
                self.take_idle(board)
            });
            self.call(core, idle, Some(split));
        }
        // An owner that looked too early for this split point had said before that it waits.
        if let Some(waiting) = split.chain().skip(1).find(|above| above.answer()) {
            core.wake(waiting.owner);
        }
    }

    /// Lets others know of work that a helper has found: `more` where it has joined, or at
    /// `others`. A thief has taken the split point out of a deque, and puts it into its own.
    pub(super) fn pass_on<C: Core>(
        &self,
        core: &mut C,
        split: &Arc<SplitPoint>,
        (more, others): (bool, bool),
    ) {
        if !self.are_in_deques() {
            if more || others {
                self.call_idle(core, more.then_some(split));
            }
        } else if more {
            self.announce(core, split);
        }
    }

    /// Calls an idle worker, if there is one: to a split point, or to look at the board.
    pub(super) fn call_idle<C: Core>(&self, core: &mut C, split: Option<&Arc<SplitPoint>>) {
        if self.idle.load(Relaxed) > 0 {
            let idle = core.section(&self.board, |board| self.take_idle(board));
            self.call(core, idle, split);
        }
    }

    /// Whether the worker was called since it became idle.
    pub(super) fn is_called(&self, worker: usize) -> bool {
        self.mailboxes[worker].is_called.load(Acquire) // partner: the release in `OpenSplits::call`
    }

    /// The split point that the worker was called to, if any.
    pub(super) fn take_invitation<C: Core>(&self, core: &mut C) -> Option<Arc<SplitPoint>> {
        let mailbox = &self.mailboxes[core.id()];
        if !self.is_called(core.id()) {
            return None;
        }
        mailbox.is_called.store(false, Relaxed);
        core.section(&mailbox.invitation, Option::take)
    }

    /// Counts one more owner that waits for its helpers, or one less.
    pub(super) fn count_waiting<C: Core>(&self, core: &mut C, one_more: bool) {
        core.change_line(Count::WaitingOwners.line());
        if one_more {
            self.waiting_owners.fetch_add(1, Relaxed);
        } else {
            self.waiting_owners.fetch_sub(1, Relaxed);
        }
    }

    /// Counts one more worker whose work may not be needed, or one less.
    pub(super) fn count_speculator<C: Core>(&self, core: &mut C, one_more: bool) {
        core.change_line(Count::Speculators.line());
        if one_more {
            self.speculators.fetch_add(1, Relaxed);
        } else {
            self.speculators.fetch_sub(1, Relaxed);
        }
    }

    /// Counts a cutoff at a split point.
    pub(super) fn count_cut<C: Core>(&self, core: &mut C) {
        core.change_line(Count::Cuts.line());
        self.cuts.fetch_add(1, Release); // partner: the acquire in `Splitting::cancelled`
    }

    /// Notes that an iteration was completed: shallower ones are needless.
    pub(super) fn complete<C: Core>(&self, core: &mut C, iteration: i32) {
        self.done.fetch_max(iteration, Relaxed);
        self.count_cut(core);
    }

    /// Whether an iteration is needless, because one as deep was completed.
    pub(super) fn is_needless(&self, iteration: i32) -> bool {
        iteration <= self.done.load(Relaxed)
    }

    /// Takes a split point off the board, or out of the worker's deque if it is there.
    pub(super) fn remove<C: Core>(&self, core: &mut C, split: &Arc<SplitPoint>) {
        let others = |other: &Arc<SplitPoint>| !Arc::ptr_eq(other, split);
        match self.deques.get(core.id()) {
            Some(own) => core.section(own, |deque| deque.retain(others)),
            None => core.section(&self.board, |board| board.splits.retain(others)),
        }
    }

    /// The oldest split point that `joinable` allows in the deque of another worker. The first
    /// victim is drawn by `coin`, the others follow in turn, and each attempt enters the victim's
    /// section. A thief that finds none is idle from then on, unless it is a `waiting_owner`.
    pub(super) fn steal<C: Core>(
        &self,
        core: &mut C,
        (waiting_owner, coin): (bool, u64),
        joinable: impl Fn(&Arc<SplitPoint>) -> bool,
    ) -> Option<Arc<SplitPoint>> {
        let (id, others) = (core.id(), self.workers() - 1);
        let first = (coin % others.max(1) as u64) as usize;
        loop {
            let seen = self.pushed.load(Acquire); // partner: the count in `announce`
            for attempt in 0..others {
                // All numbers but the thief's own, from the first victim on.
                let victim = (id + 1 + (first + attempt) % others) % self.workers();
                let stolen = core.section(&self.deques[victim], |deque| {
                    let oldest = deque.iter().position(&joinable)?;
                    deque.remove(oldest)
                });
                if stolen.is_some() {
                    return stolen;
                }
            }
            if waiting_owner {
                return None;
            }
            core.section(&self.board, |board| self.add_idle(board, id));
            core.change_line(Count::Idle.line());
            // Partner: its like in `announce`. The later of the two sees what was before the other.
            if self.pushed.fetch_add(0, AcqRel) == seen || !self.leave_idle(core) {
                return None;
            }
        }
    }

    /// Of the open split points that `joinable` allows, the one that is worth most, and whether
    /// there are others. A worker that finds none is idle from then on, unless it is a
    /// `waiting_owner`.
    pub(super) fn choose<C: Core, W: Ord>(
        &self,
        core: &mut C,
        waiting_owner: bool,
        joinable: impl Fn(&Arc<SplitPoint>) -> bool,
        worth: impl Fn(usize, &SplitPoint) -> W,
    ) -> Option<(Arc<SplitPoint>, bool)> {
        let id = core.id();
        let chosen = core.section(&self.board, |board| {
            let mut count = 0;
            let candidates = board.splits.iter().enumerate().filter(|(_, split)| joinable(split));
            let best = candidates.inspect(|_| count += 1).max_by_key(|(i, split)| worth(*i, split));
            let best = best.map(|(_, split)| (Arc::clone(split), count > 1));
            if best.is_none() && !waiting_owner {
                self.add_idle(board, id);
            }
            best
        });
        if chosen.is_none() && !waiting_owner {
            core.change_line(Count::Idle.line());
        }
        chosen
    }

    /// Takes the worker, which has heard no call, off the list of idle workers. If it was called
    /// meanwhile, it passes the call on to another idle worker.
    pub(super) fn retire<C: Core>(&self, core: &mut C) {
        if !self.leave_idle(core) {
            // Another worker took this one off the list, and is about to call.
            let id = core.id();
            core.wait_while(State::Split, |ended| !ended && !self.is_called(id));
            let split = self.take_invitation(core);
            self.call_idle(core, split.as_ref());
        }
    }

    /// Takes the worker off the list of idle workers. Returns whether it was there.
    fn leave_idle<C: Core>(&self, core: &mut C) -> bool {
        let id = core.id();
        core.change_line(Count::Idle.line());
        core.section(&self.board, |board| {
            let before = board.idle.len();
            board.idle.retain(|idle| *idle != id);
            self.idle.store(board.idle.len(), Relaxed);
            board.idle.len() < before
        })
    }

    fn add_idle(&self, board: &mut Board, worker: usize) {
        board.idle.push(worker);
        self.idle.store(board.idle.len(), Relaxed);
    }

    /// Takes the worker that became idle last off the board.
    fn take_idle(&self, board: &mut Board) -> Option<usize> {
        let worker = board.idle.pop()?;
        self.idle.store(board.idle.len(), Relaxed);
        Some(worker)
    }

    /// Calls a worker that was taken off the board.
    fn call<C: Core>(&self, core: &mut C, idle: Option<usize>, split: Option<&Arc<SplitPoint>>) {
        if let Some(worker) = idle {
            core.change_line(Count::Idle.line()); // it was taken off the list
            let mailbox = &self.mailboxes[worker];
            core.section(&mailbox.invitation, |invitation| *invitation = split.cloned());
            mailbox.is_called.store(true, Release); // partner: the acquire in `is_called`
            core.wake(worker);
        }
    }
}
