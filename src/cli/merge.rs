//! `ttd merge`: parts of an experiment or of a match, put together.

use super::results::holds;
use super::{Exit, Usage, format, say};
use crate::experiment::{EXPERIMENT, Experiment, merge};
use crate::matches::{MATCH, merge_matches};
use crate::records::MergeTerms;
use crate::report;
use clap::Args;
use std::path::PathBuf;

const EXAMPLE: &str = "\
Example:
  ttd run experiments/quick.toml --shard 1/2 --out part-1
  ttd run experiments/quick.toml --shard 2/2 --out part-2
  ttd merge part-* --out whole
  ttd report whole";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct MergeArgs {
    /// The directories of the parts (`ttd run --shard`, `ttd match --shard`), in any order
    #[arg(required = true, value_name = "DIR")]
    parts: Vec<PathBuf>,
    /// The directory of the whole
    #[arg(long, required = true, value_name = "DIR")]
    out: PathBuf,
    /// Merge although parts are missing or unfinished; the report says which
    #[arg(long)]
    partial: bool,
    /// Merge although programs or machines differ; the report says how
    #[arg(long)]
    mixed: bool,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    let terms = MergeTerms { partial: args.partial, mixed: args.mixed };
    let is_match = |dir: &&PathBuf| dir.join(MATCH).exists();
    let (matches, others): (Vec<&PathBuf>, Vec<&PathBuf>) = args.parts.iter().partition(is_match);
    for dir in &others {
        if !holds(dir, EXPERIMENT) {
            let what = "it is no results directory: it has neither";
            return Err(Usage(format!("{}: {what} {EXPERIMENT} nor {MATCH}", dir.display())).into());
        }
    }
    let merged = match (matches.first(), others.first()) {
        (Some(one), Some(other)) => {
            let (one, other) = (one.display(), other.display());
            let what =
                format!("{one} is of a match, and {other} of an experiment: one kind expected");
            return Err(Usage(what).into());
        }
        (Some(_), None) => format::count(merge_matches(&args.parts, &args.out, terms)?, "game"),
        _ => format::count(merge(&args.parts, &args.out, terms)?, "sample"),
    };
    // Reports of an earlier merge are none of this one.
    let of = Experiment::read(&args.out).ok();
    report::remove(&args.out, &of.as_ref().map(Experiment::names).unwrap_or_default())?;
    let out = format::shell_word(&args.out.to_string_lossy());
    say(format_args!("ttd: {out}: {merged} of {}", format::count(args.parts.len(), "part")));
    say(format_args!("  ttd report {out}"));
    Ok(Exit::Done)
}
