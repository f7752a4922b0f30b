//! The boards of open split points, or the workers' deques of them, and the lists of idle workers.

use super::mailboxes::Mailboxes;
use super::split_point::SplitPoint;
use crate::cores::sync::atomic::{
    AtomicI32, AtomicU64, AtomicUsize,
    Ordering::{Relaxed, Release, SeqCst},
    fence,
};
use crate::cores::{Area, Core, Line, Section, State};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::sync::Arc;

/// The open split points of a search, and the workers that are free to join them.
///
/// They are at places: at boards, or at a deque for each worker. Each worker has one place for its
/// split points, and one where it waits idle. These two are one board. Thieves wait at a last place
/// without split points.
///
/// Invariants:
/// - The boards together hold every split point that may still have moves to hand out, each on that
///   of its owner.
/// - In deques, such a split point has at most one place, from which one worker can come to it. It
///   is in the deque of a worker that works there, or in the hands of a thief that is about to
///   join. A deque has its owner's split points in the order in which the owner came to them. Its
///   owner works at the young end, thieves take from the old end.
/// - `idle` of a place holds every worker of it that found no split point, and that was not called
///   since. `idle` beside it is their number, and `open` that of its split points. Both are written
///   in its section only. `idle` beside all places is the number of those that have idle workers.
/// - A worker writes itself on such a list, and then looks at `open` of the other boards. A thief
///   looks at `pushed`, which counts what was put into deques. A worker that announces writes these
///   counts, and then looks at `idle`. Between writing and looking each has a fence, and so has an
///   owner between its call and its look. So the one sees the work, or the other who is free.
/// - A worker that finds another one idle at its board leaves the other boards to that one. If the
///   other one finds work there, it calls the next to look, which does so in any case.
/// - `speculators` counts the workers that help at split points whose work may not be needed.
/// - `cuts` counts the cutoffs at split points, and the iterations that make others needless.
/// - `done` is the deepest iteration that was completed, where there are several at once. It only
///   rises, and `cuts` rises after it.
#[derive(Default)]
pub(super) struct OpenSplits {
    places: Box<[CachePadded<Place>]>,
    steals: bool,
    pushed: CachePadded<AtomicU64>,
    pub(super) mailboxes: Mailboxes,
    idle: CachePadded<AtomicUsize>,
    pub(super) speculators: CachePadded<AtomicUsize>,
    pub(super) cuts: CachePadded<AtomicU64>,
    done: AtomicI32,
}

/// The counts beside all places, each in a cache line of its own.
#[derive(Clone, Copy)]
pub(super) enum Count {
    Idle,
    Speculators,
    Cuts,
}

impl Count {
    /// The cache line of the count.
    pub(super) const fn line(self) -> Line {
        Line::new(Area::Board, self as u64)
    }
}

/// A board or a deque, and the numbers of its lists.
#[derive(Default)]
struct Place {
    lists: Section<Lists>,
    open: AtomicUsize,
    idle: AtomicUsize,
}

/// The open split points of a place, the oldest first, and its idle workers.
#[derive(Default)]
struct Lists {
    splits: VecDeque<Arc<SplitPoint>>,
    idle: Vec<usize>,
}

impl OpenSplits {
    /// So many empty boards (1 or more), each for an equal share of `workers` workers. All of these
    /// are busy.
    pub(super) fn on_boards(workers: usize, boards: usize) -> OpenSplits {
        OpenSplits {
            places: (0..boards).map(|_| CachePadded::default()).collect(),
            mailboxes: Mailboxes::new(workers),
            ..OpenSplits::default()
        }
    }

    /// An empty deque for each of `workers` workers, and the place of idle thieves.
    pub(super) fn in_deques(workers: usize) -> OpenSplits {
        OpenSplits { steals: true, ..OpenSplits::on_boards(workers, workers + 1) }
    }

    /// The memory of a board or a deque, without its split points, bytes.
    pub(super) const PLACE_BYTES: usize = size_of::<CachePadded<Place>>();

    /// Whether workers steal from deques.
    pub(super) const fn are_in_deques(&self) -> bool {
        self.steals
    }

    /// The number of workers.
    pub(super) const fn workers(&self) -> usize {
        self.mailboxes.count()
    }

    /// The number of the place to which a worker brings its split points. Boards have workers that
    /// follow each other, so that these may be near each other.
    pub(super) fn place_of(&self, worker: usize) -> usize {
        if self.steals { worker } else { worker * self.places.len() / self.workers() }
    }

    /// The number of the place where a worker waits when it is idle.
    fn bench_of(&self, worker: usize) -> usize {
        if self.steals { self.workers() } else { self.place_of(worker) }
    }

    /// The other boards that have open split points, from a drawn one on.
    fn other_boards(&self, own: usize, coin: u64) -> impl Iterator<Item = usize> {
        let count = self.places.len();
        let first = (coin % count as u64) as usize;
        let boards = (0..count).map(move |step| (first + step) % count);
        boards.filter(move |&at| at != own && self.places[at].open.load(Relaxed) > 0)
    }

    /// Whether any worker would join a split point below `current`.
    #[inline]
    pub(super) fn is_help_wanted<C: Core>(
        &self,
        core: &mut C,
        current: Option<&Arc<SplitPoint>>,
    ) -> bool {
        core.read_line(Count::Idle.line());
        self.is_anybody_idle()
            || current.is_some_and(|split| {
                split.read_flags(core);
                split.chain().any(|above| above.flags.calls())
            })
    }

    /// Whether so many workers are idle, or more.
    pub(super) fn are_idle(&self, least: usize) -> bool {
        let all = self.places.iter().map(|place| place.idle.load(Relaxed));
        least == 0 || self.is_anybody_idle() && all.sum::<usize>() >= least
    }

    /// Whether any worker is idle.
    pub(super) fn is_anybody_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Enters the board's section for nothing: a defect that tests plant.
    pub(super) fn lock_for_nothing<C: Core>(&self, core: &mut C) {
        core.section(&self.places[self.bench_of(core.id())].lists, |_| ());
    }

    /// Notes that the worker is idle, although it did not look for work: a defect that tests plant.
    pub(super) fn be_idle<C: Core>(&self, core: &mut C) {
        let (id, bench) = (core.id(), &self.places[self.bench_of(core.id())]);
        self.change(core, bench, |lists| lists.idle.push(id));
    }

    /// Puts a split point on the worker's board, or into its deque. Calls one idle worker, and the
    /// nearest owner above that waits.
    pub(super) fn announce<C: Core>(&self, core: &mut C, split: &Arc<SplitPoint>) {
        let at = self.place_of(core.id());
        let place = &self.places[at];
        let idle = self.change(core, place, |lists| {
            lists.splits.push_back(Arc::clone(split));
            lists.idle.pop()
        });
        if self.steals {
            self.pushed.fetch_add(1, Relaxed);
        }
        if self.places.len() > 1 && !self.steals {
            split.tell_above(core, at);
        }
        fence(SeqCst); // partners: those in `steal` and `choose`
        if idle.is_some() {
            self.call(core, idle, Some(split));
        } else {
            self.call_idle(core, (!self.steals).then_some(split));
        }
        // An owner that looked too early for this split point had said before that it waits.
        if let Some(waiting) = split.chain().skip(1).find(|above| above.flags.answer(core)) {
            core.wake(waiting.owner);
        }
    }

    /// Calls an idle worker, if there is one: to a split point, or to look for one. The worker's
    /// own board comes first, and the others follow in turn.
    pub(super) fn call_idle<C: Core>(&self, core: &mut C, split: Option<&Arc<SplitPoint>>) {
        let own = self.bench_of(core.id());
        for step in 0..self.places.len() {
            if !self.is_anybody_idle() {
                return;
            }
            let place = &self.places[(own + step) % self.places.len()];
            if place.idle.load(Relaxed) > 0 {
                let idle = self.change(core, place, |lists| lists.idle.pop());
                if idle.is_some() {
                    return self.call(core, idle, split);
                }
            }
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

    /// Takes a split point off its board, or out of the worker's deque if it is there.
    pub(super) fn remove<C: Core>(&self, core: &mut C, split: &Arc<SplitPoint>) {
        let at = self.place_of(if self.steals { core.id() } else { split.owner });
        let place = &self.places[at];
        self.change(core, place, |lists| {
            lists.splits.retain(|other| !Arc::ptr_eq(other, split));
        });
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
            let seen = self.pushed.load(Relaxed);
            for attempt in 0..others {
                // All numbers but the thief's own, from the first victim on.
                let victim = (id + 1 + (first + attempt) % others) % self.workers();
                let stolen = core.section(&self.places[victim].lists, |lists| {
                    let oldest = lists.splits.iter().position(&joinable)?;
                    lists.splits.remove(oldest)
                });
                if stolen.is_some() {
                    return stolen;
                }
            }
            if waiting_owner {
                return None;
            }
            self.be_idle(core);
            fence(SeqCst); // partner: that in `announce`
            if self.pushed.load(Relaxed) == seen || !self.leave_idle(core) {
                return None;
            }
        }
    }

    /// Of the open split points that `joinable` allows, the one that is worth most at a board, and
    /// whether there may be others. The worker's own board comes first, then those that `coin`
    /// draws. A worker that finds none is idle from then on, unless it waits as the owner of the
    /// split point `above`. It looks at other boards if it is the first idle one of its own, or if
    /// it must (`looks`).
    pub(super) fn choose<C: Core, W: Ord>(
        &self,
        core: &mut C,
        (above, looks, coin): (Option<&Arc<SplitPoint>>, bool, u64),
        joinable: impl Fn(&Arc<SplitPoint>) -> bool,
        worth: impl Fn(usize, &SplitPoint) -> W,
    ) -> Option<(Arc<SplitPoint>, bool)> {
        let (id, own) = (core.id(), self.place_of(core.id()));
        let look = |core: &mut C, at: usize| {
            self.change(core, &self.places[at], |lists| {
                let mut count = 0;
                let all = lists.splits.iter().enumerate();
                let candidates = all.filter(|(_, split)| joinable(split)).inspect(|_| count += 1);
                let best = candidates.max_by_key(|(i, split)| worth(*i, split));
                let best = best.map(|(_, split)| (Arc::clone(split), count > 1));
                let alone = lists.idle.is_empty();
                if best.is_none() && above.is_none() && at == own {
                    lists.idle.push(id);
                }
                (best, alone)
            })
        };
        let (found, alone) = look(core, own);
        if found.is_some() {
            return found;
        }
        fence(SeqCst); // partner: that in `announce`
        let is_below = |at: &usize| above.is_none_or(|above| above.flags.may_have_below(*at));
        let looks = looks || alone || above.is_some();
        let mut others = self.other_boards(own, coin).filter(|at| looks && is_below(at));
        let (split, _) = others.find_map(|at| look(core, at).0)?;
        if above.is_some() || self.leave_idle(core) {
            return Some((split, above.is_none()));
        }
        // It was called meanwhile, and comes. Another one may come here.
        self.call_idle(core, Some(&split));
        None
    }

    /// Takes the worker, which has heard no call, off the list of idle workers. If it was called
    /// meanwhile, it passes the call on to another idle worker.
    pub(super) fn retire<C: Core>(&self, core: &mut C) {
        if !self.leave_idle(core) {
            // Another worker took this one off the list, and is about to call.
            let id = core.id();
            core.wait_while(State::Split, |ended| !ended && !self.mailboxes.is_called(id));
            let split = self.mailboxes.take(core);
            self.call_idle(core, split.as_ref());
        }
    }

    /// Takes the worker off the list of idle workers. Returns whether it was there.
    fn leave_idle<C: Core>(&self, core: &mut C) -> bool {
        let id = core.id();
        self.change(core, &self.places[self.bench_of(id)], |lists| {
            let place = lists.idle.iter().position(|other| *other == id);
            place.map(|place| lists.idle.remove(place)).is_some()
        })
    }

    /// Looks at the lists of a place, or changes them, in its section. The count beside all places
    /// changes only if the list of idle workers was empty, or is empty now.
    fn change<C: Core, T>(
        &self,
        core: &mut C,
        place: &Place,
        change: impl FnOnce(&mut Lists) -> T,
    ) -> T {
        let (result, tells) = core.section(&place.lists, |lists| {
            let before = lists.idle.is_empty();
            let result = change(lists);
            // A look first: a write would take the line from all that read the numbers.
            for (number, is) in [(&place.open, lists.splits.len()), (&place.idle, lists.idle.len())]
            {
                if number.load(Relaxed) != is {
                    number.store(is, Relaxed);
                }
            }
            match (before, lists.idle.is_empty()) {
                (true, false) => _ = self.idle.fetch_add(1, Relaxed),
                (false, true) => _ = self.idle.fetch_sub(1, Relaxed),
                _ => {}
            }
            (result, before != lists.idle.is_empty())
        });
        if tells {
            core.change_line(Count::Idle.line());
        }
        result
    }

    /// Calls a worker that was taken off a list.
    fn call<C: Core>(&self, core: &mut C, idle: Option<usize>, split: Option<&Arc<SplitPoint>>) {
        if let Some(worker) = idle {
            self.mailboxes.call(core, worker, split);
        }
    }
}
