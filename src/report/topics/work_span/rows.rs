//! Work and critical path of runs, where they are known, and the time that these two explain.

use crate::experiment::{Sample, SampleStatus};
use crate::report::figures::{Intervals, Measurements, SearcherFigures};
use ttd_stats::Bounds;
use ttd_stats::summary::{geometric_mean, mean};
use ttd_stats::work_span::{self, Coefficients, Run, WorkSpanFit};

/// The figures of one searcher: its rows of `work-span.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkSpanFigures {
    /// Its name.
    pub searcher: String,
    /// The place of the searcher in the experiment's list.
    pub index: usize,
    /// The model fitted to all its runs; none with too few runs.
    pub fit: Option<WorkSpanFit>,
    /// The intervals of the fit's `a`, and of its `b`.
    pub over: [Intervals; 2],
    /// The rows of each thread count above 1 that has runs, ascending.
    pub rows: Vec<WorkSpanRow>,
}

/// One thread count. Means over positions are geometric, but that of `path_share` is arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkSpanRow {
    /// Number of workers N.
    pub threads: usize,
    /// The number of runs whose work and critical path are known.
    pub runs: usize,
    /// The geometric means of the runs of each position that has such runs.
    pub cells: Vec<Run>,
    /// Work over critical path W/C: how many workers there is work for.
    pub parallelism: f64,
    /// The share of the workers' time that is work, W / (N T).
    pub utilisation: f64,
    /// Critical path over time, C/T.
    pub path_over_time: f64,
    /// The model's time over the time; none without a fit.
    pub modelled: Option<f64>,
    /// The share of the critical path in the model's time, 0 to 1 (arithmetic mean); none without a
    /// fit.
    pub path_share: Option<f64>,
    /// The limit of the speedup with ever more workers on this graph of work. It is the time of the
    /// base over b C, or over C if b is below 1. None without a fit or a base.
    pub limit: Option<f64>,
}

impl WorkSpanFigures {
    /// The figures of all searchers that have such runs, in the order of the experiment.
    pub(crate) fn all(all: Measurements<'_>) -> Vec<WorkSpanFigures> {
        let of = |(index, of): (usize, &SearcherFigures)| {
            let cells = Cells { all, searcher: &of.searcher };
            let threads = of.rows.iter().map(|row| row.threads).filter(|n| *n > 1);
            let measured: Vec<Measured<'_>> = threads.filter_map(|n| cells.measured(n)).collect();
            let runs: Vec<Run> = measured.iter().flat_map(Measured::runs).copied().collect();
            let fit = work_span::fit(&runs);
            let over = fit.map(|fit| intervals(&fit, &measured, all)).unwrap_or_default();
            let rows = measured.iter().map(|measured| cells.row(measured, fit.as_ref())).collect();
            let searcher = of.searcher.clone();
            (!runs.is_empty()).then_some(WorkSpanFigures { searcher, index, fit, over, rows })
        };
        all.figures.searchers.iter().enumerate().filter_map(of).collect()
    }
}

/// The intervals of both coefficients of the fit to these runs.
fn intervals(
    fit: &WorkSpanFit,
    measured: &[Measured<'_>],
    all: Measurements<'_>,
) -> [Intervals; 2] {
    let mut by_position: Vec<work_span::Cells> = vec![Vec::new(); all.figures.positions.len()];
    for cell in measured.iter().flat_map(|of| &of.cells) {
        by_position[cell.position].push(cell.runs.clone());
    }
    by_position.retain(|cells| !cells.is_empty());
    let runs = work_span::over_runs(fit, &by_position, all.experiment.seed);
    let positions = work_span::over_positions(fit, &by_position, all.experiment.seed);
    let of = |end: fn(Coefficients) -> Bounds| Intervals {
        runs: runs.map(end),
        positions: positions.map(end),
    };
    [of(|both| both.a), of(|both| both.b)]
}

/// The samples of one searcher.
struct Cells<'a> {
    all: Measurements<'a>,
    searcher: &'a str,
}

/// The runs of one thread count, of each position that has some.
struct Measured<'a> {
    threads: usize,
    cells: Vec<MeasuredCell<'a>>,
}

impl Measured<'_> {
    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.cells.iter().flat_map(|cell| &cell.runs).map(|(_, run)| run)
    }
}

/// The runs of one position with their rounds, at least one, and their geometric means.
struct MeasuredCell<'a> {
    /// The position's place in the list of positions, and its name.
    position: usize,
    id: &'a str,
    runs: Vec<(u32, Run)>,
    means: Run,
}

impl<'a> Cells<'a> {
    fn measured(&self, threads: usize) -> Option<Measured<'a>> {
        let mut cells = Vec::new();
        for (position, id) in self.all.figures.positions.iter().enumerate() {
            let samples = self.all.samples.cell(self.searcher, threads, id);
            let of_round = |sample: &Sample| Some((sample.round, run(sample)?));
            let runs: Vec<(u32, Run)> = samples.iter().filter_map(of_round).collect();
            let mean = |figure: fn(&Run) -> f64| {
                geometric_mean(&runs.iter().map(|(_, run)| figure(run)).collect::<Vec<_>>())
            };
            if let (Some(time), Some(share), Some(path)) =
                (mean(|run| run.time), mean(|run| run.share), mean(|run| run.path))
            {
                let means = Run { time, share, path };
                cells.push(MeasuredCell { position, id, runs, means });
            }
        }
        (!cells.is_empty()).then_some(Measured { threads, cells })
    }

    fn row(&self, measured: &Measured<'_>, fit: Option<&WorkSpanFit>) -> WorkSpanRow {
        let threads = measured.threads;
        let cells: Vec<Run> = measured.cells.iter().map(|cell| cell.means).collect();
        let over =
            |figure: &dyn Fn(&Run) -> f64| -> Vec<f64> { cells.iter().map(figure).collect() };
        // There is at least one cell.
        let known = |figure: &dyn Fn(&Run) -> f64| geometric_mean(&over(figure)).unwrap_or(1.0);
        let limits = |fit: &WorkSpanFit| -> Option<Vec<f64>> {
            // No run is shorter than its critical path, whatever the model says.
            let shortest = |cell: &MeasuredCell<'_>| fit.b.max(1.0) * cell.means.path;
            let limit = |cell: &MeasuredCell<'_>| Some(self.base_s(cell.id)? / shortest(cell));
            measured.cells.iter().map(limit).collect()
        };
        let limit = |fit: &WorkSpanFit| geometric_mean(&limits(fit)?);
        WorkSpanRow {
            threads,
            runs: measured.runs().count(),
            parallelism: known(&|run| run.share * threads as f64 / run.path),
            utilisation: known(&|run| run.share / run.time),
            path_over_time: known(&|run| run.path / run.time),
            modelled: fit.map(|fit| known(&|run| fit.time(run) / run.time)),
            path_share: fit.and_then(|fit| mean(&over(&|run| fit.path_share(run)))),
            limit: fit.and_then(limit),
            cells,
        }
    }

    /// The time of the base of a position in seconds; none if a sample of it did not reach the
    /// depth.
    fn base_s(&self, position: &str) -> Option<f64> {
        let base = self.all.base_cell(self.searcher, position).iter();
        let times: Option<Vec<f64>> = base.map(exact_s).collect();
        geometric_mean(&times?)
    }
}

fn exact_s(sample: &Sample) -> Option<f64> {
    (sample.status == SampleStatus::Ok).then(|| sample.time.as_secs_f64())
}

/// A sample in the form that the model takes; none without a critical path.
fn run(sample: &Sample) -> Option<Run> {
    let (time, known) = (exact_s(sample)?, sample.work_span?);
    let share = known.work.as_secs_f64() / sample.threads as f64;
    let path = known.critical_path.as_secs_f64();
    (time > 0.0 && path > 0.0).then_some(Run { time, share, path })
}
