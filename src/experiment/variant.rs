//! Variants: our engine with other settings than the experiment's, as competitors in one sweep.

use serde::{Deserialize, Serialize};
use ttd_search::engine::Techniques;
use ttd_search::searchers::{Searcher, Settings};
use ttd_search::value::{Table, ValueError, over};

/// A partial variant: a table `[[variants]]` of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is the field of the same name of `Variant`")]
pub struct PartialVariant {
    pub name: Option<String>,
    pub searcher: Option<String>,
    pub engine: Option<Table>,
    pub parameters: Option<Table>,
}

/// Our engine with settings of its own: none of them is left to a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Variant {
    /// The name in files and output: no other competitor and no searcher has it.
    pub name: String,
    /// The searcher.
    pub searcher: Searcher,
    /// The techniques.
    pub engine: Techniques,
    /// The parameters of the searcher. Parameters of other searchers are the defaults, and not
    /// read.
    pub settings: Settings,
}

/// A variant as it is written in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    name: String,
    searcher: Searcher,
    engine: Techniques,
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    parameters: Table,
}

impl From<Variant> for Written {
    fn from(variant: Variant) -> Written {
        let Variant { name, searcher, engine, settings } = variant;
        Written { name, searcher, engine, parameters: settings.of(searcher) }
    }
}

impl TryFrom<Written> for Variant {
    type Error = ValueError;

    fn try_from(written: Written) -> Result<Variant, ValueError> {
        let Written { name, searcher, engine, parameters } = written;
        Ok(Variant { name, searcher, engine, settings: Settings::with(searcher, parameters)? })
    }
}

impl Variant {
    /// The techniques: the variant's keys override those of the experiment. A variant that names a
    /// preset begins with the preset, and not with the experiment's keys.
    ///
    /// # Errors
    /// The errors of [`Techniques::resolve_over`].
    pub(super) fn techniques(
        experiment_says: &Table,
        said: &Table,
    ) -> Result<Techniques, ValueError> {
        if said.contains_key("preset") {
            return Techniques::resolve(said);
        }
        Techniques::resolve_over(experiment_says, said)
    }

    /// The parameters: the variant's keys override those of the experiment.
    ///
    /// # Errors
    /// The errors of [`Settings::with`].
    pub(super) fn parameters(
        searcher: Searcher,
        of_experiment: &Settings,
        said: &Table,
    ) -> Result<Settings, ValueError> {
        Settings::with(searcher, over(of_experiment.of(searcher), said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;

    fn table(text: &str) -> Table {
        toml::from_str(text).expect("TOML")
    }

    #[test]
    fn what_is_not_said_is_the_experiments() {
        let experiment = table("killers = false\nnull_move = { reduction = 3 }");
        let said = table("null_move = false\nhistory = { max_depth = 5 }");
        let variant = Variant::techniques(&experiment, &said).expect("good techniques");
        assert!(!variant.killers.enabled && !variant.null_move.enabled);
        assert_eq!((variant.null_move.reduction, variant.history.max_depth), (3, 5));
        let plain = Variant::techniques(&experiment, &table("preset = \"plain\""))
            .expect("good techniques");
        assert!(plain.killers.enabled && plain.null_move.reduction != 3, "a preset begins anew");
    }

    #[test]
    fn parameters_are_over_those_of_the_searcher() {
        let mut experiment = Experiment::default();
        let ybwc = Searcher::named("ybwc");
        experiment.searcher = Settings::with(ybwc, table("eldest = 3")).expect("settings");
        let said = table("min_depth = 6");
        let settings = Variant::parameters(ybwc, &experiment.searcher, &said).expect("settings");
        assert_eq!(Settings::with(ybwc, table("eldest = 3\nmin_depth = 6")), Ok(settings.clone()));
        let variant = Variant {
            name: "x".to_owned(),
            searcher: ybwc,
            engine: Techniques::resolve(&table("killers = false")).expect("good techniques"),
            settings,
        };
        assert_eq!(
            variant.words(&experiment),
            ["ybwc", "killers.enabled = false", "min_depth = 6"]
        );
        let none = Variant::parameters(Searcher::baseline(), &experiment.searcher, &said);
        assert!(none.is_err_and(|why| why.what.starts_with("`min_depth` found, none expected")));
    }
}
