//! A forecast of the time that an experiment takes on the host, from short searches.
//!
//! Virtual time does not predict it. The number of nodes does, with the speed at which the host
//! searches or simulates. A probe tells how fast a thread of this machine is.

use super::competitor::Competitor;
use super::estimate::Estimate;
use super::plan::Planned;
use super::resolve::Resolved;
use crate::records::{CoresKind, cores_usable};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;
use ttd_search::cores::Time;
use ttd_search::engine::Techniques;
use ttd_search::positions;
use ttd_search::searchers::{Costs, Lab, LabError, Searcher, Settings, Status, Task};

/// The set and the place of the probe's position in it: a middlegame.
const PROBE_POSITION: (&str, usize) = ("bratko-kopec", 1);
/// The probe's depth: some tenths of a second.
const PROBE_DEPTH: u8 = 14;
/// The size of its table, in MiB: it is small enough for the caches of most machines.
const PROBE_HASH_MIB: usize = 1;
/// The depth to which every position is searched for the forecast.
const LOOK_DEPTH: u8 = 8;
/// The limit of such a search, in virtual seconds: minimax never reaches the depth.
const LOOK_LIMIT_S: f64 = 0.05;
/// The size of the table of these searches, in MiB.
const LOOK_HASH_MIB: usize = 16;
/// The nodes of `n` workers together are about `n` to this power times those of one, by the kept
/// trees on virtual cores. The first is of workers that share nothing but the table.
const WIDENING_APART: f64 = 0.6;
const WIDENING: f64 = 0.2;
/// With late move reductions, deeper trees grow less from ply to ply. The growth in the deeper half
/// of a short search, to this power, is the expected growth. The kept trees of `middlegames` to
/// depth 12, 16 and 20 are then forecast as 0.8, 1.0 and 1.4 times what they are.
const SLOWING: f64 = 0.58;
/// With several workers, a simulated node takes about this many times as long as with one worker.
const SWITCHING: f64 = 1.8;

/// The number of positions, evenly taken from the set, that are searched to forecast a variant.
const LOOKS_AT_VARIANT: usize = 4;

/// Forecasts the time of every cell of a plan from the tree of its position. It takes about a
/// second. If it is interrupted, nothing is expected. Nothing is known of outside engines: none is
/// started for it.
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
    let lab = Lab::new(LOOK_HASH_MIB, experiment.engine.clone(), Settings::default())?;
    // The costs are the defaults, whatever the experiment's are: the limit must bound the host's
    // time.
    let lab = lab.on_virtual_cores(Costs::default(), None);
    let mut looking = Looking { lab, resolved, interrupt };
    let all: Vec<usize> = (0..resolved.positions.len()).collect();
    let Some(usual) = looking.at(&experiment.engine, &all) else { return Ok(estimate) };
    let some: Vec<usize> =
        all.iter().copied().step_by(all.len().div_ceil(LOOKS_AT_VARIANT).max(1)).collect();
    // For each variant, its time for the same positions, divided by that of the experiment's own
    // settings.
    let mut factors = Vec::new();
    for variant in &experiment.variants {
        let Some(own) = looking.at(&variant.engine, &some) else { return Ok(estimate) };
        let of_usual: f64 = some.iter().map(|position| usual[*position]).sum();
        factors.push(own.iter().sum::<f64>() / of_usual);
    }
    // In dilated time each worker has as much of a core as any other.
    let cores = experiment.dilate.map_or_else(cores_usable, |_| usize::MAX);
    for planned in plan {
        let cell = planned.cell;
        let factor = match cell.competitor {
            Competitor::Variant(index) => factors[index],
            Competitor::Searcher(_) => 1.0,
            Competitor::Engine(_) => continue,
        };
        let apart = experiment.searches_apart(cell.competitor);
        let widening = if apart { WIDENING_APART } else { WIDENING };
        let work = usual[cell.position] * factor * (cell.threads as f64).powf(widening);
        let time = match experiment.cores {
            CoresKind::Virtual if cell.threads > 1 => work * SWITCHING,
            CoresKind::Virtual => work,
            CoresKind::Real => (work / cell.threads.min(cores) as f64).min(experiment.time_limit_s),
        };
        estimate.expect(cell, experiment.wall_time(Time::from_secs_f64(time)));
    }
    Ok(estimate)
}

/// The short searches.
struct Looking<'a> {
    lab: Lab,
    resolved: &'a Resolved,
    interrupt: &'a AtomicBool,
}

impl Looking<'_> {
    /// The time in which the host will search each of these positions to the experiment's depth
    /// with one worker, in seconds. None if it was interrupted.
    fn at(&mut self, engine: &Techniques, positions: &[usize]) -> Option<Vec<f64>> {
        let depth = self.resolved.experiment.depth;
        self.lab.set_up(engine.clone(), Settings::default());
        // For each position: a depth, and the nodes to that depth.
        let mut looks = Vec::new();
        let (mut searched, mut searching) = (1.0, 0.0);
        // For each position: the logarithm of the growth from ply to ply.
        let mut growths = Vec::new();
        for &position in positions {
            let root = self.resolved.positions[position].position();
            let task = Task::to_depth(root, depth.min(LOOK_DEPTH));
            let time_limit = Some(Time::from_secs_f64(LOOK_LIMIT_S));
            let task = Task { time_limit, ..task };
            self.lab.clear();
            let start = Instant::now();
            let outcome = self.lab.search(&task, self.interrupt);
            if self.interrupt.load(Relaxed) {
                return None;
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
        let slowing = if engine.late_move_reductions.enabled { SLOWING } else { 1.0 };
        let growth = (growth * slowing).exp().max(1.1);
        let time = |(reached, nodes): (u8, f64)| {
            nodes * growth.powi(i32::from(depth - reached)) * per_node
        };
        Some(looks.into_iter().map(time).collect())
    }
}

/// The time that one thread needs for a search that is the same everywhere, in seconds; none if it
/// was interrupted.
///
/// # Errors
/// If there is no memory for a small table.
///
/// # Panics
/// If the program has lost its position set.
pub fn probe(interrupt: &AtomicBool) -> Result<Option<f64>, LabError> {
    let (set, place) = PROBE_POSITION;
    let position = &positions::load(set).expect("a set of the program")[place];
    let mut lab = Lab::new(PROBE_HASH_MIB, Techniques::default(), Settings::default())?;
    let task = Task {
        searcher: Searcher::baseline(),
        threads: 1,
        root: position.position(),
        depth: PROBE_DEPTH,
        time_limit: None,
        seed: 0,
        noise: 0,
        table_keys: 0,
    };
    lab.clear();
    let outcome = lab.search(&task, interrupt);
    Ok((outcome.status == Status::Ok).then(|| outcome.time.as_secs_f64()))
}
