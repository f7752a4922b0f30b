//! The mailboxes in which idle workers are called.

use super::split_point::SplitPoint;
use crate::cores::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};
use crate::cores::{Core, Section};
use crossbeam_utils::CachePadded;
use std::sync::Arc;

/// A mailbox for each worker.
///
/// Invariant: a mailbox is written by the worker that took its owner off a list of idle workers.
/// The owner empties it before it is on such a list again.
#[derive(Default)]
pub(super) struct Mailboxes(Box<[CachePadded<Mailbox>]>);

/// The mailbox of one worker, in which it is called while it is idle. `invitation` is written
/// before `is_called` is raised.
#[derive(Default)]
struct Mailbox {
    is_called: AtomicBool,
    invitation: Section<Option<Arc<SplitPoint>>>,
}

impl Mailboxes {
    /// Empty mailboxes for `workers` workers.
    pub(super) fn new(workers: usize) -> Mailboxes {
        Mailboxes((0..workers).map(|_| CachePadded::default()).collect())
    }

    /// The memory of a mailbox, bytes.
    pub(super) const BYTES: usize = size_of::<CachePadded<Mailbox>>();

    /// The number of workers.
    pub(super) const fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether the worker was called since it became idle.
    pub(super) fn is_called(&self, worker: usize) -> bool {
        self.0[worker].is_called.load(Acquire) // partner: the release in `Mailboxes::call`
    }

    /// The split point that the worker was called to, if any.
    pub(super) fn take<C: Core>(&self, core: &mut C) -> Option<Arc<SplitPoint>> {
        let mailbox = &self.0[core.id()];
        if !self.is_called(core.id()) {
            return None;
        }
        mailbox.is_called.store(false, Relaxed);
        core.section(&mailbox.invitation, Option::take)
    }

    /// Calls a worker that was taken off a list of idle workers.
    pub(super) fn call<C: Core>(
        &self,
        core: &mut C,
        worker: usize,
        split: Option<&Arc<SplitPoint>>,
    ) {
        let mailbox = &self.0[worker];
        core.section(&mailbox.invitation, |invitation| *invitation = split.cloned());
        mailbox.is_called.store(true, Release); // partner: the acquire in `Mailboxes::is_called`
        core.wake(worker);
    }
}
