//! The workers of a search, whatever they run on.

use super::core::Core;
use super::time::Time;
use super::work_span::WorkSpan;
use std::any::Any;

/// What the workers of a search do, whatever they run on.
pub trait Crew: Sync {
    /// What a worker needs.
    type Kit;
    /// What a worker returns.
    type Result: Send;

    /// Sets a worker up, before the clock starts.
    fn prepare(&self, id: usize) -> Self::Kit;

    /// A worker's work, from "go" until it is done. Some worker ends the search.
    fn work<C: Core>(&self, kit: Self::Kit, core: C) -> Self::Result;
}

/// What the workers of a search have come to.
#[derive(Debug, PartialEq, Eq)]
pub struct Gathered<R> {
    /// What each of them returned, in their order.
    pub results: Vec<R>,
    /// When the search ended.
    pub time: Time,
    /// Work and critical path, as far as the workers tell what depends on what; none of real cores.
    pub work_span: Option<WorkSpan>,
}

/// What a panic says.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
}
