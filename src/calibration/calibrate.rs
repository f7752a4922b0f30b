//! The whole calibration: from searches to costs.

use super::costs::{Calibration, CalibrationError};
use super::searches::{Site, Workload};
use super::{meeting, nodes, searches, splitting};
use std::sync::atomic::AtomicBool;
use ttd_search::searchers::Costs;

/// Measures the costs. `said` is told each step as it begins. Costs that arise between workers need
/// two cores; with one core they stay at the defaults.
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
    splitting::measure_copies(&mut calibration)?;
    if workload.cores >= 2 {
        said("two workers that meet");
        meeting::measure(&mut calibration)?;
        splitting::fit(&searches, &mut calibration);
        if workload.caches {
            said("a cache line between two workers");
            meeting::measure_line(&mut calibration)?;
        }
        said("these searches on virtual cores");
        if workload.caches {
            nodes::fit_hidden(&site, &searches, &mut calibration)?;
        }
        nodes::fit_slowdowns(&site, &searches, &mut calibration)?;
    }
    Ok(calibration)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::cores::CostModel;
    use ttd_search::positions;
    use ttd_search::searchers::Searcher;

    fn calibrated(cores: usize, caches: bool) -> Calibration {
        let positions = positions::load("bratko-kopec").expect("a built-in set");
        let searchers = &[Searcher::named("ybwc"), Searcher::named("lazy-smp")];
        let positions = &positions[..4];
        let workload =
            Workload { positions, searchers, depth: 6, hash_mib: 1, runs: 1, cores, caches };
        calibrate(&workload, &AtomicBool::new(false), |_| ()).expect("measured")
    }

    #[test]
    fn whatever_was_measured_is_a_model() {
        let calibration = calibrated(2, false);
        let table = ttd_search::value::table_of(&calibration.costs).expect("a table");
        assert_eq!(Costs::resolve(&table), Ok(calibration.costs));
        let keys: Vec<&str> = calibration.evidence.iter().map(|(key, _)| key.as_str()).collect();
        let slowdowns = ["ybwc.slowdown_permille", "lazy-smp.slowdown_permille"];
        // `split_ps` is not in this list: in such short searches perhaps no worker comes in time to
        // join.
        for key in ["node_ps", "section_ps", "wake_ps"].into_iter().chain(slowdowns) {
            assert!(keys.contains(&key), "{keys:?}");
        }
    }

    #[test]
    fn lines_are_measured_before_slowdowns() {
        let Calibration { costs, evidence } = calibrated(2, true);
        let table = ttd_search::value::table_of(&costs).expect("a table");
        assert_eq!(Costs::resolve(&table).as_ref(), Ok(&costs));
        let keys: Vec<&str> = evidence.iter().map(|(key, _)| key.as_str()).collect();
        assert!(keys.contains(&"cache.cluster_ps") && keys.contains(&"cache.hidden_permille"));
        assert!(keys.contains(&"ybwc.slowdown_permille"), "{keys:?}");
        assert!(costs.machine.caches.is_some_and(|caches| caches.cluster_ps > 0));
    }

    #[test]
    fn one_core_measures_what_it_can() {
        let Calibration { costs, evidence } = calibrated(1, true);
        assert!(evidence.iter().all(
            |(key, _)| key.contains("node") || ["table_ps", "copy_ps"].contains(&key.as_str())
        ));
        assert_eq!(costs.common.split_ps, CostModel::default().split_ps);
    }

    #[test]
    fn an_interrupt_ends_it() {
        let positions = positions::load("bratko-kopec").expect("a built-in set");
        let (positions, searchers) = (&positions, &[Searcher::named("lazy-smp")]);
        let (cores, caches) = (1, false);
        let workload =
            Workload { positions, searchers, depth: 20, hash_mib: 1, runs: 1, cores, caches };
        let ended = calibrate(&workload, &AtomicBool::new(true), |_| ());
        assert!(matches!(ended, Err(CalibrationError::Interrupted)));
    }
}
