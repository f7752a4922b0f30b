//! Reading, writing and the positions of a resolved experiment.

use super::competitor::Competitor;
use super::keys::Experiment;
use crate::records::{CoresKind, ReadError, check_format, count, read, read_text, read_toml};
use std::io::ErrorKind;
use std::path::Path;
use ttd_search::cores::{Dilation, Time};
use ttd_search::positions::{
    self, BadLines, FileError, PositionSet, PositionsError, TestPosition, parse_fen,
};
use ttd_search::searchers::Costs;

/// The file of a results directory that holds the resolved experiment.
pub const EXPERIMENT: &str = "experiment.toml";
/// The file of a results directory that holds a copy of the position set, so that the directory is
/// complete.
pub const POSITIONS: &str = "positions.epd";

impl Experiment {
    /// Reads `experiment.toml` of a results directory. Older programs did not write the numbers of
    /// `virtual_engines`: they had the defaults.
    ///
    /// # Errors
    /// If there is none, or [`Experiment::to_toml`] did not write it.
    pub fn read(dir: &Path) -> Result<Experiment, ReadError> {
        check_format(dir)?;
        let path = dir.join(EXPERIMENT);
        match read_toml(&path) {
            Err(source) => Err(ReadError::Io { path, source }),
            Ok(text) => {
                let mut there: Experiment = read(&path, &text)?;
                if there.cores == CoresKind::Virtual && !there.engines.is_empty() {
                    there.virtual_engines.get_or_insert_default();
                }
                Ok(there)
            }
        }
    }

    /// The positions of an experiment that was read from a results directory, in the order of their
    /// set. The directory has a copy of them. Directories of older programs have one only of a file
    /// of the user's own.
    ///
    /// # Errors
    /// If that copy cannot be read. Without one: if the program has no set of that name.
    pub fn position_set(&self, dir: &Path) -> Result<Vec<TestPosition>, PositionsError> {
        Ok(self.chosen(self.whole_set(dir)?))
    }

    /// The positions of the whole set that the experiment takes.
    pub fn chosen(&self, mut set: Vec<TestPosition>) -> Vec<TestPosition> {
        set.retain(|position| self.only.is_empty() || self.only.contains(&position.id));
        set
    }

    /// The whole set, of which the experiment takes some or all: as [`Experiment::position_set`].
    ///
    /// # Errors
    /// The errors of [`Experiment::position_set`].
    pub fn whole_set(&self, dir: &Path) -> Result<Vec<TestPosition>, PositionsError> {
        self.read_set(dir).map(|set| set.positions)
    }

    fn read_set(&self, dir: &Path) -> Result<PositionSet, PositionsError> {
        let is_built_in = positions::is_built_in(&self.positions);
        let path = dir.join(if is_built_in { POSITIONS } else { &self.positions });
        if is_built_in && !path.exists() {
            return positions::load_set(parse_fen, &self.positions, BadLines::Refuse);
        }
        let name = path.to_string_lossy();
        // The directory may come from a stranger: no pipe is waited for.
        let text = read_text(&path).map_err(|source| {
            let missing = PositionsError::not_found(&self.positions, &name);
            match missing {
                // Another version of the program may have such a set.
                PositionsError::Unknown { .. } if source.kind() == ErrorKind::NotFound => missing,
                _ => FileError::Io { path: path.clone(), source }.into(),
            }
        })?;
        positions::parse_set(parse_fen, &text, &name, BadLines::Refuse)
    }

    /// The number of lines of the user's own position file that were left out when the experiment
    /// was begun (`skip_bad`). In the directory's copy they are comments.
    ///
    /// # Errors
    /// The errors of [`Experiment::position_set`].
    pub fn lines_left_out(&self, dir: &Path) -> Result<usize, PositionsError> {
        self.read_set(dir).map(|set| set.left_out)
    }

    /// The number of used cores among `usable` ones: if workers are pinned, at most as many as they
    /// are pinned to.
    pub fn cores_among(&self, usable: usize) -> usize {
        if self.pin.is_empty() { usable } else { usable.min(self.pin.len()) }
    }

    /// The dilation of time on real cores, if there is any.
    pub fn dilation(&self) -> Option<Dilation> {
        let nodes = self.dilate_nodes.unwrap_or(Dilation::NODES);
        self.dilate.map(|factor| Dilation { factor, nodes })
    }

    /// The time on the wall clock in which a sample of this time is taken on real cores.
    pub fn wall_time(&self, time: Time) -> Time {
        Time::from_ps(time.ps().saturating_mul(self.dilate.unwrap_or(1)))
    }

    /// Checks that workers in dilated time have room on so many cores, and that the system tells
    /// whether they had.
    ///
    /// # Errors
    /// The reason why not, and the least factor that would do.
    pub fn check_dilation(&self, cores: usize) -> Result<(), String> {
        let Some(factor) = self.dilate else { return Ok(()) };
        let most = self.threads.iter().copied().max().unwrap_or(1);
        let least = Dilation::least(most, cores);
        if factor < least {
            let (threads, cores) = (count(most, "thread"), count(cores, "core"));
            return Err(format!(
                "dilate: {factor} found, {least} or more expected for {threads} on {cores}"
            ));
        }
        Dilation::check_system().map_err(|why| format!("dilate: {why}"))
    }

    /// The number of virtual processors that workers share; none if each has one of its own. Where
    /// only outside engines are measured, it is that of their threads.
    pub fn processors(&self) -> Option<usize> {
        let ours = self.costs.as_ref().and_then(Costs::processors);
        let others = || self.virtual_engines?.processors.map(|processors| processors as usize);
        if self.all_ours().next().is_some() { ours } else { others() }
    }

    /// The slowdown of a competitor's nodes on virtual cores for each further worker that searches,
    /// thousandths; none on real cores and of outside engines.
    pub fn slowdown_of(&self, competitor: Competitor) -> Option<u64> {
        let costs = self.costs.as_ref()?;
        let (_, own) = self.all_ours().find(|(ours, _)| *ours == competitor)?;
        Some(costs.of(own.searcher).slowdown_permille)
    }

    /// The text of `experiment.toml`.
    ///
    /// # Panics
    /// If the seed is above `i64::MAX`, the largest number of TOML. No resolved experiment has such
    /// a seed.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("every field has a TOML form")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Key;
    use crate::records::pages::{hold, with_sections};
    use crate::uci::{EngineCores, EngineSpec};
    use std::fmt::Write as _;

    /// The keys below `[engine]` and `[searcher]` are listed in `docs/parameters.md` and
    /// `docs/parameters-searchers.md` with their defaults, and no others are.
    #[test]
    fn parameters_are_documented() {
        let table = toml::Table::try_from(Experiment::default()).expect("a table");
        let searchers = table["searcher"].as_table().expect("a table of tables");
        let rows = searchers.iter().map(|(name, parameters)| {
            let mut text = "| key | default | values | meaning |\n|---|---|---|---|\n".to_owned();
            for (key, default) in parameters.as_table().into_iter().flatten() {
                let _ = writeln!(text, "| `{key}` | `{default}` | | |");
            }
            (format!("## `[searcher.{name}]`"), text)
        });
        let mut documented = Vec::new();
        let mut section = String::new();
        let of_engine = with_sections("parameters.md", std::iter::empty());
        let of_searchers = with_sections("parameters-searchers.md", rows);
        for line in of_engine.lines().chain(of_searchers.lines()) {
            if line.starts_with("##") {
                section = line.trim_matches(&['#', ' ', '`', '[', ']'][..]).to_owned();
            } else if let Some(row) = line.strip_prefix("| `") {
                let mut cells = row.split('`');
                let (key, default) = (cells.next(), cells.nth(1));
                let (key, default) = (key.expect("a key"), default.expect("a default"));
                documented.push(format!("{section}.{key} = {default}"));
            }
        }
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

    /// The keys of the file are listed in `docs/formats.md`, and no others are.
    #[test]
    fn keys_are_documented() {
        let defaults = toml::Table::try_from(Experiment::default()).expect("a table");
        let page = Key::page(Experiment::KEYS, &defaults);
        hold("formats.md", &[("experiment.toml", page)]);
    }

    #[test]
    fn reads_what_it_writes() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let experiment = Experiment { name: "again".to_owned(), ..Experiment::default() };
        std::fs::write(dir.path().join(EXPERIMENT), experiment.to_toml()).expect("written");
        assert_eq!(Experiment::read(dir.path()).expect("read"), experiment);
        assert!(!experiment.to_toml().contains("detail"), "as before there was the key");
        let experiment = Experiment { detail: true, ..experiment };
        std::fs::write(dir.path().join(EXPERIMENT), experiment.to_toml()).expect("written");
        assert_eq!(Experiment::read(dir.path()).expect("read"), experiment);
        assert!(!experiment.to_toml().contains("dilate"), "as before there was the key");
        let experiment = Experiment { dilate: Some(8), dilate_nodes: Some(16), ..experiment };
        std::fs::write(dir.path().join(EXPERIMENT), experiment.to_toml()).expect("written");
        assert_eq!(Experiment::read(dir.path()).expect("read"), experiment);
    }

    #[test]
    fn older_directories_have_the_default_numbers_of_engines() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let engines = vec![EngineSpec::new("x".to_owned(), vec!["./x".to_owned()])];
        let older = Experiment { engines, ..Experiment::default() };
        let read = |older: &Experiment| {
            std::fs::write(dir.path().join(EXPERIMENT), older.to_toml()).expect("written");
            Experiment::read(dir.path()).expect("read").virtual_engines
        };
        assert_eq!(read(&older), None);
        let older = Experiment { cores: CoresKind::Virtual, ..older };
        assert_eq!(read(&older), Some(EngineCores::default()));
        let said = Some(EngineCores { wake_ns: 1, ..EngineCores::default() });
        assert_eq!(read(&Experiment { virtual_engines: said, ..older }), said);
    }

    #[test]
    fn workers_in_dilated_time_need_room() {
        let threads = vec![1, 2, 5];
        let experiment = Experiment { threads, dilate: Some(9), ..Experiment::default() };
        assert_eq!(
            experiment.check_dilation(2),
            Err("dilate: 9 found, 10 or more expected for 5 threads on 2 cores".to_owned())
        );
        assert_eq!(Experiment { dilate: None, ..experiment.clone() }.check_dilation(1), Ok(()));
        assert_eq!(experiment.wall_time(Time::from_ps(7)), Time::from_ps(63));
        assert_eq!(experiment.dilation(), Some(Dilation { factor: 9, nodes: 256 }));
    }
}
