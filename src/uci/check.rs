//! Whether an outside engine does what a sweep needs.

use super::engine::{Engine, Go, Limit, Patience, Place, Reply, Watch};
use super::fault::{Fault, What};
use super::report::{Bound, Report};
use super::spec::{EngineSpec, Protocol};
use cozy_chess::Board;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// To which depth it is searched.
const DEPTH: u8 = 10;
/// For how long nodes are counted on each number of threads.
const WHILE: Duration = Duration::from_millis(1500);
/// When it is stopped.
const STOP: Duration = Duration::from_millis(250);
/// When a search to [`DEPTH`] is given up.
const LONG: Duration = Duration::from_secs(60);
/// How much the two clocks may differ.
pub const CLOCKS: Duration = Duration::from_millis(10);
const HASH_MIB: usize = 64;

/// What was found out, and whether a sweep can live with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What it is about.
    pub what: &'static str,
    /// What was found.
    pub found: String,
    /// Whether that is well.
    pub verdict: Verdict,
}

/// What a finding means for a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As a sweep needs it.
    Well,
    /// It can be measured; the user should know.
    Note,
    /// It cannot be measured so.
    Bad,
}

fn finding(what: &'static str, found: impl Into<String>, verdict: Verdict) -> Finding {
    Finding { what, found: found.into(), verdict }
}

/// Tries an engine from the positions given, each a middle of a game.
///
/// # Errors
/// If it cannot be started or says nothing sensible. What it does wrong in a search is a finding.
pub fn check(
    spec: &EngineSpec,
    positions: &[Board],
    interrupt: &AtomicBool,
) -> Result<Vec<Finding>, Fault> {
    let begun = Instant::now();
    let engine = Engine::start(spec, Patience::default(), &[])?;
    let start = begun.elapsed();
    let about = engine.about();
    let unnamed =
        |text: &str| if text.is_empty() { "it does not say".to_owned() } else { text.to_owned() };
    let mut findings = vec![
        finding("name", unnamed(&about.name), Verdict::Well),
        finding("author", unnamed(&about.author), Verdict::Well),
        finding("start", format!("{} ms", start.as_millis()), Verdict::Well),
    ];
    let threads = engine.has_threads();
    findings.push(if threads {
        finding("threads", "can be set", Verdict::Well)
    } else {
        finding("threads", "cannot be set: it is measured with one", Verdict::Note)
    });
    for name in ["Hash", "OwnBook"] {
        if let Some(option) = about.option(name) {
            let words = format!("{} (default {})", option.kind, option.default);
            let book = name == "OwnBook" && option.default == "true";
            let off = spec.options.keys().any(|said| said.eq_ignore_ascii_case(name));
            let verdict = if book && !off { Verdict::Bad } else { Verdict::Well };
            let advice = if verdict == Verdict::Bad { ": set it to false" } else { "" };
            findings.push(finding(if book { "book" } else { "table" }, words + advice, verdict));
        }
    }
    drop(engine);
    let trial = Trial { spec, positions, interrupt };
    findings.extend(trial.depths(1)?);
    findings.extend(trial.repeats()?);
    let stops = trial.stops()?;
    let obeys = stops.len() > 1;
    findings.extend(stops);
    if threads {
        findings.extend(trial.depths(2)?);
    }
    if threads && obeys {
        findings.push(trial.node_rate()?);
    }
    Ok(findings)
}

struct Trial<'a> {
    spec: &'a EngineSpec,
    positions: &'a [Board],
    interrupt: &'a AtomicBool,
}

impl Trial<'_> {
    fn ready(&self, threads: usize) -> Result<Engine, Fault> {
        let mut engine = Engine::start(self.spec, Patience::default(), &[])?;
        engine.configure(threads, HASH_MIB)?;
        engine.new_game()?;
        Ok(engine)
    }

    /// Searches from one of the positions with a fresh process; `watch` sees every report.
    fn search(
        &self,
        threads: usize,
        start: &Board,
        (limit, deadline): (Limit, Duration),
        watch: &mut dyn FnMut(&Report),
    ) -> Result<Reply, Fault> {
        let mut engine = self.ready(threads)?;
        let place = Place { start, moves: &[] };
        let go = Go { place, limit, deadline: Some(deadline) };
        let mut on = |report: &Report| {
            watch(report);
            Watch::On
        };
        engine.search(&go, &mut on, self.interrupt)
    }

    /// Whether it searches to the depth and no deeper, and when it tells of an iteration.
    fn depths(&self, threads: usize) -> Result<Vec<Finding>, Fault> {
        let (mut reached, mut early) = (Vec::new(), false);
        for start in self.positions {
            let mut last = 0;
            let mut told = |report: &Report| {
                let whole = report.score.is_some() && report.bound == Bound::Exact;
                if report.multipv == 1 && whole {
                    early |= report.depth == last;
                    last = report.depth;
                }
            };
            let reply = match self.search(threads, start, (Limit::Depth(DEPTH), LONG), &mut told) {
                Err(Fault { what: What::Refuses { option, why }, .. }) => {
                    let found = format!("it does not know `{option}` (depth_command?): {why}");
                    return Ok(vec![finding("depth", found, Verdict::Bad)]);
                }
                reply => reply?,
            };
            reached.push(reply.last().map_or(0, |last| last.depth));
        }
        let (least, most) = (reached.iter().min(), reached.iter().max());
        let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
        let kept = least == u32::from(DEPTH) && most == u32::from(DEPTH);
        let what = if threads == 1 { "depth, 1 thread" } else { "depth, 2 threads" };
        let verdict = match (kept, least < u32::from(DEPTH)) {
            (true, _) => Verdict::Well,
            (false, true) => Verdict::Bad,
            (false, false) => Verdict::Note,
        };
        let found = if kept {
            format!("{DEPTH} asked for and reached, from {} positions", reached.len())
        } else {
            format!("{DEPTH} asked for, {least} to {most} reached")
        };
        let mut findings = vec![finding(what, found, verdict)];
        if threads == 1 {
            findings.push(if early {
                let found = "several times each, also before they are done: only end = \"bestmove\" tells the end";
                finding("tells of depths", found, Verdict::Note)
            } else {
                finding("tells of depths", "once each", Verdict::Well)
            });
        }
        Ok(findings)
    }

    /// Whether one thread visits the same nodes again, and tells how many.
    fn repeats(&self) -> Result<Vec<Finding>, Fault> {
        let start = &self.positions[0];
        let limit = (Limit::Depth(DEPTH), LONG);
        let mut counts = Vec::new();
        for _ in 0..2 {
            let reply = self.search(1, start, limit, &mut |_| {})?;
            counts.push(reply.last().and_then(|last| last.nodes));
        }
        let [Some(first), Some(second)] = counts[..] else {
            return Ok(vec![finding("nodes", "it does not tell", Verdict::Note)]);
        };
        Ok(vec![if first == second {
            finding("nodes, 1 thread", format!("{first}, and again {second}"), Verdict::Well)
        } else {
            finding("nodes, 1 thread", format!("{first}, but then {second}"), Verdict::Note)
        }])
    }

    /// How soon it stops, and whether its clock agrees with ours.
    fn stops(&self) -> Result<Vec<Finding>, Fault> {
        let start = &self.positions[0];
        let reply = match self.search(1, start, (Limit::Infinite, STOP), &mut |_| {}) {
            Err(Fault { what: what @ What::IgnoresStop { .. }, .. }) => {
                let found = format!("{what}: samples that hit the time limit fail");
                return Ok(vec![finding("best move", found, Verdict::Note)]);
            }
            reply => reply?,
        };
        let after = reply.elapsed.saturating_sub(STOP);
        let stop = if self.spec.protocol == Protocol::Uci { "stop" } else { "?" };
        let found = format!("after {:.1} ms", 1000.0 * after.as_secs_f64());
        let mut findings = vec![if reply.late {
            finding("best move", format!("{found} of `{stop}`"), Verdict::Well)
        } else {
            let early = 1000.0 * reply.elapsed.as_secs_f64();
            finding(
                "best move",
                format!("by itself after {early:.0} ms of no limit"),
                Verdict::Note,
            )
        }];
        let reply = self.search(1, start, (Limit::Infinite, WHILE), &mut |_| {})?;
        if let Some((last, own)) = reply.last().and_then(|last| Some((last, last.time?))) {
            let apart = last.at.abs_diff(own);
            let verdict = if apart <= CLOCKS { Verdict::Well } else { Verdict::Note };
            let found = format!(
                "ours {:.3} s, its own {:.3} s, at its last iteration (depth {})",
                last.at.as_secs_f64(),
                own.as_secs_f64(),
                last.depth
            );
            findings.push(finding("clocks", found, verdict));
        }
        Ok(findings)
    }

    /// What a second thread adds.
    fn node_rate(&self) -> Result<Finding, Fault> {
        let start = &self.positions[0];
        let mut rates = Vec::new();
        for threads in [1, 2] {
            let reply = self.search(threads, start, (Limit::Infinite, WHILE), &mut |_| {})?;
            let last = reply.last().and_then(|last| Some((last.nodes?, last.at)));
            let Some((nodes, at)) = last else {
                return Ok(finding("node rate", "it does not tell", Verdict::Note));
            };
            rates.push(nodes as f64 / at.as_secs_f64().max(1e-3));
        }
        let times = rates[1] / rates[0];
        let found = format!(
            "{:.2} and {:.2} million a second on 1 and 2 threads: {times:.2} times",
            rates[0] / 1e6,
            rates[1] / 1e6
        );
        Ok(finding("node rate", found, if times > 1.2 { Verdict::Well } else { Verdict::Note }))
    }
}
