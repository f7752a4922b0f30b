//! Ratios between the cells of several contenders, paired over positions: the same search with other settings.

use super::bootstrap::{self, CONFIDENCE, Draw, Pool, REPLICATES};
use super::censoring::{Bounds, Timing, median_time};
use super::summary;

/// The streams of the generator.
const RUNS: u64 = 2;
const POSITIONS: u64 = 3;

/// The samples of one contender at one number of threads, by position: times, or anything else that is more than 0.
pub type Row = [Vec<Timing>];

/// A geometric mean over positions, with both of its intervals at 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// How many positions have one.
    pub positions: usize,
    /// The geometric mean; two ends where censored samples leave it open.
    pub value: Bounds,
    /// Samples drawn anew within each cell; none if one of the cells has a single sample.
    pub ci_runs: Option<Bounds>,
    /// Positions drawn anew, each with all its cells; none with a single position.
    pub ci_positions: Option<Bounds>,
}

/// Of each position the product of the medians `above` over the product of those `below` (1 if there are none), and of
/// these the geometric mean over the positions that have them all. None if no position has.
pub fn geometric_mean(above: &[&Row], below: &[&Row], seed: u64) -> Option<Ratio> {
    let positions = above.first().map_or(0, |row| row.len());
    let median = |row: &Row, position: usize| median_time(&row[position]);
    let ratio = |position| quotient(above, below, |row| median(row, position));
    let (known, ratios): (Vec<usize>, Vec<Bounds>) =
        (0..positions).filter_map(|position| Some((position, ratio(position)?))).unzip();
    Some(Ratio {
        positions: known.len(),
        value: Bounds::combine(&ratios, summary::geometric_mean)?,
        ci_runs: over_runs(&pools(above, &known), &pools(below, &known), seed),
        ci_positions: over_positions(&ratios, seed),
    })
}

/// The samples at the positions that count, ready to be drawn from.
fn pools(rows: &[&Row], known: &[usize]) -> Vec<Vec<Pool>> {
    let pool = |row: &&Row| known.iter().map(|position| Pool::of(&row[*position])).collect();
    rows.iter().map(pool).collect()
}

fn over_runs(above: &[Vec<Pool>], below: &[Vec<Pool>], seed: u64) -> Option<Bounds> {
    if above.iter().chain(below).flatten().any(|pool| pool.size() < 2) {
        return None;
    }
    let positions = above.first().map_or(0, Vec::len);
    let mut draw = Draw::new(seed, RUNS);
    let replicate = |_| {
        let ratio = |position: usize| {
            quotient(above, below, |row: &Vec<Pool>| row[position].resampled_median(&mut draw))
        };
        let ratios: Option<Vec<Bounds>> = (0..positions).map(ratio).collect();
        Bounds::combine(&ratios?, summary::geometric_mean)
    };
    let replicates: Option<Vec<Bounds>> = (0..REPLICATES).map(replicate).collect();
    bootstrap::interval(&replicates?, CONFIDENCE)
}

fn over_positions(ratios: &[Bounds], seed: u64) -> Option<Bounds> {
    if ratios.len() < 2 {
        return None;
    }
    let mut draw = Draw::new(seed, POSITIONS);
    let replicate = |_| {
        let picked: Vec<Bounds> = ratios.iter().map(|_| ratios[draw.below(ratios.len())]).collect();
        Bounds::combine(&picked, summary::geometric_mean)
    };
    let replicates: Option<Vec<Bounds>> = (0..REPLICATES).map(replicate).collect();
    bootstrap::interval(&replicates?, CONFIDENCE)
}

/// The product of the medians of some cells over that of others; none if one of them is not known.
fn quotient<R>(
    above: &[R],
    below: &[R],
    mut median: impl FnMut(&R) -> Option<Bounds>,
) -> Option<Bounds> {
    let mut product = |rows: &[R]| {
        rows.iter().try_fold(Bounds::exact(1.0), |product, row| {
            let next = median(row)?;
            Some(Bounds { lower: product.lower * next.lower, upper: product.upper * next.upper })
        })
    };
    Bounds::ratio(product(above)?, product(below)?)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;
    use crate::stats::Timing::{AtLeast, Exact};

    /// A cell at each position.
    fn row(cells: &[&[f64]]) -> Vec<Vec<Timing>> {
        cells.iter().map(|cell| cell.iter().map(|time| Exact(*time)).collect()).collect()
    }

    fn close(bounds: Option<Bounds>, (lower, upper): (f64, f64)) {
        let bounds = bounds.expect("an interval");
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
        assert!(near(bounds.lower, lower) && near(bounds.upper, upper), "{bounds:?}");
    }

    #[test]
    fn positions_are_paired() {
        // Positions differ a hundredfold; the ratio is 2 and 8.
        let (slow, fast) = (row(&[&[2.0], &[800.0]]), row(&[&[1.0], &[100.0]]));
        let ratio = geometric_mean(&[&slow], &[&fast], 1).expect("known");
        assert_eq!((ratio.positions, ratio.ci_runs), (2, None));
        close(Some(ratio.value), (4.0, 4.0));
        close(ratio.ci_positions, (2.0, 8.0));
        let same = geometric_mean(&[&slow], &[&slow], 1).expect("known");
        close(same.ci_positions, (1.0, 1.0));
    }

    #[test]
    fn runs_are_drawn_anew_within_each_cell() {
        let (a, b) = (row(&[&[1.0, 4.0]]), row(&[&[1.0, 1.0]]));
        let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
        assert_eq!((ratio.value, ratio.ci_positions), (Bounds::exact(2.5), None));
        close(ratio.ci_runs, (1.0, 4.0));
        assert_eq!(geometric_mean(&[&a], &[&b], 1), Some(ratio), "the same seed");
    }

    #[test]
    fn a_product_of_cells_and_none_below() {
        let (a, b) = (row(&[&[6.0]]), row(&[&[4.0]]));
        let value = |above: &[&Row], below: &[&Row]| {
            geometric_mean(above, below, 1).and_then(|ratio| ratio.value.value())
        };
        assert_eq!(value(&[&a, &b], &[&b, &b]), Some(1.5));
        assert_eq!(value(&[&a], &[]), Some(6.0));
    }

    #[test]
    fn what_is_missing_is_left_out_and_what_is_censored_is_open() {
        let (mut a, b) = (row(&[&[6.0], &[], &[8.0]]), row(&[&[3.0], &[1.0], &[2.0]]));
        let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
        assert_eq!(ratio.positions, 2);
        a[0] = vec![AtLeast(6.0)];
        let ratio = geometric_mean(&[&a], &[&b], 1).expect("known");
        assert!((ratio.value.lower - 8f64.sqrt()).abs() < 1e-12);
        assert_eq!(ratio.value.upper, f64::INFINITY);
        assert_eq!(geometric_mean(&[&row(&[&[]])], &[&row(&[&[1.0]])], 1), None);
    }
}
