//! The reliability of the speedups of single positions. It limits how well any model could predict
//! them.

use super::draw::Draw;
use super::summary;

/// The number of divisions of the runs into halves.
const DIVISIONS: usize = 200;
/// The stream of the generator: the bootstrap has the first two.
const HALVES: u64 = 2;

/// The agreement of measured speedups with themselves, by position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// Correlation between the logarithms of the speedups from one half of the runs and from the
    /// other half: the median over many divisions.
    pub half: f64,
    /// The correlation expected between two measurements of all runs each (Spearman and Brown). It
    /// is `k r / (1 + (k - 1) r)` for k times as many runs; k is 2 if their number is even.
    pub whole: f64,
}

impl Reliability {
    /// The greatest correlation with the measured speedups that even the true ones could reach: the
    /// square root of the reliability. None if there is no reliability.
    pub fn ceiling(self) -> Option<f64> {
        (self.whole > 0.0).then(|| self.whole.sqrt())
    }
}

/// Pearson's correlation; none with fewer than three pairs, or if one side does not vary.
pub fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 3 {
        return None;
    }
    let (mean_a, mean_b) = (summary::mean(a)?, summary::mean(b)?);
    let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(x, y)| f(x - mean_a, y - mean_b)).sum()
    };
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(&|x, y| x * y) / spread)
}

/// Divides the runs of each base and each cell into halves at random, and compares the speedups of
/// the halves. The runs are times in seconds, by position. None with fewer than three positions, or
/// with fewer than two runs somewhere.
pub fn split_half(bases: &[Vec<f64>], cells: &[Vec<f64>], seed: u64) -> Option<Reliability> {
    if bases.iter().chain(cells).any(|times| times.len() < 2) {
        return None;
    }
    let mut draw = Draw::new(seed, HALVES);
    let mut correlations = Vec::with_capacity(DIVISIONS);
    for _ in 0..DIVISIONS {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (base, cell) in bases.iter().zip(cells) {
            let (base, cell) = (halves(base, &mut draw)?, halves(cell, &mut draw)?);
            first.push((base.0 / cell.0).ln());
            second.push((base.1 / cell.1).ln());
        }
        correlations.extend(correlation(&first, &second));
    }
    let half = summary::median(&correlations)?;
    let runs = bases.iter().chain(cells).map(Vec::len).min()?;
    let longer = runs as f64 / (runs / 2) as f64;
    let below = 1.0 + (longer - 1.0) * half;
    (below > 0.0).then(|| Reliability { half, whole: longer * half / below })
}

/// The medians of two halves; of an odd number of times one is left out.
fn halves(times: &[f64], draw: &mut Draw) -> Option<(f64, f64)> {
    let mut times = times.to_vec();
    for last in (1..times.len()).rev() {
        times.swap(last, draw.below(last + 1));
    }
    let half = times.len() / 2;
    Some((summary::median(&times[..half])?, summary::median(&times[half..2 * half])?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations() {
        let near = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() < 1e-12);
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[10.0, 20.0, 30.0]), 1.0));
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]), -1.0));
        // By hand: deviations -1, 0, 1 and -1/3, 2/3, -1/3.
        assert!(near(correlation(&[1.0, 2.0, 3.0], &[0.0, 1.0, 0.0]), 0.0));
        assert_eq!(correlation(&[1.0, 2.0], &[1.0, 2.0]), None);
        assert_eq!(correlation(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), None);
    }

    /// The figure is that of `scripts/statistics-reference.py`.
    #[test]
    fn correlation_agrees_with_scipy() {
        let of = |phase: f64, slope: f64| -> Vec<f64> {
            (0..12).map(f64::from).map(|i| (3.0 * i + phase).sin() + slope * i).collect()
        };
        let r = correlation(&of(0.0, 0.1), &of(0.4, 0.12)).expect("both vary");
        assert!((r / 0.925_603_535_740_923 - 1.0).abs() < 1e-9, "{r}");
    }

    /// Positions whose speedups vary by `between`, and runs of each that vary by `within`.
    fn times(between: f64, within: f64) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let mut draw = Draw::new(5, 9);
        let mut noise = |size: f64| (size * (draw.below(1001) as f64 / 500.0 - 1.0)).exp();
        let speedups: Vec<f64> = (0..60).map(|_| 2.0 * noise(between)).collect();
        let runs = |middle: f64, noise: &mut dyn FnMut(f64) -> f64| -> Vec<f64> {
            (0..8).map(|_| middle * noise(within)).collect()
        };
        let bases = speedups.iter().map(|_| runs(1.0, &mut noise)).collect();
        let cells = speedups.iter().map(|s| runs(1.0 / s, &mut noise)).collect();
        (bases, cells)
    }

    #[test]
    fn what_varies_more_between_positions_than_between_runs_is_reliable() {
        let of = |(bases, cells): (Vec<_>, Vec<_>)| split_half(&bases, &cells, 1).expect("enough");
        let reliable = of(times(0.5, 0.05));
        assert!(reliable.half > 0.95 && reliable.whole > reliable.half, "{reliable:?}");
        let twice = 2.0 * reliable.half / (1.0 + reliable.half);
        assert!((reliable.whole - twice).abs() < 1e-12, "Spearman and Brown for halves");
        assert!(reliable.ceiling().is_some_and(|ceiling| ceiling > 0.95));
        let noise = of(times(0.0, 0.3));
        assert!(noise.half.abs() < 0.2, "{noise:?}");
    }

    #[test]
    fn too_few_runs_tell_nothing() {
        let one = vec![vec![1.0]; 5];
        assert_eq!(split_half(&one, &one, 1), None);
    }
}
