//! Every technique of the engine: a switch and its numbers. The table `[engine]` of an experiment.

use super::evaluation::Evaluation;
use serde::{Deserialize, Serialize};

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

        impl $name {
            /// The technique switched off.
            pub fn off() -> $name {
                $name { enabled: false, ..$name::default() }
            }

            fn numbers(&self) -> Vec<(&'static str, i32)> {
                vec![$((stringify!($field), self.$field),)*]
            }
        }
    };
}

technique! {
    /// Iterations begin with a narrow window about the last score (Slate and Atkin, Chess 4.5).
    Aspiration {
        /// Half the width of the first window, centipawns.
        window: 14,
        /// The first iteration that uses one.
        min_depth: 5,
    }
}

technique! {
    /// If passing still reaches beta, a real move will too (Beal; Donninger, "Null move and deep
    /// search").
    NullMove {
        /// Least depth, plies.
        min_depth: 3,
        /// Reduction, plies.
        reduction: 4,
        /// One more ply of reduction for so many plies of depth.
        depth_divisor: 4,
        /// One more ply of reduction for so many centipawns above beta (at most three).
        evaluation_divisor: 200,
        /// How far the static evaluation itself may lie below beta, centipawns.
        margin: 100,
        /// From this depth on a cutoff is verified by a search without null moves.
        verify_depth: 14,
    }
}

technique! {
    /// Far above beta a shallow node is not searched (static null move).
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
        base: 100,
        /// Centipawns more per ply.
        margin: 90,
    }
}

technique! {
    /// After enough quiet moves at a shallow node the rest are skipped.
    LateMovePruning {
        /// Greatest depth, plies.
        max_depth: 8,
        /// Moves searched at depth 0; grows with the square of the depth.
        base: 4,
    }
}

technique! {
    /// Moves that lose too much material by static exchange are skipped at shallow nodes.
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
        losing_capture: 200,
        /// Less for a move that gives check or answers one, hundredths.
        check: 100,
        /// One ply less for so much history.
        history_divisor: 7_000,
    }
}

technique! {
    /// A move that gives check and loses little is searched one ply deeper.
    CheckExtension {
        /// Least depth, plies.
        min_depth: 1,
        /// Centipawns that it may lose by static exchange.
        margin: 0,
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
    /// The first plies of quiescence also try quiet moves that give check and lose no material.
    QuietChecks {
        /// So many plies of it.
        plies: 1,
    }
}

technique! {
    /// In quiescence, captures that cannot reach alpha are skipped.
    DeltaPruning {
        /// Centipawns added to the victim's value.
        margin: 160,
    }
}

/// Every technique. `[engine]` gives a `preset` and what differs from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Features {
    /// The set that the other keys change.
    pub preset: Preset,
    /// How positions are valued.
    pub evaluation: Evaluation,
    /// Cut off at beta; without it every technique that needs a window is off: minimax.
    pub alpha_beta: bool,
    /// Younger brothers are tried with a null window first (Marsland and Campbell).
    pub principal_variation_search: bool,
    /// Captures are searched to their end; without it leaves are valued as they stand.
    pub quiescence: bool,
    /// In quiescence, captures that lose material by static exchange are skipped.
    pub quiescence_exchange: bool,
    /// A table entry deep enough ends a node (without it the table only orders moves).
    pub table_cutoffs: bool,
    /// Mates longer than the shortest one found are not searched.
    pub mate_distance: bool,
    /// Two quiet moves that cut off at this ply are tried early (Akl and Newborn).
    pub killers: bool,
    /// The quiet move that refuted the last one is tried early (Uiterwijk).
    pub countermoves: bool,
    /// Quiet moves are ordered by what they did elsewhere (Schaeffer).
    pub history: bool,
    #[allow(missing_docs)]
    pub aspiration: Aspiration,
    #[allow(missing_docs)]
    pub null_move: NullMove,
    #[allow(missing_docs)]
    pub reverse_futility: ReverseFutility,
    #[allow(missing_docs)]
    pub razoring: Razoring,
    #[allow(missing_docs)]
    pub futility: Futility,
    #[allow(missing_docs)]
    pub late_move_pruning: LateMovePruning,
    #[allow(missing_docs)]
    pub exchange_pruning: ExchangePruning,
    #[allow(missing_docs)]
    pub late_move_reductions: LateMoveReductions,
    #[allow(missing_docs)]
    pub check_extension: CheckExtension,
    #[allow(missing_docs)]
    pub singular_extension: SingularExtension,
    #[allow(missing_docs)]
    pub internal_reduction: InternalReduction,
    #[allow(missing_docs)]
    pub quiet_checks: QuietChecks,
    #[allow(missing_docs)]
    pub delta_pruning: DeltaPruning,
}

/// A set of techniques.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The engine as it plays.
    #[default]
    Default,
    /// Nothing that depends on alpha or the table: every correct searcher returns the same score.
    Exact,
    /// Alpha-beta with move ordering, and nothing else; with `alpha_beta = false` it is minimax.
    Plain,
}

impl Default for Features {
    fn default() -> Features {
        Features::preset(Preset::Default)
    }
}

impl Features {
    /// A set of techniques.
    pub fn preset(preset: Preset) -> Features {
        let on = Features {
            preset,
            evaluation: Evaluation::Full,
            alpha_beta: true,
            principal_variation_search: true,
            quiescence: true,
            quiescence_exchange: true,
            table_cutoffs: true,
            mate_distance: true,
            killers: true,
            countermoves: true,
            history: true,
            aspiration: Aspiration::default(),
            null_move: NullMove::default(),
            reverse_futility: ReverseFutility::default(),
            // Measured: it loses ten solved positions of `win-at-chess` and saves few nodes.
            razoring: Razoring::off(),
            futility: Futility::default(),
            late_move_pruning: LateMovePruning::default(),
            exchange_pruning: ExchangePruning::default(),
            late_move_reductions: LateMoveReductions::default(),
            check_extension: CheckExtension::default(),
            singular_extension: SingularExtension::default(),
            internal_reduction: InternalReduction::default(),
            quiet_checks: QuietChecks::default(),
            delta_pruning: DeltaPruning::default(),
        };
        match preset {
            Preset::Default => on,
            Preset::Exact | Preset::Plain => Features {
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

    /// Reads `[engine]`: `preset`, and what differs from it.
    ///
    /// # Errors
    /// A message that names the key and what was expected.
    pub fn resolve(table: &toml::Table) -> Result<Features, String> {
        let message = |e: toml::de::Error| e.message().to_owned();
        let given: Features = table.clone().try_into().map_err(message)?;
        let preset = toml::Table::try_from(Features::preset(given.preset))
            .map_err(|e| format!("preset: {e}"))?;
        let features: Features = merge(preset, table).try_into().map_err(message)?;
        features.check()?;
        Ok(features)
    }

    /// Refuses numbers outside their range and combinations that make no sense.
    fn check(&self) -> Result<(), String> {
        for (technique, numbers) in [
            ("aspiration", self.aspiration.numbers()),
            ("null_move", self.null_move.numbers()),
            ("reverse_futility", self.reverse_futility.numbers()),
            ("razoring", self.razoring.numbers()),
            ("futility", self.futility.numbers()),
            ("late_move_pruning", self.late_move_pruning.numbers()),
            ("exchange_pruning", self.exchange_pruning.numbers()),
            ("late_move_reductions", self.late_move_reductions.numbers()),
            ("check_extension", self.check_extension.numbers()),
            ("singular_extension", self.singular_extension.numbers()),
            ("internal_reduction", self.internal_reduction.numbers()),
            ("quiet_checks", self.quiet_checks.numbers()),
            ("delta_pruning", self.delta_pruning.numbers()),
        ] {
            for (key, value) in numbers {
                let least =
                    i32::from(key.ends_with("divisor") || key == "window" || key == "reduction");
                if !(least..=32_000).contains(&value) {
                    return Err(format!(
                        "`{technique}.{key}` is {value}; it must lie between {least} and 32000"
                    ));
                }
            }
        }
        let windowed = [
            ("principal_variation_search", self.principal_variation_search),
            ("quiescence", self.quiescence),
            ("table_cutoffs", self.table_cutoffs),
            ("mate_distance", self.mate_distance),
            ("aspiration", self.aspiration.enabled),
            ("null_move", self.null_move.enabled),
            ("reverse_futility", self.reverse_futility.enabled),
            ("razoring", self.razoring.enabled),
            ("futility", self.futility.enabled),
            ("late_move_pruning", self.late_move_pruning.enabled),
            ("exchange_pruning", self.exchange_pruning.enabled),
            ("late_move_reductions", self.late_move_reductions.enabled),
            ("singular_extension", self.singular_extension.enabled),
            ("delta_pruning", self.delta_pruning.enabled),
        ];
        match windowed.iter().find(|(_, on)| *on && !self.alpha_beta) {
            Some((name, _)) => Err(format!(
                "`alpha_beta = false` is minimax, which has no window: `{name}` must be off too \
                 (start from preset = \"plain\")"
            )),
            None => Ok(()),
        }
    }
}

fn merge(mut base: toml::Table, over: &toml::Table) -> toml::Table {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(over)) => {
                *inner = merge(std::mem::take(inner), over);
            }
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(text: &str) -> Result<Features, String> {
        Features::resolve(&text.parse().expect("TOML"))
    }

    #[test]
    fn a_preset_and_what_differs() {
        let features = resolve("preset = \"exact\"\nnull_move = { enabled = true }").expect("good");
        assert!(features.null_move.enabled && !features.razoring.enabled);
        assert_eq!(features.null_move.reduction, NullMove::default().reduction);
        assert_eq!(resolve(""), Ok(Features::default()));
    }

    #[test]
    fn what_is_written_out_reads_back() {
        for preset in [Preset::Default, Preset::Exact, Preset::Plain] {
            let features = Features::preset(preset);
            let table = toml::Table::try_from(&features).expect("a table");
            assert_eq!(Features::resolve(&table), Ok(features));
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        assert!(resolve("nul_move = {}").is_err_and(|e| e.contains("nul_move")));
        assert!(resolve("null_move = { reduction = 0 }").is_err_and(|e| e.contains("reduction")));
        assert!(resolve("alpha_beta = false").is_err_and(|e| e.contains("minimax")));
        assert!(resolve("preset = \"plain\"\nalpha_beta = false").is_ok_and(|f| !f.alpha_beta));
    }
}
