//! Takes the samples of a plan and writes them down in its order.

use super::parts::Parts;
use super::plan::Planned;
use super::resolve::Resolved;
use super::results::Results;
use super::rows::{Sample, SampleStatus};
use crate::records::{CoresKind, JournalError, peak_memory_mib};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use ttd_search::cores::{Time, WorkSpan, jobs};
use ttd_search::engine::Score;
use ttd_search::search::Counters;
use ttd_search::searchers::Status;

/// What can take samples. The bench is the real one; tests have one that is exactly repeatable.
pub trait Executor {
    /// Takes a sample, independent of those before; `interrupt` set from outside ends it early.
    fn take(&mut self, resolved: &Resolved, planned: &Planned, interrupt: &AtomicBool) -> Taken;
}

/// What taking a sample gave.
#[derive(Clone, Debug)]
pub struct Taken {
    /// How the search ended.
    pub status: Status,
    /// Time to depth; of a censored search, the time spent.
    pub time: Time,
    /// Of all workers.
    pub nodes: u64,
    /// Of the last completed iteration, from the side to move.
    pub score: Score,
    /// In UCI notation; empty if there is none.
    pub best_move: String,
    /// Summed over the workers, where they are known.
    pub counters: Option<Counters>,
    /// How full the table is, 0 to 1.
    pub table_fill: f64,
    /// Work and critical path, where they are known.
    pub work_span: Option<WorkSpan>,
    /// What else is known.
    pub parts: Parts,
}

impl Taken {
    /// Nothing, for that reason.
    pub fn failed(why: String) -> Taken {
        Taken {
            status: Status::Failed(why),
            time: Time::ZERO,
            nodes: 0,
            score: 0,
            best_move: String::new(),
            counters: None,
            table_fill: 0.0,
            work_span: None,
            parts: Parts::default(),
        }
    }
}

/// Who is told how a run goes on.
pub trait Observer {
    /// This sample is the next to be written down; it is being taken.
    fn begin(&mut self, planned: &Planned);
    /// It was taken, in so much time of the host's (clearing the table included), and written down.
    fn end(&mut self, planned: &Planned, sample: &Sample, host: Duration);
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every sample of the plan is there.
    Done,
    /// By the user; the sample that was being taken is thrown away.
    Interrupted,
}

/// Takes the samples of `plan` that `results` does not have yet, in order. There are as many at once
/// as there are `executors`: more than one only for virtual cores, which do not disturb each other.
///
/// # Errors
/// If a sample cannot be written down; those before it are.
pub fn run<E: Executor + Send>(
    resolved: &Resolved,
    plan: &[Planned],
    results: &mut Results,
    executors: &mut [E],
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Ended, JournalError> {
    let rest = &plan[results.done()..];
    // Relaxed: the flag alone is the message.
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
        if let Status::Failed(why) = &taken.status {
            results.log(&format!("{} failed: {why}", describe(resolved, planned)))?;
        }
        let virtually = resolved.experiment.cores == CoresKind::Virtual;
        // Of virtual samples every figure is the same wherever and beside whatever they are taken.
        let peak_mib = if virtually { None } else { peak_memory_mib() };
        let (sample, parts) = sample_of(resolved, planned, taken, peak_mib.unwrap_or(0));
        let sample = results.append(sample, parts)?;
        observer.end(planned, sample, host);
        if let Some(next) = rest.get(number + 1) {
            observer.begin(next);
        }
        Ok(())
    };
    let all = jobs::in_order(executors, rest.len(), job, take)?;
    Ok(if all { Ended::Done } else { Ended::Interrupted })
}

/// A planned sample, for people.
pub fn describe(resolved: &Resolved, planned: &Planned) -> String {
    let Planned { round, order, cell, .. } = planned;
    let name = resolved.experiment.name_of(cell.contender);
    let id = &resolved.positions[cell.position].id;
    format!("round {round}, sample {order}: {name} x {}, {id}", cell.threads)
}

fn sample_of(
    resolved: &Resolved,
    planned: &Planned,
    taken: Taken,
    peak_mib: u64,
) -> (Sample, Parts) {
    let Planned { round, order, cell, .. } = *planned;
    let Taken { status, time, nodes, score, best_move, counters, table_fill, work_span, parts } =
        taken;
    let sample = Sample {
        round,
        order,
        searcher: resolved.experiment.name_of(cell.contender).to_owned(),
        threads: cell.threads,
        position: resolved.positions[cell.position].id.clone(),
        depth: resolved.experiment.depth_of(cell.contender),
        status: match status {
            Status::Ok => SampleStatus::Ok,
            Status::Censored => SampleStatus::Censored,
            Status::Failed(_) => SampleStatus::Failed,
        },
        time,
        nodes,
        score,
        best_move,
        later: counters.map(|counters| counters.later()).unwrap_or_default(),
        counters,
        table_fill,
        peak_mib,
        work_span,
    };
    (sample, parts)
}

#[cfg(test)]
mod tests;
