//! The topics of a match's report, and the text that all their charts have. No topic uses another.

pub(crate) mod endings;
pub(crate) mod moves;
pub(crate) mod ratings;
pub(crate) mod results;

use crate::report::charts::style::{SMALL, WIDTH};
use crate::report::charts::{Setting, Sketch, text_width};
use crate::report::matches::setup::paces;
use crate::report::numbers::{count, list};
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

/// The text of every chart of a match about the source of its figures.
fn setting(input: &MatchInput) -> Setting {
    let cores = input.cores().map_or_else(|| "cores unknown".to_owned(), |n| count(n, "core"));
    let games = count(input.games.len(), "game");
    let opponents = &input.figures.opponents;
    let named = list(opponents.iter().map(|o| input.name(*o)));
    let rated = list(opponents.iter().map(|o| {
        let rating = input.spec().entries[*o].rating;
        rating.map_or_else(|| input.name(*o).to_owned(), |r| format!("{} ({r})", input.name(*o)))
    }));
    let word = if input.spec().format.has_roles() { "against" } else { "among" };
    let facts = |who: &str| format!("{games}, {}, {word} {who}; {cores}.", paces(input));
    let fits = |text: &String| text_width(text, SMALL) < f64::from(WIDTH) - 48.0;
    // Only entries that charts show count: an opponent's threads are on no axis.
    let shown = input.figures.series.iter().flat_map(|series| &series.entries);
    let threads = shown.map(|entry| input.spec().entries[*entry].threads);
    let over = threads.filter(|n| input.cores().is_some_and(|cores| *n > cores)).min();
    let short = Some(facts(&named)).filter(fits);
    let short = short.unwrap_or_else(|| facts(&format!("{} entries", opponents.len())));
    Setting::with(short, &facts(&rated), over)
}
