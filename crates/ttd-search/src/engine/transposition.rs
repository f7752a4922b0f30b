//! The transposition table: without locks, shared by any number of workers.
//!
//! Each slot is two words: the data, and the key XOR the data. A slot torn by two writers fails its
//! check and reads as empty. Source: Hyatt and Mann, "A lockless transposition table implementation
//! for parallel search chess engines", ICGA Journal 25(1).
//!
//! A naked table has the key itself in place of the check, and nothing finds a torn slot. The spare
//! bits of its data repeat the key's lowest ones, so that torn slots that were read can be counted.
//!
//! A writer may pause, where virtual cores let others run. In a naked table that is between the
//! two words: the slot has a new key and old data. A slow reader sees nothing else, as it reads the
//! data first. So a read takes one step. With checks the pause comes before both words.
//!
//! All words are relaxed atomics, so there is no data race. No ordering is needed, since a slot
//! refers to nothing outside itself.

#![allow(unsafe_code)] // the memory of the table; each place says why it is sound

use super::choices::TableScheme;
use super::generation::{pack_move, unpack_move};
use super::score::{Bound, Score, from_table, to_table};
use cozy_chess::Move;
use memmap2::MmapMut;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::thread;

/// The result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that cut off.
    pub best: Option<Move>,
    /// The score for the side to move; a mate counts from this node.
    pub score: Score,
    /// The depth of the search that found it.
    pub depth: i32,
    /// The kind of bound that `score` is.
    pub bound: Bound,
}

const SLOTS: usize = 4;
const GENERATIONS: u8 = 64;

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    /// Whether it has `data` of the position with this key, as far as the check tells.
    #[inline(always)]
    fn is_of<const NAKED: bool>(&self, key: u64, data: u64) -> bool {
        self.check.load(Relaxed) ^ if NAKED { 0 } else { data } == key
    }

    #[inline(always)]
    fn keep<const NAKED: bool>(&self, key: u64, data: u64, pause: impl FnOnce()) {
        if NAKED {
            self.check.store(key, Relaxed);
            pause();
            self.data.store(data | key << SPARE, Relaxed);
        } else {
            pause();
            self.check.store(key ^ data, Relaxed);
            self.data.store(data, Relaxed);
        }
    }

    /// Whether it is torn, of a naked table. One in 65,536 torn slots seems whole.
    fn is_torn(&self) -> bool {
        self.data.load(Relaxed) >> SPARE != self.check.load(Relaxed) & (u64::MAX >> SPARE)
    }
}

/// The torn slots of a naked table that a look-up met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Torn {
    /// The number of torn slots in the bucket that was read, one line.
    pub slots: usize,
    /// Whether the look-up took a torn slot for a whole one.
    pub is_taken: bool,
}

/// Four slots: one cache line.
#[repr(C, align(64))]
struct Bucket([Slot; SLOTS]);

/// The table. Invariant: `memory` is `buckets * 64` bytes, page-aligned, and only ever seen as
/// `[Bucket]`.
///
/// Written by every worker. Lives as long as the lab, and is never mapped anew.
pub struct Table {
    memory: MmapMut,
    buckets: usize,
    /// The number of buckets in use: all, or only the first one, left empty, if the table is off.
    used: usize,
    generation: AtomicU8,
    scheme: TableScheme,
}

impl Table {
    /// Maps a table of `mib` MiB (at least 1). No page is touched before [`Table::clear`].
    ///
    /// # Errors
    /// The system's reason if it does not give that much memory.
    pub fn new(mib: usize) -> std::io::Result<Table> {
        let bytes = mib.max(1).checked_mul(1 << 20).ok_or(std::io::ErrorKind::OutOfMemory)?;
        let memory = MmapMut::map_anon(bytes)?;
        // Huge pages miss the TLB less. Where the system declines, the table is only slower.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let (buckets, generation) = (bytes / size_of::<Bucket>(), AtomicU8::new(0));
        let scheme = TableScheme::default();
        Ok(Table { memory, buckets, used: buckets, generation, scheme })
    }

    /// Its size, MiB.
    pub fn mib(&self) -> usize {
        self.memory.len() >> 20
    }

    /// Chooses the entries that give way by `scheme` from now on.
    pub fn set_scheme(&mut self, scheme: TableScheme) {
        self.scheme = scheme;
        self.used = if self.is_off() { 1 } else { self.buckets };
        if self.is_off() {
            self.memory[..size_of::<Bucket>()].fill(0);
        }
    }

    /// Whether the table is off: [`TableScheme::None`].
    pub fn is_off(&self) -> bool {
        self.scheme == TableScheme::None
    }

    fn lines(&self) -> &[Bucket] {
        // SAFETY: the map is page-aligned (so 64-aligned) and `buckets * 64` bytes long. Every bit
        // pattern is a valid `Bucket`. Its words are atomics: shared access is no data race.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast(), self.buckets) }
    }

    /// Empties the table: `threads` threads write every page. No search's time includes this.
    pub fn clear(&mut self, threads: usize) {
        self.generation.store(0, Relaxed);
        let share = self.memory.len().div_ceil(threads.max(1));
        let parts = Mutex::new(self.memory.chunks_mut(share).collect::<Vec<_>>());
        let next = || parts.lock().pop();
        let fill = || {
            while let Some(part) = next() {
                part.fill(0);
            }
        };
        thread::scope(|scope| {
            // If the system starts no more threads, the others do the remaining parts.
            let start = |_| thread::Builder::new().spawn_scoped(scope, fill).ok();
            let others: Vec<_> = (1..threads).map_while(start).collect();
            fill();
            // One join each: ThreadSanitizer does not see the end of a scope.
            for other in others {
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
    }

    /// Starts a new search: every entry in the table becomes older by one.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// The number of the cache line that has a position. With eight ways its neighbour does too.
    pub fn line(&self, key: u64) -> usize {
        ((u128::from(key) * self.used as u128) >> 64) as usize
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.lines()[self.line(key)]
    }

    /// The other one of the pair of buckets that has the places of a position, if it has eight.
    #[cold]
    fn other_bucket(&self, key: u64) -> &Bucket {
        // A table has an even number of buckets: whole MiB.
        &self.lines()[self.line(key) ^ 1]
    }

    /// Asks for the cache line of a position that will soon be looked up.
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Bucket = self.bucket(key);
            // SAFETY: a hint that reads nothing and cannot fault.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of the position with this key, `ply` plies from the root.
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.find::<false>(key).map(|data| unpack(data, ply))
    }

    /// Does the work of [`Table::probe`] in a naked table, without any check. A torn slot is
    /// returned like a whole one.
    #[cold]
    pub fn probe_naked(&self, key: u64, ply: usize) -> (Option<Entry>, Torn) {
        let found = self.find::<true>(key);
        let is_taken = found.is_some_and(|data| data >> SPARE != key & (u64::MAX >> SPARE));
        let slots = self.bucket(key).0.iter().filter(|slot| slot.is_torn()).count();
        (found.map(|data| unpack(data, ply)), Torn { slots, is_taken })
    }

    #[inline(always)]
    fn find<const NAKED: bool>(&self, key: u64) -> Option<u64> {
        let of_key = |slot: &Slot| {
            let data = slot.data.load(Relaxed);
            (slot.is_of::<NAKED>(key, data) && data != 0).then_some(data)
        };
        let found = self.bucket(key).0.iter().find_map(of_key);
        if found.is_none() && self.scheme == TableScheme::AgedEightWays {
            return self.other_bucket(key).0.iter().find_map(of_key);
        }
        found
    }

    /// Keeps an entry. It replaces one of the same position, or the one that the scheme gives up.
    ///
    /// Returns whether an entry of this position from a search as deep was there, since
    /// [`Table::age`].
    #[inline(always)]
    pub fn store(&self, key: u64, ply: usize, entry: Entry) -> bool {
        self.store_after(key, ply, entry, || ())
    }

    /// Does the work of [`Table::store`], and calls `pause` before it writes.
    #[inline(always)]
    pub fn store_after(&self, key: u64, ply: usize, entry: Entry, pause: impl FnOnce()) -> bool {
        if self.scheme != TableScheme::Aged {
            return self.store_otherwise::<false>((key, ply), entry, pause);
        }
        self.store_among::<false>((&self.bucket(key).0, &[]), (key, ply), entry, pause)
    }

    /// Does the work of [`Table::store`] in a naked table. Between the two words it calls `pause`.
    #[cold]
    pub fn store_naked(&self, key: u64, ply: usize, entry: Entry, pause: impl FnOnce()) -> bool {
        if self.scheme != TableScheme::Aged {
            return self.store_otherwise::<true>((key, ply), entry, pause);
        }
        self.store_among::<true>((&self.bucket(key).0, &[]), (key, ply), entry, pause)
    }

    /// Keeps an entry in one of these slots: that of the same position, an empty one, or the
    /// shallowest and oldest.
    #[inline(always)]
    fn store_among<const NAKED: bool>(
        &self,
        (slots, more): (&[Slot], &[Slot]),
        (key, ply): (u64, usize),
        mut entry: Entry,
        pause: impl FnOnce(),
    ) -> bool {
        let generation = self.generation.load(Relaxed);
        let mut worst = (i32::MAX, &slots[0]);
        let mut known = false;
        for slot in slots.iter().chain(more) {
            let data = slot.data.load(Relaxed);
            if data == 0 {
                worst = (i32::MIN, slot);
                break;
            }
            let age = i32::from((GENERATIONS + generation - packed_generation(data)) % GENERATIONS);
            if slot.is_of::<NAKED>(key, data) {
                let old = unpack(data, ply);
                known = age == 0 && old.depth >= entry.depth;
                let keeps = entry.bound != Bound::Exact && age == 0 && entry.depth + 3 < old.depth;
                if keeps {
                    return known;
                }
                entry.best = entry.best.or(old.best);
                worst = (i32::MIN, slot);
                break;
            }
            let worth = packed_depth(data) - 8 * age;
            if worth < worst.0 {
                worst = (worth, slot);
            }
        }
        worst.1.keep::<NAKED>(key, pack(&entry, generation, ply), pause);
        known
    }

    /// Does the work of [`Table::store`] where a position may not be in all slots of its bucket.
    #[cold]
    fn store_otherwise<const NAKED: bool>(
        &self,
        (key, ply): (u64, usize),
        entry: Entry,
        pause: impl FnOnce(),
    ) -> bool {
        // The bucket comes from the high bits of the key.
        let (slots, place) = (&self.bucket(key).0, key as usize % SLOTS);
        let places: (&[Slot], &[Slot]) = match self.scheme {
            TableScheme::None => return false,
            TableScheme::Always | TableScheme::DepthPreferred => {
                return self.store_in::<NAKED>(&slots[place], (key, ply), entry, pause);
            }
            TableScheme::AgedOneWay => (&slots[place..=place], &[]),
            TableScheme::AgedTwoWays => (&slots[place & 2..][..2], &[]),
            TableScheme::Aged => (slots, &[]),
            TableScheme::AgedEightWays => (slots, &self.other_bucket(key).0),
        };
        self.store_among::<NAKED>(places, (key, ply), entry, pause)
    }

    /// Keeps an entry in the only slot of its position.
    fn store_in<const NAKED: bool>(
        &self,
        slot: &Slot,
        (key, ply): (u64, usize),
        mut entry: Entry,
        pause: impl FnOnce(),
    ) -> bool {
        let generation = self.generation.load(Relaxed);
        let data = slot.data.load(Relaxed);
        let old = (data != 0).then(|| unpack(data, ply));
        let is_same = slot.is_of::<NAKED>(key, data);
        let of_same = old.filter(|_| is_same);
        let known = packed_generation(data) == generation
            && of_same.is_some_and(|old| old.depth >= entry.depth);
        let deeper_stays = self.scheme == TableScheme::DepthPreferred;
        if deeper_stays && old.is_some_and(|old| old.depth > entry.depth) {
            return known;
        }
        entry.best = entry.best.or(of_same.and_then(|old| old.best));
        slot.keep::<NAKED>(key, pack(&entry, generation, ply), pause);
        known
    }

    /// The share of slots that this search has written, 0 to 1, estimated from the first 4,096
    /// buckets.
    pub fn fill(&self) -> f64 {
        let sample = &self.lines()[..self.buckets.min(4096)];
        let generation = self.generation.load(Relaxed);
        let used = sample
            .iter()
            .flat_map(|bucket| &bucket.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && packed_generation(data) == generation)
            .count();
        used as f64 / (sample.len() * SLOTS) as f64
    }
}

// From the lowest bit: move 16, score 16, depth 8, bound 2, generation 6. The rest is 0, or the
// lowest bits of the key in a naked table. No entry packs to 0, since `bound` is never 0.

/// The first of the spare bits.
const SPARE: u32 = 48;

fn pack(entry: &Entry, generation: u8, ply: usize) -> u64 {
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    u64::from(pack_move(entry.best))
        | u64::from(to_table(entry.score, ply) as i16 as u16) << 16
        | u64::from(entry.depth.clamp(0, 255) as u8) << 32
        | bound << 40
        | u64::from(generation) << 42
}

fn unpack(data: u64, ply: usize) -> Entry {
    Entry {
        best: unpack_move(data as u16),
        score: from_table(Score::from((data >> 16) as i16), ply),
        depth: packed_depth(data),
        bound: match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

const fn packed_depth(data: u64) -> i32 {
    (data >> 32 & 0xff) as i32
}

const fn packed_generation(data: u64) -> u8 {
    (data >> 42) as u8 & (GENERATIONS - 1)
}

#[cfg(test)]
mod tests;
