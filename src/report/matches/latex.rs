//! The figures and tables of a match for LaTeX.

use crate::report::latex::text::{Tex, distinct};
use crate::report::matches::methods::methods;
use crate::report::matches::topics::ratings::{Rated, ratings};
use crate::report::matches::topics::results::{Standing, standings};
use crate::report::{MatchInput, Report};
use std::fmt::Write as _;

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

/// The whole file.
pub(crate) fn figures(input: &MatchInput, report: &Report<'_>) -> String {
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
