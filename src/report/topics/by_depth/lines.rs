//! The columns of `speedup-by-depth.csv` and `depth-trends.csv`.

use crate::report::columns::{Value, columns};
use crate::report::latex::text::word;
use crate::report::topics::by_depth::rows::{ByDepthPoint, ByDepthRow, SpeedupsByDepth};
use ttd_stats::depth_trend::Trend;

/// One thread count of a searcher.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    of: &'a SpeedupsByDepth,
    row: &'a ByDepthRow,
}

/// One depth of a thread count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<'a> {
    line: Line<'a>,
    point: &'a ByDepthPoint,
}

fn lines(all: &[SpeedupsByDepth]) -> impl Iterator<Item = Line<'_>> {
    all.iter().flat_map(|of| of.rows.iter().map(move |row| Line { of, row }))
}

/// Every depth of every thread count.
pub(super) fn all_points(all: &[SpeedupsByDepth]) -> impl Iterator<Item = Point<'_>> {
    lines(all).flat_map(|line| line.row.points.iter().map(move |point| Point { line, point }))
}

/// Every thread count that has a trend.
pub(super) fn with_trend(all: &[SpeedupsByDepth]) -> impl Iterator<Item = Line<'_>> {
    lines(all).filter(|line| line.row.trend.is_some())
}

impl Line<'_> {
    fn growth(&self) -> Value {
        let growth = self.row.trend.map(|trend| trend.a_ply.exp_m1());
        let over = self.row.trend.and_then(|trend| trend.ci_positions);
        Value::positions(growth, over.map(|ci| ci.map(f64::exp_m1)))
    }
}

columns! {
    /// The columns of `speedup-by-depth.csv`.
    pub(super) fn points<'a>(of: Point<'a>);

    /// the row
    Words "searcher" = of.line.of.searcher.as_str();
    Whole "threads" = of.line.row.threads;
    Whole "depth" = of.point.depth;
    /// `yes` if a search to this depth alone would be another search. That is so if the workers are
    /// not all at the same iteration (`abdada`, `pipelined`, `lazy-smp` unless its helpers are per
    /// iteration and not staggered). It is `yes` for outside engines too, as nobody knows. Then the
    /// first completion of the depth *or of a greater one* counts
    Flag "prefixes" = of.line.of.prefixes;
    /// `yes` if `base_median_s` is below 0.001: not in tables and charts. (Trends leave out the
    /// depths of a position to which its own base takes less)
    Flag "short" = of.point.is_short;
    /// positions that have a speedup to this depth
    Whole "positions" = of.point.positions;
    /// median over these of the base's median time to the depth
    Seconds "base_median_s" = of.point.base_s;
    /// of the speedup over these; `ci_positions` only
    Ratio "geometric_mean" + Positions = of.point.speedup;
    Ratio "" + Both = of.point.speedup, tex "";
}

columns! {
    /// The columns of `depth-trends.csv`.
    pub(super) fn trends<'a>(of: Line<'a>);

    /// as above
    Words "searcher" = of.of.searcher.as_str();
    Whole "threads" = of.row.threads;
    Flag "prefixes" = of.of.prefixes;
    /// the deeper half of the depths: of depths to d, those above d / 2, without those that the
    /// base reaches in less than 0.001 s
    Whole "depth_from" = of.row.deeper.0;
    Whole "depth_to" = of.row.deeper.1;
    /// positions with at least three such depths, none of them censored
    Whole "positions" = of.row.trend.map(|trend| trend.positions);
    /// the growth of the speedup with each ply, as a share (0.02: 2%): exp(slope) - 1. The slope is
    /// that of ln(speedup) over depth by least squares in each position, then the mean over
    /// positions. `ci_positions` is by Student's t
    Tenths "growth_a_ply" + Positions = of.growth(), tex "Growth";
    /// of Student's t over the slopes of the positions, two-sided: how likely slopes as far from 0
    /// are, if the population's mean is 0. Blank, like the next, with a single position
    Probability "p" = of.row.trend.and_then(|trend| trend.p);
    /// `p` after the adjustment of Benjamini and Hochberg for all rows of the file that have one
    Probability "p_adjusted" = of.row.trend.and_then(|trend| trend.p_adjusted);
    /// `yes` if `p_adjusted` is at most 0.05. The interval is of this row alone: it may leave out 0
    /// where nothing is claimed
    Flag "seen" = of.row.trend.as_ref().is_some_and(Trend::is_seen);
}

/// The figures of every thread count for LaTeX: the speedup to each depth that is not too short,
/// and the growth.
pub(crate) fn tex(
    all: &[SpeedupsByDepth],
) -> impl Iterator<Item = (&str, usize, Vec<(String, String)>)> {
    lines(all).map(|line| {
        let shown = line.row.points.iter().filter(|point| !point.is_short);
        let mut figures = Vec::new();
        for point in shown {
            let to = format!("ToDepth{}", word(&point.depth.to_string()));
            figures.extend(points().tex_of(&to, &Point { line, point }));
        }
        figures.extend(trends().tex(&line));
        (line.of.searcher.as_str(), line.row.threads, figures)
    })
}
