//! How the workers of a search come at the transposition table: each may see the entries of all or only its own, with a
//! lock or without.

use crate::cores::Section;

/// Where the table is locked, so many bits of a key choose one of its locks.
pub(super) const LOCK_BITS: u32 = 10;

/// How the workers of a search come at the table.
#[derive(Default)]
pub struct TableAccess {
    private: bool,
    pub(super) locks: Box<[Section<()>]>,
}

impl TableAccess {
    /// With `private`, each worker finds only what it has stored itself, as if it had a table of its own; all
    /// compete for the room. With `locked`, nobody reads a part of the table while another writes it.
    pub fn new(private: bool, locked: bool) -> TableAccess {
        let locks = if locked { 1 << LOCK_BITS } else { 0 };
        TableAccess { private, locks: (0..locks).map(|_| Section::default()).collect() }
    }

    /// What makes a worker's keys its own.
    pub(super) fn salt(&self, worker: usize) -> u64 {
        let own = if self.private { worker as u64 } else { 0 };
        // The high bits choose the place, the low ones tell positions apart: all have to differ.
        (own << 32 | own).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
