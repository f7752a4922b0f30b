//! The arguments of `ttd match`.

use crate::matches::PartialMatch;
use clap::Args;
use std::path::PathBuf;

/// Options override the file.
#[derive(Debug, Args)]
pub(in crate::cli) struct MatchArgs {
    /// The match (TOML); without one, --by-depth and --searchers are a complete match
    #[arg(required_unless_present = "by_depth", value_name = "MATCH")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    said: PartialMatch,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR", display_order = 7)]
    pub(super) out: Option<PathBuf>,
    /// Discard what the results directory holds
    #[arg(long, display_order = 8)]
    pub(super) fresh: bool,
    /// Print the plan as CSV, and play nothing
    #[arg(long, display_order = 10)]
    pub(super) dry_run: bool,
}

impl MatchArgs {
    /// The part of the match that the options give.
    pub(super) fn partial(&self) -> PartialMatch {
        PartialMatch {
            // The entries are variants of one engine: there is no challenger among them.
            format: self.said.entries.as_ref().map(|_| "round-robin".to_owned()),
            name: self.file.is_none().then(|| "by-depth".to_owned()),
            ..self.said.clone()
        }
    }
}
