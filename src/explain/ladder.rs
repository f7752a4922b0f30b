//! The factors of the rungs: how many times as fast each machine is as the one below.

use super::rung::{ExplainedRow, Machines, Rung};
use crate::experiment::SampleStatus;
use ttd_stats::account::{Account, Totals};
use ttd_stats::ratios::{Quotient, Ratio, geometric_mean};
use ttd_stats::rounds::Runs;
use ttd_stats::{Bounds, summary};

/// The ladder of one searcher with one number of workers.
///
/// Times of a position are medians over rounds, and figures over positions are geometric means. So
/// the factors of all rungs, and [`Ladder::unexplained`], multiply to N over the speedup as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    /// The searcher or variant.
    pub searcher: String,
    /// The number of workers N, at least 2.
    pub threads: usize,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of positions.
    pub positions: usize,
    /// The number of searches that failed.
    pub failed: usize,
    /// The rungs, from the lowest to the highest.
    pub steps: Vec<Step>,
    /// N over the speedup on the highest rung: the part that no rung explains.
    pub unexplained: Option<Ratio>,
    /// Work over critical path W/C on the highest rung, the geometric mean over positions; none for
    /// a searcher without a critical path.
    pub parallelism: Option<f64>,
    /// The account on the highest rung: the causes of the part that no rung explains.
    pub account: Option<Account>,
    /// Changed costs, and how many times as fast the machine is with them.
    pub what_ifs: Vec<(String, Option<Ratio>)>,
}

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

/// The key of a ladder: searcher and number of workers.
type Of<'a> = (&'a str, usize);

impl Ladder {
    /// The ladders of these rows, in the order in which they come. `seed` is that of the intervals.
    pub fn all(rows: &[ExplainedRow], seed: u64) -> Vec<Ladder> {
        let mut ladders: Vec<Of<'_>> = Vec::new();
        for row in rows {
            let of = (row.searcher.as_str(), row.threads);
            if !ladders.contains(&of) {
                ladders.push(of);
            }
        }
        ladders.into_iter().map(|of| Ladder::of(rows, of, seed)).collect()
    }

    fn of(all: &[ExplainedRow], (searcher, threads): Of<'_>, seed: u64) -> Ladder {
        let is_of = |row: &&ExplainedRow| row.searcher == searcher && row.threads == threads;
        let rows = Rows::new(all.iter().filter(is_of).collect());
        let ratio = |above: &Machines, below: &Machines| rows.ratio(above, below, seed);
        let (one, as_it_is) = (Machines::OneWorker, Machines::To(Rung::AsItIs));
        let mut top = as_it_is.clone();
        let mut steps = Vec::new();
        for rung in Rung::ALL {
            let here = Machines::To(rung);
            let applies = rows.has(&here);
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
        let left = ratio(&top, &one).map(|ratio| times(ratio, threads as f64));
        let what_if = |machine: &Machines| match machine {
            Machines::If(changes) => Some((changes.clone(), ratio(&as_it_is, machine))),
            _ => None,
        };
        Ladder {
            searcher: searcher.to_owned(),
            threads,
            rounds: rows.all.iter().map(|row| row.round).max().unwrap_or(0),
            positions: rows.positions.len(),
            failed: rows.all.iter().filter(|row| row.status == SampleStatus::Failed).count(),
            steps,
            unexplained: left,
            parallelism: rows.parallelism(&top),
            account: rows.account(&top, threads),
            what_ifs: rows.machines().iter().filter_map(what_if).collect(),
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

    /// The greatest speedup that the work of the highest rung allows: min(N, W/C); N for a searcher
    /// without a critical path.
    pub fn bound(&self) -> f64 {
        let threads = self.threads as f64;
        self.parallelism.map_or(threads, |parallelism| parallelism.min(threads))
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

/// The rows of one ladder.
struct Rows<'a> {
    all: Vec<&'a ExplainedRow>,
    /// The ids of the positions, in the order in which they come.
    positions: Vec<&'a str>,
}

impl<'a> Rows<'a> {
    fn new(all: Vec<&'a ExplainedRow>) -> Rows<'a> {
        let mut positions: Vec<&str> = Vec::new();
        for row in &all {
            if !positions.contains(&row.position.as_str()) {
                positions.push(&row.position);
            }
        }
        Rows { all, positions }
    }

    /// The machines that were run, each once.
    fn machines(&self) -> Vec<Machines> {
        let mut machines: Vec<Machines> = Vec::new();
        for row in &self.all {
            if !machines.contains(&row.machine) {
                machines.push(row.machine.clone());
            }
        }
        machines
    }

    fn has(&self, machine: &Machines) -> bool {
        self.all.iter().any(|row| row.machine == *machine)
    }

    /// The rows of a machine and a position.
    fn cell(&self, machine: &Machines, position: &str) -> impl Iterator<Item = &'a ExplainedRow> {
        let of = move |row: &&&ExplainedRow| row.machine == *machine && row.position == position;
        self.all.iter().filter(of).copied().collect::<Vec<_>>().into_iter()
    }

    /// The times of a machine, by position.
    fn times(&self, machine: &Machines) -> Vec<Runs> {
        let of_round = |row: &ExplainedRow| Some((row.round, row.timing()?));
        let runs = |position: &&str| self.cell(machine, position).filter_map(of_round).collect();
        self.positions.iter().map(runs).collect()
    }

    /// The time on one machine over the time on another.
    fn ratio(&self, above: &Machines, below: &Machines, seed: u64) -> Option<Ratio> {
        let (above, below) = (self.times(above), self.times(below));
        geometric_mean(&[Quotient::of(&above, Some(&below))], seed)
    }

    /// The geometric mean over positions of a figure of the finished searches of a machine. The
    /// figure of a position is a geometric mean too.
    fn mean(
        &self,
        machine: &Machines,
        figure: impl Fn(&ExplainedRow) -> Option<f64>,
    ) -> Option<f64> {
        let of = |position: &&str| {
            let ok = self.cell(machine, position).filter(|row| row.status == SampleStatus::Ok);
            summary::geometric_mean(&ok.map(&figure).collect::<Option<Vec<f64>>>()?)
        };
        let means: Option<Vec<f64>> = self.positions.iter().map(of).collect();
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
        let totals = |machine: &Machines, position: &str| -> Option<Vec<Totals>> {
            let total = |row: &ExplainedRow| {
                (row.status == SampleStatus::Ok).then(|| Totals {
                    time_s: row.time.as_secs_f64(),
                    nodes: row.nodes as f64,
                    search_s: Some(row.search.as_secs_f64()),
                })
            };
            self.cell(machine, position).map(total).collect()
        };
        let of = |position: &&str| {
            let base = totals(&Machines::OneWorker, position)?;
            Account::of(threads, &base, &totals(machine, position)?)
        };
        Account::combine(&self.positions.iter().map(of).collect::<Option<Vec<Account>>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::Time;

    /// Rows of two positions and three rounds; `time` gives a machine's time in the first position.
    fn rows(time: impl Fn(&Machines) -> f64) -> Vec<ExplainedRow> {
        let mut rows = Vec::new();
        for (round, position, by) in [
            (1, "a", 1.0),
            (2, "a", 1.1),
            (3, "a", 1.2),
            (1, "b", 4.0),
            (2, "b", 4.4),
            (3, "b", 4.8),
        ] {
            for machine in Machines::of_ladder(true) {
                rows.push(ExplainedRow {
                    round,
                    searcher: "ybwc".to_owned(),
                    threads: 4,
                    position: position.to_owned(),
                    time: Time::from_secs_f64(by * time(&machine)),
                    status: SampleStatus::Ok,
                    nodes: 100,
                    aborted_nodes: 25,
                    search: Time::from_secs_f64(by),
                    work: Some(Time::from_secs_f64(6.0 * by)),
                    critical_path: Some(Time::from_secs_f64(2.0 * by)),
                    machine,
                    ..ExplainedRow::default()
                });
            }
        }
        rows
    }

    #[test]
    fn factors_multiply_to_the_number_of_workers() {
        let time = |machine: &Machines| match machine {
            Machines::OneWorker => 12.0,
            Machines::To(Rung::AsItIs) | Machines::If(_) => 6.0,
            Machines::To(Rung::Sections | Rung::Prices) => 5.0,
            Machines::To(_) => 4.0,
            Machines::Only(_) => 7.5,
        };
        let ladders = Ladder::all(&rows(time), 1);
        let [of] = &ladders[..] else { panic!("{ladders:?}") };
        assert_eq!((of.positions, of.rounds, of.failed), (2, 3, 0));
        let speedup = of.speedup().expect("known");
        assert!((speedup - 2.0).abs() < 1e-6, "{speedup}");
        let causes = of.causes();
        let factors: Vec<f64> = causes.iter().filter_map(|(_, factor)| *factor).collect();
        for (found, expected) in factors.iter().zip([1.2, 1.0, 1.25, 1.0, 1.0, 4.0 / 3.0]) {
            assert!((found - expected).abs() < 1e-6, "{causes:?}");
        }
        assert!((speedup * factors.iter().product::<f64>() - 4.0).abs() < 1e-6, "{causes:?}");
        // A rung alone may cost time: the factor is shown as it is.
        let work = of.step(Rung::Work).and_then(|step| step.alone).expect("known");
        let value = work.value.value().expect("exact");
        assert!((value - 0.8).abs() < 1e-6, "{work:?}");
        // All rounds have one ratio, so that drawing them anew changes nothing.
        let over = work.ci_runs.expect("three rounds");
        assert!((over.upper - over.lower).abs() < 1e-6, "{work:?}");
        assert!(of.parallelism.is_some_and(|found| (found - 3.0).abs() < 1e-6));
        assert!((of.bound() - 3.0).abs() < 1e-6, "the span is less than four workers");
        assert_eq!(of.steps[0].aborted, Some(0.25));
    }

    #[test]
    fn rungs_that_were_not_run_do_not_apply() {
        let mut rows = rows(|machine| if *machine == Machines::OneWorker { 4.0 } else { 2.0 });
        let kept = Machines::of_ladder(false);
        rows.retain(|row| kept.contains(&row.machine));
        rows[1].status = SampleStatus::Failed;
        let of = Ladder::all(&rows, 1).remove(0);
        let applies: Vec<bool> = of.steps.iter().map(|step| step.applies).collect();
        assert_eq!(applies, [true, true, true, false, false, false]);
        assert_eq!(of.causes()[2], ("work", Some(1.0)));
        let left = of.unexplained.and_then(|left| left.value.value()).expect("known");
        assert!((left - 2.0).abs() < 1e-6, "{left}");
        assert_eq!((of.failed, of.account), (1, of.account));
    }
}
