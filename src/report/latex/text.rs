//! The parts that every `figures.tex` has.

use crate::report::document::latex_escaped;
use std::fmt::Write as _;

/// Commands that name tables and charts by what they show.
const DEFINITIONS: &str = r"
\def\ttddefine#1{\expandafter\def\csname ttd/#1\endcsname}
\def\ttdfetch#1{\ifcsname ttd/#1\endcsname\csname ttd/#1\endcsname\else\errmessage{figures.tex has no #1}\fi}
\def\ttdTable#1{\ttdfetch{table/#1}}
\def\ttdTableCaption#1{\ttdfetch{table-caption/#1}}
\def\ttdPlot#1{\ttdfetch{plot/#1}}
\def\ttdPlotCaption#1{\ttdfetch{plot-caption/#1}}
";

/// A text to which definitions are added.
#[derive(Debug)]
pub(crate) struct Tex(pub(crate) String);

impl Tex {
    /// The head of a file.
    pub(crate) fn new(of: &str, head: &str) -> Tex {
        Tex(format!("% {of}: made by `ttd report`, UTF-8.\n%{head}{DEFINITIONS}\n"))
    }

    /// A command `\ttdNAME` that stands for a text.
    pub(crate) fn define(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.0, "\\def\\ttd{name}{{{}}}", latex_escaped(value));
    }

    /// Defines commands for figures; all their names begin with `who`.
    pub(crate) fn figures(&mut self, who: &str, figures: Vec<(String, String)>) {
        for (name, value) in figures {
            self.define(&format!("{who}{name}"), &value);
        }
    }
}
