//! A round: one search of the root, in which helpers take part.

use crate::cores::Section;
use crate::engine::{Move, Score};
use crate::search::{Line, Window};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One search of the root that all workers take part in, with helpers per iteration.
pub(super) struct Round {
    pub(super) depth: i32,
    pub(super) window: Window,
    pub(super) root_moves: Vec<Move>,
    /// The first worker to finish it, with its score and line.
    pub(super) result: Option<(usize, Score, Line)>,
}

/// The rounds of a search.
///
/// Invariants: `begun` and `done` number rounds from 1 and never fall; `done <= begun`. Only the
/// main worker writes `begun`, inside the section. `present` is round `begun`. A worker gives its
/// round up when `done` has reached it.
pub(super) struct Rounds {
    pub(super) begun: AtomicU64,
    pub(super) done: AtomicU64,
    pub(super) present: Section<Round>,
}

impl Rounds {
    /// Whether this round has its result.
    pub(super) fn is_done(&self, number: u64) -> bool {
        self.done.load(Relaxed) >= number // the result is fetched from the section
    }

    pub(super) fn new() -> Rounds {
        let none = Round { depth: 0, window: Window::FULL, root_moves: Vec::new(), result: None };
        Rounds { begun: AtomicU64::new(0), done: AtomicU64::new(0), present: Section::new(none) }
    }
}
