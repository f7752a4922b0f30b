//! The figures of one searcher, from its samples.

use crate::experiment::{Competitor, Experiment, Sample, SampleStatus};
use crate::report::figures::cooperation::Cooperation;
use crate::report::figures::detail::Detail;
use crate::report::figures::estimate::Estimate;
use crate::report::figures::grouping::{Samples, count, timings, totals};
use crate::report::figures::models::{self, FittedModel, Measured};
use crate::report::figures::net::{NetFigures, net};
use crate::report::figures::rows::{Cell, Row, slowed};
use ttd_search::cores::{State, Time};
use ttd_stats::bootstrap::{self, CONFIDENCE, REPLICATES, Replicates};
use ttd_stats::summary::{self, FiveNumbers};
use ttd_stats::{Account, Base, Bounds, Headline, Net, Speedups, censoring, fits};

/// The figures of one searcher.
#[derive(Clone, Debug, PartialEq)]
pub struct SearcherFigures {
    /// Its name.
    pub searcher: String,
    /// Whether it has charts and tables of its own. Variants have none if there are many.
    pub on_its_own: bool,
    /// The figures of each thread count that has samples, ascending.
    pub rows: Vec<Row>,
    /// The figures of each cell, by thread count (as in `rows`) and position (as in
    /// [`Figures::positions`](super::Figures::positions)).
    pub cells: Vec<Vec<Cell>>,
    /// The name of the base of its net speedups, or the reason why it has none.
    pub net_base: Result<String, &'static str>,
    /// Each model, fitted to the net speedups; empty without any.
    pub net_models: Vec<FittedModel>,
    /// Each model, fitted to the speedups to depth.
    pub models: Vec<FittedModel>,
}

impl SearcherFigures {
    /// The thread counts that have samples, ascending.
    pub fn threads(&self) -> Vec<usize> {
        self.rows.iter().map(|row| row.threads).collect()
    }

    /// The models from which conclusions are drawn: of the net speedups, where there are any.
    pub fn leading_models(&self) -> &[FittedModel] {
        if self.net_base.is_ok() { &self.net_models } else { &self.models }
    }

    /// The figures of a thread count.
    pub fn row(&self, threads: usize) -> Option<&Row> {
        self.rows.iter().find(|row| row.threads == threads)
    }
}

/// All figures of one searcher.
pub(crate) fn searcher(
    competitor: Competitor,
    samples: &Samples,
    positions: &[String],
    experiment: &Experiment,
    cores: Option<usize>,
) -> SearcherFigures {
    let name = experiment.name_of(competitor);
    let net = net(competitor, samples, positions, experiment);
    let sweep = samples.sweep(name, experiment.base, positions);
    let speedups = sweep.speedups();
    let by_runs = bootstrap::resample_runs(&sweep, experiment.seed, REPLICATES);
    let by_positions = bootstrap::resample_positions(&speedups, experiment.seed, REPLICATES);
    let mut rows = Vec::new();
    let mut cells = Vec::new();
    for (index, &threads) in sweep.threads.iter().enumerate() {
        let measured: Vec<&[Sample]> =
            positions.iter().map(|id| samples.cell(name, threads, id)).collect();
        let is_base = matches!(sweep.base, Base::Own(base) if base == index);
        let of_position = |(p, id): (usize, &String)| Cell {
            is_base,
            speedup: speedups.speedups[index][p],
            speedup_ci_runs: bootstrap::interval(&by_runs.cells[index][p], CONFIDENCE),
            account: account(threads, samples.base_cell(name, experiment.base, id), measured[p]),
            ..cell(id, measured[p])
        };
        let row: Vec<Cell> = positions.iter().enumerate().map(of_position).collect();
        let samples_here = || measured.iter().copied().flatten();
        let (speedups, by_runs, by_positions) = (&speedups, &by_runs, &by_positions);
        let over = OverPositions { index, speedups, by_runs, by_positions };
        let over_positions = over.row(threads, &row);
        let known = experiment.slowdown_of(competitor).filter(|_| threads > 1);
        rows.push(Row {
            is_base,
            slowed: known.zip(over_positions.account).and_then(|(known, of)| slowed(&of, known)),
            oversubscribed: cores.is_some_and(|cores| threads > cores),
            net: net.as_ref().ok().and_then(|net| net.rows[index]),
            states: states(&row, &measured),
            cooperation: Cooperation::of(samples_here()),
            detail: Detail::of(samples_here().map(|s| (s, samples.detail(s)))),
            table_fill: samples_here().map(|s| s.table_fill).fold(0.0, f64::max),
            ..over_positions
        });
        cells.push(row);
    }
    let with_cores =
        || rows.iter().enumerate().filter(|(_, row): &(usize, &Row)| !row.oversubscribed);
    let threads: Vec<_> = with_cores().map(|(place, row)| (place, row.threads)).collect();
    let models = models::fitted(&Measured {
        threads: threads.clone(),
        speedup: &|place| rows[place].geometric_mean,
        replicates: [&by_runs, &by_positions],
        figure: |headline| headline.geometric_mean,
    });
    let of_net = |net: &NetFigures| {
        models::fitted(&Measured {
            threads,
            speedup: &|place| Some(rows[place].net?.net),
            replicates: [&net.speedups.by_runs, &net.speedups.by_positions],
            figure: Net::net,
        })
    };
    SearcherFigures {
        searcher: name.to_owned(),
        on_its_own: true,
        net_models: net.as_ref().map_or_else(|_| Vec::new(), of_net),
        net_base: net.map(|net| net.base),
        rows,
        cells,
        models,
    }
}

/// The figures of a cell that follow from its own samples.
fn cell(position: &str, measured: &[Sample]) -> Cell {
    let times = timings(measured);
    let exact = censoring::exact_times(&times);
    let spread = |deviation: fn(&[f64]) -> Option<f64>| exact.as_deref().and_then(deviation);
    Cell {
        position: position.to_owned(),
        ok: count(measured, SampleStatus::Ok),
        censored: count(measured, SampleStatus::Censored),
        failed: count(measured, SampleStatus::Failed),
        median_s: censoring::median_time(&times),
        median_interval_s: censoring::median_time_interval(&times),
        sd_s: spread(summary::standard_deviation),
        deviation_s: spread(summary::deviation_from_median),
        mad_s: spread(summary::median_absolute_deviation),
        ..Cell::default()
    }
}

fn account(threads: usize, base: &[Sample], measured: &[Sample]) -> Option<Account> {
    Account::of(threads, &totals(base)?, &totals(measured)?)
}

/// The data from which the figures of one thread count over positions are computed.
struct OverPositions<'a> {
    index: usize,
    speedups: &'a Speedups,
    by_runs: &'a Replicates,
    by_positions: &'a Replicates,
}

impl OverPositions<'_> {
    fn row(&self, threads: usize, cells: &[Cell]) -> Row {
        let all: Vec<usize> = (0..cells.len()).collect();
        let headline = self.speedups.headline(self.index, &all);
        let median = self.estimate(headline.as_ref(), |h| h.median);
        let accounts: Vec<Account> = cells.iter().filter_map(|c| c.account).collect();
        let deviations: Vec<f64> = cells.iter().filter_map(|c| c.deviation_s).collect();
        let median_of = |deviation: fn(&Cell) -> Option<f64>| {
            summary::median(&cells.iter().filter_map(deviation).collect::<Vec<_>>())
        };
        let median_over = |times: &[Option<Bounds>]| {
            let with_speedup = cells.iter().zip(times).filter(|(cell, _)| cell.speedup.is_some());
            let known: Vec<Bounds> = with_speedup.filter_map(|(_, time)| *time).collect();
            Bounds::combine(&known, summary::median)
        };
        let share = |s: f64| fits::parallel_share(threads, s).unwrap_or(f64::NEG_INFINITY);
        Row {
            threads,
            positions: cells.iter().filter(|c| c.speedup.is_some()).count(),
            ok: cells.iter().map(|c| c.ok).sum(),
            censored: cells.iter().map(|c| c.censored).sum(),
            failed: cells.iter().map(|c| c.failed).sum(),
            base_s: median_over(&self.speedups.base),
            time_s: median_over(&self.speedups.medians[self.index]),
            quantiles: self.quantiles(),
            median,
            geometric_mean: self.estimate(headline.as_ref(), |h| h.geometric_mean),
            total_time_ratio: self.estimate(headline.as_ref(), |h| h.total_time_ratio),
            efficiency: median.map(|m| m.map(|s| s / threads as f64)),
            sd_s: median_of(|c| c.sd_s),
            mad_s: median_of(|c| c.mad_s),
            deviations_s: FiveNumbers::of(&deviations),
            account: Account::combine(&accounts),
            account_positions: accounts.len(),
            parallel_share: median.filter(|_| threads > 1).map(|m| m.map(share)),
            ..Row::default()
        }
    }

    fn estimate(
        &self,
        headline: Option<&Headline>,
        figure: impl Fn(&Headline) -> Bounds,
    ) -> Option<Estimate> {
        Some(Estimate {
            value: figure(headline?),
            ci_runs: self.by_runs.interval(self.index, &figure),
            ci_positions: self.by_positions.interval(self.index, &figure),
        })
    }

    fn quantiles(&self) -> Option<[Bounds; 5]> {
        let [min, q1, median, q3, max] =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|q| self.speedups.quantile(self.index, q));
        Some([min?, q1?, median?, q3?, max?])
    }
}

/// The shares of the workers' time in each state: the mean over the positions with an account.
fn states(cells: &[Cell], measured: &[&[Sample]]) -> Option<[f64; State::COUNT]> {
    let with_account = cells.iter().zip(measured).filter(|(cell, _)| cell.account.is_some());
    let shares: Vec<_> = with_account.filter_map(|(_, samples)| cell_states(samples)).collect();
    mean_shares(&shares)
}

fn cell_states(samples: &[Sample]) -> Option<[f64; State::COUNT]> {
    let share = |sample: &Sample| {
        let states = sample.states()?;
        let total = states.iter().copied().sum::<Time>().as_secs_f64();
        (total > 0.0).then(|| states.map(|t| t.as_secs_f64() / total))
    };
    let ok = samples.iter().filter(|s| s.status == SampleStatus::Ok);
    mean_shares(&ok.filter_map(share).collect::<Vec<_>>())
}

fn mean_shares(shares: &[[f64; State::COUNT]]) -> Option<[f64; State::COUNT]> {
    let sum = |state: State| shares.iter().map(|share| share[state as usize]).sum::<f64>();
    (!shares.is_empty()).then(|| State::ALL.map(|state| sum(state) / shares.len() as f64))
}
