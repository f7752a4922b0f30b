//! `ttd searchers`.

use super::Exit;
use crate::searchers::Searcher;
use std::io::{self, Write};

pub(super) fn run() -> anyhow::Result<Exit> {
    let mut out = io::stdout().lock();
    for searcher in Searcher::ALL {
        writeln!(out, "{searcher}")?;
        for line in wrap(searcher.about(), 88) {
            writeln!(out, "    {line}")?;
        }
    }
    Ok(Exit::Done)
}

/// Breaks a text into lines of at most `width` characters, if its words are shorter.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn wraps_at_words() {
        assert_eq!(wrap("a bb ccc dddd", 4), ["a bb", "ccc", "dddd"]);
    }
}
