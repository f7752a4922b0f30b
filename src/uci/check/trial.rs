//! The trial searches of a check.

use crate::uci::about::{About, Kind};
use crate::uci::dialect::hash_option;
use crate::uci::engine::{Engine, GracePeriods, Reply, Watch};
use crate::uci::fault::{Fault, What};
use crate::uci::go::{Go, Limit, Place};
use crate::uci::report::Report;
use crate::uci::spec::{EngineSpec, Protocol};
use cozy_chess::Board;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The depth of the trial searches of an engine without a depth of its own.
const DEPTH: u8 = 10;
/// The time for which nodes are counted on each number of threads.
const WHILE: Duration = Duration::from_millis(1500);
/// The time from `go` until the engine is stopped.
const STOP: Duration = Duration::from_millis(250);
/// The time after which a search to a depth is stopped.
const LONG: Duration = Duration::from_secs(3);
/// The time that an engine may take to be ready, unless the user gave it another.
const READY: Duration = Duration::from_secs(10);
/// The difference that is allowed between the engine's clock and ours.
pub const CLOCKS: Duration = Duration::from_millis(10);
/// The size of the table, if the engine allows it.
const HASH_MIB: usize = 64;

/// The trial searches of an engine.
pub(super) struct Trial<'a> {
    spec: &'a EngineSpec,
    positions: &'a [Board],
    interrupt: &'a AtomicBool,
    depth: u8,
    hash_mib: usize,
    /// The time after which no further search begins.
    until: Instant,
}

impl<'a> Trial<'a> {
    pub(super) fn new(
        spec: &'a EngineSpec,
        engine: &Engine,
        positions: &'a [Board],
        interrupt: &'a AtomicBool,
        until: Instant,
    ) -> Trial<'a> {
        let depth = spec.depth.unwrap_or(DEPTH);
        let hash_mib = table(spec, engine.about());
        Trial { spec, positions, interrupt, depth, hash_mib, until }
    }

    /// Searches from one of the positions with a fresh process; `watch` sees every report.
    fn search(
        &self,
        threads: usize,
        start: &Board,
        (limit, deadline): (Limit, Duration),
        watch: &mut dyn FnMut(&Report),
    ) -> Result<Reply, Fault> {
        let grace = GracePeriods { ready: READY, ..GracePeriods::default() };
        let mut engine = Engine::start(self.spec, grace, &[])?;
        engine.configure(threads, self.hash_mib)?;
        engine.new_game()?;
        let place = Place { start, moves: &[] };
        let go = Go { place, limit, deadline: Some(deadline), among: &[] };
        let mut on = |report: &Report| {
            watch(report);
            Watch::On
        };
        engine.search(&go, &mut on, self.interrupt)
    }

    /// Whether it searches to the depth and no deeper, and when it reports an iteration.
    pub(super) fn depths(&self, threads: usize) -> Result<Vec<Finding>, Fault> {
        let (mut reached, mut early, mut late, mut bounds) = (Vec::new(), false, false, false);
        for start in self.positions {
            let mut last = 0;
            let mut told = |report: &Report| {
                if report.is_whole() && report.depth > 0 {
                    early |= report.depth == last;
                    last = report.depth;
                }
            };
            let limit = (Limit::Depth(self.depth), LONG);
            let reply = self.search(threads, start, limit, &mut told)?;
            reached.push(reply.last().map_or(0, |last| last.depth));
            bounds |= reply.bounds_only;
            late = reply.late;
            if late || Instant::now() > self.until {
                break;
            }
        }
        let (least, most) = (reached.iter().min(), reached.iter().max());
        let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
        let asked = self.depth;
        let kept = least == u32::from(asked) && most == u32::from(asked);
        let what = if threads == 1 { "depth, 1 thread" } else { "depth, 2 threads" };
        let verdict = match (kept, least < u32::from(asked) && !late) {
            (true, _) => Verdict::Well,
            (false, true) => Verdict::Bad,
            (false, false) => Verdict::Note,
        };
        let found = if kept {
            let all = if reached.len() == 1 { "position" } else { "positions" };
            format!("{asked} asked for and reached, from {} {all}", reached.len())
        } else if late {
            let s = LONG.as_secs();
            format!("{asked} asked for, {least} reached in {s} s: depth= with less takes less time")
        } else {
            format!("{asked} asked for, {least} to {most} reached")
        };
        let mut findings = vec![finding(what, found, verdict)];
        if threads == 1 {
            let several = "several times each, also before they are done: only end = \"bestmove\" \
                           tells the end";
            findings.push(noted("tells of depths", !early, ["once each", several]));
        }
        if bounds {
            let found = "bounds only: a bound completes a depth";
            findings.push(finding("scores", found, Verdict::Note));
        }
        Ok(findings)
    }

    /// Whether one thread visits as many nodes in a second search, and whether it reports their
    /// number.
    pub(super) fn repeats(&self) -> Result<Vec<Finding>, Fault> {
        let start = &self.positions[0];
        let limit = (Limit::Depth(self.depth), LONG);
        let mut counts = Vec::new();
        for _ in 0..2 {
            let reply = self.search(1, start, limit, &mut |_| {})?;
            if reply.late {
                let found = format!("not compared: depth {} takes too long", self.depth);
                return Ok(vec![finding("nodes", found, Verdict::Note)]);
            }
            counts.push(reply.nodes);
        }
        let [Some(first), Some(second)] = counts[..] else {
            return Ok(vec![finding("nodes", "it does not tell", Verdict::Note)]);
        };
        let found = ["and again", "but then"].map(|again| format!("{first}, {again} {second}"));
        Ok(vec![noted("nodes, 1 thread", first == second, found)])
    }

    /// How soon it stops.
    pub(super) fn stops(&self) -> Result<Vec<Finding>, Fault> {
        let start = &self.positions[0];
        let reply = match self.search(1, start, (Limit::Infinite, STOP), &mut |_| {}) {
            Err(Fault { what: what @ What::IgnoresStop { .. }, .. }) => {
                let found = format!("{what}: samples that hit the time limit fail");
                return Ok(vec![finding("best move", found, Verdict::Note)]);
            }
            reply => reply?,
        };
        let stop = if self.spec.protocol == Protocol::Uci { "stop" } else { "?" };
        let ms = |time: Duration| 1000.0 * time.as_secs_f64();
        Ok(vec![if reply.late {
            let after = ms(reply.elapsed.saturating_sub(STOP));
            finding("best move", format!("{after:.1} ms after `{stop}`"), Verdict::Well)
        } else {
            let found = format!("by itself after {:.0} ms without a limit", ms(reply.elapsed));
            finding("best move", found, Verdict::Note)
        }])
    }

    /// Whether its clock agrees with ours, and how many nodes a second thread adds.
    pub(super) fn clocks(&self, threads: &[usize]) -> Result<Vec<Finding>, Fault> {
        let start = &self.positions[0];
        let mut rates = Vec::new();
        let mut findings = Vec::new();
        for &threads in threads {
            let reply = match self.search(threads, start, (Limit::Infinite, WHILE), &mut |_| {}) {
                // An earlier trial has reported this fault already.
                Err(Fault { what: What::IgnoresStop { .. }, .. }) => return Ok(findings),
                reply => reply?,
            };
            let Some(last) = reply.last() else { return Ok(findings) };
            if let Some(own) = last.time.filter(|_| threads == 1) {
                let near = last.at.abs_diff(own) <= CLOCKS;
                let verdict = if near { Verdict::Well } else { Verdict::Note };
                let [ours, own] = [last.at, own].map(|time| time.as_secs_f64());
                let depth = last.depth;
                let found =
                    format!("ours {ours:.3} s, its own {own:.3} s at the end of depth {depth}");
                findings.push(finding("clocks", found, verdict));
            }
            let Some(nodes) = last.nodes else { return Ok(findings) };
            rates.push(nodes as f64 / last.at.as_secs_f64().max(1e-3));
        }
        if let [one, two] = rates[..] {
            let times = two / one;
            let [one, two] = [one, two].map(|rate| rate / 1e6);
            let found = format!(
                "{one:.2} and {two:.2} million a second on 1 and 2 threads: {times:.2} times"
            );
            let verdict = if times > 1.2 { Verdict::Well } else { Verdict::Note };
            findings.push(finding("node rate", found, verdict));
        }
        Ok(findings)
    }
}

/// The size of the table for the trials: as large as the engine allows, if that is less.
fn table(spec: &EngineSpec, about: &About) -> usize {
    let option = hash_option(spec, about).and_then(|name| about.option(&name).cloned());
    match option.map(|option| option.kind) {
        Some(Kind::Spin(least, most)) => (HASH_MIB as i64).min(most).max(least).max(1) as usize,
        _ => HASH_MIB,
    }
}

/// A result of the check, and whether a sweep can be made with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The subject.
    pub what: &'static str,
    /// The behaviour that was found.
    pub found: String,
    /// Whether that behaviour is good.
    pub verdict: Verdict,
}

/// The meaning of a finding for a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The behaviour that a sweep needs.
    Well,
    /// The engine can be measured, but the user should know this.
    Note,
    /// The engine cannot be measured in this state.
    Bad,
}

/// A finding.
pub(super) fn finding(what: &'static str, found: impl Into<String>, verdict: Verdict) -> Finding {
    Finding { what, found: found.into(), verdict }
}

/// A good finding in the words `well`, or a note in the words `note`.
pub(super) fn noted<T: Into<String>>(
    what: &'static str,
    is_well: bool,
    [well, note]: [T; 2],
) -> Finding {
    if is_well { finding(what, well, Verdict::Well) } else { finding(what, note, Verdict::Note) }
}
