//! The parameters of each technique: a switch and its numbers.

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// What can be switched on and off.
pub(super) trait Technique {
    /// The technique with its default numbers, on or off.
    fn switched(on: bool) -> Self;
}

/// Reads the table of a technique. A switch alone stands for the one with default numbers:
/// `null_move = false` is `null_move = { enabled = false }`.
pub(super) fn technique<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Technique + Deserialize<'de>,
{
    struct SwitchOrTable<T>(PhantomData<T>);

    impl<'de, T: Technique + Deserialize<'de>> de::Visitor<'de> for SwitchOrTable<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("true, false or a table")
        }

        fn visit_bool<E: de::Error>(self, on: bool) -> Result<T, E> {
            Ok(T::switched(on))
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(SwitchOrTable(PhantomData))
}

/// Defines the parameters of one technique: whole numbers, each with a default and a line of
/// documentation, all of them known by name in TOML.
macro_rules! technique {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            /// Whether it is used at all.
            pub enabled: bool,
            $($(#[$field_doc])* pub $field: i32,)*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { enabled: true, $($field: $default,)* }
            }
        }

        impl Technique for $name {
            fn switched(enabled: bool) -> $name {
                $name { enabled, ..$name::default() }
            }
        }

        impl $name {
            /// The technique switched off.
            pub fn off() -> $name {
                $name::switched(false)
            }

            pub(super) fn numbers(&self) -> Vec<(&'static str, i32)> {
                vec![$((stringify!($field), self.$field),)*]
            }
        }
    };
}

technique! {
    /// Quiet moves are ordered by what they did elsewhere (Schaeffer). One that cuts off raises its record, and
    /// lowers that of the quiet moves tried before it, by `square depth^2 + linear depth`.
    HistoryRecords {
        /// For each square of a ply.
        square: 16,
        /// For each ply.
        linear: 64,
        /// Greatest depth that counts, plies.
        max_depth: 16,
        /// At most so much; a record is at most 16,384.
        max: 2_400,
        /// Hundredths of it that the moves tried before lose.
        tried: 100,
    }
}

technique! {
    /// Only the better part of a node's moves, in their order, is searched (beam search, as in Henni and Gaci's OpenMP
    /// engine); in check all of them, and at the root of the order `full`, which is not by worth there. The beam of the root is
    /// that of the order itself, whatever the best move of the iteration before is.
    Beam {
        /// So many of a hundred of the moves, rounded up.
        percent: 50,
        /// At least so many.
        least: 1,
        /// Least depth, plies.
        min_depth: 1,
    }
}

technique! {
    /// Iterations begin with a narrow window about the last score (Slate and Atkin, Chess 4.5).
    Aspiration {
        /// Half the width of the first window, centipawns.
        window: 14,
        /// The first iteration that uses one.
        min_depth: 5,
        /// Greatest half width, centipawns: a window is doubled while the score lies outside, and past this opened.
        max: 1_000,
    }
}

technique! {
    /// If passing still reaches beta, a real move will too (Beal; Donninger, "Null move and deep
    /// search"). The verification is Plenkner's ("A null-move technique impervious to zugzwang", ICCA Journal 18(2), 1995).
    NullMove {
        /// Least depth, plies.
        min_depth: 3,
        /// Reduction, plies.
        reduction: 4,
        /// One more ply of reduction for so many plies of depth.
        depth_divisor: 4,
        /// One more ply of reduction for so many centipawns above beta.
        evaluation_divisor: 200,
        /// At most so many of these.
        evaluation_most: 3,
        /// How far the static evaluation itself may lie below beta, centipawns.
        margin: 100,
        /// From this depth on a cutoff is verified by a search without null moves.
        verify_depth: 14,
    }
}

technique! {
    /// Far above beta a shallow node is not searched (Chess Programming Wiki, "Reverse Futility Pruning"; static null move).
    ReverseFutility {
        /// Greatest depth, plies.
        max_depth: 8,
        /// Centipawns above beta, per ply.
        margin: 110,
    }
}

technique! {
    /// Far below alpha a shallow node is left to the quiescence search (Birmingham and Kent).
    Razoring {
        /// Greatest depth, plies.
        max_depth: 2,
        /// Centipawns below alpha, per ply.
        margin: 250,
    }
}

technique! {
    /// Quiet moves that cannot lift the static evaluation to alpha are skipped (Schaeffer; Heinz).
    Futility {
        /// Greatest depth left after reductions, plies.
        max_depth: 7,
        /// Centipawns below alpha at depth 0.
        base: 70,
        /// Centipawns more per ply.
        margin: 75,
    }
}

technique! {
    /// After enough quiet moves at a shallow node the rest are skipped (Chess Programming Wiki, "Futility Pruning", by the
    /// count of moves).
    LateMovePruning {
        /// Greatest depth, plies.
        max_depth: 8,
        /// Moves searched at depth 0; grows with the square of the depth.
        base: 4,
    }
}

technique! {
    /// Moves that lose too much material by static exchange are skipped at shallow nodes (Chess Programming Wiki, "Static
    /// Exchange Evaluation").
    ExchangePruning {
        /// Greatest depth, plies.
        max_depth: 8,
        /// Centipawns that a quiet move may lose, per ply.
        quiet_margin: 60,
        /// Centipawns that a capture may lose, per ply.
        capture_margin: 110,
    }
}

technique! {
    /// Late quiet moves are searched less deeply first (Romstad, "An introduction to late move
    /// reductions"). The reduction is `base + ln(depth) ln(number) / divisor`.
    LateMoveReductions {
        /// Least depth, plies.
        min_depth: 3,
        /// Moves searched in full first.
        min_moves: 2,
        /// Constant part, hundredths of a ply.
        base: 100,
        /// Hundredths.
        divisor: 300,
        /// More where a cutoff is expected, hundredths of a ply.
        cut_node: 100,
        /// More where the side to move stands no better than at its last turn, hundredths.
        not_improving: 60,
        /// Less in an open window, hundredths.
        open_window: 100,
        /// Less for a killer or countermove, hundredths.
        refutation: 100,
        /// Less for a capture that loses material, hundredths.
        losing_capture: 100,
        /// Less for a move that gives check or answers one, hundredths.
        check: 100,
        /// One ply less for so much history.
        history_divisor: 7_000,
    }
}

technique! {
    /// A move that gives check and loses little is searched one ply deeper (Chess Programming Wiki, "Check Extensions").
    CheckExtension {
        /// Least depth, plies.
        min_depth: 1,
        /// Centipawns that it may lose by static exchange.
        margin: 0,
    }
}

technique! {
    /// A move that brings a pawn to the seventh rank is searched one ply deeper (Chess Programming Wiki, "Passed Pawn
    /// Extensions").
    PawnExtension {
        /// Least depth, plies.
        min_depth: 1,
    }
}

technique! {
    /// A node with one legal move only is searched one ply deeper (Chess Programming Wiki, "One Reply Extensions").
    OneReplyExtension {
        /// Least depth, plies.
        min_depth: 1,
    }
}

technique! {
    /// A table move far better than all others is searched one ply deeper (Anantharaman, Campbell
    /// and Hsu, in the form that tests the others with a reduced search below the table score).
    SingularExtension {
        /// Least depth, plies.
        min_depth: 7,
        /// How much shallower the table's search may be, plies.
        depth_slack: 3,
        /// Hundredths of a centipawn below the table score, per ply.
        margin: 200,
        /// Centipawns below that, outside the open window, for a second ply.
        double_margin: 100,
    }
}

technique! {
    /// A node without a table move is searched one ply less deeply (Rebel's replacement for
    /// internal iterative deepening).
    InternalReduction {
        /// Least depth, plies.
        min_depth: 4,
    }
}

technique! {
    /// The first plies of quiescence also try quiet moves that give check and lose no material (Chess Programming Wiki,
    /// "Quiescence Search").
    QuietChecks {
        /// So many plies of it.
        plies: 1,
    }
}

technique! {
    /// In quiescence, captures that cannot reach alpha are skipped (Chess Programming Wiki, "Delta Pruning").
    DeltaPruning {
        /// Centipawns added to the victim's value.
        margin: 160,
    }
}
