//! The agreement of runs: on a move, or on a score.

use super::bootstrap;
use super::bounds::Bounds;
use super::summary;

/// A share over positions, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The number of positions.
    pub positions: usize,
    /// The mean over positions of the share of pairs that agree, 0 to 1.
    pub share: f64,
    /// The interval of the share at 95%, by drawing positions anew; none with a single position.
    pub ci_positions: Option<Bounds>,
}

impl Agreement {
    /// The agreement from the shares of the positions; none without any.
    pub fn of(shares: &[f64], seed: u64) -> Option<Agreement> {
        let exact: Vec<Bounds> = shares.iter().copied().map(Bounds::exact).collect();
        Some(Agreement {
            positions: shares.len(),
            share: summary::mean(shares)?,
            ci_positions: bootstrap::mean_over_positions(&exact, seed),
        })
    }
}

/// The share of equal pairs, one from `these` and one from `those`; none without a pair.
pub fn between<T: PartialEq>(these: &[T], those: &[T]) -> Option<f64> {
    let equal = |this: &T| those.iter().filter(|that| *that == this).count();
    let pairs = these.len() * those.len();
    (pairs > 0).then(|| these.iter().map(equal).sum::<usize>() as f64 / pairs as f64)
}

/// The share of equal pairs of two different elements; none with fewer than two elements.
pub fn within<T: PartialEq>(these: &[T]) -> Option<f64> {
    let equal =
        |(place, this): (usize, &T)| these[place + 1..].iter().filter(|that| *that == this).count();
    let pairs = these.len() * these.len().saturating_sub(1) / 2;
    (pairs > 0).then(|| these.iter().enumerate().map(equal).sum::<usize>() as f64 / pairs as f64)
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted() {
        assert_eq!(between(&["e2e4", "d2d4", "e2e4"], &["e2e4", "c2c4"]), Some(2.0 / 6.0));
        assert_eq!(between::<i32>(&[], &[1]), None);
        assert_eq!(within(&[1, 1, 2]), Some(1.0 / 3.0));
        assert_eq!((within(&[7, 7]), within(&[7]), within::<i32>(&[])), (Some(1.0), None, None));
    }

    /// The figures are those of `scripts/statistics-reference.py`.
    #[test]
    fn shares_agree_with_numpy() {
        let these: Vec<u32> = (0..12).map(|i| i * i % 5).collect();
        let those: Vec<u32> = (0..12).map(|i| 3 * i % 4).collect();
        let near = |share: Option<f64>, expected: f64| {
            assert!(share.is_some_and(|share| (share / expected - 1.0).abs() < 1e-9), "{share:?}");
        };
        near(between(&these, &those), 0.166_666_666_666_667);
        near(within(&these), 0.287_878_787_878_788);
    }

    #[test]
    fn an_interval_needs_two_positions() {
        let one = Agreement::of(&[0.5], 1).expect("a position");
        assert_eq!((one.share, one.ci_positions), (0.5, None));
        let several = Agreement::of(&[1.0, 1.0, 0.0, 1.0], 1).expect("positions");
        let ci = several.ci_positions.expect("four positions");
        assert_eq!((several.share, several.positions), (0.75, 4));
        assert!(ci.lower < 0.75 && ci.upper > 0.75 && ci.upper <= 1.0, "{ci:?}");
        assert_eq!(Agreement::of(&[], 1), None);
    }
}
