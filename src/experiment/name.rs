//! The name of an experiment that the user did not name.

use super::keys::{Experiment, PartialExperiment};
use crate::records::{TomlFile, hash};
use serde::Serialize;
use std::fmt::Write as _;
use toml::Table;

/// The name in the file, else the file's own name, else `default`. Options that make another
/// experiment of it add a hash of their values, and without a file the name is `run`. So two
/// experiments do not meet in one results directory. The number of rounds makes no other
/// experiment.
pub(super) fn suggest(
    file: Option<&TomlFile<PartialExperiment>>,
    options: &PartialExperiment,
) -> String {
    let said = file.map(|file| file.partial.clone()).unwrap_or_default();
    let stem = || Some(file?.path.file_stem()?.to_string_lossy().into_owned());
    let default = Experiment::default();
    let own = said.name.clone().or_else(stem);
    let [said, defaults, options] = [table(&said), table(&default), table(options)];
    let mut changes = String::new();
    for key in Experiment::KEYS.iter().filter(|key| key.in_names) {
        let before = said.get(key.name).or_else(|| defaults.get(key.name));
        let option = options.get(key.name);
        if let Some(option) = option.filter(|option| Some(*option) != before) {
            // Writing to a string cannot fail.
            let _ = write!(changes, "{}={option};", key.name);
        }
    }
    match (own, changes.is_empty()) {
        (own, true) => own.unwrap_or(default.name),
        (own, false) => {
            let own = own.unwrap_or_else(|| "run".to_owned());
            format!("{own}-{:06x}", hash(&changes) & 0xff_ffff)
        }
    }
}

fn table(of: &impl Serialize) -> Table {
    Table::try_from(of).unwrap_or_default()
}
