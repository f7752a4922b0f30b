//! Takes the samples of a plan and writes them down in its order.

use super::environment;
use super::journal::JournalError;
use super::parts::{DepthRow, IterationRow, Parts, WorkerRow};
use super::plan::Planned;
use super::resolve::Resolved;
use super::results::Results;
use super::rows::{Sample, SampleStatus};
use super::spec::CoresKind;
use crate::cores::{Time, jobs};
use crate::positions::TestPosition;
use crate::searchers::{Iteration, Lab, Outcome, Status, Task};
use cozy_chess::util::display_uci_move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What can search. The laboratory is the real one; tests have one that is exactly repeatable.
pub trait Executor {
    /// Makes the next search independent of those before.
    fn clear(&mut self);
    /// Searches; `interrupt` set from outside ends it early.
    fn search(&mut self, task: &Task, interrupt: &AtomicBool) -> Outcome;
}

impl Executor for Lab {
    fn clear(&mut self) {
        Lab::clear(self);
    }

    fn search(&mut self, task: &Task, interrupt: &AtomicBool) -> Outcome {
        Lab::search(self, task, interrupt)
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
        let task = task(resolved, &rest[number]);
        executor.clear();
        let outcome = executor.search(&task, interrupt);
        (!interrupted()).then(|| (task, outcome, start.elapsed()))
    };
    if let Some(first) = rest.first() {
        observer.begin(first);
    }
    let take = |number: usize, (task, outcome, host): (Task, Outcome, Duration)| {
        let planned: &Planned = &rest[number];
        let position = &resolved.positions[planned.cell.position];
        if let Status::Failed(why) = &outcome.status {
            results.log(&format!("{} failed: {why}", describe(planned, position)))?;
        }
        let virtually = resolved.experiment.cores == CoresKind::Virtual;
        // Of virtual samples every figure is the same wherever and beside whatever they are taken.
        let peak_mib = if virtually { None } else { environment::peak_memory_mib() };
        let mut sample = sample_of(planned, position, &task, &outcome);
        sample.peak_mib = peak_mib.unwrap_or(0);
        let sample = results.append(sample, parts_of(&outcome))?;
        observer.end(planned, sample, host);
        if let Some(next) = rest.get(number + 1) {
            observer.begin(next);
        }
        Ok(())
    };
    let all = jobs::in_order(executors, rest.len(), job, take)?;
    Ok(if all { Ended::Done } else { Ended::Interrupted })
}

fn task(resolved: &Resolved, planned: &Planned) -> Task {
    let experiment = &resolved.experiment;
    Task {
        searcher: planned.cell.searcher,
        threads: planned.cell.threads,
        root: resolved.positions[planned.cell.position].position(),
        depth: experiment.depth,
        time_limit: Some(Time::from_secs_f64(experiment.time_limit_s)),
        seed: planned.seed,
        noise: planned.noise,
    }
}

/// A planned sample, for people.
pub fn describe(planned: &Planned, position: &TestPosition) -> String {
    let Planned { round, order, cell, .. } = planned;
    format!("round {round}, sample {order}: {} x {}, {}", cell.searcher, cell.threads, position.id)
}

fn sample_of(planned: &Planned, position: &TestPosition, task: &Task, outcome: &Outcome) -> Sample {
    let counters = outcome.counters();
    let best_move = outcome.best_move.map(|m| display_uci_move(&position.board, m).to_string());
    Sample {
        round: planned.round,
        order: planned.order,
        searcher: task.searcher.to_string(),
        threads: task.threads,
        position: position.id.clone(),
        depth: task.depth,
        status: match outcome.status {
            Status::Ok => SampleStatus::Ok,
            Status::Censored => SampleStatus::Censored,
            Status::Failed(_) => SampleStatus::Failed,
        },
        time: outcome.time,
        nodes: counters.nodes,
        score: outcome.score,
        best_move: best_move.unwrap_or_default(),
        counters,
        table_fill: outcome.table_fill,
        peak_mib: 0,
        doubled_nodes: Some(counters.doubled_nodes),
    }
}

fn parts_of(outcome: &Outcome) -> Parts {
    let iteration = |iteration: &Iteration| IterationRow {
        depth: iteration.depth,
        worker: iteration.worker,
        time: iteration.time,
        nodes: iteration.nodes,
    };
    let workers = outcome.workers.iter().enumerate();
    let asked = outcome.look_ups.iter().filter(|(_, look_ups)| look_ups.probes > 0);
    Parts {
        iterations: outcome.iterations.iter().map(iteration).collect(),
        workers: workers.map(|(worker, &counters)| WorkerRow { worker, counters }).collect(),
        depths: asked.map(|(depth, &look_ups)| DepthRow { depth, look_ups }).collect(),
    }
}

#[cfg(test)]
mod tests;
