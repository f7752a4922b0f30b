//! A partial experiment or match that was read from a TOML file, with the places of its keys.

use super::opened::read_own_toml;
use super::refusal::{Refusal, Refusals};
use super::toml_place;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// A partial experiment or match with its path and text.
#[derive(Clone, Debug)]
pub struct TomlFile<D> {
    /// The path of the file.
    pub path: PathBuf,
    /// The partial experiment or match, without the values that are refused.
    pub partial: D,
    /// The unknown keys, and the values of a wrong type. Whoever resolves the file tells them with
    /// the other mistakes.
    pub(super) mistakes: Refusals,
    text: String,
}

impl<D: DeserializeOwned + Default> TomlFile<D> {
    /// Reads an experiment file, or another file of such a type.
    ///
    /// # Errors
    /// If it cannot be read, or is not TOML.
    pub fn read(path: &Path) -> Result<TomlFile<D>, Refusal> {
        let text = read_own_toml(path)
            .map_err(|e| Refusal::new(path.display().to_string(), e.to_string()))?;
        TomlFile::parse(path, text)
    }

    /// Reads a text that is at hand, otherwise as [`TomlFile::read`]. Errors and relative paths use
    /// `path`.
    ///
    /// # Errors
    /// The errors of [`TomlFile::read`].
    pub fn parse(path: &Path, text: String) -> Result<TomlFile<D>, Refusal> {
        let (partial, mistakes) = toml_place::read_all(path, &text)?;
        let partial = partial.unwrap_or_default();
        Ok(TomlFile { path: path.to_owned(), partial, mistakes, text })
    }
}

impl<D> TomlFile<D> {
    /// The place of a key as `FILE:LINE: KEY`, without a line if the file lacks the key. `keys` is
    /// the key with the tables it is in. After an array of tables comes the index in it, from 0.
    pub fn place(&self, keys: &[&str]) -> String {
        toml_place::place_of(&self.path, &self.text, keys)
    }
}
