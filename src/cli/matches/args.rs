//! The arguments of `ttd match`.

use crate::cli::Usage;
use crate::cli::output::Output;
use crate::cli::recipe::RecipeArgs;
use crate::matches::PartialMatch;
use clap::Args;
use std::path::PathBuf;

/// Three ways to call it.
const EXAMPLES: &str = "\
Examples:
  ttd match --engine stockfish --engine 'gnuchess -u' --tc 10+0.1
  ttd match --engine ./new --engine ./old --nodes 20000 --sprt elo0=0,elo1=5
  ttd match experiments/strength.toml --games 20";

/// Options override the file. A value of one engine is kept where an option is for every engine.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct MatchArgs {
    /// The match (TOML); without one, two of --engine or --searchers make a match
    #[arg(value_name = "MATCH")]
    pub(super) file: Option<PathBuf>,
    #[command(flatten)]
    said: PartialMatch,
    /// Results directory [default: results/NAME]
    #[arg(long, value_name = "DIR", help_heading = "Results", display_order = 41)]
    pub(super) out: Option<PathBuf>,
    /// Discard what the results directory holds
    #[arg(long, help_heading = "Results", display_order = 42)]
    pub(super) fresh: bool,
    /// Write a hash of the host's name in place of the name
    #[arg(long, help_heading = "Results", display_order = 43)]
    pub(super) anonymous: bool,
    /// Print the plan and the commands of the engines, and start nothing
    #[arg(long, help_heading = "Results", display_order = 43)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) recipe: RecipeArgs,
    #[command(flatten, next_help_heading = "Results")]
    pub(super) output: Output,
}

impl MatchArgs {
    /// The part of the match that the options give.
    ///
    /// # Errors
    /// If nobody says who plays.
    pub(super) fn partial(&self) -> Result<PartialMatch, Usage> {
        let said = self.said.clone().with_each_spread();
        let has_entries = said.entries.is_some() || said.engines.is_some();
        if self.file.is_none() && !has_entries {
            let what = "nobody plays: a file, two of --engine, or --searchers expected";
            return Err(Usage(what.to_owned()));
        }
        // Nobody says who of these entries is a challenger.
        let format = has_entries.then(|| "round-robin".to_owned());
        let by_depth = self.file.is_none() && said.by_depth.is_some();
        Ok(PartialMatch {
            format: said.format.or(format),
            name: said.name.or_else(|| by_depth.then(|| "by-depth".to_owned())),
            ..said
        })
    }
}
