//! The consequences of a choice in `[engine]`: techniques that have no meaning beside it.
//!
//! Such a technique goes off with the choice. Whoever asks for both gets an error. So every
//! technique that is on does something.

use super::{Evaluation, MoveOrder, RootSearch, TableScheme, Techniques};
use crate::value::{Table, Value, ValueError, over, read, table_of};

/// A choice, and the techniques that have no meaning beside it.
struct Consequence {
    /// Whether it was chosen.
    holds: fn(&Techniques) -> bool,
    /// The choice, and its meaning, in words for an error message.
    why: &'static str,
    /// The keys of these techniques.
    without_meaning: &'static [&'static str],
}

/// All consequences, in the order in which they are applied: an earlier one may switch off a
/// technique that a later one looks at.
const CONSEQUENCES: &[Consequence] = &[
    Consequence {
        holds: |f| !f.alpha_beta,
        why: "alpha_beta = false is minimax, which has no window and no cutoff",
        without_meaning: &[
            "deep_cutoffs",
            "principal_variation_search",
            "quiescence",
            "table_cutoffs",
            "mate_distance",
            "killers",
            "countermoves",
            "history",
            "pawn_history",
            "aspiration",
            "null_move",
            "reverse_futility",
            "razoring",
            "futility",
            "late_move_pruning",
            "exchange_pruning",
            "late_move_reductions",
            "singular_extension",
            "internal_reduction",
            "delta_pruning",
        ],
    },
    Consequence {
        holds: |f| !f.alpha_beta && !f.beam.enabled,
        why: "alpha_beta = false searches all moves, whatever their order, where there is no beam",
        without_meaning: &["table_move", "exchange_ordering", "refutation_table"],
    },
    Consequence {
        holds: |f| !f.deep_cutoffs,
        why: "deep_cutoffs = false gives a node one limit, and so no narrow window",
        without_meaning: &["principal_variation_search", "aspiration"],
    },
    Consequence {
        holds: |f| f.evaluation != Evaluation::Full,
        why: "evaluation is not \"full\", and has no such term",
        without_meaning: &["pawn_structure", "mobility", "king_safety"],
    },
    Consequence {
        holds: |f| !matches!(f.evaluation, Evaluation::Full | Evaluation::MaterialSquares),
        why: "evaluation is material, which has neither squares nor phases",
        without_meaning: &["piece_squares", "tapering"],
    },
    Consequence {
        holds: |f| f.root_search == RootSearch::MtdF,
        why: "all windows of root_search = \"mtd-f\" are null already",
        without_meaning: &["principal_variation_search", "aspiration"],
    },
    Consequence {
        holds: |f| !f.iterative_deepening,
        why: "iterative_deepening = false leaves no score to begin a window about, and no line",
        without_meaning: &["aspiration", "refutation_table"],
    },
    Consequence {
        holds: |f| !f.quiescence,
        why: "quiescence = false leaves no quiescence search",
        without_meaning: &[
            "quiescence_exchange",
            "quiet_checks",
            "quiescence_pushes",
            "delta_pruning",
            "razoring",
        ],
    },
    Consequence {
        holds: |f| f.table == TableScheme::None,
        why: "table = \"none\" leaves no table that knows a move or a score",
        without_meaning: &[
            "table_cutoffs",
            "table_move",
            "singular_extension",
            "internal_reduction",
        ],
    },
    Consequence {
        holds: |f| f.ordering != MoveOrder::Full,
        why: "ordering is not \"full\", and this is a part of that order alone",
        without_meaning: &[
            "table_move",
            "exchange_ordering",
            "killers",
            "countermoves",
            "refutation_table",
        ],
    },
    Consequence {
        holds: |f| !f.table_move,
        why: "the table's move is not tried first, and only the first move is tested for being \
              singular",
        without_meaning: &["singular_extension"],
    },
    Consequence {
        holds: |f| f.ordering != MoveOrder::Full && !f.late_move_reductions.enabled,
        why: "ordering is not \"full\", late_move_reductions are off, and nothing else reads the \
              history",
        without_meaning: &["history", "pawn_history"],
    },
    Consequence {
        holds: |f| !f.history.enabled,
        why: "history = false leaves no records of quiet moves",
        without_meaning: &["pawn_history"],
    },
    Consequence {
        holds: |f| matches!(f.ordering, MoveOrder::None | MoveOrder::Random),
        why: "ordering has an order in which no part of the moves is the better one",
        without_meaning: &["beam"],
    },
];

/// Switches off the techniques that have no meaning beside the choices.
///
/// # Errors
/// If `said` switches on one of them: its key and the reason. Also if MTD(f) is chosen without
/// alpha-beta or without a table.
pub(super) fn draw(techniques: &mut Techniques, said: &Table) -> Result<(), ValueError> {
    let impossible = [
        (!techniques.alpha_beta, "alpha_beta = false, which is minimax and has no window"),
        (!techniques.deep_cutoffs, "deep_cutoffs = false, which has no null window"),
        (techniques.table == TableScheme::None, "table = \"none\", since MTD(f) needs a memory"),
    ];
    if techniques.root_search == RootSearch::MtdF
        && let Some((_, why)) = impossible.into_iter().find(|(holds, _)| *holds)
    {
        let what = format!("`root_search` is \"mtd-f\": \"windows\" expected with {why}");
        return Err(ValueError::at(&["root_search"], what));
    }
    for Consequence { holds, why, without_meaning } in CONSEQUENCES {
        if !holds(techniques) {
            continue;
        }
        let all = table_of(techniques)?;
        if let Some(key) = without_meaning.iter().find(|key| is_on(&all, key) && is_on(said, key)) {
            let what = format!("`{key}` is on, off expected: {why}");
            return Err(ValueError::at(&[key], what));
        }
        let off = without_meaning.iter().map(|key| ((*key).to_owned(), false.into()));
        *techniques = read(over(all, &off.collect()))?;
    }
    Ok(())
}

/// Whether a table switches on the technique with this key.
fn is_on(table: &Table, key: &str) -> bool {
    let enabled = match table.get(key) {
        Some(Value::Table(technique)) => technique.get("enabled"),
        switch => switch,
    };
    enabled == Some(&Value::Boolean(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Preset;

    fn resolve(text: &str) -> Result<Techniques, String> {
        Techniques::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn presets_have_nothing_on_that_does_nothing() {
        for preset in [Preset::Default, Preset::Exact, Preset::Plain] {
            let mut techniques = Techniques::preset(preset);
            draw(&mut techniques, &Table::new()).expect("nothing is refused");
            assert_eq!(techniques, Techniques::preset(preset));
        }
    }

    /// One key is enough: it switches any technique of any preset off, or makes any choice.
    #[test]
    fn one_key_is_enough() {
        let every = table_of(&Techniques::default()).expect("a table");
        for preset in ["default", "exact", "plain"] {
            let choose = |key: &str, value: Value| {
                let first = ("preset".to_owned(), Value::String(preset.to_owned()));
                let said = Table::from_iter([first, (key.to_owned(), value)]);
                Techniques::resolve(&said).unwrap_or_else(|why| panic!("{preset} {key}: {why}"));
            };
            for (key, value) in &every {
                match value {
                    Value::Boolean(_) | Value::Table(_) => choose(key, Value::Boolean(false)),
                    _ => choose(key, value.clone()),
                }
            }
            for order in ["mvv-lva", "static-evaluation", "none", "random"] {
                choose("ordering", order.into());
            }
            for scheme in ["aged-1", "aged-8", "always", "depth-preferred", "none"] {
                choose("table", scheme.into());
            }
            choose("root_search", "mtd-f".into());
        }
    }

    #[test]
    fn what_loses_its_meaning_goes_off() {
        let off = |text: &str, key: &str| {
            let techniques = resolve(text).expect(text);
            !is_on(&table_of(&techniques).expect("a table"), key)
        };
        for (text, key) in [
            ("alpha_beta = false", "null_move"),
            ("alpha_beta = false", "deep_cutoffs"),
            ("deep_cutoffs = false", "principal_variation_search"),
            ("quiescence = false", "quiescence_pushes"),
            ("iterative_deepening = false", "refutation_table"),
            ("evaluation = \"material-squares\"", "king_safety"),
            ("evaluation = \"material\"", "tapering"),
            ("alpha_beta = false", "quiet_checks"),
            ("alpha_beta = false", "killers"),
            ("alpha_beta = false", "countermoves"),
            ("alpha_beta = false", "history"),
            ("alpha_beta = false", "pawn_history"),
            ("history = false", "pawn_history"),
            ("alpha_beta = false", "internal_reduction"),
            ("alpha_beta = false", "table_move"),
            ("alpha_beta = false", "exchange_ordering"),
            ("root_search = \"mtd-f\"", "aspiration"),
            ("iterative_deepening = false", "aspiration"),
            ("table = \"none\"", "table_move"),
            ("table_move = false", "singular_extension"),
            ("ordering = \"mvv-lva\"", "killers"),
            ("ordering = \"none\"\nlate_move_reductions = false", "history"),
        ] {
            assert!(off(text, key), "{text}: {key}");
            let asked = format!("{text}\n{key} = true");
            let refused = resolve(&asked).expect_err(&asked);
            assert!(refused.starts_with(&format!("`{key}` is on")), "{refused}");
            // The written table holds all consequences, and reads back as the same techniques.
            let techniques = resolve(text).expect(text);
            let written = table_of(&techniques).expect("a table");
            assert_eq!(Techniques::resolve(&written), Ok(techniques));
        }
        // A technique that was on before goes off with the one that it needs.
        let on = "pawn_history = true";
        for text in ["history = false", "ordering = \"none\"\nlate_move_reductions = false"] {
            let [on, said] = [on, text].map(|text| toml::from_str(text).expect("TOML"));
            let drawn = Techniques::resolve_over(&on, &said).expect("good");
            assert!(!drawn.pawn_history, "{text}");
        }
        assert!(!off("ordering = \"none\"", "history"), "reductions read it");
        let beam = "alpha_beta = false\nbeam = true";
        assert!(
            !off(beam, "table_move") && !off(beam, "exchange_ordering"),
            "they choose the beam"
        );
        assert!(!off("table_move = false", "internal_reduction"), "the table still knows a move");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_the_reason() {
        for (text, why) in [
            ("root_search = \"mtd-f\"\ntable = \"none\"", "needs a memory"),
            ("root_search = \"mtd-f\"\nalpha_beta = false", "minimax"),
            ("root_search = \"mtd-f\"\ndeep_cutoffs = false", "no null window"),
            ("ordering = \"none\"\nbeam = true", "no part of the moves is the better one"),
            ("ordering = \"random\"\nbeam = { enabled = true, percent = 30 }", "`beam`"),
            ("preset = \"plain\"\ndelta_pruning = true", "no quiescence search"),
            ("preset = \"plain\"\nrazoring = true", "no quiescence search"),
        ] {
            let refused = resolve(text).expect_err(text);
            assert!(refused.contains(why), "{refused}");
        }
    }

    /// A variant's table stands over the whole table of its experiment. Techniques that the
    /// experiment has switched on do not count as asked for by the variant.
    #[test]
    fn a_variant_says_only_what_differs() {
        let table = |text: &str| -> Table { toml::from_str(text).expect("TOML") };
        let over =
            |before: &str, said: &str| Techniques::resolve_over(&table(before), &table(said));
        let techniques =
            over("killers = true", "ordering = \"none\"").expect("killers go off with it");
        assert_eq!(Ok(techniques), resolve("ordering = \"none\""));
        assert!(over("", "ordering = \"none\"\nkillers = true").is_err());
        assert!(over("ordering = \"none\"", "killers = true").is_err());
    }

    /// A technique that one choice has switched off comes back with another choice.
    #[test]
    fn a_variant_can_take_a_choice_back() {
        let table = |text: &str| -> Table { toml::from_str(text).expect("TOML") };
        for (before, said) in [
            ("quiescence = false", "quiescence = true"),
            ("alpha_beta = false", "alpha_beta = true"),
            ("ordering = \"none\"", "ordering = \"full\""),
            ("table = \"none\"", "table = \"aged\""),
            ("root_search = \"mtd-f\"", "root_search = \"windows\""),
        ] {
            let techniques = Techniques::resolve_over(&table(before), &table(said));
            assert_eq!(techniques, Ok(Techniques::default()), "{before}, {said}");
        }
        let numbers = "ordering = \"none\"\nnull_move = { enabled = false, reduction = 3 }";
        let said = "null_move = true\nbeam = { percent = 30 }";
        let techniques =
            Techniques::resolve_over(&table(numbers), &table(said)).expect("good techniques");
        assert!(techniques.null_move.enabled && techniques.null_move.reduction == 3);
        assert!(!techniques.beam.enabled, "numbers alone switch nothing on");
    }
}
