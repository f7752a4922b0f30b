//! The features of a node that its quiet moves answer: the moves before it, and its pawns.

use super::zobrist::pawns;
use crate::wire::Portable;
use cozy_chess::{Board, Color, Piece, Square};

/// The bits of a hash of pawns.
pub(super) const PAWN_BITS: u32 = 9;

/// A piece of a colour that arrived on a square: continuations and countermoves answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved(u16);

impl Portable for Moved {
    fn put(&self, bytes: &mut Vec<u8>) {
        u64::from(self.0).put(bytes);
    }

    fn take(bytes: &mut &[u8]) -> Option<Moved> {
        let index = u64::take(bytes)?;
        (index < 2 * 6 * 64).then_some(Moved(index as u16))
    }
}

impl Moved {
    /// `piece` of `color`, arrived on `to`.
    pub const fn new(color: Color, piece: Piece, to: Square) -> Moved {
        Moved((color as u16 * 6 + piece as u16) * 64 + to as u16)
    }

    /// Its number, less than 2 x 6 x 64.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the row of continuations in which moves of `color` answer it.
    pub(super) const fn row(self, color: Color) -> usize {
        self.index() * 2 + color as usize
    }
}

/// The features of a node that its quiet moves answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The moves one and two plies before; none for a null move.
    pub before: [Option<Moved>; 2],
    /// A hash of its pawns; none where the engine has no pawn records.
    pawns: Option<u16>,
}

impl Context {
    /// With the pawns of this board, if there is one.
    #[inline]
    pub fn new(before: [Option<Moved>; 2], board: Option<&Board>) -> Context {
        Context { before, pawns: board.map(|board| (pawns(board) >> (64 - PAWN_BITS)) as u16) }
    }

    /// The numbers of the rows of continuations that answer the moves before.
    pub(super) fn rows(&self, color: Color) -> impl Iterator<Item = usize> {
        self.before.into_iter().flatten().map(move |before| before.row(color))
    }

    /// The number of the row of pawn records.
    pub(super) fn pawn_row(&self, color: Color) -> Option<usize> {
        self.pawns.map(|pawns| usize::from(pawns) * 2 + color as usize)
    }
}
