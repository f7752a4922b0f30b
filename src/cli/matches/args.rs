//! The arguments of `ttd match`.

use crate::matches::{PartialEntry, PartialMatch};
use crate::records::{NumberList, whole};
use clap::Args;
use std::path::PathBuf;

/// Options override the file.
#[derive(Debug, Args)]
pub(in crate::cli) struct MatchArgs {
    /// The match (TOML); without one, --by-depth and --searchers are a complete match
    #[arg(required_unless_present = "by_depth", value_name = "MATCH")]
    pub(super) file: Option<PathBuf>,
    /// Play at fixed depths, such as 1..8 or 2,4,6, to measure the cost of a move there
    #[arg(long, value_name = "DEPTHS")]
    by_depth: Option<NumberList>,
    /// Searchers with which our own engine plays, comma separated, instead of the file's entries
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    searchers: Option<Vec<String>>,
    /// Threads of every entry that does not say how many [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    threads: Option<i64>,
    /// Size of the table of every entry that does not say how large [default: 64]
    #[arg(long, value_name = "MIB", value_parser = whole, allow_negative_numbers = true)]
    hash: Option<i64>,
    /// Games of each pairing (an even number) [default: 100]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    games: Option<i64>,
    /// Games played at once [default: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    concurrency: Option<i64>,
    /// Seed of the order of the openings [default: 1]
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    seed: Option<i64>,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Discard what the results directory holds
    #[arg(long)]
    pub(super) fresh: bool,
    /// Find the factor of time with which the first of two entries is as strong as the second
    #[arg(long, conflicts_with = "by_depth")]
    effective_speedup: bool,
    /// Print the plan as CSV, and play nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl MatchArgs {
    /// The part of the match that the options give.
    pub(super) fn partial(&self) -> PartialMatch {
        let entry = |searcher: &String| PartialEntry {
            name: Some(searcher.clone()),
            searcher: Some(searcher.clone()),
            ..PartialEntry::default()
        };
        let entries = self.searchers.as_ref().map(|list| list.iter().map(entry).collect());
        PartialMatch {
            // The entries are variants of one engine: there is no challenger among them.
            format: entries.as_ref().map(|_| "round-robin".to_owned()),
            name: self.file.is_none().then(|| "by-depth".to_owned()),
            games: self.games,
            by_depth: self.by_depth.clone(),
            threads: self.threads,
            hash_mib: self.hash,
            concurrency: self.concurrency,
            seed: self.seed,
            effective_speedup: self.effective_speedup.then_some(true),
            entries,
            ..PartialMatch::default()
        }
    }
}
