//! Takes the samples of a plan, and writes them in its order.

use super::parts::Parts;
use super::plan::Planned;
use super::resolve::Resolved;
use super::results::Results;
use super::rows::Sample;
use crate::records::{CoresKind, JournalError, peak_memory_mib};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use ttd_search::cores::jobs;

/// A source of samples. Runs search with the lab or an outside engine; tests have a source that is
/// exactly repeatable.
pub trait Executor {
    /// Takes a sample that does not depend on earlier ones. `interrupt`, set from outside, ends it
    /// early.
    fn take(&mut self, resolved: &Resolved, planned: &Planned, interrupt: &AtomicBool) -> Taken;
}

/// The result of taking a sample. It has a reason for a failure if the sample failed, and only
/// then.
#[derive(Clone, Debug)]
pub struct Taken {
    /// The sample, without the fields that follow from the plan, and without the peak memory.
    pub sample: Sample,
    /// The reason why it failed, if it did.
    pub failure: Option<String>,
    /// The parts of the sample.
    pub parts: Parts,
}

impl Taken {
    /// A failed sample with this reason.
    pub fn failed(why: String) -> Taken {
        Taken { sample: Sample::default(), failure: Some(why), parts: Parts::default() }
    }
}

/// A follower of a run.
pub trait Observer {
    /// A sample begins; it is the next that is written.
    fn begin(&mut self, planned: &Planned);
    /// A sample was taken and written. `host` is the time that it took on the host, with the
    /// clearing of the table.
    fn end(&mut self, planned: &Planned, sample: &Sample, host: Duration);
}

/// The way in which a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every sample of the plan is there.
    Done,
    /// The user ended it; the sample that was being taken is thrown away.
    Interrupted,
}

/// Takes the samples of `plan` that `results` does not have yet, in order. As many are taken at
/// once as there are `executors`. More than one is for virtual cores only, because they do not
/// disturb each other.
///
/// # Errors
/// If a sample cannot be written; the samples before it are.
pub fn run<E: Executor + Send>(
    resolved: &Resolved,
    plan: &[Planned],
    results: &mut Results,
    executors: &mut [E],
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Ended, JournalError> {
    let rest = &plan[results.done()..];
    // Relaxed is enough: the flag carries no other data.
    let interrupted = || interrupt.load(Ordering::Relaxed);
    let job = |executor: &mut E, number: usize| {
        if interrupted() {
            return None;
        }
        let start = Instant::now();
        let taken = executor.take(resolved, &rest[number], interrupt);
        (!interrupted()).then(|| (taken, start.elapsed()))
    };
    if let Some(first) = rest.first() {
        observer.begin(first);
    }
    let take = |number: usize, (taken, host): (Taken, Duration)| {
        let planned: &Planned = &rest[number];
        if let Some(why) = &taken.failure {
            results.log(&format!("{} failed: {why}", describe(resolved, planned)))?;
        }
        let virtually = resolved.experiment.cores == CoresKind::Virtual;
        // A virtual sample must not depend on the machine or on samples taken beside it, so it has
        // no peak memory.
        let peak_mib = if virtually { None } else { peak_memory_mib() };
        let sample = Sample { peak_mib: peak_mib.unwrap_or(0), ..taken.sample };
        let sample = results.append(as_planned(resolved, planned, sample), taken.parts)?;
        observer.end(planned, sample, host);
        if let Some(next) = rest.get(number + 1) {
            observer.begin(next);
        }
        Ok(())
    };
    let all = jobs::in_order(executors, rest.len(), job, take)?;
    Ok(if all { Ended::Done } else { Ended::Interrupted })
}

/// A planned sample in words.
pub fn describe(resolved: &Resolved, planned: &Planned) -> String {
    let Planned { round, order, cell, .. } = planned;
    let name = resolved.experiment.name_of(cell.competitor);
    let id = &resolved.positions[cell.position].id;
    format!("round {round}, sample {order}: {name} x {}, {id}", cell.threads)
}

/// The sample with the fields that follow from the plan.
fn as_planned(resolved: &Resolved, planned: &Planned, sample: Sample) -> Sample {
    let Planned { round, order, cell, .. } = *planned;
    Sample {
        round,
        order,
        searcher: resolved.experiment.name_of(cell.competitor).to_owned(),
        threads: cell.threads,
        position: resolved.positions[cell.position].id.clone(),
        depth: resolved.experiment.depth_of(cell.competitor),
        ..sample
    }
}

#[cfg(test)]
mod tests;
