//! The drift of times from round to round: Page's trend test.
//!
//! In each cell the times of the rounds are ranked. If the rounds are exchangeable, every order of
//! the ranks is equally likely. Page's L is the sum of `rank * round` over cells and rounds (E. B.
//! Page, "Ordered hypotheses for multiple treatments", JASA 58, 1963). The test needs no assumption
//! about the distribution of the times. Cells may differ from one another.

use super::fits::line;
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
    /// The two-sided p, by the normal approximation of L.
    pub p: f64,
    /// The change of times from the first round to the last, as a share. It is the mean over cells
    /// of the slope of their logarithm, over all rounds.
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
        let slope = |times: &Vec<f64>| {
            line(times.iter().enumerate().map(|(round, time)| (round as f64, time.ln())))[0]
        };
        let slope = cells.iter().map(slope).sum::<f64>() / n;
        Some(Drift {
            cells: cells.len(),
            rounds,
            l,
            p: 2.0 * Normal::standard().sf(z.abs()),
            change: (slope * (k - 1.0)).exp_m1(),
        })
    }
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
        near(drift.change, 0.076_459_613_272_7);
    }

    #[test]
    fn too_little_to_test() {
        assert_eq!(Drift::of(&[]), None);
        assert_eq!(Drift::of(&[vec![1.0, 2.0]]), None);
        assert_eq!(Drift::of(&[vec![1.0, 2.0, 3.0], vec![1.0, 2.0]]), None);
    }
}
