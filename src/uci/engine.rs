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
#[derive(Clone, Debug)]
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
    /// Whether the deadline came first. On virtual cores the search was then left without a move.
    pub late: bool,
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
    /// # Errors
    /// If there is no legal move in the end.
    pub fn search(
        &mut self,
        go: &Go<'_>,
        watch: &mut dyn FnMut(&Report) -> Watch,
        interrupt: &AtomicBool,
    ) -> Result<Reply, Fault> {
        let reply = self.wait_for_move(go, watch, interrupt);
        reply.map_err(|what| self.link.fault(what))
    }

    fn wait_for_move(
        &mut self,
        go: &Go<'_>,
        watch: &mut dyn FnMut(&Report) -> Watch,
        interrupt: &AtomicBool,
    ) -> Result<Reply, What> {
        let Engine { link, dialect, grace, spec, .. } = self;
        let sent = dialect.go(link, go, grace.ready())?;
        let host_limit = spec.virtually.as_ref().map(|cores| cores.host_limit);
        // On virtual cores nobody is told to stop: the limit is one of the engine's own clock.
        let real_deadline = go.deadline.filter(|_| host_limit.is_none());
        let mut told = Told::default();
        // The time at which the engine was told to stop, and the one at which it will be.
        let (mut stopped, mut late) = (None, false);
        let mut stop_at: Option<Instant> = None;
        let (elapsed, best, ponder, claim) = loop {
            let now = Instant::now();
            let deadline = real_deadline.map(|deadline| sent + deadline);
            if let Some(within) = host_limit.filter(|&limit| now.duration_since(sent) >= limit) {
                return Err(What::HostLimit { within });
            }
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
            let begun = link.begun(sent);
            let since = |begun| at.checked_duration_since(begun);
            let Some(at) = begun.and_then(since) else { continue };
            if host_limit.is_some() && go.deadline.is_some_and(|deadline| at > deadline) {
                late = true;
                break (at, None, None, None);
            }
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
                Heard::Best { best, ponder } => {
                    let board = go.place.board();
                    // Some engines write `e7e8Q`.
                    let mv = parse_legal_move(&board, &best.to_ascii_lowercase());
                    let mv = mv.ok_or(What::Illegal(best))?;
                    break (at, Some(mv), ponder, None);
                }
                Heard::Claim(claim) => break (at, None, None, Some(claim)),
                Heard::Refuses(what) => return Err(what),
            }
        };
        let (bounds_only, nodes) = (told.has_bounds_only(), told.nodes());
        let iterations = told.into_list(spec.bounds_complete);
        Ok(Reply { best, ponder, claim, elapsed, iterations, bounds_only, nodes, late })
    }
}

#[cfg(test)]
mod tests;
