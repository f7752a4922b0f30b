//! The ways in which the workers of a search use the transposition table.
//!
//! Each worker may find the entries of all or only its own, with a lock or without.

use crate::cores::Section;

/// The number of bits of a key that choose a lock, where the table is locked.
pub(super) const LOCK_BITS: u32 = 10;

/// The way in which the workers of a search use the table.
#[derive(Default)]
pub struct TableAccess {
    private: bool,
    pub(super) locks: Box<[Section<()>]>,
}

impl TableAccess {
    /// With `private`, each worker finds only its own entries, as if it had a table to itself; all
    /// compete for room. With `locked`, no worker reads a part of the table while another writes
    /// it.
    pub fn new(private: bool, locked: bool) -> TableAccess {
        let locks = if locked { 1 << LOCK_BITS } else { 0 };
        TableAccess { private, locks: (0..locks).map(|_| Section::default()).collect() }
    }

    /// The difference between a worker's keys and those of the positions.
    pub(super) fn salt(&self, worker: usize) -> u64 {
        let own = if self.private { worker as u64 } else { 0 };
        // The high bits choose the place, the low ones tell positions apart: both have to differ.
        (own << 32 | own).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
