//! What a file says of an experiment or a match, and where in it.

use super::refusal::Refusal;
use super::toml_place;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use ttd_search::positions::read_text;

/// A draft read from a file, and where in the file its keys stand.
#[derive(Clone, Debug)]
pub struct DraftFile<D> {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub draft: D,
    text: String,
}

impl<D: DeserializeOwned> DraftFile<D> {
    /// Reads an experiment file, or another that holds such a draft.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or has an unknown key or a value of the wrong type.
    pub fn read(path: &Path) -> Result<DraftFile<D>, Refusal> {
        let text =
            read_text(path).map_err(|e| Refusal::new(path.display().to_string(), e.to_string()))?;
        DraftFile::parse(path, text)
    }

    /// The same of a text that was read already; `path` is what errors call it, and where its relative paths begin.
    ///
    /// # Errors
    /// As [`DraftFile::read`].
    pub fn parse(path: &Path, text: String) -> Result<DraftFile<D>, Refusal> {
        match toml::from_str(&text) {
            Ok(draft) => Ok(DraftFile { path: path.to_owned(), draft, text }),
            Err(error) => Err(toml_place::refusal(path, &text, &error)),
        }
    }
}

impl<D> DraftFile<D> {
    /// `FILE:LINE: KEY` of a key, given with the tables it is in (of an array of tables, by their numbers from 0);
    /// without a line if the file does
    /// not have it.
    pub fn place(&self, keys: &[&str]) -> String {
        toml_place::place_of(&self.path, &self.text, keys)
    }
}
