//! A searcher by its name.

use super::algorithm::{Algorithm, Description};
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A parallel search algorithm: a handle to its [`Algorithm`] with the default parameters. Two
/// handles are equal if their names are.
#[derive(Clone, Copy)]
pub struct Searcher(&'static dyn Algorithm);

impl Searcher {
    /// The searcher that has these default parameters.
    pub const fn new(defaults: &'static dyn Algorithm) -> Searcher {
        Searcher(defaults)
    }

    /// The name in files, options and output.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The description that the searcher gives of itself.
    pub fn description(self) -> &'static Description {
        self.0.description()
    }

    /// Whether the searcher takes exactly one thread.
    pub fn takes_one_thread(self) -> bool {
        self.0.takes_one_thread()
    }

    /// The parameters with their defaults.
    pub fn defaults(self) -> &'static dyn Algorithm {
        self.0
    }
}

impl PartialEq for Searcher {
    fn eq(&self, other: &Searcher) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Searcher {}

impl PartialOrd for Searcher {
    fn partial_cmp(&self, other: &Searcher) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Searcher {
    fn cmp(&self, other: &Searcher) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for Searcher {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Searcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Searcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
