//! The searches on all machines. The rows of a position, a searcher and a round are written down
//! together, so that a killed call goes on where it stopped.

use super::rung::{ExplainedRow, Key, Machines, RowsCheck};
use super::what_if::WhatIf;
use crate::experiment::{Competitor, EXPLAINED, Experiment, Planned, SampleStatus, plan};
use crate::records::{Appended, CoresKind, JournalError, append, begun};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::cores::{State, Time, jobs};
use ttd_search::positions::TestPosition;
use ttd_search::search::{Fates, IdealMachine, Planted};
use ttd_search::searchers::{Costs, GameContext, Lab, LabError, Outcome, Status, Task};
use ttd_search::value::ValueError;

/// The searches of a ladder.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The experiment, on virtual cores.
    pub experiment: &'a Experiment,
    /// Its positions.
    pub positions: &'a [TestPosition],
    /// The number of workers, at least 2.
    pub threads: usize,
    /// The number of rounds, each with seeds of its own.
    pub rounds: u32,
    /// Changed costs, for one more machine.
    pub what_if: Option<&'a WhatIf>,
    /// A defect that a test planted.
    pub planted: Option<Planted>,
}

/// One search of one competitor in one round, on all machines that it still lacks.
struct Job {
    competitor: Competitor,
    /// With one worker, and with all.
    planned: [Planned; 2],
    wanted: Vec<Machines>,
}

impl Case<'_> {
    /// The names of the competitors that have a ladder: ours, with several workers.
    pub fn searchers(&self) -> Vec<&str> {
        let ours = self.experiment.all_ours().map(|(competitor, _)| competitor);
        let parallel = ours.filter(|competitor| !self.experiment.has_one_thread(*competitor));
        parallel.map(|competitor| self.experiment.name_of(competitor)).collect()
    }

    /// Whether the workers of a competitor share nodes by a rule.
    fn has_split_points(&self, competitor: Competitor) -> bool {
        let own = self.experiment.settings_of(competitor);
        own.is_some_and(|own| own.settings.algorithm(own.searcher).has_split_points())
    }

    /// The machines of a competitor, in the order in which they are run.
    fn machines(&self, competitor: Competitor) -> Vec<Machines> {
        let mut machines = Machines::of_ladder(self.has_split_points(competitor));
        machines.extend(self.what_if.map(|what_if| Machines::If(what_if.to_string())));
        machines
    }

    /// The searches that are not `done`, in order. Their seeds are those of `ttd run`.
    fn jobs(&self, done: &BTreeSet<Key>) -> Vec<Job> {
        let Case { experiment, positions, threads, rounds, .. } = *self;
        let ids: Vec<&str> = positions.iter().map(|position| position.id.as_str()).collect();
        let of_ladder = Experiment {
            threads: vec![1, threads],
            runs: rounds,
            until: None,
            engines: Vec::new(),
            earlier: Vec::new(),
            shard: None,
            cores: CoresKind::Virtual,
            ..experiment.clone()
        };
        // By round, place of the competitor in the experiment, and position.
        let mut all: BTreeMap<(u32, usize, usize), Vec<Planned>> = BTreeMap::new();
        let competitors = of_ladder.competitors();
        for planned in plan(&of_ladder, &ids) {
            let cell = planned.cell;
            let place = competitors.iter().position(|one| *one == cell.competitor);
            let place = (planned.round, place.unwrap_or_default(), cell.position);
            all.entry(place).or_default().push(planned);
        }
        let job = |mut planned: Vec<Planned>| {
            planned.sort_by_key(|planned| planned.cell.threads);
            // A competitor with one thread has no ladder.
            let planned: [Planned; 2] = planned.try_into().ok()?;
            let (round, competitor) = (planned[0].round, planned[0].cell.competitor);
            let name = experiment.name_of(competitor).to_owned();
            let id = ids[planned[0].cell.position].to_owned();
            let mut wanted = self.machines(competitor);
            wanted.retain(|machine| {
                !done.contains(&(round, name.clone(), threads, id.clone(), machine.clone()))
            });
            (!wanted.is_empty()).then_some(Job { competitor, planned, wanted })
        };
        all.into_values().filter_map(job).collect()
    }

    /// Runs the jobs, as many at once as there are hands. `take` gets the result of each. Returns
    /// whether all were run: an `interrupt` ends it.
    fn run(
        &self,
        jobs: &[Job],
        hands: &mut [Hand],
        interrupt: &AtomicBool,
        mut take: impl FnMut(Climbed) -> Result<(), ClimbError>,
    ) -> Result<bool, ClimbError> {
        let work =
            |hand: &mut Hand, number: usize| hand.climb(self, &jobs[number], interrupt).transpose();
        jobs::in_order(hands, jobs.len(), work, |_, climbed| take(climbed?))
    }

    /// All rows of the ladder, without a file.
    #[cfg(test)]
    pub(super) fn rows(&self, jobs: usize) -> Result<Vec<ExplainedRow>, ClimbError> {
        let mut hands = Hand::several(self.experiment, jobs)?;
        let mut all = Vec::new();
        let never = AtomicBool::new(false);
        self.run(&self.jobs(&BTreeSet::new()), &mut hands, &never, |climbed| {
            assert!(climbed.failures.is_empty(), "{:?}", climbed.failures);
            all.extend(climbed.rows);
            Ok(())
        })?;
        Ok(all)
    }
}

/// The reasons why a ladder cannot be climbed.
#[derive(Debug, thiserror::Error)]
pub enum ClimbError {
    /// There is no memory for the table.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A cost is not possible.
    #[error("--what-if: {0}")]
    Cost(#[from] ValueError),
    /// The file cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Another process writes to it.
    #[error("{0}: another process writes to it")]
    InUse(String),
}

/// How far the ladder is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The number of searches that are done.
    pub done: usize,
    /// The number of searches that are to be.
    pub of: usize,
    /// The reasons of the searches that failed just now.
    pub failures: Vec<String>,
}

/// A ladder whose rows are written to a results directory.
pub struct Climb<'a> {
    case: Case<'a>,
    jobs: Vec<Job>,
    hands: Vec<Hand>,
    file: Appended,
    /// Holds the lock for as long as this value lives.
    _lock: File,
    repairs: Vec<String>,
}

impl<'a> Climb<'a> {
    /// Opens `explain.csv` in `dir`, and makes as many tables as searches run at once.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged, another process writes to it, or there is no
    /// memory.
    pub fn begin(dir: &Path, case: Case<'a>, jobs: usize) -> Result<Climb<'a>, ClimbError> {
        let path = dir.join(EXPLAINED);
        let lock = append(&path).map_err(|why| JournalError::io(&path, why))?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(ClimbError::InUse(path.display().to_string()));
        }
        let rows = begun::<ExplainedRow>(dir)?;
        let mut repairs = Vec::new();
        let ids = case.positions.iter().map(|position| position.id.as_str());
        let mut check = RowsCheck::new(case.experiment, ids);
        for (at, row) in rows.list.iter().enumerate() {
            check.check(row).map_err(|what| rows.error(at, &what))?;
        }
        let done = check.seen();
        rows.cut(rows.list.len(), &mut repairs)?;
        let hands = Hand::several(case.experiment, jobs)?;
        let (jobs, file) = (case.jobs(done), rows.append()?);
        Ok(Climb { case, jobs, hands, file, _lock: lock, repairs })
    }

    /// The repairs of the file, in words for the user.
    pub fn repairs(&self) -> &[String] {
        &self.repairs
    }

    /// The number of searches that are to be run.
    pub fn left(&self) -> usize {
        self.jobs.iter().map(|job| job.wanted.len()).sum()
    }

    /// Runs all searches that are not in the file. Returns whether it has all: an `interrupt` ends
    /// it.
    ///
    /// # Errors
    /// If the file cannot be written, or a changed cost is not possible.
    pub fn climb(
        self,
        interrupt: &AtomicBool,
        mut tell: impl FnMut(Told),
    ) -> Result<bool, ClimbError> {
        let (of, mut done) = (self.left(), 0);
        let Climb { case, jobs, mut hands, mut file, .. } = self;
        case.run(&jobs, &mut hands, interrupt, |Climbed { rows, failures }| {
            for row in &rows {
                file.append_row(row)?;
            }
            done += rows.len();
            tell(Told { done, of, failures });
            Ok(())
        })
    }
}

/// The result of a job.
#[derive(Default)]
struct Climbed {
    rows: Vec<ExplainedRow>,
    /// The reasons of the searches that failed.
    failures: Vec<String>,
}

/// A search that was run on a machine.
struct Ran {
    outcome: Outcome,
    /// The number of nodes whose fate was known.
    known: u64,
    /// The fates that are known after it.
    after: Arc<Fates>,
}

/// A table with which searches are run one after another.
struct Hand {
    /// None only while it is set up.
    lab: Option<Lab>,
    /// The competitor that it is set up for.
    competitor: Option<Competitor>,
}

impl Hand {
    fn several(experiment: &Experiment, count: usize) -> Result<Vec<Hand>, LabError> {
        let hand = |_| {
            let (engine, settings) = (experiment.engine.clone(), experiment.searcher.clone());
            let lab = Some(Lab::new(experiment.hash_mib, engine, settings)?);
            Ok(Hand { lab, competitor: None })
        };
        (0..count).map(hand).collect()
    }

    /// Runs a job. None if it was interrupted.
    fn climb(
        &mut self,
        case: &Case<'_>,
        job: &Job,
        interrupt: &AtomicBool,
    ) -> Result<Option<Climbed>, ClimbError> {
        let mut climbed = Climbed::default();
        let mut done = BTreeMap::new();
        for machine in &job.wanted {
            self.run(case, job, machine, (&mut done, interrupt))?;
            // Relaxed is enough: the flag carries no other data.
            if interrupt.load(Relaxed) {
                return Ok(None);
            }
            let Some(ran) = done.get(machine) else { continue };
            let row = row(case, job, machine, ran);
            if let Status::Failed(why) = &ran.outcome.status {
                let ExplainedRow { round, searcher, position, .. } = &row;
                climbed
                    .failures
                    .push(format!("round {round}, {searcher}, {position}, {machine}: {why}"));
            }
            climbed.rows.push(row);
        }
        Ok(Some(climbed))
    }

    /// Runs a machine, and before it those whose fates it replays, unless they are done.
    fn run(
        &mut self,
        case: &Case<'_>,
        job: &Job,
        machine: &Machines,
        (done, interrupt): (&mut BTreeMap<Machines, Ran>, &AtomicBool),
    ) -> Result<(), ClimbError> {
        if done.contains_key(machine) {
            return Ok(());
        }
        let mut known: Option<Arc<Fates>> = None;
        if let Some(first) = machine.replays() {
            self.run(case, job, &first, (done, interrupt))?;
            known = done.get(&first).map(|first| Arc::clone(&first.after));
        }
        let mut last = None;
        for _ in 0..machine.times() {
            let replayed = known.clone().unwrap_or_default();
            let count = replayed.count() as u64;
            let (outcome, fates) = self.search(case, job, machine, replayed, interrupt)?;
            let after = Arc::new(known.map_or_else(|| fates.clone(), |known| known.after(&fates)));
            known = Some(Arc::clone(&after));
            last = Some(Ran { outcome, known: count, after });
        }
        done.extend(last.map(|ran| (machine.clone(), ran)));
        Ok(())
    }

    /// Runs one search on one machine. Returns its outcome, and the fates of its shared nodes.
    fn search(
        &mut self,
        case: &Case<'_>,
        job: &Job,
        machine: &Machines,
        known: Arc<Fates>,
        interrupt: &AtomicBool,
    ) -> Result<(Outcome, Fates), ClimbError> {
        let Case { experiment, positions, .. } = case;
        let usual = Costs::default();
        let costs = machine.costs(experiment.costs.as_ref().unwrap_or(&usual))?;
        let (Some(lab), Some(own)) = (self.lab.take(), experiment.settings_of(job.competitor))
        else {
            return Ok((Outcome::default(), Fates::default()));
        };
        let limit = experiment.host_limit_s.map(Duration::from_secs_f64);
        let lab = self.lab.insert(lab.on_virtual_cores(costs, limit));
        if self.competitor != Some(job.competitor) {
            lab.set_up(own.engine.clone(), own.settings.clone());
            self.competitor = Some(job.competitor);
        }
        let planned = &job.planned[usize::from(*machine != Machines::OneWorker)];
        let task = Task {
            searcher: own.searcher,
            threads: planned.cell.threads,
            root: positions[planned.cell.position].position(),
            depth: experiment.depth,
            time_limit: Some(Time::from_secs_f64(experiment.time_limit_s)),
            seed: planned.seed,
            noise: planned.noise,
            table_keys: planned.table_keys,
        };
        let ideal = IdealMachine::new(machine.ideal(case.planted), known);
        lab.clear();
        lab.age();
        let game = GameContext { machine: Some(&ideal), ..GameContext::default() };
        let outcome = lab.search_in(&task, game, interrupt);
        Ok((outcome, ideal.into_recorded()))
    }
}

fn row(case: &Case<'_>, job: &Job, machine: &Machines, ran: &Ran) -> ExplainedRow {
    let outcome = &ran.outcome;
    let counters = outcome.counters();
    let planned = &job.planned[1];
    let status = match outcome.status {
        Status::Ok => SampleStatus::Ok,
        Status::Censored => SampleStatus::Censored,
        Status::Failed(_) => SampleStatus::Failed,
    };
    ExplainedRow {
        round: planned.round,
        searcher: case.experiment.name_of(job.competitor).to_owned(),
        threads: case.threads,
        position: case.positions[planned.cell.position].id.clone(),
        machine: machine.clone(),
        status,
        time: outcome.time,
        nodes: counters.nodes,
        aborted_nodes: counters.aborted_nodes.all(),
        joins: counters.joins.all(),
        known: ran.known,
        search: counters.states[State::Search as usize],
        work: outcome.work_span.map(|of| of.work),
        critical_path: outcome.work_span.map(|of| of.critical_path),
    }
}
