//! Killer moves: quiet moves that cut off at the same distance from the root (Akl and Newborn).

use super::transposition::{pack_move, unpack_move};
use cozy_chess::Move;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

/// Two moves for each ply, the latest one first, packed.
///
/// If two workers write at once, the later one wins. That changes the order of moves and nothing
/// else.
///
/// Written by the workers that it belongs to: one, or all of a search. Lives for one sample.
pub struct Killers {
    plies: Box<[[AtomicU16; 2]]>,
    shared: bool,
}

/// The killers of a node's moves and of the two plies below, for another worker to take over.
pub type KillersBelow = [[Option<Move>; 2]; 3];

impl Killers {
    /// Empty killers for `plies` plies, of one worker or `shared` by all.
    pub fn new(plies: usize, shared: bool) -> Killers {
        let none = || [const { AtomicU16::new(0) }; 2];
        Killers { plies: (0..plies).map(|_| none()).collect(), shared }
    }

    /// The killers of a ply, the latest one first.
    #[inline]
    pub fn at(&self, ply: usize) -> [Option<Move>; 2] {
        self.plies[ply].each_ref().map(|packed| unpack_move(packed.load(Relaxed)))
    }

    fn set(&self, ply: usize, moves: [Option<Move>; 2]) {
        for (packed, mv) in self.plies[ply].iter().zip(moves) {
            packed.store(pack_move(mv), Relaxed);
        }
    }

    /// Notes that a quiet move has cut off.
    pub fn add(&self, ply: usize, mv: Move) {
        let [first, _] = self.at(ply);
        if first != Some(mv) {
            self.set(ply, [Some(mv), first]);
        }
    }

    /// Removes the killers of a ply before the children of a new node are searched.
    ///
    /// They come from children of another node, a cousin of these. Shared killers stay, since other
    /// workers may be at that ply elsewhere.
    pub fn forget(&self, ply: usize) {
        if !self.shared {
            self.set(ply, [None; 2]);
        }
    }

    /// All killers of one worker, to be given back later; nothing where they are shared.
    pub fn own(&self) -> Vec<[Option<Move>; 2]> {
        let plies = if self.shared { 0 } else { self.plies.len() };
        (0..plies).map(|ply| self.at(ply)).collect()
    }

    /// Puts back the killers that [`Killers::own`] gave.
    pub fn return_to(&self, own: &[[Option<Move>; 2]]) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_is_first() {
        let killers = Killers::new(8, false);
        let [a, b]: [Move; 2] = ["e2e4", "b1c3"].map(|mv| mv.parse().expect("a move"));
        killers.add(3, a);
        killers.add(3, b);
        killers.add(3, b);
        assert_eq!(killers.at(3), [Some(b), Some(a)]);
        let other = Killers::new(8, true);
        other.take(2, &killers.below(2));
        assert_eq!(other.at(3), [Some(b), Some(a)]);
        let own = killers.own();
        killers.forget(3);
        killers.return_to(&own);
        assert_eq!(killers.at(3), [Some(b), Some(a)]);
        assert!(other.own().is_empty(), "they go on with the others");
        killers.forget(3);
        other.forget(3);
        assert_eq!((killers.at(3), other.at(3)), ([None; 2], [Some(b), Some(a)]));
    }
}
