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
use crate::records::{
    CoresKind, Refusals, ResolveError, Seen, Sources, TomlFile, seconds_in, whole_in,
};
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
    let mut wrong = sources.mistakes();

    let are_any = |list: Option<usize>| list.is_some_and(|length| length > 0);
    let others = are_any(said.engines.as_ref().map(Vec::len))
        || are_any(said.variants.as_ref().map(Vec::len));
    let searchers = wrong.take(sources.searchers(said.searchers.as_ref(), others));
    let name_of_set =
        sources.set(|partial| partial.positions.as_ref(), &Experiment::default().positions);
    let skip_bad = said.skip_bad.unwrap_or_default();
    let bad_lines = if skip_bad { BadLines::LeaveOut } else { BadLines::Refuse };
    let chosen = match sources.chosen(&name_of_set, said.only.as_ref(), bad_lines) {
        Err(ResolveError::Refused(refusal)) => wrong.take(Err(refusal)),
        Err(other) => {
            wrong.check()?;
            return Err(other);
        }
        Ok(chosen) => Some(chosen),
    };
    let (only, found) = chosen.unwrap_or_default();
    let PositionSet { positions, left_out, remarks, text: set } = found;
    let begun = Experiment::begun(&sources, &said, &mut wrong);
    let until = wrong.take(sources.until(said.until)).flatten();
    let rounds = if until.is_some() { MOST_ROUNDS } else { begun.runs };
    let runs = whole_in(1..=1_000_000)(&sources, "runs", said.runs, rounds);
    let cores = wrong.take(sources.cores(said.cores.as_ref())).unwrap_or(begun.cores);
    let host_limit_s = said.host_limit_s;
    let host_limit_s =
        seconds_in(TIME_LIMITS_S)(&sources, "host_limit_s", host_limit_s, HOST_LIMIT_S);
    let host_limit_s = wrong.take(host_limit_s);
    let dilation = sources.dilation((said.dilate, said.dilate_nodes), cores);
    let (dilate, dilate_nodes) = wrong.take(dilation).unwrap_or_default();
    let costs = wrong.take(sources.costs(said.costs.as_ref())).unwrap_or_default();
    let virtual_engines = sources.virtual_engines(said.virtual_engines.as_ref(), cores);
    let virtual_engines = wrong.take(virtual_engines).flatten();
    let name = sources.name(options.name.clone().unwrap_or_else(|| suggest(file, options)));
    let engine = wrong.take(sources.engine(said.engine.as_ref()));
    let said_of_engine = said.engine.clone().filter(|_| engine.is_some()).unwrap_or_default();
    // Each refused value is told at the end. Until then a default stands for it.
    let mut experiment = Experiment {
        name: wrong.take(name).unwrap_or_default(),
        positions: name_of_set,
        only,
        searchers: searchers.unwrap_or_default(),
        threads: wrong.take(sources.threads(said.threads.as_ref())).unwrap_or_default(),
        runs: wrong.take(runs).unwrap_or_default(),
        until,
        hash_mib: wrong
            .take(sources.hash_mib(said.hash_mib, begun.hash_mib, memory_mib))
            .unwrap_or_default(),
        host_limit_s: host_limit_s.filter(|_| cores == CoresKind::Virtual),
        cores,
        dilate,
        dilate_nodes,
        base: wrong.take(sources.base(said.base.as_ref())).unwrap_or(begun.base),
        pin: wrong
            .take(sources.pin(said.pin.as_ref(), cores, said.shard.is_some()))
            .unwrap_or_default(),
        engine: engine.unwrap_or_default(),
        searcher: wrong.take(sources.searcher(said.searcher.as_ref(), cores)).unwrap_or_default(),
        published: said.published.clone(),
        engines: wrong.take(sources.engines(said.engines.as_ref(), cores)).unwrap_or_default(),
        virtual_engines,
        shard: wrong.take(sources.shard(said.shard.as_ref())).flatten(),
        ..begun
    };
    experiment.virtual_engines.take_if(|_| experiment.engines.is_empty());
    let variants = sources.variants(&said, &experiment, &said_of_engine);
    experiment.variants = wrong.take(variants).unwrap_or_default();
    wrong.check()?;
    // Each value is possible. Do they fit together?
    let mut wrong = Refusals::default();
    let reference = sources.reference(said.reference.as_ref(), &experiment);
    experiment.reference = wrong.take(reference).flatten();
    let cluster = costs.cluster;
    if cores == CoresKind::Virtual {
        let ours: Vec<Searcher> = experiment.all_ours().map(|(_, own)| own.searcher).collect();
        experiment.costs = Some(costs.only(&ours));
    }
    for checked in [
        sources.check_names(&experiment),
        sources.check_published(&experiment),
        sources.check_fits(&experiment),
        sources.check_cluster(&experiment, cluster),
        sources.check_engines(&experiment),
        sources.check_base(&experiment),
        sources.check_until(&experiment),
        sources.check_virtual(&experiment, memory_mib),
        sources.check_dilated(&experiment),
        sources.check_size(&experiment, positions.len()),
        sources.check_parts(&experiment, positions.len()),
    ] {
        wrong.take(checked);
    }
    wrong.check()?;
    // An experiment that has become less since has no such beginning.
    let Experiment { threads, runs, earlier, .. } = &mut experiment;
    if !earlier.iter().all(|of| of.is_part_of(threads, *runs, &positions)) {
        earlier.clear();
    }
    Ok(Resolved { experiment, positions, set, left_out, remarks, engines: Vec::new() })
}

#[cfg(test)]
mod tests;
