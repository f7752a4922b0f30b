//! What nodes cost: one worker alone, and as many as there are cores, each with a tree and a table
//! of its own.

use super::{Calibration, CalibrationError, Site, cost, median};
use crate::cores::jobs;
use crate::searchers::{Lab, Outcome, Searcher};
use crate::stats::{least_squares, summary};

/// What one position gave, over the runs.
#[derive(Default)]
struct Times {
    /// Seconds, of a worker alone.
    alone: Vec<f64>,
    /// The same search, while the other cores do it too.
    together: Vec<f64>,
}

/// Measures the costs of nodes, of the table's fill, and how workers slow each other down. Alone and
/// together take turns, so that whatever else the machine does disturbs both alike.
pub(super) fn measure(
    site: &Site<'_>,
    calibration: &mut Calibration,
    said: &mut impl FnMut(&str),
) -> Result<(), CalibrationError> {
    let workload = site.workload;
    let mut labs: Vec<Lab> =
        (0..workload.cores).map(|_| site.lab()).collect::<Result<_, CalibrationError>>()?;
    let mut times: Vec<Times> = workload.positions.iter().map(|_| Times::default()).collect();
    let mut rows = Vec::new();
    for run in 1..=workload.runs {
        said(&format!("nodes, alone and on all cores: run {run} of {}", workload.runs));
        for (position, times) in workload.positions.iter().zip(&mut times) {
            let task = site.task(Searcher::Sequential, 1, position);
            let outcome = site.search(&mut labs[0], &task)?;
            times.alone.push(outcome.time.as_secs_f64());
            if run == 1 {
                rows.push(terms(&outcome));
            }
            if labs.len() > 1 {
                labs.iter_mut().for_each(Lab::clear);
                let ended = jobs::at_once(&mut labs, |lab| lab.search(&task, site.interrupt));
                let seconds = |outcome| Ok(site.checked(outcome)?.time.as_secs_f64());
                let all: Vec<f64> =
                    ended.into_iter().map(seconds).collect::<Result<_, CalibrationError>>()?;
                times.together.push(median(&all)?);
            }
        }
    }
    let alone: Vec<f64> =
        times.iter().map(|times| median(&times.alone)).collect::<Result<_, _>>()?;
    let costs = least_squares::costs(&rows, &alone).ok_or(CalibrationError::TooLittle)?;
    let [node, quiescence, table] = costs.each.map(|seconds| cost(seconds * 1e12));
    calibration.model.node_ps = node.max(1);
    calibration.model.quiescence_node_ps = quiescence.max(1);
    calibration.model.table_ps = table;
    let error = 100.0 * costs.error;
    let fitted =
        format!("least squares over {} positions, relative error {error:.1}%", alone.len());
    for key in ["node_ps", "quiescence_node_ps", "table_ps"] {
        calibration.note(key, fitted.clone());
    }
    if labs.len() > 1 {
        let ratio = |times: &Times| Ok(median(&times.together)? / median(&times.alone)?);
        let ratios: Vec<f64> = times.iter().map(ratio).collect::<Result<_, CalibrationError>>()?;
        let slower = summary::geometric_mean(&ratios).ok_or(CalibrationError::TooLittle)?;
        let others = (labs.len() - 1) as f64;
        let permille = (1000.0 * (slower - 1.0) / others).round().clamp(0.0, 1000.0);
        calibration.model.slowdown_permille = permille as u64;
        calibration.note(
            "slowdown_permille",
            format!("{} searches at once take {slower:.3} times as long as one", labs.len()),
        );
    }
    Ok(())
}

/// What the time of a search is the sum of: nodes, quiescence nodes, and nodes times the fill of the
/// table, which grows with them: half of what it is at the end.
fn terms(outcome: &Outcome) -> [f64; 3] {
    let counters = outcome.counters();
    let (nodes, quiescence) = (counters.nodes as f64, counters.qnodes as f64);
    [nodes - quiescence, quiescence, nodes * outcome.table_fill / 2.0]
}
