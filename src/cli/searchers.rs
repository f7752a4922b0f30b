//! `ttd searchers`.

use super::Exit;
use crate::searchers::{Searcher, Settings};
use std::io::{self, Write};

/// How wide the text is, characters.
const WIDTH: usize = 88;

pub(super) fn run() -> anyhow::Result<Exit> {
    let mut out = io::stdout().lock();
    let settings = toml::Table::try_from(Settings::default())?;
    for searcher in Searcher::ALL {
        writeln!(out, "{searcher}")?;
        for line in wrap(searcher.about(), WIDTH) {
            writeln!(out, "    {line}")?;
        }
        // As they would stand in an experiment, with their defaults; none is broken in two.
        if let Some(toml::Value::Table(parameters)) = settings.get(searcher.name()) {
            let all: Vec<String> = parameters
                .iter()
                .map(|(key, value)| format!("{key}\u{a0}=\u{a0}{value}"))
                .collect();
            for line in wrap(&format!("[searcher.{searcher}] {}", all.join(", ")), WIDTH) {
                writeln!(out, "    {}", line.replace('\u{a0}', " "))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Breaks a text into lines of at most `width` characters, if its words are shorter.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
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
