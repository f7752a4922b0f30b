//! The topics of a match's report. None uses another.

pub(crate) mod endings;
pub(crate) mod moves;
pub(crate) mod ratings;
pub(crate) mod results;

use crate::report::matches::setting::setting;
use crate::report::topic::{self, Charts};
use crate::report::{MatchInput, Topic};

/// All of them, in the order of the report.
pub(crate) const TOPICS: [&Topic<MatchInput>; 4] =
    [&results::TOPIC, &ratings::TOPIC, &endings::TOPIC, &moves::TOPIC];

/// The charts of a match; none without games.
///
/// # Errors
/// If one cannot be drawn.
pub(crate) fn draw(input: &MatchInput) -> Charts {
    if input.games.is_empty() {
        Ok(Vec::new())
    } else {
        topic::draw(&TOPICS, input, &setting(input))
    }
}
