//! The costs that were found, and how; or why they could not be found.

use ttd_search::cores::CostModel;
use ttd_search::searchers::{Costs, LabError};

/// Costs, and the source of each.
#[derive(Clone, Debug)]
pub struct Calibration {
    /// The costs. A cost that `evidence` does not name is the default.
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
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The searches are too short or too few to compute the costs.
    #[error("the positions are too few, or the searches too short, to find the cost of a node")]
    TooLittle,
}

/// The cost of a section that only one worker enters is about 0.4 to 5 ns on an AMD server. This
/// cost does not hold the way of the lock's cache line from another core. A lower cost was measured
/// on one core, or on two that share the nearest cache.
const LEAST_SECTION_PS: u64 = 5_000;

impl Calibration {
    /// Returns the costs that cannot be true, one line for each. Something disturbed the
    /// measurement, and it must be made again.
    pub fn doubts(&self) -> Vec<String> {
        let section_ps = self.costs.common.section_ps;
        let measured = |key| self.evidence.iter().any(|(known, _)| known == key);
        let mut doubts = Vec::new();
        if measured("section_ps") && section_ps < LEAST_SECTION_PS {
            doubts.push(format!(
                "section_ps is {:.1} ns: a section that only one worker enters costs as much, so \
                 the two workers shared a core",
                section_ps as f64 / 1e3
            ));
        }
        doubts
    }

    /// Notes how the number of a key was found.
    pub(super) fn note(&mut self, key: &str, how: String) {
        self.evidence.push((key.to_owned(), how));
    }
}

/// A cost in the form of the model: whole picoseconds, within its bounds.
pub(super) fn cost(ps: f64) -> u64 {
    (ps.max(0.0).round() as u64).min(CostModel::MOST_PS)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
