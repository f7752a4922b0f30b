//! The flags of a split point: all that workers poll while they search below it.
//!
//! They change seldom, and share their cache line with what never changes. The counts, which change
//! with each move, stand in the line of the lock.

use crate::cores::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use crate::cores::{Area, Core, Line};
use crate::engine::Score;
use crate::search::Effect;

/// The flags. A worker that is here, or searches below, tells the core of its looks and changes,
/// for the price of their line. One that looks for work, or waits, does not.
///
/// Invariants:
/// - `cut` and `alpha` are written inside the section of the split point only. `cut` never falls,
///   and `alpha` only rises.
/// - `calls` is raised by the owner alone, between closing and leaving.
/// - `below` has a bit for each board at which a split point below this one was announced. (Several
///   boards may have one bit.) Bits never fall, and a bit here is also above, or will soon be.
pub(in super::super) struct Flags {
    line: Line,
    cut: AtomicBool,
    alpha: AtomicI32,
    calls: AtomicBool,
    below: AtomicU64,
}

impl Flags {
    /// The flags of the split point of this number. Its node is not cut off, and has this alpha.
    pub(super) fn new(number: u64, alpha: Score) -> Flags {
        Flags {
            line: Line::new(Area::SplitPoint, number),
            cut: AtomicBool::new(false),
            alpha: AtomicI32::new(alpha),
            calls: AtomicBool::new(false),
            below: AtomicU64::new(0),
        }
    }

    /// Reads their cache line.
    pub(in super::super) fn read<C: Core>(&self, core: &mut C) {
        core.read_line(self.line);
    }

    /// Whether a move reached beta. The answer is a hint; the section has the final word.
    pub(in super::super) fn is_cut(&self) -> bool {
        self.cut.load(Relaxed)
    }

    /// The greatest lower bound found so far.
    pub(in super::super) fn alpha(&self) -> Score {
        self.alpha.load(Relaxed)
    }

    /// Publishes alpha, or a cutoff, to all workers. Returns the part of it that is new. To be
    /// called in the section.
    pub(super) fn show(&self, is_cut: bool, alpha: Score) -> Effect {
        if self.is_cut() {
            return Effect::TooLate;
        }
        if is_cut {
            self.cut.store(true, Relaxed);
            return Effect::Cut;
        }
        // Alpha stays below beta, so that the window of a helper at work stays open.
        let raised = alpha > self.alpha();
        if raised {
            self.alpha.store(alpha, Relaxed);
        }
        Effect::on_alpha(raised)
    }

    /// Tells the core of an effect that was shown, after the section.
    pub(super) fn shown<C: Core>(&self, core: &mut C, effect: Effect) {
        self.read(core);
        if matches!(effect, Effect::Raised | Effect::Cut) {
            core.change_line(self.line);
        }
    }

    /// Notes that the owner waits for its helpers, and would join a split point below this one.
    pub(in super::super) fn call<C: Core>(&self, core: &mut C) {
        core.change_line(self.line);
        self.calls.store(true, Relaxed);
    }

    /// Whether the owner still would, and no worker has answered.
    pub(in super::super) fn calls(&self) -> bool {
        self.calls.load(Relaxed)
    }

    /// Answers the owner's call. Returns whether there was one.
    pub(in super::super) fn answer<C: Core>(&self, core: &mut C) -> bool {
        self.read(core);
        let answers = self.calls() && self.calls.swap(false, Relaxed);
        if answers {
            core.change_line(self.line);
        }
        answers
    }

    /// Notes a split point below, at this board. Returns whether that is new.
    pub(super) fn note_below<C: Core>(&self, core: &mut C, board: usize) -> bool {
        self.read(core);
        // A look first: a write would take the line from all that poll it.
        let is_new = !self.may_have_below(board)
            && self.below.fetch_or(bit(board), Relaxed) & bit(board) == 0;
        if is_new {
            core.change_line(self.line);
        }
        is_new
    }

    /// Whether there may be a split point below at this board.
    pub(in super::super) fn may_have_below(&self, board: usize) -> bool {
        self.below.load(Relaxed) & bit(board) != 0
    }
}

fn bit(board: usize) -> u64 {
    1 << (board % u64::BITS as usize)
}
