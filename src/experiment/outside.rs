//! Samples of outside engines.

use super::parts::{IterationRow, Parts, ToldRow};
use super::plan::Planned;
use super::resolve::Resolved;
use super::rows::{Sample, SampleStatus};
use super::runner::Taken;
use crate::records::{Refusal, seen};
use crate::uci::{
    End, Engine, EngineSpec, Fault, Go, GracePeriods, Limit, Place, Reply, Report, Said, Watch,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::cores::Time;
use ttd_search::engine::{MATE, Score};
use ttd_search::positions::{is_chess960, uci_text};

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
/// settings. An engine without a setting for threads is noted as having one thread.
///
/// # Errors
/// If an engine cannot be started, or lacks or refuses a setting.
pub fn look(resolved: &mut Resolved) -> Result<(), Refusal> {
    let (most, hash_mib) = (resolved.experiment.threads.iter().max(), resolved.experiment.hash_mib);
    let (most, pin) = (most.copied().unwrap_or(1), resolved.experiment.pin.clone());
    for spec in &mut resolved.experiment.engines {
        let refused = |fault: Fault| {
            Refusal::new(format!("the engine `{}`", spec.name), fault.with_last_lines("  "))
        };
        let mut engine = Engine::start(spec, GracePeriods::default(), &pin).map_err(refused)?;
        let one_thread = spec.one_thread || !engine.has_threads();
        engine.configure(if one_thread { 1 } else { most }, hash_mib).map_err(refused)?;
        engine.new_game().map_err(refused)?;
        let chess960 = resolved.positions.iter().filter(|p| is_chess960(&p.board)).count();
        if chess960 > 0 && engine.about().option("UCI_Chess960").is_none() {
            let what = format!(
                "{chess960} positions of Chess960 found, and no option UCI_Chess960 to tell it. \
                 Leave these positions out with --only, or leave out the engine"
            );
            return Err(Refusal::new(format!("the engine `{}`", spec.name), what));
        }
        resolved.engines.push(seen(spec, &engine));
        spec.one_thread = one_thread;
    }
    Ok(())
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
        None => Running {
            engine: Engine::start(spec, GracePeriods::default(), &resolved.experiment.pin)?,
            threads: 0,
        },
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
    let go = Go { place: Place { start, moves: &[] }, limit, deadline };
    // The time at which it reported the depth.
    let mut told_at = None;
    let mut watch = |report: &Report| {
        if spec.end == End::BestMove || report.depth < depth || !report.is_whole() {
            return Watch::On;
        }
        told_at = Some(report.at);
        Watch::Stop
    };
    let reply = engine.search(&go, &mut watch, interrupt)?;
    let reached = reply.last().map_or(0, |last| last.depth);
    // An engine that has found a mate need not search deeper.
    let decided = reply.last().is_some_and(Report::is_decided);
    let failed = |why| Ok(Taken::failed(why));
    let status = match (spec.end, &reply.claim) {
        (_, Some(claim)) => return failed(format!("it gives no move, but `{claim}`")),
        (End::DepthReported, None) if told_at.is_some() => SampleStatus::Ok,
        (_, None) if reply.late => SampleStatus::Censored,
        (_, None) if reached < depth && !decided => {
            return failed(format!(
                "it ended by itself after depth {reached}, before depth {depth}: it may have a \
                 book, or a limit of its own"
            ));
        }
        (_, None) => SampleStatus::Ok,
    };
    let best_move = reply.best.map(|mv| uci_text(start, mv));
    let last = reply.last();
    let sample = Sample {
        status,
        time: told_at.unwrap_or(reply.elapsed).into(),
        nodes: last.and_then(|last| last.nodes).unwrap_or(0),
        score: last.and_then(|last| last.score).map_or(0, score),
        best_move: best_move.unwrap_or_default(),
        table_fill: last.and_then(|last| last.hashfull).map_or(0.0, |n| f64::from(n) / 1000.0),
        ..Sample::default()
    };
    let parts = Parts {
        iterations: iterations(&reply.iterations, asked),
        told: reply.iterations.iter().map(|report| told(report, &reply)).collect(),
        ..Parts::default()
    };
    Ok(Taken { sample, failure: None, parts })
}

/// A score in the form of our own scores.
fn score(said: Said) -> Score {
    match said {
        Said::Centipawns(score) => score,
        // Our mates are counted in plies from this position.
        Said::Mate(moves) if moves > 0 => MATE - (2 * moves - 1),
        Said::Mate(moves) => -MATE - 2 * moves,
    }
}

/// A row for every depth up to `deepest`, from the first report of that depth or a deeper one.
fn iterations(told: &[Report], deepest: u8) -> Vec<IterationRow> {
    let first = |depth: u8| {
        let report = told.iter().find(|report| report.depth >= u32::from(depth))?;
        let nodes = report.nodes.unwrap_or(0);
        let best_move = report.pv.split_whitespace().next().map(str::to_owned);
        let score = report.score.map(score);
        Some(IterationRow { depth, worker: 0, time: report.at.into(), nodes, score, best_move })
    };
    (1..=deepest).map_while(first).collect()
}

fn told(report: &Report, reply: &Reply) -> ToldRow {
    ToldRow {
        depth: report.depth,
        read: report.at.into(),
        best_move: reply.elapsed.into(),
        own: report.time.map(Time::from),
        nodes: report.nodes,
        nps: report.nps,
        hashfull: report.hashfull,
        score: match report.score {
            None => String::new(),
            Some(Said::Centipawns(score)) => format!("cp {score}"),
            Some(Said::Mate(moves)) => format!("mate {moves}"),
        },
        pv: report.pv.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::engine::is_mate;

    #[test]
    fn scores_are_ours() {
        assert_eq!(score(Said::Centipawns(-31)), -31);
        assert_eq!(score(Said::Mate(1)), MATE - 1);
        assert_eq!(score(Said::Mate(5)), MATE - 9);
        assert_eq!(score(Said::Mate(-1)), -(MATE - 2));
        assert!(is_mate(score(Said::Mate(-40))));
    }

    #[test]
    fn depths_that_were_left_out_are_done_with_the_next() {
        let report =
            |depth, ms| Report { depth, at: Duration::from_millis(ms), ..Report::default() };
        let rows = iterations(&[report(2, 1), report(3, 5), report(9, 7)], 4);
        let rows: Vec<_> = rows.iter().map(|row| (row.depth, row.time.to_string())).collect();
        let expected = [(1, "0.001"), (2, "0.001"), (3, "0.005"), (4, "0.007")];
        assert_eq!(rows, expected.map(|(depth, time)| (depth, format!("{time}000000"))));
    }
}
