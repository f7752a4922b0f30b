//! An outside engine at work.

use super::about::{About, Kind};
use super::dialect::{Asked, Dialect, Heard, LINES, Patience};
use super::fault::{Fault, What};
use super::go::Go;
use super::link::Link;
use super::report::Report;
use super::spec::{EngineSpec, Protocol};
use super::told::Told;
use super::uci_dialect::Uci;
use super::virtually::{ThreadTimes, stop_at};
use super::xboard::XBoard;
use cozy_chess::Move;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use ttd_search::positions::parse_legal_move;

/// The times that an engine may take for tasks which it must do at once. Keys of the engine take
/// their place.
#[derive(Clone, Copy, Debug)]
pub struct GracePeriods {
    /// The time to start and to describe itself.
    pub greeting: Duration,
    /// The time to be ready: the engine may have to clear a table of many gigabytes.
    pub ready: Duration,
    /// The time to give its best move after `stop`.
    pub stop: Duration,
}

impl Default for GracePeriods {
    fn default() -> GracePeriods {
        let seconds = Duration::from_secs;
        GracePeriods { greeting: seconds(10), ready: seconds(60), stop: seconds(5) }
    }
}

impl GracePeriods {
    /// These times, or those that the user gave the engine.
    fn of(self, spec: &EngineSpec) -> GracePeriods {
        GracePeriods {
            greeting: EngineSpec::limit(spec.start_limit_s, self.greeting),
            ready: EngineSpec::limit(spec.ready_limit_s, self.ready),
            stop: EngineSpec::limit(spec.stop_limit_s, self.stop),
        }
    }

    fn start(&self) -> Patience {
        Patience { within: self.greeting, key: "start_limit_s" }
    }

    fn ready(&self) -> Patience {
        Patience { within: self.ready, key: "ready_limit_s" }
    }
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// The search goes on.
    On,
    /// The engine is told to stop at this time since `go`, unless a later report says otherwise.
    StopAt(Duration),
    /// The engine is told to stop.
    Stop,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    /// A legal move; none if the engine resigned or claimed a result.
    pub best: Option<Move>,
    /// The answer that it expects, as the engine wrote it.
    pub ponder: Option<String>,
    /// The result that it claims, if there is no move.
    pub claim: Option<String>,
    /// From writing `go` to reading the move.
    pub elapsed: Duration,
    /// The iterations that it reported before it was stopped.
    pub iterations: Vec<Report>,
    /// Whether all its scores were only bounds.
    pub bounds_only: bool,
    /// The nodes that it told last before it was stopped, with a depth or without one.
    pub nodes: Option<u64>,
    /// Whether the deadline came first.
    pub late: bool,
    /// The times of its threads, on virtual cores.
    pub thread_times: Option<ThreadTimes>,
}

impl Reply {
    /// The last iteration that it reported.
    pub fn last(&self) -> Option<&Report> {
        self.iterations.last()
    }
}

/// The interval at which a waiting search checks for an interrupt.
const LOOK: Duration = Duration::from_millis(20);

/// A running engine. It is of no more use after a [`Fault`]. When it is dropped, its process is
/// ended.
pub struct Engine {
    link: Link,
    dialect: Box<dyn Dialect>,
    about: About,
    spec: EngineSpec,
    grace: GracePeriods,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("spec", &self.spec)
            .field("about", &self.about)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Starts a process on these processors (any, if the list is empty), and reads its description.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as its protocol says.
    pub fn start(spec: &EngineSpec, grace: GracePeriods, cpus: &[usize]) -> Result<Engine, Fault> {
        let mut dialect: Box<dyn Dialect> = match spec.protocol {
            Protocol::Uci => Box::<Uci>::default(),
            Protocol::XBoard => Box::new(XBoard::new(spec.depth_command.as_deref())),
        };
        let grace = grace.of(spec);
        let mut link =
            Link::start(spec, cpus).map_err(|what| Fault { what, last_lines: Vec::new() })?;
        match dialect.greet(&mut link, grace.start()) {
            Ok(about) => Ok(Engine { link, dialect, about, spec: spec.clone(), grace }),
            Err(what) => Err(link.fault(what)),
        }
    }

    /// Starts a process, sets its number of threads and the size of its table (MiB), and lets it
    /// forget all. An engine without a setting for threads is set to one thread, as the second
    /// value says.
    ///
    /// # Errors
    /// If it cannot be started, or lacks or refuses a setting.
    pub fn ready(
        spec: &EngineSpec,
        (threads, hash_mib): (usize, usize),
        cpus: &[usize],
    ) -> Result<(Engine, bool), Fault> {
        let mut engine = Engine::start(spec, GracePeriods::default(), cpus)?;
        let one_thread = spec.one_thread || !engine.has_threads();
        engine.configure(if one_thread { 1 } else { threads }, hash_mib)?;
        engine.new_game()?;
        Ok((engine, one_thread))
    }

    /// The engine's description of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Whether its number of threads can be set.
    pub fn has_threads(&self) -> bool {
        self.dialect.has_threads(&self.spec, &self.about)
    }

    /// Whether the size of its table can be set.
    pub fn has_table(&self) -> bool {
        self.dialect.has_table(&self.spec, &self.about)
    }

    /// Whether it can be told that a game is one of Chess960.
    pub fn has_chess960(&self) -> bool {
        self.dialect.has_chess960()
    }

    /// Whether its process may play more than one game.
    pub fn is_reusable(&self) -> bool {
        self.dialect.is_reusable()
    }

    /// Sets the number of threads and the size of the table, and every option of the specification.
    ///
    /// # Errors
    /// If it lacks or refuses one of these.
    pub fn configure(&mut self, threads: usize, hash_mib: usize) -> Result<(), Fault> {
        let Engine { link, dialect, about, spec, grace } = self;
        let asked = Asked { spec, about, threads, hash_mib };
        let done = dialect.configure(link, &asked, grace.ready());
        done.map_err(|what| link.fault(what))
    }

    /// The greatest number of lines of a search, each of another first move, that it can tell: 1 if
    /// it cannot be told their number.
    pub fn most_lines(&self) -> usize {
        match self.about.option(LINES).map(|option| &option.kind) {
            Some(Kind::Spin(_, most)) => usize::try_from(*most).unwrap_or(1).max(1),
            _ => 1,
        }
    }

    /// Makes the engine tell this number of lines of each search, at most
    /// [`most_lines`](Engine::most_lines).
    ///
    /// # Errors
    /// If it refuses.
    pub fn tell_lines(&mut self, lines: usize) -> Result<(), Fault> {
        let done = self.dialect.tell_lines(&mut self.link, lines, self.grace.ready());
        done.map_err(|what| self.link.fault(what))
    }

    /// Makes the engine forget all that it has learnt.
    ///
    /// # Errors
    /// If it does not say that it is ready again.
    pub fn new_game(&mut self) -> Result<(), Fault> {
        let done = self.dialect.new_game(&mut self.link, self.grace.ready());
        done.map_err(|what| self.link.fault(what))
    }

    /// Searches. `watch` sees every line of thinking and may end the search. `interrupt`, set from
    /// outside, ends the waiting.
    ///
    /// On virtual cores a search that `watch` ends is left without a move, and the process is of no
    /// more use.
    ///
    /// # Errors
    /// If there is no legal move in the end.
    pub fn search(
        &mut self,
        go: &Go<'_>,
        watch: &mut dyn FnMut(&Report) -> Watch,
        interrupt: &AtomicBool,
    ) -> Result<Reply, Fault> {
        let reply = match self.spec.virtually.as_ref().map(|cores| cores.host_limit) {
            None => self.wait_for_move(go, watch, interrupt),
            Some(host_limit) => self.search_virtually(go, watch, (host_limit, interrupt)),
        };
        reply.map_err(|what| self.link.fault(what))
    }

    fn wait_for_move(
        &mut self,
        go: &Go<'_>,
        watch: &mut dyn FnMut(&Report) -> Watch,
        interrupt: &AtomicBool,
    ) -> Result<Reply, What> {
        let Engine { link, dialect, grace, .. } = self;
        let sent = dialect.go(link, go, grace.ready())?;
        let mut told = Told::default();
        // The time at which the engine was told to stop, and the one at which it will be.
        let (mut stopped, mut late) = (None, false);
        let mut stop_at: Option<Instant> = None;
        let (elapsed, end) = loop {
            let now = Instant::now();
            let deadline = go.deadline.map(|deadline| sent + deadline);
            let give_up = stopped.map(|since: Instant| since + grace.stop);
            // Relaxed: the flag alone is the message.
            if interrupt.load(Relaxed) {
                return Err(What::Interrupted);
            }
            if give_up.is_some_and(|until| now >= until) {
                return Err(What::IgnoresStop { within: grace.stop });
            }
            if stopped.is_none() && deadline.is_some_and(|deadline| now >= deadline) {
                dialect.stop(link)?;
                (stopped, late) = (Some(now), true);
            }
            if stopped.is_none() && stop_at.is_some_and(|at| now >= at) {
                dialect.stop(link)?;
                stopped = Some(now);
            }
            let next = [Some(now + LOOK), deadline.filter(|_| stopped.is_none()), give_up];
            let until = next.into_iter().flatten().min().unwrap_or(now);
            let Some((at, line)) = link.line(until)? else { continue };
            // A line written before `go` does not belong to this search.
            let Some(at) = at.checked_duration_since(sent) else { continue };
            match dialect.hear(&line, at) {
                Heard::Nothing => {}
                // A report after the stop is of an iteration that was cut short.
                Heard::Report(_) if stopped.is_some() => {}
                Heard::Report(report) => {
                    told.add(&report);
                    stop_at = match watch(&report) {
                        Watch::On => None,
                        Watch::StopAt(at) => sent.checked_add(at),
                        Watch::Stop => Some(sent),
                    };
                }
                heard => break (at, End::of(heard, go)?),
            }
        };
        Ok(self.reply((elapsed, end), told, late))
    }

    /// Searches on virtual cores. All times are those of the lines, and nothing but the limit is of
    /// the host's clock.
    fn search_virtually(
        &mut self,
        go: &Go<'_>,
        watch: &mut dyn FnMut(&Report) -> Watch,
        (host_limit, interrupt): (Duration, &AtomicBool),
    ) -> Result<Reply, What> {
        let Engine { link, dialect, grace, .. } = self;
        if let Some(deadline) = go.deadline {
            link.send(&stop_at(deadline))?;
        }
        let sent = dialect.go(link, go, grace.ready())?;
        Uci::probe(link)?;
        let (mut told, mut thread_times) = (Told::default(), None);
        let give_up = go.deadline.map(|deadline| deadline + grace.stop);
        let mut silent_until: Option<Duration> = None;
        let (elapsed, end) = loop {
            let now = Instant::now();
            if now.duration_since(sent) >= host_limit {
                return Err(What::HostLimit { within: host_limit });
            }
            // Relaxed: the flag alone is the message.
            if interrupt.load(Relaxed) {
                return Err(What::Interrupted);
            }
            if link.is_past() {
                let until = silent_until.ok_or(What::Stuck)?;
                break (until, End::default());
            }
            let Some((at, line)) = link.line(now + LOOK)? else { continue };
            // The engine says when it read `go`. A line before that is not of this search.
            let since = |begun| at.checked_duration_since(begun);
            let Some(at) = link.begun(sent).and_then(since) else { continue };
            if let Some(until) = silent_until.filter(|until| at > *until) {
                break (until, End::default());
            }
            if give_up.is_some_and(|until| at > until) {
                return Err(What::IgnoresStop { within: grace.stop });
            }
            if let Some(times) = ThreadTimes::parse(&line) {
                thread_times = Some(times);
                continue;
            }
            match dialect.hear(&line, at) {
                Heard::Nothing => {}
                Heard::Report(_) if link.is_stopped() => {}
                Heard::Report(report) => {
                    told.add(&report);
                    silent_until = match watch(&report) {
                        Watch::On => None,
                        Watch::StopAt(at) => Some(at),
                        Watch::Stop => break (at, End::default()),
                    };
                }
                heard => break (at, End::of(heard, go)?),
            }
        };
        if end.best.is_some() {
            Uci::settle(link, grace.ready())?;
        } else {
            link.give_up();
        }
        let late = link.is_stopped();
        Ok(Reply { thread_times, ..self.reply((elapsed, end), told, late) })
    }

    fn reply(&self, (elapsed, end): (Duration, End), told: Told, late: bool) -> Reply {
        let End { best, ponder, claim } = end;
        let (bounds_only, nodes) = (told.has_bounds_only(), told.nodes());
        let iterations = told.into_list(self.spec.bounds_complete);
        let thread_times = None;
        Reply { best, ponder, claim, elapsed, iterations, bounds_only, nodes, late, thread_times }
    }
}

/// The end of a search: a legal move, a claim, or neither.
#[derive(Default)]
struct End {
    best: Option<Move>,
    ponder: Option<String>,
    claim: Option<String>,
}

impl End {
    /// The end that a line tells. A line that tells none is none with neither.
    fn of(heard: Heard, go: &Go<'_>) -> Result<End, What> {
        match heard {
            Heard::Best { best, ponder } => {
                let board = go.place.board();
                // Some engines write `e7e8Q`.
                let mv = parse_legal_move(&board, &best.to_ascii_lowercase());
                let best = Some(mv.ok_or(What::Illegal(best))?);
                Ok(End { best, ponder, claim: None })
            }
            Heard::Claim(claim) => Ok(End { claim: Some(claim), ..End::default() }),
            Heard::Refuses(what) => Err(what),
            Heard::Report(_) | Heard::Nothing => Ok(End::default()),
        }
    }
}

#[cfg(test)]
mod tests;
