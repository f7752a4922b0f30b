//! Takes the samples of a plan, one after the other, and writes each down before the next.

use super::environment;
use super::journal::JournalError;
use super::plan::Planned;
use super::resolve::Resolved;
use super::results::Results;
use super::rows::{IterationRow, Sample, SampleStatus};
use crate::cores::Time;
use crate::positions::TestPosition;
use crate::searchers::{Iteration, Lab, Outcome, Status, Task};
use cozy_chess::util::display_uci_move;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// The next sample is about to be taken.
    fn begin(&mut self, planned: &Planned);
    /// It was taken and written down.
    fn end(&mut self, planned: &Planned, sample: &Sample);
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every sample of the plan is there.
    Done,
    /// By the user; the sample that was being taken is thrown away.
    Interrupted,
}

/// Takes the samples of `plan` that `results` does not have yet, in order.
///
/// # Errors
/// If a sample cannot be written down; those before it are.
pub fn run(
    resolved: &Resolved,
    plan: &[Planned],
    results: &mut Results,
    executor: &mut dyn Executor,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Ended, JournalError> {
    let done = results.done();
    for planned in &plan[done..] {
        // Relaxed: the flag alone is the message.
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Ended::Interrupted);
        }
        observer.begin(planned);
        let position = &resolved.positions[planned.cell.position];
        let experiment = &resolved.experiment;
        let task = Task {
            searcher: planned.cell.searcher,
            threads: planned.cell.threads,
            root: position.position(),
            depth: experiment.depth,
            time_limit: Some(Time::from_secs_f64(experiment.time_limit_s)),
            seed: planned.seed,
            noise: planned.noise,
        };
        executor.clear();
        let outcome = executor.search(&task, interrupt);
        if interrupt.load(Ordering::Relaxed) {
            return Ok(Ended::Interrupted);
        }
        let sample = sample_of(planned, position, &task, &outcome);
        if let Status::Failed(why) = &outcome.status {
            results.log(&format!("{} failed: {why}", describe(planned, position)))?;
        }
        let iterations = iterations_of(&sample, &outcome);
        let sample = results.append(sample, &iterations)?;
        observer.end(planned, sample);
    }
    Ok(Ended::Done)
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
        peak_mib: environment::peak_memory_mib().unwrap_or(0),
    }
}

fn iterations_of(sample: &Sample, outcome: &Outcome) -> Vec<IterationRow> {
    let row = |iteration: &Iteration| IterationRow {
        round: sample.round,
        searcher: sample.searcher.clone(),
        threads: sample.threads,
        position: sample.position.clone(),
        depth: iteration.depth,
        worker: iteration.worker,
        time: iteration.time,
        nodes: iteration.nodes,
    };
    outcome.iterations.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::State;
    use crate::experiment::{
        Draft, ITERATIONS, LOG, Opening, ResultsError, SAMPLES, plan, read_samples, resolve,
    };
    use crate::search::{Counters, Line};
    use std::fs;
    use std::path::Path;
    use tempfile::TempDir;

    /// Searches nothing: every figure is a function of the task. Stops the run after some
    /// searches, as Ctrl-C would.
    struct Mock<'a> {
        clears: usize,
        searches: usize,
        stop_in: Option<(usize, &'a AtomicBool)>,
        fail: Option<usize>,
    }

    impl Mock<'_> {
        fn new() -> Mock<'static> {
            Mock { clears: 0, searches: 0, stop_in: None, fail: None }
        }
    }

    impl Executor for Mock<'_> {
        fn clear(&mut self) {
            self.clears += 1;
        }

        fn search(&mut self, task: &Task, _: &AtomicBool) -> Outcome {
            self.searches += 1;
            assert_eq!(self.clears, self.searches, "cleared before each search");
            if let Some((at, interrupt)) = self.stop_in
                && self.searches == at
            {
                interrupt.store(true, Ordering::Relaxed);
            }
            let failed = self.fail == Some(self.searches);
            let time = |depth: u8| Time::from_ps(u64::from(depth) * (task.seed % 1_000_000_000));
            let mut counters = Counters { nodes: task.seed % 1000, ..Counters::default() };
            counters.states[State::Search as usize] = time(task.depth);
            let iteration = |depth| Iteration {
                depth,
                worker: 0,
                time: time(depth),
                nodes: u64::from(depth),
                score: 10,
                line: Line::new(),
            };
            Outcome {
                status: if failed {
                    Status::Failed("a worker fell over".into())
                } else {
                    Status::Ok
                },
                time: time(task.depth),
                score: 10,
                best_move: None,
                iterations: (1..=task.depth).map(iteration).collect(),
                workers: vec![counters; task.threads],
                table_fill: 0.5,
            }
        }
    }

    struct Silent;
    impl Observer for Silent {
        fn begin(&mut self, _: &Planned) {}
        fn end(&mut self, _: &Planned, _: &Sample) {}
    }

    fn small() -> Draft {
        Draft {
            only: Some(vec!["1".to_owned(), "2".to_owned()]),
            threads: "1,2".parse().ok(),
            depth: Some(3),
            runs: Some(2),
            ..Draft::default()
        }
    }

    fn resolved(draft: &Draft) -> Resolved {
        resolve(None, draft, None).unwrap_or_else(|e| panic!("{e}"))
    }

    fn plan_of(resolved: &Resolved) -> Vec<Planned> {
        let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
        plan(&resolved.experiment, &ids)
    }

    fn open(dir: &Path, draft: &Draft, fresh: bool) -> Result<Results, ResultsError> {
        let resolved = resolved(draft);
        let opening = Opening { fresh, mixed: false };
        Results::open(dir, &resolved, &plan_of(&resolved), opening).map(|(results, _)| results)
    }

    /// Runs until done, or until the mock interrupts at its `stop`th search.
    fn sit(dir: &Path, draft: &Draft, stop: Option<usize>) -> Ended {
        let resolved = resolved(draft);
        let mut results = open(dir, draft, false).unwrap_or_else(|e| panic!("{e}"));
        let interrupt = AtomicBool::new(false);
        let mut mock = Mock::new();
        mock.stop_in = stop.map(|at| (at, &interrupt));
        results.begin_sitting().unwrap_or_else(|e| panic!("{e}"));
        let plan = plan_of(&resolved);
        let ended = run(&resolved, &plan, &mut results, &mut mock, &interrupt, &mut Silent);
        results.end_sitting().unwrap_or_else(|e| panic!("{e}"));
        ended.unwrap_or_else(|e| panic!("{e}"))
    }

    fn temporary() -> TempDir {
        tempfile::tempdir().expect("a temporary directory")
    }

    /// The measured files, without the peak memory, which is the process's.
    fn measured(dir: &Path) -> (Vec<String>, String) {
        let read = |file| fs::read_to_string(dir.join(file)).expect("a table");
        let without_peak = |line: &str| line.rsplit_once(',').expect("columns").0.to_owned();
        (read(SAMPLES).lines().map(without_peak).collect(), read(ITERATIONS))
    }

    #[test]
    fn takes_every_sample_in_the_order_of_the_plan() {
        let dir = temporary();
        assert_eq!(sit(dir.path(), &small(), None), Ended::Done);
        let samples = read_samples(dir.path()).expect("samples");
        assert_eq!(samples.len(), 2 * 2 * 2 * 2);
        assert!(samples.iter().enumerate().all(|(i, s)| s.order as usize == i && s.depth == 3));
        assert_eq!(measured(dir.path()).1.lines().count(), 1 + 3 * samples.len());
    }

    #[test]
    fn an_interrupted_run_goes_on_to_the_same_bytes() {
        let whole = temporary();
        sit(whole.path(), &small(), None);
        let dir = temporary();
        assert_eq!(sit(dir.path(), &small(), Some(5)), Ended::Interrupted);
        assert_eq!(read_samples(dir.path()).expect("samples").len(), 4, "the fifth is thrown away");
        assert_eq!(sit(dir.path(), &small(), Some(1)), Ended::Interrupted);
        assert_eq!(sit(dir.path(), &small(), None), Ended::Done);
        assert_eq!(measured(dir.path()), measured(whole.path()));
    }

    #[test]
    fn a_failed_sample_is_kept_and_its_reason_logged() {
        let dir = temporary();
        let resolved = resolved(&small());
        let plan = plan_of(&resolved);
        let mut results = open(dir.path(), &small(), false).unwrap_or_else(|e| panic!("{e}"));
        let mut mock = Mock { fail: Some(3), ..Mock::new() };
        let interrupt = AtomicBool::new(false);
        run(&resolved, &plan, &mut results, &mut mock, &interrupt, &mut Silent).expect("written");
        let failed: Vec<u32> = results
            .samples()
            .iter()
            .filter(|s| s.status == SampleStatus::Failed)
            .map(|s| s.order)
            .collect();
        assert_eq!(failed, [2]);
        let log = fs::read_to_string(dir.path().join(LOG)).expect("a log");
        assert!(log.contains("sample 2: ") && log.contains("a worker fell over"), "{log}");
    }

    #[test]
    fn another_experiment_is_refused_unless_fresh() {
        let dir = temporary();
        sit(dir.path(), &small(), Some(4));
        let other = Draft { depth: Some(4), ..small() };
        let error = open(dir.path(), &other, false).expect_err("another depth").to_string();
        assert!(error.contains("(depth: 3 there, 4 here)"), "{error}");
        assert!(error.contains("--fresh to discard the 3 samples"), "{error}");
        assert_eq!(read_samples(dir.path()).expect("samples").len(), 3, "nothing is lost");
        let renamed = Draft { name: Some("renamed".to_owned()), ..small() };
        assert_eq!(open(dir.path(), &renamed, false).expect("the same").done(), 3);
        assert_eq!(open(dir.path(), &other, true).expect("fresh").done(), 0);
    }

    #[test]
    fn an_experiment_without_samples_gives_way() {
        let dir = temporary();
        drop(open(dir.path(), &small(), false).unwrap_or_else(|e| panic!("{e}")));
        let other = Draft { depth: Some(4), ..small() };
        sit(dir.path(), &other, None);
        assert_eq!(open(dir.path(), &other, false).expect("the same").done(), 16);
    }

    #[test]
    fn another_machine_is_refused_unless_mixed() {
        let dir = temporary();
        sit(dir.path(), &small(), Some(4));
        let path = dir.path().join("environment.toml");
        let text = fs::read_to_string(&path).expect("an environment");
        let commit = format!("commit = \"{}\"", env!("TTD_COMMIT"));
        assert!(text.contains(&commit));
        fs::write(&path, text.replace(&commit, "commit = \"abc\"")).expect("written");
        let error = open(dir.path(), &small(), false).expect_err("another commit").to_string();
        assert!(error.contains("commit: abc there") && error.contains("--mixed"), "{error}");
        let resolved = resolved(&small());
        let mixed = Opening { mixed: true, fresh: false };
        let (results, _) = Results::open(dir.path(), &resolved, &plan_of(&resolved), mixed)
            .unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(results.done(), 3);
    }

    #[test]
    fn a_directory_has_one_run_at_a_time() {
        let dir = temporary();
        let first = open(dir.path(), &small(), false).unwrap_or_else(|e| panic!("{e}"));
        let error = open(dir.path(), &small(), true).expect_err("locked").to_string();
        assert!(error.contains("another run writes to it"), "{error}");
        drop(first);
        assert!(open(dir.path(), &small(), false).is_ok());
    }

    #[test]
    fn a_directory_of_something_else_is_left_alone() {
        let dir = temporary();
        fs::write(dir.path().join("thesis.tex"), "x").expect("written");
        for fresh in [false, true] {
            let error = open(dir.path(), &small(), fresh).expect_err("foreign").to_string();
            assert!(error.contains("thesis.tex"), "{error}");
        }
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1);
    }

    #[test]
    fn results_keep_a_copy_of_the_user_s_positions() {
        let dir = temporary();
        let (mine, out) = (dir.path().join("mine.epd"), dir.path().join("out"));
        fs::write(&mine, "4k3/8/8/8/8/8/8/4K2R w K - id \"a\";\n").expect("written");
        let set = |path: &Path| Draft {
            positions: Some(path.to_string_lossy().into_owned()),
            only: None,
            ..small()
        };
        sit(&out, &set(&mine), None);
        assert_eq!(open(&out, &set(&out.join("positions.epd")), false).expect("same").done(), 8);
        fs::write(&mine, "4k3/8/8/8/8/8/8/4K1R1 w - - id \"a\";\n").expect("written");
        let error = open(&out, &set(&mine), false).expect_err("other positions").to_string();
        assert!(error.contains("positions: "), "{error}");
    }
}
