//! What the costs of virtual cores are on this machine: [`Costs`], measured.
//!
//! | file | what it measures |
//! |---|---|
//! | `searches` | nothing itself: the searches that the next two read |
//! | `nodes` | nodes, of one worker alone and of several together |
//! | `splitting` | making and joining split points |
//! | `copying` | taking over a history |
//! | `meeting` | sections and wakes, by two workers that do nothing else |

mod copying;
mod meeting;
mod nodes;
mod searches;
mod splitting;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use ttd_search::cores::CostModel;
use ttd_search::engine::Features;
use ttd_search::positions::TestPosition;
use ttd_search::searchers::{Costs, Lab, LabError, Outcome, Searcher, Settings, Status, Task};
use ttd_stats::summary;

/// What is searched to measure costs.
#[derive(Clone, Debug)]
pub struct Workload<'a> {
    /// The positions.
    pub positions: &'a [TestPosition],
    /// By whom; at least one, and none that takes one worker only.
    pub searchers: &'a [Searcher],
    /// To which depth.
    pub depth: u8,
    /// Size of the table in MiB.
    pub hash_mib: usize,
    /// How often everything is measured (at least 1).
    pub runs: u32,
    /// How many cores may be used (at least 1).
    pub cores: usize,
}

/// Costs, and what each was taken from.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The costs; those of which `evidence` says nothing are the defaults.
    pub costs: Costs,
    /// By key of the costs (`KEY` or `SEARCHER.KEY`): how its number was found.
    pub evidence: Vec<(String, String)>,
}

/// Why costs could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// There is no memory for the table.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A search failed, or a worker of a small measurement did.
    #[error("{0}")]
    Failed(String),
    /// Somebody interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The searches say too little.
    #[error("too few positions, or searches too short, to tell what nodes cost")]
    TooLittle,
}

/// Measures the costs. `said` is told what is being done. What workers do with each other needs two
/// cores; without them it stays at the defaults.
///
/// # Errors
/// If a search fails, the memory does not suffice, or `interrupt` is set.
pub fn calibrate(
    workload: &Workload<'_>,
    interrupt: &AtomicBool,
    mut said: impl FnMut(&str),
) -> Result<Calibration, CalibrationError> {
    let mut calibration = Calibration { costs: Costs::default(), evidence: Vec::new() };
    let site = Site { workload, interrupt };
    let searches = searches::run(&site, &mut said)?;
    nodes::fit(&searches, &mut calibration)?;
    copying::measure(&mut calibration)?;
    if workload.cores >= 2 {
        said("two workers that meet");
        meeting::measure(&mut calibration)?;
        splitting::fit(&searches, &mut calibration);
        said("the same on virtual cores");
        nodes::fit_slowdowns(&site, &searches, &mut calibration)?;
    }
    Ok(calibration)
}

/// Where searches are timed.
struct Site<'a> {
    workload: &'a Workload<'a>,
    interrupt: &'a AtomicBool,
}

impl Site<'_> {
    fn lab(&self) -> Result<Lab, CalibrationError> {
        Ok(Lab::new(self.workload.hash_mib, Features::default(), Settings::default())?)
    }

    fn task(&self, searcher: Searcher, threads: usize, position: &TestPosition) -> Task {
        Task {
            searcher,
            threads,
            root: position.position(),
            depth: self.workload.depth,
            time_limit: None,
            seed: 1,
            noise: 1,
        }
    }

    /// One search in a table that is empty.
    fn search(&self, lab: &mut Lab, task: &Task) -> Result<Outcome, CalibrationError> {
        lab.clear();
        self.checked(lab.search(task, self.interrupt))
    }

    fn checked(&self, outcome: Outcome) -> Result<Outcome, CalibrationError> {
        match outcome.status {
            _ if self.interrupt.load(Relaxed) => Err(CalibrationError::Interrupted),
            Status::Failed(why) => Err(CalibrationError::Failed(why)),
            Status::Ok | Status::Censored => Ok(outcome),
        }
    }
}

/// About what a section costs a worker that alone enters it, without the way of the lock's line from another core (0.4 to 5 ns on an
/// AMD server). What is shorter was measured on one core, or on two that share the nearest cache.
const LEAST_SECTION_PS: u64 = 5_000;

impl Calibration {
    /// What cannot be so, one line for each: something disturbed the measurement, and it is to be made again.
    pub fn doubts(&self) -> Vec<String> {
        let section_ps = self.costs.common.section_ps;
        let measured = |key| self.evidence.iter().any(|(known, _)| known == key);
        let mut doubts = Vec::new();
        if measured("section_ps") && section_ps < LEAST_SECTION_PS {
            doubts.push(format!(
                "section_ps is {:.1} ns: a section that nobody else enters costs as much, so that the two workers shared \
                 a core",
                section_ps as f64 / 1e3
            ));
        }
        doubts
    }

    fn note(&mut self, key: &str, how: String) {
        self.evidence.push((key.to_owned(), how));
    }
}

/// A cost as the model has it: whole picoseconds, within its bounds.
fn cost(ps: f64) -> u64 {
    (ps.max(0.0).round() as u64).min(CostModel::MOST_PS)
}

fn median(values: &[f64]) -> Result<f64, CalibrationError> {
    summary::median(values).ok_or(CalibrationError::TooLittle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::positions;

    fn calibrated(cores: usize) -> Calibration {
        let positions = positions::load("bratko-kopec").expect("a built-in set");
        let searchers = &[Searcher::named("ybwc"), Searcher::named("lazy-smp")];
        let positions = &positions[..4];
        let workload = Workload { positions, searchers, depth: 6, hash_mib: 1, runs: 1, cores };
        calibrate(&workload, &AtomicBool::new(false), |_| ()).expect("measured")
    }

    #[test]
    fn whatever_was_measured_is_a_model() {
        let calibration = calibrated(2);
        let table = ttd_search::value::table_of(&calibration.costs).expect("a table");
        assert_eq!(Costs::resolve(&table), Ok(calibration.costs));
        let keys: Vec<&str> = calibration.evidence.iter().map(|(key, _)| key.as_str()).collect();
        let slowdowns = ["ybwc.slowdown_permille", "lazy-smp.slowdown_permille"];
        // Not `split_ps`: in such short searches nobody may come in time to join.
        for key in ["node_ps", "section_ps", "wake_ps"].into_iter().chain(slowdowns) {
            assert!(keys.contains(&key), "{keys:?}");
        }
    }

    #[test]
    fn one_core_measures_what_it_can() {
        let Calibration { costs, evidence } = calibrated(1);
        assert!(evidence.iter().all(
            |(key, _)| key.contains("node") || ["table_ps", "copy_ps"].contains(&key.as_str())
        ));
        assert_eq!(costs.common.split_ps, CostModel::default().split_ps);
    }

    #[test]
    fn what_cannot_be_is_doubted() {
        let mut costs = Costs::default();
        costs.common.section_ps = 1_600;
        let guessed = Calibration { costs, evidence: Vec::new() };
        assert!(guessed.doubts().is_empty(), "nothing was measured");
        let note = |key: &str| (key.to_owned(), String::new());
        let measured = Calibration { evidence: vec![note("section_ps")], ..guessed };
        let [section] = &measured.doubts()[..] else { unreachable!("a doubt") };
        assert!(section.starts_with("section_ps is 1.6 ns: "), "{section}");
        let costs = Costs::default();
        assert!(Calibration { costs, ..measured }.doubts().is_empty());
    }

    #[test]
    fn an_interrupt_ends_it() {
        let positions = positions::load("bratko-kopec").expect("a built-in set");
        let (positions, searchers) = (&positions, &[Searcher::named("lazy-smp")]);
        let workload = Workload { positions, searchers, depth: 20, hash_mib: 1, runs: 1, cores: 1 };
        let ended = calibrate(&workload, &AtomicBool::new(true), |_| ());
        assert!(matches!(ended, Err(CalibrationError::Interrupted)));
    }
}
