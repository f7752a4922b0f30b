//! Seeded draws: equal seeds and streams give equal numbers on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Unbiased draws from a `ChaCha8` stream.
pub(super) struct Draw(ChaCha8Rng);

impl Draw {
    pub(super) fn new(seed: u64, stream: u64) -> Draw {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Draw(rng)
    }

    /// A number from 0 to `n - 1`, each equally likely (Lemire 2019, "Fast random integer
    /// generation in an interval"). `n` is from 1 to 2^32 - 1.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let n = n as u32;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(n);
            // Only numbers below n may be rejected: only for these the division is needed.
            if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
                return (product >> 32) as usize;
            }
        }
    }
}
