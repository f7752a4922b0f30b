//! The check whether an outside engine does all that a sweep needs.

use super::engine::{Engine, GracePeriods, Reply, Watch};
use super::fault::{Fault, What};
use super::go::{Go, Limit, Place};
use super::report::Report;
use super::spec::{EngineSpec, Protocol};
use cozy_chess::Board;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The depth of the trial searches.
const DEPTH: u8 = 10;
/// The time for which nodes are counted on each number of threads.
const WHILE: Duration = Duration::from_millis(1500);
/// The time from `go` until the engine is stopped.
const STOP: Duration = Duration::from_millis(250);
/// The time after which a search to [`DEPTH`] is given up.
const LONG: Duration = Duration::from_mins(1);
/// The difference that is allowed between the engine's clock and ours.
pub const CLOCKS: Duration = Duration::from_millis(10);
const HASH_MIB: usize = 64;

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

fn finding(what: &'static str, found: impl Into<String>, verdict: Verdict) -> Finding {
    Finding { what, found: found.into(), verdict }
}

/// A good finding in the words `well`, or a note in the words `note`.
fn noted<T: Into<String>>(what: &'static str, is_well: bool, [well, note]: [T; 2]) -> Finding {
    if is_well { finding(what, well, Verdict::Well) } else { finding(what, note, Verdict::Note) }
}

/// Tries an engine from the positions given; each is from the middle of a game.
///
/// # Errors
/// If it cannot be started or says nothing sensible. A fault in a search is no error but a finding.
pub fn check(
    spec: &EngineSpec,
    positions: &[Board],
    interrupt: &AtomicBool,
) -> Result<Vec<Finding>, Fault> {
    let begun = Instant::now();
    let engine = Engine::start(spec, GracePeriods::default(), &[])?;
    let start = begun.elapsed();
    let about = engine.about();
    let unnamed =
        |text: &str| if text.is_empty() { "it does not say".to_owned() } else { text.to_owned() };
    let mut findings = vec![
        finding("name", unnamed(&about.name), Verdict::Well),
        finding("author", unnamed(&about.author), Verdict::Well),
        finding("start", format!("{} ms", start.as_millis()), Verdict::Well),
    ];
    let threads = engine.has_threads() && !spec.one_thread;
    findings.push(noted("threads", threads, ["can be set", "one: it is measured with one"]));
    let table = ["can be set", "cannot be set: it has one of its own size"];
    findings.push(noted("table", engine.has_table(), table));
    if let Some(book) = about.option("OwnBook").filter(|book| book.default == "true") {
        let off = spec.options.keys().any(|said| said.eq_ignore_ascii_case(&book.name));
        findings.push(if off {
            finding("book", "is switched", Verdict::Well)
        } else {
            finding("book", "it has one: set the option OwnBook to false", Verdict::Bad)
        });
    }
    drop(engine);
    let trial = Trial { spec, positions, interrupt };
    let numbers: &[usize] = if threads { &[1, 2] } else { &[1] };
    for &threads in numbers {
        findings.extend(tried("depth", || trial.depths(threads))?);
    }
    findings.extend(tried("nodes", || trial.repeats())?);
    findings.extend(tried("best move", || trial.stops())?);
    findings.extend(tried("clocks", || trial.clocks(numbers))?);
    Ok(findings)
}

/// The findings of a trial; a fault in it is a finding.
fn tried(
    what: &'static str,
    trial: impl FnOnce() -> Result<Vec<Finding>, Fault>,
) -> Result<Vec<Finding>, Fault> {
    match trial() {
        Err(fault) if fault.what == What::Interrupted => Err(fault),
        Err(fault) => Ok(vec![finding(what, fault.with_last_lines("    "), Verdict::Bad)]),
        found => found,
    }
}

struct Trial<'a> {
    spec: &'a EngineSpec,
    positions: &'a [Board],
    interrupt: &'a AtomicBool,
}

impl Trial<'_> {
    /// Searches from one of the positions with a fresh process; `watch` sees every report.
    fn search(
        &self,
        threads: usize,
        start: &Board,
        (limit, deadline): (Limit, Duration),
        watch: &mut dyn FnMut(&Report),
    ) -> Result<Reply, Fault> {
        let mut engine = Engine::start(self.spec, GracePeriods::default(), &[])?;
        engine.configure(threads, HASH_MIB)?;
        engine.new_game()?;
        let place = Place { start, moves: &[] };
        let go = Go { place, limit, deadline: Some(deadline) };
        let mut on = |report: &Report| {
            watch(report);
            Watch::On
        };
        engine.search(&go, &mut on, self.interrupt)
    }

    /// Whether it searches to the depth and no deeper, and when it reports an iteration.
    fn depths(&self, threads: usize) -> Result<Vec<Finding>, Fault> {
        let (mut reached, mut early) = (Vec::new(), false);
        for start in self.positions {
            let mut last = 0;
            let mut told = |report: &Report| {
                if report.is_whole() {
                    early |= report.depth == last;
                    last = report.depth;
                }
            };
            let reply = self.search(threads, start, (Limit::Depth(DEPTH), LONG), &mut told)?;
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
            let several = "several times each, also before they are done: only end = \"bestmove\" \
                           tells the end";
            findings.push(noted("tells of depths", !early, ["once each", several]));
        }
        Ok(findings)
    }

    /// Whether one thread visits as many nodes in a second search, and whether it reports their
    /// number.
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
        let found = ["and again", "but then"].map(|again| format!("{first}, {again} {second}"));
        Ok(vec![noted("nodes, 1 thread", first == second, found)])
    }

    /// How soon it stops.
    fn stops(&self) -> Result<Vec<Finding>, Fault> {
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
    fn clocks(&self, threads: &[usize]) -> Result<Vec<Finding>, Fault> {
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
