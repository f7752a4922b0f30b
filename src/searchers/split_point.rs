//! A node that several workers search together, and the policy of the workers that do so.
//!
//! What is shared: the [`SplitPoint`] (its moves, best score, alpha, line) behind a section; the
//! list of open split points behind another. What is private: everything of a [`Worker`]; a
//! helper copies the node's context when it joins.
//!
//! Locks and deadlock: no worker is ever in two sections at once, and none waits inside one. An
//! owner waits only for its own helpers, and a helper of a split point never waits for that split
//! point's owner: it works below it, where by induction every split point is left in the end.

use crate::cores::{Core, Cost, Section, State};
use crate::engine::{Move, Path, Position, Score};
use crate::search::{
    Aborted, Flow, Frame, Line, Listed, MoveLoop, Node, Owned, Policy, Progress, Shared, Turn,
    Verdict, Worker,
};
use crossbeam_utils::CachePadded;
use std::sync::Arc;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

/// A shared node.
///
/// Invariant: moves are handed out only while `cancelled` is false, and `helpers` counts the
/// workers other than the owner between joining and leaving. `position`, `node`, `path` and
/// `frames` never change. `cancelled` and `alpha` are written inside the section `state` only.
/// Freed when the owner, the last helper and the last split point below have let go.
pub(super) struct SplitPoint {
    position: Position,
    node: Node,
    path: Path,
    frames: Box<[Frame]>,
    owner: usize,
    above: Option<Arc<SplitPoint>>,
    cancelled: AtomicBool,
    alpha: AtomicI32,
    helpers: AtomicUsize,
    state: Section<Rest>,
}

/// What is left of a shared node, and what it has given.
struct Rest {
    progress: Progress,
    line: Line,
    moves: Listed,
    joined: u64,
}

impl SplitPoint {
    /// Itself, and the split points that it lies below.
    fn chain(self: &Arc<SplitPoint>) -> impl Iterator<Item = &Arc<SplitPoint>> {
        std::iter::successors(Some(self), |split| split.above.as_ref())
    }

    fn is_cancelled(&self) -> bool {
        // A hint: whoever acts on it finds the final word in the section.
        self.cancelled.load(Relaxed)
    }

    /// Whether a split point that this one lies below was cut off, so that all its work is in vain.
    fn is_orphaned(self: &Arc<SplitPoint>) -> bool {
        self.chain().skip(1).any(|split| split.is_cancelled())
    }

    /// What joining depends on: the plies to search, how many split points it lies below.
    pub(super) fn depth(&self) -> i32 {
        self.node.depth
    }

    /// How far from the root it is.
    pub(super) fn ply(&self) -> usize {
        self.node.ply
    }
}

/// What a searcher decides about split points.
pub(super) trait Rule: Sync {
    /// Whether the rest of a node may be shared after `handed` of its moves were searched.
    fn may_share(&self, node: &Node, handed: usize) -> bool;

    /// Whether to make split points although nobody is free to join.
    fn ahead_of_need(&self) -> bool;

    /// The most workers at one split point, its owner included.
    fn most_workers(&self) -> usize;

    /// Whether a raised alpha reaches the helpers that are at work, or only the moves handed out
    /// afterwards.
    fn shares_alpha(&self) -> bool;

    /// Nodes between two looks at the split points above.
    fn poll_nodes(&self) -> u64;

    /// Which of several open split points a free worker should join: the one with the greatest
    /// worth. `coin` is a random number.
    fn worth(&self, split: &SplitPoint, coin: u64) -> i64;
}

/// The open split points of a search, and who is free.
///
/// Invariant: `list` holds every split point that may still have moves to hand out. `changes`
/// counts what could make a free worker find work; `cuts` counts the cutoffs at split points;
/// `unjoined` counts the split points in `list` that nobody has joined yet.
#[derive(Default)]
pub(super) struct OpenSplits {
    list: Section<Vec<Arc<SplitPoint>>>,
    free: CachePadded<AtomicUsize>,
    unjoined: CachePadded<AtomicUsize>,
    changes: CachePadded<AtomicU64>,
    cuts: CachePadded<AtomicU64>,
}

/// The policy of workers that share nodes.
pub(super) struct Splitting<'s, R> {
    open: &'s OpenSplits,
    rule: &'s R,
    /// The innermost split point that the worker works for.
    current: Option<Arc<SplitPoint>>,
    /// `cuts` at the last look at the chain above.
    seen: u64,
    coin: u64,
}

impl<'s, R: Rule> Splitting<'s, R> {
    /// The policy of one worker, with its own random numbers.
    pub(super) const fn new(open: &'s OpenSplits, rule: &'s R, seed: u64) -> Splitting<'s, R> {
        Splitting { open, rule, current: None, seen: 0, coin: seed }
    }

    /// Works for `split` from now on; returns what it worked for before.
    fn turn_to(&mut self, split: Option<Arc<SplitPoint>>) -> Option<Arc<SplitPoint>> {
        self.seen = u64::MAX;
        std::mem::replace(&mut self.current, split)
    }

    fn toss(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea and Flood): a few operations for each number.
        self.coin = self.coin.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.coin;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl<C: Core, R: Rule> Policy<C> for Splitting<'_, R> {
    #[inline]
    fn cancelled(worker: &mut Worker<'_, C, Self>) -> bool {
        if worker.core.ended() {
            return true;
        }
        let policy = &mut worker.policy;
        let cuts = policy.open.cuts.load(Acquire); // partner: the release in `cut`
        if cuts == policy.seen || !worker.counters.nodes.is_multiple_of(policy.rule.poll_nodes()) {
            return false;
        }
        policy.seen = cuts;
        policy.current.as_ref().is_some_and(|split| split.chain().any(|s| s.is_cancelled()))
    }

    #[inline]
    fn share(
        worker: &mut Worker<'_, C, Self>,
        position: &Position,
        node: &Node,
        moves: &mut Owned,
    ) -> Result<Shared, Aborted> {
        let Splitting { open, rule, .. } = &worker.policy;
        let wanted = open.free.load(Relaxed) > open.unjoined.load(Relaxed) || rule.ahead_of_need();
        if !wanted || !rule.may_share(node, moves.progress.handed) || worker.core.workers() == 1 {
            return Ok(Shared::No);
        }
        let before = worker.core.enter(State::Split);
        if moves.list(worker, position) < 2 {
            worker.core.enter(before);
            return Ok(Shared::No);
        }
        let split = publish(worker, position, node, moves);
        let result = own(worker, &split, moves);
        worker.core.enter(before);
        result.map(|()| Shared::Done)
    }
}

/// Makes a split point of a node and tells the free workers.
fn publish<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    position: &Position,
    node: &Node,
    moves: &mut Owned,
) -> Arc<SplitPoint> {
    worker.core.charge(Cost::Split);
    worker.counters.splits.add(node.kind, 1);
    let open = worker.policy.open;
    let split = Arc::new(SplitPoint {
        position: position.clone(),
        node: *node,
        path: worker.path.clone(),
        frames: worker.frames_about(node.ply).into(),
        owner: worker.core.id(),
        above: worker.policy.current.clone(),
        cancelled: AtomicBool::new(false),
        alpha: AtomicI32::new(moves.progress.alpha),
        helpers: AtomicUsize::new(0),
        state: Section::new(Rest {
            progress: moves.progress.clone(),
            line: worker.frame(node.ply).line.clone(),
            moves: moves.take_list(),
            joined: 0,
        }),
    });
    open.unjoined.fetch_add(1, Relaxed);
    worker.core.section(&open.list, |list| list.push(Arc::clone(&split)));
    announce(worker);
    split
}

/// Something has changed that may give a free worker work.
fn announce<C: Core, R: Rule>(worker: &mut Worker<'_, C, Splitting<'_, R>>) {
    let open = worker.policy.open;
    open.changes.fetch_add(1, Release); // partner: the acquire in `help_until`
    if open.free.load(Relaxed) > 0 {
        worker.core.wake_all();
    }
}

/// The owner's part: searches moves with the others, waits for them (helping below), and takes the
/// result into its loop.
fn own<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    split: &Arc<SplitPoint>,
    moves: &mut Owned,
) -> Result<(), Aborted> {
    let open = worker.policy.open;
    let above = worker.policy.turn_to(Some(Arc::clone(split)));
    work(worker, split);

    worker.core.section(&open.list, |list| list.retain(|other| !Arc::ptr_eq(other, split)));
    // From here on nobody joins: whoever chose it before finds no moves.
    worker.core.section(&split.state, |rest| rest.moves = Listed::default());
    help_until(worker, State::WaitHelpers, Some(split), |_| {
        split.helpers.load(Acquire) == 0 // partner: the release in `Membership::drop`
    });
    worker.policy.turn_to(above);

    let (node, joined) = (&split.node, split.state_of(worker, moves));
    if joined == 0 {
        open.unjoined.fetch_sub(1, Relaxed);
        worker.counters.unjoined.add(node.kind, 1);
    }
    if worker.core.ended() || split.is_orphaned() {
        return Err(Aborted);
    }
    Ok(())
}

impl SplitPoint {
    /// Moves the result into the owner's loop, when all helpers have left; returns how many joined.
    fn state_of<C: Core, R>(
        &self,
        worker: &mut Worker<'_, C, Splitting<'_, R>>,
        moves: &mut Owned,
    ) -> u64 {
        let (progress, line, joined) = worker
            .core
            .section(&self.state, |rest| (rest.progress.clone(), rest.line.clone(), rest.joined));
        moves.progress = progress;
        if self.node.pv {
            worker.frame_mut(self.node.ply).line = line;
        }
        joined
    }
}

/// Searches moves of a split point as long as there are any and they are wanted.
fn work<C: Core, R: Rule>(worker: &mut Worker<'_, C, Splitting<'_, R>>, split: &Arc<SplitPoint>) {
    let before = worker.core.enter(State::Search);
    let height = worker.path.len();
    let mut moves = Joined { split, live: worker.policy.rule.shares_alpha(), handed: 0 };
    while let Some(turn) = moves.next(worker, &split.position) {
        let start = worker.counters.nodes;
        moves.handed = turn.alpha;
        let result = worker.turn(&split.position, &split.node, &turn, &moves);
        if result.is_err() {
            worker.path.truncate(height);
            note_abort(worker, split, start);
        }
        if moves.absorb(worker, &split.node, &turn, result) != Ok(Flow::Continue) {
            break;
        }
    }
    worker.core.enter(before);
}

/// Counts an aborted subtree, where it was a cutoff that aborted it and this is where it ends for
/// the worker.
fn note_abort<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    split: &Arc<SplitPoint>,
    start: u64,
) {
    let helps = split.owner != worker.core.id();
    let cut = split.chain().filter(|other| other.is_cancelled()).last();
    if let Some(cut) = cut
        && !worker.core.ended()
        && (helps || Arc::ptr_eq(cut, split))
    {
        let nodes = worker.counters.nodes - start;
        worker.counters.aborts.add(cut.node.kind, 1);
        worker.counters.aborted_nodes.add(cut.node.kind, nodes);
    }
}

/// Helps where help is wanted, until `done` says so; `below` bounds where. `done` is given whether
/// the search has ended.
pub(super) fn help_until<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    waiting: State,
    below: Option<&Arc<SplitPoint>>,
    done: impl Fn(bool) -> bool,
) {
    let open = worker.policy.open;
    open.free.fetch_add(1, Relaxed);
    while !done(worker.core.ended()) {
        let changes = open.changes.load(Acquire); // partner: the release in `announce`
        match choose(worker, below) {
            Some(split) => {
                open.free.fetch_sub(1, Relaxed);
                help(worker, &split);
                open.free.fetch_add(1, Relaxed);
            }
            None => worker.core.wait_while(waiting, |ended| {
                !done(ended) && (ended || open.changes.load(Acquire) == changes)
            }),
        }
    }
    open.free.fetch_sub(1, Relaxed);
}

/// The open split point that is worth most to a free worker.
fn choose<C: Core, R: Rule>(
    worker: &mut Worker<'_, C, Splitting<'_, R>>,
    below: Option<&Arc<SplitPoint>>,
) -> Option<Arc<SplitPoint>> {
    if worker.core.ended() {
        return None;
    }
    let (open, rule, coin) = (worker.policy.open, worker.policy.rule, worker.policy.toss());
    worker.core.section(&open.list, |list| {
        let candidates = list.iter().enumerate().filter(|(_, split)| {
            split.helpers.load(Relaxed) + 1 < rule.most_workers()
                && !split.chain().any(|other| other.is_cancelled())
                && below.is_none_or(|top| split.chain().any(|other| Arc::ptr_eq(other, top)))
        });
        let worth = |index: usize, split: &SplitPoint| {
            rule.worth(split, coin.wrapping_mul(index as u64 * 2 + 1))
        };
        candidates.max_by_key(|(index, split)| worth(*index, split)).map(|(_, s)| Arc::clone(s))
    })
}

/// A helper between joining and leaving; leaves when dropped, also by a panic.
struct Membership<'a>(&'a SplitPoint);

impl Drop for Membership<'_> {
    fn drop(&mut self) {
        self.0.helpers.fetch_sub(1, Release); // partner: the acquire in `own`
    }
}

/// The helper's part: joins, searches moves, leaves.
fn help<C: Core, R: Rule>(worker: &mut Worker<'_, C, Splitting<'_, R>>, split: &Arc<SplitPoint>) {
    let before = worker.core.enter(State::Split);
    let (open, most) = (worker.policy.open, worker.policy.rule.most_workers());
    let (admitted, exhausted) = worker.core.section(&split.state, |rest| {
        let exhausted = rest.moves.left() == 0 || split.is_cancelled();
        let admitted = !exhausted && split.helpers.load(Relaxed) + 1 < most;
        if admitted {
            open.unjoined.fetch_sub(usize::from(rest.joined == 0), Relaxed);
            rest.joined += 1;
            split.helpers.fetch_add(1, Relaxed);
        }
        (admitted, exhausted)
    });
    if exhausted {
        worker.core.section(&open.list, |list| list.retain(|other| !Arc::ptr_eq(other, split)));
    }
    if admitted {
        let membership = Membership(split);
        worker.core.charge(Cost::Join);
        worker.counters.joins.add(split.node.kind, 1);
        let height = worker.path.len();
        worker.path.copy_from(&split.path);
        worker.take_frames(split.node.ply, &split.frames);
        let above = worker.policy.turn_to(Some(Arc::clone(split)));
        work(worker, split);
        worker.policy.turn_to(above);
        // A waiting owner helps below its own node: the beginning of the path is its own.
        worker.path.truncate(height);
        drop(membership);
        worker.core.wake(split.owner);
    }
    worker.core.enter(before);
}

/// The loop of one worker over a split point's moves.
struct Joined<'a> {
    split: &'a Arc<SplitPoint>,
    /// Whether an alpha raised by others counts at once.
    live: bool,
    /// Alpha when the present move was handed out.
    handed: Score,
}

impl<C: Core, R: Rule> MoveLoop<C, Splitting<'_, R>> for Joined<'_> {
    fn next(
        &mut self,
        worker: &mut Worker<'_, C, Splitting<'_, R>>,
        _position: &Position,
    ) -> Option<Turn> {
        let split = self.split;
        let node = &split.node;
        worker.core.section(&split.state, |rest| {
            if split.is_cancelled() || rest.progress.is_cut(node) {
                return None;
            }
            rest.moves.next().map(|picked| rest.progress.hand_out(picked))
        })
    }

    fn alpha(&self) -> Score {
        if self.live { self.split.alpha.load(Relaxed) } else { self.handed }
    }

    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, Splitting<'_, R>>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let split = self.split;
        // Cut by a split point above, the abort goes on; cut by this one, it is this node's cutoff.
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(Aborted) if worker.core.ended() || split.is_orphaned() => return Err(Aborted),
            Err(Aborted) => return Ok(Flow::CutOff),
        };
        let line = (node.pv).then(|| line_from(turn.mv, &worker.frame(node.ply + 1).line));
        let cut = worker.core.section(&split.state, |rest| {
            match verdict {
                Verdict::Pruned => {}
                Verdict::PrunedQuiets => rest.moves.skip_quiets(),
                Verdict::Score(score) => {
                    if rest.progress.absorb(node, turn, score) {
                        rest.line = line.unwrap_or_default();
                    }
                    split.alpha.store(rest.progress.alpha, Relaxed);
                }
            }
            let cut = rest.progress.is_cut(node);
            if cut {
                split.cancelled.store(true, Relaxed);
            }
            cut
        });
        if cut {
            worker.policy.open.cuts.fetch_add(1, Release); // partner: the acquire in `cancelled`
        }
        Ok(if cut { Flow::CutOff } else { Flow::Continue })
    }
}

/// A principal variation that begins with `mv` and goes on with `rest`.
fn line_from(mv: Move, rest: &Line) -> Line {
    let mut line = Line::new();
    line.push(mv);
    line.extend(rest.iter().copied().take(line.remaining_capacity()));
    line
}
