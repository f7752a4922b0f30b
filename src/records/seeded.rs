//! Orders and hashes that never change: plans and fingerprints are made with them.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Fisher and Yates's shuffle, driven by `ChaCha20` with the key (seed, round, 0...).
pub fn shuffle<T>(list: &mut [T], seed: u64, round: u32) {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..12].copy_from_slice(&round.to_le_bytes());
    let mut rng = ChaCha20Rng::from_seed(key);
    for last in (1..list.len()).rev() {
        list.swap(last, below(&mut rng, last as u64 + 1) as usize);
    }
}

/// A random number below `bound`, all equally likely. Draws above the largest multiple of `bound`
/// are thrown away.
fn below(rng: &mut ChaCha20Rng, bound: u64) -> u64 {
    let fair = u64::MAX - u64::MAX % bound;
    loop {
        let draw = rng.next_u64();
        if draw < fair {
            return draw % bound;
        }
    }
}

/// The FNV-1a hash (64 bits) of a text, with the last step of `SplitMix64`, so that similar texts
/// have unlike hashes.
pub fn hash(text: &str) -> u64 {
    let hash = fnv_1a(FNV_1A, text.as_bytes());
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// The hash that [`fnv_1a`] begins with.
pub(super) const FNV_1A: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a hash of Fowler, Noll and Vo: 64 bits, the form with the exclusive or first.
pub(super) fn fnv_1a(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(hash, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_never_changes() {
        // A resumed run relies on a plan that is equal to the one made earlier.
        let mut list: Vec<u32> = (0..8).collect();
        shuffle(&mut list, 1, 1);
        assert_eq!(list, [3, 1, 0, 2, 4, 5, 6, 7]);
    }

    #[test]
    fn the_shuffle_is_fair() {
        // The first of four goes to each place about a quarter of the time.
        let mut places = [0; 4];
        for round in 0..4000 {
            let mut list = [0, 1, 2, 3];
            shuffle(&mut list, 7, round);
            places[list.iter().position(|&x| x == 0).expect("a permutation")] += 1;
        }
        assert!(places.iter().all(|n| (900..1100).contains(n)), "{places:?}");
    }
}
