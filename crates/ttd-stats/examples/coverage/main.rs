//! The coverage of a report's intervals, in simulated experiments whose truth is known.
//!
//!     cargo run --release --example coverage -- EXPERIMENTS RUNS POSITIONS VARIATION [UNTIL]
//!
//! prints one line of CSV for each interval. EXPERIMENTS is the number of simulated experiments,
//! RUNS the number of runs a cell, POSITIONS that of positions. VARIATION is the coefficient of
//! variation of the times (0.05: 5%). `scripts/coverage.sh` runs the whole grid of
//! docs/coverage.md. With UNTIL (0.03: 3%) each experiment goes on as `ttd run --until` does, to
//! RUNS at most. The word `sittings` in its place simulates only the intervals over sittings. The
//! word `assay` simulates only those of times at equal quality, which are in no other row. They do
//! not depend on RUNS, POSITIONS and VARIATION.
//!
//! An experiment has 1, 2, 4 and 8 threads. (The files `models`, `net`, `trends`,
//! `sweeps` and `assay` describe experiments of their own.) The speedup of a
//! position is Amdahl's with p = 0.8 times a factor of the position, lognormal with median 1. Its
//! time at one thread is lognormal too. The positions are drawn anew in each experiment. The times
//! of a cell are lognormal about their true median.
//!
//! So the truth of an interval over positions is the population's. Median and geometric mean are
//! Amdahl's speedup, and p is 0.8. The ratio of total times is that speedup over the mean of the
//! inverse factor.
//!
//! The truth of an interval over runs is the figure of these positions with exactly known times.
//! Runs find the one-thread move with a probability that depends on the position, in 4 of 5 cases
//! over all positions.

mod assay;
mod models;
mod net;
mod normal;
mod sweeps;
mod trends;

use normal::Normal;
use statrs::distribution::{ContinuousCDF, Normal as NormalDistribution};
use std::collections::BTreeMap;
use std::error::Error;
use ttd_stats::agreement::Agreement;
use ttd_stats::bootstrap::{self, CONFIDENCE, REPLICATES, Replicates, rescaled_confidence};
use ttd_stats::fits::{self, Model};
use ttd_stats::{Base, Bounds, Headline, Runs, Speedups, Sweep, Timing, censoring, summary};

/// Numbers of threads. The interval of the speedup is taken at the third.
const THREADS: [usize; 4] = [1, 2, 4, 8];
const AT: usize = 2;
/// The parallel share of the population.
const SHARE: f64 = 0.8;
/// The standard deviation over positions of the logarithm of the speedup.
const SPREAD: f64 = 0.25;
/// The standard deviation over positions of the logarithm of the time at one thread.
const SPREAD_OF_TIMES: f64 = 1.0;
/// The number of positions of an experiment for which the interval of their own speedup is taken.
const SINGLE: usize = 4;
/// The share of runs, over all positions, that find the one-thread move.
const AGREEMENT: f64 = 0.8;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [experiments, runs, positions, variation, until @ ..] = &arguments[..] else {
        return Err("usage: coverage EXPERIMENTS RUNS POSITIONS VARIATION [UNTIL]".into());
    };
    let grid =
        Cell { runs: runs.parse()?, positions: positions.parse()?, variation: variation.parse()? };
    let only = |word: &str| until.first().is_some_and(|found| found == word);
    let (only_sittings, only_assay) = (only("sittings"), only("assay"));
    let until = until.first().filter(|_| !only_sittings && !only_assay);
    let until: Option<f64> = until.map(|until| until.parse()).transpose()?;
    let experiments: u64 = experiments.parse()?;
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for number in 0..experiments {
        let found = match until {
            _ if only_sittings => sweeps::over_sittings(grid, number),
            _ if only_assay => assay::simulate(number),
            Some(until) => grid.simulate_until(until, number),
            None => grid.simulate(number),
        };
        for (name, truth, interval) in found {
            counts.entry(name).or_default().add(truth, interval);
        }
    }
    println!("runs,positions,variation,interval,intervals,coverage,width");
    for (name, count) in counts {
        let Cell { runs, positions, variation } = grid;
        let (coverage, width) = (count.coverage(), count.width());
        println!("{runs},{positions},{variation},{name},{},{coverage:.4},{width:.4}", count.of);
    }
    Ok(())
}

/// The number of intervals that held their truth.
#[derive(Default)]
struct Count {
    of: u64,
    held: u64,
    widths: f64,
}

impl Count {
    fn add(&mut self, truth: f64, interval: Option<Bounds>) {
        let Some(Bounds { lower, upper }) = interval else { return };
        self.of += 1;
        self.held += u64::from((lower..=upper).contains(&truth));
        self.widths += (upper - lower) / truth.abs();
    }

    fn coverage(&self) -> f64 {
        self.held as f64 / self.of as f64
    }

    /// The mean width, relative to the truth.
    fn width(&self) -> f64 {
        self.widths / self.of as f64
    }
}

/// A cell of the grid.
#[derive(Clone, Copy)]
struct Cell {
    runs: usize,
    positions: usize,
    variation: f64,
}

/// One simulated experiment.
struct Drawn {
    sweep: Sweep,
    /// The true median times, by thread count and position.
    truth: Vec<Vec<f64>>,
    /// The speedups that follow from the true times.
    exact: Speedups,
}

/// An interval of one simulated experiment: its name, the truth, and the interval that was found.
type Found = (String, f64, Option<Bounds>);

fn named<const N: usize>(found: [(&str, f64, Option<Bounds>); N]) -> Vec<Found> {
    found.into_iter().map(|(name, truth, interval)| (name.to_owned(), truth, interval)).collect()
}

impl Cell {
    fn simulate(self, number: u64) -> Vec<Found> {
        let mut normal = Normal::new(number, 0);
        let Drawn { sweep, truth, exact } = self.draw(&mut normal);
        let mut found = Cell::cells(&sweep, &truth);
        found.extend(self.over_runs(&sweep, &exact, number));
        found.extend(Cell::over_positions(&sweep, number));
        found.push(self.agreement(&mut normal, number));
        found.extend(models::simulate(self, number));
        found.extend(net::simulate(self, number));
        found.extend(trends::by_depth(self, number));
        found.extend(trends::work_and_span(self, number));
        found.extend(sweeps::of_two(self, number));
        found.extend(sweeps::over_sittings(self, number));
        found
    }

    /// Looks after 6 runs, and whenever they have doubled, whether every speedup is known well
    /// enough.
    fn simulate_until(self, until: f64, number: u64) -> Vec<Found> {
        let Drawn { sweep, exact, .. } = self.draw(&mut Normal::new(number, 0));
        let truth = value(headlines(&exact)[AT].geometric_mean);
        let looks = std::iter::successors(Some(6), |runs| Some(2 * runs));
        let looks = looks.take_while(|runs| *runs < self.runs).chain([self.runs]);
        let mut found = None;
        for runs in looks {
            let first = |times: &Runs| times.until(runs as u32);
            let cells = sweep.cells.iter().map(|row| row.iter().map(first).collect()).collect();
            let sweep = Sweep { cells, ..sweep.clone() };
            let replicates = bootstrap::resample_runs(&sweep, number, REPLICATES);
            let speedups = headlines(&sweep.speedups());
            let intervals: Vec<Option<Bounds>> = (0..THREADS.len())
                .map(|index| replicates.interval(index, geometric_mean))
                .collect();
            let narrow = intervals.iter().zip(&speedups).all(|(interval, speedup)| {
                let width =
                    interval.map(|ci| (ci.upper - ci.lower) / value(speedup.geometric_mean));
                width.is_some_and(|width| width < until)
            });
            found = intervals[AT];
            if narrow {
                break;
            }
        }
        named([("runs GM: rescaled, when narrow", truth, found)])
    }

    /// The standard deviation of the logarithm of a cell's times.
    fn sigma(self) -> f64 {
        self.variation.powi(2).ln_1p().sqrt()
    }

    fn draw(self, normal: &mut Normal) -> Drawn {
        let sigma = self.sigma();
        let own: Vec<f64> = (0..self.positions).map(|_| (SPREAD * normal.draw()).exp()).collect();
        let one: Vec<f64> =
            (0..self.positions).map(|_| (SPREAD_OF_TIMES * normal.draw()).exp()).collect();
        let speedup = |n: usize| Model::Amdahl.speedup(&[SHARE], n as f64);
        let time = |n: usize, own: &f64| if n == 1 { 1.0 } else { 1.0 / (own * speedup(n)) };
        let row = |n: usize| -> Vec<f64> {
            own.iter().zip(&one).map(|(own, one)| one * time(n, own)).collect()
        };
        let truth: Vec<Vec<f64>> = THREADS.map(row).to_vec();
        let cells: Vec<Vec<Runs>> = truth
            .iter()
            .map(|row| row.iter().map(|median| cell(normal, *median, sigma, self.runs)).collect())
            .collect();
        let exact = |row: &Vec<f64>| row.iter().map(|t| Some(Bounds::exact(*t))).collect();
        let exact: Vec<Vec<Option<Bounds>>> = truth.iter().map(exact).collect();
        Drawn {
            sweep: Sweep { threads: THREADS.to_vec(), cells, base: Base::Own(0) },
            exact: Speedups::new(exact[0].clone(), exact, Some(0)),
            truth,
        }
    }

    /// The interval of the share of runs that find the one-thread move.
    fn agreement(self, normal: &mut Normal, seed: u64) -> Found {
        let mut share = |_| {
            // The mean of U^(1/a - 1) is a.
            let likely = normal.uniform().powf(1.0 / AGREEMENT - 1.0);
            let found = (0..self.runs).filter(|_| normal.uniform() <= likely).count();
            found as f64 / self.runs as f64
        };
        let shares: Vec<f64> = (0..self.positions).map(&mut share).collect();
        let interval = Agreement::of(&shares, seed).and_then(|all| all.ci_positions);
        ("positions agreement: expanded".to_owned(), AGREEMENT, interval)
    }

    /// The order-statistic interval of the median of each cell.
    fn cells(sweep: &Sweep, truth: &[Vec<f64>]) -> Vec<Found> {
        let cells = sweep.cells.iter().flatten().zip(truth.iter().flatten());
        let interval = |(times, truth): (&Runs, &f64)| {
            let found = censoring::median_time_interval(times);
            ("cell median: order statistics".to_owned(), *truth, found)
        };
        cells.map(interval).collect()
    }

    /// The intervals over runs: these positions, measured again.
    fn over_runs(self, sweep: &Sweep, exact: &Speedups, seed: u64) -> Vec<Found> {
        let replicates = bootstrap::resample_runs(sweep, seed, REPLICATES);
        let truth = headlines(exact);
        let (median, mean, share) =
            (value(truth[AT].median), value(truth[AT].geometric_mean), share(&truth));
        let total = value(truth[AT].total_time_ratio);
        let shares = shares(&replicates);
        let wide = rescaled_confidence(self.runs);
        let single = replicates.cells[AT].iter().zip(exact.speedups[AT].iter().flatten());
        let single = single.take(SINGLE).flat_map(|(cell, truth)| {
            let of = |confidence| bootstrap::interval(cell, confidence);
            named([
                ("runs one position: percentile", value(*truth), of(CONFIDENCE)),
                ("runs one position: rescaled", value(*truth), of(wide)),
            ])
        });
        let of = |confidence, figure| percentile(&replicates, confidence, figure);
        let mut found = named([
            ("runs GM: percentile", mean, of(CONFIDENCE, geometric_mean)),
            ("runs GM: rescaled", mean, of(wide, geometric_mean)),
            ("runs median: percentile", median, of(CONFIDENCE, of_median)),
            ("runs median: rescaled", median, of(wide, of_median)),
            ("runs p: percentile", share, bootstrap::interval(&shares, CONFIDENCE)),
            ("runs p: rescaled", share, bootstrap::interval(&shares, wide)),
            ("runs total: percentile", total, of(CONFIDENCE, of_total)),
            ("runs total: rescaled", total, of(wide, of_total)),
        ]);
        found.extend(single);
        found
    }

    /// The intervals over positions: other positions.
    fn over_positions(sweep: &Sweep, seed: u64) -> Vec<Found> {
        let speedups = sweep.speedups();
        let replicates = bootstrap::resample_positions(&speedups, seed, REPLICATES);
        let all: Vec<usize> = (0..THREADS.len()).collect();
        let truth = Model::Amdahl.speedup(&[SHARE], THREADS[AT] as f64);
        // The mean of an inverse factor is exp(SPREAD^2 / 2).
        let total = truth / (SPREAD.powi(2) / 2.0).exp();
        let shares = shares(&replicates);
        let known: Vec<f64> = speedups.speedups[AT].iter().flatten().copied().map(value).collect();
        let logarithms: Vec<f64> = known.iter().map(|speedup| speedup.ln()).collect();
        let student = summary::mean_interval(&logarithms, CONFIDENCE).map(|ci| ci.map(f64::exp));
        let sorted = summary::sorted(&known);
        let ranks = summary::median_interval_ranks(known.len());
        let order = ranks.map(|(low, high)| Bounds { lower: sorted[low], upper: sorted[high] });
        let of = |confidence, figure| percentile(&replicates, confidence, figure);
        let corrected = |figure| corrected(&speedups, &replicates, figure);
        named([
            ("positions GM: percentile", truth, of(CONFIDENCE, geometric_mean)),
            ("positions GM: expanded", truth, replicates.interval(AT, geometric_mean)),
            ("positions GM: Student", truth, student),
            ("positions GM: BCa", truth, corrected(geometric_mean)),
            ("positions median: percentile", truth, of(CONFIDENCE, of_median)),
            ("positions median: expanded", truth, replicates.interval(AT, of_median)),
            ("positions median: order statistics", truth, order),
            ("positions median: BCa", truth, corrected(of_median)),
            ("positions p: percentile", SHARE, bootstrap::interval(&shares, CONFIDENCE)),
            ("positions p: expanded", SHARE, replicates.interval_of_several(&all, &shares)),
            ("positions total: percentile", total, of(CONFIDENCE, of_total)),
            ("positions total: expanded", total, replicates.interval(AT, of_total)),
            ("positions total: BCa", total, corrected(of_total)),
        ])
    }
}

fn geometric_mean(headline: &Headline) -> Bounds {
    headline.geometric_mean
}

fn of_median(headline: &Headline) -> Bounds {
    headline.median
}

fn of_total(headline: &Headline) -> Bounds {
    headline.total_time_ratio
}

fn percentile(
    replicates: &Replicates,
    confidence: f64,
    figure: fn(&Headline) -> Bounds,
) -> Option<Bounds> {
    let figures: Vec<Bounds> = replicates.headlines[AT].iter().map(figure).collect();
    bootstrap::interval(&figures, confidence)
}

/// The value of a figure: nothing is censored here.
fn value(bounds: Bounds) -> f64 {
    bounds.lower
}

fn headlines(speedups: &Speedups) -> Vec<Headline> {
    let all: Vec<usize> = (0..speedups.base.len()).collect();
    (0..THREADS.len()).filter_map(|index| speedups.headline(index, &all)).collect()
}

/// Amdahl's p, fitted to the medians.
fn share(headlines: &[Headline]) -> f64 {
    let medians = THREADS.iter().zip(headlines).map(|(n, headline)| (*n, value(headline.median)));
    let fit = fits::fit(Model::Amdahl, &medians.collect::<Vec<_>>());
    fit.map_or(f64::NAN, |fit| fit.parameters[0])
}

fn shares(replicates: &Replicates) -> Vec<Bounds> {
    let count = replicates.headlines[0].len();
    let of = |replicate: usize| {
        let row: Vec<Headline> = replicates.headlines.iter().map(|all| all[replicate]).collect();
        Bounds::exact(share(&row))
    };
    (0..count).map(of).collect()
}

/// The times of a cell about their median.
fn cell(normal: &mut Normal, median: f64, sigma: f64, runs: usize) -> Runs {
    let times = normal.about(median, sigma, runs).into_iter().map(Timing::Exact);
    times.collect::<Vec<_>>().into()
}

fn standard_normal() -> NormalDistribution {
    NormalDistribution::standard()
}

/// Efron's interval, corrected for bias and acceleration ("Better bootstrap confidence intervals",
/// JASA 82, 1987). The acceleration comes from leaving out each position in turn.
fn corrected(
    speedups: &Speedups,
    replicates: &Replicates,
    figure: fn(&Headline) -> Bounds,
) -> Option<Bounds> {
    let positions = speedups.base.len();
    let of = |picked: &[usize]| speedups.headline(AT, picked).map(|h| value(figure(&h)));
    let all: Vec<usize> = (0..positions).collect();
    let without = |left: &usize| of(&all.iter().copied().filter(|p| p != left).collect::<Vec<_>>());
    let jackknife: Vec<f64> = all.iter().filter_map(without).collect();
    let estimates: Vec<f64> =
        replicates.headlines[AT].iter().map(|headline| value(figure(headline))).collect();
    let (estimate, mean) = (of(&all)?, summary::mean(&jackknife)?);
    let below = estimates.iter().filter(|e| **e < estimate).count() as f64;
    let equal =
        estimates.len() as f64 - below - estimates.iter().filter(|e| **e > estimate).count() as f64;
    let bias = standard_normal().inverse_cdf((below + equal / 2.0) / estimates.len() as f64);
    let sum = |power| jackknife.iter().map(|left| (mean - left).powi(power)).sum::<f64>();
    let acceleration = sum(3) / (6.0 * sum(2).powf(1.5)).max(f64::MIN_POSITIVE);
    let end = |tail: f64| {
        let z = bias + standard_normal().inverse_cdf(tail);
        let share = standard_normal().cdf(bias + z / (1.0 - acceleration * z));
        summary::quantile(&estimates, share)
    };
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some(Bounds { lower: end(tail)?, upper: end(1.0 - tail)? })
}
