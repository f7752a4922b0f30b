//! An outside engine as the words of `--engine`.
//!
//! `stockfish` and `gnuchess -u` are commands. `name=old command=./engine-old option.Hash=4` are
//! keys with values. Both may stand together: `stockfish option.Ponder=false`. Words are separated,
//! and quoted, as in a shell.

use super::spec::EngineSpec;
use super::value::Value;
use std::path::Path;
use std::str::FromStr;
use ttd_search::value::{Table, Value as Said, nearest, read, resolve_all};

/// The keys, each with the values that it takes.
const KEYS: &str = "name=, command=, dir=, chess960=true|false, protocol=uci|xboard, end=bestmove|depth-reported, \
    depth=, fresh_process=true|false, one_thread=true|false, bounds_complete=true|false, \
    mate_score=, price_ps=, start_limit_s=, ready_limit_s=, stop_limit_s=, threads_option=, hash_option=, \
    depth_command=, raw=, env.NAME=, option.NAME=";
/// The keys whose values are numbers or switches.
const PLAIN: [&str; 10] = [
    "chess960",
    "fresh_process",
    "one_thread",
    "depth",
    "bounds_complete",
    "mate_score",
    "price_ps",
    "start_limit_s",
    "ready_limit_s",
    "stop_limit_s",
];
/// The keys that are tables: the word before the dot, and the key in a file.
const TABLES: [(&str, &str); 2] = [("option.", "options"), ("env.", "environment")];

impl FromStr for EngineSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<EngineSpec, String> {
        let (path, rest) = path_with_spaces(text).unwrap_or(("", text));
        let words = shell_words::split(rest).map_err(|e| format!("`{text}` found: {e}"))?;
        let path = Some(path.to_owned()).filter(|path| !path.is_empty());
        EngineSpec::of_words(path.into_iter().chain(words).collect())
    }
}

impl EngineSpec {
    /// Whether a word is a key of a specification with a value, such as `name=old`.
    pub fn is_assignment(word: &str) -> bool {
        is_assignment(word)
    }

    /// Reads the words of a specification, as they are between the spaces of its text.
    ///
    /// # Errors
    /// If they are neither a command nor keys with values.
    pub fn of_words(words: Vec<String>) -> Result<EngineSpec, String> {
        let text = words.join(" ");
        let (keys, plain): (Vec<String>, Vec<String>) =
            words.into_iter().partition(|word| is_assignment(word));
        check_near(&plain)?;
        let mut table = Table::new();
        for word in &keys {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let inner = TABLES.iter().find_map(|(dot, of)| Some((*of, key.strip_prefix(dot)?)));
            match inner {
                Some((of, name)) => {
                    let inner = table.entry(of.to_owned());
                    let inner = inner.or_insert_with(|| Said::Table(Table::new()));
                    let value = if of == "options" { of_word(value) } else { value.into() };
                    if let Said::Table(inner) = inner {
                        inner.insert(name.to_owned(), value);
                    }
                }
                None => drop(table.insert(key.to_owned(), value_of_key(key, value)?)),
            }
        }
        let command = match (table.remove("command"), plain.first()) {
            (Some(_), Some(odd)) => {
                return Err(format!(
                    "`{odd}` found, KEY=VALUE expected ({KEYS}). A value with spaces stands in \
                     quotation marks: 'command=./engine -x'"
                ));
            }
            (Some(Said::Array(words)), None) => words,
            _ => plain.into_iter().map(Said::String).collect(),
        };
        let program = command.first().and_then(Said::as_str).map(Path::new);
        let Some(name) = program.and_then(Path::file_name) else {
            let what = "empty: a program and its arguments expected";
            let no_command = format!("`{text}` found, a command expected ({KEYS})");
            return Err(if keys.is_empty() { what.to_owned() } else { no_command });
        };
        let name = name.to_string_lossy().into_owned();
        table.entry("name".to_owned()).or_insert(Said::String(name));
        table.insert("command".to_owned(), Said::Array(command));
        let (spec, mistakes) = resolve_all(&table, |table| read(table.clone()));
        let told = mistakes.iter().map(|why| format!("{}: {}", why.keys.join("."), why.what));
        let told: Vec<String> = told.collect();
        spec.filter(|_| told.is_empty()).ok_or_else(|| format!("{} ({KEYS})", told.join("; ")))
    }
}

/// Splits a text into the path of a file that has spaces, and the rest. None if the first word is
/// no such path.
fn path_with_spaces(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if !text.contains('/') {
        return None;
    }
    let mut ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]);
    let is_path = |&end: &usize| text[..end].contains(' ') && Path::new(&text[..end]).is_file();
    ends.rfind(is_path).map(|end| text.split_at(end))
}

/// Whether a word gives a key a value.
fn is_assignment(word: &str) -> bool {
    let Some((key, _)) = word.split_once('=') else { return false };
    TABLES.iter().any(|(dot, _)| key.starts_with(dot)) || key_names().any(|known| known == key)
}

/// The names of the keys.
fn key_names() -> impl Iterator<Item = &'static str> {
    KEYS.split(", ").filter_map(|key| key.split_once('=')).map(|(key, _)| key)
}

/// Refuses arguments that look like a key with a typing error, such as `comand=x`.
fn check_near(arguments: &[String]) -> Result<(), String> {
    let key = |word: &String| word.split_once('=').map(|(key, _)| key.to_owned());
    let keys = arguments.iter().filter_map(key).filter(|key| key.starts_with(char::is_alphabetic));
    let near = |key: String| {
        let meant = key.split_once('.').map_or_else(
            || nearest(&key, key_names()).map(str::to_owned),
            |(table, name)| {
                let table = nearest(table, TABLES.map(|(dot, _)| dot.trim_end_matches('.')));
                table.map(|table| format!("{table}.{name}"))
            },
        );
        meant.map(|meant| format!("unknown key `{key}`: did you mean `{meant}`?"))
    };
    let told: Vec<String> = keys.filter_map(near).collect();
    if told.is_empty() {
        return Ok(());
    }
    let what =
        "An argument that looks like a key stands in `command=`: 'command=./engine ARGUMENT'";
    Err(format!("{} ({what})", told.join("; ")))
}

fn value_of_key(key: &str, value: &str) -> Result<Said, String> {
    Ok(match key {
        "command" if Path::new(value).is_file() => Said::Array(vec![value.into()]),
        "command" => {
            let words = shell_words::split(value).map_err(|e| format!("`{value}` found: {e}"))?;
            Said::Array(words.into_iter().map(Said::String).collect())
        }
        "raw" => Said::Array(value.split(';').map(|line| line.trim().into()).collect()),
        _ if PLAIN.contains(&key) => of_word(value),
        _ => value.into(),
    })
}

fn of_word(word: &str) -> Said {
    match Value::of_word(word) {
        Value::Switch(on) => on.into(),
        Value::Number(number) => number.into(),
        Value::Text(text) => Said::String(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::{Protocol, Value};

    fn read(text: &str) -> EngineSpec {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn a_command_alone_is_an_engine() {
        let spec = read("./bin/gnuchess -u");
        let command = vec!["./bin/gnuchess".into(), "-u".into()];
        assert_eq!(spec, EngineSpec::new("gnuchess".into(), command));
    }

    #[test]
    fn keys_behind_a_command_are_keys() {
        let option = |spec: &EngineSpec, name: &str| spec.options.get(name).cloned();
        let spec = read("sh engine.sh option.Style=Wild");
        assert_eq!(
            (spec.name.as_str(), &spec.command[..]),
            ("sh", &["sh", "engine.sh"].map(str::to_owned)[..])
        );
        assert_eq!(option(&spec, "Style"), Some(Value::Text("Wild".into())));
        let spec = read("engine 'option.Move Overhead=30' -x protocol=xboard");
        assert_eq!((spec.command.len(), spec.protocol), (2, Protocol::XBoard));
        assert_eq!(option(&spec, "Move Overhead"), Some(Value::Number(30)));
        let spec = read("name=x engine --uci env.OMP_NUM_THREADS=1 dir=/opt");
        assert_eq!((spec.name.as_str(), spec.command.len()), ("x", 2));
        assert_eq!(spec.environment["OMP_NUM_THREADS"], "1");
        assert_eq!(spec.dir.as_deref(), Some("/opt"));
        let spec = read("engine option.Id=007 option.CPuct=1.745");
        assert_eq!(option(&spec, "Id"), Some(Value::Text("007".into())));
        // An argument that looks like a key stands in `command=`.
        assert_eq!(read("'command=engine depth=3'").command, ["engine", "depth=3"]);
    }

    #[test]
    fn a_path_with_spaces_is_found() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("my engines");
        std::fs::create_dir(&path).expect("made");
        let path = path.join("an engine").display().to_string();
        std::fs::write(&path, "").expect("written");
        assert_eq!(read(&path).command, std::slice::from_ref(&path));
        let spec = read(&format!("{path} -u option.Hash=1"));
        assert_eq!(spec.command, [path.clone(), "-u".to_owned()]);
        assert_eq!(read(&format!("name=x 'command={path}'")).command, std::slice::from_ref(&path));
    }

    #[test]
    fn keys_are_those_of_an_experiment() {
        let text = "name=old 'command=./engine --level 3' option.OwnBook=false 'option.Move Overhead=0' \
                    end=depth-reported fresh_process=false start_limit_s=60";
        let table = "name = \"old\"\ncommand = [\"./engine\", \"--level\", \"3\"]\n\
                     end = \"depth-reported\"\nfresh_process = false\nstart_limit_s = 60\n\
                     options = { OwnBook = false, \"Move Overhead\" = 0 }";
        assert_eq!(Ok(read(text)), toml::from_str(table));
        let again = toml::to_string(&read(text)).expect("TOML");
        assert_eq!(Ok(read(text)), toml::from_str(&again));
    }

    #[test]
    fn what_is_no_engine_is_refused() {
        for (text, what) in [
            ("", "empty"),
            ("name=x", "a command expected"),
            ("option.Hash=3", "a command expected"),
            ("name=x command=y z", "`z` found, KEY=VALUE expected"),
            ("command='", "missing closing quote"),
            ("command=x end=never", "never"),
            ("command=x fresh_process=2", "invalid type"),
            ("command=x start_limit_s=soon", "invalid type"),
            ("name=x comand=y", "unknown key `comand`: did you mean `command`?"),
            ("x optoin.Hash=3", "unknown key `optoin.Hash`: did you mean `option.Hash`?"),
            ("x env.A=1 dpeth=3 rwa=y", "`dpeth`: did you mean `depth`?; unknown key `rwa`"),
            ("x fresh_process=2 depth=y", "depth: invalid type"),
            ("x fresh_process=2 depth=y", "fresh_process: invalid type"),
        ] {
            let error = text.parse::<EngineSpec>().expect_err(text);
            assert!(error.contains(what), "{text}: {error}");
        }
    }
}
