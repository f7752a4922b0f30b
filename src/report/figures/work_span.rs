//! Work and critical path of the runs that know them, and the time that they explain.

use super::{Figures, Samples, SearcherFigures};
use crate::experiment::{Base, Experiment, Sample, SampleStatus};
use crate::stats::summary::{geometric_mean, mean};
use crate::stats::work_span::{self, Run, WorkSpanFit};

/// The figures of one searcher: its rows of `work-span.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkSpanFigures {
    /// Its name.
    pub searcher: String,
    /// Its place in the experiment's list.
    pub index: usize,
    /// The model fitted to all its runs; none with too few.
    pub fit: Option<WorkSpanFit>,
    /// One for each thread count above 1 that has runs, ascending.
    pub rows: Vec<WorkSpanRow>,
}

/// One thread count. Means over positions are geometric, but for `path_share`.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkSpanRow {
    /// Number of workers N.
    pub threads: usize,
    /// How many runs know their work and critical path.
    pub runs: usize,
    /// Of each position that has such runs, their geometric means.
    pub cells: Vec<Run>,
    /// Work over critical path W/C: how many workers there is work for.
    pub parallelism: f64,
    /// The share of the workers' time that is work, W / (N T).
    pub utilisation: f64,
    /// Critical path over time, C/T.
    pub path_over_time: f64,
    /// The model's time over the time; none without a fit.
    pub modelled: Option<f64>,
    /// How much of the model's time is the critical path's, 0 to 1 (arithmetic mean); none without a fit.
    pub path_share: Option<f64>,
    /// The time of the base over b C: the model's speedup for ever more workers of the same graph. None without a fit or
    /// a base, or where b is 0.
    pub limit: Option<f64>,
}

impl WorkSpanFigures {
    /// Of all searchers that have such runs, in the order of the experiment.
    pub(in crate::report) fn all(
        experiment: &Experiment,
        samples: &Samples,
        figures: &Figures,
    ) -> Vec<WorkSpanFigures> {
        let numbered = figures.searchers.iter().enumerate();
        let of = |(index, of): (usize, &SearcherFigures)| {
            let cells = Cells { samples, of, base: experiment.base, positions: &figures.positions };
            let threads = of.rows.iter().map(|row| row.threads).filter(|n| *n > 1);
            let measured: Vec<Measured<'_>> = threads.filter_map(|n| cells.measured(n)).collect();
            let runs: Vec<Run> = measured.iter().flat_map(|of| of.runs.iter().copied()).collect();
            let fit = work_span::fit(&runs);
            let rows = measured.iter().map(|measured| cells.row(measured, fit.as_ref())).collect();
            let searcher = of.searcher.clone();
            (!runs.is_empty()).then_some(WorkSpanFigures { searcher, index, fit, rows })
        };
        numbered.filter_map(of).collect()
    }
}

/// The samples of one searcher.
struct Cells<'a> {
    samples: &'a Samples,
    of: &'a SearcherFigures,
    base: Base,
    positions: &'a [String],
}

/// The runs of one thread count, and of each position that has some its name and their means.
struct Measured<'a> {
    threads: usize,
    runs: Vec<Run>,
    means: Vec<(&'a str, Run)>,
}

impl<'a> Cells<'a> {
    fn measured(&self, threads: usize) -> Option<Measured<'a>> {
        let mut measured = Measured { threads, runs: Vec::new(), means: Vec::new() };
        for position in self.positions {
            let samples = self.samples.cell(&self.of.searcher, threads, position);
            let runs: Vec<Run> = samples.iter().filter_map(run).collect();
            let mean = |figure: fn(&Run) -> f64| {
                geometric_mean(&runs.iter().map(figure).collect::<Vec<_>>())
            };
            if let (Some(time), Some(share), Some(path)) =
                (mean(|run| run.time), mean(|run| run.share), mean(|run| run.path))
            {
                measured.means.push((position.as_str(), Run { time, share, path }));
                measured.runs.extend(runs);
            }
        }
        (!measured.runs.is_empty()).then_some(measured)
    }

    fn row(&self, measured: &Measured<'_>, fit: Option<&WorkSpanFit>) -> WorkSpanRow {
        let Measured { threads, runs, means } = measured;
        let cells: Vec<Run> = means.iter().map(|(_, run)| *run).collect();
        let over =
            |figure: &dyn Fn(&Run) -> f64| -> Vec<f64> { cells.iter().map(figure).collect() };
        // There is at least one cell.
        let known = |figure: &dyn Fn(&Run) -> f64| geometric_mean(&over(figure)).unwrap_or(1.0);
        let limits = |b: f64| -> Option<Vec<f64>> {
            let limit =
                |(position, run): &(&str, Run)| Some(self.base_s(position)? / (b * run.path));
            means.iter().map(limit).collect()
        };
        let limit = |fit: &WorkSpanFit| geometric_mean(&limits(Some(fit.b).filter(|b| *b > 0.0)?)?);
        WorkSpanRow {
            threads: *threads,
            runs: runs.len(),
            parallelism: known(&|run| run.share * *threads as f64 / run.path),
            utilisation: known(&|run| run.share / run.time),
            path_over_time: known(&|run| run.path / run.time),
            modelled: fit.map(|fit| known(&|run| fit.time(run) / run.time)),
            path_share: fit.and_then(|fit| mean(&over(&|run| fit.path_share(run)))),
            limit: fit.and_then(limit),
            cells,
        }
    }

    /// The time of the base of a position in seconds; none if a sample of it did not reach the depth.
    fn base_s(&self, position: &str) -> Option<f64> {
        let base = self.samples.base_cell(&self.of.searcher, self.base, position);
        let times: Option<Vec<f64>> = base.iter().map(exact_s).collect();
        geometric_mean(&times?)
    }
}

fn exact_s(sample: &Sample) -> Option<f64> {
    (sample.status == SampleStatus::Ok).then(|| sample.time.as_secs_f64())
}

/// A sample as the model sees it; none without a critical path.
fn run(sample: &Sample) -> Option<Run> {
    let (time, known) = (exact_s(sample)?, sample.work_span?);
    let share = known.work.as_secs_f64() / sample.threads as f64;
    let path = known.critical_path.as_secs_f64();
    (time > 0.0 && path > 0.0).then_some(Run { time, share, path })
}
