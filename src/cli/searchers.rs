//! `ttd searchers`.

use super::format::wrap;
use super::{Exit, plain};
use std::io::Write;
use ttd_search::searchers::{Searcher, Settings};

/// The width of the text, characters.
const WIDTH: usize = 88;

pub(super) fn run() -> anyhow::Result<Exit> {
    let mut out = plain::stdout();
    let settings = Settings::default();
    for &searcher in Searcher::all() {
        writeln!(out, "{searcher}")?;
        for line in wrap(&searcher.description().to_string(), WIDTH) {
            writeln!(out, "    {line}")?;
        }
        // The parameters are in the form of an experiment file, with their defaults; none is broken
        // in two.
        let parameters = settings.of(searcher);
        if !parameters.is_empty() {
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
