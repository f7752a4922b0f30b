//! The specification of an outside engine by a user: a table `[[engines]]` of an experiment, or
//! `--engine` with the same keys.

use super::value::Value;
use super::virtually::{PRICES_PS, Virtually, in_place_of};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Not;
use std::path::Path;
use std::time::Duration;

/// An outside engine: how it is started, and how it is spoken to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in files and output. It must be given.
    #[serde(default)]
    pub name: String,
    /// The program, a path or a name on `PATH`, and its arguments. There is no shell. It must be
    /// given.
    #[serde(default, deserialize_with = "one_or_more")]
    pub command: Vec<String>,
    /// The working directory of its process; by default that of this program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Variables of its environment, besides those of this program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Whether it is told that every game is one of Chess960, and castling is written as the king
    /// takes its rook. Otherwise this is so for positions of Chess960 alone.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub chess960: bool,
    /// The protocol that it speaks.
    #[serde(default)]
    pub protocol: Protocol,
    /// The seconds that it may take to start and to describe itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_limit_s: Option<u32>,
    /// The seconds that it may take to be ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready_limit_s: Option<u32>,
    /// The seconds that it may take to give its best move after `stop`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_limit_s: Option<u32>,
    /// The depth of its searches in a sweep, if not that of the experiment: the meaning of a ply
    /// differs from engine to engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u8>,
    /// Whether it has one thread only; then it is measured, or plays, with one. An engine without
    /// an option for threads is recognised without this key.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub one_thread: bool,
    /// The option that sets the number of threads. By default `Threads`, `Number of Threads` or
    /// another known name that the engine offers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads_option: Option<String>,
    /// The option that sets the size of its table, MiB. By default `Hash`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_option: Option<String>,
    /// The engine's word for the command `sd` of the `XBoard` protocol, if it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth_command: Option<String>,
    /// The event that ends a search to a depth.
    #[serde(default)]
    pub end: End,
    /// The score from which on it is a mate, in hundredths of a pawn; [`BEYOND_MATERIAL`] by
    /// default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_score: Option<u32>,
    /// Whether a score that is only a bound completes a depth. An engine that tells nothing else is
    /// recognised without this key.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub bounds_complete: bool,
    /// Whether every sample has a new process.
    #[serde(default = "yes")]
    pub fresh_process: bool,
    /// The time that an instruction of it takes on virtual cores, picoseconds; of an engine whose
    /// hook counts blocks, a block. By default [`usual_price`](super::usual_price). It is written
    /// with virtual cores only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_ps: Option<u64>,
    /// Lines that are sent unchanged before the first search, except that `{threads}` and `{hash}`
    /// (MiB) are filled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<String>,
    /// Its options, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
    /// Its virtual cores, where it is started on some. Not a key: the experiment says so.
    #[serde(skip)]
    pub virtually: Option<Virtually>,
}

/// A score, in hundredths of a pawn, that no position of a game is worth. Engines without mate
/// scores give such a score for a mate.
pub const BEYOND_MATERIAL: u32 = 9_000;
/// The most seconds of a limit: a day.
const LONGEST_S: u32 = 86_400;

const fn yes() -> bool {
    true
}

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The Universal Chess Interface.
    #[default]
    Uci,
    /// The older protocol of the program `XBoard`, version 2.
    #[serde(rename = "xboard")]
    XBoard,
}

/// The event that ends a search to a depth, and with it its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The engine is sent to that depth, and gives its best move.
    #[default]
    #[serde(rename = "bestmove")]
    BestMove,
    /// The engine is sent without a limit, and stopped when it reports that depth. Some engines
    /// apply the limit to their helpers, and some do not.
    DepthReported,
}

impl EngineSpec {
    /// An engine of the Universal Chess Interface with a name and a command, and all else by
    /// default.
    pub fn new(name: String, command: Vec<String>) -> EngineSpec {
        EngineSpec { name, command, fresh_process: yes(), ..EngineSpec::default() }
    }

    /// Makes relative paths of the program and of its working directory absolute: they start at the
    /// directory of the file that names them. A mere name stays, to be looked for on `PATH`.
    ///
    /// # Errors
    /// If the working directory does not exist.
    pub fn find_from(&mut self, dir: &Path) -> std::io::Result<()> {
        if let Some(program) = self.command.first_mut()
            && Path::new(program).components().count() > 1
        {
            let whole = std::path::absolute(dir.join(&*program))?;
            *program = whole.to_string_lossy().into_owned();
        }
        if let Some(own) = &mut self.dir {
            *own = std::path::absolute(dir.join(&*own))?.to_string_lossy().into_owned();
        }
        Ok(())
    }

    /// The time that it may take for a task; `usual` if the user said nothing.
    pub(super) fn limit(said: Option<u32>, usual: Duration) -> Duration {
        said.map_or(usual, |seconds| Duration::from_secs(seconds.into()))
    }

    /// Whether one of the lines that are sent unchanged has this placeholder.
    pub(super) fn fills(&self, placeholder: &str) -> bool {
        self.raw.iter().any(|line| line.contains(placeholder))
    }

    /// The wrong keys of the specification, each with the expected value.
    pub fn wrong_keys(&self) -> Vec<(&'static str, String)> {
        let mut wrong = Vec::new();
        match check_name(&self.name) {
            _ if self.name.is_empty() => wrong.push(("name", "missing: expected one".to_owned())),
            Err(what) => wrong.push(("name", what)),
            Ok(()) => {}
        }
        if self.command.first().is_none_or(|program| program.trim().is_empty()) {
            wrong.push(("command", "empty: a program and its arguments expected".to_owned()));
        }
        if self.protocol == Protocol::XBoard {
            let uci_only =
                [("threads_option", &self.threads_option), ("hash_option", &self.hash_option)];
            let said = uci_only.into_iter().filter(|(_, option)| option.is_some());
            let what = "XBoard sets it by `cores` or `memory`; see `raw` for other ways";
            wrong.extend(said.map(|(key, _)| (key, what.to_owned())));
            if self.chess960 {
                let what = "true found, false expected: XBoard has no way to tell it";
                wrong.push(("chess960", what.to_owned()));
            }
        }
        for (key, limit) in [
            ("start_limit_s", self.start_limit_s),
            ("ready_limit_s", self.ready_limit_s),
            ("stop_limit_s", self.stop_limit_s),
        ] {
            let limit = limit.filter(|limit| !(1..=LONGEST_S).contains(limit));
            let what = |limit| (key, format!("{limit} found, 1 to {LONGEST_S} expected"));
            wrong.extend(limit.map(what));
        }
        if self.mate_score == Some(0) {
            wrong.push(("mate_score", "0 found, hundredths of a pawn expected".to_owned()));
        }
        if let Some(price) = self.price_ps.filter(|price| !PRICES_PS.contains(price)) {
            let (least, most) = PRICES_PS.into_inner();
            wrong.push(("price_ps", format!("{price} found, {least} to {most} expected")));
        }
        for (name, value) in &self.environment {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                let what = format!("`{}` found, a variable's name expected", name.escape_debug());
                wrong.push(("environment", what));
            }
        }
        if self.depth == Some(0) {
            wrong.push(("depth", "0 found, 1 to 255 expected".to_owned()));
        }
        let lines = self.raw.iter().map(|line| ("raw", line.clone()));
        let names = self.options.keys().map(|name| ("options", name.clone()));
        let values = self.options.values().map(|value| ("options", value.to_string()));
        let all = lines.chain(names).chain(values);
        let several = all.filter(|(_, text)| text.contains(['\n', '\r']));
        let what = |text: String| format!("`{}` found, one line expected", text.escape_debug());
        wrong.extend(several.map(|(key, text)| (key, what(text))));
        wrong
    }
}

impl EngineSpec {
    /// The keys that do not fit the kind of cores, each with the expected value.
    pub fn misplaced_keys(&self, virtually: bool) -> impl Iterator<Item = (&'static str, String)> {
        let price = self.price_ps.filter(|_| !virtually).map(|price| {
            let what = "none expected: an instruction there takes the time that it takes";
            ("price_ps", format!("{price} found with real cores, {what}"))
        });
        let names = self.environment.keys().filter(move |_| virtually);
        let variables = names.filter_map(|name| {
            let expected = in_place_of(name)?;
            Some(("environment", format!("`{name}` found, {expected}")))
        });
        price.into_iter().chain(variables)
    }
}

/// Checks whether a text can be a competitor's name: a field of a CSV file, and a part of a file's
/// name.
///
/// # Errors
/// The expected form.
pub fn check_name(name: &str) -> Result<(), String> {
    let odd = |c: char| c.is_control() || "/\\\",".contains(c);
    if name.trim().is_empty() || name.starts_with('.') || name.contains(odd) {
        let what = "a name without slashes, quotation marks and commas expected";
        return Err(format!("`{}` found, {what}", name.escape_debug()));
    }
    if name.starts_with(['=', '+', '-', '@']) {
        let what = "a name that begins otherwise expected: a spreadsheet would compute it";
        return Err(format!("`{name}` found, {what}"));
    }
    Ok(())
}

/// A text, or an array of texts.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct OneOrMore;
    impl<'de> Visitor<'de> for OneOrMore {
        type Value = Vec<String>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a program such as \"stockfish\", or an array of it and its arguments")
        }
        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }
        fn visit_seq<A: SeqAccess<'de>>(self, array: A) -> Result<Vec<String>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(array))
        }
    }
    deserializer.deserialize_any(OneOrMore)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(name: &str) -> EngineSpec {
        EngineSpec::new(name.to_owned(), vec!["x".to_owned()])
    }

    #[test]
    fn wrong_keys_are_named() {
        let raw = |raw: &str| EngineSpec { raw: vec![raw.to_owned()], ..spec("a b") };
        let keys = |spec: &EngineSpec| -> Vec<&str> {
            spec.wrong_keys().into_iter().map(|(key, _)| key).collect()
        };
        assert_eq!(keys(&raw("smpmt={threads}")), [""; 0]);
        assert_eq!(keys(&raw("one\ntwo")), ["raw"]);
        for name in ["a/b", "=1+1", "+x", "-x", "@sum", "", " ", "a\u{1b}[31m"] {
            assert_eq!(keys(&spec(name)), ["name"], "{name:?}");
        }
        let of = |change: fn(&mut EngineSpec)| {
            let mut spec = spec("x");
            change(&mut spec);
            keys(&spec)
        };
        assert_eq!(of(|spec| spec.start_limit_s = Some(0)), ["start_limit_s"]);
        assert_eq!(of(|spec| spec.ready_limit_s = Some(600)), [""; 0]);
        assert_eq!(of(|spec| spec.price_ps = Some(0)), ["price_ps"]);
        assert_eq!(of(|spec| spec.price_ps = Some(180)), [""; 0]);
        let several = |spec: &mut EngineSpec| {
            (spec.stop_limit_s, spec.mate_score) = (Some(90_000), Some(0));
            spec.environment.insert("A=B".into(), "1".into());
            spec.command.clear();
        };
        assert_eq!(of(several), ["command", "stop_limit_s", "mate_score", "environment"]);
    }

    #[test]
    fn keys_of_virtual_cores_are_for_these() {
        let mut spec = EngineSpec { price_ps: Some(180), ..spec("x") };
        spec.environment.insert("TTD_CORES_PRICE_PS".into(), "180".into());
        let keys =
            |virtually| spec.misplaced_keys(virtually).map(|(key, _)| key).collect::<Vec<_>>();
        assert_eq!((keys(false), keys(true)), (vec!["price_ps"], vec!["environment"]));
    }

    #[test]
    fn paths_begin_at_the_file_that_names_them() {
        let mut spec = EngineSpec { dir: Some("own".into()), ..spec("x") };
        spec.command = vec!["bin/x".into(), "net.bin".into()];
        spec.find_from(Path::new("/opt")).expect("it is there");
        assert_eq!((spec.command[0].as_str(), spec.command[1].as_str()), ("/opt/bin/x", "net.bin"));
        assert_eq!(spec.dir.as_deref(), Some("/opt/own"));
    }
}
