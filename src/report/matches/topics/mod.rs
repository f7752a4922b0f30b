//! The topics of a match's report. None uses another.

pub(crate) mod endings;
pub(crate) mod moves;
pub(crate) mod ratings;
pub(crate) mod results;

use crate::report::charts::Sketch;
use crate::report::matches::setting::setting;
use crate::report::topic;
use crate::report::{MatchInput, Topic};

/// All of them, in the order of the report.
pub(crate) const TOPICS: [&Topic<MatchInput>; 4] =
    [&results::TOPIC, &ratings::TOPIC, &endings::TOPIC, &moves::TOPIC];

/// The charts of a match before they are drawn; none without games.
pub(crate) fn sketches(input: &MatchInput) -> Vec<Sketch> {
    if input.games.is_empty() {
        Vec::new()
    } else {
        topic::sketches(&TOPICS, input, &setting(input))
    }
}
