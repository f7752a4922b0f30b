//! The players of a match: outside engines, and our own engine, started as the program `ttd uci`.

use super::ending::Reason;
use super::player::{Answer, Failure, Player, Thought};
use super::runner::Roster;
use super::spec::{Entry, EntryEngine, Match};
use crate::records::{Seen, seen};
use crate::uci::program::option_name;
use crate::uci::{Engine, EngineSpec, Fault, Go, GracePeriods, Value, Watch, What};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use ttd_search::engine::{Preset, Techniques};
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::{Table, Value as Said, table_of};

/// The engines of a match that do not start, or cannot be set as their entries ask: the name of
/// each entry, and the reason.
#[derive(Debug, thiserror::Error)]
#[error("{}", told(.0))]
pub struct NotReady(pub Vec<(String, Fault)>);

fn told(all: &[(String, Fault)]) -> String {
    let line = |(name, fault): &(String, Fault)| {
        format!("entry `{name}`: {}", fault.with_last_lines("  "))
    };
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The engines of a match: the way to start each, and its name for itself.
#[derive(Debug)]
pub struct Engines {
    entries: Vec<(EngineSpec, usize, usize)>,
    seen: Vec<Seen>,
}

impl Engines {
    /// Starts every engine of a match once, to test that it can be started. `program` is the path
    /// of this program.
    ///
    /// # Errors
    /// Every engine that does not start, or lacks or refuses an option.
    pub fn of(spec: &Match, program: &Path) -> Result<Engines, NotReady> {
        let settled = |entry: &Entry| (engine_spec(entry, program), entry.threads, entry.hash_mib);
        let mut engines =
            Engines { entries: spec.entries.iter().map(settled).collect(), seen: Vec::new() };
        let mut not_ready = Vec::new();
        for (at, entry) in spec.entries.iter().enumerate() {
            match engines.engine(at) {
                Ok(engine) => engines.seen.push(seen(&engines.entries[at].0, &engine)),
                Err(fault) => not_ready.push((entry.name.clone(), fault)),
            }
        }
        if not_ready.is_empty() { Ok(engines) } else { Err(NotReady(not_ready)) }
    }

    /// The engines as they were when they were started.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    fn engine(&self, entry: usize) -> Result<Engine, Fault> {
        let (spec, threads, hash_mib) = &self.entries[entry];
        let mut engine = Engine::start(spec, GracePeriods::default(), &[])?;
        engine.configure(*threads, *hash_mib)?;
        Ok(engine)
    }
}

impl Roster for Engines {
    type Player = Engine;

    fn start(&self, entry: usize) -> Result<Engine, Failure> {
        self.engine(entry).map_err(|fault| failure(&fault))
    }

    fn about(&self, entry: usize) -> &str {
        self.seen.get(entry).map_or("", |seen| &seen.says)
    }
}

impl Player for Engine {
    fn new_game(&mut self) -> Result<(), Failure> {
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
fn failure(fault: &Fault) -> Failure {
    let reason = match &fault.what {
        What::Illegal(mv) => {
            return Failure { reason: Reason::IllegalMove, what: format!("illegal move {mv}") };
        }
        What::NotStarted { .. } | What::Died(_) => Reason::Died,
        _ => Reason::NoAnswer,
    };
    Failure { reason, what: fault.to_string() }
}

/// The command that starts each entry, by name; words are quoted as in a shell.
pub fn commands(spec: &Match, program: &Path) -> Vec<(String, String)> {
    let command = |entry| shell_words::join(engine_spec(entry, program).command);
    spec.entries.iter().map(|entry| (entry.name.clone(), command(entry))).collect()
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
        let error = Engines::of(&of.spec, Path::new("/bin/ttd")).expect_err("it is not there");
        assert!(
            error.to_string().starts_with("entry `a`: `/no/such` cannot be started"),
            "{error}"
        );
    }
}
