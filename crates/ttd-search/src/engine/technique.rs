//! The type of each technique: a switch and its numbers, with their defaults.

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A technique that can be switched on and off.
pub(super) trait Technique {
    /// The technique with its default numbers, on or off.
    fn switched(on: bool) -> Self;
}

/// Reads the table of a technique. A switch alone stands for a table with default numbers:
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

/// Defines the parameters of each technique. A parameter is a whole number with a default and a
/// line of documentation, and has its name in TOML.
macro_rules! techniques {
    ($(
        $(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $default:expr,)* }
    )*) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            /// Whether the technique is used.
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
    )* };
}

techniques! {
    /// Quiet moves that cut off at this ply are tried early (Akl and Newborn).
    KillerMoves {
        /// The number of them at each ply. Leiserson's lecture has two, and room for four.
        count: 2,
    }

    /// Quiet moves are ordered by their success elsewhere (Schaeffer).
    ///
    /// A quiet move that cuts off gains `square depth^2 + linear depth`. The quiet moves tried
    /// before it lose a part of that (`tried`), and so do the next ones in the order (`untried`).
    HistoryRecords {
        /// The factor of depth^2.
        square: 16,
        /// The factor of depth.
        linear: 64,
        /// The greatest depth that counts, plies.
        max_depth: 16,
        /// The greatest gain. A record is at most 16,384.
        max: 2_400,
        /// The loss of the moves tried before, hundredths of the gain.
        tried: 100,
        /// The number of quiet moves, the next in the order, that lose as much untried.
        untried: 2,
        /// The least depth at which untried moves lose, plies.
        untried_depth: 8,
        /// The loss of every record when the first worker begins an iteration, hundredths of it. It
        /// costs as much time as a copy of the history.
        ageing: 0,
    }

    /// Only the better part of a node's moves, in their order, is searched (beam search, as in
    /// Henni and Gaci's OpenMP engine).
    ///
    /// In check all moves are searched. So they are at the root of the order `full`, which does not
    /// rank by worth there. In other orders the root's beam is that of the order itself, whatever
    /// the best move of the iteration before is.
    Beam {
        /// The share of the moves that is searched, percent, rounded up.
        percent: 50,
        /// The least number of moves that is searched.
        least: 1,
        /// The least depth, plies.
        min_depth: 1,
    }

    /// A noise of the evaluation, by which equal programs play different games (Leiserson's
    /// lecture). It depends on the seed and the pieces on their squares.
    Dither {
        /// The greatest noise, centipawns.
        centipawns: 1,
        /// Its seed.
        seed: 1,
    }

    /// The value of a knight falls with the depth of the iteration, and that of the bishop pair
    /// rises (Bijl and Tiet, by Pokharel's review). The sizes are this project's: the review has
    /// none.
    ///
    /// A worker values by the iteration that it works for. Static evaluations are never kept in the
    /// table. Scores from earlier iterations are, and keep the values of their own depth.
    ValuesByDepth {
        /// The value that a knight loses with each ply, centipawns.
        knight: 1,
        /// The value that a pair of bishops gains with each ply, centipawns.
        bishop_pair: 1,
        /// The depth at which the values are the usual ones, plies.
        usual_depth: 1,
    }

    /// Static evaluations are corrected by what the search found where pawns or pieces were equal
    /// (Caissa and Stockfish; Chess Programming Wiki, "Static Evaluation Correction History").
    ///
    /// A correction is the sum of three records: of the pawns, and of the other pieces of each
    /// side. A node's score may depend on what was searched before, even without a table.
    CorrectionHistory {
        /// The sum of the three records for which the correction is one centipawn. A record is at
        /// most 16,384.
        divisor: 256,
        /// The gain of a record for each centipawn that an evaluation is too low, and for each ply
        /// of the node's depth.
        pace: 4,
        /// The greatest gain of a record at once.
        max: 4_000,
    }

    /// Iterations begin with a narrow window about the last score (Slate and Atkin, Chess 4.5).
    Aspiration {
        /// Half the width of the first window, centipawns.
        window: 14,
        /// The first iteration that uses one.
        min_depth: 5,
        /// The greatest half width, centipawns. A window doubles while the score lies outside; past
        /// this width it is open.
        max: 1_000,
    }

    /// If passing still reaches beta, a real move will too (Beal; Donninger, "Null move and deep
    /// search").
    ///
    /// The verification is Plenkner's ("A null-move technique impervious to zugzwang", ICCA Journal
    /// 18(2), 1995).
    NullMove {
        /// The least depth, plies.
        min_depth: 3,
        /// The reduction, plies.
        reduction: 4,
        /// Depth, in plies, for each further ply of reduction.
        depth_divisor: 4,
        /// Centipawns above beta for each further ply of reduction.
        evaluation_divisor: 200,
        /// The greatest number of plies of reduction for centipawns above beta.
        evaluation_most: 3,
        /// The distance that the static evaluation may lie below beta, centipawns.
        margin: 100,
        /// From this depth on, a cutoff is verified by a search without null moves.
        verify_depth: 14,
    }

    /// Far above beta, a shallow node is not searched (Chess Programming Wiki, "Reverse Futility
    /// Pruning"; also called static null move).
    ReverseFutility {
        /// The greatest depth, plies.
        max_depth: 8,
        /// Centipawns above beta, per ply.
        margin: 110,
    }

    /// Far below alpha, a shallow node is left to the quiescence search (Birmingham and Kent).
    Razoring {
        /// The greatest depth, plies.
        max_depth: 2,
        /// Centipawns below alpha, per ply.
        margin: 250,
    }

    /// Quiet moves that cannot lift the static evaluation to alpha are skipped (Schaeffer; Heinz).
    Futility {
        /// The greatest depth that is left after reductions, plies.
        max_depth: 7,
        /// Centipawns below alpha at depth 0.
        base: 70,
        /// Further centipawns for each ply.
        margin: 75,
    }

    /// At a shallow node, the quiet moves after the first few are skipped (Chess Programming Wiki,
    /// "Futility Pruning", by the count of moves).
    LateMovePruning {
        /// The greatest depth, plies.
        max_depth: 8,
        /// The number of moves searched at depth 0. It grows with the square of the depth.
        base: 4,
    }

    /// Moves that lose too much material by static exchange are skipped at shallow nodes (Chess
    /// Programming Wiki, "Static Exchange Evaluation").
    ExchangePruning {
        /// The greatest depth, plies.
        max_depth: 8,
        /// Centipawns that a quiet move may lose, per ply.
        quiet_margin: 60,
        /// Centipawns that a capture may lose, per ply.
        capture_margin: 110,
    }

    /// Late quiet moves are searched less deeply first (Romstad, "An introduction to late move
    /// reductions"). The reduction is `base + ln(depth) ln(number) / divisor`.
    LateMoveReductions {
        /// The least depth, plies.
        min_depth: 3,
        /// The number of moves that are searched in full first.
        min_moves: 2,
        /// The constant part, hundredths of a ply.
        base: 100,
        /// The divisor, hundredths.
        divisor: 300,
        /// Further reduction where a cutoff is expected, hundredths of a ply.
        cut_node: 100,
        /// Further reduction where the side to move stands no better than at its last turn,
        /// hundredths.
        not_improving: 60,
        /// Less reduction in an open window, hundredths of a ply.
        open_window: 100,
        /// Less reduction for a killer or countermove, hundredths of a ply.
        refutation: 100,
        /// Less reduction for a capture that loses material, hundredths of a ply.
        losing_capture: 100,
        /// Less reduction for a move that gives check or answers one, hundredths of a ply.
        check: 100,
        /// The history record for which the reduction is one ply less.
        history_divisor: 7_000,
    }

    /// A move that gives check and loses little is searched one ply deeper (Chess Programming Wiki,
    /// "Check Extensions").
    CheckExtension {
        /// The least depth, plies.
        min_depth: 1,
        /// The greatest loss by static exchange, centipawns.
        margin: 0,
    }

    /// A move that brings a pawn to the seventh rank is searched one ply deeper (Chess Programming
    /// Wiki, "Passed Pawn Extensions").
    PawnExtension {
        /// The least depth, plies.
        min_depth: 1,
    }

    /// A node with a single legal move is searched one ply deeper (Chess Programming Wiki, "One
    /// Reply Extensions").
    OneReplyExtension {
        /// The least depth, plies.
        min_depth: 1,
    }

    /// A node is searched one ply deeper if a single legal move loses no material by static
    /// exchange. It is the "one non-losing move" of Pokharel's review.
    OneSafeReplyExtension {
        /// The least depth, plies.
        min_depth: 1,
        /// The greatest loss of a move that counts as losing nothing, centipawns.
        margin: 0,
    }

    /// A table move far better than all others is searched one ply deeper (Anantharaman, Campbell
    /// and Hsu). In this form a reduced search below the table score tests the others.
    SingularExtension {
        /// The least depth, plies.
        min_depth: 7,
        /// The number of plies by which the table's search may be shallower.
        depth_slack: 3,
        /// The distance of the test below the table score, hundredths of a centipawn per ply.
        margin: 200,
        /// The distance below that test for a second ply, centipawns; not in an open window.
        double_margin: 100,
    }

    /// A node without a table move is searched one ply less deeply (Rebel's replacement for
    /// internal iterative deepening).
    InternalReduction {
        /// The least depth, plies.
        min_depth: 4,
    }

    /// The first plies of quiescence also try quiet moves that give check and lose no material
    /// (Chess Programming Wiki, "Quiescence Search").
    QuietChecks {
        /// The number of these plies.
        plies: 1,
    }

    /// In quiescence, captures that cannot reach alpha are skipped (Chess Programming Wiki, "Delta
    /// Pruning").
    DeltaPruning {
        /// Centipawns added to the victim's value.
        margin: 160,
    }
}
