//! The shared state of one timed search: its data, its record, and its observer.

use super::{IdealMachine, Line, Reductions, TableAccess};
use crate::cores::{Core, Section, Time, Timeline};
use crate::engine::{
    Bound, INFINITY, Move, MoveOrder, OtherTerms, Position, RootSearch, Score, Table, Techniques,
    legal_moves,
};
use crossbeam_utils::CachePadded;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// The greatest number of nodes between two times that a worker asks whether the search is over.
const LOOK_EVERY: u64 = 1024;
/// That number in a timed search of a game, which has an observer: some 50 microseconds. Moves of a
/// millisecond, in games on virtual cores, would else end a third too late.
const LOOK_EVERY_IF_TIMED: u64 = 128;

/// The first time that a worker completed an iteration of this depth or a greater one. Only workers
/// that may end the search count.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The depth, from 1.
    pub depth: u8,
    /// The worker that completed it, from 0.
    pub worker: usize,
    /// The time since "go".
    pub time: Time,
    /// The nodes of all workers until then.
    pub nodes: u64,
    /// The score for the side to move.
    pub score: Score,
    /// The principal variation.
    pub line: Line,
}

/// News of a search, for its observer.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// An iteration was completed, deeper than all before.
    Iteration(&'a Iteration),
    /// The main worker's score of the root lies outside its window, so the root is searched again.
    ///
    /// The next window is wider (aspiration) or that of the next test (MTD(f)).
    Outside {
        /// The depth, plies.
        depth: i32,
        /// The score.
        score: Score,
        /// The relation of the true score to it: [`Bound::Lower`] or [`Bound::Upper`].
        bound: Bound,
        /// The best line; empty where no move reached the window.
        line: &'a Line,
    },
    /// The main worker begins a move of the root.
    RootMove {
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
}

/// A search observer: it follows a search from outside.
///
/// The workers call it, possibly several at once. They hold nothing shared then, so it may print.
pub trait SearchObserver: Sync {
    /// Takes news. Of the iterations of two workers, the deeper may come first.
    fn hear(&self, shared: &SharedState<'_>, news: News<'_>);

    /// Whether to give the search up. Every worker asks at least every 1,024 of its nodes, and
    /// after every iteration.
    fn is_enough(&self) -> bool;
}

/// The shared state of one search, which all its workers see.
///
/// It is read-only, with these exceptions:
///
/// - the record and the timelines: each is a section
/// - the tallies: worker `i` alone writes `tallies[i]`. A worker that hears of that number by a
///   message writes it into its own process, while the other one waits
/// - `deepest`: any worker raises it, and writes only at a new depth
pub struct SharedState<'a> {
    /// The position at which the search starts.
    pub root: &'a Position,
    /// The keys of the game before the root.
    pub past: &'a [u64],
    /// The iteration to complete.
    pub depth: u8,
    /// The techniques.
    pub techniques: &'a Techniques,
    /// The table of reductions for these techniques.
    pub reductions: &'a Reductions,
    /// The shared transposition table.
    pub table: &'a Table,
    /// The time at which to give up.
    pub time_limit: Option<Time>,
    /// The flag that is set from outside to give up.
    pub interrupt: &'a AtomicBool,
    /// The seed of every random choice but the order of moves.
    pub seed: u64,
    /// The seed of a random order of moves.
    pub(super) order_seed: u64,
    /// Whether all moves are tried in the full order, with the table's move first and losing
    /// captures last.
    ///
    /// One flag for all this, so that a node asks once about settings that are rarely otherwise.
    pub(super) usual_order: bool,
    /// A limit that no node passes on a lower one than: lower than all, or infinite without deep
    /// cutoffs.
    pub(super) least_ceiling: Score,
    /// The evaluation, where it is not the usual one.
    pub(super) other_terms: Option<Box<OtherTerms>>,
    /// The root's moves that may be made, in the order in which they are tried first. At least one,
    /// and all of them legal.
    ///
    /// Results of the root are true of these moves only. So a root with fewer than all moves should
    /// have a key of its own ([`Position::renamed`]).
    pub(crate) root_moves: Vec<Move>,
    /// The key of the root on the path: the key of the position, whatever its key in the table is.
    pub(crate) root_key: u64,
    /// The number of nodes, of all workers, after which to give up.
    ///
    /// One worker stops exactly there. Several stop later, as soon as each has looked.
    pub(crate) node_limit: Option<u64>,
    /// The observer of the search.
    pub(crate) observer: Option<&'a dyn SearchObserver>,
    /// The idealised machine, if the search is to be on one. Only virtual cores heed it.
    pub(crate) machine: Option<&'a IdealMachine>,
    /// The deepest ply that was reached with an open window.
    deepest: AtomicUsize,
    /// The way in which workers use the table.
    pub(crate) access: TableAccess,
    /// The greatest number of moments of each worker's timeline, if timelines are recorded.
    pub(crate) recorded: Option<usize>,
    timelines: Section<Vec<(usize, Timeline)>>,
    tallies: Box<[CachePadded<AtomicU64>]>,
    record: Section<Vec<Iteration>>,
}

/// The limits and seeds of a search.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The iteration to complete.
    pub depth: u8,
    /// The time at which to give up.
    pub time_limit: Option<Time>,
    /// The flag that is set from outside to give up.
    pub interrupt: &'a AtomicBool,
    /// The seed of every random choice but the order of moves.
    pub seed: u64,
    /// The seed of a random order of moves, equal for all competitors.
    pub order_seed: u64,
}

/// The past of a game, and limits that a search in a game needs beside its task. The default is a
/// search outside of any game: no past, no observer, all moves.
#[derive(Clone, Copy, Default)]
pub struct GameContext<'a> {
    /// The keys of the positions before the root, oldest first: for repetitions.
    pub past: &'a [u64],
    /// The only moves of the root that may be made: legal ones, at least one. Without a list all
    /// moves may be made.
    pub root_moves: Option<&'a [Move]>,
    /// The number of nodes after which the search gives up; without one it never does.
    pub node_limit: Option<u64>,
    /// The observer that follows the search, if any.
    pub observer: Option<&'a dyn SearchObserver>,
    /// The idealised machine, if the search is to be on one. Only virtual cores heed it.
    pub machine: Option<&'a IdealMachine>,
}

impl<'a> SharedState<'a> {
    /// A search that has not begun.
    pub fn new(
        root: &'a Position,
        past: &'a [u64],
        engine: (&'a Techniques, &'a Reductions, &'a Table),
        limits: Limits<'a>,
        workers: usize,
    ) -> SharedState<'a> {
        let (techniques, reductions, table) = engine;
        let Limits { depth, time_limit, interrupt, seed, order_seed } = limits;
        SharedState {
            root,
            past,
            depth,
            techniques,
            reductions,
            table,
            time_limit,
            interrupt,
            seed,
            order_seed,
            usual_order: techniques.ordering == MoveOrder::Full
                && techniques.table_move
                && techniques.exchange_ordering
                && !techniques.beam.enabled,
            least_ceiling: if techniques.deep_cutoffs { -INFINITY } else { INFINITY },
            other_terms: OtherTerms::of(techniques).map(Box::new),
            root_moves: legal_moves(root.board()),
            root_key: root.key(),
            node_limit: None,
            observer: None,
            machine: None,
            deepest: AtomicUsize::new(0),
            access: TableAccess::default(),
            recorded: None,
            timelines: Section::default(),
            tallies: (0..workers).map(|_| CachePadded::default()).collect(),
            record: Section::default(),
        }
    }

    /// Begins the record of a worker.
    pub(super) fn begin<C: Core>(&self, core: &mut C) {
        if let Some(most) = self.recorded {
            core.record(most);
        }
    }

    /// Takes the record of a worker that has ended.
    pub(super) fn finish<C: Core>(&self, core: &mut C) {
        if let Some(timeline) = core.timeline() {
            let id = core.id();
            core.section(&self.timelines, |all| all.push((id, timeline)));
        }
    }

    /// Publishes the number of nodes that a worker has visited.
    #[inline]
    pub fn tally(&self, worker: usize, nodes: u64) {
        self.tallies[worker].store(nodes, Relaxed);
    }

    /// The number of nodes that a worker has published.
    pub fn nodes_of(&self, worker: usize) -> u64 {
        self.tallies[worker].load(Relaxed)
    }

    /// The number of nodes of all workers so far.
    pub fn nodes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.load(Relaxed)).sum()
    }

    /// Whether the search should be given up: by the clock, by its nodes or from outside.
    pub fn is_over(&self, now: Time) -> bool {
        self.interrupt.load(Relaxed)
            || self.time_limit.is_some_and(|limit| now >= limit)
            || self.nodes_left() == Some(0)
            || self.observer.is_some_and(SearchObserver::is_enough)
    }

    fn nodes_left(&self) -> Option<u64> {
        self.node_limit.map(|limit| limit.saturating_sub(self.nodes()))
    }

    /// The number of nodes at which a worker next asks whether the search is over. It has counted
    /// `nodes` now.
    ///
    /// It is the next multiple of 1,024, or of 128 in a timed search of a game. It is less if the
    /// limit of nodes may be reached before.
    pub(super) fn next_look(&self, nodes: u64) -> u64 {
        let is_timed = self.time_limit.is_some() && self.observer.is_some();
        let every = if is_timed { LOOK_EVERY_IF_TIMED } else { LOOK_EVERY };
        let regular = (nodes / every + 1) * every;
        let workers = self.tallies.len() as u64;
        self.nodes_left().map_or(regular, |left| regular.min(nodes + (left / workers).max(1)))
    }

    /// Notes that a node `ply` plies from the root is visited with an open window.
    pub(super) fn reach(&self, ply: usize) {
        if ply > self.deepest.load(Relaxed) {
            self.deepest.fetch_max(ply, Relaxed);
        }
    }

    /// The deepest ply that any worker has reached with an open window; none where all windows are
    /// null.
    pub fn deepest(&self) -> Option<usize> {
        (self.techniques.root_search == RootSearch::Windows).then(|| self.deepest.load(Relaxed))
    }

    /// The depths to which a worker searches the root, one after another.
    pub fn iterations(&self) -> RangeInclusive<i32> {
        let last = i32::from(self.depth);
        if self.techniques.iterative_deepening { 1..=last } else { last..=last }
    }

    /// Tells the observer, if `core` is the main worker's.
    pub(super) fn tell<C: Core>(&self, core: &C, news: News<'_>) {
        if let Some(observer) = self.observer.filter(|_| core.id() == 0) {
            observer.hear(self, news);
        }
    }

    /// Notes that `worker` completed an iteration, at the present time of `core`.
    ///
    /// The iteration of the depth that was asked for ends the search. Only for workers that may end
    /// the search.
    pub fn completed<C: Core>(
        &self,
        core: &mut C,
        worker: usize,
        depth: i32,
        (score, line): (Score, &Line),
    ) {
        let nodes = self.nodes();
        let depth = depth.min(i32::from(self.depth)) as u8;
        let last = depth == self.depth;
        if core.ended() {
            return;
        }
        // The time of the last iteration is exactly the time of the end.
        let now = if last { core.end() } else { Some(core.now()) };
        let Some(time) = now else { return };
        let news = core.section(&self.record, |record| {
            // Another worker may have read the clock later and come here earlier. This iteration
            // says nothing of the time of a deeper one.
            for earlier in record.iter_mut().filter(|earlier| earlier.depth <= depth) {
                earlier.time = earlier.time.min(time);
            }
            let known = record.last().map_or(0, |iteration| iteration.depth);
            let first = *self.iterations().start() as u8;
            for depth in first.max(known + 1)..=depth {
                record.push(Iteration { depth, worker, time, nodes, score, line: line.clone() });
            }
            self.observer.and_then(|_| record.last().filter(|last| last.depth > known).cloned())
        });
        if let (Some(observer), Some(iteration)) = (self.observer, news) {
            observer.hear(self, News::Iteration(&iteration));
            if observer.is_enough() {
                core.end();
            }
        }
    }

    /// The completed iterations and the timelines, when all workers have gone. Timelines are in the
    /// order of workers, and there are none if they were not recorded.
    pub fn into_record(self) -> (Vec<Iteration>, Vec<Timeline>) {
        let mut timelines = self.timelines.into_inner();
        timelines.sort_by_key(|(worker, _)| *worker);
        let timelines = timelines.into_iter().map(|(_, timeline)| timeline).collect();
        (self.record.into_inner(), timelines)
    }
}
