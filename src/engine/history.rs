//! What moves did well elsewhere in the tree: history, continuations and countermoves.
//!
//! The entries are relaxed atomics, which cost what plain integers cost, so that the same tables
//! can belong to one worker or be shared by all; an update lost to another worker does no harm.

use cozy_chess::{Color, Move, Piece, Square};
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

/// The bound of every entry.
const LIMIT: i32 = 16_384;
const MOVED: usize = 12 * 64;

/// A piece of a colour that arrived on a square: what continuations and countermoves answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved(u16);

impl Moved {
    /// `piece` of `color` arrived on `to`.
    pub const fn new(color: Color, piece: Piece, to: Square) -> Moved {
        Moved((color as u16 * 6 + piece as u16) * 64 + to as u16)
    }
}

/// The quiet moves' record. Written by its owners during a search, read by move ordering and
/// reductions; lives for one sample.
pub struct History {
    butterfly: Box<[AtomicI16]>,
    continuations: [Box<[AtomicI16]>; 2],
    countermoves: Box<[AtomicU16]>,
}

impl Default for History {
    fn default() -> History {
        let zeros = |n: usize| (0..n).map(|_| AtomicI16::new(0)).collect();
        History {
            butterfly: zeros(2 * 64 * 64),
            continuations: [zeros(MOVED * MOVED), zeros(MOVED * MOVED)],
            countermoves: (0..MOVED).map(|_| AtomicU16::new(0)).collect(),
        }
    }
}

/// What was moved one and two plies before, where it was a real move.
pub type Before = [Option<Moved>; 2];

impl History {
    /// The record of a quiet move, from -49,152 to 49,152: its own and as an answer to, and a
    /// continuation of, the moves before it.
    pub fn score(&self, color: Color, mv: Move, moved: Moved, before: Before) -> i32 {
        let mut sum = i32::from(self.butterfly[butterfly(color, mv)].load(Relaxed));
        for (table, before) in self.continuations.iter().zip(before) {
            if let Some(before) = before {
                sum += i32::from(table[continuation(before, moved)].load(Relaxed));
            }
        }
        sum
    }

    /// Raises (or with a negative `bonus` lowers) the record of a move. Entries are pulled towards
    /// zero in proportion to their size, so that they stay within bounds and forget.
    pub fn update(&self, color: Color, mv: Move, moved: Moved, before: Before, bonus: i32) {
        nudge(&self.butterfly[butterfly(color, mv)], bonus);
        for (table, before) in self.continuations.iter().zip(before) {
            if let Some(before) = before {
                nudge(&table[continuation(before, moved)], bonus);
            }
        }
    }

    /// The quiet move that last refuted `before` (Uiterwijk's countermove heuristic).
    pub fn countermove(&self, before: Moved) -> Option<Move> {
        let bits = self.countermoves[usize::from(before.0)].load(Relaxed);
        (bits != 0).then(|| Move {
            from: Square::index(usize::from(bits & 63)),
            to: Square::index(usize::from(bits >> 6 & 63)),
            promotion: None,
        })
    }

    /// Notes the quiet move that refuted `before`.
    pub fn set_countermove(&self, before: Moved, mv: Move) {
        let bits = mv.from as u16 | (mv.to as u16) << 6;
        self.countermoves[usize::from(before.0)].store(bits, Relaxed);
    }
}

fn butterfly(color: Color, mv: Move) -> usize {
    (color as usize * 64 + mv.from as usize) * 64 + mv.to as usize
}

fn continuation(before: Moved, moved: Moved) -> usize {
    usize::from(before.0) * MOVED + usize::from(moved.0)
}

fn nudge(entry: &AtomicI16, bonus: i32) {
    let old = i32::from(entry.load(Relaxed));
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    entry.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_within_bounds() {
        let entry = AtomicI16::new(0);
        for _ in 0..1000 {
            nudge(&entry, 2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) <= LIMIT);
        for _ in 0..1000 {
            nudge(&entry, -2_000);
        }
        assert!(i32::from(entry.load(Relaxed)) >= -LIMIT);
    }
}
