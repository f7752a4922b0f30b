//! The table of marked moves: those that some worker is searching at this moment.

use crate::cores::sync::atomic::{AtomicU64, Ordering::Relaxed};
use crate::engine::{Move, Position};

/// The number of moves in one line; in a model two.
const PLACES: usize = if cfg!(loom) { 2 } else { 8 };
/// The number of lines; in a model one. With 64 workers and 20 marked moves each, one place of 25
/// is filled.
const LINES: usize = if cfg!(loom) { 1 } else { 4096 };

/// A table of marked moves, by position and move.
///
/// Invariant: a place is 0, or the key of the move whose [`Mark`] holds it. Only that mark empties
/// the place, when it is dropped, also by an abort or a panic.
///
/// There are no locks, and every access is relaxed. A worker may read an old state of the table.
/// That changes the order of moves and nothing else. In a full line a move goes unmarked. The table
/// lives for one search.
pub(super) struct MoveMarks {
    lines: Box<[Line]>,
}

/// One cache line.
#[derive(Default)]
#[repr(align(64))]
struct Line([AtomicU64; PLACES]);

/// The mark of a move that a worker searches now. That worker owns it.
pub(super) struct Mark<'b>(&'b AtomicU64);

impl Drop for Mark<'_> {
    fn drop(&mut self) {
        self.0.store(0, Relaxed);
    }
}

impl MoveMarks {
    /// The memory of a table, bytes.
    pub(super) const BYTES: usize = LINES * size_of::<Line>();

    /// A table without marks.
    pub(super) fn new() -> MoveMarks {
        MoveMarks { lines: (0..LINES).map(|_| Line::default()).collect() }
    }

    /// The key of a move in a position; never 0.
    pub(super) fn key(position: &Position, mv: Move) -> u64 {
        let promotion = mv.promotion.map_or(0, |piece| 1 + piece as u64);
        let mv = mv.from as u64 | (mv.to as u64) << 6 | promotion << 12;
        (position.key() ^ (mv + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    /// The number of the line that has a key.
    pub(super) const fn line_of(key: u64) -> usize {
        (key >> 32) as usize % LINES
    }

    fn line(&self, key: u64) -> &Line {
        &self.lines[MoveMarks::line_of(key)]
    }

    /// Whether some worker has marked this move.
    pub(super) fn has(&self, key: u64) -> bool {
        self.line(key).0.iter().any(|place| place.load(Relaxed) == key)
    }

    /// Marks a move, if there is a place for it.
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
        let marks = MoveMarks::new();
        let (one, same) = (marks.mark(7), marks.mark(7));
        assert!(marks.has(7) && !marks.has(8));
        drop(one);
        assert!(marks.has(7), "another worker searches the same move");
        drop(same);
        assert!(marks.is_empty());
    }

    #[test]
    fn a_full_line_marks_no_more() {
        let marks = MoveMarks::new();
        let held: Vec<_> = (1..=9).map(|key| marks.mark(key)).collect();
        assert!(held[..8].iter().all(Option::is_some) && held[8].is_none() && !marks.has(9));
        drop(held);
        assert!(marks.is_empty());
    }

    #[test]
    fn moves_have_keys_of_their_own() {
        let position = Position::new(cozy_chess::Board::default());
        let mut keys = std::collections::HashSet::new();
        position.board().generate_moves(|moves| {
            keys.extend(moves.into_iter().map(|mv| MoveMarks::key(&position, mv)));
            false
        });
        assert_eq!(keys.len(), 20);
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use crate::cores::Core;
    use crate::cores::real::models::meet;
    use parking_lot::Mutex;

    /// The table, and the places that each worker holds, as far as the workers know. The latter
    /// order nothing in the model.
    struct Shared {
        marks: MoveMarks,
        held: Mutex<Vec<usize>>,
        marked: Mutex<usize>,
    }

    /// Runs workers that mark the moves of their lists, one after another.
    fn mark(lists: &'static [&'static [u64]], preemptions: usize, least: usize) {
        meet(
            (lists.len(), preemptions),
            |_| Shared {
                marks: MoveMarks::new(),
                held: Mutex::default(),
                marked: Mutex::default(),
            },
            move |shared: &Shared, core| {
                for &key in lists[core.id()] {
                    let Some(mark) = shared.marks.mark(key) else { continue };
                    *shared.marked.lock() += 1;
                    let place = std::ptr::from_ref(mark.0) as usize;
                    assert!(!shared.held.lock().contains(&place), "a place of its own");
                    shared.held.lock().push(place);
                    assert!(shared.marks.has(key), "there until it is dropped");
                    shared.held.lock().retain(|other| *other != place);
                    drop(mark);
                }
            },
            move |shared| {
                assert!(shared.marks.is_empty(), "nothing is left behind");
                assert!(*shared.marked.lock() >= least, "no place is lost");
            },
        );
    }

    #[test]
    fn marks_of_one_move_are_one_each() {
        mark(&[&[7, 7], &[7, 7]], 5, 4);
    }

    #[test]
    fn marks_of_different_moves_in_one_line() {
        mark(&[&[7, 8], &[8, 9]], 5, 4);
    }

    #[test]
    fn three_workers_in_a_line_of_two_places() {
        mark(&[&[7], &[7], &[8]], 4, 2);
    }
}
