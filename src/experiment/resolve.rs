//! From a partial experiment to a resolved one. Options override the file, and the file overrides
//! the defaults. An impossible value is refused, and the refusal names the file or option it came
//! from.

mod competitors;
mod engines;
mod sources;
mod until;

use super::keys::{Experiment, PartialExperiment, TIME_LIMITS_S};
use super::name::suggest;
use super::until::MOST_ROUNDS;
use crate::records::{CoresKind, ResolveError, Seen, Sources, TomlFile, seconds_in, whole_in};
use ttd_search::positions::{BadLines, PositionSet, TestPosition};
use ttd_search::searchers::Searcher;

pub use sources::simulation_mib;

/// The most workers.
pub const MAX_THREADS: usize = 1024;
/// The most samples of an experiment.
const MAX_SAMPLES: u64 = 10_000_000;
/// The default limit of the time that a virtual sample takes on the host, in seconds.
const HOST_LIMIT_S: f64 = 3600.0;

/// An experiment and its positions.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The experiment.
    pub experiment: Experiment,
    /// The positions of the experiment, in the order of their set.
    pub positions: Vec<TestPosition>,
    /// The text of the position set.
    pub set: String,
    /// The number of lines of the position file that were left out.
    pub left_out: usize,
    /// Remarks for the user on lines that were mended or left out.
    pub remarks: Vec<String>,
    /// The outside engines as they were found; empty until they are looked at.
    pub engines: Vec<Seen>,
}

/// Makes a resolved experiment. `memory_mib` is the memory that a table may take on this machine,
/// if known.
///
/// # Errors
/// If a value is impossible. The error names the file, line and key, or the option.
pub fn resolve(
    file: Option<&TomlFile<PartialExperiment>>,
    options: &PartialExperiment,
    memory_mib: Option<u64>,
) -> Result<Resolved, ResolveError> {
    let sources = Sources { file, options };
    let said = sources.said();

    let engines = sources.engines(said.engines.as_ref())?;
    let others = !engines.is_empty() || said.variants.as_ref().is_some_and(|all| !all.is_empty());
    let searchers = sources.searchers(said.searchers.as_ref(), others)?;
    let threads = sources.threads(said.threads.as_ref())?;
    let set = sources.set(|partial| partial.positions.as_ref(), &Experiment::default().positions);
    let skip_bad = said.skip_bad.unwrap_or_default();
    let bad_lines = if skip_bad { BadLines::LeaveOut } else { BadLines::Refuse };
    let (only, found) = sources.chosen(&set, said.only.as_ref(), bad_lines)?;
    let PositionSet { positions, left_out, remarks, text } = found;
    let begun = Experiment::begun(&sources, &said)?;
    let until = sources.until(said.until)?;
    let rounds = if until.is_some() { MOST_ROUNDS } else { begun.runs };
    let cores = sources.cores(said.cores.as_ref())?;
    let host_limit_s =
        seconds_in(TIME_LIMITS_S)(&sources, "host_limit_s", said.host_limit_s, HOST_LIMIT_S)?;
    let costs = sources.costs(said.costs.as_ref())?;
    let mut experiment = Experiment {
        name: sources.name(options.name.clone().unwrap_or_else(|| suggest(file, options)))?,
        positions: set,
        only,
        searchers,
        threads,
        runs: whole_in(1..=1_000_000)(&sources, "runs", said.runs, rounds)?,
        until,
        hash_mib: sources.hash_mib(said.hash_mib, begun.hash_mib, memory_mib)?,
        host_limit_s: (cores == CoresKind::Virtual).then_some(host_limit_s),
        cores,
        base: sources.base(said.base.as_ref())?,
        pin: sources.pin(said.pin.as_ref(), cores)?,
        engine: sources.engine(said.engine.as_ref())?,
        searcher: sources.searcher(said.searcher.as_ref(), cores)?,
        published: said.published.clone(),
        engines,
        ..begun
    };
    experiment.variants = sources.variants(&said, &experiment)?;
    experiment.reference = sources.reference(said.reference.as_ref(), &experiment)?;
    if cores == CoresKind::Virtual {
        let ours: Vec<Searcher> = experiment.all_ours().map(|(_, own)| own.searcher).collect();
        experiment.costs = Some(costs.only(&ours));
    }
    sources.check_names(&experiment)?;
    sources.check_published(&experiment)?;
    sources.check_fits(&experiment)?;
    sources.check_engines(&experiment)?;
    sources.check_base(&experiment)?;
    sources.check_until(&experiment)?;
    sources.check_virtual(&experiment, memory_mib)?;
    sources.check_size(&experiment, positions.len())?;
    let set = text;
    Ok(Resolved { experiment, positions, set, left_out, remarks, engines: Vec::new() })
}

#[cfg(test)]
mod tests;
