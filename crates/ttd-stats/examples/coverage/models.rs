//! The intervals of every model's parameters and of their consequences.
//!
//! The threads are 1, 2, 4, 8 and 16: USL needs four above 1. The population's median speedup is
//! that of USL. So this law is right and the others are wrong, as they may be in reality. The truth
//! of each is its fit to the true medians.

use crate::normal::Normal;
use crate::{Cell, Found, SPREAD, SPREAD_OF_TIMES, cell as times};
use ttd_stats::bootstrap::{self, REPLICATES, Replicates};
use ttd_stats::fits::{self, Fit, Model};
use ttd_stats::{Base, Bounds, Runs, Speedups, Sweep};

const THREADS: [usize; 5] = [1, 2, 4, 8, 16];
/// Contention and coherency of the population: it peaks at 21 threads.
const LAW: [f64; 2] = [0.1, 0.002];
/// The share of a core that another thread must be worth.
const WORTH: f64 = 0.25;
/// The stream of these experiments.
const STREAM: u64 = 4;

/// The intervals of one simulated experiment.
pub(crate) fn simulate(cell: Cell, number: u64) -> Vec<Found> {
    let mut normal = Normal::new(number, STREAM);
    let truth = true_times(cell, &mut normal);
    let sigma = cell.sigma();
    let mut drawn = |median: &f64| times(&mut normal, *median, sigma, cell.runs);
    let cells: Vec<Vec<Runs>> =
        truth.iter().map(|row| row.iter().map(&mut drawn).collect()).collect();
    let sweep = Sweep { threads: THREADS.to_vec(), cells, base: Base::Own(0) };
    let exact = |row: &Vec<f64>| row.iter().map(|t| Some(Bounds::exact(*t))).collect();
    let exact: Vec<Vec<Option<Bounds>>> = truth.iter().map(exact).collect();
    let exact = Speedups::new(exact[0].clone(), exact, Some(0));
    let by_runs = bootstrap::resample_runs(&sweep, number, REPLICATES);
    let by_positions = bootstrap::resample_positions(&sweep.speedups(), number, REPLICATES);
    let population = |n: usize| Model::Usl.speedup(&LAW, n as f64);
    let mut found = over("runs", &medians(&exact), &by_runs);
    found.extend(over("positions", &THREADS.map(population), &by_positions));
    found
}

/// The true median times, by thread count and position.
fn true_times(cell: Cell, normal: &mut Normal) -> Vec<Vec<f64>> {
    let own = normal.about(1.0, SPREAD, cell.positions);
    let one = normal.about(1.0, SPREAD_OF_TIMES, cell.positions);
    let time = |n: usize, own: f64| match n {
        1 => 1.0,
        _ => 1.0 / (own * Model::Usl.speedup(&LAW, n as f64)),
    };
    let row = |n: usize| own.iter().zip(&one).map(|(own, one)| one * time(n, *own)).collect();
    THREADS.map(row).to_vec()
}

/// The median speedups; nothing is censored.
fn medians(speedups: &Speedups) -> Vec<f64> {
    let all: Vec<usize> = (0..speedups.base.len()).collect();
    let median = |index| speedups.headline(index, &all).map_or(f64::NAN, |h| h.median.lower);
    (0..THREADS.len()).map(median).collect()
}

/// The intervals of every model. The truth of each is the model's fit to `truth`.
fn over(which: &str, truth: &[f64], replicates: &Replicates) -> Vec<Found> {
    let count = replicates.headlines[0].len();
    let drawn: Vec<Vec<f64>> = (0..count)
        .map(|at| replicates.headlines.iter().map(|all| all[at].median.lower).collect())
        .collect();
    let all: Vec<usize> = (0..THREADS.len()).collect();
    let mut found = Vec::new();
    for model in Model::ALL {
        let Some(right) = fitted(model, truth) else { continue };
        let refits: Vec<Option<Fit>> = drawn.iter().map(|medians| fitted(model, medians)).collect();
        for (what, figure) in figures(model) {
            let anything = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
            let figures: Vec<Bounds> = refits
                .iter()
                .map(|fit| fit.as_ref().map_or(anything, |fit| Bounds::exact(figure(fit))))
                .collect();
            let interval = replicates.interval_of_several(&all, &figures);
            found.push((format!("{which} {} {what}", model.words()), figure(&right), interval));
        }
    }
    found
}

fn fitted(model: Model, medians: &[f64]) -> Option<Fit> {
    let points: Vec<(usize, f64)> = THREADS.into_iter().zip(medians.iter().copied()).collect();
    fits::fit(model, &points)
}

type Figure = Box<dyn Fn(&Fit) -> f64>;

/// The figures of a model that reports give intervals for.
fn figures(model: Model) -> Vec<(&'static str, Figure)> {
    let parameters = model.parameters().iter().enumerate();
    let mut figures: Vec<(&'static str, Figure)> = parameters
        .map(|(at, name)| -> (&'static str, Figure) {
            (*name, Box::new(move |fit: &Fit| fit.parameters[at]))
        })
        .collect();
    if matches!(model, Model::Amdahl | Model::Usl) {
        let limit = |fit: &Fit| fit.limit().map_or(f64::INFINITY, |limit| limit.speedup);
        figures.push(("limit", Box::new(limit)));
    }
    if !model.is_trend() {
        let enough = |fit: &Fit| fit.enough(WORTH).map_or(f64::INFINITY, |n| n as f64);
        figures.push(("enough at 25%", Box::new(enough)));
    }
    figures
}
