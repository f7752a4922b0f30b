//! The charts of a match.

mod moves;
mod outcomes;
mod panels;
mod ratings;
mod win_rates;

use super::canvas::{ChartError, text_width};
use super::style::{SMALL, WIDTH};
use super::{Chart, Setting};
use crate::matches::Format;
use crate::report::matches::{MatchInput, Scale, paces};
use crate::report::numbers::{count, list};

/// The name of the chart of ratings by threads.
pub(in crate::report) fn rating_name(scale: Scale) -> String {
    match scale {
        Scale::Likelihood => "rating-likeliest".to_owned(),
        Scale::Running(k) => format!("rating-k{k}"),
    }
}

/// Draws every chart of a match. What has one thread count only has no chart by threads.
///
/// # Errors
/// If one cannot be drawn.
pub(in crate::report) fn draw(input: &MatchInput) -> Result<Vec<Chart>, ChartError> {
    let setting = setting(input);
    let mut charts = Vec::new();
    if input.games.is_empty() {
        return Ok(charts);
    }
    charts.push(outcomes::chart(&setting, input)?);
    if input.figures.by_threads() {
        charts.push(win_rates::chart(&setting, input)?);
    }
    for scale in input.figures.scales() {
        let lines = input.figures.lines.iter().filter(|line| line.scale == scale);
        let lines: Vec<_> = lines.filter(|line| !line.points.is_empty()).collect();
        if lines.iter().any(|line| line.points.len() > 1) {
            charts.push(ratings::chart(&setting, scale, &lines)?);
        }
    }
    if !input.spec().by_depth.is_empty() {
        charts.extend(moves::charts(&setting, input)?);
    }
    Ok(charts)
}

/// What every chart of a match says about where its figures are from.
fn setting(input: &MatchInput) -> Setting {
    let cores = input.cores().map_or_else(|| "cores unknown".to_owned(), |n| count(n, "core"));
    let games = count(input.games.len(), "game");
    let opponents = &input.figures.opponents;
    let named = list(opponents.iter().map(|o| input.name(*o)));
    let rated = list(opponents.iter().map(|o| {
        let rating = input.spec().entries[*o].rating;
        rating.map_or_else(|| input.name(*o).to_owned(), |r| format!("{} ({r})", input.name(*o)))
    }));
    let word = if input.spec().format == Format::RoundRobin { "among" } else { "against" };
    let facts = |who: &str| format!("{games}, {}, {word} {who}; {cores}.", paces(input));
    let fits = |text: &String| text_width(text, SMALL) < f64::from(WIDTH) - 48.0;
    // Of those that charts show: an opponent's threads are on no axis.
    let shown = input.figures.series.iter().flat_map(|series| &series.entries);
    let threads = shown.map(|entry| input.spec().entries[*entry].threads);
    let over = threads.filter(|n| input.cores().is_some_and(|cores| *n > cores)).min();
    let marked =
        over.map_or_else(String::new, |n| format!(" Oversubscribed from {n} threads on (marked)."));
    Setting {
        short: Some(facts(&named))
            .filter(fits)
            .unwrap_or_else(|| facts(&format!("{} entries", opponents.len()))),
        long: format!("{}{marked}", facts(&rated)),
        oversubscribed_from: over,
    }
}
