//! Why something is refused: where it was said, what was found and what was expected.

use ttd_search::positions::PositionsError;

/// Why something that a user said is impossible.
#[derive(Debug, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Refusal {
    /// An option, or the file with the line and the key.
    place: String,
    /// What was found there, and what was expected.
    what: String,
}

impl Refusal {
    /// Of what was said at this place.
    pub fn new(place: String, what: String) -> Refusal {
        Refusal { place, what }
    }

    /// With a reason behind it, where there is one.
    #[must_use]
    pub fn because(mut self, when: bool, why: &str) -> Refusal {
        if when {
            self.what.push_str(why);
        }
        self
    }
}

/// Why an experiment or a match cannot be resolved.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// A key or an option says something impossible.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Its position set is wrong.
    #[error(transparent)]
    Positions(#[from] PositionsError),
}
