//! Measures the cost of taking over another worker's history.

use super::costs::{Calibration, CalibrationError, cost};
use std::time::Instant;
use ttd_search::engine::History;
use ttd_stats::summary;

/// More histories than the caches next to a core hold.
const HISTORIES: usize = 8;
const ROUNDS: usize = 5;

/// Measures copying, by one worker alone.
pub(super) fn measure(calibration: &mut Calibration) -> Result<(), CalibrationError> {
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
