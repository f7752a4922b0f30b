//! Runs with an executor that searches nothing.

use super::*;
use crate::experiment::executor::task;
use crate::experiment::{
    Competitor, DepthRow, Experiment, IterationRow, Opening, POSITIONS, Part, PartialExperiment,
    SAMPLES, SampleStatus, WorkerRow, plan, read_samples, resolve,
};
use crate::records::{LOG, ResultsError, SaidOfPlace};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use ttd_search::cores::{State, Time};
use ttd_search::search::{ByDepth, Counters, Line};
use ttd_search::searchers::{Iteration, Outcome, Status, Task};

/// An executor that searches nothing: every figure is a function of the task. It interrupts the run
/// after some searches, as Ctrl-C would.
struct Mock<'a> {
    searches: usize,
    stop_in: Option<(usize, &'a AtomicBool)>,
    fail: Option<usize>,
}

impl Mock<'_> {
    fn new() -> Mock<'static> {
        Mock { searches: 0, stop_in: None, fail: None }
    }
}

impl Executor for Mock<'_> {
    fn take(&mut self, resolved: &Resolved, planned: &Planned, _: &AtomicBool) -> Taken {
        let Competitor::Searcher(searcher) = planned.cell.competitor else {
            return Taken::failed("none of ours".to_owned());
        };
        let outcome = self.search(&task(resolved, planned, searcher));
        Taken::of(outcome, &resolved.positions[planned.cell.position].board)
    }
}

impl Mock<'_> {
    fn search(&mut self, task: &Task) -> Outcome {
        self.searches += 1;
        if let Some((at, interrupt)) = self.stop_in
            && self.searches == at
        {
            interrupt.store(true, Ordering::Relaxed);
        }
        let failed = self.fail == Some(self.searches);
        let time = |depth: u8| Time::from_ps(u64::from(depth) * (task.seed % 1_000_000_000));
        let mut counters = Counters { nodes: task.seed % 1000, ..Counters::default() };
        counters.states[State::Search as usize] = time(task.depth);
        let mut look_ups = ByDepth::default();
        look_ups.at(2).probes = 1 + task.seed % 10;
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
                Status::Failed("a worker fell over".to_owned().into())
            } else {
                Status::Ok
            },
            time: time(task.depth),
            score: 10,
            best_move: None,
            iterations: (1..=task.depth).map(iteration).collect(),
            timelines: Vec::new(),
            work_span: None,
            workers: vec![counters; task.threads],
            look_ups,
            table_fill: 0.5,
        }
    }
}

struct Silent;
impl Observer for Silent {
    fn begin(&mut self, _: &Planned) {}
    fn end(&mut self, _: &Planned, _: &Sample, _: Duration) {}
}

fn small() -> PartialExperiment {
    PartialExperiment {
        only: Some(vec!["1".to_owned(), "2".to_owned()]),
        threads: "1,2".parse().ok(),
        depth: Some(3),
        runs: Some(2),
        ..PartialExperiment::default()
    }
}

fn resolved(partial: &PartialExperiment) -> Resolved {
    resolve(None, partial, None).unwrap_or_else(|e| panic!("{e}"))
}

fn plan_of(resolved: &Resolved) -> Vec<Planned> {
    let ids: Vec<&str> = resolved.positions.iter().map(|p| p.id.as_str()).collect();
    plan(&resolved.experiment, &ids)
}

fn open(dir: &Path, partial: &PartialExperiment, fresh: bool) -> Result<Results, ResultsError> {
    let resolved = resolved(partial);
    let opening = Opening { fresh, mixed: false };
    Results::open(dir, &resolved, &plan_of(&resolved), opening).map(|(results, _)| results)
}

/// Runs until done, or until the mock interrupts at its `stop`th search.
fn sit(dir: &Path, partial: &PartialExperiment, stop: Option<usize>) -> Ended {
    let resolved = resolved(partial);
    let mut results = open(dir, partial, false).unwrap_or_else(|e| panic!("{e}"));
    let interrupt = AtomicBool::new(false);
    let mut mock = Mock::new();
    mock.stop_in = stop.map(|at| (at, &interrupt));
    results.begin_sitting((&SaidOfPlace::default(), None)).unwrap_or_else(|e| panic!("{e}"));
    let plan = plan_of(&resolved);
    let mocks = std::slice::from_mut(&mut mock);
    let ended = run(&resolved, &plan, &mut results, mocks, &interrupt, &mut Silent);
    results.end_sitting(None).unwrap_or_else(|e| panic!("{e}"));
    ended.unwrap_or_else(|e| panic!("{e}"))
}

fn temporary() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

/// The measured files, without the peak memory, which belongs to the process. A missing file counts
/// as empty.
fn measured(dir: &Path) -> (Vec<String>, [String; 3]) {
    let read = |file| fs::read_to_string(dir.join(file)).unwrap_or_default();
    let without_peak = |line: &str| {
        let [doubled, _peak, before]: [&str; 3] =
            line.rsplitn(3, ',').collect::<Vec<_>>().try_into().expect("columns");
        format!("{before},{doubled}")
    };
    let parts = [IterationRow::FILE, WorkerRow::FILE, DepthRow::FILE];
    (read(SAMPLES).lines().map(without_peak).collect(), parts.map(read))
}

#[test]
fn takes_every_sample_in_the_order_of_the_plan() {
    let dir = temporary();
    assert_eq!(sit(dir.path(), &small(), None), Ended::Done);
    let samples = read_samples(dir.path()).expect("samples");
    assert_eq!(samples.len(), 2 * 2 * 2 * 2);
    assert!(samples.iter().enumerate().all(|(i, s)| s.order as usize == i && s.depth == 3));
    let rows = measured(dir.path()).1.map(|text| text.lines().count());
    assert_eq!(rows, [1 + 3 * samples.len(), 0, 0]);
}

fn in_detail() -> PartialExperiment {
    PartialExperiment { detail: Some(true), ..small() }
}

#[test]
fn detail_has_a_row_for_every_worker_and_depth() {
    let dir = temporary();
    sit(dir.path(), &in_detail(), None);
    let rows = measured(dir.path()).1.map(|text| text.lines().count());
    assert_eq!(rows, [1 + 3 * 16, 1 + (1 + 2) * 8, 1 + 16]);
}

#[test]
fn detail_is_part_of_the_experiment() {
    let dir = temporary();
    sit(dir.path(), &small(), Some(4));
    let error = open(dir.path(), &in_detail(), false).expect_err("another").to_string();
    assert!(error.contains("(detail: unset there, true here)"), "{error}");
    let not = PartialExperiment { detail: Some(false), ..small() };
    assert_eq!(open(dir.path(), &not, false).expect("the same").done(), 3);
    drop(open(dir.path(), &in_detail(), true).unwrap_or_else(|e| panic!("{e}")));
    sit(dir.path(), &in_detail(), Some(4));
    assert!(dir.path().join(WorkerRow::FILE).exists() && dir.path().join(DepthRow::FILE).exists());
    let error = open(dir.path(), &small(), false).expect_err("another").to_string();
    assert!(error.contains("(detail: true there, unset here)"), "{error}");
    assert_eq!(open(dir.path(), &small(), true).expect("fresh").done(), 0);
    assert!(
        !dir.path().join(WorkerRow::FILE).exists() && !dir.path().join(DepthRow::FILE).exists()
    );
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let whole = temporary();
    sit(whole.path(), &in_detail(), None);
    let dir = temporary();
    assert_eq!(sit(dir.path(), &in_detail(), Some(5)), Ended::Interrupted);
    assert_eq!(read_samples(dir.path()).expect("samples").len(), 4, "the fifth is thrown away");
    assert_eq!(sit(dir.path(), &in_detail(), Some(1)), Ended::Interrupted);
    assert_eq!(sit(dir.path(), &in_detail(), None), Ended::Done);
    assert_eq!(measured(dir.path()), measured(whole.path()));
}

#[test]
fn a_failed_sample_is_kept_and_its_reason_logged() {
    let dir = temporary();
    let resolved = resolved(&small());
    let plan = plan_of(&resolved);
    let mut results = open(dir.path(), &small(), false).unwrap_or_else(|e| panic!("{e}"));
    let mock = Mock { fail: Some(3), ..Mock::new() };
    let interrupt = AtomicBool::new(false);
    run(&resolved, &plan, &mut results, &mut [mock], &interrupt, &mut Silent).expect("written");
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
    let other = PartialExperiment { depth: Some(4), ..small() };
    let error = open(dir.path(), &other, false).expect_err("another depth").to_string();
    assert!(error.contains("(depth: 3 there, 4 here: a search to another depth"), "{error}");
    assert!(error.contains("--fresh discards the 3 samples"), "{error}");
    assert_eq!(read_samples(dir.path()).expect("samples").len(), 3, "nothing is lost");
    let renamed = PartialExperiment { name: Some("renamed".to_owned()), ..small() };
    assert_eq!(open(dir.path(), &renamed, false).expect("the same").done(), 3);
    assert_eq!(open(dir.path(), &other, true).expect("fresh").done(), 0);
}

/// More rounds add samples to the end of the plan, so they go on with what is there.
#[test]
fn more_rounds_go_on() {
    let dir = temporary();
    sit(dir.path(), &small(), None);
    let longer = PartialExperiment { runs: Some(3), ..small() };
    assert_eq!(open(dir.path(), &longer, false).expect("the beginning of it").done(), 16);
    assert_eq!(Experiment::read(dir.path()).expect("read").runs, 3);
    sit(dir.path(), &longer, None);
    assert_eq!(read_samples(dir.path()).expect("samples").len(), 24);
    let error = open(dir.path(), &small(), false).expect_err("fewer rounds").to_string();
    assert!(error.contains("(runs: 3 there, 2 here)") && error.contains("goes on"), "{error}");
    let others = PartialExperiment { runs: Some(4), depth: Some(4), ..small() };
    assert!(open(dir.path(), &others, false).is_err(), "that is more than rounds");
}

#[test]
fn an_experiment_without_samples_gives_way() {
    let dir = temporary();
    drop(open(dir.path(), &small(), false).unwrap_or_else(|e| panic!("{e}")));
    let other = PartialExperiment { depth: Some(4), ..small() };
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
fn another_machine_may_finish_virtual_cores() {
    let simulated = || PartialExperiment { cores: Some("virtual".into()), ..small() };
    for (partial, finished) in [(small(), false), (simulated(), true)] {
        let dir = temporary();
        sit(dir.path(), &partial, Some(4));
        let path = dir.path().join("environment.toml");
        let text = fs::read_to_string(&path).expect("an environment");
        let cpu = text.lines().find(|line| line.starts_with("cpu = ")).expect("a CPU");
        fs::write(&path, text.replace(cpu, "cpu = \"another\"")).expect("written");
        assert_eq!(open(dir.path(), &partial, false).is_ok(), finished);
    }
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
    let set = |path: &Path| PartialExperiment {
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

#[test]
fn results_keep_a_copy_of_the_program_s_positions() {
    let dir = temporary();
    sit(dir.path(), &small(), None);
    let experiment = Experiment::read(dir.path()).expect("read");
    let measured = |set: &str| {
        let set = ttd_search::positions::load(set).expect("a set");
        experiment.chosen(set).into_iter().map(|position| position.board).collect::<Vec<_>>()
    };
    let copy = dir.path().join(POSITIONS);
    let boards = measured(&experiment.positions);
    assert_eq!(measured(&copy.to_string_lossy()), boards);
    // The copy counts, whatever the program has by that name now. Older directories have none.
    let text = fs::read_to_string(&copy).expect("a copy");
    fs::write(&copy, text.replace(" b ", " w ")).expect("written");
    let read = || experiment.position_set(dir.path()).expect("read");
    assert!(read().into_iter().map(|position| position.board).ne(boards.clone()));
    fs::remove_file(&copy).expect("removed");
    assert!(read().into_iter().map(|position| position.board).eq(boards));
    assert!(open(dir.path(), &small(), false).is_ok());
}
