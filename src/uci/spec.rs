//! The specification of an outside engine by a user: a table `[[engines]]` of an experiment, or
//! `--engine` with the same keys.

use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Not;
use std::path::Path;
use std::str::FromStr;

/// An outside engine: how it is started, and how it is spoken to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in files and output.
    pub name: String,
    /// The program, a path or a name on `PATH`, and its arguments. There is no shell.
    #[serde(deserialize_with = "one_or_more")]
    pub command: Vec<String>,
    /// The protocol that it speaks.
    #[serde(default)]
    pub protocol: Protocol,
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
    /// Whether every sample has a new process.
    #[serde(default = "yes")]
    pub fresh_process: bool,
    /// Lines that are sent unchanged before the first search, except that `{threads}` and `{hash}`
    /// (MiB) are filled in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub raw: Vec<String>,
    /// Its options, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Value>,
}

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

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// Any other text.
    Text(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => on.fmt(f),
            Value::Number(number) => number.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

impl EngineSpec {
    /// An engine of the Universal Chess Interface with a name and a command, and all else by
    /// default.
    pub fn new(name: String, command: Vec<String>) -> EngineSpec {
        EngineSpec { name, command, fresh_process: yes(), ..EngineSpec::default() }
    }

    /// Makes a relative path of the program absolute: it starts at the directory of the file that
    /// names the program. A mere name stays, to be looked for on `PATH`.
    ///
    /// # Errors
    /// If the working directory does not exist.
    pub fn find_from(&mut self, dir: &Path) -> std::io::Result<()> {
        let program = Path::new(&self.command[0]);
        if program.components().count() > 1 {
            let whole = std::path::absolute(dir.join(program))?;
            self.command[0] = whole.to_string_lossy().into_owned();
        }
        Ok(())
    }

    /// Reads the words of a specification, as they are between the spaces of its text.
    ///
    /// # Errors
    /// If they are neither a command nor keys with values.
    pub fn of_words(words: Vec<String>) -> Result<EngineSpec, String> {
        let (keys, plain): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| is_assignment(word));
        if keys.is_empty() || !is_assignment(&words[0]) {
            return of_command(words);
        }
        if let Some(odd) = plain.first() {
            return Err(format!("`{odd}` found, KEY=VALUE expected ({KEYS})"));
        }
        let mut table = toml::Table::new();
        let mut options = toml::Table::new();
        for word in keys {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match key.strip_prefix(OPTION) {
                Some(name) => drop(options.insert(name.to_owned(), value_of(value))),
                None => drop(table.insert(key.to_owned(), value_of_key(key, value)?)),
            }
        }
        table.insert("options".to_owned(), options.into());
        let Some(toml::Value::Array(command)) = table.get("command") else {
            return Err(format!("`{}` found, a command expected ({KEYS})", words.join(" ")));
        };
        let command = command.iter().filter_map(toml::Value::as_str);
        let named = of_command(command.map(str::to_owned).collect())?;
        table.entry("name").or_insert(named.name.into());
        table.try_into().map_err(|e: toml::de::Error| format!("{} ({KEYS})", e.message()))
    }

    /// Whether a word is a key of a specification with a value, such as `name=old`.
    pub fn is_assignment(word: &str) -> bool {
        is_assignment(word)
    }

    /// Whether one of the lines that are sent unchanged has this placeholder.
    pub(super) fn fills(&self, placeholder: &str) -> bool {
        self.raw.iter().any(|line| line.contains(placeholder))
    }

    /// Checks the keys of the specification.
    ///
    /// # Errors
    /// The first wrong key, and the expected value.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        check_name(&self.name).map_err(|what| ("name", what))?;
        if self.command.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(("command", "empty: a program and its arguments expected".to_owned()));
        }
        if self.protocol == Protocol::XBoard {
            let uci_only =
                [("threads_option", &self.threads_option), ("hash_option", &self.hash_option)];
            if let Some((key, _)) = uci_only.into_iter().find(|(_, option)| option.is_some()) {
                let what = "XBoard sets it by `cores` or `memory`; see `raw` for other ways";
                return Err((key, what.to_owned()));
            }
        }
        if let Some(depth) = self.depth.filter(|depth| *depth == 0) {
            return Err(("depth", format!("{depth} found, 1 to 255 expected")));
        }
        let lines = self.raw.iter().map(|line| ("raw", line.clone()));
        let names = self.options.keys().map(|name| ("options", name.clone()));
        let values = self.options.values().map(|value| ("options", value.to_string()));
        for (key, text) in lines.chain(names).chain(values) {
            if text.contains(['\n', '\r']) {
                return Err((key, format!("`{}` found, one line expected", text.escape_debug())));
            }
        }
        Ok(())
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
        return Err(format!("`{name}` found, {what}"));
    }
    Ok(())
}

/// Reads `stockfish`, `gnuchess -u`, or keys with values: `name=old command=./engine-old
/// option.Hash=4`. Words are separated, and quoted, as in a shell.
impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineSpec, String> {
        let words = shell_words::split(text).map_err(|e| format!("`{text}` found: {e}"))?;
        EngineSpec::of_words(words)
    }
}

const KEYS: &str = "name=, command=, protocol=uci|xboard, end=bestmove|depth-reported, \
    depth=, fresh_process=true|false, one_thread=true|false, threads_option=, hash_option=, depth_command=, raw=, option.NAME=";
const OPTION: &str = "option.";

/// Whether a word of a specification gives a key a value. A command may hold such words too.
fn is_assignment(word: &str) -> bool {
    let Some((key, _)) = word.split_once('=') else { return false };
    key.starts_with(OPTION)
        || KEYS.split(", ").any(|known| known.split_once('=').is_some_and(|(k, _)| k == key))
}

fn value_of_key(key: &str, value: &str) -> Result<toml::Value, String> {
    Ok(match key {
        "command" => {
            let words = shell_words::split(value).map_err(|e| format!("`{value}` found: {e}"))?;
            words.into_iter().map(toml::Value::from).collect::<Vec<_>>().into()
        }
        "raw" => {
            value.split(';').map(|line| line.trim().into()).collect::<Vec<toml::Value>>().into()
        }
        "fresh_process" | "one_thread" | "depth" => value_of(value),
        _ => value.into(),
    })
}

fn value_of(text: &str) -> toml::Value {
    let switch = text.parse().map(toml::Value::Boolean).ok();
    let number = || text.parse().map(toml::Value::Integer).ok();
    switch.or_else(number).unwrap_or_else(|| text.into())
}

fn of_command(command: Vec<String>) -> Result<EngineSpec, String> {
    let name = command.first().and_then(|program| Path::new(program).file_name());
    let name = name.ok_or("empty: a program and its arguments expected")?;
    Ok(EngineSpec::new(name.to_string_lossy().into_owned(), command))
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

    #[test]
    fn a_command_alone_is_an_engine() {
        let spec: EngineSpec = "./bin/gnuchess -u".parse().expect("an engine");
        assert_eq!((spec.name.as_str(), spec.command.len()), ("gnuchess", 2));
        assert_eq!(
            spec,
            EngineSpec::new("gnuchess".into(), vec!["./bin/gnuchess".into(), "-u".into()])
        );
        // An argument behind a command belongs to the command, even if it looks like a key.
        let spec: EngineSpec = "engine name=x".parse().expect("an engine");
        assert_eq!(spec.command, ["engine", "name=x"]);
    }

    #[test]
    fn keys_are_those_of_an_experiment() {
        let text = "name=old 'command=./engine --level 3' option.OwnBook=false 'option.Move Overhead=0' \
                    end=depth-reported fresh_process=false";
        let spec: EngineSpec = text.parse().expect("an engine");
        let table = "name = \"old\"\ncommand = [\"./engine\", \"--level\", \"3\"]\n\
                     end = \"depth-reported\"\nfresh_process = false\n\
                     options = { OwnBook = false, \"Move Overhead\" = 0 }";
        assert_eq!(Ok(spec.clone()), toml::from_str(table));
        let again = toml::to_string(&spec).expect("TOML");
        assert_eq!(Ok(spec), toml::from_str(&again));
    }

    #[test]
    fn what_is_no_engine_is_refused() {
        for (text, what) in [
            ("", "empty"),
            ("name=x", "a command expected"),
            ("name=x command=y z", "`z` found, KEY=VALUE expected"),
            ("command='", "missing closing quote"),
            ("command=x end=never", "never"),
            ("command=x fresh_process=2", "fresh_process"),
        ] {
            let error = text.parse::<EngineSpec>().expect_err(text);
            assert!(error.contains(what) || what == "fresh_process", "{text}: {error}");
        }
        let spec = |name: &str, raw: &str| EngineSpec {
            raw: vec![raw.to_owned()],
            ..EngineSpec::new(name.to_owned(), vec!["x".to_owned()])
        };
        assert_eq!(spec("a b", "smpmt={threads}").check(), Ok(()));
        assert!(spec("a/b", "").check().is_err_and(|(key, _)| key == "name"));
        assert!(spec("a", "one\ntwo").check().is_err_and(|(key, _)| key == "raw"));
    }
}
