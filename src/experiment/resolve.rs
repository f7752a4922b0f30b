//! From what a user says to a whole experiment: options override the file, the file overrides the
//! defaults, and whatever is impossible is refused where it was said.

use super::draft::{Draft, DraftFile, ThreadList};
use super::name::suggest;
use super::spec::{Base, CoresKind, Experiment};
use crate::cores::CostModel;
use crate::engine::Features;
use crate::positions::{self, PositionsError, TestPosition};
use crate::search::MAX_DEPTH;
use crate::searchers::Searcher;
use std::ops::RangeInclusive;
use std::path::Path;

/// The greatest number of workers.
pub const MAX_THREADS: usize = 1024;
/// The longest time limit, in seconds.
const MAX_TIME_LIMIT_S: f64 = 1_000_000.0;
/// The time that a virtual sample may take on the host, in seconds, unless said otherwise.
const HOST_LIMIT_S: f64 = 3600.0;
/// What a virtual worker takes: its caches, its history, and as much of its stack as it uses.
const VIRTUAL_WORKER_KIB: usize = 2048;

/// Why something is not an experiment: where it was said, and what was expected.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {what}")]
pub struct SpecError {
    place: String,
    what: String,
}

impl SpecError {
    pub(super) fn new(place: String, what: String) -> SpecError {
        SpecError { place, what }
    }
}

/// Why an experiment cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// A key or an option says something impossible.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Its position set is wrong.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}

/// An experiment and the positions it is about.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The experiment.
    pub experiment: Experiment,
    /// The positions to be searched, in the order of their set.
    pub positions: Vec<TestPosition>,
}

/// What was said, and where.
struct Sources<'a> {
    file: Option<&'a DraftFile>,
    options: &'a Draft,
}

/// Puts an experiment together. `memory_mib` is what a table may take on this machine, if known.
///
/// # Errors
/// If a value is impossible, with the file, line and key, or the option, that said it.
pub fn resolve(
    file: Option<&DraftFile>,
    options: &Draft,
    memory_mib: Option<u64>,
) -> Result<Resolved, ResolveError> {
    let default = Experiment::default();
    let sources = Sources { file, options };
    let said = file.map_or_else(Draft::default, |file| file.draft.clone());
    let said = options.clone().over(said);

    let searchers = sources.searchers(said.searchers.as_ref())?;
    let threads = sources.threads(said.threads.as_ref())?;
    let set = sources.position_set();
    let (only, positions) = sources.positions(&set, said.only.as_ref())?;
    let most_memory = memory_mib.map_or(i64::MAX, |mib| i64::try_from(mib).unwrap_or(i64::MAX));
    let integer = |key, value: Option<i64>, default: i64, range| {
        sources.integer(key, value.unwrap_or(default), &range)
    };
    let depth = integer("depth", said.depth, default.depth.into(), 1..=MAX_DEPTH.into())?;
    let runs = integer("runs", said.runs, default.runs.into(), 1..=1_000_000)?;
    let hash = integer("hash_mib", said.hash_mib, default.hash_mib as i64, 1..=most_memory)
        .map_err(|e| e.because(memory_mib.is_some(), " (the memory that is available, in MiB)"))?;
    let seed = integer("seed", said.seed, default.seed as i64, 0..=i64::MAX)?;
    let cores = sources.cores(said.cores.as_ref())?;
    let host_limit_s = sources.limit("host_limit_s", said.host_limit_s, HOST_LIMIT_S)?;
    let cost_model = sources.cost_model(said.cost_model.as_ref())?;
    let experiment = Experiment {
        name: sources.name()?,
        positions: set,
        only,
        searchers,
        threads,
        depth: depth as u8,
        runs: runs as u32,
        hash_mib: hash as usize,
        time_limit_s: sources.limit("time_limit_s", said.time_limit_s, default.time_limit_s)?,
        host_limit_s: (cores == CoresKind::Virtual).then_some(host_limit_s),
        cores,
        seed: seed as u64,
        base: sources.base(said.base.as_ref())?,
        engine: sources.engine(said.engine.as_ref())?,
        searcher: said.searcher.clone().unwrap_or_default(),
        cost_model: (cores == CoresKind::Virtual).then_some(cost_model),
    };
    sources.check_base(&experiment)?;
    sources.check_virtual(&experiment, memory_mib)?;
    Ok(Resolved { experiment, positions })
}

impl SpecError {
    fn because(mut self, when: bool, why: &str) -> SpecError {
        if when {
            self.what.push_str(why);
        }
        self
    }
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
            "hash_mib" => o.hash_mib.map(|_| "--hash"),
            "time_limit_s" => o.time_limit_s.map(|_| "--time-limit"),
            "cores" => o.cores.as_ref().map(|_| "--cores"),
            "seed" => o.seed.map(|_| "--seed"),
            "base" => o.base.as_ref().map(|_| "--base"),
            _ => None,
        };
        match (option, self.file) {
            (Some(option), _) => option.to_owned(),
            (None, Some(file)) => file.place(&[key]),
            (None, None) => format!("the default of {key}"),
        }
    }

    fn error(&self, key: &str, what: impl Into<String>) -> SpecError {
        SpecError::new(self.place(key), what.into())
    }

    fn integer(
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

    fn searchers(&self, names: Option<&Vec<String>>) -> Result<Vec<Searcher>, SpecError> {
        let Some(names) = names else { return Ok(Experiment::default().searchers) };
        let mut searchers = Vec::new();
        for name in names {
            let searcher = name.parse().map_err(|e: String| self.error("searchers", e))?;
            if !searchers.contains(&searcher) {
                searchers.push(searcher);
            }
        }
        if searchers.is_empty() {
            let all = Searcher::ALL.map(Searcher::name).join(", ");
            return Err(self.error("searchers", format!("empty: expected at least one of {all}")));
        }
        Ok(searchers)
    }

    fn threads(&self, list: Option<&ThreadList>) -> Result<Vec<usize>, SpecError> {
        let Some(ThreadList(list)) = list else { return Ok(Experiment::default().threads) };
        if list.is_empty() {
            return Err(self.error("threads", "empty: expected a list such as 1,2,4"));
        }
        let range = 1..=MAX_THREADS as i64;
        list.iter().map(|&n| self.integer("threads", n, &range).map(|n| n as usize)).collect()
    }

    /// A name of a set, or a path: one in a file is relative to that file.
    fn position_set(&self) -> String {
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

    fn positions(
        &self,
        set: &str,
        only: Option<&Vec<String>>,
    ) -> Result<(Vec<String>, Vec<TestPosition>), ResolveError> {
        let all = positions::load(set).map_err(|error| match error {
            PositionsError::Unknown { .. } => self.error("positions", error.to_string()).into(),
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

    fn limit(&self, key: &str, limit: Option<f64>, default: f64) -> Result<f64, SpecError> {
        let limit = limit.unwrap_or(default);
        if (0.001..=MAX_TIME_LIMIT_S).contains(&limit) {
            return Ok(limit);
        }
        let what = format!("{limit} found, seconds from 0.001 to {MAX_TIME_LIMIT_S} expected");
        Err(self.error(key, what))
    }

    fn cores(&self, word: Option<&String>) -> Result<CoresKind, SpecError> {
        match word.map_or("real", String::as_str) {
            "real" => Ok(CoresKind::Real),
            "virtual" => Ok(CoresKind::Virtual),
            other => Err(self.error("cores", format!("`{other}` found, real or virtual expected"))),
        }
    }

    fn cost_model(&self, table: Option<&toml::Table>) -> Result<CostModel, SpecError> {
        let empty = toml::Table::new();
        CostModel::resolve(table.unwrap_or(&empty)).map_err(|what| self.named("virtual", what))
    }

    fn base(&self, word: Option<&String>) -> Result<Base, SpecError> {
        match word.map_or("same-searcher", String::as_str) {
            "same-searcher" => Ok(Base::SameSearcher),
            "sequential" => Ok(Base::Sequential),
            other => Err(self
                .error("base", format!("`{other}` found, same-searcher or sequential expected"))),
        }
    }

    fn engine(&self, table: Option<&toml::Table>) -> Result<Features, SpecError> {
        let empty = toml::Table::new();
        Features::resolve(table.unwrap_or(&empty)).map_err(|what| self.named("engine", what))
    }

    /// An error about the key that it names, in a table of the file.
    fn named(&self, table: &str, what: String) -> SpecError {
        let place = match self.file {
            Some(file) => file.place_of_named(table, &what),
            None => table.to_owned(),
        };
        SpecError::new(place, what)
    }

    /// Virtual workers need memory, and runs of a cell need something that makes them differ.
    fn check_virtual(
        &self,
        experiment: &Experiment,
        memory_mib: Option<u64>,
    ) -> Result<(), SpecError> {
        let Some(model) = experiment.cost_model else { return Ok(()) };
        if experiment.runs > 1 && model.jitter_permille == 0 {
            let what = format!(
                "{} found, 1 expected: with jitter_permille = 0 every run of a cell is the same",
                experiment.runs
            );
            return Err(self.error("runs", what));
        }
        let most = experiment.threads.iter().copied().max().unwrap_or(1);
        let needed = experiment.hash_mib as u64 + (most * VIRTUAL_WORKER_KIB / 1024) as u64;
        if memory_mib.is_some_and(|available| needed > available) {
            let what = format!(
                "{most} virtual cores and the table need {needed} MiB; {} are available",
                memory_mib.unwrap_or_default()
            );
            return Err(self.error("threads", what));
        }
        Ok(())
    }

    /// A speedup needs its base among what is measured.
    fn check_base(&self, experiment: &Experiment) -> Result<(), SpecError> {
        let parallel = experiment.searchers.iter().any(|&s| s != Searcher::Sequential);
        match experiment.base {
            Base::SameSearcher if parallel && !experiment.threads.contains(&1) => Err(self.error(
                "threads",
                "1 is missing: a speedup is relative to the same searcher at one thread \
                     (or to the searcher sequential, with base sequential)",
            )),
            Base::Sequential if !experiment.searchers.contains(&Searcher::Sequential) => Err(self
                .error(
                    "searchers",
                    "sequential is missing: with base sequential, a speedup is relative to it",
                )),
            _ => Ok(()),
        }
    }

    /// The name given, or that of the file, with what the options change: so that two experiments
    /// do not meet in one results directory.
    fn name(&self) -> Result<String, SpecError> {
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

#[cfg(test)]
mod tests;
