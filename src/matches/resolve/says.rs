//! What was said of a match, and where.

use crate::experiment::{DraftFile, SpecError};
use crate::matches::draft::MatchDraft;
use std::ops::RangeInclusive;

/// What was said, and where.
pub(super) struct Says<'a> {
    pub(super) file: Option<&'a DraftFile<MatchDraft>>,
    pub(super) options: &'a MatchDraft,
}

impl Says<'_> {
    /// Where the value of a key comes from: an option, a line of the file, or the defaults.
    fn place(&self, keys: &[&str]) -> String {
        let o = self.options;
        let option = match keys {
            ["games"] => o.games.map(|_| "--games"),
            ["concurrency"] => o.concurrency.map(|_| "--concurrency"),
            ["seed"] => o.seed.map(|_| "--seed"),
            ["by_depth"] => o.by_depth.as_ref().map(|_| "--by-depth"),
            ["threads"] => o.threads.map(|_| "--threads"),
            ["hash_mib"] => o.hash_mib.map(|_| "--hash"),
            ["effective_speedup"] => o.effective_speedup.map(|_| "--effective-speedup"),
            ["entries", ..] => o.entries.as_ref().map(|_| "--searchers"),
            _ => None,
        };
        match (option, self.file) {
            (Some(option), _) => option.to_owned(),
            (None, Some(file)) => file.place(keys),
            (None, None) => format!("the default of {}", keys.join(".")),
        }
    }

    pub(super) fn error(&self, keys: &[&str], what: impl Into<String>) -> SpecError {
        SpecError::new(self.place(keys), what.into())
    }

    pub(super) fn integer(
        &self,
        key: &str,
        value: i64,
        range: RangeInclusive<i64>,
    ) -> Result<i64, SpecError> {
        self.integer_at(&[key], value, range)
    }

    pub(super) fn integer_at(
        &self,
        keys: &[&str],
        value: i64,
        range: RangeInclusive<i64>,
    ) -> Result<i64, SpecError> {
        if range.contains(&value) {
            return Ok(value);
        }
        let (least, most) = range.into_inner();
        Err(self.error(keys, format!("{value} found, {least} to {most} expected")))
    }
}
