//! Speedups: the base's median time over the cell's, position by position and over positions.

use super::bounds::Bounds;
use super::censoring::{Timing, median_time};
use super::rounds::Runs;
use super::summary;

/// The base that the speedups of a sweep are relative to.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// The sweep's own cells at this index of its thread counts.
    Own(usize),
    /// Other cells (those of the sequential searcher), by position.
    Other(Vec<Runs>),
    /// There is no base: the sweep has no cells with one thread.
    Missing,
}

/// The times of one searcher, over thread counts and positions. They may be other figures above 0
/// as well, such as nodes: speedups are then ratios of those.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// Thread counts, ascending.
    pub threads: Vec<usize>,
    /// Times of the samples, by thread count and position; empty where there are none.
    pub cells: Vec<Vec<Runs>>,
    /// The base of the comparison.
    pub base: Base,
}

impl Sweep {
    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.cells.first().map_or(0, Vec::len)
    }

    /// The samples of the base for the cells of this position.
    pub fn base_times(&self, position: usize) -> &[Timing] {
        match &self.base {
            Base::Own(index) => &self.cells[*index][position],
            Base::Other(base) => &base[position],
            Base::Missing => &[],
        }
    }

    /// Speedups of every cell from the medians; none where the cell or its base has no sample.
    pub fn speedups(&self) -> Speedups {
        let base: Vec<_> = (0..self.positions()).map(|p| median_time(self.base_times(p))).collect();
        let cells = self
            .cells
            .iter()
            .map(|row| row.iter().map(|times| median_time(times)).collect())
            .collect();
        Speedups::new(base, cells, self.own_base())
    }

    /// The index of the thread count that is its own base.
    pub(super) fn own_base(&self) -> Option<usize> {
        if let Base::Own(index) = self.base { Some(index) } else { None }
    }
}

/// The median times of a sweep and the speedups that follow.
#[derive(Clone, Debug, PartialEq)]
pub struct Speedups {
    /// Median time of the base in seconds, by position.
    pub base: Vec<Option<Bounds>>,
    /// Median time of each cell in seconds, by thread count and position.
    pub medians: Vec<Vec<Option<Bounds>>>,
    /// Speedup of each cell, by thread count and position.
    pub speedups: Vec<Vec<Option<Bounds>>>,
    /// The index of the thread count that is the base itself.
    own_base: Option<usize>,
}

impl Speedups {
    /// Leaves out the speedups of cells that another table has none of.
    pub(super) fn keep_those_of(&mut self, other: &Speedups) {
        for (row, others) in self.speedups.iter_mut().zip(&other.speedups) {
            for (speedup, other) in row.iter_mut().zip(others) {
                speedup.take_if(|_| other.is_none());
            }
        }
    }

    /// Speedups from median times in seconds: of the base by position, of the cells by thread count
    /// and position. The speedups of the row that is the base itself are 1, even where censored
    /// samples leave its times open.
    pub fn new(
        base: Vec<Option<Bounds>>,
        medians: Vec<Vec<Option<Bounds>>>,
        own_base: Option<usize>,
    ) -> Speedups {
        let one = |cell: Option<Bounds>| cell.map(|_| Bounds::exact(1.0));
        let speedups = medians
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let cells = row.iter().zip(&base);
                let of = |(cell, base): (&Option<Bounds>, &Option<Bounds>)| {
                    if own_base == Some(index) { one(*cell) } else { ratio(*base, *cell) }
                };
                cells.map(of).collect()
            })
            .collect();
        Speedups { base, medians, speedups, own_base }
    }

    /// The figures over the positions picked, for the thread count at this index. A position counts
    /// as often as it is named. None if no position picked has a speedup.
    pub fn headline(&self, index: usize, picked: &[usize]) -> Option<Headline> {
        let with_speedup = || picked.iter().filter(|p| self.speedups[index][**p].is_some());
        let speedups: Vec<Bounds> =
            with_speedup().filter_map(|p| self.speedups[index][*p]).collect();
        let base: Vec<Bounds> = with_speedup().filter_map(|p| self.base[*p]).collect();
        let cells: Vec<Bounds> = with_speedup().filter_map(|p| self.medians[index][*p]).collect();
        let total_time_ratio = if self.own_base == Some(index) {
            Bounds::exact(1.0)
        } else {
            Bounds::ratio(sum(&base), sum(&cells))?
        };
        Some(Headline {
            median: Bounds::combine(&speedups, summary::median)?,
            geometric_mean: Bounds::combine(&speedups, summary::geometric_mean)?,
            total_time_ratio,
        })
    }

    /// The quantile `q` (0 to 1) of the speedups over all positions, for the thread count at this
    /// index.
    pub fn quantile(&self, index: usize, q: f64) -> Option<Bounds> {
        let known: Vec<Bounds> = self.speedups[index].iter().copied().flatten().collect();
        Bounds::combine(&known, |ends| summary::quantile(ends, q))
    }
}

fn ratio(base: Option<Bounds>, cell: Option<Bounds>) -> Option<Bounds> {
    Bounds::ratio(base?, cell?)
}

fn sum(all: &[Bounds]) -> Bounds {
    Bounds { lower: all.iter().map(|b| b.lower).sum(), upper: all.iter().map(|b| b.upper).sum() }
}

/// The figures over positions that get intervals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Headline {
    /// Median of the speedups.
    pub median: Bounds,
    /// Geometric mean of the speedups.
    pub geometric_mean: Bounds,
    /// Sum of the base's median times over the sum of the cells' (long positions weigh more).
    pub total_time_ratio: Bounds,
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::Timing::{AtLeast, Exact};

    fn row(cells: Vec<Vec<Timing>>) -> Vec<Runs> {
        cells.into_iter().map(Runs::from).collect()
    }

    fn sweep(cell: Vec<Vec<Timing>>) -> Sweep {
        let base = vec![vec![Exact(2.0)], vec![Exact(6.0), Exact(10.0)], vec![Exact(4.0)]];
        Sweep { threads: vec![1, 2], cells: vec![row(base), row(cell)], base: Base::Own(0) }
    }

    #[test]
    fn speedups_come_from_medians() {
        let times = vec![vec![Exact(1.0)], vec![Exact(4.0)], vec![Exact(1.0)]];
        let speedups = sweep(times).speedups();
        assert_eq!(speedups.speedups[0], vec![Some(Bounds::exact(1.0)); 3]);
        let headline = speedups.headline(1, &[0, 1, 2]).expect("enough data");
        assert_eq!(headline.median, Bounds::exact(2.0));
        assert!((headline.geometric_mean.lower - 16f64.cbrt()).abs() < 1e-12);
        assert_eq!(headline.total_time_ratio, Bounds::exact(14.0 / 6.0));
        assert_eq!(speedups.quantile(1, 0.25), Some(Bounds::exact(2.0)));
    }

    #[test]
    fn a_missing_cell_is_left_out_of_both_sums() {
        let speedups = sweep(vec![vec![Exact(1.0)], vec![], vec![Exact(1.0)]]).speedups();
        assert_eq!(speedups.speedups[1][1], None);
        let headline = speedups.headline(1, &[0, 1, 2]).expect("enough data");
        assert_eq!(headline.total_time_ratio, Bounds::exact(3.0));
        assert_eq!(speedups.headline(1, &[1]), None);
    }

    #[test]
    fn a_censored_cell_bounds_the_aggregates() {
        let times = vec![vec![Exact(1.0)], vec![AtLeast(16.0)], vec![Exact(1.0)]];
        let headline = sweep(times).speedups().headline(1, &[0, 1, 2]).expect("enough data");
        assert_eq!(headline.median, Bounds::exact(2.0));
        assert_eq!(headline.geometric_mean.lower, 0.0);
        assert!((headline.geometric_mean.upper - 4f64.cbrt()).abs() < 1e-12);
        assert_eq!(headline.total_time_ratio, Bounds { lower: 0.0, upper: 14.0 / 18.0 });
    }

    #[test]
    fn a_censored_base_is_still_its_own_base() {
        let base = row(vec![vec![AtLeast(9.0)]]);
        let sweep =
            Sweep { threads: vec![1, 2], cells: vec![base.clone(), base], base: Base::Own(0) };
        let all = sweep.speedups();
        assert_eq!(all.speedups[0][0], Some(Bounds::exact(1.0)));
        assert_eq!(all.speedups[1][0], Some(Bounds { lower: 0.0, upper: f64::INFINITY }));
        let headline = all.headline(0, &[0]).expect("one position");
        assert_eq!(headline.total_time_ratio, Bounds::exact(1.0));
    }
}
