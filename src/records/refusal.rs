//! A refusal: the place, the value found there, and the value expected.

use ttd_search::positions::PositionsError;

/// The reason why a value that a user gave is impossible.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Refusal {
    /// The option, or the file with the line and the key.
    place: String,
    /// The value found there, and the value expected.
    what: String,
}

impl Refusal {
    /// A refusal of the value at this place.
    pub fn new(place: String, what: String) -> Refusal {
        Refusal { place, what }
    }

    /// Adds a reason to the message, if `when` is true.
    #[must_use]
    pub fn because(mut self, when: bool, why: &str) -> Refusal {
        if when {
            self.what.push_str(why);
        }
        self
    }
}

/// The reasons why an experiment or a match cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The value of a key or an option is impossible.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Lines of its position set are wrong.
    #[error("{0}\n`--skip-bad` leaves such lines out, and says how many")]
    BadLines(PositionsError),
    /// Its position set is wrong.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}
