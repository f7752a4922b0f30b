//! A cache of the terms that depend on pawns and kings alone.

use super::built_in::{BuiltIn, Source};
use super::kings::Kings;
use super::pawns::Pawns;
use cozy_chess::{BitBoard, Board, Color, Piece, Square};

/// The pawns and kings of recent positions.
///
/// The answers never depend on the contents: an entry keeps the pawns themselves, not a hash of
/// them. Most moves move neither pawn nor king. If only a king has moved, its part of the entry is
/// made anew.
#[derive(Clone, Debug)]
pub struct PawnCache {
    entries: Box<[Entry]>,
}

/// An entry. Invariant: `of_pawns` and `of_kings` belong to `pawns` and `kings`. One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Entry {
    pawns: [BitBoard; 2],
    kings: [Square; 2],
    /// The terms of the pawns.
    pub(super) of_pawns: Pawns,
    /// The terms of kings and pawns.
    pub(super) of_kings: Kings,
}

impl Entry {
    fn of<W: Source>(w: W, pawns: [BitBoard; 2], kings: [Square; 2]) -> Entry {
        let of_pawns = Pawns::of(w, pawns);
        Entry { pawns, kings, of_pawns, of_kings: Kings::of(w, kings, pawns, &of_pawns) }
    }

    /// The entry for the pawns and kings of `board`.
    pub(super) fn of_board<W: Source>(w: W, board: &Board) -> Entry {
        let (pawns, kings) = pawns_and_kings(board);
        Entry::of(w, pawns, kings)
    }
}

impl PawnCache {
    const BITS: u32 = 12;
    /// The memory of a cache, bytes.
    pub const BYTES: usize = size_of::<Entry>() << PawnCache::BITS;

    /// A cache of 256 KiB that knows one board without pawns.
    pub fn new() -> PawnCache {
        let entry = Entry::of(BuiltIn, [BitBoard::EMPTY; 2], [Square::E1, Square::E8]);
        PawnCache { entries: vec![entry; 1 << PawnCache::BITS].into() }
    }

    /// The entry for the pawns and kings of `board`, from the cache where it is there.
    ///
    /// A cache is asked with one table of weights alone. Its first entry is true of any: without
    /// pawns, kings on E1 and E8 are worth nothing to either side.
    pub(super) fn probe<W: Source>(&mut self, w: W, board: &Board) -> &Entry {
        let (pawns, kings) = pawns_and_kings(board);
        let entry = &mut self.entries[PawnCache::slot(pawns)];
        if entry.pawns != pawns {
            *entry = Entry::of(w, pawns, kings);
        } else if entry.kings != kings {
            entry.kings = kings;
            entry.of_kings = Kings::of(w, kings, pawns, &entry.of_pawns);
        }
        entry
    }

    /// The index of an entry: upper bits of a product, which depend on all bits of its factor.
    fn slot([white, black]: [BitBoard; 2]) -> usize {
        let mix = white.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ black.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mix >> (u64::BITS - PawnCache::BITS)) as usize
    }
}

/// The pawns and the king's square of each colour.
fn pawns_and_kings(board: &Board) -> ([BitBoard; 2], [Square; 2]) {
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    (pawns, Color::ALL.map(|color| board.king(color)))
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_boards::{from_random_play, from_sets};

    #[test]
    fn an_entry_is_a_cache_line() {
        assert_eq!(size_of::<Entry>(), 64);
    }

    #[test]
    fn a_used_cache_gives_what_an_empty_one_gives() {
        let mut cache = PawnCache::new();
        for board in from_sets().iter().chain(&from_random_play()) {
            let used = *cache.probe(BuiltIn, board);
            let mut empty = PawnCache::new();
            let fresh = empty.probe(BuiltIn, board);
            assert_eq!(used.of_pawns, fresh.of_pawns);
            assert_eq!(used.of_kings, fresh.of_kings);
        }
    }
}
