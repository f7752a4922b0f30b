//! `ttd report`: the report of a sweep, of a match, or of a sweep with a match beside it.

use super::results::{require, warn};
use super::tabular::{self, Format};
use super::{Exit, Usage, plain};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report::{self, Table, Written};
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The results directory, of `ttd run` or of `ttd match`
    dir: PathBuf,
    /// The results directory of a match, whose ratings are put beside the speedups of a sweep
    #[arg(long = "match", value_name = "DIR")]
    games: Option<PathBuf>,
    /// The position whose times are drawn one by one. It is an id, the beginning of one, or a
    /// number in the set [default: the one whose times vary most]
    #[arg(long, value_name = "ID")]
    position: Option<String>,
    /// Print a table to standard output
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// The table to print: the name of one of the report's CSV files [default: summary; for a match
    /// standings]
    #[arg(long, value_name = "NAME", requires = "format")]
    table: Option<String>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (dir, games) = (&args.dir, args.games.as_deref());
    if let Some(games) = games {
        require(games, MATCH, "the results directory of a match")?;
    }
    let is_sweep = games.is_some() || args.position.is_some() || dir.join(EXPERIMENT).is_file();
    let written = if !is_sweep && dir.join(MATCH).is_file() {
        report::write_match(dir)?
    } else {
        let what =
            if is_sweep { "the results directory of a sweep" } else { "a results directory" };
        require(dir, EXPERIMENT, what)?;
        report::write(dir, games, args.position.as_deref())?
    };
    warn(dir, &written.left_out);
    let mut out = plain::stdout();
    if let Some(format) = args.format {
        write!(out, "{}", tabular::text(table(&written, args.table.as_deref())?, format))?;
    } else {
        for report in written.reports() {
            writeln!(out, "{}", report.display())?;
        }
    }
    Ok(Exit::Done)
}

/// The table of this name; the main one, if none is named.
fn table<'w>(written: &'w Written, name: Option<&str>) -> Result<&'w Table, Usage> {
    name.map_or_else(|| written.main_table(), |name| written.table(name)).ok_or_else(|| {
        let known: Vec<&str> = written.tables.iter().map(|(name, _)| *name).collect();
        let name = name.unwrap_or_default();
        Usage(format!("--table: `{name}` found, one of {} expected", known.join(", ")))
    })
}
