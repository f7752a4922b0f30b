//! The figures of a comparison.

use crate::experiment::{Competitor, Experiment, OurSettings};
use crate::report::Input;
use crate::report::figures::{Cell, Row, SearcherFigures};
use crate::report::validation::pair::{Pair, Point, ValidationError};
use crate::uci::EngineSpec;
use ttd_search::searchers::{Costs, Searcher};
use ttd_search::value::Table;
use ttd_stats::bootstrap::{self, REPLICATES, Replicates};
use ttd_stats::reliability::{correlation, split_half};
use ttd_stats::{Bounds, Sweep, Timing, censoring, summary};

/// The pairs: one for each searcher and number of workers that both directories have. The number is
/// above 1 and not oversubscribed.
pub(super) fn pairs(real: &Input, simulated: &Input) -> Result<Vec<Pair>, ValidationError> {
    let differences = differences(&real.experiment, &simulated.experiment);
    if !differences.is_empty() {
        return Err(unlike(format!(
            "the two experiments differ in {}: expected two that differ in their cores only",
            differences.join(", ")
        )));
    }
    if real.figures.positions != simulated.figures.positions {
        return Err(unlike("the two directories are not about the same positions"));
    }
    let mut pairs = Vec::new();
    for (index, of) in real.figures.searchers.iter().enumerate() {
        let other = simulated.figures.named(&of.searcher);
        if let Some(other) = other.filter(|other| !other.rows.is_empty()) {
            let sides = [Side::new(real, of), Side::new(simulated, other)];
            pairs.extend(searcher((index, depth_of(&real.experiment, &of.searcher)), &sides)?);
        }
    }
    if pairs.is_empty() {
        return Err(unlike(
            "nothing to compare: no searcher has samples on both sides at the same number of \
             workers, above 1 and not oversubscribed, with a speedup that is known",
        ));
    }
    Ok(pairs)
}

fn unlike(what: impl Into<String>) -> ValidationError {
    ValidationError::Unlike(what.into())
}

/// The differences of two experiments, and of the competitors that both have. The choice of cores,
/// the number of runs, and limits of time do not count.
fn differences(a: &Experiment, b: &Experiment) -> Vec<&'static str> {
    let foretold = b.costs.as_ref().map_or(1, |costs| costs.common.dilate);
    let common: Vec<[Competitor; 2]> =
        a.competitors().into_iter().filter_map(|of| Some([of, named(b, a.name_of(of))?])).collect();
    let all = |same: &dyn Fn(Competitor, Competitor) -> bool| {
        common.iter().all(|&[of, other]| same(of, other))
    };
    let ours = |same: fn(OurSettings<'_>, OurSettings<'_>) -> bool| {
        all(&|of, other| match (a.settings_of(of), b.settings_of(other)) {
            (Some(of), Some(other)) => same(of, other),
            (of, other) => of.is_none() && other.is_none(),
        })
    };
    let checks = [
        ("positions", a.only == b.only && a.positions == b.positions),
        ("depth", all(&|of, other| a.depth_of(of) == b.depth_of(other))),
        ("hash_mib", a.hash_mib == b.hash_mib),
        ("base", a.base == b.base),
        ("engine", ours(|a, b| a.engine == b.engine)),
        ("searcher", ours(|a, b| parameters(a) == parameters(b))),
        ("engines", all(&|of, other| spoken(a, of) == spoken(b, other))),
        ("dilate (of [virtual] on virtual cores)", a.dilate.unwrap_or(1) == foretold),
    ];
    checks.into_iter().filter(|(_, same)| !same).map(|(what, _)| what).collect()
}

/// The searcher of a competitor, and its parameters.
fn parameters(of: OurSettings<'_>) -> (Searcher, Table) {
    (of.searcher, of.settings.of(of.searcher))
}

/// How an outside engine is spoken to. Its program and price differ, with and without a hook.
fn spoken(of: &Experiment, competitor: Competitor) -> Option<EngineSpec> {
    let Competitor::Engine(index) = competitor else { return None };
    let EngineSpec { protocol, end, fresh_process, options, .. } = of.engines[index].clone();
    Some(EngineSpec { protocol, end, fresh_process, options, ..EngineSpec::default() })
}

/// The competitor of a name.
fn named(of: &Experiment, name: &str) -> Option<Competitor> {
    of.competitors().into_iter().find(|competitor| of.name_of(*competitor) == name)
}

/// The depth of the competitor of a name.
fn depth_of(of: &Experiment, name: &str) -> u8 {
    named(of, name).map_or(of.depth, |competitor| of.depth_of(competitor))
}

/// One searcher on one kind of cores.
struct Side<'a> {
    /// Whether the runs of a cell differ.
    varies: bool,
    of: &'a SearcherFigures,
    sweep: Sweep,
    replicates: Replicates,
    seed: u64,
}

impl Side<'_> {
    fn new<'a>(input: &Input, of: &'a SearcherFigures) -> Side<'a> {
        let Input { experiment, samples, figures, .. } = input;
        let sweep = samples.sweep(&of.searcher, experiment.base, &figures.positions);
        // The two sides are drawn independently: one from the upper half of the seeds, one from the
        // lower.
        let half = if input.cores.is_virtual() { 1 << 63 } else { 0 };
        let seed = experiment.seed ^ half;
        let varies = experiment.costs.as_ref().is_none_or(Costs::vary);
        let replicates = bootstrap::resample_runs(&sweep, seed, REPLICATES);
        Side { varies, of, sweep, replicates, seed }
    }

    /// The geometric-mean speedup in each replicate; `value` in each, if the side does not vary.
    fn replicated(&self, threads: usize, value: f64) -> Option<Vec<f64>> {
        let index = self.sweep.threads.iter().position(|n| *n == threads)?;
        let all = &self.replicates.headlines[index];
        if all.is_empty() {
            return (!self.varies).then(|| vec![value; REPLICATES]);
        }
        all.iter().map(|headline| headline.geometric_mean.value()).collect()
    }
}

fn searcher(
    (index, depth): (usize, u8),
    [real, simulated]: &[Side<'_>; 2],
) -> Result<Vec<Pair>, ValidationError> {
    let wanted = real.of.rows.iter().filter(|row| row.threads > 1 && !row.oversubscribed);
    let pair = |row: &Row| {
        let unlike =
            |what| unlike(format!("{} at {} workers: {what}", real.of.searcher, row.threads));
        let place = |of: &SearcherFigures| of.rows.iter().position(|r| r.threads == row.threads);
        let (at, other) = (place(real.of)?, place(simulated.of)?);
        let predicted = &simulated.of.rows[other];
        let known = |of: &SearcherFigures, row: usize| -> Vec<bool> {
            of.cells[row].iter().map(|cell| cell.speedup.is_some()).collect()
        };
        if known(real.of, at) != known(simulated.of, other) {
            return Some(Err(unlike(
                "not the same positions have a speedup on both sides: expected two finished \
                 experiments without failed samples",
            )));
        }
        if row.positions == 0 {
            return None;
        }
        let mean = |row: &Row| row.geometric_mean.and_then(|estimate| estimate.value.value());
        let (Some(measured_gm), Some(predicted_gm)) = (mean(row), mean(predicted)) else {
            return Some(Err(unlike(
                "a speedup is only bounded: expected two experiments without samples stopped by \
                 the time limit",
            )));
        };
        let point = |(a, b): (&Cell, &Cell)| {
            let (real, simulated) = (a.speedup?.value()?, b.speedup?.value()?);
            let (position, real_ci_runs) = (a.position.clone(), a.speedup_ci_runs);
            Some(Point { position, real, real_ci_runs, simulated })
        };
        let both = real.of.cells[at].iter().zip(&simulated.of.cells[other]);
        let points: Vec<Point> = both.filter_map(point).collect();
        let logs = |of: fn(&Point) -> f64| points.iter().map(|p| of(p).ln()).collect::<Vec<_>>();
        let replicates = real
            .replicated(row.threads, measured_gm)
            .zip(simulated.replicated(row.threads, predicted_gm));
        Some(Ok(Pair {
            searcher: real.of.searcher.clone(),
            index,
            depth,
            threads: row.threads,
            ratio: predicted_gm / measured_gm,
            intervals: replicates.and_then(|(a, b)| intervals(&a, &b)),
            correlation: correlation(&logs(|p| p.real), &logs(|p| p.simulated)),
            reliability: reliability(real, row.threads),
            points,
            real: row.clone(),
            simulated: predicted.clone(),
        }))
    };
    wanted.filter_map(pair).collect()
}

/// The intervals of the ratio of the second to the first, at 90% and at 95%.
fn intervals(real: &[f64], simulated: &[f64]) -> Option<[Bounds; 2]> {
    let ratios: Vec<f64> = real.iter().zip(simulated).map(|(a, b)| b / a).collect();
    let interval = |tail: f64| {
        Some(Bounds {
            lower: summary::quantile(&ratios, tail)?,
            upper: summary::quantile(&ratios, 1.0 - tail)?,
        })
    };
    Some([interval(0.05)?, interval(0.025)?])
}

fn reliability(side: &Side<'_>, threads: usize) -> Option<ttd_stats::reliability::Reliability> {
    let index = side.sweep.threads.iter().position(|n| *n == threads)?;
    let exact = |times: &[Timing]| censoring::exact_times(times);
    let (mut bases, mut cells) = (Vec::new(), Vec::new());
    for (position, times) in side.sweep.cells[index].iter().enumerate() {
        bases.push(exact(side.sweep.base_times(position))?);
        cells.push(exact(times)?);
    }
    split_half(&bases, &cells, side.seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_of_the_virtual_to_the_real() {
        let simulated: Vec<f64> = (0..=100).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        let [ninety, ninety_five] = intervals(&[2.0; 101], &simulated).expect("replicates");
        let ends = [ninety.lower, ninety.upper, ninety_five.lower, ninety_five.upper];
        for (end, expected) in ends.into_iter().zip([0.525, 0.975, 0.5125, 0.9875]) {
            assert!((end - expected).abs() < 1e-12, "{end}, {expected}");
        }
    }
}
