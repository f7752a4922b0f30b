//! `ttd report`: of a sweep, of a match, or of a sweep with a match beside it.

use super::{Exit, Usage};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report;
use clap::Args;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The results directory, of `ttd run` or of `ttd match`
    dir: PathBuf,
    /// The results directory of a match, whose ratings are put beside the speedups of a sweep
    #[arg(long = "match", value_name = "DIR")]
    games: Option<PathBuf>,
    /// The position whose times are drawn one by one [default: the one whose times vary the most]
    #[arg(long, value_name = "ID")]
    position: Option<String>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (dir, games) = (&args.dir, args.games.as_deref());
    let holds = |dir: &Path, file: &str| dir.join(file).is_file();
    if let Some(games) = games.filter(|games| !holds(games, MATCH)) {
        return Err(expected(games, MATCH, "the results directory of a match").into());
    }
    if holds(dir, EXPERIMENT) {
        report::write(dir, games, args.position.as_deref())?;
    } else if games.is_none() && args.position.is_none() && holds(dir, MATCH) {
        report::write_match(dir)?;
    } else {
        let what = if games.is_some() || args.position.is_some() {
            "the results directory of a sweep"
        } else {
            "a results directory"
        };
        return Err(expected(dir, EXPERIMENT, what).into());
    }
    writeln!(io::stdout().lock(), "{}", dir.join(report::REPORT).display())?;
    Ok(Exit::Done)
}

fn expected(dir: &Path, file: &str, what: &str) -> Usage {
    Usage(format!("{}: there is no {file}: expected {what}", dir.display()))
}
