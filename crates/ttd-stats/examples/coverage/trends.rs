//! The intervals of the section on speedup by depth: of the geometric mean to a depth, and of the
//! growth a ply. And those of the coefficients of work and critical path.
//!
//! There a position's work and path are lognormal, and T = a W/N + b C but for two errors. One
//! belongs to the position (standard deviation of the logarithm 10%), the other to each run.

use crate::normal::Normal;

use crate::{Cell, Found, SPREAD, SPREAD_OF_TIMES};
use ttd_stats::depth_trend::{Trend, slope};
use ttd_stats::work_span::{self, Cells, Run};
use ttd_stats::{Bounds, bootstrap, summary};

/// The deeper half of the depths.
const DEPTHS: std::ops::RangeInclusive<u8> = 9..=16;
/// The depth at which the speedups of the population have this median.
const AT: u8 = 16;
const SPEEDUP: f64 = 2.5;
/// The growth of the logarithm of the speedup a ply: mean and standard deviation over positions.
const GROWTH: [f64; 2] = [0.02, 0.03];
/// The stream of these experiments.
const STREAM_OF_DEPTHS: u64 = 5;

/// The intervals of one simulated experiment.
pub(crate) fn by_depth(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM_OF_DEPTHS);
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

const THREADS: [usize; 4] = [2, 4, 8, 16];
const A: f64 = 1.0;
const B: f64 = 1.2;
/// The median of the path over the work, and the standard deviation of its logarithm over
/// positions.
const PATH: f64 = 0.1;
const SPREAD_OF_PATHS: f64 = 0.5;
/// The standard deviation of the logarithm of a position's error.
const OWN_ERROR: f64 = 0.1;
/// The stream of these experiments.
const STREAM_OF_WORK: u64 = 6;

/// The intervals of one simulated experiment.
pub(crate) fn work_and_span(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM_OF_WORK);
    let sigma = cell.sigma();
    let mut truth = Vec::new();
    let mut positions: Vec<Cells> = Vec::new();
    for _ in 0..cell.positions {
        let work = (SPREAD_OF_TIMES * normal.draw()).exp();
        let path = work * PATH * (SPREAD_OF_PATHS * normal.draw()).exp();
        let own = (OWN_ERROR * normal.draw()).exp();
        let cells = THREADS.map(|n| {
            let share = work / n as f64;
            let median = own * (A * share + B * path);
            let run = |time| Run { time, share, path };
            truth.push(run(median));
            let times = normal.about(median, sigma, cell.runs).into_iter();
            (1..).zip(times.map(run)).collect()
        });
        positions.push(cells.to_vec());
    }
    let all: Vec<Run> = positions.concat().concat().into_iter().map(|(_, run)| run).collect();
    let (Some(fit), Some(exact)) = (work_span::fit(&all), work_span::fit(&truth)) else {
        return Vec::new();
    };
    let by_runs = work_span::over_runs(&fit, &positions, number);
    let by_positions = work_span::over_positions(&fit, &positions, number);
    vec![
        ("runs work/span a".to_owned(), exact.a, by_runs.map(|both| both.a)),
        ("runs work/span b".to_owned(), exact.b, by_runs.map(|both| both.b)),
        ("positions work/span a".to_owned(), A, by_positions.map(|both| both.a)),
        ("positions work/span b".to_owned(), B, by_positions.map(|both| both.b)),
    ]
}
