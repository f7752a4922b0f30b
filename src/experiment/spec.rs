//! What an experiment is, with every choice written out.

use super::published::Published;
use super::variant::Variant;
use crate::records::{CoresKind, ReadError, check_format, refusal};
use crate::uci::EngineSpec;
use serde::{Deserialize, Serialize};
use std::fs;
use std::ops::Not;
use std::path::Path;
use ttd_search::engine::Features;
use ttd_search::positions::{self, PositionsError, TestPosition};
use ttd_search::searchers::{Costs, Searcher, Settings};

/// The file of a results directory that holds the resolved experiment.
pub const EXPERIMENT: &str = "experiment.toml";

/// A resolved experiment: nothing of it is left to a default. Written as `experiment.toml`, and
/// the same experiment again when read back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is called; the results go to `results/NAME` unless told otherwise.
    pub name: String,
    /// A position set of the program, by name, or the path of an EPD file.
    pub positions: String,
    /// The ids of the positions to take from the set; all of them if empty.
    pub only: Vec<String>,
    /// The searchers that are compared, each once.
    pub searchers: Vec<Searcher>,
    /// Numbers of workers, each at least 1, ascending.
    pub threads: Vec<usize>,
    /// To which depth positions are searched (1 to [`ttd_search::search::MAX_DEPTH`]).
    pub depth: u8,
    /// Rounds: how often each cell is measured (at least 1); with `until`, at most.
    pub runs: u32,
    /// How narrow the interval over runs of every geometric-mean speedup is to be before the run ends: its width
    /// over the speedup (0.001 to 1). None: after `runs` rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<f64>,
    /// Size of the transposition table in MiB (at least 1).
    pub hash_mib: usize,
    /// When a sample is stopped and counts as censored, in seconds.
    pub time_limit_s: f64,
    /// When a sample on virtual cores has failed, in seconds of the host's processors; none on real cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_limit_s: Option<f64>,
    /// What the workers run on.
    pub cores: CoresKind,
    /// Of the order of cells and of every random choice in a search.
    pub seed: u64,
    /// What a speedup is relative to.
    pub base: Base,
    /// Whom of ours the others are compared with, by name; none without variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The processors that workers may run on: one a worker, in turn, and all of them for an outside engine. Any,
    /// if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pin: Vec<usize>,
    /// Whether the figures of each worker, and of the table by depth, are kept: `workers.csv`, `depths.csv`.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub detail: bool,
    /// The engine's techniques.
    pub engine: Features,
    /// The searchers' own parameters.
    pub searcher: Settings,
    /// What things cost on virtual cores; on real ones there is none.
    #[serde(rename = "virtual", default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Costs>,
    /// Figures of somebody else, to stand beside those of the report.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// Our own engine with other settings than these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// The outside engines that are compared. Of these, the searchers and the variants there is at least one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineSpec>,
}

impl Default for Experiment {
    fn default() -> Experiment {
        Experiment {
            name: "default".to_owned(),
            positions: "middlegames".to_owned(),
            only: Vec::new(),
            searchers: Searcher::compared().to_vec(),
            threads: vec![1, 2, 4, 8],
            depth: 20,
            runs: 5,
            until: None,
            hash_mib: 256,
            time_limit_s: 120.0,
            host_limit_s: None,
            cores: CoresKind::Real,
            seed: 1,
            base: Base::SameSearcher,
            reference: None,
            pin: Vec::new(),
            detail: false,
            engine: Features::default(),
            searcher: Settings::default(),
            costs: None,
            published: None,
            variants: Vec::new(),
            engines: Vec::new(),
        }
    }
}

impl Experiment {
    /// Reads `experiment.toml` of a results directory.
    ///
    /// # Errors
    /// If there is none, or it is not what [`Experiment::to_toml`] wrote.
    pub fn read(dir: &Path) -> Result<Experiment, ReadError> {
        check_format(dir)?;
        let path = dir.join(EXPERIMENT);
        match fs::read_to_string(&path) {
            Err(source) => Err(ReadError::Io { path, source }),
            Ok(text) => toml::from_str(&text).map_err(|e| refusal(&path, &text, &e).into()),
        }
    }

    /// The positions of an experiment that was read from a results directory, in the order of their set. A file
    /// of the user's own was copied into the directory.
    ///
    /// # Errors
    /// If that copy cannot be read, or the set is none of this program's.
    pub fn position_set(&self, dir: &Path) -> Result<Vec<TestPosition>, PositionsError> {
        Ok(self.chosen(self.whole_set(dir)?))
    }

    /// Of the whole set those positions that this is about.
    pub fn chosen(&self, mut set: Vec<TestPosition>) -> Vec<TestPosition> {
        set.retain(|position| self.only.is_empty() || self.only.contains(&position.id));
        set
    }

    /// The set of which these are some or all: as [`Experiment::position_set`].
    ///
    /// # Errors
    /// The same.
    pub fn whole_set(&self, dir: &Path) -> Result<Vec<TestPosition>, PositionsError> {
        if positions::is_built_in(&self.positions) {
            positions::load(&self.positions)
        } else {
            positions::load(&dir.join(&self.positions).to_string_lossy())
        }
    }

    /// How many of so many usable cores are used: where threads are bound to some, those.
    pub fn cores_among(&self, usable: usize) -> usize {
        if self.pin.is_empty() { usable } else { usable.min(self.pin.len()) }
    }

    /// As it is written to `experiment.toml`.
    ///
    /// # Panics
    /// If the seed is beyond `i64::MAX`, the largest number of TOML. No resolved experiment's is.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field has a TOML form")
    }
}

/// What a speedup is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// The same searcher at one thread.
    SameSearcher,
    /// The searcher `sequential`.
    Sequential,
}

impl Base {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Base::SameSearcher => "the same searcher at one thread",
            Base::Sequential => "the sequential searcher",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/parameters.md` has every key below `[engine]` and `[searcher]` with its default, and no others.
    #[test]
    fn parameters_are_documented() {
        let mut documented = Vec::new();
        let mut section = "";
        for line in include_str!("../../docs/parameters.md").lines() {
            if line.starts_with("##") {
                section = line.trim_matches(&['#', ' ', '`', '[', ']'][..]);
            } else if let Some(row) = line.strip_prefix("| `") {
                let mut cells = row.split('`');
                let (key, default) = (cells.next(), cells.nth(1));
                documented.push(format!(
                    "{section}.{} = {}",
                    key.expect("a key"),
                    default.expect("a default")
                ));
            }
        }
        let table = toml::Table::try_from(Experiment::default()).expect("a table");
        let mut keys = Vec::new();
        list("engine", &table["engine"], &mut keys);
        list("searcher", &table["searcher"], &mut keys);
        documented.sort();
        keys.sort();
        assert_eq!(documented, keys);
    }

    fn list(name: &str, value: &toml::Value, keys: &mut Vec<String>) {
        match value.as_table() {
            Some(table) => {
                table.iter().for_each(|(key, value)| list(&format!("{name}.{key}"), value, keys));
            }
            None => keys.push(format!("{name} = {value}")),
        }
    }

    #[test]
    fn reads_what_it_writes() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let experiment = Experiment { name: "again".to_owned(), ..Experiment::default() };
        fs::write(dir.path().join(EXPERIMENT), experiment.to_toml()).expect("written");
        assert_eq!(Experiment::read(dir.path()).expect("read"), experiment);
        assert!(!experiment.to_toml().contains("detail"), "as before there was the key");
        let experiment = Experiment { detail: true, ..experiment };
        fs::write(dir.path().join(EXPERIMENT), experiment.to_toml()).expect("written");
        assert_eq!(Experiment::read(dir.path()).expect("read"), experiment);
    }
}
