//! The name of an experiment that the user did not name.

use super::keys::{Experiment, PartialExperiment};
use crate::records::{Key, NumberList, TomlFile};
use serde::Serialize;
use std::path::Path;
use toml::{Table, Value};

/// The most characters of a name: names become directories, so longer ones are cut.
const LONGEST: usize = 120;

/// The name in the file (else the file's own name, else `default`), with the changes that options
/// make. So two experiments do not meet in one results directory.
pub(super) fn suggest(
    file: Option<&TomlFile<PartialExperiment>>,
    options: &PartialExperiment,
) -> String {
    let said = file.map(|file| file.partial.clone()).unwrap_or_default();
    let stem = || Some(file?.path.file_stem()?.to_string_lossy().into_owned());
    let default = Experiment::default();
    let mut name = said.name.clone().or_else(stem).unwrap_or_else(|| default.name.clone());
    let [said, default, options] = [table(&said), table(&default), table(options)];
    let in_names = |key: &Key| key.in_names.map(|(at, word)| (at, word, key.name));
    let mut keys: Vec<_> = Experiment::KEYS.iter().filter_map(in_names).collect();
    keys.sort_unstable();
    for (_, word, key) in keys {
        let before = said.get(key).or_else(|| default.get(key)).map(text);
        let option = options.get(key).map(text);
        if let Some(option) = option.filter(|option| Some(option) != before.as_ref()) {
            name = format!("{name}-{word}-{option}");
        }
    }
    name.chars().take(LONGEST).collect()
}

fn table(of: &impl Serialize) -> Table {
    Table::try_from(of).unwrap_or_default()
}

/// A value in the form that it has in a name.
fn text(value: &Value) -> String {
    match value {
        // A path appears as the name of its file.
        Value::String(text) => {
            let stem = Path::new(text).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            slug(&stem.unwrap_or_else(|| text.clone()))
        }
        Value::Float(number) => number.to_string(),
        Value::Array(all) => {
            let numbers: Option<Vec<i64>> = all.iter().map(Value::as_integer).collect();
            numbers.map_or_else(|| slug(&words(all).join(",")), |list| NumberList(list).to_string())
        }
        other => other.to_string(),
    }
}

/// The texts; for tables their names.
fn words(all: &[Value]) -> Vec<&str> {
    all.iter().filter_map(|value| value.get("name").unwrap_or(value).as_str()).collect()
}

/// The text with only characters that any system allows in a directory's name.
fn slug(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".,-".contains(c);
    text.chars().map(|c| if plain(c) { c } else { '_' }).collect()
}
