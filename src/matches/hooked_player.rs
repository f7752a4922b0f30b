//! An outside engine as a player whose threads run on virtual cores.
//!
//! Its clock is the virtual time from reading `go` to writing the best move. Each game has its own
//! process, whose seed follows from the game's place in the plan. So a game is the same whatever is
//! played beside it.

use super::ending::Reason;
use super::player::{Answer, Failure, Player, Thought};
use super::spec::{Entry, EntryEngine, Match};
use crate::records::hash;
use crate::uci::{
    Engine, EngineSpec, Fault, Go, GracePeriods, RUNNER, Virtually, Watch, What, checked_runner,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A player on virtual cores.
pub struct HookedPlayer {
    spec: EngineSpec,
    /// The number of threads, and the size of the table in MiB.
    settings: (usize, usize),
    /// The seed of the match, and the place of the entry in it.
    seed: (u64, usize),
    /// The process of the present game.
    engine: Option<Engine>,
}

/// The engine of an entry as it is started on virtual cores.
///
/// # Errors
/// If the program is not there that starts it so, or is of another version.
pub(super) fn on_virtual_cores(
    spec: &Match,
    engine: &EngineSpec,
    seed: u64,
) -> Result<EngineSpec, Fault> {
    let runner = checked_runner().map_err(|why| {
        let what = What::NotStarted { program: RUNNER.to_owned(), why };
        Fault { what, last_lines: Vec::new() }
    })?;
    let host_limit = spec.host_limit_s.map_or(Duration::MAX, Duration::from_secs_f64);
    let cores = spec.virtual_engines.unwrap_or_default();
    let virtually = Some(Virtually { cores, host_limit, ..Virtually::new(runner, seed) });
    Ok(EngineSpec { virtually, ..engine.clone() })
}

/// A process with the settings of an entry.
///
/// # Errors
/// If it does not start, or lacks or refuses a setting.
pub(super) fn ready(
    spec: &EngineSpec,
    (threads, hash_mib): (usize, usize),
) -> Result<Engine, Fault> {
    let mut engine = Engine::start(spec, GracePeriods::default(), &[])?;
    engine.configure(threads, hash_mib)?;
    Ok(engine)
}

impl HookedPlayer {
    /// A player for the entry with this index; none if it plays on real cores.
    ///
    /// # Errors
    /// If the program is not there that starts it on virtual cores.
    pub(super) fn of(spec: &Match, index: usize) -> Result<Option<HookedPlayer>, Fault> {
        let entry = &spec.entries[index];
        let Entry { threads, hash_mib, engine: EntryEngine::Outside(engine), .. } = entry else {
            return Ok(None);
        };
        if !spec.is_virtual() || !entry.is_hooked() {
            return Ok(None);
        }
        let (settings, seed) = ((*threads, *hash_mib), (spec.seed, index));
        let spec = on_virtual_cores(spec, engine, 0)?;
        Ok(Some(HookedPlayer { spec, settings, seed, engine: None }))
    }
}

impl Player for HookedPlayer {
    fn new_game(&mut self, number: usize) -> Result<(), Failure> {
        self.engine = None;
        let (seed, entry) = self.seed;
        if let Some(virtually) = &mut self.spec.virtually {
            virtually.seed = hash(&format!("{seed}/{number}/{entry}"));
        }
        let mut engine = ready(&self.spec, self.settings).map_err(|fault| failure(&fault))?;
        Player::new_game(&mut engine, number)?;
        self.engine = Some(engine);
        Ok(())
    }

    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure> {
        let Some(engine) = &mut self.engine else {
            let what = "it has no process".to_owned();
            return Err(Failure { reason: Reason::Died, what });
        };
        Player::go(engine, asked, interrupt)
    }
}

impl Player for Engine {
    fn new_game(&mut self, _: usize) -> Result<(), Failure> {
        Engine::new_game(self).map_err(|fault| failure(&fault))
    }

    fn is_reusable(&self) -> bool {
        Engine::is_reusable(self)
    }

    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure> {
        let reply = self.search(asked, &mut |_| Watch::On, interrupt);
        let reply = reply.map_err(|fault| failure(&fault))?;
        if let Some(claim) = reply.claim.as_deref().filter(|claim| !claim.contains("resign")) {
            // The rules of chess are ours to judge: a finished game has ended already.
            let what = format!("it claims a result: {claim}");
            return Err(Failure { reason: Reason::NoAnswer, what });
        }
        let last = reply.last();
        let thought = Thought {
            score: last.and_then(|report| report.score),
            depth: last.map(|report| report.depth),
            nodes: reply.nodes,
        };
        Ok(Answer { best: reply.best, elapsed: reply.elapsed, thought })
    }
}

/// Turns a fault of a process into that of a player.
pub(super) fn failure(fault: &Fault) -> Failure {
    let reason = match &fault.what {
        What::Illegal(mv) => {
            return Failure { reason: Reason::IllegalMove, what: format!("illegal move {mv}") };
        }
        What::NotStarted { .. } | What::Died(_) => Reason::Died,
        // The host's limit is nobody's fault.
        What::HostLimit { .. } => Reason::HostLimit,
        _ => Reason::NoAnswer,
    };
    Failure { reason, what: fault.to_string() }
}
