//! The places of keys in a TOML text, and the errors there, in a user's words.

use super::refusal::{Refusal, Refusals};
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use ttd_search::value::{self, Table, Value, ValueError};

/// Words of the library's messages, with the words of TOML that replace them.
const WORDS: [(&str, &str); 11] = [
    ("as i128, expected any valid TOML value", "expected a whole number below 2^63"),
    ("expected i64", "expected a whole number"),
    ("expected i32", "expected a whole number below 2^31"),
    ("expected u64", "expected a whole number from 0"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected usize", "expected a whole number from 0"),
    ("expected f64", "expected a number"),
    ("expected a sequence", "expected an array"),
    ("expected a map", "expected a table"),
];

/// A message of the library in one line, without names of Rust's types.
pub(crate) fn in_words(message: &str) -> String {
    let one_line = message.trim().replace('\n', ", ");
    WORDS.iter().fold(one_line, |text, (from, to)| text.replace(from, to))
}

/// Reads a type from a TOML text. Every mistake is told: a value that is refused is left out, and
/// the rest is read. The result is that of the rest; none if even the rest is no such type.
///
/// # Errors
/// If the text is no TOML. Nothing else can be told of it then.
pub(super) fn read_all<T: DeserializeOwned>(
    path: &Path,
    text: &str,
) -> Result<(Option<T>, Refusals), Refusal> {
    let table = DeTable::parse(text).map_err(|error| no_toml(path, text, &error))?;
    let mut mistakes = Vec::new();
    let values = table_of(table.get_ref(), &mut Vec::new(), &mut mistakes);
    let (read, more) = value::resolve_all(&values, |table| value::read(table.clone()));
    mistakes.extend(more);
    let mut refusals = Refusals::default();
    for ValueError { keys, what } in mistakes {
        let offset = offset_of(table.get_ref(), &strs(&keys));
        let place = place_at(path, text, offset, &strs(&keys));
        refusals.keep(Refusal::new(place, in_words(&what)));
    }
    Ok((read, refusals))
}

/// Reads a type from a TOML text.
///
/// # Errors
/// Every mistake of the text.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, Refusal> {
    let (read, refusals) = read_all(path, text)?;
    refusals.check_made(read)
}

fn strs(keys: &[String]) -> Vec<&str> {
    keys.iter().map(String::as_str).collect()
}

/// The values of a table. A number that is too large is left out, and told.
fn table_of(table: &DeTable<'_>, keys: &mut Vec<String>, mistakes: &mut Vec<ValueError>) -> Table {
    let mut values = Table::new();
    for (key, value) in table {
        keys.push(key.get_ref().to_string());
        values.extend(
            value_of(value, keys, mistakes).map(|value| (key.get_ref().to_string(), value)),
        );
        keys.pop();
    }
    values
}

fn value_of(
    value: &Spanned<DeValue<'_>>,
    keys: &mut Vec<String>,
    mistakes: &mut Vec<ValueError>,
) -> Option<Value> {
    match value.get_ref() {
        DeValue::Table(table) => Some(Value::Table(table_of(table, keys, mistakes))),
        DeValue::Array(items) => {
            let mut values = Vec::new();
            for (index, item) in items.iter().enumerate() {
                keys.push(index.to_string());
                values.extend(value_of(item, keys, mistakes));
                keys.pop();
            }
            Some(Value::Array(values))
        }
        _ => {
            let read = Value::deserialize(ValueDeserializer::from(value.clone()));
            read.map_err(|error| mistakes.push(ValueError::at(&strs(keys), error.message()))).ok()
        }
    }
}

/// The refusal of a text that is no TOML, with its line, and its key if that can be told.
fn no_toml(path: &Path, text: &str, error: &toml::de::Error) -> Refusal {
    let what = in_words(error.message());
    let Some(span) = error.span() else {
        return Refusal::new(path.display().to_string(), what);
    };
    Refusal::new(place(path, text, span.start, key_at(text, span.start).as_deref()), what)
}

/// The place of a key as `FILE:LINE: KEY`; without a line if the text lacks the key. `keys` is the
/// key with the tables it is in. After an array of tables comes the index in it, from 0.
pub(super) fn place_of(path: &Path, text: &str, keys: &[&str]) -> String {
    let table = DeTable::parse(text).ok();
    place_at(path, text, table.and_then(|table| offset_of(table.get_ref(), keys)), keys)
}

/// The place of a key that begins at this byte, if the text has it.
fn place_at(path: &Path, text: &str, offset: Option<usize>, keys: &[&str]) -> String {
    let named = keys.iter().filter(|key| key.parse::<usize>().is_err());
    let key = named.copied().collect::<Vec<_>>().join(".");
    match offset {
        Some(offset) => place(path, text, offset, Some(&key)),
        None if key.is_empty() => path.display().to_string(),
        None => format!("{}: {key}", path.display()),
    }
}

/// The byte at which a key begins. A number is the index of a table in an array, from 0. If a table
/// of an array lacks the last key, the table's beginning counts.
fn offset_of(table: &DeTable<'_>, keys: &[&str]) -> Option<usize> {
    let (first, rest) = keys.split_first()?;
    let (key, value) = table.iter().find(|(key, _)| key.get_ref() == first)?;
    let here = key.span().start;
    match (value.get_ref(), rest) {
        (DeValue::Table(inner), [_, ..]) => offset_of(inner, rest),
        (DeValue::Array(array), [index, rest @ ..]) => {
            let nth = array.get(index.parse::<usize>().ok()?)?;
            match nth.get_ref() {
                DeValue::Table(inner) => offset_of(inner, rest).or(Some(nth.span().start)),
                _ => Some(nth.span().start),
            }
        }
        _ => Some(here),
    }
}

/// The key of the assignment around `offset`, in a text that is not valid TOML.
fn key_at(text: &str, offset: usize) -> Option<String> {
    let line_end = text[offset..].find('\n').map_or(text.len(), |at| offset + at);
    let line = text[..line_end].lines().rev().find(|line| line.contains('='))?;
    line.split_once('=').map(|(key, _)| key.trim().to_owned())
}

fn place(path: &Path, text: &str, offset: usize, key: Option<&str>) -> String {
    let line = text[..offset].matches('\n').count() + 1;
    let key = key.map(|key| format!(": {key}")).unwrap_or_default();
    format!("{}:{line}{key}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Named {
        #[allow(dead_code, reason = "the test reads a text without it")]
        name: String,
    }

    #[test]
    fn a_text_without_a_key_is_named_once() {
        let refusal = read::<Named>(Path::new("e.toml"), "").expect_err("it has no name");
        assert_eq!(refusal.to_string(), "e.toml: missing field `name`");
    }
}
