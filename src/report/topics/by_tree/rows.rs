//! Speedups to each depth on the way, by the nodes that the base visits to it.

use crate::experiment::Competitor;
use crate::report::figures::{Estimate, Measurements};
use crate::report::lists::filled;
use crate::report::topics::by_depth::rows::SHORT_S;
use std::collections::BTreeMap;
use ttd_stats::{Bounds, bootstrap, summary};

/// The speedups of one searcher by the size of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedupsByTree {
    /// Its name.
    pub searcher: String,
    /// Whether it has a chart of its own.
    pub on_its_own: bool,
    /// Whether the time to a smaller depth is that of a prefix of the deeper search.
    pub prefixes: bool,
    /// The speedups of each thread count above 1 that has any, ascending.
    pub rows: Vec<ByTreeRow>,
}

/// The speedups of one thread count by the size of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct ByTreeRow {
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// Sizes ascending.
    pub points: Vec<ByTreePoint>,
}

/// The speedup on trees of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByTreePoint {
    /// The size.
    pub size: Size,
    /// The number of positions that have a depth of this size.
    pub positions: usize,
    /// Geometric mean over these positions, each by the geometric mean over its depths of this
    /// size; without `ci_runs`.
    pub speedup: Estimate,
}

/// A size of trees: half a power of ten of nodes. Size 2k is 10^k to 3 x 10^k nodes, and 2k + 1 is
/// from there to 10^(k + 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size(u32);

impl Size {
    fn of(nodes: f64) -> Size {
        let power = nodes.max(1.0).log10().floor() as u32;
        Size(2 * power + u32::from(nodes >= 3.0 * 10f64.powi(power as i32)))
    }

    /// The least number of nodes.
    pub(crate) fn from(self) -> u64 {
        10u64.pow(self.0 / 2) * [1, 3][(self.0 % 2) as usize]
    }

    /// The number of nodes below which a tree is of this size.
    pub(crate) fn to(self) -> u64 {
        Size(self.0 + 1).from()
    }

    pub(crate) fn in_words(self) -> String {
        format!("{} to {}", short(self.from()), short(self.to()))
    }
}

/// A number of nodes in thousands or millions.
pub(crate) fn short(nodes: u64) -> String {
    match nodes {
        1_000_000.. => format!("{}M", nodes / 1_000_000),
        1_000.. => format!("{}k", nodes / 1_000),
        _ => nodes.to_string(),
    }
}

/// The speedups of all searchers that were measured with several threads, if iterations are known.
pub(crate) fn by_tree(all: Measurements<'_>) -> Vec<SpeedupsByTree> {
    let of = |competitor: Competitor| {
        let of = all.figures.named(all.experiment.name_of(competitor))?;
        let several = of.rows.iter().filter(|row| row.threads > 1);
        let rows = several.filter_map(|row| {
            let points = filled(points_of(all, &of.searcher, row.threads))?;
            Some(ByTreeRow { threads: row.threads, oversubscribed: row.oversubscribed, points })
        });
        Some(SpeedupsByTree {
            searcher: of.searcher.clone(),
            on_its_own: of.on_its_own,
            prefixes: all.experiment.searches_apart(competitor),
            rows: filled(rows.collect())?,
        })
    };
    all.experiment.competitors().into_iter().filter_map(of).collect()
}

fn points_of(all: Measurements<'_>, searcher: &str, threads: usize) -> Vec<ByTreePoint> {
    let mut by_size: BTreeMap<Size, Vec<Bounds>> = BTreeMap::new();
    for (id, cell) in all.figures.positions.iter().zip(all.cells(searcher, threads)) {
        let base = all.base_cell(searcher, id);
        let nodes = all.iterations.median_nodes(base);
        let [base, cell] = [base, cell].map(|cell| all.iterations.median_times(cell));
        for (size, logarithms) in by_size_of(&nodes, &base, &cell) {
            by_size.entry(size).or_default().extend(summary::mean(&logarithms).map(Bounds::exact));
        }
    }
    let point = |(size, logarithms): (Size, Vec<Bounds>)| {
        let over = bootstrap::mean_over_positions(&logarithms, all.experiment.seed);
        let speedup = Estimate {
            value: Bounds::combine(&logarithms, summary::mean)?.map(f64::exp),
            ci_runs: None,
            ci_positions: over.map(|ci| ci.map(f64::exp)),
        };
        Some(ByTreePoint { size, positions: logarithms.len(), speedup })
    };
    by_size.into_iter().filter_map(point).collect()
}

/// The logarithms of a position's speedups to each depth, by the base's nodes. Depths of which only
/// bounds are known, and those that the base reaches at once, are left out.
fn by_size_of(
    nodes: &[Option<f64>],
    base: &[Option<Bounds>],
    cell: &[Option<Bounds>],
) -> BTreeMap<Size, Vec<f64>> {
    let mut by_size: BTreeMap<Size, Vec<f64>> = BTreeMap::new();
    for ((nodes, base), cell) in nodes.iter().zip(base).zip(cell) {
        let exact = |time: &Option<Bounds>| time.and_then(Bounds::value);
        if let (Some(nodes), Some(base), Some(cell)) = (*nodes, exact(base), exact(cell))
            && base >= SHORT_S
            && cell > 0.0
        {
            by_size.entry(Size::of(nodes)).or_default().push((base / cell).ln());
        }
    }
    by_size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_half_a_power_of_ten() {
        let size = |nodes| Size::of(nodes).in_words();
        assert_eq!(size(0.0), "1 to 3");
        assert_eq!([29_999.0, 30_000.0].map(size), ["10k to 30k", "30k to 100k"]);
        assert_eq!([999_999.0, 1e6, 3e9].map(size), ["300k to 1M", "1M to 3M", "3000M to 10000M"]);
    }

    #[test]
    fn depths_count_by_the_nodes_of_the_base() {
        let times = |times: [f64; 5]| times.map(|time| Some(Bounds::exact(time)));
        let nodes = [1e3, 2e5, 4e5, 8e5, 1.6e6].map(Some);
        let base = times([1e-4, 0.1, 0.2, 0.4, 0.8]);
        let mut cell = times([1e-4, 0.05, 0.1, 0.05, 0.1]);
        let by_size = |cell: &[_]| {
            let by_size = by_size_of(&nodes, &base, cell).into_iter();
            by_size.map(|(size, all)| (size.from(), all.len(), summary::mean(&all))).collect()
        };
        let all: Vec<(u64, usize, Option<f64>)> = by_size(&cell);
        assert_eq!(all[0], (100_000, 1, Some(2f64.ln())));
        assert_eq!((all[1].0, all[1].1, all.len()), (300_000, 2, 3));
        // The geometric mean of 2 and 8.
        assert!(all[1].2.is_some_and(|mean| (mean - 4f64.ln()).abs() < 1e-12), "{all:?}");
        cell[4] = Some(Bounds { lower: 0.1, upper: f64::INFINITY });
        let without: Vec<(u64, usize, Option<f64>)> = by_size(&cell);
        assert_eq!(without, all[..2]);
    }
}
