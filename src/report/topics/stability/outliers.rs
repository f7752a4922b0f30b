//! Positions whose speedup is far from that of the others, and the iteration in which that came
//! about.

use crate::report::figures::{Cell, Measurements, Row, SearcherFigures};
use ttd_stats::Bounds;
use ttd_stats::summary::{self, Boxed};

/// The least number of positions for which quartiles say enough to call one position an outlier.
const FEWEST: usize = 8;
/// The least factor between an outlier's speedup and the median, however alike the other positions
/// are.
const FACTOR: f64 = 1.25;

/// A position whose speedup is an outlier: a row of `outliers.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlier {
    /// The name of the searcher.
    pub searcher: String,
    /// The number of threads.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// Id of the position.
    pub position: String,
    /// Its speedup.
    pub speedup: f64,
    /// The interval of the speedup when its runs are drawn anew.
    pub ci_runs: Option<Bounds>,
    /// The median speedup over positions.
    pub typical: f64,
    /// The iteration that made it an outlier; none if iterations are not known.
    pub iteration: Option<Decisive>,
}

/// The iteration that decided an outlier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decisive {
    /// Its depth.
    pub depth: u8,
    /// The base's time for this iteration alone, in seconds, from medians.
    pub base_s: f64,
    /// The cell's time for this iteration alone, in seconds.
    pub cell_s: f64,
    /// The nodes of the cell over those of the base in this iteration; none if they are not known.
    pub nodes: Option<f64>,
    /// The iteration's share in what the position won or lost against the median speedup. It is
    /// above 1 if other iterations made up for a part of it.
    pub share: f64,
}

impl Outlier {
    /// Whether it is faster than others.
    pub fn is_fast(&self) -> bool {
        self.speedup > self.typical
    }

    /// Whether the speedup is greater than its threads could reach together on the base's tree.
    pub fn is_super_linear(&self) -> bool {
        self.speedup > self.threads as f64
    }

    /// The distance from the median, as the logarithm of the factor.
    pub fn distance(&self) -> f64 {
        (self.speedup / self.typical).ln().abs()
    }
}

/// The outliers of every searcher and thread count above 1, the farthest first.
pub(crate) fn outliers(all: Measurements<'_>) -> Vec<Outlier> {
    let with_iteration = |outlier: Outlier| {
        let Outlier { searcher, threads, position, typical, .. } = &outlier;
        let base = all.base_cell(searcher, position);
        let cell = all.samples.cell(searcher, *threads, position);
        let times = [base, cell].map(|cell| known(&all.iterations.median_times(cell)));
        let nodes = [base, cell].map(|cell| all.iterations.median_nodes(cell));
        let iteration = decisive(times.each_ref(), nodes.each_ref(), *typical);
        Outlier { iteration, ..outlier }
    };
    let mut outliers = Vec::new();
    for of in all.figures.measured() {
        for (row, cells) in of.rows.iter().zip(&of.cells).filter(|(row, _)| row.threads > 1) {
            let mut here: Vec<Outlier> = found(of, row, cells).map(with_iteration).collect();
            here.sort_by(|a, b| b.distance().total_cmp(&a.distance()));
            outliers.extend(here);
        }
    }
    outliers
}

/// The positions beyond Tukey's fences of the logarithms of the speedups.
fn found<'a>(
    of: &'a SearcherFigures,
    row: &'a Row,
    cells: &'a [Cell],
) -> impl Iterator<Item = Outlier> + 'a {
    // A single run of a cell or its base may be luck: without an interval nothing is named.
    let measured = |cell: &Cell| cell.speedup_ci_runs.and(cell.speedup)?.value();
    let known = move |cell: &Cell| measured(cell).filter(|speedup| *speedup > 0.0);
    let speedups: Vec<f64> = cells.iter().filter_map(known).collect();
    let logarithms: Vec<f64> = speedups.iter().map(|speedup| speedup.ln()).collect();
    let boxed = Boxed::of(&logarithms).filter(|_| logarithms.len() >= FEWEST);
    let beyond = boxed.map_or_else(Vec::new, |boxed| boxed.outliers);
    let typical = summary::median(&speedups).unwrap_or(1.0);
    let outlier = move |cell: &Cell| {
        let speedup = known(cell)?;
        let outlier = Outlier {
            searcher: of.searcher.clone(),
            threads: row.threads,
            oversubscribed: row.oversubscribed,
            position: cell.position.clone(),
            speedup,
            ci_runs: cell.speedup_ci_runs,
            typical,
            iteration: None,
        };
        let is_beyond = beyond.iter().any(|log| log.total_cmp(&speedup.ln()).is_eq());
        (is_beyond && outlier.distance() >= FACTOR.ln()).then_some(outlier)
    };
    cells.iter().filter_map(outlier)
}

/// Times or nodes to each depth, as far as they are known.
type Sums = Vec<Option<f64>>;

/// The times that are known exactly.
fn known(times: &[Option<Bounds>]) -> Sums {
    times.iter().map(|time| (*time)?.value()).collect()
}

/// The iteration that won or lost the most against the typical speedup. `times` and `nodes` are
/// medians to each depth, those of the base first. None if a time is not known.
fn decisive(times: [&Sums; 2], nodes: [&Sums; 2], typical: f64) -> Option<Decisive> {
    let [base, cell] = times.map(|times| steps(times));
    let (base, cell) = (base?, cell?);
    if base.len() != cell.len() {
        return None;
    }
    let lost: Vec<f64> = base.iter().zip(&cell).map(|(b, c)| c - b / typical).collect();
    let all: f64 = lost.iter().sum();
    if all.abs() <= 0.0 {
        return None;
    }
    let shares = lost.iter().map(|lost| lost / all);
    let (index, share) = shares.enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let in_nodes = nodes.map(|nodes| steps(nodes)?.get(index).copied());
    let [of_base, of_cell] = in_nodes;
    Some(Decisive {
        depth: index as u8 + 1,
        base_s: base[index],
        cell_s: cell[index],
        nodes: of_base.zip(of_cell).filter(|(b, _)| *b > 0.0).map(|(b, c)| c / b),
        share,
    })
}

/// The part that each depth added to the sums; none if a sum is not known, or without depths.
fn steps(sums: &[Option<f64>]) -> Option<Vec<f64>> {
    let sums: Vec<f64> = sums.iter().copied().collect::<Option<_>>()?;
    let before = [0.0].into_iter().chain(sums.iter().copied());
    (!sums.is_empty()).then(|| sums.iter().zip(before).map(|(sum, before)| sum - before).collect())
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn the_iteration_that_lost_the_most_decides() {
        let all = |sums: &[f64]| sums.iter().map(|sum| Some(*sum)).collect::<Vec<_>>();
        // The iterations of the base take 1, 2, 4 and 8 seconds. At a typical speedup of 2, the
        // third should take 2 and takes 6.
        let (base, cell) = (all(&[1.0, 3.0, 7.0, 15.0]), all(&[0.5, 1.5, 7.5, 11.5]));
        let (few, many) = (all(&[10.0, 30.0, 70.0, 150.0]), all(&[10.0, 30.0, 190.0, 270.0]));
        let decided = decisive([&base, &cell], [&few, &many], 2.0).expect("known");
        assert_eq!((decided.depth, decided.base_s, decided.cell_s), (3, 4.0, 6.0));
        assert_eq!((decided.nodes, decided.share), (Some(4.0), 1.0));
        // With base and cell exchanged, the third iteration is the one that won.
        let decided = decisive([&cell, &base], [&many, &few], 0.5).expect("known");
        assert_eq!((decided.depth, decided.nodes), (3, Some(0.25)));
        let unknown = [vec![Some(1.0), None], cell];
        assert_eq!(decisive(unknown.each_ref(), [&few, &many], 2.0), None);
        assert_eq!(decisive([&vec![], &vec![]], [&few, &many], 2.0), None);
    }
}
