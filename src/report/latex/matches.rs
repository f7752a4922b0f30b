//! The figures and tables of a match.

use super::names::distinct;
use super::{begin, define};
use crate::report::document::{Report, latex_escaped};
use crate::report::matches::{MatchInput, methods};
use crate::report::numbers::{fixed, known};
use std::fmt::Write as _;
use ttd_stats::elo::Difference;

/// What stands above everything of a match.
const HEAD: &str = r"
% A document needs
%     \usepackage{booktabs}
% and \input{figures}. Of two matches, input each in a group of its own, where its figures are used.
%
% Figures: \ttd ENTRY FIGURE, in one word: \ttdYbwcElo{}. Digits are spelled one by one: a name with 16 has OneSix.
% The ends of 95% intervals: ...Lower, ...Upper. Rounded as in the report, and -- where there is none.
% Tables: \ttdTable{results-1}, \ttdTableCaption{results-1}. How it was played: \ttdMethods.
";

/// The whole file.
pub(in crate::report) fn of_match(input: &MatchInput, report: &Report<'_>) -> String {
    let spec = input.spec();
    let mut text = begin(&format!("The match {}", spec.name), HEAD);
    define(&mut text, "Methods", &latex_escaped(&methods(input)));
    define(&mut text, "Name", &latex_escaped(&spec.name));
    define(&mut text, "GameCount", &input.games.len().to_string());
    let names: Vec<&str> = spec.entries.iter().map(|entry| entry.name.as_str()).collect();
    for (entry, name) in distinct(&names).into_iter().enumerate() {
        let _ = writeln!(text, "\n% {}", names[entry]);
        for (figure, value) in of_entry(input, entry) {
            define(&mut text, &format!("{name}{figure}"), &latex_escaped(&value));
        }
    }
    text + &report.latex_tables()
}

/// The figures of an entry against everybody together, and its likeliest rating.
fn of_entry(input: &MatchInput, entry: usize) -> Vec<(&'static str, String)> {
    let results = input.figures.table.total(entry);
    let (total, difference) = (results.total(), Difference::of(&results.pairs));
    let rating = input.figures.likeliest.as_ref().ok().and_then(|all| all.entries[entry]);
    let elo = |value: f64| fixed(value, 0);
    let percent = |share: f64| format!("{}%", fixed(100.0 * share, 1));
    vec![
        ("Games", total.games().to_string()),
        ("Wins", total.wins.to_string()),
        ("Draws", total.draws.to_string()),
        ("Losses", total.losses.to_string()),
        ("WinRate", known(total.win_rate(), percent)),
        ("Score", known(total.score(), percent)),
        ("Elo", known(difference.map(|d| d.elo), elo)),
        ("EloLower", known(difference.map(|d| d.interval.lower), elo)),
        ("EloUpper", known(difference.map(|d| d.interval.upper), elo)),
        ("Superiority", known(difference.map(|d| d.los), percent)),
        ("Rating", known(rating.map(|r| r.elo), elo)),
        ("RatingLower", known(rating.map(|r| r.interval.lower), elo)),
        ("RatingUpper", known(rating.map(|r| r.interval.upper), elo)),
    ]
}
