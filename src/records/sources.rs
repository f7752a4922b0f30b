//! What was said of something, and where: options override the file, and the file the defaults.

use super::draft_file::DraftFile;
use super::refusal::{Refusal, ResolveError};
use super::toml_place::in_words;
use std::ops::RangeInclusive;
use std::path::Path;
use ttd_search::positions::{self, PositionsError, TestPosition};
use ttd_search::value::{Table, ValueError};

/// What a user may say, key by key; what is not said is none.
pub trait Said: Clone + Default {
    /// What this says, and where it says nothing what `other` says.
    #[must_use]
    fn over(self, other: Self) -> Self;

    /// The option that says a key, given with the tables it is in, if this says it.
    fn option(&self, keys: &[&str]) -> Option<String>;
}

/// What was said, and where.
#[derive(Debug)]
pub struct Sources<'a, D> {
    /// In a file, if there is one.
    pub file: Option<&'a DraftFile<D>>,
    /// In options.
    pub options: &'a D,
}

impl<D: Said> Sources<'_, D> {
    /// All that was said.
    pub fn said(&self) -> D {
        let said = self.file.map_or_else(D::default, |file| file.draft.clone());
        self.options.clone().over(said)
    }

    /// Where the value of a key comes from: an option, a line of the file, or the defaults. A key is given with the
    /// tables it is in; a number stands for a table of an array.
    pub fn place(&self, keys: &[&str]) -> String {
        match (self.options.option(keys), self.file, keys) {
            (Some(option), ..) => option,
            (None, Some(file), _) => file.place(keys),
            (None, None, [key]) => format!("the default of {key}"),
            (None, None, _) => keys.join("."),
        }
    }

    /// What is wrong with the value of a key.
    pub fn error(&self, keys: &[&str], what: impl Into<String>) -> Refusal {
        Refusal::new(self.place(keys), what.into())
    }

    /// A number that is in its range.
    ///
    /// # Errors
    /// If it is not.
    pub fn integer(
        &self,
        keys: &[&str],
        value: i64,
        range: RangeInclusive<i64>,
    ) -> Result<i64, Refusal> {
        if range.contains(&value) {
            return Ok(value);
        }
        let (least, most) = range.into_inner();
        Err(self.error(keys, format!("{value} found, {least} to {most} expected")))
    }

    /// What a table of these keys says.
    ///
    /// # Errors
    /// If one of the keys below it says something impossible.
    pub fn table<T>(
        &self,
        keys: &[&str],
        table: Option<&Table>,
        resolve: impl FnOnce(&Table) -> Result<T, ValueError>,
    ) -> Result<T, Refusal> {
        resolve(table.unwrap_or(&Table::new())).map_err(|ValueError { keys: below, what }| {
            let keys: Vec<&str> =
                keys.iter().copied().chain(below.iter().map(String::as_str)).collect();
            self.error(&keys, in_words(&what))
        })
    }

    /// A name that can be a directory's.
    ///
    /// # Errors
    /// If it cannot.
    pub fn name(&self, name: String) -> Result<String, Refusal> {
        let bad = |c: char| c == '/' || c == '\\' || c.is_control();
        if name.trim().is_empty() || name.starts_with('.') || name.contains(bad) {
            let what = format!("`{name}` found, a name that can be a directory's expected");
            return Err(self.error(&["name"], what));
        }
        Ok(name)
    }

    /// The name of a position set, or a path: one in a file is relative to that file.
    pub fn set(&self, said: impl Fn(&D) -> Option<&String>, default: &str) -> String {
        if let Some(set) = said(self.options) {
            return set.clone();
        }
        match self.file.and_then(|file| Some((file, said(&file.draft)?))) {
            None => default.to_owned(),
            Some((_, set)) if positions::is_built_in(set) => set.clone(),
            Some((file, set)) => {
                let dir = file.path.parent().unwrap_or(Path::new(""));
                dir.join(set).to_string_lossy().into_owned()
            }
        }
    }

    /// The positions of such a set, which this key names.
    ///
    /// # Errors
    /// If there is no such set, or it is wrong.
    pub fn positions(
        &self,
        key: &str,
        said: impl Fn(&D) -> Option<&String>,
        set: &str,
    ) -> Result<Vec<TestPosition>, ResolveError> {
        positions::load(set).map_err(|error| match error {
            PositionsError::Unknown { .. } | PositionsError::Missing { .. } => {
                let in_file = self.file.and_then(|file| said(&file.draft));
                let said = said(self.options).or(in_file).map_or(set, String::as_str);
                let error = PositionsError::not_found(said, set);
                self.error(&[key], error.to_string()).into()
            }
            error => ResolveError::from(error),
        })
    }
}
