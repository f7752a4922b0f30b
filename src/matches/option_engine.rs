//! An entry as an option has it: `--engine "name=old command=./engine-old tc=5+0.05"`. The keys are
//! those of `ttd run --engine`, and those of an entry.

use super::partial::PartialEntry;
use crate::records::{in_words, seconds, whole};
use crate::uci::{EngineSpec, Protocol};

/// Other words for keys of an engine: those of fastchess and cutechess.
const OTHER_WORDS: [(&str, &str); 2] = [("cmd", "command"), ("proto", "protocol")];
/// Keys of an engine that only sweeps have.
const OF_SWEEPS: [&str; 5] =
    ["end", "fresh_process", "one_thread", "bounds_complete", "mate_score"];

/// A key of an entry beside those of its engine: its word, its name in a file, and how its value
/// is read.
type Key = (&'static str, &'static str, fn(&str) -> Result<toml::Value, String>);

const KEYS: [Key; 8] = [
    ("tc", "time_control", text),
    ("st", "move_time_s", number),
    ("nodes", "nodes", whole_number),
    ("depth", "depth", whole_number),
    ("threads", "threads", whole_number),
    ("hash", "hash_mib", whole_number),
    ("rating", "rating", number),
    ("time_factor", "time_factor", number),
];

#[allow(clippy::unnecessary_wraps, reason = "as all that read a value")]
fn text(value: &str) -> Result<toml::Value, String> {
    Ok(value.into())
}

fn number(value: &str) -> Result<toml::Value, String> {
    seconds(value).map(toml::Value::from).map_err(|_| "a number expected".to_owned())
}

fn whole_number(value: &str) -> Result<toml::Value, String> {
    whole(value).map(toml::Value::from)
}

fn own_key(word: &str) -> Option<(&'static Key, &str)> {
    let (key, value) = word.split_once('=')?;
    KEYS.iter().find(|(own, ..)| *own == key).map(|own| (own, value))
}

/// A word with the key of an engine as `EngineSpec` calls it.
fn usual(word: String) -> String {
    let other = word.split_once('=').and_then(|(key, value)| {
        let (_, usual) = OTHER_WORDS.iter().find(|(other, _)| *other == key)?;
        Some(format!("{usual}={value}"))
    });
    other.unwrap_or(word)
}

/// Reads the words of an option that are keys of an entry, and leaves those of its engine.
fn read(words: Vec<String>) -> Result<(toml::Table, Vec<String>), String> {
    let (mut table, mut engine) = (toml::Table::new(), Vec::new());
    for word in words {
        if let Some((&(key, name, read), value)) = own_key(&word) {
            let value = read(value).map_err(|what| format!("{key}={value} found, {what}"))?;
            table.insert(name.to_owned(), value);
            continue;
        }
        let key = word.split_once('=').map(|(key, _)| key);
        if let Some(key) = key.filter(|key| OF_SWEEPS.contains(key)) {
            return Err(format!("{key}= found, none expected: it is for `ttd run`"));
        }
        engine.push(usual(word));
    }
    Ok((table, engine))
}

/// An entry of keys that were read, and of words of its engine.
fn entry(mut table: toml::Table, engine: Vec<String>) -> Result<PartialEntry, String> {
    let spec = EngineSpec::of_words(engine)?;
    let words = |e: &str| in_words(e);
    let mut outside = toml::Table::try_from(&spec).map_err(|e| words(&e.to_string()))?;
    // A protocol that nobody named must not hide that of `--each`.
    let unnamed = |key: &str| key == "protocol" && spec.protocol == Protocol::default();
    outside.retain(|key, _| PartialEntry::OUTSIDE.contains(&key) && !unnamed(key));
    table.extend(outside);
    table.insert("name".to_owned(), spec.name.into());
    table.try_into().map_err(|e: toml::de::Error| words(e.message()))
}

impl PartialEntry {
    /// Reads an outside engine: a command, or keys with values.
    pub(super) fn spoken(text: &str) -> Result<PartialEntry, String> {
        let words = shell_words::split(text).map_err(|e| format!("`{text}` found: {e}"))?;
        let (table, engine) = read(words)?;
        if engine.is_empty() && !table.is_empty() {
            return Err(format!("`{text}` found, a command expected too (command=)"));
        }
        entry(table, engine)
    }

    /// Reads the keys of every engine.
    pub(super) fn of_each(text: &str) -> Result<PartialEntry, String> {
        let words = shell_words::split(text).map_err(|e| format!("`{text}` found: {e}"))?;
        let (table, mut engine) = read(words)?;
        for word in &engine {
            let key = word.split_once('=').map(|(key, _)| key);
            if !EngineSpec::is_assignment(word) || matches!(key, Some("name" | "command")) {
                let what = "a key of every engine expected, such as threads=2 or option.NAME=VALUE";
                return Err(format!("`{word}` found, {what}"));
            }
        }
        // The command stands for that of each engine.
        engine.push("command=each".to_owned());
        let each = entry(table, engine)?;
        for (key, said) in [("rating", each.rating), ("time_factor", each.time_factor)] {
            if said.is_some() {
                return Err(format!("{key}= found, none expected: it is for one engine"));
            }
        }
        Ok(PartialEntry { name: None, command: None, ..each })
    }

    /// This entry with the keys of every engine, as far as it does not have its own.
    #[must_use]
    pub(super) fn filled(self, each: &PartialEntry) -> PartialEntry {
        if self.command.is_none() {
            return self;
        }
        self.with_outside_of(each)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toml(entry: &PartialEntry) -> String {
        toml::to_string(entry).expect("TOML")
    }

    #[test]
    fn an_entry_is_a_command_or_keys() {
        let entry = PartialEntry::spoken("./bin/gnuchess -u").expect("an engine");
        let expected = "name = \"gnuchess\"\ncommand = [\"./bin/gnuchess\", \"-u\"]\n";
        assert_eq!(toml(&entry), expected);
        let text = "tc=5+0.05 name=old 'cmd=./old -x' proto=xboard option.Style=solid threads=2";
        let entry = PartialEntry::spoken(text).expect("an engine");
        let expected = "name = \"old\"\ntime_control = \"5+0.05\"\nthreads = 2\n\
                        command = [\"./old\", \"-x\"]\nprotocol = \"xboard\"\n\n\
                        [options]\nStyle = \"solid\"\n";
        assert_eq!(toml(&entry), expected);
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for (text, what) in [
            ("", "empty"),
            ("tc=5", "`tc=5` found, a command expected too"),
            ("name=x tc=5", "`name=x` found, a command expected"),
            ("nodes=many command=x", "nodes=many found, a whole number expected"),
            ("command=x st=fast", "st=fast found, a number expected"),
            ("command=x end=bestmove", "end= found, none expected: it is for `ttd run`"),
            ("command=x y", "`y` found, KEY=VALUE expected"),
        ] {
            let refused = PartialEntry::spoken(text).expect_err(text);
            assert!(refused.starts_with(what), "{text}: {refused}");
        }
        for (text, what) in [
            ("stockfish", "`stockfish` found, a key of every engine expected"),
            ("name=x", "`name=x` found, a key of every engine expected"),
            ("rating=5", "rating= found, none expected: it is for one engine"),
        ] {
            let refused = PartialEntry::of_each(text).expect_err(text);
            assert!(refused.starts_with(what), "{text}: {refused}");
        }
    }

    #[test]
    fn an_engine_keeps_its_own_keys() {
        let each = "option.Hash=4 option.Book=false protocol=xboard";
        let each = PartialEntry::of_each(each).expect("keys");
        let entry = PartialEntry::spoken("command=x option.Hash=8").expect("an engine");
        let expected = "name = \"x\"\ncommand = [\"x\"]\nprotocol = \"xboard\"\n\n\
                        [options]\nHash = 8\nBook = false\n";
        let filled = entry.filled(&each);
        let lines = |text: &str| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(lines(&toml(&filled)), lines(expected));
        assert_eq!(PartialEntry::default().filled(&each), PartialEntry::default(), "ours");
    }
}
