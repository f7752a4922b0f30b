//! The places of keys in a TOML text, and the errors there, in a user's words.

use super::refusal::Refusal;
use std::borrow::Cow;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Words of the library's messages, with the words of TOML that replace them.
const WORDS: [(&str, &str); 11] = [
    ("as i128, expected i64", "expected a whole number below 2^63"),
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

/// The refusal of a file, with its line and key.
pub(crate) fn refusal(path: &Path, text: &str, error: &toml::de::Error) -> Refusal {
    let what = in_words(error.message());
    let Some(span) = error.span() else {
        return Refusal::new(path.display().to_string(), what);
    };
    let table = DeTable::parse(text).ok();
    let keys = table.and_then(|table| keys_at(table.get_ref(), span.start));
    let key = keys.map(|keys| keys.join("."));
    let key = key.or_else(|| key_at(text, span.start));
    Refusal::new(place(path, text, span.start, key.as_deref()), what)
}

/// The place of a key as `FILE:LINE: KEY`; without a line if the text lacks the key. `keys` is the
/// key with the tables it is in. After an array of tables comes the index in it, from 0.
pub(super) fn place_of(path: &Path, text: &str, keys: &[&str]) -> String {
    let named = keys.iter().filter(|key| key.parse::<usize>().is_err());
    let key = named.copied().collect::<Vec<_>>().join(".");
    let table = DeTable::parse(text).ok();
    match table.and_then(|table| offset_of(table.get_ref(), keys)) {
        Some(offset) => place(path, text, offset, Some(&key)),
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

/// The deepest key whose name or value has the byte at `offset`, with the tables it is in.
fn keys_at(table: &DeTable<'_>, offset: usize) -> Option<Vec<String>> {
    let deeper = |found: Vec<String>, next: Vec<String>| {
        if next.len() > found.len() { next } else { found }
    };
    let keys = |(key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
        let inner = match value.get_ref() {
            DeValue::Table(inner) => keys_at(inner, offset),
            DeValue::Array(list) => {
                let tables = list.iter().filter_map(|item| item.get_ref().as_table());
                tables.filter_map(|inner| keys_at(inner, offset)).reduce(deeper)
            }
            _ => None,
        };
        let is_here = key.span().contains(&offset) || value.span().contains(&offset);
        let below = inner.or_else(|| is_here.then(Vec::new))?;
        Some([vec![key.get_ref().to_string()], below].concat())
    };
    table.iter().filter_map(keys).reduce(deeper)
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
