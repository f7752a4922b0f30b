//! The sources of values: options override the file, and the file overrides the defaults.

use super::refusal::{Refusal, Refusals, ResolveError};
use super::toml_file::TomlFile;
use super::toml_place::in_words;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use ttd_search::positions::{self, PositionSet, PositionsError};
use ttd_search::value::{Table, ValueError, nearest, resolve_all};

/// A partial file or partial options, key by key; a key that is not given is none.
pub trait Said: Clone + Default {
    /// These values, and for keys not given here the values of `other`.
    #[must_use]
    fn over(self, other: Self) -> Self;

    /// The option that gives a key, if it was given. `keys` is the key with the tables it is in.
    fn option(&self, keys: &[&str]) -> Option<String>;
}

/// The values that a user gave, with their sources.
#[derive(Debug)]
pub struct Sources<'a, D> {
    /// The file, if there is one.
    pub file: Option<&'a TomlFile<D>>,
    /// The options.
    pub options: &'a D,
}

impl<D: Said> Sources<'_, D> {
    /// The given values of both sources.
    pub fn said(&self) -> D {
        let said = self.file.map_or_else(D::default, |file| file.partial.clone());
        self.options.clone().over(said)
    }

    /// The mistakes that the file has already as a file: unknown keys, and values of a wrong type.
    pub fn mistakes(&self) -> Refusals {
        self.file.map(|file| file.mistakes.clone()).unwrap_or_default()
    }

    /// The place of a key's value: an option, a line of the file, or the defaults. A key is given
    /// with the tables it is in; a number is the index of a table in an array. An option that gives
    /// a table has the key behind it.
    pub fn place(&self, keys: &[&str]) -> String {
        match (self.options.option(keys), self.file, keys) {
            (Some(option), _, [_, .., key]) => format!("{option}: {key}"),
            (Some(option), ..) => option,
            (None, Some(file), _) => file.place(keys),
            (None, None, [key]) => format!("the default of {key}"),
            (None, None, _) => keys.join("."),
        }
    }

    /// A refusal of the value of a key.
    pub fn error(&self, keys: &[&str], what: impl Into<String>) -> Refusal {
        Refusal::new(self.place(keys), what.into())
    }

    /// Checks that a number is in its range.
    ///
    /// # Errors
    /// If it is outside.
    pub fn number<N: PartialOrd + Display>(
        &self,
        keys: &[&str],
        value: N,
        range: RangeInclusive<N>,
    ) -> Result<N, Refusal> {
        if range.contains(&value) {
            return Ok(value);
        }
        let (least, most) = range.into_inner();
        Err(self.error(keys, format!("{value} found, {least} to {most} expected")))
    }

    /// The meaning of a word; without one, that of the first of `words`.
    ///
    /// # Errors
    /// If it is another word.
    ///
    /// # Panics
    /// If `words` is empty: a choice has words.
    pub fn word<T: Copy, const N: usize>(
        &self,
        keys: &[&str],
        said: Option<&String>,
        words: [(&str, T); N],
    ) -> Result<T, Refusal> {
        let Some(said) = said else { return Ok(words[0].1) };
        let known = words.iter().find(|(word, _)| word == said);
        known.map(|(_, meaning)| *meaning).ok_or_else(|| {
            let words = words.map(|(word, _)| word);
            let near = nearest(said, words);
            let near = near.map(|near| format!(": did you mean {near}?")).unwrap_or_default();
            let (last, others) = words.split_last().expect("a choice has words");
            let others = others.join(", ");
            self.error(keys, format!("`{said}` found, {others} or {last} expected{near}"))
        })
    }

    /// Resolves a table below these keys.
    ///
    /// # Errors
    /// Every key below it whose value is impossible.
    ///
    /// # Panics
    /// If `resolve` refuses the empty table.
    pub fn table<T>(
        &self,
        keys: &[&str],
        table: Option<&Table>,
        resolve: impl Fn(&Table) -> Result<T, ValueError>,
    ) -> Result<T, Refusal> {
        let (resolved, mistakes) = resolve_all(table.unwrap_or(&Table::new()), resolve);
        let mut wrong = Refusals::default();
        for ValueError { keys: below, what } in mistakes {
            let below = below.iter().map(String::as_str);
            let keys: Vec<&str> = keys.iter().copied().chain(below).collect();
            wrong.keep(self.error(&keys, in_words(&what)));
        }
        wrong.check_made(resolved)
    }

    /// Checks that a name can be a directory's.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn name(&self, name: String) -> Result<String, Refusal> {
        let bad = |c: char| c == '/' || c == '\\' || c.is_control();
        if name.trim().is_empty() || name.starts_with('.') || name.contains(bad) {
            let what = format!("`{name}` found, a name that can be a directory's expected");
            return Err(self.error(&["name"], what));
        }
        Ok(name)
    }

    /// The name of a position set, or a path. A path in a file is relative to that file.
    pub fn set(&self, said: impl Fn(&D) -> Option<&String>, default: &str) -> String {
        if let Some(set) = said(self.options) {
            return set.clone();
        }
        match self.file.and_then(|file| Some((file, said(&file.partial)?))) {
            None => default.to_owned(),
            Some((_, set)) if positions::is_built_in(set) => set.clone(),
            Some((file, set)) => {
                let dir = file.path.parent().unwrap_or(Path::new(""));
                dir.join(set).to_string_lossy().into_owned()
            }
        }
    }

    /// The positions of a set that this key names, as `load` reads them.
    ///
    /// # Errors
    /// If there is no such set, or it is wrong.
    pub fn positions(
        &self,
        key: &str,
        said: impl Fn(&D) -> Option<&String>,
        set: &str,
        load: impl FnOnce(&str) -> Result<PositionSet, PositionsError>,
    ) -> Result<PositionSet, ResolveError> {
        load(set).map_err(|error| match error {
            PositionsError::Unknown { .. } | PositionsError::Missing { .. } => {
                let in_file = self.file.and_then(|file| said(&file.partial));
                let said = said(self.options).or(in_file).map_or(set, String::as_str);
                let error = PositionsError::not_found(said, set);
                self.error(&[key], error.to_string()).into()
            }
            error @ PositionsError::Lines { .. } => ResolveError::BadLines(error),
            error => ResolveError::from(error),
        })
    }
}
