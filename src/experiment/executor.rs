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
use ttd_search::cores::{Time, Transport, WorkerThreads};
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
    /// The size of the lab's table.
    hash_mib: usize,
    /// If workers are ranks, and this is the first: tells the others which sample is next.
    call: Option<Call>,
}

/// Tells others which sample is next.
pub(super) type Call = Box<dyn Fn(&Planned) + Send>;

impl SearchExecutor {
    /// An executor for this experiment.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(experiment: &Experiment) -> Result<SearchExecutor, LabError> {
        let ours = experiment.all_ours().next().is_some();
        let lab = ours.then(|| lab(experiment)).transpose()?;
        let (outside, hash_mib) = (Outside::default(), experiment.hash_mib);
        Ok(SearchExecutor { lab, variant: None, outside, hash_mib, call: None })
    }

    /// An executor whose workers are ranks, of which this process is one. Their tables have the
    /// memory of the experiment's together. The first rank calls the others to each sample.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub(super) fn on_ranks(
        experiment: &Experiment,
        transport: Box<dyn Transport + Send>,
        call: Option<Call>,
    ) -> Result<SearchExecutor, LabError> {
        let (engine, settings) = (experiment.engine.clone(), experiment.searcher.clone());
        let lab = Lab::new(1, engine, settings)?.on_ranks(transport);
        let lab = Some(lab.dilated(experiment.dilation()));
        let (outside, hash_mib) = (Outside::default(), 1);
        Ok(SearchExecutor { lab, variant: None, outside, hash_mib, call })
    }

    /// Searches a planned sample. None if it is not of our engine.
    ///
    /// # Errors
    /// If there is no memory for the table. If workers are ranks, that ends the job.
    pub(super) fn search(
        &mut self,
        resolved: &Resolved,
        planned: &Planned,
        interrupt: &AtomicBool,
    ) -> Result<Option<Outcome>, LabError> {
        let experiment = &resolved.experiment;
        let competitor = planned.cell.competitor;
        let (Some(lab), Some(own)) = (&mut self.lab, experiment.settings_of(competitor)) else {
            return Ok(None);
        };
        let variant = match competitor {
            Competitor::Variant(index) => Some(index),
            Competitor::Searcher(_) | Competitor::Engine(_) => None,
        };
        if self.variant != variant {
            lab.set_up(own.engine.clone(), own.settings.clone());
            self.variant = variant;
        }
        let of_all = experiment.hash_mib;
        let hash_mib =
            if lab.ranks().is_some() { (of_all / planned.cell.threads).max(1) } else { of_all };
        if self.hash_mib == hash_mib {
            lab.clear();
        } else {
            let resized = lab.resize(hash_mib);
            if let (Err(why), Some(ranks)) = (&resized, lab.ranks()) {
                ranks.abort(&why.to_string());
            }
            resized?;
            self.hash_mib = hash_mib;
        }
        Ok(Some(lab.search(&task(resolved, planned, own.searcher), interrupt)))
    }
}

fn lab(experiment: &Experiment) -> Result<Lab, LabError> {
    let (engine, settings) = (experiment.engine.clone(), experiment.searcher.clone());
    let lab = Lab::new(experiment.hash_mib, engine, settings)?
        .with_threads(WorkerThreads::pinned(experiment.pin.clone()));
    let lab = lab.dilated(experiment.dilation());
    Ok(match &experiment.costs {
        Some(costs) => lab
            .on_virtual_cores(costs.clone(), experiment.host_limit_s.map(Duration::from_secs_f64)),
        None => lab,
    })
}

impl Executor for SearchExecutor {
    fn take(&mut self, resolved: &Resolved, planned: &Planned, interrupt: &AtomicBool) -> Taken {
        if let Competitor::Engine(index) = planned.cell.competitor {
            return self.outside.take(resolved, planned, index, interrupt);
        }
        if let Some(call) = &self.call {
            call(planned);
        }
        match self.search(resolved, planned, interrupt) {
            Ok(Some(outcome)) => {
                Taken::of(outcome, &resolved.positions[planned.cell.position].board)
            }
            Ok(None) => Taken::failed("there is no lab".to_owned()),
            Err(why) => Taken::failed(why.to_string()),
        }
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
