//! Speedups by sitting, and over them.

use crate::experiment::{Sample, runs};
use crate::records::{CoresKind, Sitting};
use crate::report::figures::{Measurements, Samples, useful_nodes};
use crate::report::topics::summary::{Line, beside_base};
use std::collections::{BTreeMap, BTreeSet};
use ttd_stats::sittings::{Levels, OverSittings};
use ttd_stats::{Base, NetSpeedups, Runs, Sweep, Timing, summary};

/// The speedup of a searcher at one number of threads, over sittings.
#[derive(Clone, Debug, PartialEq)]
pub struct SittingsRow {
    /// The searcher's name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// Whether the figure is the net speedup, and not the one to depth.
    pub is_net: bool,
    /// The figure of each sitting.
    pub figures: Vec<f64>,
    /// The figure over sittings.
    pub over: OverSittings,
    /// The variances between sittings, and between their rounds; none with single rounds.
    pub levels: Option<Levels>,
}

/// The rounds that lie whole in one sitting, of each sitting that has any. A directory that was
/// merged from parts has none: its sittings are of several machines.
pub(super) fn rounds(sittings: &[Sitting], samples: &Samples) -> Vec<BTreeSet<u32>> {
    if sittings.iter().any(|sitting| sitting.place.shard.is_some()) {
        return Vec::new();
    }
    let begun =
        |order: u32| sittings.iter().rposition(|sitting| sitting.before.samples <= order as usize);
    let mut sittings_of: BTreeMap<u32, BTreeSet<Option<usize>>> = BTreeMap::new();
    for sample in samples.all() {
        sittings_of.entry(sample.round).or_default().insert(begun(sample.order));
    }
    let mut whole: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
    for (round, of) in sittings_of {
        if let (1, Some(Some(sitting))) = (of.len(), of.first()) {
            whole.entry(*sitting).or_default().insert(round);
        }
    }
    whole.into_values().collect()
}

/// The figures over sittings, if there are two or more on real cores. Sittings of virtual cores
/// differ in nothing.
pub(crate) fn over_sittings(all: Measurements<'_>, sittings: &[Sitting]) -> Vec<SittingsRow> {
    let rounds = rounds(sittings, all.samples);
    if rounds.len() < 2 || all.experiment.cores == CoresKind::Virtual {
        return Vec::new();
    }
    let row = |line: Line<'_>| {
        let row = line.row;
        let base = if line.net_base.is_empty() { line.searcher } else { line.net_base };
        let cells = Cells { all, base: (base, 1), of: (line.searcher, row.threads) };
        let positions = cells.positions(&rounds);
        let figures: Option<Vec<(f64, bool)>> =
            rounds.iter().map(|rounds| cells.speedup(&positions, rounds)).collect();
        let (figures, are_net): (Vec<f64>, Vec<bool>) = figures?.into_iter().unzip();
        let by_round = |rounds: &BTreeSet<u32>| {
            let one = |round: &u32| cells.of_round(&positions, *round);
            rounds.iter().filter_map(one).collect::<Vec<f64>>()
        };
        Some(SittingsRow {
            searcher: line.searcher.to_owned(),
            threads: row.threads,
            oversubscribed: row.oversubscribed,
            is_net: are_net.iter().all(|is_net| *is_net),
            over: OverSittings::of(&figures)?,
            levels: Levels::of(&rounds.iter().map(by_round).collect::<Vec<_>>()),
            figures,
        })
    };
    beside_base(all.figures).filter_map(row).collect()
}

/// The cells of a searcher at a number of threads, and those of its base.
struct Cells<'a> {
    all: Measurements<'a>,
    base: (&'a str, usize),
    of: (&'a str, usize),
}

impl<'a> Cells<'a> {
    /// The samples of one of the two in these rounds.
    fn samples(
        &self,
        (name, threads): (&str, usize),
        id: &str,
        rounds: &BTreeSet<u32>,
    ) -> Vec<&'a Sample> {
        let cell = self.all.samples.cell(name, threads, id).iter();
        cell.filter(|sample| rounds.contains(&sample.round)).collect()
    }

    /// The positions with times of both in every sitting.
    fn positions(&self, sittings: &[BTreeSet<u32>]) -> Vec<&'a str> {
        let is_timed = |which, id: &str, rounds: &BTreeSet<u32>| {
            let samples = self.samples(which, id, rounds);
            let is_exact = |of: &&Sample| matches!(of.timing(), None | Some(Timing::Exact(_)));
            samples.iter().all(is_exact) && samples.iter().any(|of| of.timing().is_some())
        };
        let both = |id: &&str| {
            let is_timed = |rounds| [self.base, self.of].iter().all(|of| is_timed(*of, id, rounds));
            sittings.iter().all(is_timed)
        };
        self.all.figures.positions.iter().map(String::as_str).filter(both).collect()
    }

    /// The speedup of one sitting, and whether it is the net one.
    fn speedup(&self, positions: &[&str], rounds: &BTreeSet<u32>) -> Option<(f64, bool)> {
        let row = |which, figure: fn(&Sample) -> Option<Timing>| -> Vec<Runs> {
            let cell = |id: &&str| runs(self.samples(which, id, rounds), figure);
            positions.iter().map(cell).collect()
        };
        let sweep = |figure| Sweep {
            threads: vec![self.of.1],
            cells: vec![row(self.of, figure)],
            base: Base::Other(row(self.base, figure)),
        };
        let (times, nodes) = (sweep(Sample::timing), sweep(useful_nodes));
        let has_nodes = nodes.cells.iter().flatten().all(|cell| !cell.is_empty());
        if let Some(net) = NetSpeedups::of(&times, &nodes, 0, 0).figures[0].filter(|_| has_nodes) {
            return Some((net.net().value()?, true));
        }
        let places: Vec<usize> = (0..positions.len()).collect();
        let headline = times.speedups().headline(0, &places)?;
        Some((headline.geometric_mean.value()?, false))
    }

    /// The speedup to depth of a single round.
    fn of_round(&self, positions: &[&str], round: u32) -> Option<f64> {
        let round = BTreeSet::from([round]);
        let time = |which, id: &str| match self.samples(which, id, &round)[..] {
            [sample] => match sample.timing()? {
                Timing::Exact(time) => Some(time),
                Timing::AtLeast(_) => None,
            },
            _ => None,
        };
        let speedup = |id: &&str| Some(time(self.base, id)? / time(self.of, id)?);
        summary::geometric_mean(&positions.iter().filter_map(speedup).collect::<Vec<f64>>())
    }
}
