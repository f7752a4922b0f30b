//! The moves that are being searched at this moment.

use crate::engine::{Move, Position};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many moves one line holds.
const PLACES: usize = 8;
/// How many lines there are. 64 workers with 20 moves begun each fill a twenty-fifth of the places.
const LINES: usize = 4096;

/// A table of the moves that workers have begun, by position and move.
///
/// Invariant: a place is 0, or the key of the move whose [`Mark`] holds it; only that mark empties it, when it is
/// dropped, also by an abort or a panic. No locks: what a worker reads may be a moment old, which changes the order
/// of moves and nothing else; so every access is relaxed. Where a line is full a move goes unmarked. Lives for one
/// search.
pub(super) struct Begun {
    lines: Box<[Line]>,
}

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
struct Line([AtomicU64; PLACES]);

/// A move that its worker has begun. Owned by it.
pub(super) struct Mark<'b>(&'b AtomicU64);

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.store(0, Relaxed);
    }
}

impl Begun {
    /// Nothing begun.
    pub(super) fn new() -> Begun {
        Begun { lines: (0..LINES).map(|_| Line::default()).collect() }
    }

    /// The key of a move; never 0.
    pub(super) fn key(position: &Position, mv: Move) -> u64 {
        let promotion = mv.promotion.map_or(0, |piece| 1 + piece as u64);
        let mv = mv.from as u64 | (mv.to as u64) << 6 | promotion << 12;
        (position.key() ^ (mv + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    fn line(&self, key: u64) -> &Line {
        &self.lines[(key >> 32) as usize % LINES]
    }

    /// Whether some worker has begun this move.
    pub(super) fn has(&self, key: u64) -> bool {
        self.line(key).0.iter().any(|place| place.load(Relaxed) == key)
    }

    /// Marks a move as begun, if there is a place for it.
    pub(super) fn mark(&self, key: u64) -> Option<Mark<'_>> {
        let mut places = self.line(key).0.iter();
        let free = places.find(|place| place.compare_exchange(0, key, Relaxed, Relaxed).is_ok());
        free.map(Mark)
    }

    /// Whether no move is marked.
    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lines.iter().flat_map(|line| &line.0).all(|place| place.load(Relaxed) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_there_until_it_is_dropped() {
        let begun = Begun::new();
        let (one, same) = (begun.mark(7), begun.mark(7));
        assert!(begun.has(7) && !begun.has(8));
        drop(one);
        assert!(begun.has(7), "another worker has begun the same move");
        drop(same);
        assert!(begun.is_empty());
    }

    #[test]
    fn a_full_line_marks_no_more() {
        let begun = Begun::new();
        let marks: Vec<_> = (1..=9).map(|key| begun.mark(key)).collect();
        assert!(marks[..8].iter().all(Option::is_some) && marks[8].is_none() && !begun.has(9));
        drop(marks);
        assert!(begun.is_empty());
    }

    #[test]
    fn moves_have_keys_of_their_own() {
        let position = Position::new(cozy_chess::Board::default());
        let mut keys = std::collections::HashSet::new();
        position.board().generate_moves(|moves| {
            keys.extend(moves.into_iter().map(|mv| Begun::key(&position, mv)));
            false
        });
        assert_eq!(keys.len(), 20);
    }
}
