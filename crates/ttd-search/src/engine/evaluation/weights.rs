//! The weights of all terms of the evaluation: one table, with its numbers in `table`.

use super::taper::Taper;
use std::slice;

/// The weights under one name: a single one, or several in an order.
#[derive(Debug)]
pub enum Slot<'a> {
    /// Values with a middlegame and an endgame part.
    Tapers(&'a mut [Taper]),
    /// Numbers that are equal in both phases.
    Numbers(&'a mut [i32]),
}

/// A field of the table: its weights can be written through a [`Slot`].
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

/// Declares the table, and the way through it: [`Weights::slots`] has every field.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident: $kind:ty,)*) => {
        /// The weights of the evaluation, in centipawns where no other unit is named.
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
    /// The value of a piece wherever it stands, from pawn to queen.
    material: [Taper; 5],
    /// The value of a square for a pawn, from the rank next to the own side on.
    ///
    /// Both wings are alike: each rank has four values, from the file at the edge to the middle.
    pawn_squares: [Taper; 32],
    /// The value of a square for a knight.
    knight_squares: [Taper; 32],
    /// The value of a square for a bishop.
    bishop_squares: [Taper; 32],
    /// The value of a square for a rook.
    rook_squares: [Taper; 32],
    /// The value of a square for a queen.
    queen_squares: [Taper; 32],
    /// The value of a square for a king.
    king_squares: [Taper; 32],

    /// A pawn with another of its own behind it.
    doubled: Taper,
    /// A pawn without pawns on the files beside it.
    isolated: Taper,
    /// A pawn that no other can protect any more, with an enemy pawn guarding the square before it.
    backward: Taper,
    /// An isolated or backward pawn with no enemy pawn ahead: a target for rooks.
    exposed: Taper,
    /// A pawn that another pawn protects.
    protected: Taper,
    /// A pawn with another beside it.
    phalanx: Taper,
    /// A pawn that no enemy pawn can stop, by the number of steps that it has made.
    passed: [Taper; 6],
    /// A passed pawn that is protected or has another pawn beside it, for each step made.
    connected_passed: Taper,
    /// A free square before a passed pawn. This weight and the next two count for each step that
    /// the pawn has made beyond the first. So do the two king weights after them.
    free_step: Taper,
    /// A way to promotion on which no enemy stands, and of which no square is attacked.
    free_way: Taper,
    /// A protected square before a passed pawn.
    protected_step: Taper,
    /// Each step between the enemy king and the square before a passed pawn.
    enemy_king_step: Taper,
    /// Each step between the own king and that square.
    own_king_step: Taper,

    /// A pawn of the king's own on its file or beside: one rank ahead, and two ranks ahead.
    shield: [Taper; 2],
    /// An enemy pawn on those files, up to four ranks ahead.
    storm: Taper,
    /// One of those files without an own pawn, and one without any pawn.
    open_file: [Taper; 2],

    /// A knight, by the number of attacked squares on which mobility counts.
    knight_mobility: [Taper; 9],
    /// A bishop, by that number.
    bishop_mobility: [Taper; 14],
    /// A rook, by that number.
    rook_mobility: [Taper; 15],
    /// A queen, by that number.
    queen_mobility: [Taper; 28],
    /// Two bishops or more.
    bishop_pair: Taper,
    /// A minor piece protected by a pawn where no enemy pawn can ever attack it.
    outpost: Taper,
    /// A further bonus for a knight on an outpost.
    knight_outpost: Taper,
    /// A rook on a file with an own pawn, without one, and without any pawn.
    rook_file: [Taper; 3],

    /// A pawn's attack on a piece.
    by_pawn: Taper,
    /// A minor piece's attack on a rook or a queen.
    by_minor: Taper,
    /// An attack on a piece that nothing protects.
    loose_piece: Taper,
    /// An attack on a pawn that nothing protects.
    loose_pawn: Taper,

    /// The danger of an attack on a square of the king's zone by a piece, from knight to queen.
    zone_danger: [i32; 4],
    /// The danger of a check that costs nothing, from knight to queen.
    check_danger: [i32; 4],
    /// The danger of an attacked square beside the king that only the king protects.
    weak_danger: i32,
    /// The danger of an open file beside the king.
    file_danger: i32,

    /// The share of an endgame advantage that can be won with pawns and bishops of opposite
    /// colours, in 64ths: without other pieces, and with some.
    opposite_bishops: [i32; 2],
    /// The share that can be won without pawns. The first is for a minor piece or two knights
    /// alone, the second for at most a minor piece more than the opponent has.
    pawnless: [i32; 2],
    /// Each step of a lone king from the centre, and each step by which the other king is nearer.
    driven: [i32; 2],
    /// The value of having the move.
    tempo: i32,
}

impl Weights {
    /// All numbers, in the order of the table; each [`Taper`] gives its middlegame number first.
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
