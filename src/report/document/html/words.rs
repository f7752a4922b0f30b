//! The words that a page explains. Explanations are those of `docs/glossary.md`, so that a page
//! which is read alone has them.

use crate::report::document::html::escape::escaped;
use crate::report::document::inline::slug;
use std::collections::BTreeSet;

const GLOSSARY: &str = include_str!("../../../../docs/glossary.md");

/// The words of the glossary that are explained. Others, such as "work" and "board", mean
/// something else in many sentences.
const EXPLAINED: [&str; 37] = [
    "aborted",
    "account",
    "AICc",
    "Amdahl's law",
    "base",
    "busy fraction",
    "cell",
    "censored",
    "ci_positions",
    "ci_runs",
    "cost model",
    "critical path",
    "doubled",
    "efficiency",
    "geometric mean",
    "GM",
    "helper",
    "Karp and Flatt's serial share",
    "likeliest rating",
    "LOS",
    "MAD",
    "net speedup",
    "node rate",
    "outside engine",
    "oversubscribed",
    "pace",
    "parallel share",
    "round",
    "sample",
    "search overhead",
    "speedup",
    "split point",
    "time to depth",
    "tree ratio",
    "uncapped",
    "USL",
    "virtual core",
];

/// A word with its meaning, in Markdown.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Word {
    word: &'static str,
    meaning: &'static str,
}

/// The words of a page: in each section, the first use of a word leads to its explanation.
pub(super) struct Words {
    /// All words, the longest first.
    all: Vec<Word>,
    /// The words that the section has used.
    in_section: BTreeSet<&'static str>,
    /// The words that the page has used.
    used: BTreeSet<&'static str>,
}

impl Words {
    pub(super) fn new() -> Words {
        let mut all: Vec<Word> =
            glossary().filter(|entry| EXPLAINED.contains(&entry.word)).collect();
        all.sort_by_key(|entry| std::cmp::Reverse(entry.word.len()));
        Words { all, in_section: BTreeSet::new(), used: BTreeSet::new() }
    }

    /// Begins a section.
    pub(super) fn section(&mut self) {
        self.in_section.clear();
    }

    /// A text, escaped, with its links.
    pub(super) fn linked(&mut self, text: &str) -> String {
        let (mut out, mut rest, mut from) = (String::new(), text, 0);
        while let Some(next) = rest[from..].chars().next() {
            let Some((word, length)) = self.at(rest, from) else {
                from += next.len_utf8();
                continue;
            };
            if !self.in_section.insert(word) {
                from += length;
                continue;
            }
            self.used.insert(word);
            let (before, words) = (escaped(&rest[..from]), escaped(&rest[from..from + length]));
            let to = anchor(word);
            let link = ["<a class=\"word\" href=\"#", &to, "\">", &words, "</a>"];
            out.extend([before.as_str()].into_iter().chain(link));
            (rest, from) = (&rest[from + length..], 0);
        }
        out + &escaped(rest)
    }

    /// The word that begins at this place of a text, and its length there. It may be a plural.
    fn at(&self, text: &str, from: usize) -> Option<(&'static str, usize)> {
        let inside = |c: char| c.is_alphanumeric() || "_-".contains(c);
        if text[..from].chars().next_back().is_some_and(inside) {
            return None;
        }
        // A point or an equals sign behind it belongs to the name of a file, or to a setting.
        let ends = |length: usize| {
            let behind = &text[from + length..];
            let behind_point = behind.strip_prefix('.').unwrap_or_default();
            !behind.starts_with(inside)
                && !behind.starts_with(" =")
                && !behind_point.starts_with(inside)
        };
        self.all.iter().find_map(|Word { word, .. }| {
            let begin = text.get(from..from + word.len())?;
            let is_name = word.contains(char::is_uppercase);
            let is_it = if is_name { begin == *word } else { begin.eq_ignore_ascii_case(word) };
            let several = word.len() + 1;
            let is_plural = || text.get(from..from + several).is_some_and(|of| of.ends_with('s'));
            match is_it {
                true if ends(word.len()) => Some((*word, word.len())),
                true if is_plural() && ends(several) => Some((*word, several)),
                _ => None,
            }
        })
    }

    /// The words that the page has used, each with its anchor and its meaning, by the alphabet.
    pub(super) fn used(&self) -> Vec<(&'static str, String, &'static str)> {
        let used = self.all.iter().filter(|entry| self.used.contains(entry.word));
        let mut used: Vec<_> =
            used.map(|entry| (entry.word, anchor(entry.word), entry.meaning)).collect();
        used.sort_by_key(|(word, ..)| word.to_lowercase());
        used
    }
}

fn anchor(word: &str) -> String {
    format!("word-{}", slug(word))
}

/// The rows of the glossary.
fn glossary() -> impl Iterator<Item = Word> {
    let rows = GLOSSARY.lines().filter_map(|line| line.strip_prefix("| "));
    rows.filter_map(|row| {
        let (word, rest) = row.split_once(" | ")?;
        let (meaning, _) = rest.split_once(" |")?;
        Some(Word { word, meaning })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_use_in_a_section_leads_to_the_explanation() {
        let mut words = Words::new();
        let link =
            |id: &str, text: &str| format!("<a class=\"word\" href=\"#word-{id}\">{text}</a>");
        assert_eq!(
            words.linked(
                "base = 1, samples.csv: Net speedups < base, net speedup; database, base_s."
            ),
            format!(
                "base = 1, samples.csv: {} &lt; {}, net speedup; database, base_s.",
                link("net-speedup", "Net speedups"),
                link("base", "base")
            )
        );
        assert_eq!(words.linked("the base"), "the base");
        words.section();
        assert_eq!(words.linked("the base"), format!("the {}", link("base", "base")));
        assert_eq!(words.linked("gm"), "gm", "a name is written as it is");
        let used: Vec<_> = words.used().into_iter().map(|(word, ..)| word).collect();
        assert_eq!(used, ["base", "net speedup"]);
    }

    #[test]
    fn the_glossary_has_every_word_once_and_without_links() {
        for word in EXPLAINED {
            let found: Vec<Word> = glossary().filter(|entry| entry.word == word).collect();
            assert_eq!(found.len(), 1, "{word}: {found:?}");
            assert!(!found[0].meaning.contains("]("), "{word}: a page has no other page beside it");
        }
    }
}
