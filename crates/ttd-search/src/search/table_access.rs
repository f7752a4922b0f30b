//! The ways in which the workers of a search use the transposition table.
//!
//! Each worker may find the entries of all or only its own, with a lock or without.

use crate::cores::Section;
use crate::engine::random;
use serde::{Deserialize, Serialize};

/// The protection of the table's entries from workers that write at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableLock {
    /// The table has no locks: a torn entry is not found (Hyatt and Mann's exclusive or).
    Lockless,
    /// Each part of the table has a lock.
    Locked,
    /// Nothing: a torn entry is taken for a whole one (the naked race of Leiserson's lecture).
    Naked,
}

/// The number of bits of a key that choose a lock, where the table is not lockless.
pub(super) const LOCK_BITS: u32 = 10;

/// The way in which the workers of a search use the table. By default they share it, without locks.
///
/// `guards` is empty where entries are checked. Otherwise each part of the table has a lock, or
/// none where it is naked.
pub struct TableAccess {
    /// The number of workers that find each other's entries.
    together: usize,
    /// The number of bits of a key's place that say which part of the table a rank has. With 0 all
    /// compete for the whole.
    pub(super) rank_bits: u32,
    /// The factor of keys; odd, so that different keys stay different.
    pub(super) factor: u64,
    pub(super) guards: Box<[Option<Section<()>>]>,
}

impl TableAccess {
    /// With `private`, each worker finds only its own entries, as if it had a table to itself; all
    /// compete for room.
    pub fn new(private: bool, lock: TableLock) -> TableAccess {
        let guards = if lock == TableLock::Lockless { 0 } else { 1 << LOCK_BITS };
        let guard = |_| (lock == TableLock::Locked).then(Section::default);
        let (together, guards) = (if private { 1 } else { usize::MAX }, 0..guards);
        TableAccess { together, rank_bits: 0, factor: 1, guards: guards.map(guard).collect() }
    }

    /// The memory of the locks, bytes.
    pub const fn bytes(lock: TableLock) -> usize {
        let guards = if matches!(lock, TableLock::Lockless) { 0 } else { 1 << LOCK_BITS };
        guards * size_of::<Option<Section<()>>>()
    }

    /// The access with other places for all positions, by this seed. 0 leaves them as they are.
    #[must_use]
    pub fn with_keys(self, seed: u64) -> TableAccess {
        let factor = if seed == 0 { 1 } else { random(seed) | 1 };
        TableAccess { factor, ..self }
    }

    /// The access of workers in ranks of `together` each, which find only their own rank's entries.
    /// Each rank has one of 2 to the power of `rank_bits` equal parts of the table to itself. With
    /// 0 they compete for room.
    #[must_use]
    pub fn divided(self, together: usize, rank_bits: u32) -> TableAccess {
        TableAccess { together: self.together.min(together), rank_bits, ..self }
    }

    /// The difference between a worker's keys and those of the positions.
    pub(super) fn salt(&self, worker: usize) -> u64 {
        let own = (worker / self.together) as u64;
        if self.rank_bits > 0 {
            // The key of a position gives the bits below, and loses its lowest ones.
            return own << (u64::BITS - self.rank_bits);
        }
        // The high bits choose the place, the low ones tell positions apart: both have to differ.
        (own << 32 | own).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl Default for TableAccess {
    fn default() -> TableAccess {
        TableAccess::new(false, TableLock::Lockless)
    }
}
