//! The intervals of the section on speedup by depth: of the geometric mean to a depth, and of the
//! growth a ply.

use crate::normal::Normal;
use crate::{Cell, Found, SPREAD};
use ttd_stats::depth_trend::{Trend, slope};
use ttd_stats::{Bounds, bootstrap, summary};

/// The deeper half of the depths.
const DEPTHS: std::ops::RangeInclusive<u8> = 9..=16;
/// The depth at which the speedups of the population have this median.
const AT: u8 = 16;
const SPEEDUP: f64 = 2.5;
/// The growth of the logarithm of the speedup a ply: mean and standard deviation over positions.
const GROWTH: [f64; 2] = [0.02, 0.03];
/// The stream of these experiments.
const STREAM: u64 = 5;

/// The intervals of one simulated experiment.
pub(crate) fn simulate(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM);
    let sigma = cell.sigma();
    let position = |_| {
        let own = SPEEDUP * (SPREAD * normal.draw()).exp();
        let growth = GROWTH[0] + GROWTH[1] * normal.draw();
        let mut measured = |depth: u8| {
            let speedup = own * (growth * (f64::from(depth) - f64::from(AT))).exp();
            let mut time = |median: f64| {
                summary::median(&normal.about(median, sigma, cell.runs)).unwrap_or(f64::NAN)
            };
            (depth, time(1.0) / time(1.0 / speedup))
        };
        DEPTHS.map(&mut measured).collect()
    };
    let positions: Vec<Vec<(u8, f64)>> = (0..cell.positions).map(position).collect();
    let slopes: Vec<f64> = positions.iter().filter_map(|speedups| slope(speedups)).collect();
    let growth = Trend::of(&slopes).and_then(|trend| trend.ci_positions);
    let deepest = positions.iter().filter_map(|speedups| speedups.last());
    let logarithms: Vec<Bounds> = deepest.map(|(_, speedup)| Bounds::exact(speedup.ln())).collect();
    let mean = bootstrap::mean_over_positions(&logarithms, number).map(|ci| ci.map(f64::exp));
    vec![
        ("positions GM by depth: expanded".to_owned(), SPEEDUP, mean),
        ("positions growth a ply: Student".to_owned(), GROWTH[0], growth),
    ]
}
