//! The use of the transposition table by a worker: look-ups and new entries.

use super::table_access::{LOCK_BITS, TableAccess};
use super::visit::{Node, ends, is_far_from_a_draw};
use super::worker::Worker;
use crate::cores::{Area, Core, Line, Section};
use crate::engine::{Entry, Position, Score};

/// A node that is searched with a null window, and that the table may decide meanwhile.
#[derive(Clone, Copy)]
pub struct Sought {
    key: u64,
    ply: usize,
    depth: i32,
    window: (Score, Score),
}

impl Sought {
    fn is_ended_by(&self, entry: &Entry) -> bool {
        entry.depth >= self.depth && ends(entry, self.window.0, self.window.1)
    }
}

impl<C: Core, P> Worker<'_, C, P> {
    /// A node whose moves are searched from `alpha` on, if the table may end it and does not yet.
    pub fn sought(&self, position: &Position, node: &Node, alpha: Score) -> Option<Sought> {
        let Node { ply, depth, beta, principal, .. } = *node;
        let sought = Sought { key: position.key(), ply, depth, window: (alpha, beta) };
        let may_end =
            self.shared.techniques.table_cutoffs && !principal && is_far_from_a_draw(position);
        let known = node.entry.as_ref().is_some_and(|entry| sought.is_ended_by(entry));
        (may_end && !known).then_some(sought)
    }

    /// The score of a node that is being searched, if the table has it by now.
    pub fn found_meanwhile(&mut self, sought: &Sought) -> Option<Score> {
        let entry = self.read_table(sought.key, sought.ply);
        let ends = entry.as_ref().is_some_and(|entry| sought.is_ended_by(entry));
        let look_ups = self.look_ups.at(sought.depth);
        look_ups.probes += 1;
        look_ups.hits += u64::from(entry.is_some());
        look_ups.cutoffs += u64::from(ends);
        entry.filter(|_| ends).map(|entry| entry.score)
    }

    /// The key in the table of a position's key.
    #[inline]
    fn table_key(&self, key: u64) -> u64 {
        (key.wrapping_mul(self.factor) >> self.rank_bits) ^ self.salt
    }

    /// Fetches the cache line of a position that will soon be looked up.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.shared.table.prefetch(self.table_key(key));
    }

    /// The table's entry of a position.
    pub(super) fn read_table(&mut self, key: u64, ply: usize) -> Option<Entry> {
        let key = self.table_key(key);
        let table = self.shared.table;
        self.core.read_line(Line::new(Area::Table, table.line(key) as u64));
        match guard_of(&self.shared.access, key) {
            None => table.probe(key, ply),
            Some(None) => {
                let (entry, torn) = table.probe_naked(key, ply);
                self.counters.torn_slots += torn.slots as u64;
                self.counters.torn_reads += u64::from(torn.is_taken);
                entry
            }
            Some(Some(lock)) => self.core.section(lock, |()| table.probe(key, ply)),
        }
    }

    /// Keeps the result of a search. Returns whether the table already had one from a search as
    /// deep.
    pub(super) fn write_table(&mut self, key: u64, ply: usize, entry: Entry) -> bool {
        if entry.depth >= self.tell_depth {
            self.told.push((key, (ply, entry)));
        }
        self.keep(key, ply, entry)
    }

    /// Keeps in [`Worker::told`] what the worker finds, from this depth on.
    pub fn tell_from(&mut self, depth: i32) {
        self.tell_depth = depth;
    }

    /// The entry of a position in the worker's own table, for another worker.
    pub fn look_in(&mut self, key: u64, ply: usize) -> Option<Entry> {
        self.read_table(key, ply)
    }

    /// Keeps an entry that another worker has found.
    pub fn hear(&mut self, key: u64, ply: usize, entry: Entry) {
        self.keep(key, ply, entry);
    }

    fn keep(&mut self, key: u64, ply: usize, entry: Entry) -> bool {
        let key = self.table_key(key);
        let table = self.shared.table;
        self.core.change_line(Line::new(Area::Table, table.line(key) as u64));
        match guard_of(&self.shared.access, key) {
            None => table.store_after(key, ply, entry, || self.core.pause_to_write()),
            Some(None) => table.store_naked(key, ply, entry, || self.core.pause_to_write()),
            Some(Some(lock)) => self.core.section(lock, |()| table.store(key, ply, entry)),
        }
    }
}

/// The lock of a place in the table, if it has one; none at all where entries are checked.
#[inline]
fn guard_of(access: &TableAccess, key: u64) -> Option<&Option<Section<()>>> {
    // The bits are those that choose the place in the table.
    access.guards.get((key >> (u64::BITS - LOCK_BITS)) as usize)
}
