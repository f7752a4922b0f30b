//! The loop over the moves of a node: it hands out moves and takes their results.

use super::{Aborted, Dependencies, Effect, Listed, Node, Unwanted, Worker};
use crate::cores::Core;
use crate::engine::{
    Checks, DEEPEST_MATE, History, INFINITY, MAX_MOVES, Move, Picked, Picker, Position, Score,
    Stage,
};
use arrayvec::ArrayVec;

/// A move to search, with everything on which its reductions and prunings depend.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The move.
    pub mv: Move,
    /// Its stage in the order.
    pub stage: Stage,
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
    /// Its place in the order, from 1. Moves that were left out unseen are not counted.
    pub number: usize,
    /// Alpha when the move was handed out.
    pub alpha: Score,
    /// Whether some move has already shown that the side to move is not being mated.
    pub safe: bool,
}

/// The result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It was searched, to this score.
    Score(Score),
    /// It was pruned.
    Pruned,
    /// Its test failed, and its value has to wait: see [`MoveLoop::may_value`].
    PutOff,
}

/// Whether a node goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It goes on with the next move.
    Continue,
    /// It ends: a move reached beta, or nothing is left to do here.
    CutOff,
}

/// Hands out the moves of a node and takes the results.
pub trait MoveLoop<C: Core, P> {
    /// The next move to search.
    fn next(&mut self, worker: &mut Worker<'_, C, P>, position: &Position) -> Option<Turn>;

    /// The present alpha. The worker's next work depends on the worker that raised it.
    fn alpha(&self, worker: &mut Worker<'_, C, P>) -> Score;

    /// Whether the value of a younger brother may be searched now, with an open window.
    ///
    /// The brother is on the principal variation and has failed its test. Otherwise its value is
    /// put off.
    #[inline]
    fn may_value(&self, _worker: &mut Worker<'_, C, P>) -> bool {
        true
    }

    /// Takes the result of a move.
    ///
    /// # Errors
    /// [`Aborted`] when the whole node is not wanted any more.
    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, P>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted>;
}

/// The results of a node's moves so far.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The best score (fail-soft).
    pub best: Score,
    /// The greatest lower bound of the node's score.
    pub alpha: Score,
    /// The move that raised alpha last.
    pub best_move: Option<Move>,
    /// The number of moves handed out.
    pub handed: usize,
    /// The quiet moves completed, for the history.
    pub quiets: ArrayVec<Move, 64>,
}

impl Progress {
    /// The state before the first move.
    pub const fn new(alpha: Score) -> Progress {
        let quiets = ArrayVec::new_const();
        Progress { best: -INFINITY, alpha, best_move: None, handed: 0, quiets }
    }

    /// The next turn, for a move just taken from the order.
    pub fn hand_out(&mut self, Picked { mv, stage, quiet }: Picked) -> Turn {
        self.handed += 1;
        let safe = self.is_safe();
        Turn { mv, stage, quiet, number: self.handed, alpha: self.alpha, safe }
    }

    /// A turn that was put off, brought up to date.
    pub const fn hand_out_again(&self, turn: Turn) -> Turn {
        Turn { alpha: self.alpha, safe: self.is_safe(), ..turn }
    }

    /// Whether some move has already shown that the side to move is not being mated.
    pub const fn is_safe(&self) -> bool {
        self.best > -DEEPEST_MATE
    }

    /// Takes the score of a move. Returns whether it raised alpha.
    pub fn absorb(&mut self, node: &Node, turn: &Turn, score: Score) -> bool {
        if turn.quiet && !self.quiets.is_full() {
            self.quiets.push(turn.mv);
        }
        // Minimax keeps its window open: only a score above the best so far counts as raising.
        let raised = score > self.alpha && score > self.best;
        self.best = self.best.max(score);
        if raised {
            self.best_move = Some(turn.mv);
            if node.cuts {
                self.alpha = score;
            }
        }
        raised
    }

    /// Whether beta is reached.
    pub const fn is_cut(&self, node: &Node) -> bool {
        node.cuts && self.best >= node.beta
    }
}

/// A source of moves for an [`UnsharedMoves`] loop.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // the usual one; it lives on the stack, where it costs nothing
pub enum Source {
    /// Generated stage by stage.
    Staged(Picker),
    /// A list.
    Listed(Listed),
}

/// Unshared moves: the loop on the stack of the only worker at the node.
#[derive(Debug)]
pub struct UnsharedMoves {
    /// The results of the moves so far.
    pub progress: Progress,
    source: Source,
    /// The dependencies, where they are counted: from the point on from which the node may be
    /// shared.
    dependencies: Option<Dependencies>,
}

impl UnsharedMoves {
    /// A loop from `alpha` on.
    #[inline]
    pub const fn new(alpha: Score, source: Source) -> UnsharedMoves {
        UnsharedMoves { progress: Progress::new(alpha), source, dependencies: None }
    }

    /// Takes the moves from another source, before any was handed out.
    pub(super) fn take_from(&mut self, source: Source) {
        self.source = source;
    }

    /// Takes all moves that are left out of the lazy picker, in its order, so that others can
    /// search them too. They stay in this loop until [`UnsharedMoves::take_list`].
    pub fn list<C: Core, P>(&mut self, worker: &Worker<'_, C, P>, position: &Position) -> usize {
        if let Source::Staged(picker) = &mut self.source {
            let mut moves: ArrayVec<Picked, MAX_MOVES> = ArrayVec::new();
            while let Some(picked) = picker.next(position, worker.history) {
                moves.push(picked);
            }
            self.source = Source::Listed(Listed::new(moves.to_vec()));
        }
        match &self.source {
            Source::Listed(list) => list.left(),
            Source::Staged(_) => 0,
        }
    }

    /// Leaves out quiet moves that were not handed out yet.
    #[inline]
    pub fn leave_out(&mut self, quiets: Unwanted, position: &Position, checks: &Checks) {
        match (&mut self.source, quiets) {
            (_, Unwanted::None) => {}
            (Source::Staged(picker), Unwanted::All) => picker.skip_quiets(),
            (Source::Staged(picker), Unwanted::WithoutCheck) => {
                picker.skip_quiets_without_check(position, checks);
            }
            (Source::Listed(list), _) => list.leave_out(quiets, position, checks),
        }
    }

    /// Begins with the move that comes after `by` others (counted round).
    ///
    /// The table's move stays before all, since it may not be left out.
    pub fn begin_with<C: Core, P>(
        &mut self,
        worker: &Worker<'_, C, P>,
        position: &Position,
        by: usize,
    ) {
        if by == 0 {
            return;
        }
        self.list(worker, position);
        if let Source::Listed(list) = &mut self.source {
            list.begin_with(by);
        }
    }

    /// The node may be shared from here on: the moves that are left do not depend on each other.
    #[inline]
    pub fn fork<C: Core>(&mut self, core: &C) {
        if C::COUNTS_WORK && self.dependencies.is_none() {
            self.dependencies = Some(Dependencies::begun(core));
        }
    }

    /// The worker goes on from where it forked. Nothing else depends on what it has searched here
    /// since.
    pub fn go_back<C: Core>(&self, core: &mut C) {
        if let Some(of) = &self.dependencies {
            core.continue_from(of.made());
        }
    }

    /// Gives the dependencies to a split point that the worker has just made.
    pub fn hand_over<C: Core>(&mut self, core: &C) -> Dependencies {
        let of = self.dependencies.take();
        of.map_or_else(|| Dependencies::begun(core), |of| of.shared(core))
    }

    /// The next quiet move of those that are left. Captures before it are passed over.
    pub(super) fn next_quiet(&mut self, position: &Position, history: &History) -> Option<Move> {
        let mut rest = std::iter::from_fn(|| match &mut self.source {
            Source::Staged(picker) => picker.next(position, history),
            Source::Listed(list) => list.next(),
        });
        rest.find(|picked| picked.quiet).map(|picked| picked.mv)
    }

    /// Puts a move in front of those that are left of a list. Returns whether it was among them.
    pub(crate) fn put_first(&mut self, mv: Move) -> bool {
        match &mut self.source {
            Source::Listed(list) => list.put_first(mv),
            Source::Staged(_) => false,
        }
    }

    /// Whether a move is among those that are left of a list.
    pub(crate) fn holds(&self, mv: Move) -> bool {
        matches!(&self.source, Source::Listed(list) if list.holds(mv))
    }

    /// A copy of the list of moves that are left, if they are listed.
    pub(crate) fn listed(&self) -> Option<Listed> {
        match &self.source {
            Source::Listed(list) => Some(list.clone()),
            Source::Staged(_) => None,
        }
    }

    /// Takes back the moves that others have left of a list.
    pub fn put_back(&mut self, left: Listed) {
        self.source = Source::Listed(left);
    }

    /// Gives away the moves that are left.
    pub fn take_list(&mut self) -> Listed {
        match &mut self.source {
            Source::Listed(list) => std::mem::take(list),
            Source::Staged(_) => Listed::default(),
        }
    }

    /// Gives away the moves that are left, each handed out already.
    pub fn take_turns(&mut self) -> Vec<Turn> {
        self.take_list().map(|picked| self.progress.hand_out(picked)).collect()
    }
}

impl<C: Core, P> MoveLoop<C, P> for UnsharedMoves {
    #[inline]
    fn next(&mut self, worker: &mut Worker<'_, C, P>, position: &Position) -> Option<Turn> {
        let picked = match &mut self.source {
            Source::Staged(picker) => worker.pick(picker, position),
            Source::Listed(list) => list.next(),
        };
        if C::COUNTS_WORK
            && let Some(of) = &self.dependencies
        {
            match picked {
                Some(_) => worker.core.continue_from(of.alpha()),
                None => of.conclude(&mut worker.core),
            }
        }
        picked.map(|picked| self.progress.hand_out(picked))
    }

    #[inline]
    fn alpha(&self, _worker: &mut Worker<'_, C, P>) -> Score {
        self.progress.alpha
    }

    #[inline]
    fn absorb(
        &mut self,
        worker: &mut Worker<'_, C, P>,
        node: &Node,
        turn: &Turn,
        result: Result<Verdict, Aborted>,
    ) -> Result<Flow, Aborted> {
        let alpha = self.progress.alpha;
        match result? {
            Verdict::Score(score) => {
                let raised = self.progress.absorb(node, turn, score);
                if raised && node.pv {
                    worker.extend_line(node.ply, turn.mv);
                }
            }
            Verdict::Pruned | Verdict::PutOff => {}
        }
        let cut = self.progress.is_cut(node);
        if C::COUNTS_WORK
            && let Some(of) = &self.dependencies
        {
            let raised = self.progress.alpha > alpha;
            of.come_back(&worker.core, if cut { Effect::Cut } else { Effect::on_alpha(raised) });
            if cut {
                of.conclude(&mut worker.core);
            }
        }
        Ok(if cut { Flow::CutOff } else { Flow::Continue })
    }
}
