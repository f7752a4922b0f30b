//! The intervals of `ttd compare`: of the ratio of the speedups of two sweeps. Both have equal
//! positions, each with samples of its own. The intervals of `ttd validate` are made in this way
//! too.

use crate::normal::Normal;
use crate::{Cell, Found, SHARE, SPREAD, SPREAD_OF_TIMES, cell as times};
use ttd_stats::fits::Model;
use ttd_stats::ratios::{self, Quotient};
use ttd_stats::{Runs, summary};

/// The number of threads whose speedup is taken.
const THREADS: f64 = 4.0;
/// The factor by which the second sweep's speedup is greater, over the population, and the standard
/// deviation of the logarithm of that factor.
const FASTER: f64 = 1.05;
const SPREAD_OF_RATIOS: f64 = 0.1;
/// The stream of these experiments.
const STREAM: u64 = 7;

/// The intervals of one pair of simulated experiments.
pub(crate) fn simulate(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM);
    let sigma = cell.sigma();
    // Both sides' times at one thread, then at THREADS.
    let mut sides: [[Vec<Runs>; 2]; 2] = Default::default();
    let mut faster = Vec::new();
    for _ in 0..cell.positions {
        let one = (SPREAD_OF_TIMES * normal.draw()).exp();
        let old = Model::Amdahl.speedup(&[SHARE], THREADS) * (SPREAD * normal.draw()).exp();
        let ratio = FASTER * (SPREAD_OF_RATIOS * normal.draw()).exp();
        faster.push(ratio);
        for ([base, many], speedup) in sides.iter_mut().zip([old, old * ratio]) {
            base.push(times(&mut normal, one, sigma, cell.runs));
            many.push(times(&mut normal, one / speedup, sigma, cell.runs));
        }
    }
    let [[old_base, old], [new_base, new]] = &sides;
    let new = Quotient { above: vec![new_base], below: vec![new] };
    let old = Quotient { above: vec![old], below: vec![old_base] };
    let ratio = ratios::geometric_mean(&[new, old], number);
    let truth = summary::geometric_mean(&faster).unwrap_or(f64::NAN);
    vec![
        ("runs GM of two sweeps: rescaled".to_owned(), truth, ratio.and_then(|of| of.ci_runs)),
        (
            "positions GM of two sweeps: expanded".to_owned(),
            FASTER,
            ratio.and_then(|of| of.ci_positions),
        ),
    ]
}
