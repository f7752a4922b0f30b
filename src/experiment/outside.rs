//! Samples of outside engines.

use super::keys::Experiment;
use super::parts::{IterationRow, Parts, ToldRow};
use super::plan::Planned;
use super::resolve::Resolved;
use super::rows::{Sample, SampleStatus, StateTimes};
use super::runner::Taken;
use crate::records::{CoresKind, Refusal, Refusals, Seen, count, seen};
use crate::uci::{
    BEYOND_MATERIAL, End, Engine, EngineSpec, Fault, Go, GracePeriods, Limit, NO_CHESS960, Place,
    RUNNER, Reply, Report, Said, ThreadTimes, Virtually, Watch, What, emulator, price_ps, runner,
    threads_hint,
};
use cozy_chess::Board;
use cozy_chess::util::parse_san_move;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::cores::{State, Time};
use ttd_search::engine::{DEEPEST_MATE, MATE, Score};
use ttd_search::positions::{is_chess960, parse_legal_move, uci_text};

/// The outside engines of an experiment, each with its running process, if that is used again.
#[derive(Debug, Default)]
pub(super) struct Outside {
    running: Vec<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    engine: Engine,
    /// The number of threads that it was set to.
    threads: usize,
}

/// Starts every outside engine of an experiment once, to learn its name and whether it accepts its
/// settings. An engine without a setting for threads is noted as having one thread. If
/// `skip_broken`, an engine that cannot be measured is left out; the value has the reason for each.
///
/// # Errors
/// If an engine cannot be started, or lacks or refuses a setting. With `skip_broken`, if nothing is
/// left to measure.
pub fn look(resolved: &mut Resolved, skip_broken: bool) -> Result<Vec<String>, Refusal> {
    let (most, hash_mib) = (resolved.experiment.threads.iter().max(), resolved.experiment.hash_mib);
    let (most, pin) = (most.copied().unwrap_or(1), resolved.experiment.pin.clone());
    let chess960 = resolved.positions.iter().filter(|p| is_chess960(&p.board)).count();
    let (mut kept, mut broken, mut wrong) = (Vec::new(), Vec::new(), Refusals::default());
    for spec in std::mem::take(&mut resolved.experiment.engines) {
        let virtually = virtual_cores(&resolved.experiment, resolved.experiment.seed)
            .map_err(|fault| Refusal::new("cores".to_owned(), fault.to_string()))?;
        let slow = virtually.as_ref().and_then(|of| emulator(&of.runner, &spec.command));
        match look_at(&spec, virtually, (most, hash_mib), &pin, chess960) {
            Ok((spec, seen, remark)) => {
                resolved.remarks.extend(remark);
                let said = |by| format!("the engine `{}` has no hook: {by} slows it", spec.name);
                resolved.remarks.extend(slow.map(said));
                kept.push(spec);
                resolved.engines.push(seen);
            }
            Err(why) => {
                let place = format!("the engine `{}`", spec.name);
                if skip_broken {
                    broken.push(format!("{place} is left out: {why}"));
                } else {
                    wrong.keep(Refusal::new(place, why));
                }
            }
        }
    }
    wrong.check()?;
    resolved.experiment.engines = kept;
    if resolved.experiment.competitors().is_empty() {
        return Err(Refusal::new("--skip-broken".to_owned(), broken.join("\n")));
    }
    Ok(broken)
}

fn look_at(
    spec: &EngineSpec,
    virtually: Option<Virtually>,
    (most, hash_mib): (usize, usize),
    pin: &[usize],
    chess960: usize,
) -> Result<(EngineSpec, Seen, Option<String>), String> {
    let started = EngineSpec { virtually, ..spec.clone() };
    let (engine, one_thread) =
        Engine::ready(&started, (most, hash_mib), pin).map_err(|fault| fault.with_advice())?;
    if chess960 > 0 && !engine.has_chess960() {
        return Err(format!(
            "{} of Chess960 found, and {NO_CHESS960}. Leave these positions out with --only, or \
             leave out the engine",
            count(chess960, "position")
        ));
    }
    let price_ps = match &started.virtually {
        Some(cores) => Some(price_ps(spec, &cores.runner)?),
        None => spec.price_ps,
    };
    let remark =
        engine.about().like_threads().filter(|_| most > 1 && one_thread && !spec.one_thread);
    let remark = remark.map(|name| {
        let name = threads_hint(name);
        format!("the engine `{}` has no known option for its threads: {name}", spec.name)
    });
    Ok((EngineSpec { one_thread, price_ps, ..spec.clone() }, seen(&started, &engine), remark))
}

/// Notes which engines have one thread, as an earlier run in `dir` found out. So no engine is
/// started to see the plan of the rest.
pub fn remember(resolved: &mut Resolved, dir: &Path) {
    let Ok(there) = Experiment::read(dir) else { return };
    for spec in &mut resolved.experiment.engines {
        let found = |there: &&EngineSpec| {
            let one_thread = spec.one_thread || there.one_thread;
            let price_ps = spec.price_ps.or(there.price_ps);
            **there == EngineSpec { one_thread, price_ps, ..spec.clone() }
        };
        if let Some(found) = there.engines.iter().find(found) {
            spec.one_thread = found.one_thread;
        }
    }
}

impl Outside {
    /// Takes a sample of the engine with this index.
    pub(super) fn take(
        &mut self,
        resolved: &Resolved,
        planned: &Planned,
        index: usize,
        interrupt: &AtomicBool,
    ) -> Taken {
        self.running.resize_with(resolved.experiment.engines.len(), || None);
        // A process with a fault is not put back.
        let running = self.running[index].take();
        let spec = &resolved.experiment.engines[index];
        let taken = ready(running, resolved, planned, spec).and_then(|mut running| {
            let taken = search(&mut running.engine, resolved, planned, spec, interrupt)?;
            let again = !spec.fresh_process && running.engine.is_reusable();
            // An engine that stopped by itself, or claimed a result, may still be at work.
            self.running[index] = (again && taken.failure.is_none()).then_some(running);
            Ok(taken)
        });
        taken.unwrap_or_else(|fault| Taken::failed(fault.with_last_lines("    ")))
    }
}

/// The virtual cores of an engine's process, if the experiment is on such. It is a fault if the
/// program is gone that runs engines so: the engine must not run on real cores.
pub(super) fn virtual_cores(
    experiment: &Experiment,
    seed: u64,
) -> Result<Option<Virtually>, Fault> {
    if experiment.cores == CoresKind::Real {
        return Ok(None);
    }
    let Some(runner) = runner() else {
        let why = "there is no such program: it was here when the plan was made".to_owned();
        let what = What::NotStarted { program: RUNNER.to_owned(), why };
        return Err(Fault { what, last_lines: Vec::new() });
    };
    let host_limit = experiment.host_limit_s.map_or(Duration::MAX, Duration::from_secs_f64);
    // Experiments of older programs do not say them.
    let cores = experiment.virtual_engines.unwrap_or_default();
    Ok(Some(Virtually { cores, host_limit, ..Virtually::new(runner, seed) }))
}

/// A new process for a sample.
fn start(resolved: &Resolved, planned: &Planned, spec: &EngineSpec) -> Result<Running, Fault> {
    let virtually = virtual_cores(&resolved.experiment, planned.seed)?;
    let spec = EngineSpec { virtually, ..spec.clone() };
    let engine = Engine::start(&spec, GracePeriods::default(), &resolved.experiment.pin)?;
    Ok(Running { engine, threads: 0 })
}

/// An engine with the planned number of threads that has forgotten the game before.
fn ready(
    running: Option<Running>,
    resolved: &Resolved,
    planned: &Planned,
    spec: &EngineSpec,
) -> Result<Running, Fault> {
    let threads = planned.cell.threads;
    let mut running = match running {
        Some(running) => running,
        None => start(resolved, planned, spec)?,
    };
    if running.threads != threads {
        running.engine.configure(threads, resolved.experiment.hash_mib)?;
        running.threads = threads;
    }
    running.engine.new_game()?;
    Ok(running)
}

fn search(
    engine: &mut Engine,
    resolved: &Resolved,
    planned: &Planned,
    spec: &EngineSpec,
    interrupt: &AtomicBool,
) -> Result<Taken, Fault> {
    let experiment = &resolved.experiment;
    let start = &resolved.positions[planned.cell.position].board;
    let asked = experiment.depth_of(planned.cell.competitor);
    let depth = u32::from(asked);
    let limit = match spec.end {
        End::BestMove => Limit::Depth(asked),
        End::DepthReported => Limit::Infinite,
    };
    let deadline = Some(Duration::from_secs_f64(experiment.time_limit_s));
    let go = Go { place: Place { start, moves: &[] }, limit, deadline, among: &[] };
    let mate_score = spec.mate_score.unwrap_or(BEYOND_MATERIAL);
    let (one_move, bounds) = (has_one_move(start), spec.bounds_complete);
    let mut seen = Reached { depth, mate_score, one_move, bounds, ..Reached::default() };
    let mut watch = |report: &Report| match spec.end {
        End::BestMove => Watch::On,
        End::DepthReported => seen.watch(report),
    };
    let reply = engine.search(&go, &mut watch, interrupt)?;
    let last = reply.last();
    let reached = last.map_or(0, |last| last.depth);
    // An engine that has found a mate need not search deeper.
    let decided = last.is_some_and(|last| last.is_decided(mate_score));
    let failed = |why| Ok(Taken::failed(why));
    let told_at = seen.told.or(seen.mate.map(|(_, at)| at));
    let status = match (spec.end, &reply.claim) {
        (_, Some(claim)) => return failed(format!("it gives no move, but `{claim}`")),
        (End::DepthReported, None) if told_at.is_some() => SampleStatus::Ok,
        (_, None) if reply.late => SampleStatus::Censored,
        (_, None) if reached < depth && !decided && !one_move => {
            return failed(too_early(&reply, asked));
        }
        (_, None) => SampleStatus::Ok,
    };
    // On virtual cores a search that told of its depth is left without a move.
    let told_move = || told_at.and_then(|_| first_move(&last?.pv, start));
    let best_move = reply.best.map(|mv| uci_text(start, mv)).or_else(told_move);
    let time = told_at.unwrap_or(reply.elapsed).into();
    let states_alone = match states(&reply, planned.cell.threads, time) {
        Ok(states) => states,
        Err(why) => return failed(why),
    };
    let all_nodes = if told_at.is_some() { last.and_then(|last| last.nodes) } else { reply.nodes };
    let sample = Sample {
        status,
        time,
        states_alone,
        nodes: all_nodes.unwrap_or(0),
        score: last.and_then(|last| last.score).map_or(0, score),
        best_move: best_move.unwrap_or_default(),
        table_fill: last.and_then(|last| last.hashfull).map_or(0.0, |n| f64::from(n) / 1000.0),
        ..Sample::default()
    };
    let parts = Parts {
        iterations: iterations(&reply.iterations, asked, start),
        told: reply.iterations.iter().map(|report| ToldRow::new(report, &reply)).collect(),
        ..Parts::default()
    };
    Ok(Taken { sample, failure: None, parts })
}

/// The states of an engine's threads on virtual cores: at work, or not. The rest of `threads` x
/// `time` is waiting. There are none if `time` is not that of the best move, to which the account
/// goes. It is an error if more than `threads` are at work for more than half of the search.
fn states(reply: &Reply, threads: usize, time: Time) -> Result<Option<StateTimes>, String> {
    let Some(ThreadTimes { busy_ps, .. }) = &reply.thread_times else { return Ok(None) };
    let (elapsed, whole) = (Time::from(reply.elapsed), time.ps() * threads as u64);
    let at_work = busy_ps.iter().filter(|busy| **busy > elapsed.ps() / 2).count();
    if at_work > threads {
        return Err(format!(
            "{at_work} of its threads were at work for more than half of the {:.6} s, and {} asked \
             for. It has more threads at work than that, or one of them spins",
            elapsed.as_secs_f64(),
            if threads == 1 { "one was".to_owned() } else { format!("{threads} were") },
        ));
    }
    let busy = busy_ps.iter().sum::<u64>().min(whole);
    let mut states = StateTimes::default();
    states[State::Search as usize] = Time::from_ps(busy);
    states[State::WaitWork as usize] = Time::from_ps(whole - busy);
    Ok((time == elapsed).then_some(states))
}

/// The state of a search without a limit.
#[derive(Default)]
struct Reached {
    depth: u32,
    mate_score: u32,
    /// Whether there is one legal move: it need not be searched.
    one_move: bool,
    bounds: bool,
    /// The time at which it reported the depth.
    told: Option<Duration>,
    /// The depth at which it found a mate, and the time; none if the last depth had none.
    mate: Option<(u32, Duration)>,
}

impl Reached {
    /// Ends the search at its depth, or after a mate. Some engines search no deeper after a mate,
    /// and wait for `stop`; others go on. So the search ends if no deeper line comes for as long as
    /// it took so far, and for [`MATE_SILENCE`] at least.
    fn watch(&mut self, report: &Report) -> Watch {
        let exact = report.is_whole();
        // Bounds of a depth may be followed by others; those of the next depth say that it is done.
        let beyond = self.bounds && report.is_scored() && report.depth > self.depth;
        if exact && report.depth >= self.depth || beyond {
            self.told = Some(report.at);
            return Watch::Stop;
        }
        if exact || self.bounds && report.is_scored() {
            let deeper = self.mate.is_none_or(|(depth, _)| report.depth > depth);
            if !(self.one_move || report.is_decided(self.mate_score)) {
                self.mate = None;
            } else if deeper {
                self.mate = Some((report.depth, report.at));
            }
        }
        self.mate.map_or(Watch::On, |(_, at)| Watch::StopAt(at + at.max(MATE_SILENCE)))
    }
}

/// The least time for which an engine with a mate is given time to search deeper.
const MATE_SILENCE: Duration = Duration::from_millis(500);

/// Whether there is one legal move: then many engines play it without a search.
pub(super) fn has_one_move(board: &Board) -> bool {
    let mut moves = 0;
    board.generate_moves(|of_piece| {
        moves += of_piece.len();
        moves > 1
    });
    moves == 1
}

/// The reason why a move that came before its depth is a failure.
pub(super) fn too_early(reply: &Reply, asked: u8) -> String {
    let Some(last) = reply.last() else {
        return format!(
            "it gave a move and told of no depth (before depth {asked}): it may have answered from a \
             book (switch it off), or it tells nothing of its searches"
        );
    };
    let reached = last.depth;
    let bounds = if reply.bounds_only { ", told by bounds only" } else { "" };
    let score = match last.score {
        Some(Said::Centipawns(score)) => format!("cp {score}"),
        _ => "unknown".to_owned(),
    };
    format!(
        "it ended by itself after depth {reached}{bounds}, before depth {asked}: it may have a book, \
         or a limit of its own. Its last score was {score}; `mate_score` tells which scores are \
         mates, `bounds_complete` whether bounds complete a depth"
    )
}

/// A score in the form of our own scores. Hundredths of a pawn never look like one of our mates.
fn score(said: Said) -> Score {
    match said {
        Said::Centipawns(score) => score.clamp(1 - DEEPEST_MATE, DEEPEST_MATE - 1),
        // Our mates are counted in plies from this position, and have a longest one.
        Said::Mate(moves) if moves > 0 => (MATE - (2 * moves - 1)).max(DEEPEST_MATE),
        Said::Mate(moves) => (-MATE - 2 * moves).min(-DEEPEST_MATE),
    }
}

/// A row for every depth up to `deepest`, from the first report of that depth or a deeper one.
pub fn iterations(told: &[Report], deepest: u8, board: &Board) -> Vec<IterationRow> {
    let first = |depth: u8| {
        let report = told.iter().find(|report| report.depth >= u32::from(depth))?;
        let nodes = report.nodes.unwrap_or(0);
        let best_move = first_move(&report.pv, board);
        let score = report.score.map(score);
        Some(IterationRow { depth, worker: 0, time: report.at.into(), nodes, score, best_move })
    };
    (1..=deepest).map_while(first).collect()
}

/// The first move of a line, which may be written as in a game score; none if it is not legal.
pub(super) fn first_move(line: &str, board: &Board) -> Option<String> {
    let word = line.split_whitespace().find(|word| !word.ends_with('.'))?;
    let plain = word.trim_end_matches(['+', '#', '!', '?']);
    let mv = parse_legal_move(board, &plain.to_ascii_lowercase())
        .or_else(|| parse_san_move(board, plain).ok())?;
    board.is_legal(mv).then(|| uci_text(board, mv))
}

#[cfg(test)]
mod tests;
