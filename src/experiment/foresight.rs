//! How long an experiment on virtual cores will take on the host: a guess from short searches.
//!
//! Virtual time tells nothing of it. What does is the number of nodes, and how fast the host simulates.

use super::estimate::Estimate;
use super::plan::Planned;
use super::resolve::Resolved;
use crate::cores::Time;
use crate::searchers::{Costs, Lab, LabError, Searcher, Settings, Task};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

/// To which depth every position is searched to guess the rest,
const LOOK_DEPTH: u8 = 8;
/// and at most for how long, in virtual seconds: minimax never comes so deep.
const LOOK_LIMIT_S: f64 = 0.05;
/// Table of these searches, MiB.
const LOOK_HASH_MIB: usize = 16;
/// All workers together visit about `threads` to this power as many nodes as one alone.
const WIDENING: f64 = 0.3;
/// Where late moves are reduced, trees grow the less from ply to ply the deeper they are: by what they do in the
/// deeper half of a short search, to this power. It fits the kept trees of `middlegames` to depth 22; those of
/// `hyatt-dts` grow less still.
const SLOWING: f64 = 0.75;
/// A simulation of several workers takes about so many times as long for a node as one of a single worker.
const SWITCHING: f64 = 1.8;

/// Expects of every cell of a plan what the trees of its position promise. Takes a second or so; nothing is
/// expected if it was interrupted.
///
/// # Errors
/// If there is no memory for a small table.
pub fn foresee(
    resolved: &Resolved,
    plan: &[Planned],
    interrupt: &AtomicBool,
) -> Result<Estimate, LabError> {
    let experiment = &resolved.experiment;
    let mut estimate = Estimate::default();
    if experiment.costs.is_none() {
        return Ok(estimate);
    }
    let lab = Lab::new(LOOK_HASH_MIB, experiment.engine.clone(), Settings::default())?;
    // With the default costs, whatever the experiment's are: the limit is one of the host's time.
    let mut lab = lab.on_virtual_cores(Costs::default(), None);
    let depth = experiment.depth.min(LOOK_DEPTH);
    let limit = Some(Time::from_secs_f64(LOOK_LIMIT_S));
    // Of each position: a depth, and the nodes to there.
    let mut looks = Vec::new();
    let (mut searched, mut searching) = (1.0, 0.0);
    // Of each position: the logarithm of the growth from ply to ply.
    let mut growths = Vec::new();
    for position in &resolved.positions {
        let (root, searcher) = (position.position(), Searcher::Sequential);
        let task = Task { searcher, threads: 1, root, depth, time_limit: limit, seed: 1, noise: 1 };
        lab.clear();
        let start = Instant::now();
        let outcome = lab.search(&task, interrupt);
        if interrupt.load(Relaxed) {
            return Ok(Estimate::default());
        }
        searching += start.elapsed().as_secs_f64();
        let all = outcome.counters().nodes as f64;
        searched += all;
        let iterations = &outcome.iterations;
        if let Some(last) = iterations.last()
            && let Some(half) = iterations.iter().find(|one| one.depth == last.depth / 2)
        {
            let plies = f64::from(last.depth - half.depth);
            growths.push((last.nodes as f64 / half.nodes as f64).ln() / plies);
        }
        looks.push(match outcome.iterations.last() {
            Some(iteration) => (iteration.depth, iteration.nodes as f64),
            None => (1, all),
        });
    }
    let per_node = searching / searched;
    let growth = growths.iter().sum::<f64>() / growths.len().max(1) as f64;
    let slowing = if experiment.engine.late_move_reductions.enabled { SLOWING } else { 1.0 };
    let growth = (growth * slowing).exp().max(1.1);
    let nodes: Vec<f64> = looks
        .into_iter()
        .map(|(reached, nodes)| nodes * growth.powi(i32::from(experiment.depth - reached)))
        .collect();
    for planned in plan {
        let cell = planned.cell;
        let simulated = if cell.threads > 1 { SWITCHING } else { 1.0 };
        let work = nodes[cell.position] * (cell.threads as f64).powf(WIDENING);
        estimate.expect(cell, Time::from_secs_f64(work * per_node * simulated));
    }
    Ok(estimate)
}
