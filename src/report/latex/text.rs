//! The parts that every `figures.tex` has, and the names of its commands: letters only.

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

/// The name of each of these in commands: all are different.
pub(crate) fn distinct(names: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in names {
        let mut word = word(name);
        while words.contains(&word) {
            word.push_str("Another");
        }
        words.push(word);
    }
    words
}

/// The name in letters only: `lazy-smp` as `LazySmp`, `fish-16` as `FishOneSix`.
pub(crate) fn word(name: &str) -> String {
    let mut word = String::new();
    let mut begins = true;
    for c in name.chars() {
        if let Some(digit) = c.to_digit(10) {
            word.push_str(DIGITS[digit as usize]);
            begins = true;
        } else if c.is_ascii_alphabetic() {
            word.push(if begins { c.to_ascii_uppercase() } else { c });
            begins = false;
        } else {
            begins = true;
        }
    }
    if word.is_empty() { "Nameless".to_owned() } else { word }
}

const DIGITS: [&str; 10] =
    ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_letters() {
        assert_eq!(word("lazy-smp"), "LazySmp");
        assert_eq!(word("Fish 16.1 NNUE"), "FishOneSixOneNNUE");
        assert_eq!(word("128"), "OneTwoEight");
        assert_eq!(word("λ"), "Nameless");
    }

    #[test]
    fn no_two_are_alike() {
        let names = ["a-b", "aB", "AB", "ab", "a.b", "AB another"];
        let words = distinct(&names);
        assert_eq!(words[..4], ["AB", "ABAnother", "ABAnotherAnother", "Ab"]);
        for (index, word) in words.iter().enumerate() {
            assert!(!words[..index].contains(word), "{word}");
        }
    }
}
