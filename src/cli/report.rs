//! `ttd report`: of a sweep, of a match, or of a sweep with a match beside it.

use super::{Exit, Usage, say};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report::{self, LeftOut};
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So many warnings about rows are given one by one.
const MOST_WARNINGS: usize = 20;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The results directory, of `ttd run` or of `ttd match`
    dir: PathBuf,
    /// The results directory of a match, whose ratings are put beside the speedups of a sweep
    #[arg(long = "match", value_name = "DIR")]
    games: Option<PathBuf>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (dir, games) = (&args.dir, args.games.as_deref());
    let holds = |dir: &Path, file: &str| dir.join(file).is_file();
    if let Some(games) = games.filter(|games| !holds(games, MATCH)) {
        return Err(expected(games, MATCH, "the results directory of a match").into());
    }
    if holds(dir, EXPERIMENT) {
        let written = report::write(dir, games)?;
        warn(dir, &written.left_out);
    } else if games.is_none() && holds(dir, MATCH) {
        report::write_match(dir)?;
    } else {
        let what = if games.is_some() {
            "the results directory of a sweep"
        } else {
            "a results directory"
        };
        return Err(expected(dir, EXPERIMENT, what).into());
    }
    writeln!(io::stdout().lock(), "{}", dir.join(report::REPORT).display())?;
    Ok(Exit::Done)
}

/// Says what of the results could not be used.
fn warn(dir: &Path, left_out: &LeftOut) {
    for words in left_out.words.iter().take(MOST_WARNINGS) {
        say(format_args!("ttd: left out: {}/{words}", dir.display()));
    }
    let more = left_out.words.len().saturating_sub(MOST_WARNINGS);
    if more > 0 {
        say(format_args!("ttd: left out: {more} more kinds of rows in {}", dir.display()));
    }
}

fn expected(dir: &Path, file: &str, what: &str) -> Usage {
    Usage(format!("{}: there is no {file}: expected {what}", dir.display()))
}
