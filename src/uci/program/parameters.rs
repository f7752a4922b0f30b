//! The keys of an experiment file below `[engine]` and `[searcher]` as options, for example
//! `engine.null_move.enabled`.
//!
//! The list is made from the defaults, written as TOML: so a new parameter is an option without a
//! line here. As in a file, `engine.preset` chooses the values of the keys that were not set.

use crate::uci::about::{Kind, Offered};
use std::slice::from_ref;
use std::sync::OnceLock;
use ttd_search::engine::Techniques;
use ttd_search::searchers::{Impossible, Settings};
use ttd_search::value::{self, Table, Value, over, table_of};

/// A parameter as an option.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    /// The tables that hold it, and its key.
    keys: Vec<String>,
    /// The option; its name is the keys with dots between them.
    pub(super) offered: Offered,
}

/// The result of setting one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    /// All values that were set go together: these are used from now on.
    Fits(Box<(Techniques, Settings)>),
    /// The value does not go together with the others, for this reason. Options come one by one, in
    /// an order that others choose. The old values stay in use until one more option makes all of
    /// them fit.
    Waits(String),
}

/// All parameters, and the values that were set.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    all: &'static [Parameter],
    /// The tables `engine` and `searcher`, as in an experiment file.
    set: Table,
    /// The part of `set` that changed an option's value; only this part is a wish. (Some programs
    /// set every option to the value that it has.)
    asked: Table,
    /// The values in use: the last that went together.
    used: (Techniques, Settings),
    /// The reason why the values that were set do not go together, if they do not.
    waits: Option<String>,
}

impl Parameters {
    /// The defaults.
    pub(super) fn new() -> Parameters {
        // The list is made once: asking for the words of each parameter takes longer than all else
        // here.
        static ALL: OnceLock<Vec<Parameter>> = OnceLock::new();
        Parameters {
            all: ALL.get_or_init(every),
            set: Table::new(),
            asked: Table::new(),
            used: Default::default(),
            waits: None,
        }
    }

    /// All parameters.
    pub(super) fn all(&self) -> &[Parameter] {
        self.all
    }

    /// The values in use.
    pub(super) const fn used(&self) -> &(Techniques, Settings) {
        &self.used
    }

    /// The reason why the values that were set are not in use.
    pub(super) fn waits(&self) -> Option<&str> {
        self.waits.as_deref()
    }

    /// Sets the parameter of this name, in letters of any case.
    ///
    /// # Errors
    /// The reason why it can never have this value; then nothing has changed.
    pub(super) fn set(&mut self, name: &str, text: &str) -> Result<Set, String> {
        let named = |all: &&Parameter| all.offered.name.eq_ignore_ascii_case(name);
        let parameter = self.all.iter().find(named);
        let parameter = parameter.ok_or_else(|| format!("there is no parameter `{name}`"))?;
        let Parameter { keys, offered } = parameter;
        let value = offered.value(text)?;
        let is_new = self.value(keys).as_ref() != Some(&value) || at(&self.asked, keys).is_some();
        let said = tables_of(keys, value);
        if is_new {
            self.asked = over(std::mem::take(&mut self.asked), &said);
        }
        self.set = over(std::mem::take(&mut self.set), &said);
        let resolved = resolve(&self.set, &self.asked);
        self.waits = resolved.as_ref().err().cloned();
        Ok(match resolved {
            Ok(resolved) => {
                self.used = resolved.clone();
                Set::Fits(Box::new(resolved))
            }
            Err(why) => {
                Set::Waits(format!("{} {text} waits for other options: {why}", offered.name))
            }
        })
    }

    /// The value of a parameter: as it was set, or else as the preset chooses.
    fn value(&self, keys: &[String]) -> Option<Value> {
        let preset = ["engine", "preset"].map(str::to_owned);
        let preset = at(&self.set, &preset).cloned().and_then(|preset| preset.read().ok());
        let defaults = defaults(&Techniques::preset(preset.unwrap_or_default()));
        at(&self.set, keys).or(at(&defaults, keys)).cloned()
    }
}

/// Every parameter of the engine and of the searchers.
fn every() -> Vec<Parameter> {
    let mut all = Vec::new();
    list(&[], &defaults(&Techniques::default()), &mut all);
    all
}

/// The tables `engine`, with these techniques, and `searcher`.
fn defaults(techniques: &Techniques) -> Table {
    let sections = [("engine", table_of(techniques)), ("searcher", table_of(&Settings::default()))];
    let table = |(section, table): (&str, Result<Table, _>)| {
        (section.to_owned(), Value::Table(table.expect("every parameter has a TOML form")))
    };
    sections.map(table).into()
}

/// The parameters below some tables.
fn list(tables: &[String], table: &Table, all: &mut Vec<Parameter>) {
    for (key, value) in table {
        let keys = [tables, from_ref(key)].concat();
        let kind = match value {
            Value::Table(inner) => {
                list(&keys, inner, all);
                continue;
            }
            Value::Boolean(_) => Kind::Check,
            Value::Integer(_) => numbers(&keys),
            _ => Kind::Combo(words(&keys)),
        };
        let default = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let offered = Offered { name: option_name(&keys.join(".")), kind, default };
        all.push(Parameter { keys, offered });
    }
}

/// The option of a key: `engine.history.max` becomes `engine.history.max_value`. Some programs
/// split the description of an option at the words of the protocol. So no part of a name is one.
pub fn option_name(key: &str) -> String {
    const WORDS: [&str; 7] = ["name", "type", "default", "min", "max", "var", "value"];
    let last = key.rsplit('.').next().unwrap_or_default();
    let splits = key.contains('.') && WORDS.iter().any(|word| last.eq_ignore_ascii_case(word));
    if splits { format!("{key}_value") } else { key.to_owned() }
}

/// The range of a number; programs that only know 32 bits must be able to show it.
fn numbers(keys: &[String]) -> Kind {
    let of_searcher = match keys {
        [section, searcher, key] if section == "searcher" => {
            Settings::default().range(searcher, key)
        }
        _ => None,
    };
    let (least, most) = of_searcher.unwrap_or_else(|| {
        let range = Techniques::range(keys.last().map_or("", String::as_str));
        (i64::from(*range.start()), i64::from(*range.end()))
    });
    Kind::Spin(least, most.min(i64::from(i32::MAX)))
}

/// The words that a parameter can have, taken from the refusal of another word.
fn words(keys: &[String]) -> Vec<String> {
    let wrong = tables_of(keys, "?".into());
    let Err(refusal) = resolve(&wrong, &wrong) else { return Vec::new() };
    let expected = refusal.split_once("expected").map_or("", |(_, expected)| expected);
    expected.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A value in tables.
fn at<'t>(table: &'t Table, keys: &[String]) -> Option<&'t Value> {
    let (first, inner) = keys.split_first()?;
    inner.iter().try_fold(table.get(first)?, |value, key| value.as_table()?.get(key))
}

/// The tables that hold one value.
fn tables_of(keys: &[String], value: Value) -> Table {
    match keys {
        [] => Table::new(),
        [key] => Table::from([(key.clone(), value)]),
        [key, inner @ ..] => Table::from([(key.clone(), Value::Table(tables_of(inner, value)))]),
    }
}

/// Returns the settings of the tables `engine` and `searcher`; `asked` is the part that is a wish.
fn resolve(set: &Table, asked: &Table) -> Result<(Techniques, Settings), String> {
    let section = |of: &Table, name: &str| match of.get(name) {
        Some(Value::Table(table)) => table.clone(),
        _ => Table::new(),
    };
    let techniques = Techniques::resolve_over(&section(set, "engine"), &section(asked, "engine"))
        .map_err(|why| why.to_string())?;
    let settings: Settings = value::read(section(set, "searcher")).map_err(|e| e.to_string())?;
    if let Some(wrong) = settings.impossible().next() {
        let Impossible { searcher, key, value, range: (least, most) } = wrong;
        return Err(format!(
            "searcher.{searcher}.{key}: {value} found, {least} to {most} expected"
        ));
    }
    Ok((techniques, settings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ttd_search::engine::Preset;

    fn fits(set: Result<Set, String>) -> (Techniques, Settings) {
        match set {
            Ok(Set::Fits(resolved)) => *resolved,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_default_is_one_that_can_be_set() {
        let mut parameters = Parameters::new();
        for Parameter { offered: Offered { name, kind, default }, .. } in parameters.all().to_vec()
        {
            if let Kind::Combo(words) = kind {
                assert!(words.contains(&default) && words.len() > 1, "{name}");
            }
            let set = fits(parameters.set(&name, &default));
            assert_eq!(set, (Techniques::default(), Settings::default()), "{name}");
        }
    }

    #[test]
    fn every_word_of_the_engine_can_be_set_alone() {
        for Parameter { offered: Offered { name, kind, .. }, .. } in Parameters::new().all() {
            let Kind::Combo(words) = kind else { continue };
            for word in words.iter().filter(|_| name.starts_with("engine.")) {
                fits(Parameters::new().set(name, word));
            }
        }
    }

    #[test]
    fn every_word_and_both_ends_of_every_number_of_a_searcher_can_be_set() {
        for Parameter { offered: Offered { name, kind, .. }, .. } in Parameters::new().all() {
            let texts = match kind {
                Kind::Spin(least, most) => vec![least.to_string(), most.to_string()],
                Kind::Combo(words) => words.clone(),
                Kind::Check => vec!["true".to_owned(), "false".to_owned()],
                Kind::Button | Kind::Text => unreachable!("{name} is a number, a word or a switch"),
            };
            for text in texts.iter().filter(|_| name.starts_with("searcher.")) {
                fits(Parameters::new().set(name, text));
            }
        }
    }

    #[test]
    fn keys_are_those_of_an_experiment_file() {
        let mut parameters = Parameters::new();
        let (techniques, _) = fits(parameters.set("Engine.Null_Move.Enabled", "false"));
        assert!(!techniques.null_move.enabled);
        let (techniques, settings) =
            fits(parameters.set("searcher.lazy-smp.helpers", "per-iteration"));
        assert!(!techniques.null_move.enabled, "as set before");
        assert_ne!(settings, Settings::default());
        let (techniques, _) = fits(parameters.set("engine.preset", "exact"));
        assert_eq!(techniques, Techniques::preset(Preset::Exact));
    }

    #[test]
    fn what_is_refused_changes_nothing() {
        let mut parameters = Parameters::new();
        for (name, text, why) in [
            ("engine.null_move.reduction", "0", "0 found, 1 to 32000 expected"),
            ("engine.null_move.reduction", "x", "x found, 1 to 32000 expected"),
            ("engine.null_move.enabled", "x", "x found, true or false expected"),
            ("searcher.ybwc.eldest", "0", "0 found"),
            ("searcher.lazy-smp.end", "x", "x found, main or first expected"),
            ("engine.nothing", "1", "there is no parameter"),
        ] {
            let refused = parameters.set(name, text).expect_err(name);
            assert!(refused.contains(why), "{refused}");
            assert_eq!(
                resolve(&parameters.set, &parameters.asked),
                Ok(Default::default()),
                "{name}"
            );
        }
    }

    #[test]
    fn what_does_not_go_together_waits_for_the_others() {
        let mut parameters = Parameters::new();
        let waits = |set| matches!(set, Ok(Set::Waits(why)) if str::contains(&why, "minimax"));
        fits(parameters.set("engine.null_move.enabled", "false"));
        fits(parameters.set("engine.null_move.enabled", "true"));
        assert!(waits(parameters.set("engine.alpha_beta", "false")));
        assert!(parameters.waits().is_some_and(|why| why.contains("minimax")));
        let (techniques, _) = fits(parameters.set("engine.null_move.enabled", "false"));
        assert!(!techniques.alpha_beta && parameters.waits().is_none());
        assert!(waits(parameters.set("engine.null_move.enabled", "true")));
        let (techniques, _) = fits(parameters.set("engine.alpha_beta", "true"));
        assert_eq!(techniques, Techniques::default());
    }

    /// Some programs set every option, most of them to the value that it has.
    #[test]
    fn who_sets_what_is_set_asks_for_nothing() {
        for (name, word) in [("engine.ordering", "none"), ("engine.alpha_beta", "false")] {
            let mut parameters = Parameters::new();
            fits(parameters.set("engine.killers.enabled", "true"));
            let (techniques, _) = fits(parameters.set(name, word));
            assert!(!techniques.killers.enabled, "{name}");
            for Parameter { offered, .. } in parameters.all().to_vec() {
                if offered.name != name {
                    fits(parameters.set(&offered.name, &offered.default));
                }
            }
            assert_eq!(parameters.used().0, techniques, "{name}");
            let preset = if name == "engine.ordering" { "full" } else { "true" };
            assert_eq!(fits(parameters.set(name, preset)).0, Techniques::default(), "{name}");
        }
        // A value that was asked for stays, even if the preset then had that value too.
        let mut parameters = Parameters::new();
        fits(parameters.set("engine.null_move.enabled", "true"));
        assert!(fits(parameters.set("engine.preset", "plain")).0.null_move.enabled);
    }
}
