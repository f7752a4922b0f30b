//! `ttd report`: of a sweep, of a match, or of a sweep with a match beside it.

use super::tabular::{self, Format};
use super::{Exit, Usage, say};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report::{self, LeftOut, Table, Written};
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
    /// The position whose times are drawn one by one: its id, the beginning of one, or its number in the set
    /// [default: the one whose times vary the most]
    #[arg(long, value_name = "ID")]
    position: Option<String>,
    /// Print a table to standard output
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Which table: the name of one of the report's CSV files [default: summary, of a match standings]
    #[arg(long, value_name = "NAME", requires = "format")]
    table: Option<String>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (dir, games) = (&args.dir, args.games.as_deref());
    let holds = |dir: &Path, file: &str| dir.join(file).is_file();
    if let Some(games) = games.filter(|games| !holds(games, MATCH)) {
        return Err(expected(games, MATCH, "the results directory of a match").into());
    }
    let written = if holds(dir, EXPERIMENT) {
        report::write(dir, games, args.position.as_deref())?
    } else if games.is_none() && args.position.is_none() && holds(dir, MATCH) {
        report::write_match(dir)?
    } else {
        let what = if games.is_some() || args.position.is_some() {
            "the results directory of a sweep"
        } else {
            "a results directory"
        };
        return Err(expected(dir, EXPERIMENT, what).into());
    };
    warn(dir, &written.left_out);
    let mut out = io::stdout().lock();
    if let Some(format) = args.format {
        write!(out, "{}", tabular::text(table(&written, args.table.as_deref())?, format))?;
    } else {
        for report in written.reports() {
            writeln!(out, "{}", report.display())?;
        }
    }
    Ok(Exit::Done)
}

/// Says what of the results could not be used.
pub(super) fn warn(dir: &Path, left_out: &LeftOut) {
    for words in left_out.words.iter().take(MOST_WARNINGS) {
        say(format_args!("ttd: left out: {}/{words}", dir.display()));
    }
    let more = left_out.words.len().saturating_sub(MOST_WARNINGS);
    if more > 0 {
        say(format_args!("ttd: left out: {more} more kinds of rows in {}", dir.display()));
    }
}

/// The table of this name; the main one, if none is named.
fn table<'w>(written: &'w Written, name: Option<&str>) -> Result<&'w Table, Usage> {
    name.map_or_else(|| written.main_table(), |name| written.table(name)).ok_or_else(|| {
        let known: Vec<&str> = written.tables.iter().map(|(name, _)| *name).collect();
        let name = name.unwrap_or_default();
        Usage(format!("--table: `{name}` found, one of {} expected", known.join(", ")))
    })
}

fn expected(dir: &Path, file: &str, what: &str) -> Usage {
    Usage(format!("{}: there is no {file}: expected {what}", dir.display()))
}
