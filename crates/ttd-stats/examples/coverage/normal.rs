//! Normal numbers, by Box and Muller's method.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::f64::consts::TAU;

/// Seeded numbers.
pub(crate) struct Normal(ChaCha8Rng);

impl Normal {
    /// Of experiment `number`. What is simulated beside another thing has a `stream` of its own; bootstraps with this seed have
    /// 0 (as the first experiments do, whose figures were published so) and 1.
    pub(crate) fn new(number: u64, stream: u64) -> Normal {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        rng.set_stream(stream);
        Normal(rng)
    }

    /// From (0, 1].
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 1.0) / (1u64 << 53) as f64
    }

    /// Of mean 0 and standard deviation 1.
    pub(crate) fn draw(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (TAU * self.uniform()).cos()
    }

    /// Lognormal numbers about their median.
    pub(crate) fn about(&mut self, median: f64, sigma: f64, count: usize) -> Vec<f64> {
        (0..count).map(|_| median * (sigma * self.draw()).exp()).collect()
    }
}
