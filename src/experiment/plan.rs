//! The order in which cells are measured: a pure function of the experiment.

use super::competitor::Competitor;
use super::earlier::Earlier;
use super::keys::Experiment;
use super::rows::Sample;
use crate::records::{CoresKind, hash, quoted, shuffle};
use std::collections::HashSet;

/// A combination of competitor, number of threads and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The competitor.
    pub competitor: Competitor,
    /// The number of workers.
    pub threads: usize,
    /// The index of the position among those of the experiment.
    pub position: usize,
}

/// A sample that is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The round, from 1 to `runs`.
    pub round: u32,
    /// The place in the whole plan, from 0.
    pub order: u32,
    /// The cell that is measured.
    pub cell: Cell,
    /// The seed of all random choices of its search, except the order of moves.
    pub seed: u64,
    /// The seed of a random order of moves, and of the jitter on virtual cores. It is equal for all
    /// cells of one round and one position.
    pub noise: u64,
    /// The seed of the places of positions in the table on virtual cores. It is equal for all cells
    /// of one round, the base among them.
    pub table_keys: u64,
}

impl Planned {
    /// The column in which a row is not this sample, in words; none if it is.
    pub(super) fn misfit(
        &self,
        sample: &Sample,
        experiment: &Experiment,
        ids: &[&str],
    ) -> Option<String> {
        let Cell { competitor, threads, position } = self.cell;
        let both = |found: &dyn ToString, expected: &dyn ToString| {
            [found, expected].map(ToString::to_string)
        };
        let columns = [
            ("order", both(&sample.order, &self.order)),
            ("round", both(&sample.round, &self.round)),
            ("searcher", both(&sample.searcher, &experiment.name_of(competitor))),
            ("threads", both(&sample.threads, &threads)),
            ("position", both(&sample.position, &ids[position])),
            ("depth", both(&sample.depth, &experiment.depth_of(competitor))),
        ];
        let (name, [found, expected]) =
            columns.into_iter().find(|(_, [found, expected])| found != expected)?;
        let [found, expected] = [found, expected].map(|text| quoted(&text));
        Some(format!("column `{name}` holds {found}, {expected} expected"))
    }
}

/// The first sample that is not the one that the plan has in its place, with the reason.
pub(super) fn misfit(
    samples: &[Sample],
    planned: &[Planned],
    experiment: &Experiment,
    ids: &[&str],
) -> Option<(usize, String)> {
    samples.iter().enumerate().find_map(|(at, sample)| match planned.get(at) {
        Some(planned) => Some((at, planned.misfit(sample, experiment, ids)?)),
        None => Some((at, "the plan ends before it".to_owned())),
    })
}

/// The cells of an experiment over the positions with these ids.
pub fn cells(experiment: &Experiment, ids: &[&str]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for competitor in experiment.competitors() {
        for &threads in experiment.threads_of(competitor) {
            cells.extend((0..ids.len()).map(|position| Cell { competitor, threads, position }));
        }
    }
    cells
}

/// The cells that an experiment had before it grew.
fn earlier_cells(earlier: &Earlier, experiment: &Experiment, ids: &[&str]) -> Vec<Cell> {
    let before = Experiment { threads: earlier.threads.clone(), ..experiment.clone() };
    let mut all = cells(&before, ids);
    all.retain(|cell| earlier.positions.iter().any(|id| id == ids[cell.position]));
    all
}

/// Every sample of an experiment in the order of measuring. Each round visits every cell once, in
/// an order shuffled by the seed. Rounds and cells that the experiment had before it grew come
/// first. A shard has some of them, each with its place in the whole. `ids` are the ids of the
/// positions.
pub fn plan(experiment: &Experiment, ids: &[&str]) -> Vec<Planned> {
    let all = cells(experiment, ids);
    let mut planned = Vec::with_capacity(all.len() * experiment.runs as usize);
    let mut seen = HashSet::new();
    for earlier in &experiment.earlier {
        let cells = earlier_cells(earlier, experiment, ids);
        add(&mut planned, &mut seen, (experiment, ids), (&cells, earlier.runs));
    }
    add(&mut planned, &mut seen, (experiment, ids), (&all, experiment.runs));
    if let Some(shard) = experiment.shard {
        planned.retain(|planned| shard.has(part_of(planned, experiment.cores)));
    }
    planned
}

/// The number that says which shard has a sample. Samples on virtual cores do not depend on one
/// another. On real cores a speedup is a ratio of times of one position, so that all samples of a
/// position are of one machine.
const fn part_of(planned: &Planned, cores: CoresKind) -> usize {
    match cores {
        CoresKind::Virtual => planned.order as usize,
        CoresKind::Real => planned.cell.position,
    }
}

/// Adds the samples of these cells and rounds that are not seen yet.
fn add(
    planned: &mut Vec<Planned>,
    seen: &mut HashSet<(u32, Cell)>,
    (experiment, ids): (&Experiment, &[&str]),
    (cells, rounds): (&[Cell], u32),
) {
    for round in 1..=rounds {
        let mut shuffled = cells.to_vec();
        shuffle(&mut shuffled, experiment.seed, round);
        let table_keys = hash(&format!("{}/{round}/keys", experiment.seed));
        for cell in shuffled {
            // Nothing comes twice in a plan that has not grown.
            if !experiment.earlier.is_empty() && !seen.insert((round, cell)) {
                continue;
            }
            let name = experiment.name_of(cell.competitor);
            let seed =
                sample_seed(experiment.seed, round, (name, cell.threads), ids[cell.position]);
            let noise = noise(experiment.seed, round, ids[cell.position]);
            let order = planned.len() as u32;
            planned.push(Planned { round, order, cell, seed, noise, table_keys });
        }
    }
}

/// The seed of a sample: the hash of the text `SEED/ROUND/SEARCHER/THREADS/ID`, with numbers in
/// decimal. So the seed does not depend on the other cells of the experiment. The hash is FNV-1a
/// (64 bits), with the last step of `SplitMix64`, so that similar texts have unlike seeds.
fn sample_seed(seed: u64, round: u32, (name, threads): (&str, usize), id: &str) -> u64 {
    hash(&format!("{seed}/{round}/{name}/{threads}/{id}"))
}

/// The noise of a sample: a hash of `SEED/ROUND/ID`.
fn noise(seed: u64, round: u32, id: &str) -> u64 {
    hash(&format!("{seed}/{round}/{id}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Shard;
    use ttd_search::searchers::Searcher;

    fn experiment() -> Experiment {
        Experiment {
            searchers: vec![
                Searcher::baseline(),
                Searcher::named("ybwc"),
                Searcher::named("lazy-smp"),
            ],
            threads: vec![1, 2, 4],
            runs: 6,
            ..Experiment::default()
        }
    }

    const IDS: [&str; 3] = ["a", "b", "c"];

    #[test]
    fn every_round_visits_every_cell_once() {
        let all: HashSet<Cell> = cells(&experiment(), &IDS).into_iter().collect();
        assert_eq!(all.len(), (1 + 3 + 3) * 3, "sequential has one number of threads");
        let plan = plan(&experiment(), &IDS);
        assert!(plan.iter().enumerate().all(|(i, p)| p.order as usize == i));
        for (round, samples) in (1..).zip(plan.chunks(all.len())) {
            assert!(samples.iter().all(|p| p.round == round));
            assert_eq!(samples.iter().map(|p| p.cell).collect::<HashSet<_>>(), all);
        }
    }

    #[test]
    fn a_grown_experiment_begins_as_it_was() {
        let small = Experiment { threads: vec![1, 2], runs: 3, ..experiment() };
        let ids = |of: &[&str]| of.iter().map(|id| (*id).to_owned()).collect();
        let earlier = Earlier { threads: vec![1, 2], positions: ids(&["a", "c"]), runs: 3 };
        let grown = Experiment { earlier: vec![earlier.clone()], ..experiment() };
        let key = |ids: &[&str], p: &Planned| {
            let cell = p.cell;
            (p.order, p.round, cell.competitor, cell.threads, ids[cell.position].to_owned(), p.seed)
        };
        let before: Vec<_> =
            plan(&small, &["a", "c"]).iter().map(|p| key(&["a", "c"], p)).collect();
        let after: Vec<_> = plan(&grown, &IDS).iter().map(|p| key(&IDS, p)).collect();
        assert_eq!(after[..before.len()], before);
        // Nothing else changes: each sample is that of an experiment which is measured at once.
        let samples = |all: &[Planned]| -> HashSet<(u32, Cell, u64, u64, u64)> {
            all.iter().map(|p| (p.round, p.cell, p.seed, p.noise, p.table_keys)).collect()
        };
        let at_once = plan(&experiment(), &IDS);
        assert_eq!(samples(&plan(&grown, &IDS)), samples(&at_once));
        assert_eq!(after.len(), at_once.len());
        // It may grow again, by rounds too.
        let middle = Earlier { threads: vec![1, 2], positions: ids(&IDS), runs: 5 };
        let twice = Experiment { earlier: vec![earlier.clone(), middle], ..experiment() };
        let rounds =
            Experiment { threads: vec![1, 2], runs: 5, earlier: vec![earlier], ..experiment() };
        let before = plan(&rounds, &IDS);
        assert_eq!(plan(&twice, &IDS)[..before.len()], before);
    }

    #[test]
    fn shards_are_the_plan() {
        let whole = plan(&experiment(), &IDS);
        for cores in [CoresKind::Real, CoresKind::Virtual] {
            let mut all = Vec::new();
            for shard in Shard::all(3) {
                let part = Experiment { shard: Some(shard), cores, ..experiment() };
                let part = plan(&part, &IDS);
                let positions: HashSet<usize> = part.iter().map(|p| p.cell.position).collect();
                assert_eq!(positions.len(), if cores == CoresKind::Real { 1 } else { 3 });
                assert!(part.is_sorted_by_key(|p| p.order));
                all.extend(part);
            }
            all.sort_by_key(|p| p.order);
            assert_eq!(all, whole);
        }
    }

    #[test]
    fn the_seed_makes_the_order() {
        let order = |seed| {
            let plan = plan(&Experiment { seed, ..experiment() }, &IDS);
            plan.iter().map(|p| p.cell).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let rounds: HashSet<_> = order(1).chunks(21).map(<[Cell]>::to_vec).collect();
        assert_eq!(rounds.len(), 6, "every round has an order of its own");
    }

    #[test]
    fn the_seeds_never_change() {
        assert_eq!(sample_seed(1, 1, ("ybwc", 2), "a"), 12_926_047_154_717_825_399);
    }

    #[test]
    fn seeds_of_samples_differ_and_do_not_depend_on_the_rest() {
        let plan_all = plan(&experiment(), &IDS);
        let seeds: HashSet<u64> = plan_all.iter().map(|p| p.seed).collect();
        assert_eq!(seeds.len(), plan_all.len());
        let b_alone = plan(&experiment(), &["b"]);
        assert!(b_alone.iter().all(|p| seeds.contains(&p.seed)));
    }

    #[test]
    fn the_noise_is_that_of_the_round_and_the_position() {
        let plan = plan(&experiment(), &IDS);
        let noises: HashSet<u64> = plan.iter().map(|p| p.noise).collect();
        assert_eq!(noises.len(), 6 * IDS.len());
        let alike =
            |a: &Planned, b: &Planned| (a.round, a.cell.position) == (b.round, b.cell.position);
        assert!(plan.iter().all(|a| plan.iter().all(|b| alike(a, b) == (a.noise == b.noise))));
    }
}
