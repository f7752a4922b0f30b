//! The players of a match: outside engines, and our own engine. On real cores it is started as the
//! program `ttd uci`; on virtual ones it plays in this program. Outside engines may have virtual
//! cores too.

use super::ending::Reason;
use super::hooked_player::{HookedPlayer, failure, on_virtual_cores, ready};
use super::player::{Answer, Failure, Player};
use super::runner::Roster;
use super::spec::{Entry, EntryEngine, Match};
use super::virtual_player::VirtualPlayer;
use crate::records::{Seen, count, seen, seen_file};
use crate::uci::program::option_name;
use crate::uci::{Engine, EngineSpec, Fault, Go, Value, What};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::{Table, Value as Said, table_of};

/// The engines of a match that do not start, or cannot be set as their entries ask: the name of
/// each entry, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}", told(.0))]
pub struct NotReady(pub Vec<(String, Fault)>);

fn told(all: &[(String, Fault)]) -> String {
    let line = |(name, fault): &(String, Fault)| format!("entry `{name}`: {}", fault.with_advice());
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The engines of a match: the way to start each, and its name for itself.
#[derive(Debug)]
pub struct Engines {
    spec: Match,
    processes: Vec<EngineSpec>,
    seen: Vec<Seen>,
}

/// A player of a match.
pub enum Participant {
    /// A process that speaks a protocol.
    Process {
        /// The engine.
        engine: Box<Engine>,
        /// Whether its time counts. It does not in a match on virtual cores.
        is_timed: bool,
    },
    /// Our engine on virtual cores.
    Virtual(Box<VirtualPlayer>),
    /// A process on virtual cores.
    Hooked(Box<HookedPlayer>),
}

impl Engines {
    /// Starts every engine of a match once, to test that it can be started. `program` is the path
    /// of this program. `chess960` is the number of openings of Chess960.
    ///
    /// # Errors
    /// Every engine that does not start, or lacks or refuses an option, or cannot be told of
    /// Chess960 where that is needed.
    pub fn of(spec: &Match, program: &Path, chess960: usize) -> Result<Engines, NotReady> {
        let processes = spec.entries.iter().map(|entry| engine_spec(entry, program)).collect();
        let mut engines = Engines { spec: spec.clone(), processes, seen: Vec::new() };
        let mut not_ready = Vec::new();
        for (at, entry) in spec.entries.iter().enumerate() {
            if spec.is_virtual() && entry.is_ours() {
                let says = concat!("ttd ", env!("CARGO_PKG_VERSION"));
                engines.seen.push(seen_file(&entry.name, says, program));
                continue;
            }
            let settings = (entry.threads, entry.hash_mib);
            let start = |spec: EngineSpec| {
                let engine = ready(&spec, settings)?;
                if chess960 > 0 && !engine.has_chess960() {
                    return Err(not_told(chess960));
                }
                Ok((engine, spec))
            };
            match engines.started(at).and_then(start) {
                Ok((engine, spec)) => engines.seen.push(seen(&spec, &engine)),
                Err(fault) => not_ready.push((entry.name.clone(), fault)),
            }
        }
        if not_ready.is_empty() { Ok(engines) } else { Err(NotReady(not_ready)) }
    }

    /// The engines as they were when they were started.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// The process of an entry, on virtual cores if it plays on such.
    fn started(&self, entry: usize) -> Result<EngineSpec, Fault> {
        let process = &self.processes[entry];
        if self.spec.is_virtual() && self.spec.entries[entry].is_hooked() {
            return on_virtual_cores(&self.spec, process, self.spec.seed);
        }
        Ok(process.clone())
    }
}

impl Roster for Engines {
    type Player = Participant;

    fn start(&self, entry: usize) -> Result<Participant, Failure> {
        let ours = VirtualPlayer::of(&self.spec, &self.spec.entries[entry]);
        // Want of memory is the host's.
        let ours =
            ours.map_err(|why| Failure { reason: Reason::HostLimit, what: why.to_string() })?;
        if let Some(player) = ours {
            return Ok(Participant::Virtual(Box::new(player)));
        }
        let hooked = HookedPlayer::of(&self.spec, entry).map_err(|fault| failure(&fault))?;
        if let Some(player) = hooked {
            return Ok(Participant::Hooked(Box::new(player)));
        }
        let Entry { threads, hash_mib, .. } = self.spec.entries[entry];
        let engine = ready(&self.processes[entry], (threads, hash_mib));
        let engine = Box::new(engine.map_err(|fault| failure(&fault))?);
        Ok(Participant::Process { engine, is_timed: !self.spec.is_virtual() })
    }

    fn about(&self, entry: usize) -> &str {
        self.seen.get(entry).map_or("", |seen| &seen.says)
    }
}

impl Player for Participant {
    fn new_game(&mut self, number: usize) -> Result<(), Failure> {
        match self {
            Participant::Process { engine, .. } => Player::new_game(&mut **engine, number),
            Participant::Virtual(player) => player.new_game(number),
            Participant::Hooked(player) => player.new_game(number),
        }
    }

    fn is_reusable(&self) -> bool {
        match self {
            Participant::Process { engine, .. } => engine.is_reusable(),
            Participant::Virtual(player) => player.is_reusable(),
            Participant::Hooked(player) => player.is_reusable(),
        }
    }

    fn go(&mut self, asked: &Go<'_>, interrupt: &AtomicBool) -> Result<Answer, Failure> {
        match self {
            Participant::Process { engine, is_timed } => {
                let answer = engine.go(asked, interrupt)?;
                Ok(if *is_timed { answer } else { Answer { elapsed: Duration::ZERO, ..answer } })
            }
            Participant::Virtual(player) => player.go(asked, interrupt),
            Participant::Hooked(player) => player.go(asked, interrupt),
        }
    }
}

/// The fault of an engine that cannot be told of these openings.
fn not_told(chess960: usize) -> Fault {
    let openings = count(chess960, "opening");
    let what = What::Lacks(format!(
        "the option UCI_Chess960, which {openings} of Chess960 would need. Leave these out, or leave \
         out the engine"
    ));
    Fault { what, last_lines: Vec::new() }
}

/// The command that starts each entry with a process, by name; words are quoted as in a shell.
pub fn commands(spec: &Match, program: &Path) -> Vec<(String, String)> {
    let command = |entry| shell_words::join(engine_spec(entry, program).command);
    let has_process = |entry: &&Entry| !(spec.is_virtual() && entry.is_ours());
    let with_process = spec.entries.iter().filter(has_process);
    with_process.map(|entry| (entry.name.clone(), command(entry))).collect()
}

/// The way to start an entry.
fn engine_spec(entry: &Entry, program: &Path) -> EngineSpec {
    match &entry.engine {
        EntryEngine::Outside(spec) => (**spec).clone(),
        EntryEngine::Own { searcher, techniques, parameters } => {
            let command = vec![program.to_string_lossy().into_owned(), "uci".to_owned()];
            let mut spec = EngineSpec::new(entry.name.clone(), command);
            spec.options = own_options(*searcher, techniques, parameters).into_iter().collect();
            spec
        }
    }
}

/// The settings of our own engine that are not the defaults. The options of `ttd uci` have the
/// names of an experiment's keys.
fn own_options(
    searcher: Searcher,
    techniques: &Techniques,
    parameters: &Table,
) -> Vec<(String, Value)> {
    let mut options = vec![("Searcher".to_owned(), Value::Text(searcher.name().to_owned()))];
    let table = |techniques: &Techniques| table_of(techniques).unwrap_or_default();
    if techniques.preset != Preset::Default {
        let preset = table(techniques).remove("preset").as_ref().and_then(value);
        options.extend(preset.map(|preset| ("engine.preset".to_owned(), preset)));
    }
    let preset = Techniques::preset(techniques.preset);
    changed("engine", &table(techniques), &table(&preset), &mut options);
    let defaults = Settings::default().of(searcher);
    changed(&format!("searcher.{searcher}"), parameters, &defaults, &mut options);
    for (name, _) in &mut options {
        *name = option_name(name);
    }
    options
}

/// Collects the values that differ from the defaults, below a key.
fn changed(above: &str, table: &Table, defaults: &Table, options: &mut Vec<(String, Value)>) {
    for (key, given) in table {
        let name = format!("{above}.{key}");
        match (given, defaults.get(key)) {
            (given, Some(default)) if given == default => {}
            (Said::Table(inner), Some(Said::Table(defaults))) => {
                changed(&name, inner, defaults, options);
            }
            (given, _) => options.extend(value(given).map(|value| (name, value))),
        }
    }
}

fn value(given: &Said) -> Option<Value> {
    Some(match given {
        Said::Boolean(on) => Value::Switch(*on),
        Said::Integer(number) => Value::Number(*number),
        Said::String(text) => Value::Text(text.clone()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::resolve::tests::resolved;

    fn options(entry: &str) -> Vec<String> {
        let of = resolved(&format!(
            "[[entries]]\nname = \"other\"\ncommand = \"x\"\n[[entries]]\nname = \"ours\"\n{entry}"
        ));
        let spec = engine_spec(&of.spec.entries[1], Path::new("/bin/ttd"));
        assert_eq!(spec.command, ["/bin/ttd", "uci"]);
        spec.options.iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }

    #[test]
    fn our_engine_is_told_what_differs() {
        assert_eq!(options("searcher = \"sequential\""), ["Searcher = sequential"]);
        let entry = "searcher = \"lazy-smp\"\nengine = { preset = \"exact\", null_move = true }\n\
                     parameters = { stagger = \"none\" }";
        assert_eq!(
            options(entry),
            [
                "Searcher = lazy-smp",
                "engine.null_move.enabled = true",
                "engine.preset = exact",
                "searcher.lazy-smp.stagger = none"
            ]
        );
    }

    #[test]
    fn an_engine_that_is_not_there_is_named() {
        let of = resolved(
            "[[entries]]\nname = \"a\"\ncommand = \"/no/such\"\n[[entries]]\nname = \"b\"\ncommand = \"x\"",
        );
        let error = Engines::of(&of.spec, Path::new("/bin/ttd"), 0).expect_err("it is not there");
        assert!(
            error.to_string().starts_with("entry `a`: `/no/such` cannot be started"),
            "{error}"
        );
    }
}
