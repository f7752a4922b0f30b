//! A worker: its core, and all data that it owns.

use super::{ByDepth, Counters, Line, MAX_PLY, SharedState};
use crate::cores::{Area, Core, Line as Address};
use crate::engine::{
    Context, Corrections, Entry, History, Killers, KillersAt, Move, Moved, Path, PawnCache,
    Position, RecordLine, Rounding, Score, evaluate,
};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// The number of frames before the root, so that "two plies before" always exists.
const BELOW: usize = 2;

/// The memory of one ply of the line that a worker is searching.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame {
    /// The static evaluation, if the side to move was not in check.
    pub evaluation: Option<Score>,
    /// The move made from here, if it was not a pass.
    pub moved: Option<Moved>,
}

/// The memory on which the moves of a node depend.
#[derive(Clone, Copy, Debug, Default)]
pub struct FramesAbout {
    /// The frame of the node, after the two before it.
    pub frames: [Frame; BELOW + 1],
    /// The depth of the iteration that it belongs to, plies; 0 where values do not depend on that.
    pub iteration: i32,
}

/// The parts of a worker's history that other workers have too.
#[derive(Clone, Copy, Debug, Default)]
pub struct SharedRecords {
    /// All of it but the pawn records.
    pub history: bool,
    /// The pawn records.
    pub pawns: bool,
}

impl SharedRecords {
    /// A line of the history, if others have it too.
    #[inline]
    pub(super) const fn line(self, line: RecordLine) -> Option<Address> {
        match line {
            RecordLine::Own(line) if self.history => Some(Address::new(Area::History, line)),
            RecordLine::Pawns(line) if self.pawns => Some(Address::new(Area::PawnRecords, line)),
            RecordLine::Own(_) | RecordLine::Pawns(_) => None,
        }
    }
}

/// One worker of a search.
///
/// It owns everything in it, except the [`SharedState`], which is shared. History, killers and
/// parts of the policy may be shared too.
pub struct Worker<'s, C, P> {
    /// Its core.
    pub core: C,
    /// The searcher's part in its nodes.
    pub policy: P,
    /// The shared state of its search.
    pub shared: &'s SharedState<'s>,
    /// The records of quiet moves.
    pub history: &'s History,
    /// The parts of it that other workers have too.
    pub shared_records: SharedRecords,
    /// The rounding of changes to it.
    pub rounding: Rounding,
    /// The corrections of static evaluations, and whether other workers have them too. None where
    /// evaluations are not corrected.
    pub corrections: Option<(&'s Corrections, bool)>,
    /// Quiet moves that have cut off lately.
    pub killers: &'s Killers,
    /// The positions on the way to its node.
    pub path: Path,
    /// The refutation table: by the position's key, the reply that refuted a root move, and the
    /// moves of the principal variation. Empty where it is off.
    pub(super) refutations: BTreeMap<u64, Move>,
    /// Its counters.
    pub counters: Counters,
    /// Its look-ups in the table.
    pub(super) look_ups: ByDepth,
    /// The new entries of the table that it is to tell others: the key of each position, its ply,
    /// and the entry. None without [`Worker::tell_from`].
    pub told: Vec<(u64, (usize, Entry))>,
    /// Least depth of an entry that it tells.
    pub(super) tell_depth: i32,
    /// The number of nodes that it visited for other workers while a node of its own waited.
    ///
    /// They are no part of the subtree of that node. Aborted nodes are not counted.
    pub elsewhere: u64,
    /// The root's moves in the full order, the best known first.
    pub root_moves: Vec<Move>,
    /// The best root move, once the root was searched.
    pub(super) root_best: Option<Move>,
    /// Its keys in the table are (key of the position x `factor`) / 2^`rank_bits` XOR `salt`.
    pub(super) factor: u64,
    pub(super) rank_bits: u32,
    pub(super) salt: u64,
    /// The depth of the iteration that it works for, plies; 0 where values do not depend on that.
    pub(super) iteration: i32,
    /// The number of nodes at which it asks again whether the search is over.
    pub(super) next_look: u64,
    pawns: Rc<SharedPawns>,
    frames: Box<[Frame]>,
    lines: Box<[Line]>,
}

impl<'s, C: Core, P> Worker<'s, C, P> {
    /// A worker at the root that keeps its data in `memory`.
    pub fn new(
        mut core: C,
        policy: P,
        shared: &'s SharedState<'s>,
        (history, killers): (&'s History, &'s Killers),
        memory: Memory,
    ) -> Worker<'s, C, P> {
        let Memory { pawns, frames, lines } = memory;
        let path = Path::new(shared.past);
        let counters = Counters::default();
        shared.begin(&mut core);
        let (factor, rank_bits) = (shared.access.factor, shared.access.rank_bits);
        let salt = shared.access.salt(core.id());
        Worker {
            core,
            policy,
            shared,
            history,
            shared_records: SharedRecords::default(),
            rounding: Rounding::default(),
            corrections: None,
            killers,
            path,
            refutations: BTreeMap::new(),
            counters,
            look_ups: ByDepth::default(),
            told: Vec::new(),
            tell_depth: i32::MAX,
            elsewhere: 0,
            root_moves: shared.root_moves.clone(),
            root_best: None,
            factor,
            rank_bits,
            salt,
            iteration: 0,
            next_look: shared.next_look(0),
            pawns,
            frames,
            lines,
        }
    }

    /// The static evaluation of a position.
    fn evaluate(&mut self, position: &Position) -> Score {
        let pawns = &mut self.pawns.borrow_mut();
        match &self.shared.other_terms {
            None => evaluate(position, pawns, self.shared.techniques.evaluation),
            Some(other) => other.evaluate(position, pawns, self.iteration),
        }
    }

    /// The static evaluation of a position, corrected by what the search has found of others.
    #[inline(always)]
    pub(super) fn corrected(&mut self, position: &Position) -> Score {
        let evaluation = self.evaluate(position);
        if self.corrections.is_none() { evaluation } else { self.correct(position, evaluation) }
    }

    /// The corrected static evaluation; none in check. `known` is its value where it was found
    /// before.
    #[inline(always)]
    pub(super) fn evaluation_out_of_check(
        &mut self,
        position: &Position,
        known: Option<Score>,
    ) -> Option<Score> {
        (!position.in_check()).then(|| known.unwrap_or_else(|| self.corrected(position)))
    }

    /// Ends the worker. Adds the time in each state and the sum of its look-ups to its counters.
    pub fn finish(mut self) -> (Counters, ByDepth) {
        if self.shared.table.is_off() {
            // Without a table no look-up counts.
            self.look_ups = ByDepth::default();
        }
        self.counters.states = self.core.states();
        self.counters.table = self.look_ups.sum();
        self.shared.finish(&mut self.core);
        (self.counters, self.look_ups)
    }
}

impl<C, P> Worker<'_, C, P> {
    /// The frame of a ply.
    pub fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + BELOW]
    }

    /// The frame of a ply.
    pub fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + BELOW]
    }

    /// The moves one and two plies before; none for a null move.
    pub fn before(&self, ply: usize) -> [Option<Moved>; 2] {
        [self.frames[ply + BELOW - 1].moved, self.frames[ply + BELOW - 2].moved]
    }

    /// The features of a node that its quiet moves answer.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let by_pawns = self.shared.techniques.pawn_history;
        Context::new(self.before(ply), by_pawns.then(|| position.board()))
    }

    /// The evaluation two plies before, when the same side was to move.
    pub(super) fn evaluation_before(&self, ply: usize) -> Option<Score> {
        self.frames[ply + BELOW - 2].evaluation
    }

    /// The best line found from a ply on.
    pub fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }

    /// The best line found from a ply on.
    pub fn line_mut(&mut self, ply: usize) -> &mut Line {
        &mut self.lines[ply]
    }

    /// Makes the line from `ply` on: `mv`, and then the line found below it.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }

    /// A principal variation that begins with `mv` at `ply`, and goes on with the line found below.
    pub fn line_from(&self, ply: usize, mv: Move) -> Line {
        let mut line = Line::new();
        line.push(mv);
        line.extend(self.lines[ply + 1].iter().copied().take(line.remaining_capacity()));
        line
    }

    /// The memory on which the moves of a node at `ply` depend.
    pub fn frames_about(&self, ply: usize) -> FramesAbout {
        let frames = std::array::from_fn(|i| self.frames[ply + i]);
        FramesAbout { frames, iteration: self.iteration }
    }

    /// The line that the worker is searching, for [`Worker::return_to`].
    pub fn place(&self) -> Place {
        Place {
            path: self.path.clone(),
            frames: self.frames.clone(),
            lines: self.lines.clone(),
            killers: self.killers.own(),
            iteration: self.iteration,
        }
    }

    /// Goes back to a line.
    pub fn return_to(&mut self, place: Place) {
        self.killers.return_to(&place.killers);
        self.iteration = place.iteration;
        Place { path: self.path, frames: self.frames, lines: self.lines, .. } = place;
    }

    /// Takes over the frames that another worker gave by [`Worker::frames_about`].
    pub fn take_frames(&mut self, ply: usize, about: &FramesAbout) {
        self.frames[ply..ply + about.frames.len()].copy_from_slice(&about.frames);
        self.iteration = about.iteration;
    }
}

/// The place of a worker in the tree, and its results on the way.
pub struct Place {
    path: Path,
    frames: Box<[Frame]>,
    lines: Box<[Line]>,
    /// Empty where they are shared.
    killers: Vec<KillersAt>,
    iteration: i32,
}

/// The larger parts of a worker, made before the clock starts. (Its path is made with it.)
///
/// The workers of one thread have one cache of pawns: all virtual cores, or one real worker. Its
/// contents tell nobody anything, and one cache stays in the processor's caches where hundreds do
/// not. The last of the workers frees it.
pub struct Memory {
    pawns: Rc<SharedPawns>,
    frames: Box<[Frame]>,
    lines: Box<[Line]>,
}

const FRAMES: usize = MAX_PLY + BELOW + 4;
const LINES: usize = MAX_PLY + 2;

impl Memory {
    /// The bytes of these parts.
    pub const BYTES: usize = PawnCache::BYTES + Place::BYTES;
}

impl Place {
    /// The bytes of a place, without its killers.
    pub const BYTES: usize = FRAMES * size_of::<Frame>() + LINES * size_of::<Line>() + Path::BYTES;
}

impl Default for Memory {
    fn default() -> Memory {
        let frames = vec![Frame::default(); FRAMES].into_boxed_slice();
        let lines = vec![Line::new(); LINES].into_boxed_slice();
        Memory { pawns: pawns_of_thread(), frames, lines }
    }
}

type SharedPawns = RefCell<PawnCache>;

/// The cache of pawns of this thread's workers: a new one, if no worker has any. All workers of a
/// thread at one time are of one search, and so of one table of weights.
fn pawns_of_thread() -> Rc<SharedPawns> {
    thread_local! {
        static PAWNS: RefCell<Weak<SharedPawns>> = const { RefCell::new(Weak::new()) };
    }
    PAWNS.with_borrow_mut(|pawns| {
        pawns.upgrade().unwrap_or_else(|| {
            let cache = Rc::default();
            *pawns = Rc::downgrade(&cache);
            cache
        })
    })
}
