//! Measures the cost of making and of joining a split point, with the usual searcher on all cores,
//! and of taking over another worker's history.

use super::costs::{Calibration, CalibrationError, cost};
use super::searches::{Searches, by};
use std::time::Instant;
use ttd_search::cores::State;
use ttd_search::engine::History;
use ttd_search::search::{ByKind, Counters};
use ttd_search::searchers::Searcher;
use ttd_stats::{least_squares, summary};

/// The sections that an owner enters for a split point while it is in state `split`, with two
/// workers. It lists the split point, calls an idle worker, takes it off, closes it and takes the
/// result.
const SECTIONS_OF_AN_OWNER: u64 = 5;
/// The sections that a helper enters: one, when it joins.
const SECTIONS_OF_A_HELPER: u64 = 1;

/// Finds the time in state `split` for each split point made and each joined. Every worker gives
/// one equation: with two workers, one makes most split points, and the other joins.
///
/// Of several runs, the one with the median time counts. Otherwise a worker that the system stops
/// in that state would cost as much as hundreds of split points.
pub(super) fn fit(all: &[Searches], calibration: &mut Calibration) {
    let (mut rows, mut seconds) = (Vec::new(), Vec::new());
    for searches in all {
        let searches = by(&searches.together, Searcher::usual());
        let workers = searches.first().map_or(0, |search| search.workers.len());
        for worker in 0..workers {
            let mut runs: Vec<&Counters> = searches.iter().map(|s| &s.workers[worker]).collect();
            runs.sort_by_key(|run| run.states[State::Split as usize]);
            let middle = runs[(runs.len() - 1) / 2];
            let of_all = |kinds: ByKind| kinds.0.iter().sum::<u64>() as f64;
            rows.push([of_all(middle.splits), of_all(middle.joins)]);
            seconds.push(middle.states[State::Split as usize].as_secs_f64());
        }
    }
    // At a small depth there are no split points: then the defaults stay.
    let Some(costs) = least_squares::costs(&rows, &seconds) else { return };
    let [split, join] = costs.each.map(|seconds| cost(seconds * 1e12));
    let model = &mut calibration.costs.common;
    model.split_ps = split.saturating_sub(SECTIONS_OF_AN_OWNER * model.section_ps);
    model.join_ps = join.saturating_sub(SECTIONS_OF_A_HELPER * model.section_ps);
    let error = 100.0 * costs.error;
    for (key, what) in [("split_ps", "made"), ("join_ps", "joined")] {
        calibration.note(
            key,
            format!(
                "state `split` for each split point {what}, less its sections: least squares over \
                 {} workers, relative error {error:.0}%",
                rows.len()
            ),
        );
    }
}

/// More histories than the caches next to a core hold.
const HISTORIES: usize = 8;
const ROUNDS: usize = 5;

/// Measures copying, by one worker alone.
pub(super) fn measure_copies(calibration: &mut Calibration) -> Result<(), CalibrationError> {
    let histories: Vec<History> = (0..HISTORIES).map(|_| History::default()).collect();
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        for pair in histories.windows(2) {
            let start = Instant::now();
            pair[1].copy_from(&pair[0]);
            times.push(start.elapsed().as_secs_f64() * 1e12);
        }
    }
    let middle = summary::median(&times).ok_or(CalibrationError::TooLittle)?;
    calibration.costs.common.copy_ps = cost(middle);
    calibration.note("copy_ps", format!("{} copies of a history", times.len()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use ttd_search::engine::Techniques;
    use ttd_search::positions::{self, TestPosition};
    use ttd_search::searchers::{Costs, Lab, Settings, Task};

    fn searched(lab: &mut Lab, threads: usize) -> Vec<Searches> {
        let positions = positions::load("bratko-kopec").expect("a built-in set");
        let search = |root| {
            let searcher = Searcher::named("ybwc");
            let task = Task { searcher, threads, ..Task::to_depth(root, 9) };
            lab.clear();
            Searches::of_one(searcher, lab.search(&task, &AtomicBool::new(false)))
        };
        positions[..8].iter().map(TestPosition::position).map(search).collect()
    }

    /// Virtual cores have known costs, so the result can be checked.
    #[test]
    fn what_split_points_cost_is_found() {
        let costs = Costs::default();
        let lab = Lab::new(1, Techniques::default(), Settings::default()).expect("enough memory");
        let mut lab = lab.on_virtual_cores(costs.clone(), None);
        let mut calibration = Calibration { costs: costs.clone(), evidence: Vec::new() };
        calibration.costs.common.split_ps = 0;
        calibration.costs.common.join_ps = 0;
        fit(&searched(&mut lab, 2), &mut calibration);
        let found = &calibration.costs.common;
        for (found, made) in
            [(found.split_ps, costs.common.split_ps), (found.join_ps, costs.common.join_ps)]
        {
            assert!((0.8..1.25).contains(&(found as f64 / made as f64)), "{found} for {made}");
        }
        assert_eq!(calibration.evidence.len(), 2);
    }

    #[test]
    fn without_split_points_the_defaults_stay() {
        let lab = Lab::new(1, Techniques::default(), Settings::default()).expect("enough memory");
        let mut lab = lab.on_virtual_cores(Costs::default(), None);
        let mut calibration = Calibration { costs: Costs::default(), evidence: Vec::new() };
        fit(&searched(&mut lab, 1), &mut calibration);
        assert_eq!(calibration.costs, Costs::default());
        assert!(calibration.evidence.is_empty());
    }
}
