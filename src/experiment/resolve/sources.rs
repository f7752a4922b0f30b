//! Each key of an experiment: where it was said, and whether it is possible.

use super::contenders::check_waits;
use super::{MAX_SAMPLES, MAX_THREADS, ResolveError, SpecError};
use crate::experiment::contender::Contender;
use crate::experiment::draft::{Draft, DraftFile, NumberList};
use crate::experiment::name::suggest;
use crate::experiment::spec::{Base, CoresKind, Experiment};
use crate::experiment::toml_place::in_words;
use std::ops::RangeInclusive;
use std::path::Path;
use ttd_search::engine::Features;
use ttd_search::positions::{self, PositionsError, TestPosition};
use ttd_search::searchers::{Costs, Settings};
use ttd_search::value::{Table, Value};

/// The longest time limit, in seconds.
const MAX_TIME_LIMIT_S: f64 = 1_000_000.0;
/// What a virtual worker takes: its caches, its history, and as much of its stack as it uses.
const VIRTUAL_WORKER_MIB: u64 = 2;

/// The memory that a search on `workers` virtual cores takes, with its table, MiB.
pub fn simulation_mib(hash_mib: usize, workers: usize) -> u64 {
    hash_mib as u64 + workers as u64 * VIRTUAL_WORKER_MIB
}

/// What was said, and where.
pub(super) struct Sources<'a> {
    pub(super) file: Option<&'a DraftFile>,
    pub(super) options: &'a Draft,
}

impl Sources<'_> {
    /// Where the value of a key comes from: an option, a line of the file, or the defaults.
    fn place(&self, key: &str) -> String {
        let o = self.options;
        let option = match key {
            "name" => o.name.as_ref().map(|_| "--name"),
            "positions" => o.positions.as_ref().map(|_| "--positions"),
            "only" => o.only.as_ref().map(|_| "--only"),
            "searchers" => o.searchers.as_ref().map(|_| "--searchers"),
            "threads" => o.threads.as_ref().map(|_| "--threads"),
            "depth" => o.depth.map(|_| "--depth"),
            "runs" => o.runs.map(|_| "--runs"),
            "until" => o.until.map(|_| "--until"),
            "hash_mib" => o.hash_mib.map(|_| "--hash"),
            "time_limit_s" => o.time_limit_s.map(|_| "--time-limit"),
            "cores" => o.cores.as_ref().map(|_| "--cores"),
            "seed" => o.seed.map(|_| "--seed"),
            "base" => o.base.as_ref().map(|_| "--base"),
            "pin" => o.pin.as_ref().map(|_| "--pin"),
            "engines" => o.engines.as_ref().map(|_| "--engine"),
            _ => None,
        };
        match (option, self.file) {
            (Some(option), _) => option.to_owned(),
            (None, Some(file)) => file.place(&[key]),
            (None, None) => format!("the default of {key}"),
        }
    }

    pub(super) fn error(&self, key: &str, what: impl Into<String>) -> SpecError {
        SpecError::new(self.place(key), what.into())
    }

    /// Where the file says a key that is in tables, and no option's. A number stands for a table of an array.
    pub(super) fn place_at(&self, keys: &[&str]) -> String {
        self.file.map_or_else(|| keys.join("."), |file| file.place(keys))
    }

    pub(super) fn error_at(&self, keys: &[&str], what: String) -> SpecError {
        SpecError::new(self.place_at(keys), what)
    }

    pub(super) fn integer(
        &self,
        key: &str,
        value: i64,
        range: &RangeInclusive<i64>,
    ) -> Result<i64, SpecError> {
        if range.contains(&value) {
            return Ok(value);
        }
        let (least, most) = (range.start(), range.end());
        Err(self.error(key, format!("{value} found, {least} to {most} expected")))
    }

    pub(super) fn threads(&self, list: Option<&NumberList>) -> Result<Vec<usize>, SpecError> {
        let Some(NumberList(list)) = list else { return Ok(Experiment::default().threads) };
        if list.is_empty() {
            return Err(self.error("threads", "empty: expected a list such as 1,2,4"));
        }
        let range = 1..=MAX_THREADS as i64;
        list.iter().map(|&n| self.integer("threads", n, &range).map(|n| n as usize)).collect()
    }

    /// A name of a set, or a path: one in a file is relative to that file.
    pub(super) fn position_set(&self) -> String {
        if let Some(set) = &self.options.positions {
            return set.clone();
        }
        let Some((file, set)) = self.file.and_then(|f| Some((f, f.draft.positions.as_ref()?)))
        else {
            return Experiment::default().positions;
        };
        if positions::is_built_in(set) {
            return set.clone();
        }
        let dir = file.path.parent().unwrap_or(Path::new(""));
        dir.join(set).to_string_lossy().into_owned()
    }

    pub(super) fn positions(
        &self,
        set: &str,
        only: Option<&Vec<String>>,
    ) -> Result<(Vec<String>, Vec<TestPosition>), ResolveError> {
        let all = positions::load(set).map_err(|error| match error {
            PositionsError::Unknown { .. } | PositionsError::Missing { .. } => {
                let in_file = self.file.and_then(|file| file.draft.positions.as_deref());
                let said = self.options.positions.as_deref().or(in_file).unwrap_or(set);
                let error = PositionsError::not_found(said, set);
                self.error("positions", error.to_string()).into()
            }
            error => ResolveError::from(error),
        })?;
        let mut ids = Vec::new();
        for wanted in only.into_iter().flatten() {
            // Ids may hold commas themselves: the whole text comes first.
            let whole = positions::find_id(&all, wanted);
            let found = match whole {
                Err(_) if wanted.contains(',') => {
                    wanted.split(',').map(|part| positions::find_id(&all, part.trim())).collect()
                }
                whole => whole.map(|id| vec![id]),
            };
            ids.extend(found.map_err(|e| self.error("only", e))?);
        }
        let wanted = |p: &TestPosition| ids.is_empty() || ids.contains(&p.id);
        let positions: Vec<_> = all.into_iter().filter(wanted).collect();
        // In the order of the set, so that the same choice is the same experiment.
        let ids =
            if ids.is_empty() { ids } else { positions.iter().map(|p| p.id.clone()).collect() };
        Ok((ids, positions))
    }

    pub(super) fn limit(
        &self,
        key: &str,
        limit: Option<f64>,
        default: f64,
    ) -> Result<f64, SpecError> {
        let limit = limit.unwrap_or(default);
        if (0.001..=MAX_TIME_LIMIT_S).contains(&limit) {
            return Ok(limit);
        }
        let what = format!("{limit} found, seconds from 0.001 to {MAX_TIME_LIMIT_S} expected");
        Err(self.error(key, what))
    }

    pub(super) fn cores(&self, word: Option<&String>) -> Result<CoresKind, SpecError> {
        match word.map_or("real", String::as_str) {
            "real" => Ok(CoresKind::Real),
            "virtual" => Ok(CoresKind::Virtual),
            other => Err(self.error("cores", format!("`{other}` found, real or virtual expected"))),
        }
    }

    pub(super) fn base(&self, word: Option<&String>) -> Result<Base, SpecError> {
        match word.map_or("same-searcher", String::as_str) {
            "same-searcher" => Ok(Base::SameSearcher),
            "sequential" => Ok(Base::Sequential),
            other => Err(self
                .error("base", format!("`{other}` found, same-searcher or sequential expected"))),
        }
    }

    pub(super) fn engine(&self, table: Option<&Table>) -> Result<Features, SpecError> {
        self.table(&["engine"], table, Features::resolve)
    }

    /// The searchers' own parameters.
    pub(super) fn searcher(
        &self,
        settings: Option<&Settings>,
        cores: CoresKind,
    ) -> Result<Settings, SpecError> {
        let settings = settings.cloned().unwrap_or_default();
        let place = |searcher: &str, key: &str| self.place_at(&["searcher", searcher, key]);
        settings.check().map_err(|wrong| {
            let what = format!("{} found, {} expected", wrong.value, wrong.expected());
            SpecError::new(place(wrong.searcher, wrong.key), what)
        })?;
        check_waits(&settings, cores, place)?;
        Ok(settings)
    }

    pub(super) fn costs(&self, table: Option<&Table>) -> Result<Costs, SpecError> {
        self.table(&["virtual"], table, Costs::resolve)
    }

    /// A table that explains itself what is wrong with it; found here is where.
    pub(super) fn table<T>(
        &self,
        name: &[&str],
        table: Option<&Table>,
        resolve: impl Fn(&Table) -> Result<T, String>,
    ) -> Result<T, SpecError> {
        let empty = Table::new();
        let table = table.unwrap_or(&empty);
        resolve(table).map_err(|what| {
            let place = self.file.map_or_else(
                || name.join("."),
                |file| {
                    let keys = file.named_below(name, &what).unwrap_or_else(|| {
                        let below = refused_alone(table, &what, &resolve).unwrap_or_default();
                        name.iter().map(|key| (*key).to_owned()).chain(below).collect()
                    });
                    file.place(&keys.iter().map(String::as_str).collect::<Vec<_>>())
                },
            );
            SpecError::new(place, in_words(&what))
        })
    }

    /// Virtual workers need memory, and runs of a cell need something that makes them differ.
    pub(super) fn check_virtual(
        &self,
        experiment: &Experiment,
        memory_mib: Option<u64>,
    ) -> Result<(), SpecError> {
        let Some(costs) = &experiment.costs else { return Ok(()) };
        if experiment.runs > 1 && !costs.vary() {
            let what = format!(
                "{} found, 1 expected: with jitter_permille = 0 every run of a cell is the same",
                experiment.runs
            );
            return Err(self.error("runs", what));
        }
        let most = experiment.threads.iter().copied().max().unwrap_or(1);
        let needed = simulation_mib(experiment.hash_mib, most);
        if let Some(available) = memory_mib.filter(|&available| needed > available) {
            let what = format!(
                "{most} virtual cores and the table need {needed} MiB; {available} are available"
            );
            return Err(self.error("threads", what));
        }
        Ok(())
    }

    /// A plan is kept in memory.
    pub(super) fn check_size(
        &self,
        experiment: &Experiment,
        positions: usize,
    ) -> Result<(), SpecError> {
        let counts = |contender: Contender| experiment.threads_of(contender).len();
        let cells = experiment.contenders().into_iter().map(counts).sum::<usize>() * positions;
        let most = MAX_SAMPLES / (cells as u64).max(1);
        if u64::from(experiment.runs) <= most {
            return Ok(());
        }
        let (runs, why) =
            (experiment.runs, format!("{cells} cells, and at most {MAX_SAMPLES} samples"));
        Err(match most {
            0 => self.error("threads", format!("too many with so many positions: {why}")),
            _ => self.error("runs", format!("{runs} found, 1 to {most} expected: {why}")),
        })
    }

    /// The name given, or that of the file, with what the options change: so that two experiments
    /// do not meet in one results directory.
    pub(super) fn name(&self) -> Result<String, SpecError> {
        let o = self.options;
        if let Some(name) = &o.name {
            return self.check_name(name);
        }
        let name = suggest(self.file, o);
        self.check_name(&name)
    }

    fn check_name(&self, name: &str) -> Result<String, SpecError> {
        let bad = |c: char| c == '/' || c == '\\' || c.is_control();
        if name.trim().is_empty() || name.starts_with('.') || name.contains(bad) {
            let what = format!("`{name}` found, a name that can be a directory's expected");
            return Err(self.error("name", what));
        }
        Ok(name.to_owned())
    }
}

/// The key of a table that alone is refused in the same words, with the tables it is in:
/// messages about a type name the value but not the key.
fn refused_alone<T>(
    table: &Table,
    what: &str,
    resolve: &impl Fn(&Table) -> Result<T, String>,
) -> Option<Vec<String>> {
    table.iter().find_map(|(key, value)| {
        let refused = |value: Value| {
            let alone = Table::from_iter([(key.clone(), value)]);
            resolve(&alone).is_err_and(|why| why == what)
        };
        if !refused(value.clone()) {
            return None;
        }
        let inner = value.as_table().into_iter().flatten().find(|(inner, value)| {
            refused(Value::Table(Table::from_iter([((*inner).clone(), (*value).clone())])))
        });
        Some([Some(key), inner.map(|(inner, _)| inner)].into_iter().flatten().cloned().collect())
    })
}
