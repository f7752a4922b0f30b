//! The check whether an outside engine does all that a sweep needs.

mod trial;

use super::dialect::threads_hint;
use super::engine::{Engine, GracePeriods};
use super::fault::{Fault, What};
use super::spec::{EngineSpec, Protocol};
use cozy_chess::Board;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use trial::{Trial, finding, noted};

pub use trial::CLOCKS;
pub use trial::{Finding, Verdict};

/// The time after which no further trial begins.
const BUDGET: Duration = Duration::from_secs(20);
/// The time that an engine may take to answer another protocol.
const HINT: u32 = 2;
/// Arguments that switch engines to UCI: GNU Chess's, and those of others.
const SWITCHES: [&str; 3] = ["-u", "uci", "--uci"];

/// The findings of a trial search.
type Found = Result<Vec<Finding>, Fault>;

/// Tries an engine from the positions given; each is from the middle of a game. Every finding is
/// passed to `tell` as soon as it is there. Trials that have no time are left out, and named.
///
/// # Errors
/// If it cannot be started or says nothing sensible. A fault in a search is no error but a finding.
pub fn check(
    spec: &EngineSpec,
    positions: &[Board],
    interrupt: &AtomicBool,
    tell: &mut dyn FnMut(Finding),
) -> Result<(), Fault> {
    let begun = Instant::now();
    let engine = Engine::start(spec, GracePeriods::default(), &[])?;
    let start = begun.elapsed();
    let about = engine.about();
    let unnamed =
        |text: &str| if text.is_empty() { "it does not say".to_owned() } else { text.to_owned() };
    tell(finding("name", unnamed(&about.name), Verdict::Well));
    tell(finding("author", unnamed(&about.author), Verdict::Well));
    tell(finding("start", format!("{} ms", start.as_millis()), Verdict::Well));
    let threads = engine.has_threads() && !spec.one_thread;
    let one = match about.like_threads().filter(|_| !spec.one_thread) {
        Some(name) => format!("one: it is measured with one. {}", threads_hint(name)),
        None => "one: it is measured with one".to_owned(),
    };
    tell(noted("threads", threads, ["can be set", &one]));
    let table = ["can be set", "cannot be set: it has one of its own size"];
    tell(noted("table", engine.has_table(), table));
    if let Some(book) = about.option("OwnBook").filter(|book| book.default == "true") {
        let off = spec.options.keys().any(|said| said.eq_ignore_ascii_case(&book.name));
        tell(if off {
            finding("book", "is switched", Verdict::Well)
        } else {
            finding("book", "it has one: set the option OwnBook to false", Verdict::Bad)
        });
    }
    let trial = Trial::new(spec, &engine, positions, interrupt, begun + BUDGET);
    drop(engine);
    let numbers: &[usize] = if threads { &[1, 2] } else { &[1] };
    let trials: [(&str, &dyn Fn() -> Found); 5] = [
        ("depth", &|| trial.depths(1)),
        ("depth, 2 threads", &|| if threads { trial.depths(2) } else { Ok(Vec::new()) }),
        ("nodes", &|| trial.repeats()),
        ("best move", &|| trial.stops()),
        ("clocks", &|| trial.clocks(numbers)),
    ];
    for (what, trial) in trials {
        if begun.elapsed() > BUDGET {
            tell(finding(what, "not tried: the check took too long already", Verdict::Note));
            continue;
        }
        match trial() {
            Ok(found) => found.into_iter().for_each(&mut *tell),
            Err(fault) if fault.what == What::Interrupted => return Err(fault),
            // Every other trial would find them too.
            Err(Fault { what: wrong @ What::Unsettable(_), .. }) => {
                tell(finding("options", wrong.to_string(), Verdict::Bad));
                break;
            }
            Err(fault) => tell(finding(what, fault.with_last_lines("    "), Verdict::Bad)),
        }
    }
    Ok(())
}

/// The keys with which an engine that did not answer does answer, if there are such; each way is
/// tried for a moment.
pub fn hint(spec: &EngineSpec) -> Option<String> {
    // An engine that lacks something has answered too.
    let answers = |other: &EngineSpec| {
        let spec = EngineSpec { start_limit_s: Some(HINT), ..other.clone() };
        let started = Engine::start(&spec, GracePeriods::default(), &[]);
        started.map_or_else(|fault| matches!(fault.what, What::Lacks(_)), |_| true)
    };
    let (protocol, word) = match spec.protocol {
        Protocol::Uci => (Protocol::XBoard, "xboard"),
        Protocol::XBoard => (Protocol::Uci, "uci"),
    };
    if answers(&EngineSpec { protocol, ..spec.clone() }) {
        return Some(format!(
            "it answers to another protocol: protocol={word} (in a file protocol = \"{word}\")"
        ));
    }
    let with = |switch: &&str| {
        let mut other = EngineSpec { protocol: Protocol::Uci, ..spec.clone() };
        other.command.push((*switch).to_owned());
        answers(&other)
    };
    let switch = SWITCHES.iter().find(|switch| with(switch))?;
    Some(format!("it answers with the argument `{switch}`: add it to the command"))
}
