//! The quality of forecasts of results, and the numbers with the best forecasts.

use super::examples::Example;
use super::linear::Linear;
use ttd_search::engine::{Weights, exact_value};
use ttd_stats::minimise;

/// Newton's method stops after `STEPS` steps, or if a step lowers the loss by less than this part.
const STEPS: usize = 30;
const LEAST_GAIN: f64 = 1e-7;

/// Conjugate gradients stop after this many directions, or when this part of the residual is left.
const DIRECTIONS: usize = 300;
const RESIDUAL: f64 = 1e-3;

/// The distance of forecasts from results, as a mean over positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// The logistic loss: the negative logarithm of the likelihood.
    pub logistic: f64,
    /// The squared difference, with which Texel's method was first described.
    pub squared: f64,
}

/// The forecast for White, 0 to 1; `scaled` is the value times the scale of the curve.
fn forecast(scaled: f64) -> f64 {
    1.0 / (1.0 + (-scaled).exp())
}

/// The negative logarithm of the likelihood of a result, in a form that never overflows.
fn logistic(scaled: f64, result: f64) -> f64 {
    scaled.max(0.0) + (-scaled.abs()).exp().ln_1p() - result * scaled
}

/// The losses of a table. `scale` is that of the curve, for each centipawn. `examples` must not be
/// empty.
pub fn losses(examples: &[Example], weights: &Weights, scale: f64) -> Losses {
    let (mut sum, mut squares) = (0.0, 0.0);
    for example in examples {
        let scaled = scale * exact_value(&example.position, weights);
        sum += logistic(scaled, example.result);
        squares += (forecast(scaled) - example.result).powi(2);
    }
    let count = examples.len() as f64;
    Losses { logistic: sum / count, squared: squares / count }
}

/// The scale of the curve, for each centipawn, under which the results are likeliest.
pub(super) fn likeliest_scale(examples: &[Example], weights: &Weights) -> f64 {
    let values: Vec<f64> = examples.iter().map(|e| exact_value(&e.position, weights)).collect();
    let loss = |scale: f64| {
        let pairs = values.iter().zip(examples);
        pairs.map(|(value, example)| logistic(scale * value, example.result)).sum::<f64>()
    };
    minimise(1e-4, 2e-2, loss)
}

/// The problem whose solution is the likeliest numbers.
pub(super) struct Search<'a> {
    /// The values of the positions.
    pub(super) linear: &'a Linear,
    /// Their results.
    pub(super) examples: &'a [Example],
    /// The scale of the curve, for each centipawn.
    pub(super) scale: f64,
    /// The weight of a position: below 1, because all positions of one game have one result.
    pub(super) weight: f64,
    /// The numbers that are expected before any game is looked at.
    pub(super) expected: &'a [f64],
    /// The standard deviation of each number from the expected one.
    pub(super) spread: &'a [f64],
    /// The number of threads.
    pub(super) threads: usize,
}

impl Search<'_> {
    /// The likeliest numbers. They minimise the logistic loss, plus the squared distances from the
    /// expected numbers, in standard deviations. Both terms are convex, so there is one minimum
    /// only.
    ///
    /// The method is Newton's. Each step is solved by conjugate gradients, and halved until it
    /// gains. (Nocedal and Wright, "Numerical Optimization", chapter 7.)
    pub(super) fn likeliest(&self) -> Vec<f64> {
        let mut numbers = self.expected.to_vec();
        let mut loss = self.loss(&numbers);
        for _ in 0..STEPS {
            let step = self.step(&numbers);
            let mut length = 1.0;
            let (next, gain) = loop {
                let next: Vec<f64> = numbers
                    .iter()
                    .zip(&step)
                    .map(|(number, step)| number + length * step)
                    .collect();
                let gain = loss - self.loss(&next);
                if gain > 0.0 || length < 1e-3 {
                    break (next, gain);
                }
                length /= 2.0;
            };
            if gain <= 0.0 {
                break;
            }
            (numbers, loss) = (next, loss - gain);
            if gain < LEAST_GAIN * loss {
                break;
            }
        }
        numbers
    }

    fn loss(&self, numbers: &[f64]) -> f64 {
        let scaled = |i| self.scale * self.linear.value(i, numbers);
        let of_results: f64 = self
            .examples
            .iter()
            .enumerate()
            .map(|(i, example)| logistic(scaled(i), example.result))
            .sum();
        let distance = |((number, expected), spread): ((&f64, &f64), &f64)| {
            ((number - expected) / spread).powi(2)
        };
        let distances: f64 = numbers.iter().zip(self.expected).zip(self.spread).map(distance).sum();
        self.weight * of_results + distances / 2.0
    }

    /// The Newton step from these numbers.
    fn step(&self, numbers: &[f64]) -> Vec<f64> {
        let (linear, threads) = (self.linear, self.threads);
        let forecasts: Vec<f64> =
            (0..linear.len()).map(|i| forecast(self.scale * linear.value(i, numbers))).collect();
        let mut downhill = linear.sums(threads, |i, sum| {
            let error = self.examples[i].result - forecasts[i];
            linear.add_slopes(i, self.weight * self.scale * error, sum);
        });
        for (i, downhill) in downhill.iter_mut().enumerate() {
            *downhill -= (numbers[i] - self.expected[i]) / self.spread[i].powi(2);
        }
        let bends: Vec<f64> =
            forecasts.iter().map(|p| self.weight * self.scale.powi(2) * p * (1.0 - p)).collect();
        let of_prior = |i: usize| self.spread[i].powi(-2);
        let mut diagonal = linear.sums(threads, |i, sum| linear.add_squares(i, bends[i], sum));
        diagonal.iter_mut().enumerate().for_each(|(i, sum)| *sum += of_prior(i));
        conjugate_gradients(&downhill, &diagonal, |direction| {
            let mut product = linear.sums(threads, |i, sum| {
                linear.add_slopes(i, bends[i] * linear.change(i, direction), sum);
            });
            product.iter_mut().enumerate().for_each(|(i, sum)| *sum += of_prior(i) * direction[i]);
            product
        })
    }
}

/// Solves `matrix(x) = right` for a symmetric positive definite matrix. Its `diagonal` serves as
/// the preconditioner.
fn conjugate_gradients(
    right: &[f64],
    diagonal: &[f64],
    matrix: impl Fn(&[f64]) -> Vec<f64>,
) -> Vec<f64> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let conditioned =
        |residual: &[f64]| residual.iter().zip(diagonal).map(|(r, d)| r / d).collect::<Vec<f64>>();
    let mut solution = vec![0.0; right.len()];
    let mut residual = right.to_vec();
    let mut direction = conditioned(&residual);
    let first = dot(&residual, &direction);
    let mut size = first;
    for _ in 0..DIRECTIONS {
        if size <= RESIDUAL.powi(2) * first {
            break;
        }
        let product = matrix(&direction);
        let length = size / dot(&direction, &product);
        for i in 0..right.len() {
            solution[i] += length * direction[i];
            residual[i] -= length * product[i];
        }
        let next = conditioned(&residual);
        let next_size = dot(&residual, &next);
        for (direction, next) in direction.iter_mut().zip(next) {
            *direction = next + next_size / size * *direction;
        }
        size = next_size;
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::super::test_boards::from_sets;
    use super::*;
    use ttd_search::engine::Position;

    /// Positions with the results that a table with other numbers forecasts.
    fn examples(weights: &Weights, scale: f64) -> Vec<Example> {
        let boards = from_sets().into_iter().step_by(4);
        let example = |board| {
            let position = Position::new(board);
            let result = forecast(scale * exact_value(&position, weights));
            Example { position, result }
        };
        boards.map(example).collect()
    }

    #[test]
    fn conjugate_gradients_solve_a_system() {
        let matrix = |x: &[f64]| vec![4.0 * x[0] + x[1], x[0] + 3.0 * x[1]];
        let x = conjugate_gradients(&[1.0, 2.0], &[4.0, 3.0], matrix);
        assert!((x[0] - 1.0 / 11.0).abs() < 1e-9 && (x[1] - 7.0 / 11.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn the_scale_is_found_again() {
        let examples = examples(&Weights::own(), 0.0045);
        assert!((likeliest_scale(&examples, &Weights::own()) - 0.0045).abs() < 1e-6);
    }

    #[test]
    fn losses_are_those_of_the_forecasts() {
        let mut examples = examples(&Weights::own(), 0.005);
        let exact = losses(&examples, &Weights::own(), 0.005);
        assert!(exact.squared < 1e-12 && exact.logistic > 0.1);
        for example in &mut examples {
            example.result = 1.0;
        }
        // A blind forecast is 0.5: its losses are ln 2 and a quarter.
        let blind = losses(&examples, &Weights::own(), 0.0);
        assert!((blind.logistic - 2f64.ln()).abs() < 1e-12 && (blind.squared - 0.25).abs() < 1e-12);
    }

    #[test]
    fn the_numbers_behind_the_results_are_found_again() {
        let own = Weights::own().numbers();
        let mut other = own.clone();
        // The weights of a knight, and of a bishop in the endgame.
        other[2] += 30;
        other[5] -= 20;
        let truth = Weights::of_numbers(&other);
        let scale = 0.005;
        let examples = examples(&truth, scale);
        let linear = Linear::near(&Weights::own(), &examples, 1);
        let expected: Vec<f64> = own.iter().copied().map(f64::from).collect();
        let mut spread = vec![0.01; own.len()];
        spread[..10].fill(1000.0);
        let search = Search {
            linear: &linear,
            examples: &examples,
            scale,
            // Each position counts as if played a thousand times, so that expectations count for
            // nothing.
            weight: 1000.0,
            expected: &expected,
            spread: &spread,
            threads: 1,
        };
        let found = search.likeliest();
        for (i, (found, other)) in found.iter().zip(&other).enumerate() {
            assert!((found - f64::from(*other)).abs() < 1.0, "{i}: {found}, not {other}");
        }
        // With a narrow spread no number moves far.
        let spread = vec![0.01; own.len()];
        let held = Search { spread: &spread, ..search }.likeliest();
        assert!(held.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1.0));
    }
}
