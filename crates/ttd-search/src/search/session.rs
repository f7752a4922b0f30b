//! One timed search: what all its workers see, its record, and who follows it from outside.

use super::reductions::Reductions;
use super::table_access::TableAccess;
use super::visit::Line;
use crate::cores::{Core, Section, Time, Timeline};
use crate::engine::{Bound, Features, Move, MoveOrder, Position, RootSearch, Score, Table};
use crossbeam_utils::CachePadded;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// At least so often, in nodes, a worker asks whether the search is over.
const LOOK_EVERY: u64 = 1024;

/// The first completion of an iteration of this depth or a greater one by a worker that may end
/// the search.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// The depth, from 1.
    pub depth: u8,
    /// The worker that completed it, from 0.
    pub worker: usize,
    /// From "go".
    pub time: Time,
    /// Of all workers until then.
    pub nodes: u64,
    /// From the side to move.
    pub score: Score,
    /// The principal variation.
    pub line: Line,
}

/// Something of a search that is worth telling.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// An iteration was completed, deeper than all before.
    Iteration(&'a Iteration),
    /// The first worker's search of the root left its window, and is done again with another: after an aspiration window
    /// with a wider one, in MTD(f) with the next test.
    Outside {
        /// Plies.
        depth: i32,
        /// What it came to.
        score: Score,
        /// What that says of the true score: [`Bound::Lower`] or [`Bound::Upper`].
        bound: Bound,
        /// The best line; empty where no move reached the window.
        line: &'a Line,
    },
    /// The first worker begins a move of the root.
    RootMove {
        /// The move.
        mv: Move,
        /// Its place in the order, from 1.
        number: usize,
    },
}

/// Follows a search from outside. Called by its workers, of whom several may come at once, and while none of them
/// holds anything shared: it may print.
pub trait Watcher: Sync {
    /// Takes news; of two workers' iterations the deeper may come first.
    fn hear(&self, session: &Session<'_>, news: News<'_>);

    /// Whether to give the search up. Asked by every worker at least every 1,024 of its nodes, and after every iteration.
    fn is_enough(&self) -> bool;
}

/// What all workers of one search see. Read-only but for the record and the timelines, a section each, the
/// tallies (`tallies[i]` is written by worker `i` alone) and `deepest`, which any worker raises, at a new depth only.
pub struct Session<'a> {
    /// Where the search starts.
    pub root: &'a Position,
    /// The keys of the game before it.
    pub past: &'a [u64],
    /// The iteration to complete.
    pub depth: u8,
    /// The techniques.
    pub features: &'a Features,
    /// Their table of reductions.
    pub reductions: &'a Reductions,
    /// The shared transposition table.
    pub table: &'a Table,
    /// When to give up.
    pub time_limit: Option<Time>,
    /// Set from outside to give up.
    pub interrupt: &'a AtomicBool,
    /// Of every random choice but the order of moves.
    pub seed: u64,
    /// Of a random order of moves.
    pub(super) order_seed: u64,
    /// Whether moves are tried in the full order, with the table's move first and losing captures last, and all of
    /// them: so that what is seldom otherwise is asked for once a node.
    pub(super) usual_order: bool,
    /// The moves of the root that may be made, in the order in which they are first tried.
    pub(super) root_moves: Vec<Move>,
    /// The key of the root on the path: that of the position, whatever its key in the table is.
    pub(super) root_key: u64,
    /// After how many nodes of all workers to give up.
    node_limit: Option<u64>,
    /// Who follows it.
    watcher: Option<&'a dyn Watcher>,
    /// The deepest ply that was reached with an open window.
    deepest: AtomicUsize,
    /// How workers come at the table.
    pub(super) access: TableAccess,
    /// How many moments of each worker are recorded, if they are.
    recorded: Option<usize>,
    timelines: Section<Vec<(usize, Timeline)>>,
    tallies: Box<[CachePadded<AtomicU64>]>,
    record: Section<Vec<Iteration>>,
}

/// What a session needs beside the place to start from.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The iteration to complete.
    pub depth: u8,
    /// When to give up.
    pub time_limit: Option<Time>,
    /// Set from outside to give up.
    pub interrupt: &'a AtomicBool,
    /// Of every random choice but the order of moves.
    pub seed: u64,
    /// Of a random order of moves, which is to be the same whoever searches.
    pub order_seed: u64,
}

impl<'a> Session<'a> {
    /// A search that has not begun.
    pub fn new(
        root: &'a Position,
        past: &'a [u64],
        engine: (&'a Features, &'a Reductions, &'a Table),
        limits: Limits<'a>,
        workers: usize,
    ) -> Session<'a> {
        let (features, reductions, table) = engine;
        let Limits { depth, time_limit, interrupt, seed, order_seed } = limits;
        let mut root_moves = Vec::new();
        root.board().generate_moves(|moves| {
            root_moves.extend(moves);
            false
        });
        Session {
            root,
            past,
            depth,
            features,
            reductions,
            table,
            time_limit,
            interrupt,
            seed,
            order_seed,
            usual_order: features.ordering == MoveOrder::Full
                && features.table_move
                && features.exchange_ordering
                && !features.beam.enabled,
            root_moves,
            root_key: root.key(),
            node_limit: None,
            watcher: None,
            deepest: AtomicUsize::new(0),
            access: TableAccess::default(),
            recorded: None,
            timelines: Section::default(),
            tallies: (0..workers).map(|_| CachePadded::default()).collect(),
            record: Section::default(),
        }
    }

    /// The same search, whose workers come at the table in this way.
    #[must_use]
    pub fn with_table_access(self, access: TableAccess) -> Session<'a> {
        Session { access, ..self }
    }

    /// The same search, of which every worker keeps a timeline of at most `most` moments.
    #[must_use]
    pub fn recorded(self, most: Option<usize>) -> Session<'a> {
        Session { recorded: most, ..self }
    }

    /// The same search, with only these moves at the root, at least one of them and all legal. What is found of the
    /// root holds under this condition only: its position should have a key of its own ([`Position::renamed`]), and
    /// the true one is `key`.
    #[must_use]
    pub fn restricted(self, root_moves: Vec<Move>, key: u64) -> Session<'a> {
        Session { root_moves, root_key: key, ..self }
    }

    /// The same search, given up after so many nodes: exactly with one worker, with more as soon as each has looked.
    #[must_use]
    pub fn with_node_limit(self, node_limit: Option<u64>) -> Session<'a> {
        Session { node_limit, ..self }
    }

    /// The same search, followed from outside.
    #[must_use]
    pub fn watched(self, watcher: Option<&'a dyn Watcher>) -> Session<'a> {
        Session { watcher, ..self }
    }

    /// A worker begins.
    pub(super) fn begin<C: Core>(&self, core: &mut C) {
        if let Some(most) = self.recorded {
            core.record(most);
        }
    }

    /// A worker has ended.
    pub(super) fn finish<C: Core>(&self, core: &mut C) {
        if let Some(timeline) = core.timeline() {
            let id = core.id();
            core.section(&self.timelines, |all| all.push((id, timeline)));
        }
    }

    /// Publishes how many nodes a worker has visited.
    #[inline]
    pub fn tally(&self, worker: usize, nodes: u64) {
        self.tallies[worker].store(nodes, Relaxed);
    }

    /// The nodes of all workers so far.
    pub fn nodes(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.load(Relaxed)).sum()
    }

    /// Whether the search should be given up, by the clock, by its nodes or from outside.
    pub fn is_over(&self, now: Time) -> bool {
        self.interrupt.load(Relaxed)
            || self.time_limit.is_some_and(|limit| now >= limit)
            || self.nodes_left() == Some(0)
            || self.watcher.is_some_and(Watcher::is_enough)
    }

    fn nodes_left(&self) -> Option<u64> {
        self.node_limit.map(|limit| limit.saturating_sub(self.nodes()))
    }

    /// With how many nodes a worker that has counted `nodes` asks again whether the search is over: at every
    /// multiple of 1,024, and earlier where the limit of nodes may be reached.
    pub(super) fn next_look(&self, nodes: u64) -> u64 {
        let regular = (nodes / LOOK_EVERY + 1) * LOOK_EVERY;
        let workers = self.tallies.len() as u64;
        self.nodes_left().map_or(regular, |left| regular.min(nodes + (left / workers).max(1)))
    }

    /// A node `ply` plies from the root is visited with an open window.
    pub(super) fn reach(&self, ply: usize) {
        if ply > self.deepest.load(Relaxed) {
            self.deepest.fetch_max(ply, Relaxed);
        }
    }

    /// The deepest ply that any worker has reached with an open window; none where all windows are null.
    pub fn deepest(&self) -> Option<usize> {
        (self.features.root_search == RootSearch::Windows).then(|| self.deepest.load(Relaxed))
    }

    /// The depths that a worker searches the root to, one after another.
    pub fn iterations(&self) -> RangeInclusive<i32> {
        let last = i32::from(self.depth);
        if self.features.iterative_deepening { 1..=last } else { last..=last }
    }

    /// Tells who follows the search, if `core` is the first worker's.
    pub(super) fn tell<C: Core>(&self, core: &C, news: News<'_>) {
        if let Some(watcher) = self.watcher.filter(|_| core.id() == 0) {
            watcher.hear(self, news);
        }
    }

    /// Notes that `worker` completed an iteration, as `core` sees it; ends the search with the one
    /// asked for. Only for workers that may end the search.
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
        // The last iteration's time is the time of the end, to the tick.
        let now = if last { core.end() } else { Some(core.now()) };
        let Some(time) = now else { return };
        let news = core.section(&self.record, |record| {
            // Another worker may have read the clock later and come here earlier.
            for earlier in record.iter_mut() {
                earlier.time = earlier.time.min(time);
            }
            let known = record.last().map_or(0, |iteration| iteration.depth);
            let first = *self.iterations().start() as u8;
            for depth in first.max(known + 1)..=depth {
                record.push(Iteration { depth, worker, time, nodes, score, line: line.clone() });
            }
            self.watcher.and_then(|_| record.last().filter(|last| last.depth > known).cloned())
        });
        if let (Some(watcher), Some(iteration)) = (self.watcher, news) {
            watcher.hear(self, News::Iteration(&iteration));
            if watcher.is_enough() {
                core.end();
            }
        }
    }

    /// The iterations completed, and the timelines of the workers in their order if they were kept, when all have
    /// gone.
    pub fn into_record(self) -> (Vec<Iteration>, Vec<Timeline>) {
        let mut timelines = self.timelines.into_inner();
        timelines.sort_by_key(|(worker, _)| *worker);
        let timelines = timelines.into_iter().map(|(_, timeline)| timeline).collect();
        (self.record.into_inner(), timelines)
    }
}
