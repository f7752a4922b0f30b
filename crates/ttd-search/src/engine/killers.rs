//! Killer moves: quiet moves that cut off at the same distance from the root (Akl and Newborn). All
//! moves of a node that are known to be good before any is generated.

use super::Context;
use super::generation::{pack_move, unpack_move};
use cozy_chess::Move;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most killers of a ply.
pub const MOST_KILLERS: usize = 4;

/// The bits of a packed move.
const BITS: usize = u64::BITS as usize / MOST_KILLERS;

/// The killers of a ply, the latest one first.
pub type KillersAt = [Option<Move>; MOST_KILLERS];

/// So many moves for each ply, packed into one word, the latest one in its lowest bits.
///
/// If two workers write at once, the later one wins. That changes the order of moves and nothing
/// else.
///
/// Written by the workers that it belongs to: one, or all of a search. Lives for one sample.
pub struct Killers {
    plies: Box<[AtomicU64]>,
    /// The number of moves in use at each ply; the others are none.
    count: usize,
    shared: bool,
}

/// The killers of a node's moves and of the two plies below, for another worker to take over.
pub type KillersBelow = [KillersAt; 3];

/// A packed move at its place in the word.
fn at_place(mv: Option<Move>, place: usize) -> u64 {
    u64::from(pack_move(mv)) << (place * BITS)
}

/// The bits of the first so many moves.
const fn first(moves: usize) -> u64 {
    if moves == MOST_KILLERS { u64::MAX } else { (1 << (moves * BITS)) - 1 }
}

impl Killers {
    /// The memory of killers for `plies` plies, bytes.
    pub const fn bytes(plies: usize) -> usize {
        plies * size_of::<AtomicU64>()
    }

    /// Empty killers for `plies` plies, `count` at each (1 to [`MOST_KILLERS`]), of one worker or
    /// `shared` by all.
    pub fn new(plies: usize, count: usize, shared: bool) -> Killers {
        let none = (0..plies).map(|_| AtomicU64::new(0));
        Killers { plies: none.collect(), count: count.clamp(1, MOST_KILLERS), shared }
    }

    /// The killers of a ply, the latest one first.
    #[inline]
    pub fn at(&self, ply: usize) -> KillersAt {
        let packed = self.plies[ply].load(Relaxed);
        std::array::from_fn(|place| unpack_move((packed >> (place * BITS)) as u16))
    }

    fn set(&self, ply: usize, moves: KillersAt) {
        let packed = (0..).zip(moves).map(|(place, mv)| at_place(mv, place));
        self.plies[ply].store(packed.sum(), Relaxed);
    }

    /// The number of the cache line of a ply, if all workers share these killers.
    #[inline]
    pub fn shared_line(&self, ply: usize) -> Option<u64> {
        self.shared.then_some(ply as u64 / 8)
    }

    /// Notes that a quiet move has cut off.
    pub fn add(&self, ply: usize, mv: Move) {
        let (known, new) = (self.plies[ply].load(Relaxed), at_place(Some(mv), 0));
        let at = |place: usize| known >> (place * BITS) & first(1);
        if at(0) == new {
            return;
        }
        // The moves before its old place move back by one, or all but the last one.
        let last = self.count - 1;
        let place = (1..last).find(|place| at(*place) == new).unwrap_or(last);
        let behind = known & !first(place + 1);
        let moved = if place == 0 { 0 } else { (known & first(place)) << BITS };
        self.plies[ply].store(behind | moved | new, Relaxed);
    }

    /// Removes the killers of a ply before the children of a new node are searched.
    ///
    /// They come from children of another node, a cousin of these. Shared killers stay, since other
    /// workers may be at that ply elsewhere.
    pub fn forget(&self, ply: usize) {
        if !self.shared {
            self.set(ply, [None; MOST_KILLERS]);
        }
    }

    /// All killers of one worker, to be given back later; nothing where they are shared.
    pub fn own(&self) -> Vec<KillersAt> {
        let plies = if self.shared { 0 } else { self.plies.len() };
        (0..plies).map(|ply| self.at(ply)).collect()
    }

    /// Puts back the killers that [`Killers::own`] gave.
    pub fn return_to(&self, own: &[KillersAt]) {
        own.iter().enumerate().for_each(|(ply, moves)| self.set(ply, *moves));
    }

    /// The killers of a ply and of the two below.
    pub fn below(&self, ply: usize) -> KillersBelow {
        std::array::from_fn(|i| self.at(ply + i))
    }

    /// Takes over the killers that another worker gave by [`Killers::below`].
    pub fn take(&self, ply: usize, below: &KillersBelow) {
        for (i, moves) in below.iter().enumerate() {
            self.set(ply + i, *moves);
        }
    }
}

/// The most refutations of a node: the countermove, and the killers.
const REFUTATIONS: usize = 1 + MOST_KILLERS;
/// The refutations of a node that has two killers.
const FIRST_REFUTATIONS: usize = 3;

/// Good moves that are known before any is generated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    /// The table's best move. The picker checks that it is legal.
    pub table: Option<Move>,
    /// Two killers and the countermove, then further killers. If the first of these is none, so are
    /// all.
    pub refutations: [Option<Move>; REFUTATIONS],
    /// The features of the node that quiet moves answer.
    pub context: Context,
}

impl Hints {
    /// Whether there may be a refutation at this place, or behind it.
    #[inline]
    pub(super) const fn has(&self, n: usize) -> bool {
        n < FIRST_REFUTATIONS || n < REFUTATIONS && self.refutations[FIRST_REFUTATIONS].is_some()
    }

    /// Whether a move is one of the hints.
    #[inline]
    pub(super) fn names(&self, mv: Move) -> bool {
        let (first, more) = self.refutations.split_at(FIRST_REFUTATIONS);
        self.table == Some(mv)
            || first.contains(&Some(mv))
            || more[0].is_some() && more.contains(&Some(mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves<const N: usize>(words: [&str; N]) -> [Move; N] {
        words.map(|mv| mv.parse().expect("a move"))
    }

    #[test]
    fn the_last_one_is_first() {
        let killers = Killers::new(8, 2, false);
        let [a, b] = moves(["e2e4", "b1c3"]);
        killers.add(3, a);
        killers.add(3, b);
        killers.add(3, b);
        let both = [Some(b), Some(a), None, None];
        assert_eq!(killers.at(3), both);
        let other = Killers::new(8, 2, true);
        other.take(2, &killers.below(2));
        assert_eq!(other.at(3), both);
        let own = killers.own();
        killers.forget(3);
        killers.return_to(&own);
        assert_eq!(killers.at(3), both);
        assert!(other.own().is_empty(), "they go on with the others");
        killers.forget(3);
        other.forget(3);
        assert_eq!((killers.at(3), other.at(3)), ([None; MOST_KILLERS], both));
    }

    #[test]
    fn each_is_there_once_and_the_oldest_goes() {
        let all = moves(["a2a3", "b2b3", "c2c3", "d2d3", "e2e3"]);
        for count in 1..=MOST_KILLERS {
            let killers = Killers::new(4, count, false);
            for mv in all {
                killers.add(1, mv);
            }
            let latest = |n: usize| (n < count).then(|| all[4 - n]);
            assert_eq!(killers.at(1), std::array::from_fn(latest), "{count}");
            // The last one comes to the front, and pushes no other out.
            let last = all[5 - count];
            killers.add(1, last);
            let mut at: Vec<_> = killers.at(1).into_iter().flatten().collect();
            assert_eq!((at[0], at.len()), (last, count));
            at.sort_by_key(|mv| mv.from as usize);
            at.dedup();
            assert_eq!(at.len(), count, "each once");
        }
    }
}
