//! The executor that takes samples by searching, with the lab or an outside engine.

use super::competitor::Competitor;
use super::keys::Experiment;
use super::outside::Outside;
use super::parts::{DepthRow, IterationRow, Parts, WorkerRow};
use super::plan::Planned;
use super::resolve::Resolved;
use super::rows::{Sample, SampleStatus};
use super::runner::{Executor, Taken};
use crate::records::CoresKind;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::cores::Time;
use ttd_search::engine::Board;
use ttd_search::positions::uci_text;
use ttd_search::search::Counters;
use ttd_search::searchers::{Iteration, Lab, LabError, Outcome, Searcher, Status, Task};

/// The lab and the outside engines that measure an experiment.
pub struct SearchExecutor {
    /// The lab; none if no competitor is ours: its table would take memory from the outside
    /// engines.
    lab: Option<Lab>,
    /// The variant that the lab is set up for; none: the experiment's own settings.
    variant: Option<usize>,
    outside: Outside,
}

impl SearchExecutor {
    /// An executor for this experiment.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(experiment: &Experiment) -> Result<SearchExecutor, LabError> {
        let ours = experiment.all_ours().next().is_some();
        let lab = ours.then(|| lab(experiment)).transpose()?;
        Ok(SearchExecutor { lab, variant: None, outside: Outside::default() })
    }
}

fn lab(experiment: &Experiment) -> Result<Lab, LabError> {
    let (engine, settings) = (experiment.engine.clone(), experiment.searcher.clone());
    let lab = Lab::new(experiment.hash_mib, engine, settings)?.pinned(experiment.pin.clone());
    Ok(match &experiment.costs {
        Some(costs) => lab
            .on_virtual_cores(costs.clone(), experiment.host_limit_s.map(Duration::from_secs_f64)),
        None => lab,
    })
}

impl Executor for SearchExecutor {
    fn take(&mut self, resolved: &Resolved, planned: &Planned, interrupt: &AtomicBool) -> Taken {
        let variant = match planned.cell.competitor {
            Competitor::Engine(index) => {
                return self.outside.take(resolved, planned, index, interrupt);
            }
            Competitor::Variant(index) => Some(index),
            Competitor::Searcher(_) => None,
        };
        let (Some(lab), Some(own)) =
            (&mut self.lab, resolved.experiment.settings_of(planned.cell.competitor))
        else {
            return Taken::failed("there is no lab".to_owned());
        };
        if self.variant != variant {
            lab.set_up(own.engine.clone(), own.settings.clone());
            self.variant = variant;
        }
        let task = task(resolved, planned, own.searcher);
        lab.clear();
        let outcome = lab.search(&task, interrupt);
        Taken::of(outcome, &resolved.positions[planned.cell.position].board)
    }
}

/// The task of a planned sample of a searcher.
pub(super) fn task(resolved: &Resolved, planned: &Planned, searcher: Searcher) -> Task {
    let experiment = &resolved.experiment;
    Task {
        searcher,
        threads: planned.cell.threads,
        root: resolved.positions[planned.cell.position].position(),
        depth: experiment.depth,
        time_limit: Some(Time::from_secs_f64(experiment.time_limit_s)),
        seed: planned.seed,
        noise: planned.noise,
        table_keys: if experiment.cores == CoresKind::Virtual { planned.table_keys } else { 0 },
    }
}

impl Taken {
    /// The result of a search from this board.
    pub(super) fn of(outcome: Outcome, board: &Board) -> Taken {
        let counters = outcome.counters();
        let best_move = outcome.best_move.map(|mv| uci_text(board, mv));
        let parts = parts_of(&outcome, board);
        let (status, failure) = match outcome.status {
            Status::Ok => (SampleStatus::Ok, None),
            Status::Censored => (SampleStatus::Censored, None),
            Status::Failed(why) => (SampleStatus::Failed, Some(why.to_string())),
        };
        let sample = Sample {
            status,
            time: outcome.time,
            nodes: counters.nodes,
            score: outcome.score,
            best_move: best_move.unwrap_or_default(),
            counters: Some(counters),
            table_fill: outcome.table_fill,
            additions: Counters::ADDITIONS,
            work_span: outcome.work_span,
            ..Sample::default()
        };
        Taken { sample, failure, parts }
    }
}

fn parts_of(outcome: &Outcome, board: &Board) -> Parts {
    let iteration = |iteration: &Iteration| IterationRow {
        depth: iteration.depth,
        worker: iteration.worker,
        time: iteration.time,
        nodes: iteration.nodes,
        score: Some(iteration.score),
        best_move: iteration.line.first().map(|mv| uci_text(board, *mv)),
    };
    let workers = outcome.workers.iter().enumerate();
    let asked = outcome.look_ups.iter().filter(|(_, look_ups)| look_ups.probes > 0);
    Parts {
        iterations: outcome.iterations.iter().map(iteration).collect(),
        workers: workers.map(|(worker, &counters)| WorkerRow { worker, counters }).collect(),
        depths: asked.map(|(depth, &look_ups)| DepthRow { depth, look_ups }).collect(),
        ..Parts::default()
    }
}
