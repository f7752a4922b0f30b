//! Speedups to each depth on the way to the depth asked for. They answer whether a searcher scales
//! better on deeper searches.

use crate::experiment::Competitor;
use crate::report::figures::iterations::MedianTimes;
use crate::report::figures::{Estimate, Measurements, Row};
use crate::report::lists::filled;
use ttd_stats::depth_trend::{self, Trend};
use ttd_stats::{Bounds, bootstrap, summary};

/// The least median time of the base, in seconds, that says something. Below it a search mostly
/// starts workers and reads clocks.
pub(crate) const SHORT_S: f64 = 0.001;

/// The speedups of one searcher to each depth.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedupsByDepth {
    /// Its name.
    pub searcher: String,
    /// Whether it has a chart of its own.
    pub on_its_own: bool,
    /// Whether the time to a smaller depth is that of a prefix of the deeper search. A search to
    /// that depth alone would then be a different one. This is so if the workers do not all search
    /// one iteration, or if nobody knows.
    pub prefixes: bool,
    /// The speedups of each thread count above 1 that has any, ascending.
    pub rows: Vec<ByDepthRow>,
}

/// The speedups of one thread count to each depth.
#[derive(Clone, Debug, PartialEq)]
pub struct ByDepthRow {
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// Depths ascending.
    pub points: Vec<ByDepthPoint>,
    /// The growth of the speedup over the deeper half. None unless some position has three depths
    /// that are not too short.
    pub trend: Option<Trend>,
    /// The least and the greatest depth of any position's deeper half.
    pub deeper: (u8, u8),
}

/// The speedup to one depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByDepthPoint {
    /// The depth, from 1.
    pub depth: u8,
    /// The number of positions that have a speedup.
    pub positions: usize,
    /// Median over these positions of the base's median time to the depth, in seconds.
    pub base_s: Bounds,
    /// Geometric mean of the speedup over these positions; without `ci_runs`.
    pub speedup: Estimate,
    /// Whether the base's time is below [`SHORT_S`], so that the speedup says little.
    pub is_short: bool,
}

/// The speedups of all searchers that were measured with several threads, if iterations are known.
pub(crate) fn by_depth(all: Measurements<'_>) -> Vec<SpeedupsByDepth> {
    let of = |competitor: Competitor| {
        let of = all.figures.named(all.experiment.name_of(competitor))?;
        let ids = all.figures.positions.iter();
        let base = ids.map(|id| all.iterations.median_times(all.base_cell(&of.searcher, id)));
        let base: Vec<MedianTimes> = base.collect();
        let several = of.rows.iter().filter(|row| row.threads > 1);
        let rows = several.filter_map(|row| by_threads(all, &of.searcher, row, &base));
        Some(SpeedupsByDepth {
            searcher: of.searcher.clone(),
            on_its_own: of.on_its_own,
            prefixes: all.experiment.searches_apart(competitor),
            rows: filled(rows.collect())?,
        })
    };
    let mut found: Vec<SpeedupsByDepth> =
        all.experiment.competitors().into_iter().filter_map(of).collect();
    let rows = found.iter_mut().flat_map(|of| &mut of.rows);
    depth_trend::adjust(rows.filter_map(|row| row.trend.as_mut()));
    found
}

/// The number of trends that are tested: their p-values are adjusted for that number.
pub(crate) fn family(all: &[SpeedupsByDepth]) -> usize {
    let trends = all.iter().flat_map(|of| &of.rows).filter_map(|row| row.trend);
    trends.filter(|trend| trend.p.is_some()).count()
}

/// The speedups of one thread count; none if none is known.
fn by_threads(
    all: Measurements<'_>,
    searcher: &str,
    row: &Row,
    base: &[MedianTimes],
) -> Option<ByDepthRow> {
    let cells: Vec<MedianTimes> =
        all.cells(searcher, row.threads).map(|cell| all.iterations.median_times(cell)).collect();
    let deepest = cells.iter().map(Vec::len).max().unwrap_or(0);
    let depths = 1..=u8::try_from(deepest).unwrap_or(u8::MAX);
    let points = depths.filter_map(|depth| point(depth, [base, &cells], all.experiment.seed));
    let points = filled(points.collect())?;
    let halves: Vec<Vec<(u8, f64)>> =
        base.iter().zip(&cells).filter_map(|(base, cell)| deeper_half(base, cell)).collect();
    let slopes: Vec<f64> = halves.iter().filter_map(|half| depth_trend::slope(half)).collect();
    let within = || halves.iter().flatten().map(|(depth, _)| *depth);
    Some(ByDepthRow {
        threads: row.threads,
        oversubscribed: row.oversubscribed,
        points,
        trend: Trend::of(&slopes),
        deeper: (within().min().unwrap_or(0), within().max().unwrap_or(0)),
    })
}

fn point(depth: u8, [base, cells]: [&[MedianTimes]; 2], seed: u64) -> Option<ByDepthPoint> {
    let at = |medians: &MedianTimes| medians.get(usize::from(depth) - 1).copied().flatten();
    let of = |(base, cell): (&MedianTimes, &MedianTimes)| {
        let (base, cell) = (at(base)?, at(cell)?);
        Some((base, Bounds::ratio(base, cell)?))
    };
    let known: Vec<(Bounds, Bounds)> = base.iter().zip(cells).filter_map(of).collect();
    let (bases, speedups): (Vec<Bounds>, Vec<Bounds>) = known.into_iter().unzip();
    let logarithms: Vec<Bounds> = speedups.iter().map(|speedup| speedup.map(f64::ln)).collect();
    let over = bootstrap::mean_over_positions(&logarithms, seed);
    let base_s = Bounds::combine(&bases, summary::median)?;
    Some(ByDepthPoint {
        depth,
        positions: speedups.len(),
        base_s,
        speedup: Estimate {
            value: Bounds::combine(&speedups, summary::geometric_mean)?,
            ci_runs: None,
            ci_positions: over.map(|ci| ci.map(f64::exp)),
        },
        is_short: base_s.lower < SHORT_S,
    })
}

/// The speedups of a position over the deeper half of its depths, without depths for which the base
/// is too short. None if only bounds of one of them are known.
fn deeper_half(base: &[Option<Bounds>], cell: &[Option<Bounds>]) -> Option<Vec<(u8, f64)>> {
    let deepest = base.len().min(cell.len());
    let mut speedups = Vec::new();
    for index in deepest / 2..deepest {
        let (base, cell) = (base[index]?.value()?, cell[index]?.value()?);
        if base >= SHORT_S && cell > 0.0 {
            speedups.push((index as u8 + 1, base / cell));
        }
    }
    Some(speedups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deeper_half_leaves_out_what_is_short() {
        let times = |times: &[f64]| -> MedianTimes {
            times.iter().map(|time| Some(Bounds::exact(*time))).collect()
        };
        let base = times(&[1e-5, 1e-4, 5e-4, 0.002, 0.01, 0.05, 0.2]);
        let cell = times(&[1e-5, 1e-4, 5e-4, 0.001, 0.004, 0.02, 0.1]);
        let half = deeper_half(&base, &cell).expect("all are known");
        let depths: Vec<u8> = half.iter().map(|(depth, _)| *depth).collect();
        assert_eq!(depths, [4, 5, 6, 7]);
        assert!((half[0].1 - 2.0).abs() < 1e-12 && (half[1].1 - 2.5).abs() < 1e-12);
        let mut open = cell.clone();
        open[6] = Some(Bounds { lower: 1.0, upper: f64::INFINITY });
        assert_eq!(deeper_half(&base, &open), None);
        open.truncate(6);
        let depths = deeper_half(&base, &open).map(|half| half.len());
        assert_eq!(depths, Some(3), "4, 5 and 6");
    }
}
