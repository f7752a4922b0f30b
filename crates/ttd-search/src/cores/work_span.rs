//! Work and critical path: how much a search had to do, and how much of it one thing after another.
//!
//! Counted where costs are, on virtual cores. Every worker carries the length of the longest chain of work that leads
//! to where it is ([`Core::span`]): what it is charged makes it longer, and where it goes on with what others have
//! found, it takes over the chains that lead to that. What depends on what is said by who shares the work
//! (`search::Dependencies`); `docs/virtual-cores.md` has the definition as a whole.
//!
//! Sources: Kuszmaul, "Synchronized MIMD computing", thesis, MIT 1994; Blumofe and others, "Cilk: an efficient
//! multithreaded runtime system", Principles and Practice of Parallel Programming 1995, who measure both in the run
//! itself, by such marks.

use super::core::Core;
use super::time::Time;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a search had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkSpan {
    /// What all workers were charged in states that are work ([`super::State::is_work`]), until the end.
    pub work: Time,
    /// The longest chain of it that leads to the end; never more than `work`, or than the time of the search.
    pub critical_path: Time,
}

/// The length of the longest chain of work that leads to something that workers share.
///
/// On virtual cores one thread runs all workers; on real ones it stays zero. So its atomic orders nothing, and is
/// none of loom's.
#[derive(Debug, Default)]
pub struct Chain(AtomicU64);

impl Chain {
    /// To what a worker has just made.
    pub fn to<C: Core>(core: &C) -> Chain {
        Chain(AtomicU64::new(core.span().ps()))
    }

    /// Its length.
    pub fn span(&self) -> Time {
        Time::from_ps(self.0.load(Relaxed))
    }

    /// It depends on what the worker has done as well.
    #[inline]
    pub fn extend<C: Core>(&self, core: &C) {
        let span = core.span();
        // The first condition is false on real cores, as the compiler knows.
        if span > Time::ZERO && span > self.span() {
            self.0.store(span.ps(), Relaxed);
        }
    }

    /// It depends on what the worker has done, and on nothing else.
    #[inline]
    pub fn replace<C: Core>(&self, core: &C) {
        let span = core.span();
        if span > Time::ZERO {
            self.0.store(span.ps(), Relaxed);
        }
    }
}
