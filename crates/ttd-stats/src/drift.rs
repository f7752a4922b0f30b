//! The drift of times from round to round: Page's trend test.
//!
//! In each cell the times of the rounds are ranked. If the rounds are exchangeable, every order of
//! the ranks is equally likely. Page's L is the sum of `rank * round` over cells and rounds (E. B.
//! Page, "Ordered hypotheses for multiple treatments", JASA 58, 1963). The test needs no assumption
//! about the distribution of the times. Cells may differ from one another.
//!
//! L tells whether times drift, and in which direction. It does not tell by how much. That is told
//! by the slopes of ln(time) over the rounds, each cell's weighted by the inverse of its variance
//! (W. G. Cochran, "The combination of estimates from different experiments", Biometrics 10, 1954).
//! A cell of one thread, whose times hardly vary, says far more than one whose tree varies.

use super::fits::line;
use super::shrinkage;
use statrs::distribution::{ContinuousCDF, Normal};

/// The limit of p below which the reports speak of drift.
pub const SIGNIFICANT: f64 = 0.05;
/// The least number of rounds for a trend.
const ROUNDS: usize = 3;

/// The result of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// The number of cells that were ranked.
    pub cells: usize,
    /// The number of rounds that each cell has.
    pub rounds: usize,
    /// Page's L.
    pub l: f64,
    /// L less its mean, in standard deviations, for exchangeable rounds. It is above 0 where later
    /// rounds tend to take longer.
    pub z: f64,
    /// The two-sided p, by the normal approximation of L.
    pub p: f64,
    /// The change of times from the first round to the last, as a share. It is the weighted mean
    /// over cells of the slope of their logarithm, over all rounds. The weight of a cell is 1 / the
    /// variance of its residuals. Each variance is drawn towards those of all cells (Smyth, 2004),
    /// and counts as a millionth of their mean at least. So no weight is without bound. Where all
    /// variances are 0, cells weigh alike.
    pub change: f64,
}

impl Drift {
    /// The test of cells, each given as its times by round, all above 0. None without cells, with
    /// fewer than three rounds, or if cells differ in their number of rounds.
    pub fn of(cells: &[Vec<f64>]) -> Option<Drift> {
        let rounds = cells.first()?.len();
        if rounds < ROUNDS || cells.iter().any(|times| times.len() != rounds) {
            return None;
        }
        let (n, k) = (cells.len() as f64, rounds as f64);
        let weighted = |times: &Vec<f64>| -> f64 {
            (1..).zip(ranks(times)).map(|(round, rank)| f64::from(round) * rank).sum()
        };
        let l: f64 = cells.iter().map(weighted).sum();
        let mean = n * k * (k + 1.0).powi(2) / 4.0;
        let variance = n * k.powi(2) * (k + 1.0).powi(2) * (k - 1.0) / 144.0;
        let z = (l - mean) / variance.sqrt();
        Some(Drift {
            cells: cells.len(),
            rounds,
            l,
            z,
            p: 2.0 * Normal::standard().sf(z.abs()),
            change: (slope(cells) * (k - 1.0)).exp_m1(),
        })
    }

    /// Whether the change of the times has the direction of the change of their ranks. Where it has
    /// not, neither a rise nor a fall may be claimed.
    pub fn agrees(&self) -> bool {
        self.z * self.change > 0.0
    }
}

/// The weighted mean of the slopes of ln(time) over rounds.
fn slope(cells: &[Vec<f64>]) -> f64 {
    let (slopes, variances): (Vec<f64>, Vec<f64>) =
        cells.iter().map(|times| slope_and_variance(times)).unzip();
    let degrees = cells[0].len() as f64 - 2.0;
    let variances = shrinkage::shrunk(&variances, degrees);
    let known = variances.iter().any(|variance| *variance > 0.0);
    let weight = |variance: &f64| if known { 1.0 / variance } else { 1.0 };
    let weights: Vec<f64> = variances.iter().map(weight).collect();
    let sum: f64 = slopes.iter().zip(&weights).map(|(slope, weight)| slope * weight).sum();
    sum / weights.iter().sum::<f64>()
}

/// The slope of ln(time) over rounds by least squares, and the variance of its residuals: the sum
/// of their squares over the degrees of freedom.
fn slope_and_variance(times: &[f64]) -> (f64, f64) {
    let points = times.iter().enumerate().map(|(round, time)| (round as f64, time.ln()));
    let [slope, intercept] = line(points.clone());
    let squares = points.map(|(round, log)| (log - intercept - slope * round).powi(2));
    (slope, squares.sum::<f64>() / (times.len() as f64 - 2.0))
}

/// The rank of each value from 1; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| other.total_cmp(value).is_eq()).count() as f64;
        below + f64::midpoint(equal, 1.0)
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn ranks_are_shared() {
        assert_eq!(ranks(&[3.0, 1.0, 2.0]), [3.0, 1.0, 2.0]);
        assert_eq!(ranks(&[2.0, 1.0, 2.0, 2.0]), [3.0, 1.0, 3.0, 3.0]);
    }

    #[test]
    fn times_that_rise_in_every_cell_drift() {
        let cells: Vec<Vec<f64>> = (1..=20)
            .map(|scale| (0..5).map(|r| f64::from(scale) * 1.01f64.powi(r)).collect())
            .collect();
        let drift = Drift::of(&cells).expect("enough rounds");
        assert_eq!((drift.cells, drift.rounds, drift.l), (20, 5, 20.0 * 55.0));
        assert!(drift.p < 1e-9 && (drift.change - (1.01f64.powi(4) - 1.0)).abs() < 1e-12);
        let falling: Vec<Vec<f64>> =
            cells.iter().map(|cell| cell.iter().rev().copied().collect()).collect();
        assert_eq!(Drift::of(&falling).map(|drift| drift.p), Some(drift.p));
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn the_test_agrees_with_scipy() {
        let time = |i: i32, j: i32| {
            f64::from(1 + i) * (0.02 * f64::from(j) + 0.1 * f64::from(7 * i + 3 * j).sin()).exp()
        };
        let cells: Vec<Vec<f64>> = (0..12).map(|i| (0..5).map(|j| time(i, j)).collect()).collect();
        let drift = Drift::of(&cells).expect("enough rounds");
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
        near(drift.l, 608.0);
        near(drift.p, 8.637_667_594_72e-5);
        near(drift.z, 3.925_981_830_49);
        near(drift.change, 0.075_326_322_221);
        assert!(drift.agrees());
    }

    /// Ten cells whose times hardly vary rise. Two whose times vary by a third fall by more.
    #[test]
    fn the_size_is_that_of_the_cells_that_are_known_well() {
        let rising = |i: i32| -> Vec<f64> {
            let noise = |j: i32| 0.001 * f64::from(7 * i + 3 * j).sin();
            (0..6).map(|j| (0.002 * f64::from(j) + noise(j)).exp()).collect()
        };
        let falling = |i: i32| -> Vec<f64> {
            let noise = |j: i32| 0.3 * f64::from(5 * i + 2 * j).sin();
            (0..6).map(|j| (-0.1 * f64::from(j) + noise(j)).exp()).collect()
        };
        let cells: Vec<Vec<f64>> = (0..10).map(rising).chain((0..2).map(falling)).collect();
        let drift = Drift::of(&cells).expect("enough rounds");
        assert!(drift.z > 3.0 && drift.agrees(), "{drift:?}");
        assert!((drift.change - 0.01).abs() < 0.003, "{drift:?}");
    }

    /// Most cells rise by a hair, and one that is known as well falls by much.
    #[test]
    fn sizes_that_deny_the_ranks_are_no_direction() {
        let cell = |a_round: f64| -> Vec<f64> {
            (0..5).map(|j| (a_round * f64::from(j) + 1e-3 * f64::from(j % 2)).exp()).collect()
        };
        let mut cells = vec![cell(0.002); 9];
        cells.push(cell(-0.1));
        let drift = Drift::of(&cells).expect("enough rounds");
        assert!(drift.p < SIGNIFICANT && drift.z > 0.0, "{drift:?}");
        assert!(drift.change < 0.0 && !drift.agrees(), "{drift:?}");
    }

    #[test]
    fn too_little_to_test() {
        assert_eq!(Drift::of(&[]), None);
        assert_eq!(Drift::of(&[vec![1.0, 2.0]]), None);
        assert_eq!(Drift::of(&[vec![1.0, 2.0, 3.0], vec![1.0, 2.0]]), None);
    }
}
