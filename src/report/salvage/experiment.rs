//! An experiment of another version, as far as this one knows it.

use crate::experiment::{EXPERIMENT, Experiment};
use crate::records::read_toml;
use std::path::Path;
use toml::{Table, Value};
use ttd_search::searchers::Searcher;

/// The known part of an experiment.
pub(super) struct Known {
    /// The experiment, without the searchers that this version does not know.
    pub(super) experiment: Experiment,
    /// The names of these searchers; at least one.
    pub(super) unknown: Vec<String>,
    /// A message about each, with the file and the line.
    pub(super) words: Vec<String>,
}

/// The experiment of a results directory, if its only faults are names of searchers that this
/// version does not know.
pub(super) fn known(dir: &Path) -> Option<Known> {
    let text = read_toml(&dir.join(EXPERIMENT)).ok()?;
    let mut table: Table = text.parse().ok()?;
    let mut unknown: Vec<String> = Vec::new();
    let mut keep = |name: Option<&str>| {
        let Some(name) = name.filter(|name| name.parse::<Searcher>().is_err()) else { return true };
        if !unknown.iter().any(|known| known == name) {
            unknown.push(name.to_owned());
        }
        false
    };
    if let Some(Value::Array(searchers)) = table.get_mut("searchers") {
        searchers.retain(|name| keep(name.as_str()));
    }
    if let Some(Value::Array(variants)) = table.get_mut("variants") {
        variants.retain(|variant| keep(variant.get("searcher").and_then(Value::as_str)));
    }
    if unknown.is_empty() {
        return None;
    }
    // The parameters and costs of unknown searchers are tables with their names.
    for section in ["searcher", "virtual"] {
        if let Some(Value::Table(inner)) = table.get_mut(section) {
            inner.retain(|name, _| !unknown.iter().any(|unknown| unknown == name));
        }
    }
    let experiment = toml::from_str(&table.to_string()).ok()?;
    let words = |name: &String| {
        let quoted = format!("\"{name}\"");
        let line = text.lines().position(|line| line.contains(&quoted)).map_or(1, |at| at + 1);
        format!("{EXPERIMENT}:{line}: there is no searcher `{name}` in this version")
    };
    Some(Known { experiment, words: unknown.iter().map(words).collect(), unknown })
}
