//! The parameters of all searchers.

use super::{Algorithm, Extent, Field, MemoryUse, Searcher};
use crate::engine::Techniques;
use crate::value::{Table, Value, ValueError, unknown};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// The parameters of every searcher: the tables `[searcher.NAME]` of an experiment.
#[derive(Debug)]
pub struct Settings(Vec<Box<dyn Algorithm>>);

/// A number of a searcher that is out of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impossible {
    /// The searcher in whose table the number stands.
    pub searcher: &'static str,
    /// The key of the number.
    pub key: &'static str,
    /// The number itself.
    pub value: i64,
    /// The least and the most that the number can be.
    pub range: (i64, i64),
}

impl Impossible {
    /// The allowed range in words.
    pub fn expected(&self) -> String {
        let (least, most) = self.range;
        if most == i64::MAX { format!("{least} or more") } else { format!("{least} to {most}") }
    }
}

impl Settings {
    /// The defaults, but for one searcher: its parameters come from `said`, its table
    /// `[searcher.NAME]`.
    ///
    /// # Errors
    /// An unknown key, or a value of the wrong type or out of its range: the key, and the value
    /// that was expected.
    pub fn with(searcher: Searcher, said: Table) -> Result<Settings, ValueError> {
        let mut own = searcher.defaults().boxed();
        if let (true, Some(key)) = (own.fields().is_empty(), said.keys().next()) {
            let what = format!("`{key}` found, none expected: {searcher} has no parameters");
            return Err(ValueError::at(&[key], what));
        }
        TableOf(&mut *own).deserialize(Value::Table(said))?;
        let mut settings = Settings::default();
        settings.put(own);
        if let Some(wrong) = settings.impossible().next() {
            let what = format!("`{}` is {}: {} expected", wrong.key, wrong.value, wrong.expected());
            return Err(ValueError::at(&[wrong.key], what));
        }
        Ok(settings)
    }

    /// The parameters of one searcher: its defaults, if none were set.
    pub fn algorithm(&self, searcher: Searcher) -> &dyn Algorithm {
        let own = self.0.iter().find(|own| own.name() == searcher.name());
        own.map_or(searcher.defaults(), |own| &**own)
    }

    /// All parameters of one searcher, as they stand in its table.
    pub fn of(&self, searcher: Searcher) -> Table {
        let own = self.algorithm(searcher);
        let fields = own.fields().iter();
        fields.filter_map(|field| Some((field.key.to_owned(), own.get(field.key)?))).collect()
    }

    /// Sets the parameters of their searcher.
    pub fn set(&mut self, parameters: impl Algorithm) {
        self.put(Box::new(parameters));
    }

    fn put(&mut self, parameters: Box<dyn Algorithm>) {
        match self.0.iter_mut().find(|own| own.name() == parameters.name()) {
            Some(own) => *own = parameters,
            None => self.0.push(parameters),
        }
    }

    /// The numbers that are out of their ranges.
    pub fn impossible(&self) -> impl Iterator<Item = Impossible> {
        let fields =
            self.0.iter().flat_map(|own| own.fields().iter().map(move |field| (own, field)));
        fields.filter_map(|(own, &Field { key, range, .. })| {
            let (range, value) = range.zip(own.get(key)?.as_integer())?;
            let is_wrong = !(range.0..=range.1).contains(&value);
            is_wrong.then_some(Impossible { searcher: own.name(), key, value, range })
        })
    }

    /// The least and the most that the number with this key can be, in the table of this searcher.
    pub fn range(&self, searcher: &str, key: &str) -> Option<(i64, i64)> {
        let own = self.0.iter().find(|own| own.name() == searcher)?;
        own.fields().iter().find(|field| field.key == key)?.range
    }

    /// The names of the searchers whose workers go on one at a time.
    pub fn one_at_a_time(&self) -> impl Iterator<Item = &'static str> {
        let those = self.0.iter().filter(|own| own.common_settings().one_at_a_time);
        those.map(|own| own.name())
    }
}

impl Searcher {
    /// Whether the searcher's idea has any effect with these techniques and parameters.
    ///
    /// # Errors
    /// The reason why it has none, and the techniques that were expected.
    pub fn fits(self, techniques: &Techniques, settings: &Settings) -> Result<(), String> {
        let fits = settings.algorithm(self).fits(techniques);
        fits.map_err(|why| format!("{self} found, {why}"))
    }
}

impl Settings {
    /// The memory of a search by this searcher with these parameters.
    pub fn memory_use(&self, searcher: Searcher, of: Extent) -> MemoryUse {
        let own = self.algorithm(searcher);
        MemoryUse::of(of, &own.shared_memory(), own.own_memory(of))
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings(Searcher::all().iter().map(|searcher| searcher.defaults().boxed()).collect())
    }
}

impl Clone for Settings {
    fn clone(&self) -> Settings {
        Settings(self.0.iter().map(|own| own.boxed()).collect())
    }
}

impl PartialEq for Settings {
    fn eq(&self, other: &Settings) -> bool {
        let same = |own: &dyn Algorithm, other: &dyn Algorithm| {
            let mut fields = own.fields().iter();
            own.name() == other.name() && fields.all(|of| own.get(of.key) == other.get(of.key))
        };
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len() && pairs.all(|(own, other)| same(&**own, &**other))
    }
}

impl Serialize for Settings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The parameters of one searcher, in the order in which they are declared.
        struct Own<'a>(&'a dyn Algorithm);

        impl Serialize for Own<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer
                    .collect_map(self.0.fields().iter().map(|of| (of.key, self.0.get(of.key))))
            }
        }

        let with_any = self.0.iter().filter(|own| !own.fields().is_empty());
        serializer.collect_map(with_any.map(|own| (own.name(), Own(&**own))))
    }
}

impl<'de> Deserialize<'de> for Settings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Settings, D::Error> {
        /// Reads the tables of searchers.
        struct Tables;

        impl<'de> Visitor<'de> for Tables {
            type Value = Settings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut tables: A) -> Result<Settings, A::Error> {
                let mut settings = Settings::default();
                let names = settings.0.iter().filter(|own| !own.fields().is_empty());
                let names: Vec<&str> = names.map(|own| own.name()).collect();
                while let Some(name) = tables.next_key_seed(OneOf(&names))? {
                    let mut named = settings.0.iter_mut().filter(|own| own.name() == name);
                    if let Some(own) = named.next() {
                        tables.next_value_seed(TableOf(&mut **own))?;
                    }
                }
                Ok(settings)
            }
        }

        deserializer.deserialize_map(Tables)
    }
}

/// Reads one of these keys.
struct OneOf<'a>(&'a [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf<'_> {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<&'static str, D::Error> {
        let key = String::deserialize(key)?;
        self.0
            .iter()
            .find(|known| **known == key)
            .copied()
            .ok_or_else(|| D::Error::custom(unknown("key", &key, self.0)))
    }
}

/// Reads the table of a searcher.
struct TableOf<'a>(&'a mut dyn Algorithm);

impl<'de> DeserializeSeed<'de> for TableOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, table: D) -> Result<(), D::Error> {
        table.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TableOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<(), A::Error> {
        let (fields, mut said) = (self.0.fields(), Vec::new());
        let names = fields.iter().flat_map(|field| [field.key, field.older]);
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        while let Some(name) = table.next_key_seed(OneOf(&names))? {
            let field = fields.iter().find(|field| [field.key, field.older].contains(&name));
            let key = field.map_or(name, |field| field.key);
            if said.contains(&key) {
                return Err(A::Error::duplicate_field(key));
            }
            said.push(key);
            table.next_value_seed(ValueOf(self.0, key))?;
        }
        Ok(())
    }
}

/// Reads the value of a key.
struct ValueOf<'a>(&'a mut dyn Algorithm, &'static str);

impl<'de> DeserializeSeed<'de> for ValueOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let value = Value::deserialize(value)?;
        self.0.set(self.1, value).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searchers::catalogue::{lazy_smp, ybwc};
    use crate::searchers::{Holding, Sharing};

    fn of(text: &str) -> Settings {
        toml::from_str(text).expect("well formed")
    }

    #[test]
    fn numbers_have_ranges() {
        assert_eq!(Settings::default().impossible().next(), None);
        for (text, key) in [
            ("[ybwc]\neldest = 0", "eldest"),
            ("[ybwc]\nmin_depth = -3", "min_depth"),
            ("[ybwc]\nmost_workers = 1", "most_workers"),
            ("[ybwc]\npoll_nodes = 0", "poll_nodes"),
            ("[lazy-smp]\nspin_us = 2000000", "spin_us"),
        ] {
            let wrong: Vec<&str> = of(text).impossible().map(|wrong| wrong.key).collect();
            assert_eq!(wrong, [key], "{text}");
        }
        let two = of("[ybwc]\neldest = 0\n[dts]\neldest = 0");
        assert_eq!(two.impossible().count(), 2);
    }

    #[test]
    fn the_parameters_of_one_searcher_are_its_table() {
        let table = |text: &str| toml::from_str::<Table>(text).expect("TOML");
        let ybwc = Searcher::named("ybwc");
        let settings = Settings::with(ybwc, table("eldest = 7")).expect("good");
        let mut expected = Settings::default();
        assert_ne!(settings, expected);
        expected.set(ybwc::Settings { eldest: 7, ..ybwc::Settings::DEFAULT });
        assert_eq!(settings, expected);
        assert_eq!(Settings::with(ybwc, settings.of(ybwc)), Ok(settings));
        let refused = |text| Settings::with(ybwc, table(text)).expect_err(text).to_string();
        assert_eq!(refused("eldest = 0"), "`eldest` is 0: 1 to 218 expected");
        assert!(refused("eldst = 1") == "unknown key `eldst`: did you mean `eldest`?");
        assert!(Settings::default().of(Searcher::baseline()).is_empty());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            ("[ybw]", "unknown key `ybw`: did you mean `ybwc`?"),
            ("[sequential]", "unknown key `sequential`, expected one of `root-splitting`"),
            ("ybwc = 1", "invalid type: integer `1`, expected a map"),
            ("[ybwc]\neldest = 'x'", "invalid type: string \"x\", expected usize"),
            ("[ybwc]\nworkers_per_board = -1", "invalid value: integer `-1`, expected usize"),
            ("[ybwc]\njoin = 'x'", "unknown value `x`, expected one of `shallowest`, "),
            ("[dts]\ntable = 1", "invalid type: integer `1`, expected one of \"shared\", \"pri"),
            ("[ybwc]\nhistory = true\nshared_history = true", "duplicate field `history`"),
        ] {
            let refused = toml::from_str::<Settings>(text).expect_err(text);
            assert!(refused.message().starts_with(why), "{refused}");
        }
    }

    #[test]
    fn a_searcher_that_has_nothing_to_do_is_refused_with_the_reason() {
        let fits = |searcher: Searcher, engine: &str, settings: &str| {
            let techniques = Techniques::resolve(&toml::from_str(engine).expect("TOML"));
            searcher.fits(&techniques.expect("good techniques"), &of(settings))
        };
        let (mtd, vote) = ("root_search = \"mtd-f\"", "[lazy-smp]\nbest_move = 'vote'\n");
        let rounds = format!("{vote}helpers = 'per-iteration'");
        let once = format!("{rounds}\nrestart = false");
        for (name, engine, settings, why) in [
            ("pv-splitting", mtd, "", "no node is on the principal variation"),
            ("jamboree", mtd, "", "the null-window searches of that technique"),
            ("jamboree", "principal_variation_search = false", "", "the tests of jamboree"),
            ("jamboree", "alpha_beta = false", "", "the tests of jamboree"),
            ("lazy-smp", mtd, &rounds, "never know a score"),
            ("lazy-smp", "", &once, "a window that has failed ends nothing"),
        ] {
            let refused = fits(Searcher::named(name), engine, settings).expect_err(why);
            let found = format!("{name} found, ");
            assert!(refused.starts_with(&found) && refused.contains(why), "{refused}");
        }
        for &searcher in Searcher::all() {
            assert_eq!(fits(searcher, "", &rounds), Ok(()), "{searcher}");
            let refused = ["pv-splitting", "jamboree"].contains(&searcher.name());
            assert_eq!(fits(searcher, mtd, vote).is_err(), refused, "{searcher}");
        }
    }

    #[test]
    fn the_older_name_of_the_history_is_read() {
        let text = ["root-splitting", "pv-splitting", "ybwc", "lazy-smp"]
            .map(|name| format!("[{name}]\nshared_history = false\n"))
            .concat();
        let read = of(&text);
        let mut expected =
            of("root-splitting.history = 'private'\npv-splitting.history = 'private'");
        expected.set(ybwc::Settings { history: Sharing::Private, ..ybwc::Settings::DEFAULT });
        let lazy = lazy_smp::Settings::DEFAULT;
        expected.set(lazy_smp::Settings { history: Holding::Private, ..lazy });
        assert_eq!(read, expected);
    }

    /// Files of experiments state every parameter.
    #[test]
    fn what_is_written_is_read() {
        let text = toml::to_string(&Settings::default()).expect("TOML");
        assert!(text.starts_with("[root-splitting]\neldest = 1\nshared_alpha = true\n"), "{text}");
        assert_eq!(of(&text), Settings::default());
    }
}
