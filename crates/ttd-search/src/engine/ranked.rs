//! The moves of a node by their scores.

use super::generation::{MOVE_BITS, pack_move, unpack_move};
use super::{PIECE_VALUES, Position};
use arrayvec::ArrayVec;
use cozy_chess::{Move, Piece};

/// The greatest number of moves in a legal position.
pub const MAX_MOVES: usize = 218;

/// Moves handed out best first.
///
/// Each move is one number: its score in the upper bits, its squares in the lower ones. So no two
/// are equal. The next move is the greatest number below the one handed out last. It is found by
/// comparing whole lanes of numbers.
#[derive(Debug)]
pub(super) struct Ranked {
    /// The numbers, filled up to whole lanes with [`Ranked::GONE`].
    keys: ArrayVec<i32, { MAX_MOVES.next_multiple_of(LANES) }>,
    last: i32,
}

/// The number of keys in a vector of 256 bits.
const LANES: usize = 8;

impl Ranked {
    const GONE: i32 = i32::MIN;

    /// An empty list.
    #[inline]
    pub(super) const fn new() -> Ranked {
        Ranked { keys: ArrayVec::new_const(), last: i32::MAX }
    }

    /// Adds a move; `score` is from -2^16 to 2^16 - 1.
    #[inline]
    pub(super) fn push(&mut self, mv: Move, score: i32) {
        self.keys.push(score << MOVE_BITS | i32::from(pack_move(Some(mv))));
    }

    /// Fills the last lane, after the last move was added.
    pub(super) fn seal(&mut self) {
        while !self.keys.len().is_multiple_of(LANES) {
            self.keys.push(Ranked::GONE);
        }
    }

    /// Removes all moves.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.last = i32::MAX;
    }

    /// The best move that is left.
    #[inline(always)]
    pub(super) fn pop_best(&mut self) -> Option<Move> {
        let last = self.last;
        let below = |key: i32| if key < last { key } else { Ranked::GONE };
        let (lanes, _) = self.keys.as_chunks::<LANES>();
        let (first, others) = lanes.split_first()?;
        let mut greatest = first.map(below);
        for lane in others {
            for (best, &key) in greatest.iter_mut().zip(lane) {
                *best = (*best).max(below(key));
            }
        }
        self.last = greatest.into_iter().fold(Ranked::GONE, i32::max);
        if self.last == Ranked::GONE { None } else { Ranked::unpack(self.last) }
    }

    /// Removes the moves that are not wanted.
    pub(super) fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        for key in &mut self.keys {
            if *key != Ranked::GONE && !Ranked::unpack(*key).is_some_and(&wanted) {
                *key = Ranked::GONE;
            }
        }
    }

    fn unpack(key: i32) -> Option<Move> {
        unpack_move(key as u16 & ((1 << MOVE_BITS) - 1))
    }
}

/// The order of captures and promotions: the most valuable victim, then the least valuable
/// attacker.
#[inline]
pub(super) fn victim_over_attacker(position: &Position, piece: Piece, mv: Move) -> i32 {
    // A capture en passant finds nothing on its target. It counts as the least gain.
    let victim = position.piece_on(mv.to);
    let gain = victim.map_or(0, |piece| PIECE_VALUES[piece as usize])
        + mv.promotion.map_or(0, |piece| PIECE_VALUES[piece as usize]);
    gain * 8 - piece as i32
}

/// The rank of a legal move by victim and attacker alone: the greater, the earlier. Quiet moves
/// come last.
pub fn capture_rank(position: &Position, mv: Move) -> i32 {
    if position.is_tactical(mv) {
        victim_over_attacker(position, position.moved(mv), mv)
    } else {
        i32::MIN
    }
}
