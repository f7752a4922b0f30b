//! Whether the times of a cell are normally distributed: a test of each cell.

use crate::experiment::{Sample, SampleStatus};
use crate::report::columns::columns;
use crate::report::figures::{Figures, Measurements, Row};
use crate::report::topics::summary::{Line, lines, starred};
use ttd_stats::many_tests::false_discovery;
use ttd_stats::normality::ShapiroWilk;
use ttd_stats::summary;

/// The least number of samples of a cell that is tested.
const LEAST: usize = 8;
/// The adjusted p up to which the times of a cell are called not normal.
const LEVEL: f64 = 0.05;

/// The times of one cell and their test: a row of `normality.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct CellShape {
    /// The searcher's name.
    pub searcher: String,
    /// Number of workers.
    pub threads: usize,
    /// Whether there are more threads than cores that the process could use.
    pub oversubscribed: bool,
    /// Id of the position.
    pub position: String,
    /// The number of samples that reached the depth.
    pub samples: usize,
    /// The test, or a word on why there is none.
    pub tested: Result<Shape, &'static str>,
}

/// The shape of the times of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The test of Shapiro and Wilk.
    pub test: ShapiroWilk,
    /// Its p, adjusted for all cells that are tested.
    pub p_adjusted: f64,
    /// The skewness of the times.
    pub skewness: f64,
    /// Each time less their mean, over their standard deviation.
    pub deviates: Vec<f64>,
}

impl Shape {
    fn of(times: &[f64]) -> Result<Shape, &'static str> {
        if times.len() < LEAST {
            return Err("few");
        }
        let test = ShapiroWilk::of(times).ok_or("untestable")?;
        let known = summary::mean(times).zip(summary::standard_deviation(times));
        let ((mean, deviation), skewness) =
            known.zip(summary::skewness(times)).ok_or("untestable")?;
        let deviates = times.iter().map(|time| (time - mean) / deviation).collect();
        Ok(Shape { test, p_adjusted: test.p, skewness, deviates })
    }

    /// Whether the test does not refute it.
    pub(super) fn is_normal(&self) -> bool {
        self.p_adjusted > LEVEL
    }
}

/// The shape of the times of every cell that has samples.
pub(crate) fn shapes(all: Measurements<'_>) -> Vec<CellShape> {
    let mut cells = Vec::new();
    for Line { searcher, row, .. } in lines(all.figures) {
        let of_row = all.figures.positions.iter().zip(all.cells(searcher, row.threads));
        let measured = of_row.filter(|(_, samples)| !samples.is_empty());
        cells.extend(measured.map(|(id, samples)| shape((searcher, row), id, samples)));
    }
    let tested = || cells.iter().filter_map(|cell| cell.tested.as_ref().ok());
    let adjusted = false_discovery(&tested().map(|shape| shape.test.p).collect::<Vec<_>>());
    let tested = cells.iter_mut().filter_map(|cell| cell.tested.as_mut().ok());
    tested.zip(adjusted).for_each(|(shape, p)| shape.p_adjusted = p);
    cells
}

fn shape((searcher, row): (&str, &Row), position: &str, samples: &[Sample]) -> CellShape {
    let is_ok = |sample: &&Sample| sample.status == SampleStatus::Ok;
    let times = samples.iter().filter(is_ok).map(|sample| sample.time.as_secs_f64());
    let times: Vec<f64> = times.collect();
    let is_stopped = samples.iter().any(|sample| sample.status == SampleStatus::Censored);
    let tested = Shape::of(&times);
    CellShape {
        searcher: searcher.to_owned(),
        threads: row.threads,
        oversubscribed: row.oversubscribed,
        position: position.to_owned(),
        samples: times.len(),
        tested: tested.and_then(|shape| if is_stopped { Err("stopped") } else { Ok(shape) }),
    }
}

columns! {
    /// The columns of `normality.csv`.
    pub(super) fn cells<'a>(of: &'a CellShape);

    /// the cell
    Words "searcher" = of.searcher.as_str();
    Whole "threads" = of.threads;
    Words "position" = of.position.as_str();
    /// samples that reached the depth
    Whole "samples" = of.samples;
    /// why the cell is not tested, and then the rest of the row is blank. `few`: it has fewer than
    /// 8 such samples. `untestable`: its times are all equal, or more than 5,000. `stopped`: the
    /// time limit stopped one of its samples
    Words "left_out" = of.tested.as_ref().err().copied().unwrap_or_default();
    /// the statistic of Shapiro and Wilk, at most 1
    Four "w" = of.tested.as_ref().ok().map(|shape| shape.test.w);
    /// the p of the test: how likely a W as small is, if the times are normally distributed
    Probability "p" = of.tested.as_ref().ok().map(|shape| shape.test.p);
    /// `p` after the adjustment of Benjamini and Hochberg for all cells that are tested
    Probability "p_adjusted" = of.tested.as_ref().ok().map(|shape| shape.p_adjusted);
    /// `no` if `p_adjusted` is at most 0.05, otherwise `not refuted`
    Words "normal" = of.tested.as_ref().map_or("", |shape| {
        if shape.is_normal() { "not refuted" } else { "no" }
    });
    /// the skewness of the times: their third central moment over the cube of their deviation (with
    /// n). It is above 0 where the longer tail is that of long times
    Ratio "skewness" = of.tested.as_ref().ok().map(|shape| shape.skewness);
}

/// The cells of a searcher at a number of threads.
pub(super) struct Group<'a> {
    row: Line<'a>,
    cells: Vec<&'a CellShape>,
}

impl<'a> Group<'a> {
    /// The cells of every searcher and number of threads.
    pub(super) fn all(
        figures: &'a Figures,
        cells: &'a [CellShape],
    ) -> impl Iterator<Item = Group<'a>> {
        lines(figures).map(move |row| {
            let is_in = |cell: &&CellShape| {
                cell.searcher == row.searcher && cell.threads == row.row.threads
            };
            Group { row, cells: cells.iter().filter(is_in).collect() }
        })
    }

    fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.cells.iter().filter_map(|cell| cell.tested.as_ref().ok())
    }

    fn refuted(&self) -> usize {
        self.shapes().filter(|shape| !shape.is_normal()).count()
    }

    /// The number of cells of which the p without an adjustment is at most 5%.
    fn below_level(&self) -> usize {
        self.shapes().filter(|shape| shape.test.p <= LEVEL).count()
    }

    fn median(&self, of: impl Fn(&Shape) -> f64) -> Option<f64> {
        summary::median(&self.shapes().map(of).collect::<Vec<_>>())
    }
}

columns! {
    /// The table of the report.
    pub(super) fn groups<'a>(of: Group<'a>);

    Words "" = of.row.searcher, as "searcher";
    Whole "" = of.row.row.threads, as "threads", shown starred(of.row.row.threads, of.row.row.oversubscribed);
    Whole "" = of.shapes().count(), as "tested";
    Whole "" = of.cells.len() - of.shapes().count(), as "left out";
    Whole "" = of.below_level(), as "p ≤ 5%";
    Whole "" = of.refuted(), as "not normal";
    Three "" = of.median(|shape| shape.test.w), as "W (median)";
    Ratio "" = of.median(|shape| shape.skewness), as "skewness (median)";
}
