//! Every technique of the engine: a switch and its numbers. The table `[engine]` of an experiment.

use super::evaluation::Evaluation;
use super::techniques::{
    Aspiration, CheckExtension, DeltaPruning, EvaluationCorrection, ExchangePruning, Futility, HistoryRecords,
    InternalReduction, LateMovePruning, LateMoveReductions, NullMove, QuietChecks, Razoring,
    ReverseFutility, SingularExtension, technique,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

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
    /// Moves are tried in the order of the static evaluation of what they lead to, and in no other (the MPI study).
    pub evaluated_moves: bool,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub history: HistoryRecords,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub evaluation_correction: EvaluationCorrection,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub aspiration: Aspiration,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub null_move: NullMove,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub reverse_futility: ReverseFutility,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub razoring: Razoring,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub futility: Futility,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub late_move_pruning: LateMovePruning,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub exchange_pruning: ExchangePruning,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub late_move_reductions: LateMoveReductions,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub check_extension: CheckExtension,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub singular_extension: SingularExtension,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub internal_reduction: InternalReduction,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
    pub quiet_checks: QuietChecks,
    #[allow(missing_docs)]
    #[serde(deserialize_with = "technique")]
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
            evaluated_moves: false,
            history: HistoryRecords::default(),
            evaluation_correction: EvaluationCorrection::default(),
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
                evaluation_correction: EvaluationCorrection::off(),
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

    /// What differs from the preset, each as `key = value`.
    pub fn changes(&self) -> Vec<String> {
        let table = |features: &Features| toml::Table::try_from(features).unwrap_or_default();
        differing("", &table(self), &table(&Features::preset(self.preset)))
    }

    /// What the number with this key, in the table of a technique, can be.
    pub fn range(key: &str) -> RangeInclusive<i32> {
        let divides = key.ends_with("divisor") || key == "window" || key == "reduction";
        i32::from(divides)..=32_000
    }

    /// Refuses numbers outside their range and combinations that make no sense.
    fn check(&self) -> Result<(), String> {
        for (technique, numbers) in [
            ("history", self.history.numbers()),
            ("evaluation_correction", self.evaluation_correction.numbers()),
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
                let range = Features::range(key);
                if !range.contains(&value) {
                    return Err(format!(
                        "`{technique}.{key}` is {value}; it must lie between {} and {}",
                        range.start(),
                        range.end()
                    ));
                }
            }
        }
        let Aspiration { window, max, .. } = self.aspiration;
        if window > max {
            return Err(format!(
                "`aspiration.window` is {window}, more than `aspiration.max`: {max}"
            ));
        }
        let windowed = [
            ("principal_variation_search", self.principal_variation_search),
            ("quiescence", self.quiescence),
            ("table_cutoffs", self.table_cutoffs),
            ("mate_distance", self.mate_distance),
            ("evaluation_correction", self.evaluation_correction.enabled),
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

fn differing(tables: &str, own: &toml::Table, other: &toml::Table) -> Vec<String> {
    use toml::Value::Table;
    let changes = own.iter().flat_map(|(key, value)| match (value, other.get(key)) {
        (Table(own), Some(Table(other))) => differing(&format!("{tables}{key}."), own, other),
        (value, other) if other != Some(value) => vec![format!("{tables}{key} = {value}")],
        _ => Vec::new(),
    });
    changes.collect()
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
        assert_eq!(features.changes(), ["null_move.enabled = true"]);
        assert!(Features::default().changes().is_empty());
    }

    #[test]
    fn a_switch_alone_stands_for_the_technique() {
        let features = resolve("null_move = false\nhistory = false").expect("good");
        assert_eq!(features.null_move, NullMove::off());
        assert_eq!(features.history, HistoryRecords::off());
        assert_eq!(resolve("history = true"), Ok(Features::default()));
        let error = resolve("history = 1").expect_err("neither");
        assert!(error.contains("true, false or a table"), "{error}");
        let error = resolve("history = { squares = 1 }").expect_err("no key");
        assert!(error.contains("`squares`") && error.contains("`square`"), "{error}");
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
        assert!(
            resolve("aspiration = { max = 13 }").is_err_and(|e| e.contains("`aspiration.max`"))
        );
        assert!(resolve("alpha_beta = false").is_err_and(|e| e.contains("minimax")));
        assert!(resolve("preset = \"plain\"\nalpha_beta = false").is_ok_and(|f| !f.alpha_beta));
    }
}
