//! The intervals of net speedups. The trees are smaller than that of one thread, as large, and
//! larger: where the cap bites, in between, and where it does not.
//!
//! The speedup of a position is as in the other simulations. Its tree ratio is lognormal about the
//! population's. The nodes of a run vary as much as its time, and most of that in common with it.

use crate::normal::Normal;
use crate::{Cell, Found, SHARE, SPREAD, SPREAD_OF_TIMES};
use ttd_stats::bootstrap::REPLICATES;
use ttd_stats::fits::Model;
use ttd_stats::{Base, NetSpeedups, Runs, Sweep, Timing, summary};

/// The number of threads whose speedup is taken.
const THREADS: usize = 4;
/// The tree ratios of the population, and the standard deviation over positions of their logarithm.
const TREES: [f64; 3] = [0.95, 1.0, 1.05];
const SPREAD_OF_TREES: f64 = 0.15;
/// The part of the noise of nodes that they have in common with the time.
const IN_COMMON: f64 = 0.8;
/// The stream of the first of these experiments.
const STREAM: u64 = 20;

/// The intervals of one simulated experiment for each tree ratio.
pub(crate) fn simulate(cell: Cell, number: u64) -> Vec<Found> {
    (STREAM..).zip(TREES).flat_map(|(stream, tree)| about(cell, number, stream, tree)).collect()
}

fn about(cell: Cell, number: u64, stream: u64, tree: f64) -> [Found; 2] {
    let mut normal = Normal::new(number, stream);
    let sigma = cell.sigma();
    let population = Model::Amdahl.speedup(&[SHARE], THREADS as f64);
    let (mut speedups, mut trees) = (Vec::new(), Vec::new());
    // Times and nodes, each at one thread and at THREADS.
    let mut rows: [[Vec<Runs>; 2]; 2] = Default::default();
    for _ in 0..cell.positions {
        let one = (SPREAD_OF_TIMES * normal.draw()).exp();
        let speedup = population * (SPREAD * normal.draw()).exp();
        let ratio = tree * (SPREAD_OF_TREES * normal.draw()).exp();
        let medians = [(one, one), (one / speedup, one * ratio)];
        for (place, (time, nodes)) in medians.into_iter().enumerate() {
            let (mut times, mut counts) = (Vec::new(), Vec::new());
            for _ in 0..cell.runs {
                let (common, own) = (normal.draw(), normal.draw());
                let of_nodes = IN_COMMON * common + (1.0 - IN_COMMON.powi(2)).sqrt() * own;
                times.push(Timing::Exact(time * (sigma * common).exp()));
                counts.push(Timing::Exact(nodes * (sigma * of_nodes).exp()));
            }
            rows[0][place].push(times.into());
            rows[1][place].push(counts.into());
        }
        speedups.push(speedup);
        trees.push(ratio);
    }
    let [times, nodes] = rows.map(|cells| Sweep {
        threads: vec![1, THREADS],
        cells: cells.to_vec(),
        base: Base::Own(0),
    });
    let net = NetSpeedups::of(&times, &nodes, number, REPLICATES);
    let mean = |values: &[f64]| summary::geometric_mean(values).unwrap_or(f64::NAN);
    let these = mean(&speedups) * mean(&trees).min(1.0);
    let of =
        |which: &str, truth, interval| (format!("{which} net of trees of {tree}"), truth, interval);
    [
        of("runs", these, net.by_runs.interval(1, ttd_stats::Net::net)),
        of(
            "positions",
            population * tree.min(1.0),
            net.by_positions.interval(1, ttd_stats::Net::net),
        ),
    ]
}
