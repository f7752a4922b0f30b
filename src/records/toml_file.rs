//! A partial experiment or match that was read from a TOML file, with the places of its keys.

use super::refusal::Refusal;
use super::toml_place;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use ttd_search::positions::read_text;

/// A partial experiment or match with its path and text.
#[derive(Clone, Debug)]
pub struct TomlFile<D> {
    /// The path of the file.
    pub path: PathBuf,
    /// The partial experiment or match.
    pub partial: D,
    text: String,
}

impl<D: DeserializeOwned> TomlFile<D> {
    /// Reads an experiment file, or another file of such a type.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or has an unknown key or a value of the wrong type.
    pub fn read(path: &Path) -> Result<TomlFile<D>, Refusal> {
        let text =
            read_text(path).map_err(|e| Refusal::new(path.display().to_string(), e.to_string()))?;
        TomlFile::parse(path, text)
    }

    /// Reads a text that is at hand, otherwise as [`TomlFile::read`]. Errors and relative paths use
    /// `path`.
    ///
    /// # Errors
    /// The errors of [`TomlFile::read`].
    pub fn parse(path: &Path, text: String) -> Result<TomlFile<D>, Refusal> {
        match toml::from_str(&text) {
            Ok(partial) => Ok(TomlFile { path: path.to_owned(), partial, text }),
            Err(error) => Err(toml_place::refusal(path, &text, &error)),
        }
    }
}

impl<D> TomlFile<D> {
    /// The place of a key as `FILE:LINE: KEY`, without a line if the file lacks the key. `keys` is
    /// the key with the tables it is in. After an array of tables comes the index in it, from 0.
    pub fn place(&self, keys: &[&str]) -> String {
        toml_place::place_of(&self.path, &self.text, keys)
    }
}
