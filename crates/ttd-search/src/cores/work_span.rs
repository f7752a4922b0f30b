//! Work and critical path: the whole work of a search, and the part that had to be done one piece
//! after another.
//!
//! They are counted on virtual cores, where costs are. Each worker carries the length of the
//! longest chain of work that leads to its present place ([`Core::span`]). A charge makes the chain
//! longer. A worker that goes on with results of others takes over the chains that lead to them.
//!
//! The code that shares the work says which result depends on which (`search::Dependencies`). The
//! whole definition is in `docs/virtual-cores.md`.
//!
//! Sources: Kuszmaul, "Synchronized MIMD computing", thesis, MIT 1994; Blumofe and others, "Cilk:
//! an efficient multithreaded runtime system", Principles and Practice of Parallel Programming
//! 1995. They too measure both in the run itself, by marks like these.

use super::{Core, Time};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The work and the critical path of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSpan {
    /// The sum of all workers' charges in states that are work ([`super::State::is_work`]), until
    /// the end.
    pub work: Time,
    /// The longest chain of that work that leads to the end. At most `work`, and at most the time
    /// of the search.
    pub critical_path: Time,
}

/// The length of the longest chain of work that leads to something that workers share.
///
/// On virtual cores one thread runs all workers; on real cores the length stays zero. So its atomic
/// orders nothing, and is not loom's.
#[derive(Debug, Default)]
pub struct Chain(AtomicU64);

impl Chain {
    /// The chain to something that a worker has just made.
    pub fn to<C: Core>(core: &C) -> Chain {
        Chain(AtomicU64::new(core.span().ps()))
    }

    /// The length of the chain.
    pub fn span(&self) -> Time {
        Time::from_ps(self.0.load(Relaxed))
    }

    /// The end of the chain depends on the worker's work as well.
    #[inline]
    pub fn extend<C: Core>(&self, core: &C) {
        let span = core.span();
        // The first condition is false on real cores, as the compiler knows.
        if span > Time::ZERO && span > self.span() {
            self.0.store(span.ps(), Relaxed);
        }
    }

    /// The end of the chain depends on the worker's work, and on nothing else.
    #[inline]
    pub fn replace<C: Core>(&self, core: &C) {
        let span = core.span();
        if span > Time::ZERO {
            self.0.store(span.ps(), Relaxed);
        }
    }
}
