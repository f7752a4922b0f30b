//! What a speedup is relative to.

use serde::{Deserialize, Serialize};

/// What a speedup is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Base {
    /// The same searcher at one thread.
    SameSearcher,
    /// The searcher `sequential`.
    Sequential,
}

impl Base {
    /// In words.
    pub const fn words(self) -> &'static str {
        match self {
            Base::SameSearcher => "the same searcher at one thread",
            Base::Sequential => "the sequential searcher",
        }
    }
}
