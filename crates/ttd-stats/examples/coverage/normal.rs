//! Normal numbers, by Box and Muller's method.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::f64::consts::TAU;

/// A seeded generator of normal numbers.
pub(crate) struct Normal(ChaCha8Rng);

impl Normal {
    /// The generator of experiment `number`. Each further simulation has a `stream` of its own.
    /// Bootstraps with this seed have streams 0 and 1. The first experiments have 0 too, because
    /// their figures were published so.
    pub(crate) fn new(number: u64, stream: u64) -> Normal {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        rng.set_stream(stream);
        Normal(rng)
    }

    /// A uniform number from (0, 1].
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64
    }

    /// A normal number of mean 0 and standard deviation 1.
    pub(crate) fn draw(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// Lognormal numbers about their median.
    pub(crate) fn about(&mut self, median: f64, sigma: f64, count: usize) -> Vec<f64> {
        (0..count).map(|_| median * (sigma * self.draw()).exp()).collect()
    }
}
