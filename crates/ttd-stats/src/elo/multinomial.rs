//! The most likely distribution of scores under a constraint.
//!
//! The source for the mean is Van den Bergh, "A note on maximum likelihood estimates for
//! multinomial distributions with a linear constraint"
//! (`cantate.be/Fishtest/support_MLE_multinomial.pdf`, proposition 1.1). The source for the
//! distance of the mean from a half in standard deviations is his "Comments on normalized Elo"
//! (`normalized_elo_practical.pdf`, section 4.1).

use super::counts::score_at;

/// The constraint on the distribution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    /// The mean, between 0 and 1.
    Mean(f64),
    /// The distance of the mean above a half, in standard deviations of the distribution.
    Deviations(f64),
}

/// The number of times that the second constraint is made linear anew; a few are enough to settle.
const REPETITIONS: usize = 20;

/// The distribution with the given property under which these shares, none of them zero, are
/// likeliest.
pub(super) fn most_likely<const N: usize>(shares: &[f64; N], given: Given) -> [f64; N] {
    let scores: [f64; N] = std::array::from_fn(score_at::<N>);
    match given {
        Given::Mean(mean) => with_zero_mean(shares, &scores.map(|score| score - mean)),
        Given::Deviations(t) => {
            let mut found = [1.0 / N as f64; N];
            for _ in 0..REPETITIONS {
                let mean = dot(&found, &scores);
                let deviation = dot(&found, &scores.map(|s| (s - mean).powi(2))).sqrt();
                // The constraint is `mean - 1/2 - t sd = 0`, with the deviation's slope in the
                // probabilities.
                let linear = |score: f64| {
                    let apart = (score - mean) / deviation;
                    score - 0.5 - t * deviation * (1.0 + apart * apart) / 2.0
                };
                found = with_zero_mean(shares, &scores.map(linear));
            }
            found
        }
    }
}

/// The likeliest distribution with mean zero over values of either sign. It is
/// `share / (1 + x value)`, with the x at which that mean vanishes.
fn with_zero_mean<const N: usize>(shares: &[f64; N], values: &[f64; N]) -> [f64; N] {
    let x = root(shares, values);
    std::array::from_fn(|i| shares[i] / (1.0 + x * values[i]))
}

/// The zero of `sum share value / (1 + x value)`, which falls from infinity to minus infinity
/// between its poles. The method is Newton's, kept inside the part of the range that is left.
fn root<const N: usize>(shares: &[f64; N], values: &[f64; N]) -> f64 {
    let greatest = values.iter().copied().fold(f64::MIN, f64::max);
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..100 {
        let parts: [f64; N] = std::array::from_fn(|i| values[i] / (1.0 + x * values[i]));
        let height = dot(shares, &parts);
        let fall = dot(shares, &parts.map(|part| part * part));
        if height > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x + height / fall;
        let next = if low < newton && newton < high { newton } else { f64::midpoint(low, high) };
        let moved = (next - x).abs();
        x = next;
        if moved <= 1e-13 * (1.0 + x.abs()) {
            break;
        }
    }
    x
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: [f64; 5] = [0.1, 0.3, 0.35, 0.2, 0.05];

    fn moments(shares: &[f64; 5]) -> (f64, f64) {
        let scores: [f64; 5] = std::array::from_fn(score_at::<5>);
        let mean = dot(shares, &scores);
        (mean, dot(shares, &scores.map(|s| (s - mean).powi(2))).sqrt())
    }

    fn log_likelihood(of: &[f64; 5]) -> f64 {
        dot(&SHARES, &of.map(f64::ln))
    }

    #[test]
    fn keeps_what_is_given() {
        for mean in [0.01, 0.3, 0.45, 0.5, 0.9] {
            let found = most_likely(&SHARES, Given::Mean(mean));
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{mean}");
            assert!((moments(&found).0 - mean).abs() < 1e-9, "{mean}");
        }
        for t in [-0.5, -0.1, 0.0, 0.02, 0.4] {
            let (mean, deviation) = moments(&most_likely(&SHARES, Given::Deviations(t)));
            assert!(((mean - 0.5) / deviation - t).abs() < 1e-9, "{t}");
        }
    }

    #[test]
    fn nothing_else_is_likelier() {
        let found = most_likely(&SHARES, Given::Mean(0.6));
        // These moves change neither the sum nor the mean.
        let moves =
            [[1.0, -2.0, 1.0, 0.0, 0.0], [0.0, 1.0, -1.0, -1.0, 1.0], [0.0, 0.0, 1.0, -2.0, 1.0]];
        for step in moves {
            for size in [-1e-3, 1e-3] {
                let other = std::array::from_fn(|i| found[i] + size * step[i]);
                assert!(log_likelihood(&other) < log_likelihood(&found), "{step:?} {size}");
            }
        }
        // Shares that have the given property are themselves the likeliest.
        let same = most_likely(&SHARES, Given::Mean(moments(&SHARES).0));
        assert!(same.iter().zip(SHARES).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
