//! The intervals of the coefficients of work and critical path.
//!
//! A position's work and path are lognormal, and T = a W/N + b C but for two errors. One belongs to
//! the position (standard deviation of the logarithm 10%), the other to each run.

use crate::normal::Normal;
use crate::{Cell, Found, SPREAD_OF_TIMES};
use ttd_stats::work_span::{self, Cells, Run};

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
const STREAM: u64 = 6;

/// The intervals of one simulated experiment.
pub(crate) fn simulate(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM);
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
