//! `speedup-by-depth.csv` and `depth-trends.csv`.

use super::{ends, figure, number, text};
use crate::report::figures::{ByDepthPoint, ByDepthRow, SpeedupsByDepth};
use ttd_stats::Bounds;

/// The text of `speedup-by-depth.csv`: one row a searcher, thread count above 1 and depth.
pub fn speedups_by_depth(all: &[SpeedupsByDepth]) -> String {
    let header = [
        "searcher",
        "threads",
        "depth",
        "prefixes",
        "short",
        "positions",
        "base_median_s",
        "geometric_mean",
        "geometric_mean_ci_positions_lower",
        "geometric_mean_ci_positions_upper",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for of in all {
        for row in &of.rows {
            table.extend(row.points.iter().map(|point| point_row(of, row, point)));
        }
    }
    text(&table)
}

fn point_row(of: &SpeedupsByDepth, row: &ByDepthRow, point: &ByDepthPoint) -> Vec<String> {
    let mut out = vec![
        of.searcher.clone(),
        row.threads.to_string(),
        point.depth.to_string(),
        yes(of.prefixes),
        yes(point.is_short),
        point.positions.to_string(),
        figure(Some(point.base_s)),
        figure(Some(point.speedup.value)),
    ];
    out.extend(ends(point.speedup.ci_positions));
    out
}

/// The text of `depth-trends.csv`: one row a searcher and thread count above 1 that has a trend.
pub fn depth_trends(all: &[SpeedupsByDepth]) -> String {
    let header = [
        "searcher",
        "threads",
        "prefixes",
        "depth_from",
        "depth_to",
        "positions",
        "growth_a_ply",
        "growth_a_ply_ci_positions_lower",
        "growth_a_ply_ci_positions_upper",
        "seen",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for of in all {
        for row in &of.rows {
            let Some(trend) = row.trend else { continue };
            let growth = |slope: f64| slope.exp_m1();
            let interval: Option<Bounds> = trend.ci_positions.map(|ci| ci.map(growth));
            let mut out = vec![
                of.searcher.clone(),
                row.threads.to_string(),
                yes(of.prefixes),
                row.deeper.0.to_string(),
                row.deeper.1.to_string(),
                trend.positions.to_string(),
                number(Some(growth(trend.a_ply))),
            ];
            out.extend(ends(interval));
            out.push(yes(trend.is_seen()));
            table.push(out);
        }
    }
    text(&table)
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}
