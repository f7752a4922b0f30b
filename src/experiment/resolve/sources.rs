//! The checks of an experiment's keys.

use super::competitors::check_waits;
use super::{MAX_SAMPLES, MAX_THREADS};
use crate::experiment::competitor::Competitor;
use crate::experiment::keys::{Base, Experiment, PartialExperiment};
use crate::records::{CoresKind, NumberList, Refusal, Refusals, ResolveError, Sources, count};
use std::ops::RangeInclusive;
use ttd_search::cores::{CostModel, Dilation};
use ttd_search::engine::Techniques;
use ttd_search::positions::{self, BadLines, PositionSet, TestPosition, parse_fen};
use ttd_search::searchers::{Cluster, Costs, Settings};
use ttd_search::value::Table;

/// The factors by which time can be dilated, and the numbers of nodes between two rests.
const FACTORS: RangeInclusive<i64> = 1..=CostModel::MOST_DILATE as i64;
const RESTS: RangeInclusive<i64> = 1..=1_000_000;

/// The memory of a virtual worker in MiB: its caches, its history, and the used part of its stack.
const VIRTUAL_WORKER_MIB: u64 = 2;

/// The memory of a search on `workers` virtual cores, with its table, in MiB.
pub fn simulation_mib(hash_mib: usize, workers: usize) -> u64 {
    hash_mib as u64 + workers as u64 * VIRTUAL_WORKER_MIB
}

impl Sources<'_, PartialExperiment> {
    pub(super) fn threads(&self, list: Option<&NumberList>) -> Result<Vec<usize>, Refusal> {
        let Some(NumberList(list)) = list else { return Ok(Experiment::default().threads) };
        if list.is_empty() {
            return Err(self.error(&["threads"], "empty: expected a list such as 1,2,4"));
        }
        let range = 1..=MAX_THREADS as i64;
        let mut wrong = Refusals::default();
        let number = |&n: &i64| wrong.take(self.number(&["threads"], n, range.clone()));
        let threads = list.iter().filter_map(number).map(|n| n as usize).collect();
        wrong.check_made(Some(threads))
    }

    /// The chosen positions of a set, and their ids if not all are chosen.
    pub(super) fn chosen(
        &self,
        set: &str,
        only: Option<&Vec<String>>,
        bad_lines: BadLines,
    ) -> Result<(Vec<String>, PositionSet), ResolveError> {
        let read = self.positions(
            "positions",
            |partial| partial.positions.as_ref(),
            set,
            |set| positions::load_set(parse_fen, set, bad_lines),
        )?;
        let all = read.positions;
        let (mut ids, mut wrong) = (Vec::new(), Refusals::default());
        for wanted in only.into_iter().flatten() {
            // Ids may contain commas, so the whole text is tried first.
            let found = some(&all, wanted).or_else(|whole| {
                if !wanted.contains(',') {
                    return Err(whole);
                }
                let parts = wanted.split(',').map(|part| some(&all, part.trim()));
                Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
            });
            ids.extend(wrong.take(found.map_err(|e| self.error(&["only"], e))).unwrap_or_default());
        }
        wrong.check()?;
        let wanted = |p: &TestPosition| ids.is_empty() || ids.contains(&p.id);
        let positions: Vec<_> = all.into_iter().filter(wanted).collect();
        // Ids are put in the order of the set, so that equal choices make equal experiments.
        let ids =
            if ids.is_empty() { ids } else { positions.iter().map(|p| p.id.clone()).collect() };
        Ok((ids, PositionSet { positions, ..read }))
    }

    /// Checks that there is enough memory for the table.
    pub(super) fn hash_mib(
        &self,
        said: Option<i64>,
        default: usize,
        memory_mib: Option<u64>,
    ) -> Result<usize, Refusal> {
        let most = memory_mib.map_or(i64::MAX, |mib| i64::try_from(mib).unwrap_or(i64::MAX));
        let mib = self.number(&["hash_mib"], said.unwrap_or(default as i64), 1..=most);
        let why = " (the memory that is available, in MiB)";
        mib.map(|mib| mib as usize).map_err(|e| e.because(memory_mib.is_some(), why))
    }

    pub(super) fn cores(&self, word: Option<&String>) -> Result<CoresKind, Refusal> {
        self.word(&["cores"], word, [("real", CoresKind::Real), ("virtual", CoresKind::Virtual)])
    }

    pub(super) fn base(&self, word: Option<&String>) -> Result<Base, Refusal> {
        let words = [("same-searcher", Base::SameSearcher), ("sequential", Base::Sequential)];
        self.word(&["base"], word, words)
    }

    pub(super) fn engine(&self, table: Option<&Table>) -> Result<Techniques, Refusal> {
        self.table(&["engine"], table, Techniques::resolve)
    }

    /// Resolves the parameters of the searchers.
    pub(super) fn searcher(
        &self,
        settings: Option<&Settings>,
        cores: CoresKind,
    ) -> Result<Settings, Refusal> {
        let settings = settings.cloned().unwrap_or_default();
        let place = |searcher: &str, key: &str| self.place(&["searcher", searcher, key]);
        let mut wrong = Refusals::default();
        for number in settings.impossible() {
            let what = format!("{} found, {} expected", number.value, number.expected());
            wrong.keep(Refusal::new(place(number.searcher, number.key), what));
        }
        wrong.take(check_waits(&settings, cores, place));
        wrong.check_made(Some(settings))
    }

    pub(super) fn costs(&self, table: Option<&Table>) -> Result<Costs, Refusal> {
        self.table(&["virtual"], table, Costs::resolve)
    }

    /// The factor by which time is dilated, and the nodes between two rests.
    pub(super) fn dilation(
        &self,
        (factor, nodes): (Option<i64>, Option<i64>),
        cores: CoresKind,
    ) -> Result<(Option<u64>, Option<u64>), Refusal> {
        let Some(factor) = factor else {
            return nodes.map_or(Ok((None, None)), |nodes| {
                let what = format!("{nodes} found, none expected without `dilate`");
                Err(self.error(&["dilate_nodes"], what))
            });
        };
        if cores == CoresKind::Virtual {
            let what = format!(
                "{factor} found with virtual cores, none expected: their workers need no rests \
                 (`dilate` of `[virtual]` foretells dilated real cores)"
            );
            return Err(self.error(&["dilate"], what));
        }
        let mut wrong = Refusals::default();
        let factor = wrong.take(self.number(&["dilate"], factor, FACTORS));
        let nodes = nodes.unwrap_or(Dilation::NODES as i64);
        let nodes = wrong.take(self.number(&["dilate_nodes"], nodes, RESTS));
        let both = factor.zip(nodes);
        wrong.check_made(both.map(|(factor, nodes)| (Some(factor as u64), Some(nodes as u64))))
    }

    /// Checks that all competitors can rest.
    pub(super) fn check_dilated(&self, experiment: &Experiment) -> Result<(), Refusal> {
        if experiment.dilate.is_none() {
            return Ok(());
        }
        if let Some(engine) = experiment.engines.first() {
            let what = format!(
                "found with the outside engine `{}`, none expected: its threads do not rest",
                engine.name
            );
            return Err(self.error(&["dilate"], what));
        }
        let mut ours = experiment.all_ours();
        let one_by_one = ours.find(|(_, own)| own.settings.one_at_a_time().next().is_some());
        one_by_one.map_or(Ok(()), |(competitor, _)| {
            let what = format!(
                "found with `{}`, whose workers run one at a time (`sequential = true`): none \
                 expected",
                experiment.name_of(competitor)
            );
            Err(self.error(&["dilate"], what))
        })
    }

    /// Checks that there is memory for the virtual workers, and that something makes the runs of a
    /// cell differ.
    pub(super) fn check_virtual(
        &self,
        experiment: &Experiment,
        memory_mib: Option<u64>,
    ) -> Result<(), Refusal> {
        let Some(costs) = &experiment.costs else { return Ok(()) };
        // Outside engines have a seed for each run.
        let ours = experiment.all_ours().next().is_some();
        if ours && experiment.runs > 1 && !costs.vary() {
            let what = format!(
                "{} found, 1 expected: with jitter_permille = 0 every run of a cell is the same",
                experiment.runs
            );
            return Err(self.error(&["runs"], what));
        }
        let most = experiment.threads.iter().copied().max().unwrap_or(1);
        costs.check_workers(most).map_err(|what| self.error(&["threads"], what))?;
        let needed = simulation_mib(experiment.hash_mib, most);
        if let Some(available) = memory_mib.filter(|&available| needed > available) {
            let what = format!(
                "{most} virtual cores and the table need {needed} MiB; {available} are available"
            );
            return Err(self.error(&["threads"], what));
        }
        Ok(())
    }

    /// Checks that each of our competitors can run on the cluster, if there is one.
    pub(super) fn check_cluster(
        &self,
        experiment: &Experiment,
        cluster: Option<Cluster>,
    ) -> Result<(), Refusal> {
        let Some(cluster) = cluster else { return Ok(()) };
        if experiment.cores == CoresKind::Real {
            let what = "found with real cores, none expected: ranks of processes are for \
                        `ttd-mpi`, and simulated ones for cores = \"virtual\"";
            return Err(self.error(&["virtual", "network"], what));
        }
        let mut wrong = Refusals::default();
        for (competitor, own) in experiment.all_ours() {
            let algorithm = own.settings.algorithm(own.searcher);
            for &threads in experiment.threads_of(competitor) {
                let memory = (threads, experiment.hash_mib);
                let Err((key, what)) = algorithm.fits_cluster(&cluster, memory) else { continue };
                wrong.keep(match (key, competitor) {
                    ("searchers", Competitor::Variant(at)) => {
                        self.error(&["variants", &at.to_string(), "searcher"], what)
                    }
                    ("ranks", _) => self.error(&["virtual", "network", key], what),
                    _ => self.error(&[key], what),
                });
                break;
            }
        }
        wrong.check()
    }

    /// Checks the number of samples: a plan is kept in memory.
    pub(super) fn check_size(
        &self,
        experiment: &Experiment,
        positions: usize,
    ) -> Result<(), Refusal> {
        let counts = |competitor: Competitor| experiment.threads_of(competitor).len();
        let cells = experiment.competitors().into_iter().map(counts).sum::<usize>() * positions;
        let most = MAX_SAMPLES / (cells as u64).max(1);
        if u64::from(experiment.runs) <= most {
            return Ok(());
        }
        let (runs, why) = (
            experiment.runs,
            format!("{}, and at most {MAX_SAMPLES} samples", count(cells, "cell")),
        );
        Err(match most {
            0 => self.error(&["threads"], format!("too many with so many positions: {why}")),
            _ => self.error(&["runs"], format!("{runs} found, 1 to {most} expected: {why}")),
        })
    }

    /// Checks that the experiment can be divided into so many parts.
    pub(super) fn check_parts(
        &self,
        experiment: &Experiment,
        positions: usize,
    ) -> Result<(), Refusal> {
        if experiment.shard.is_some() && experiment.until.is_some() {
            let what = "with `until` the number of rounds follows from the samples of all parts: \
                        expected no `until`, but `runs`";
            return Err(self.error(&["shard"], what));
        }
        let things = match experiment.cores {
            CoresKind::Real => (positions, "one position or more each"),
            CoresKind::Virtual => {
                let counts = |competitor: Competitor| experiment.threads_of(competitor).len();
                let cells = experiment.competitors().into_iter().map(counts).sum::<usize>();
                let samples = cells * positions * experiment.runs as usize;
                (samples, "one sample or more each")
            }
        };
        self.check_shard(experiment.shard, things)
    }
}

/// The ids of the positions that a word stands for. It is an id, its beginning, a number in the set
/// or a range of numbers such as `3-7`.
fn some(all: &[TestPosition], word: &str) -> Result<Vec<String>, String> {
    let one = positions::find_id(all, word).map(|id| vec![id]);
    match (one, range(word)) {
        (Err(_), Some(numbers)) => {
            numbers.map(|number| positions::find_id(all, &number.to_string())).collect()
        }
        (one, _) => one,
    }
}

/// The numbers of a range; none if a word is no range.
fn range(word: &str) -> Option<RangeInclusive<usize>> {
    let (first, last) = word.split_once('-')?;
    let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}
