//! The texts of a match. The report has the text before its topics, the topics, and the text behind
//! them; the file for LaTeX has figures and tables.

use crate::report::charts::Chart;
use crate::report::front::hosts;
use crate::report::front::setup::environment;
use crate::report::latex::text::{Tex, distinct};
use crate::report::matches::methods::methods;
use crate::report::matches::topics::ratings::{Rated, ratings};
use crate::report::matches::topics::results::{Standing, standings};
use crate::report::matches::{notes, setup};
use crate::report::numbers::count;
use crate::report::{MatchInput, Report, Topic};
use std::fmt::Write as _;

/// The whole report.
pub(crate) fn report<'c>(
    input: &MatchInput,
    topics: &[&Topic<MatchInput>],
    charts: &'c [Chart],
) -> Report<'c> {
    let mut report = Report::new(charts);
    let spec = input.spec();
    let entries = match spec.entries.len() {
        1 => "1 entry".to_owned(),
        n => format!("{n} entries"),
    };
    report.heading(1, &format!("{}: a match of {entries}", spec.name));
    report.paragraph(&opening(input));
    report.heading(2, "Before the figures");
    warnings(&mut report, input);
    report.heading(2, "Setup");
    report.settings("The match.", &setup::match_table(input));
    report.table(
        "The entries. A given rating is one that the match was told, not one that it measured. \
         * oversubscribed.",
        &setup::entries(input),
    );
    report.settings("The machine and the program.", &environment(&input.sittings));
    report.table(hosts::CAPTION, &hosts::table(&input.sittings));
    report.heading(2, "Method");
    report.paragraph(&methods(input));
    if !input.games.is_empty() {
        for topic in topics {
            (topic.section)(&mut report, input);
        }
        report.heading(2, "How to read this");
        report.list(READING);
    }
    report.heading(2, "Again");
    report.paragraph(
        "The match is in `match.toml`, its machine and program in `environment.toml`. Every game \
         is in `games.csv` and, with its moves, in `games.pgn`. Run the commands below in this \
         directory. The first one plays the match again, into another directory. The second one \
         makes the tables, the charts and this report again from the games:",
    );
    report.code("ttd match match.toml --out ../again\nttd report .");
    report
}

/// The match, in a sentence.
pub(crate) fn opening(input: &MatchInput) -> String {
    let games = count(input.games.len(), "game");
    format!("{games} {}; pace: {}.", setup::of_whom(input), setup::paces(input))
}

/// Adds the notes that a reader must know first.
pub(crate) fn warnings(report: &mut Report<'_>, input: &MatchInput) {
    report.notes(
        notes::notes(input),
        "Nothing to remark: all games were played, none was forfeited, and no entry is \
         oversubscribed.",
    );
}

/// The section on how to read the report.
const READING: [&str; 5] = [
    "**Pairs** are the two games of an opening with colours reversed. An advantage of one side \
     of the opening cancels in a pair. Intervals are therefore from whole pairs (five possible \
     scores), and as a rule narrower than from single games.",
    "**Elo** is logistic: 400 points more are ten times the odds of the expected score. The \
     interval of a difference is one of 95%. One end is infinite if all points were won or \
     lost. **LOS** is the likelihood that the entry is the stronger one.",
    "**Likeliest ratings** take all games at once. **Running ratings** depend on the order of \
     the games, on K and on the start. They have no interval, and the last games count most. \
     Compare likeliest ratings; show running ratings where other studies did.",
    "**A trend** of three or four thread counts explains much of their variance whatever the truth: \
     look at the intervals of the likeliest ratings first.",
    "**–** stands for a figure that cannot be computed: too few games, pairs or thread counts.",
];

/// The head of the file of a match.
const HEAD: &str = r"
% A document needs
%     \usepackage{booktabs}
% and \input{figures}. With two matches, input each in a group of its own, where its figures are used.
%
% Figures: \ttd ENTRY FIGURE, in one word: \ttdYbwcElo{}. Digits are spelled one by one: a name with 16 has OneSix.
% The ends of 95% intervals: ...Lower, ...Upper. Rounded as in the report, and -- where there is none.
% Tables: \ttdTable{results-1}, \ttdTableCaption{results-1}. How it was played: \ttdMethods.
";

/// The file of figures and tables for LaTeX.
pub(crate) fn latex(input: &MatchInput, report: &Report<'_>) -> String {
    let spec = input.spec();
    let mut tex = Tex::new(&format!("The match {}", spec.name), HEAD);
    tex.define("Methods", &methods(input));
    tex.define("Name", &spec.name);
    tex.define("GameCount", &input.games.len().to_string());
    let names: Vec<&str> = spec.entries.iter().map(|entry| entry.name.as_str()).collect();
    for (entry, name) in distinct(&names).into_iter().enumerate() {
        let _ = writeln!(tex.0, "\n% {}", names[entry]);
        tex.figures(&name, standings().tex(&Standing::of(input, entry)));
        tex.figures(&name, ratings().tex(&Rated::of(input, entry)));
    }
    tex.0 + &report.latex_tables()
}
