//! The factors of the rungs: how many times as fast each machine is as the one below.

use super::rung::{ExplainedRow, Machines, Rung};
use crate::experiment::{Experiment, SampleStatus};
use std::collections::{BTreeMap, BTreeSet};
use ttd_search::searchers::Algorithm;
use ttd_stats::account::{Account, Totals};
use ttd_stats::ratios::{Quotient, Ratio, geometric_mean};
use ttd_stats::rounds::Runs;
use ttd_stats::{Bounds, summary};

/// The ladder of one searcher with one number of workers.
///
/// Times of a position are medians over rounds, and figures over positions are geometric means. A
/// round of a position counts only if no rung failed in it. So the factors of all rungs, and
/// [`Ladder::unexplained`], multiply to N over the speedup as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The searcher or variant.
    pub searcher: String,
    /// The number of workers N, at least 2.
    pub threads: usize,
    /// The number of rounds that count in a position.
    pub rounds: usize,
    /// The number of positions that have such a round.
    pub positions: usize,
    /// The number of searches that failed.
    pub failed: usize,
    /// The rungs, from the lowest to the highest.
    pub steps: Vec<Step>,
    /// N over the speedup on the highest rung: the part that no rung explains.
    pub unexplained: Option<Ratio>,
    /// Whether the work of the algorithm has a critical path.
    pub has_critical_path: bool,
    /// Work over critical path W/C on the highest rung, the geometric mean over positions. None for
    /// a searcher without a critical path, or if a position has no finished search.
    pub parallelism: Option<f64>,
    /// The account on the highest rung: the causes of the part that no rung explains.
    pub account: Option<Account>,
    /// Changed costs, and how many times as fast the machine is with them.
    pub what_ifs: Vec<(String, Option<Ratio>)>,
    /// The times that the figures are made of.
    times: Times,
    /// The seed of the intervals.
    seed: u64,
}

/// The times on each machine, by position, in the order in which these come.
type Times = Vec<(String, BTreeMap<Machines, Runs>)>;

/// One rung of a ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The rung.
    pub rung: Rung,
    /// Whether the rung applies to the searcher. If not, its machine is the one below.
    pub applies: bool,
    /// The speedup against one worker of the machine as it is.
    pub speedup: Option<Ratio>,
    /// The time on the rung below over the time on this one; none on the lowest rung.
    pub factor: Option<Ratio>,
    /// The time as it is over the time with this rung alone; none on the lowest rung.
    pub alone: Option<Ratio>,
    /// The share of aborted nodes in all nodes, 0 to 1.
    pub aborted: Option<f64>,
}

/// One cause of loss in two ladders.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The rung; none for the part that no rung explains.
    pub rung: Option<Rung>,
    /// Its factor in each; none if it is not known, or does not apply.
    pub factors: [Option<Ratio>; 2],
    /// The first factor over the second one. A rung that does not apply has 1.
    pub ratio: Option<Ratio>,
}

impl Ladder {
    /// The ladders of these rows of an experiment, in the order in which they come.
    pub fn all(rows: &[ExplainedRow], experiment: &Experiment) -> Vec<Ladder> {
        let mut ladders: Vec<(&str, usize)> = Vec::new();
        for row in rows {
            let of = (row.searcher.as_str(), row.threads);
            if !ladders.contains(&of) {
                ladders.push(of);
            }
        }
        let ladder = |(searcher, threads)| {
            let is_of = |row: &&ExplainedRow| row.searcher == searcher && row.threads == threads;
            let mut ours = experiment.all_ours();
            let (_, own) = ours.find(|(one, _)| experiment.name_of(*one) == searcher)?;
            let algorithm = own.settings.algorithm(own.searcher);
            let of_one: Vec<&ExplainedRow> = rows.iter().filter(is_of).collect();
            Some(Ladder::of(&of_one, algorithm, experiment.seed))
        };
        ladders.into_iter().filter_map(ladder).collect()
    }

    /// The ladder of these rows, of which there is at least one.
    fn of(all: &[&ExplainedRow], algorithm: &dyn Algorithm, seed: u64) -> Ladder {
        let (searcher, threads) = (all[0].searcher.clone(), all[0].threads);
        let failed = all.iter().filter(|row| row.status == SampleStatus::Failed).count();
        let mut changes: Vec<String> = Vec::new();
        for row in all {
            if let Machines::If(of) = &row.machine
                && !changes.contains(of)
            {
                changes.push(of.clone());
            }
        }
        let mut machines = Machines::of_ladder(algorithm.has_split_points());
        machines.retain(|machine| !matches!(machine, Machines::Only(_)));
        let rows = Rows::new(all, &machines);
        let ratio = |above: &Machines, below: &Machines| rows.ratio(above, below, seed);
        let (one, as_it_is) = (Machines::OneWorker, Machines::To(Rung::AsItIs));
        let mut top = as_it_is.clone();
        let mut steps = Vec::new();
        for rung in Rung::ALL {
            let here = Machines::To(rung);
            let applies = machines.contains(&here);
            let is_above = rung > Rung::AsItIs && applies;
            let alone = if rung == Rung::Sections { here.clone() } else { Machines::Only(rung) };
            steps.push(Step {
                rung,
                applies,
                speedup: applies.then(|| ratio(&one, &here)).flatten(),
                factor: is_above.then(|| ratio(&top, &here)).flatten(),
                alone: is_above.then(|| ratio(&as_it_is, &alone)).flatten(),
                aborted: rows.aborted(&here),
            });
            if applies {
                top = here;
            }
        }
        let what_if = |changes: String| {
            let ratio = ratio(&as_it_is, &Machines::If(changes.clone()));
            (changes, ratio)
        };
        Ladder {
            rounds: rows.all.iter().map(|row| row.round).collect::<BTreeSet<u32>>().len(),
            positions: rows.times.len(),
            failed,
            steps,
            unexplained: ratio(&top, &one).map(|ratio| times(ratio, threads as f64)),
            has_critical_path: algorithm.has_critical_path(),
            parallelism: rows.parallelism(&top),
            account: rows.account(&top, threads),
            what_ifs: changes.into_iter().map(what_if).collect(),
            searcher,
            threads,
            times: rows.times,
            seed,
        }
    }

    /// A rung.
    pub fn step(&self, rung: Rung) -> Option<&Step> {
        self.steps.iter().find(|step| step.rung == rung && step.applies)
    }

    /// The speedup of the machine as it is.
    pub fn speedup(&self) -> Option<f64> {
        self.step(Rung::AsItIs)?.speedup?.value.value()
    }

    /// The greatest speedup that the work of the highest rung allows: min(N, W/C); none where W/C
    /// is not known.
    pub fn bound(&self) -> Option<f64> {
        self.parallelism.map(|parallelism| parallelism.min(self.threads as f64))
    }

    /// The factors by their causes: those of the rungs, and the one that no rung explains. A rung
    /// that does not apply has 1.
    pub fn causes(&self) -> Vec<(&'static str, Option<f64>)> {
        let value = |ratio: Option<Ratio>| ratio.and_then(|ratio| ratio.value.value());
        let rungs = self.steps.iter().filter(|step| step.rung > Rung::AsItIs);
        let of =
            |step: &Step| (step.rung.name(), value(step.factor).or((!step.applies).then_some(1.0)));
        rungs.map(of).chain([("unexplained", value(self.unexplained))]).collect()
    }

    /// The causes of this ladder beside those of another one with equal workers. The intervals of
    /// their ratios pair positions and rounds, and count what both have.
    pub fn beside(&self, other: &Ladder) -> Vec<Beside> {
        let factor = |of: &Ladder, rung: Option<Rung>| match rung {
            Some(rung) => of.step(rung)?.factor,
            None => of.unexplained,
        };
        let cause = |rung| Beside {
            rung,
            factors: [factor(self, rung), factor(other, rung)],
            ratio: self.over(other, rung),
        };
        let rungs = Rung::ALL.into_iter().filter(|rung| *rung > Rung::AsItIs);
        rungs.map(Some).chain([None]).map(cause).collect()
    }

    /// The factor of a rung, or the unexplained one, over that of another ladder.
    fn over(&self, other: &Ladder, rung: Option<Rung>) -> Option<Ratio> {
        let both: Vec<_> = self
            .times
            .iter()
            .filter_map(|(id, own)| Some([own, &other.times.iter().find(|(of, _)| of == id)?.1]))
            .collect();
        let one = Machines::OneWorker;
        // The times above and below the line of each ladder's factor.
        let rows = |of: &Ladder, [own, others]: [usize; 2]| -> Option<[Vec<Runs>; 2]> {
            let row = |machine: &Machines| {
                let cell = |by: &[&BTreeMap<Machines, Runs>; 2]| {
                    paired(by[own].get(machine), by[others].get(&one))
                };
                both.iter().map(cell).collect()
            };
            Some(of.machines_of(rung)?.map(|machine| row(&machine)))
        };
        let (own, others) = (rows(self, [0, 1]), rows(other, [1, 0]));
        let side = |own_side: usize| {
            let own = own.iter().map(|rows| rows[own_side].as_slice());
            own.chain(others.iter().map(|rows| rows[1 - own_side].as_slice())).collect()
        };
        geometric_mean(&[Quotient { above: side(0), below: side(1) }], self.seed)
    }

    /// The machines whose times, one over the other, are the factor of a rung, or the unexplained
    /// one but for N. None if the rung does not apply.
    fn machines_of(&self, rung: Option<Rung>) -> Option<[Machines; 2]> {
        let below = |rung: Option<Rung>| {
            let steps = self.steps.iter().rev().filter(|step| step.applies);
            steps.map(|step| step.rung).find(|of| rung.is_none_or(|rung| *of < rung))
        };
        let to = match rung {
            Some(rung) => Machines::To(self.step(rung)?.rung),
            None => Machines::OneWorker,
        };
        Some([Machines::To(below(rung)?), to])
    }
}

/// A ratio and its intervals, times a number above 0.
fn times(ratio: Ratio, by: f64) -> Ratio {
    let scaled = |bounds: Bounds| bounds.map(|value| value * by);
    Ratio {
        value: scaled(ratio.value),
        ci_runs: ratio.ci_runs.map(scaled),
        ci_positions: ratio.ci_positions.map(scaled),
        ..ratio
    }
}

/// The samples of one cell in the rounds that another one has too.
fn paired(cell: Option<&Runs>, other: Option<&Runs>) -> Runs {
    let Some((cell, other)) = cell.zip(other) else { return Runs::default() };
    let rounds: BTreeSet<&u32> = other.rounds().iter().collect();
    let samples = cell.rounds().iter().zip(cell.iter());
    samples.filter(|(of, _)| rounds.contains(of)).map(|(of, time)| (*of, *time)).collect()
}

/// The rows of one ladder that count.
struct Rows<'a> {
    all: Vec<&'a ExplainedRow>,
    times: Times,
}

impl<'a> Rows<'a> {
    /// The rows of searches that did not fail. A round of a position counts only if it has all
    /// these `machines`.
    fn new(all: &[&'a ExplainedRow], machines: &[Machines]) -> Rows<'a> {
        let mut there: BTreeMap<(&str, u32), BTreeSet<&Machines>> = BTreeMap::new();
        for row in all.iter().filter(|row| row.timing().is_some()) {
            there.entry((&row.position, row.round)).or_default().insert(&row.machine);
        }
        let is_whole = |row: &&&ExplainedRow| {
            let there = there.get(&(row.position.as_str(), row.round));
            row.timing().is_some()
                && there.is_some_and(|there| machines.iter().all(|of| there.contains(of)))
        };
        let all: Vec<&ExplainedRow> = all.iter().filter(is_whole).copied().collect();
        let mut times: Vec<(String, BTreeMap<Machines, Vec<_>>)> = Vec::new();
        for row in &all {
            let at = times.iter().position(|(id, _)| *id == row.position).unwrap_or_else(|| {
                times.push((row.position.clone(), BTreeMap::new()));
                times.len() - 1
            });
            let cell = times[at].1.entry(row.machine.clone()).or_default();
            cell.extend(row.timing().map(|time| (row.round, time)));
        }
        let runs =
            |(machine, samples): (Machines, Vec<_>)| (machine, samples.into_iter().collect());
        let position =
            |(id, cells): (String, BTreeMap<_, _>)| (id, cells.into_iter().map(runs).collect());
        Rows { all, times: times.into_iter().map(position).collect() }
    }

    /// The rows of a machine, by position.
    fn cells(&self, machine: &Machines) -> Vec<Vec<&'a ExplainedRow>> {
        let cell = |(id, _): &(String, _)| {
            let of = |row: &&&ExplainedRow| row.machine == *machine && row.position == *id;
            self.all.iter().filter(of).copied().collect()
        };
        self.times.iter().map(cell).collect()
    }

    /// The time on one machine over the time on another, by the rounds that both have.
    fn ratio(&self, above: &Machines, below: &Machines, seed: u64) -> Option<Ratio> {
        let row = |of: &Machines, other: &Machines| -> Vec<Runs> {
            self.times.iter().map(|(_, by)| paired(by.get(of), by.get(other))).collect()
        };
        let (above, below) = (row(above, below), row(below, above));
        geometric_mean(&[Quotient::of(&above, Some(&below))], seed)
    }

    /// The geometric mean over positions of a figure of the finished searches of a machine. The
    /// figure of a position is a geometric mean too.
    fn mean(
        &self,
        machine: &Machines,
        figure: impl Fn(&ExplainedRow) -> Option<f64>,
    ) -> Option<f64> {
        let of = |cell: Vec<&ExplainedRow>| {
            let ok = cell.into_iter().filter(|row| row.status == SampleStatus::Ok);
            summary::geometric_mean(&ok.map(&figure).collect::<Option<Vec<f64>>>()?)
        };
        let means: Option<Vec<f64>> = self.cells(machine).into_iter().map(of).collect();
        summary::geometric_mean(&means?)
    }

    fn parallelism(&self, machine: &Machines) -> Option<f64> {
        self.mean(machine, |row| {
            let path = row.critical_path?.as_secs_f64();
            (path > 0.0).then(|| row.work.map(|work| work.as_secs_f64() / path))?
        })
    }

    fn aborted(&self, machine: &Machines) -> Option<f64> {
        let of = |row: &&&ExplainedRow| row.machine == *machine && row.nodes > 0;
        let rows = || self.all.iter().filter(of);
        let sum = |figure: fn(&ExplainedRow) -> u64| rows().map(|row| figure(row)).sum::<u64>();
        let nodes = sum(|row| row.nodes) as f64;
        (nodes > 0.0).then(|| sum(|row| row.aborted_nodes) as f64 / nodes)
    }

    /// The account of a machine against one worker as it is; none if a search was not finished.
    fn account(&self, machine: &Machines, threads: usize) -> Option<Account> {
        let totals = |cell: Vec<&ExplainedRow>| -> Option<Vec<Totals>> {
            let total = |row: &ExplainedRow| {
                (row.status == SampleStatus::Ok).then(|| Totals {
                    time_s: row.time.as_secs_f64(),
                    nodes: row.nodes as f64,
                    search_s: Some(row.search.as_secs_f64()),
                })
            };
            cell.into_iter().map(total).collect()
        };
        let cells = self.cells(&Machines::OneWorker).into_iter().zip(self.cells(machine));
        let of = |(base, cell)| Account::of(threads, &totals(base)?, &totals(cell)?);
        Account::combine(&cells.map(of).collect::<Option<Vec<Account>>>()?)
    }
}
