//! One thing in which two experiments, or two sittings, differ.

use std::fmt;

/// What differs, and what it is on either side.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// A key with the tables it is in, or what else it is.
    pub what: String,
    /// The one side's.
    pub there: String,
    /// The other side's.
    pub here: String,
}

impl Difference {
    /// Of these words.
    pub(super) fn new(what: impl Into<String>, there: String, here: String) -> Difference {
        Difference { what: what.into(), there, here }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} there, {} here", self.what, self.there, self.here)
    }
}
