//! The likelihood region of a multinomial: the distributions of scores that the counts do not
//! refute at 95%.
//!
//! A distribution p loses the log-likelihood `sum count ln(share / p)` against the shares that were
//! seen. Distributions of the region lose at most half the 95% quantile of chi-squared with one
//! degree of freedom (Wilks 1938). A profile-likelihood interval has all values of a figure over
//! the region (Owen 1988, "Empirical likelihood ratio confidence intervals for a single
//! functional").
//!
//! Scores that never came up are possible too. So the region is exact where all units had one
//! score, and nothing is added to the counts.

use super::counts::Counts;
use super::{Z, counts::score_at};
use crate::minimise;

/// The log-likelihood that a distribution in the region may lose: 1.92.
const LIMIT: f64 = Z * Z / 2.0;

/// The region of some counts; there is at least one unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region<const N: usize> {
    counts: [f64; N],
    units: f64,
}

impl<const N: usize> Region<N> {
    pub(super) fn of(counts: &Counts<N>) -> Region<N> {
        Region { counts: counts.0.map(|count| count as f64), units: counts.units() as f64 }
    }

    /// The distribution in the region with the greatest mean of these values, one for each score.
    ///
    /// On the way there from the shares the distributions are `count / (y + gap)`, but for their
    /// sum. The gap is the distance of a value from the greatest one. The number y falls from
    /// infinity. At y = 0 a greatest value that was never seen begins to have a share.
    pub(super) fn farthest(&self, values: &[f64; N]) -> [f64; N] {
        let top = (0..N).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or_default();
        let gaps = values.map(|value| values[top] - value);
        let seen = |at_top: bool| (0..N).any(|i| self.counts[i] > 0.0 && (gaps[i] > 0.0) != at_top);
        if !seen(false) {
            return self.shares_at(1.0, &gaps);
        }
        if !seen(true) {
            let (lost, _) = self.lost_at(0.0, &gaps);
            if lost <= LIMIT {
                let kept = ((lost - LIMIT) / self.units).exp();
                let mut found = self.shares_at(0.0, &gaps).map(|share| kept * share);
                found[top] += 1.0 - kept;
                return found;
            }
        }
        self.shares_at(self.root(&gaps), &gaps)
    }

    /// The y at which the distribution loses the limit, by Newton's method on logarithms, kept
    /// inside the range that is left.
    fn root(&self, gaps: &[f64; N]) -> f64 {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut y = self.units.sqrt() * gaps.iter().copied().fold(0.0, f64::max);
        for _ in 0..200 {
            let (lost, slope) = self.lost_at(y, gaps);
            if lost > LIMIT {
                low = y;
            } else {
                high = y;
            }
            let newton = y * ((lost / LIMIT).ln() * lost / (-slope * y)).exp();
            let next = if low < newton && newton < high {
                newton
            } else if high.is_infinite() {
                2.0 * y
            } else {
                f64::midpoint(low, high)
            };
            let moved = (next - y).abs();
            y = next;
            if moved <= 1e-13 * y {
                break;
            }
        }
        y
    }

    /// The distribution at y.
    fn shares_at(&self, y: f64, gaps: &[f64; N]) -> [f64; N] {
        let weights = self.weights(y, gaps);
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// The log-likelihood that the distribution at y loses, and its slope in y.
    fn lost_at(&self, y: f64, gaps: &[f64; N]) -> (f64, f64) {
        let weights = self.weights(y, gaps);
        let sum: f64 = weights.iter().sum();
        let seen = || (0..N).filter(|i| self.counts[*i] > 0.0);
        let lost = |i: usize| self.counts[i] * ((y + gaps[i]) * sum / self.units).ln();
        let squares: f64 = seen().map(|i| weights[i] / (y + gaps[i])).sum();
        (seen().map(lost).sum(), sum - self.units * squares / sum)
    }

    fn weights(&self, y: f64, gaps: &[f64; N]) -> [f64; N] {
        std::array::from_fn(
            |i| {
                if self.counts[i] > 0.0 { self.counts[i] / (y + gaps[i]) } else { 0.0 }
            },
        )
    }

    /// The least log-likelihood that a distribution loses whose mean score is a half.
    ///
    /// It is the maximum of `sum count ln(1 + x (score - 1/2))` over the x at which no score has a
    /// negative share (Owen 1988).
    pub(super) fn lost_at_half(&self) -> f64 {
        let gained = |x: f64| -> f64 {
            let each = |i: usize| self.counts[i] * (x * (score_at::<N>(i) - 0.5)).ln_1p();
            (0..N).filter(|i| self.counts[*i] > 0.0).map(each).sum()
        };
        gained(minimise(-2.0, 2.0, |x| -gained(x)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(of: &[f64; 5]) -> f64 {
        (0..5).map(|i| of[i] * score_at::<5>(i)).sum()
    }

    fn lost(counts: &[u64; 5], of: &[f64; 5]) -> f64 {
        let units = counts.iter().sum::<u64>() as f64;
        let each = |i: usize| counts[i] as f64 * (counts[i] as f64 / units / of[i]).ln();
        (0..5).filter(|i| counts[*i] > 0).map(each).sum()
    }

    const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    #[test]
    fn the_farthest_loses_the_limit() {
        for counts in [[1, 2, 3, 4, 5], [0, 0, 0, 0, 9], [0, 0, 7, 0, 0], [0, 40, 90, 1, 0]] {
            for values in [SCORES, SCORES.map(|s| -s), [0.1, 0.5, 0.2, 0.5, 0.3]] {
                let found = Region::of(&Counts(counts)).farthest(&values);
                assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
                assert!(found.iter().all(|p| *p >= 0.0), "{found:?}");
                let all_at_top = counts == [0, 0, 0, 0, 9] && values == SCORES;
                let expected = if all_at_top { 0.0 } else { LIMIT };
                assert!((lost(&counts, &found) - expected).abs() < 1e-9, "{counts:?} {found:?}");
            }
        }
    }

    /// By hand: with one score seen its share is exp(-1.92 / units), and the rest is at the end.
    #[test]
    fn one_score_is_exact() {
        let kept = (-LIMIT / 15.0).exp();
        let won = Region::of(&Counts([0, 0, 0, 0, 15]));
        assert!((mean(&won.farthest(&SCORES.map(|s| -s))) - kept).abs() < 1e-12);
        assert!((won.lost_at_half() - 15.0 * 2f64.ln()).abs() < 1e-9);
        let drawn = Region::of(&Counts([0, 0, 15, 0, 0]));
        assert!((mean(&drawn.farthest(&SCORES)) - (1.0 - kept / 2.0)).abs() < 1e-12);
        assert!(drawn.lost_at_half().abs() < 1e-9);
    }

    #[test]
    fn nothing_in_the_region_is_farther() {
        let counts = [1, 2, 3, 4, 0];
        let found = Region::of(&Counts(counts)).farthest(&SCORES);
        // These moves change the mean by their size, and not the sum.
        for step in [[-1.0, 0.0, 0.0, 0.0, 1.0], [-2.0, 2.0, 0.0, -2.0, 2.0]] {
            for size in [-1e-4, 1e-4] {
                let other: [f64; 5] = std::array::from_fn(|i| found[i] + size * step[i]);
                let farther = mean(&other) > mean(&found);
                assert!(!farther || lost(&counts, &other) > LIMIT, "{step:?} {size}");
            }
        }
    }
}
