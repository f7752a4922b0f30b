//! Workloads: the code of the workers of a search, for real and virtual cores alike.

use super::{Core, Messenger, Time, WorkSpan};
use crate::wire::Portable;
use std::any::Any;
use std::time::Duration;

/// The usual number of nodes between two looks for messages.
pub(super) const LOOK_EVERY: u64 = 1000;

/// A workload: the code that the workers of a search run, on real or on virtual cores.
pub trait Workload: Sync {
    /// The things that a worker needs, made before the clock starts.
    type Prepared;
    /// The result of one worker.
    type Result: Send;

    /// Prepares the worker `id`, before the clock starts.
    fn prepare(&self, id: usize) -> Self::Prepared;

    /// The work of one worker, from "go" until it is done. Some worker ends the search.
    fn work<C: Core>(&self, prepared: Self::Prepared, core: C) -> Self::Result;
}

/// A workload of workers that meet by messages, and may share no memory.
pub trait MessageWorkload: Sync {
    /// The things that a worker needs, made before the clock starts.
    type Prepared;
    /// The result of one worker. It may be sent to another process.
    type Result: Portable + Send;

    /// Prepares the worker `id`, before the clock starts.
    fn prepare(&self, id: usize) -> Self::Prepared;

    /// The work of one worker, from "go" until it is done. Some worker ends the search.
    fn work<C: Messenger>(&self, prepared: Self::Prepared, core: C) -> Self::Result;
}

/// The results of a search by all its workers.
#[derive(Debug, PartialEq, Eq)]
pub struct Gathered<R> {
    /// The result of each worker, in the order of workers.
    pub results: Vec<R>,
    /// The time at which the search ended.
    pub time: Time,
    /// Work and critical path, as far as workers tell on which results their work depends. Real
    /// cores have none.
    pub work_span: Option<WorkSpan>,
}

/// The reason why a run of workers has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// A simulation took longer on the host than it may.
    #[error("the host limit of {limit:?} came at virtual time {at} s (`host_limit_s` allows more)")]
    HostLimit {
        /// The limit, in processor time of the host.
        limit: Duration,
        /// The virtual time at which it came.
        at: Time,
    },
    /// The workers of a dilated search waited too long for a core.
    #[error(
        "dilated: workers waited {delay} s for a core, {:.1}% of their {busy} s of dilated work, \
         at most 2% expected: a larger --dilate or a quieter machine is needed",
        100.0 * .delay.as_secs_f64() / .busy.as_secs_f64()
    )]
    Delayed {
        /// The wall time for which they waited, summed over workers.
        delay: Time,
        /// Their processor time times the factor, summed over workers.
        busy: Time,
    },
    /// A simulation has no memory for the stacks of its workers.
    #[error("{0}")]
    NoMemory(String),
    /// A worker panicked or could not be started, or all workers wait for each other.
    #[error("{0}")]
    Broken(String),
}

impl From<String> for RunError {
    fn from(why: String) -> RunError {
        RunError::Broken(why)
    }
}

/// The text of a panic.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
