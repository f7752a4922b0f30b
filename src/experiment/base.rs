//! The base of a speedup.

use serde::{Deserialize, Serialize};

/// The measurement that a speedup is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// Each competitor itself at one thread.
    SameSearcher,
    /// The searcher `sequential`.
    Sequential,
}

impl Base {
    /// The base in words.
    pub const fn words(self) -> &'static str {
        match self {
            Base::SameSearcher => "the same searcher at one thread",
            Base::Sequential => "the sequential searcher",
        }
    }
}
