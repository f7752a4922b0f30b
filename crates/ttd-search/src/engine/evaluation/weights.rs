//! What every term of the evaluation is worth: one table, whose numbers are in `table`.

use super::taper::Taper;
use std::slice;

/// The weights of a name: one, or several in an order.
#[derive(Debug)]
pub enum Slot<'a> {
    /// Values in the middlegame and in the endgame.
    Tapers(&'a mut [Taper]),
    /// Numbers that hold in both.
    Numbers(&'a mut [i32]),
}

/// What can stand in the table.
trait Weight {
    fn slot(&mut self) -> Slot<'_>;
}

impl Weight for Taper {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Tapers(slice::from_mut(self))
    }
}

impl<const N: usize> Weight for [Taper; N] {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Tapers(self)
    }
}

impl Weight for i32 {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Numbers(slice::from_mut(self))
    }
}

impl<const N: usize> Weight for [i32; N] {
    fn slot(&mut self) -> Slot<'_> {
        Slot::Numbers(self)
    }
}

/// The table, and a way through it: a field that is not among [`Weights::slots`] cannot be written.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// The weights of the evaluation, in centipawns where nothing else is said.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights {
            $($(#[$doc])* pub(super) $name: $kind,)*
        }

        impl Weights {
            /// Every weight with its name, in the order of the table.
            pub fn slots(&mut self) -> Vec<(&'static str, Slot<'_>)> {
                vec![$((stringify!($name), self.$name.slot()),)*]
            }
        }
    };
}

weights! {
    /// The worth of a piece wherever it stands, from pawn to queen.
    material: [Taper; 5],
    /// The worth of a place for a pawn, from the rank next to the own side on. Both wings are alike: of each rank the four
    /// files from the edge to the middle.
    pawn_squares: [Taper; 32],
    /// For a knight.
    knight_squares: [Taper; 32],
    /// For a bishop.
    bishop_squares: [Taper; 32],
    /// For a rook.
    rook_squares: [Taper; 32],
    /// For a queen.
    queen_squares: [Taper; 32],
    /// For a king.
    king_squares: [Taper; 32],

    /// A pawn with another of its own behind it.
    doubled: Taper,
    /// A pawn without pawns on the files beside it.
    isolated: Taper,
    /// A pawn that no other can protect any more, before a square that an enemy pawn guards.
    backward: Taper,
    /// An isolated or backward pawn with no enemy pawn ahead: rooks see it.
    exposed: Taper,
    /// A pawn that another pawn protects.
    protected: Taper,
    /// A pawn with another beside it.
    phalanx: Taper,
    /// A pawn that no enemy pawn can stop, by the steps that it has made.
    passed: [Taper; 6],
    /// A passed pawn that is protected or has another pawn beside it, for each step made.
    connected_passed: Taper,
    /// Nothing stands before a passed pawn; this one, the next two and the two after them count for every step that the
    /// pawn has made beyond the first.
    free_step: Taper,
    /// No enemy stands on its way or attacks a square of it.
    free_way: Taper,
    /// The square before it is protected.
    protected_step: Taper,
    /// A step between the enemy king and the square before it.
    enemy_king_step: Taper,
    /// A step between the own king and that square.
    own_king_step: Taper,

    /// A pawn of the king's own one rank ahead of it, on its file or beside; and two ranks ahead.
    shield: [Taper; 2],
    /// An enemy pawn on those files, up to four ranks ahead.
    storm: Taper,
    /// One of those files without an own pawn, and one with no pawn at all.
    open_file: [Taper; 2],

    /// A knight by the number of squares that it attacks where mobility counts.
    knight_mobility: [Taper; 9],
    /// A bishop.
    bishop_mobility: [Taper; 14],
    /// A rook.
    rook_mobility: [Taper; 15],
    /// A queen.
    queen_mobility: [Taper; 28],
    /// Two bishops or more.
    bishop_pair: Taper,
    /// A minor piece protected by a pawn where no enemy pawn can ever attack it.
    outpost: Taper,
    /// A knight's outpost, on top of that.
    knight_outpost: Taper,
    /// A rook on a file with an own pawn, with none of them, and with no pawn at all.
    rook_file: [Taper; 3],

    /// A pawn attacks a piece.
    by_pawn: Taper,
    /// A minor piece attacks a rook or a queen.
    by_minor: Taper,
    /// Something attacks a piece that nothing protects.
    loose_piece: Taper,
    /// Something attacks a pawn that nothing protects.
    loose_pawn: Taper,

    /// Danger of an attack on a square of the king's zone by a piece, from knight to queen.
    zone_danger: [i32; 4],
    /// Danger of a check that costs nothing, from knight to queen.
    check_danger: [i32; 4],
    /// Danger of an attacked square beside the king that nothing but the king protects.
    weak_danger: i32,
    /// Danger of an open file beside the king.
    file_danger: i32,

    /// How much of an endgame advantage with pawns can be won, in 64ths, with bishops of opposite colours: without other
    /// pieces and with some.
    opposite_bishops: [i32; 2],
    /// The same without pawns: with a minor piece or two knights alone, and with no more than a minor piece ahead.
    pawnless: [i32; 2],
    /// For each step of a lone king from the centre, and of the other king toward it.
    driven: [i32; 2],
    /// Having the move.
    tempo: i32,
}

impl Weights {
    /// All numbers, in the order of the table; of each [`Taper`] the middlegame's comes first.
    pub fn numbers(&self) -> Vec<i32> {
        let mut numbers = Vec::new();
        for (_, slot) in self.clone().slots() {
            match slot {
                Slot::Tapers(tapers) => {
                    numbers.extend(tapers.iter().flat_map(|taper| [taper.mg(), taper.eg()]));
                }
                Slot::Numbers(own) => numbers.extend_from_slice(own),
            }
        }
        numbers
    }
}
