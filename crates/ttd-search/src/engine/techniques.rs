//! All techniques together: the keys of `[engine]`, and their values in each preset.

use super::technique::{
    Aspiration, Beam, CheckExtension, CorrectionHistory, DeltaPruning, Dither, ExchangePruning,
    Futility, HistoryRecords, InternalReduction, KillerMoves, LateMovePruning, LateMoveReductions,
    NullMove, OneReplyExtension, OneSafeReplyExtension, PawnExtension, QuietChecks, Razoring,
    ReverseFutility, SingularExtension, ValuesByDepth, technique,
};
use super::{Evaluation, MOST_KILLERS, MoveOrder, PieceValues, Preset, RootSearch, TableScheme};
use crate::value::{Table, Value, table_of};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Declares every key of `[engine]`, with its type and its value in the preset `default`. Keys
/// without a text are techniques with numbers: the types have the text.
macro_rules! keys {
    (
        $($(#[$doc:meta])+ $key:ident: $type:ty = $usual:expr;)*
        $($technique:ident: $numbers:ty = $state:expr;)*
    ) => {
        /// Every technique. `[engine]` gives a `preset` and the differences from it.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Techniques {
            $($(#[$doc])+ pub $key: $type,)*
            $(
                #[allow(missing_docs)]
                #[serde(deserialize_with = "technique")]
                pub $technique: $numbers,
            )*
        }

        impl Default for Techniques {
            fn default() -> Techniques {
                Techniques { $($key: $usual,)* $($technique: $state,)* }
            }
        }

        impl Techniques {
            /// The numbers of each technique, with the keys of both.
            pub(super) fn numbers(&self) -> Vec<(&'static str, Vec<(&'static str, i32)>)> {
                vec![$((stringify!($technique), self.$technique.numbers()),)*]
            }
        }
    };
}

keys! {
    /// The preset that the other keys change.
    preset: Preset = Preset::Default;
    /// The way in which positions are valued.
    evaluation: Evaluation = Evaluation::Full;
    /// The values of the pieces.
    piece_values: PieceValues = PieceValues::Own;
    /// The value of a piece depends on its square.
    piece_squares: bool = true;
    /// Values change from the middlegame to the endgame. Without it the middlegame's hold always.
    tapering: bool = true;
    /// The terms of pawns: weak ones, protected ones and passed ones.
    pawn_structure: bool = true;
    /// A piece is worth more with more squares to go to.
    mobility: bool = true;
    /// The terms of kings: their shelter, and attacks on them.
    king_safety: bool = true;
    /// Cut off at beta (Knuth and Moore, "An analysis of alpha-beta pruning", 1975).
    ///
    /// Without it the search is minimax (Shannon, "Programming a computer for playing chess",
    /// 1950), and every technique that needs a window is off.
    alpha_beta: bool = true;
    /// A node inherits both limits of its window. Without it a node knows the limit of its parent
    /// alone: F1 of Knuth and Moore, branch and bound with one limit.
    deep_cutoffs: bool = true;
    /// Younger brothers are tried with a null window first (Marsland and Campbell).
    principal_variation_search: bool = true;
    /// The way in which the root is searched to a depth.
    root_search: RootSearch = RootSearch::Windows;
    /// The root is searched to depth 1, 2 and so on (Slate and Atkin, Chess 4.5). Without it the
    /// root is searched to the last depth at once.
    iterative_deepening: bool = true;
    /// Captures are searched to their end (Shannon, 1950). Without it leaves are valued as they
    /// stand.
    quiescence: bool = true;
    /// In quiescence, captures that lose material by static exchange are skipped (Chess Programming
    /// Wiki, "Static Exchange Evaluation").
    quiescence_exchange: bool = true;
    /// In quiescence, pawn moves to the seventh rank are tried after the captures (Björnsson and
    /// Marsland, by Pokharel's review).
    quiescence_pushes: bool = false;
    /// The entry of the transposition table that gives way to a new one; or no table at all.
    table: TableScheme = TableScheme::Aged;
    /// A table entry that is deep enough ends a node.
    ///
    /// Without it the table still orders moves and sharpens evaluations. Singular extension and
    /// internal reduction read it too. The quiescence search does not use it.
    table_cutoffs: bool = true;
    /// Mates longer than the shortest one found are not searched (Chess Programming Wiki, "Mate
    /// Distance Pruning").
    mate_distance: bool = true;
    /// The order in which moves are tried. The techniques from here to `refutation_table`, and the
    /// killers, are parts of the order `full` alone.
    ordering: MoveOrder = MoveOrder::Full;
    /// The table's move is tried first (Slate and Atkin, Chess 4.5).
    table_move: bool = true;
    /// Captures that lose material by static exchange are tried last (Chess Programming Wiki,
    /// "Static Exchange Evaluation"). Without it victim and attacker alone decide their place.
    exchange_ordering: bool = true;
    /// The quiet move that refuted the last move is tried early (Uiterwijk).
    countermoves: bool = true;
    /// Quiet moves have records by the pawns of the position too (the pawn history of Stockfish;
    /// Chess Programming Wiki, "History Heuristic").
    pawn_history: bool = false;
    /// The reply that refuted a root move is tried first where the table knows no move (Akl and
    /// Newborn's refutation table). So is the principal variation.
    refutation_table: bool = false;
    killers: KillerMoves = KillerMoves::default();
    history: HistoryRecords = HistoryRecords::default();
    dither: Dither = Dither::off();
    values_by_depth: ValuesByDepth = ValuesByDepth::off();
    correction_history: CorrectionHistory = CorrectionHistory::off();
    beam: Beam = Beam::off();
    aspiration: Aspiration = Aspiration::default();
    null_move: NullMove = NullMove::default();
    reverse_futility: ReverseFutility = ReverseFutility::default();
    // Razoring was measured: it loses ten solved positions of `win-at-chess` and saves few
    // nodes.
    razoring: Razoring = Razoring::off();
    futility: Futility = Futility::default();
    late_move_pruning: LateMovePruning = LateMovePruning::default();
    exchange_pruning: ExchangePruning = ExchangePruning::default();
    late_move_reductions: LateMoveReductions = LateMoveReductions::default();
    check_extension: CheckExtension = CheckExtension::off();
    pawn_extension: PawnExtension = PawnExtension::off();
    one_reply_extension: OneReplyExtension = OneReplyExtension::off();
    one_safe_reply_extension: OneSafeReplyExtension = OneSafeReplyExtension::off();
    singular_extension: SingularExtension = SingularExtension::default();
    internal_reduction: InternalReduction = InternalReduction::default();
    quiet_checks: QuietChecks = QuietChecks::default();
    delta_pruning: DeltaPruning = DeltaPruning::default();
}

impl Techniques {
    /// The techniques of a preset.
    pub fn preset(preset: Preset) -> Techniques {
        let on = Techniques { preset, ..Techniques::default() };
        match preset {
            Preset::Default => on,
            Preset::Exact | Preset::Plain => Techniques {
                table_cutoffs: false,
                principal_variation_search: preset == Preset::Exact,
                quiescence: preset == Preset::Exact,
                quiescence_exchange: false,
                mate_distance: false,
                aspiration: Aspiration::off(),
                null_move: NullMove::off(),
                reverse_futility: ReverseFutility::off(),
                razoring: Razoring::off(),
                futility: Futility::off(),
                late_move_pruning: LateMovePruning::off(),
                exchange_pruning: ExchangePruning::off(),
                late_move_reductions: LateMoveReductions::off(),
                check_extension: CheckExtension {
                    enabled: preset == Preset::Exact,
                    ..CheckExtension::default()
                },
                singular_extension: SingularExtension::off(),
                internal_reduction: InternalReduction::off(),
                quiet_checks: QuietChecks::off(),
                delta_pruning: DeltaPruning::off(),
                ..on
            },
        }
    }

    /// The differences from the preset, each as `key = value`.
    pub fn changes(&self) -> Vec<String> {
        let table = |techniques: &Techniques| table_of(techniques).unwrap_or_default();
        differing("", &table(self), &table(&Techniques::preset(self.preset)))
    }

    /// The range of the number with this key, in the table of a technique.
    pub fn range(key: &str) -> RangeInclusive<i32> {
        if key == "count" {
            return 1..=MOST_KILLERS as i32;
        }
        let divides = key.ends_with("divisor");
        let least =
            i32::from(divides || ["window", "reduction", "percent", "least"].contains(&key));
        least..=if ["percent", "ageing"].contains(&key) { 100 } else { 32_000 }
    }
}

fn differing(tables: &str, own: &Table, other: &Table) -> Vec<String> {
    let changes = own.iter().flat_map(|(key, value)| match (value, other.get(key)) {
        (Value::Table(own), Some(Value::Table(other))) => {
            differing(&format!("{tables}{key}."), own, other)
        }
        (value, other) if other != Some(value) => vec![format!("{tables}{key} = {value}")],
        _ => Vec::new(),
    });
    changes.collect()
}
