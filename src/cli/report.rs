//! `ttd report`: the report of a sweep, of a match, or of a sweep with a match beside it.

use super::output::{Output, Results};
use super::results::{holds, require, warn};
use super::{Exit, Usage, say};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report::{self, Table, Written};
use clap::Args;
use std::path::PathBuf;
use ttd_search::value::nearest;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The results directory, of `ttd run` or of `ttd match`
    dir: PathBuf,
    /// The results directory of a match, whose ratings are put beside the speedups of a sweep
    #[arg(long = "match", value_name = "DIR")]
    games: Option<PathBuf>,
    /// Studies whose published figures stand beside those of a sweep, such as thesis,dts: the keys
    /// of experiments/published.toml
    #[arg(long, value_name = "STUDIES", value_delimiter = ',')]
    against: Vec<String>,
    /// The position whose times are drawn one by one. It is an id, the beginning of one, or a
    /// number in the set [default: the one whose times vary most]
    #[arg(long, value_name = "ID")]
    position: Option<String>,
    #[command(flatten)]
    output: Output,
    /// The table to print as CSV or JSON: the name of one of the report's CSV files [default:
    /// summary; for a match standings]
    #[arg(long, value_name = "NAME", requires = "Output")]
    table: Option<String>,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let (dir, games) = (&args.dir, args.games.as_deref());
    if let Some(games) = games {
        require(games, MATCH, "the results directory of a match")?;
    }
    let is_sweep = games.is_some()
        || !args.against.is_empty()
        || args.position.is_some()
        || holds(dir, EXPERIMENT);
    let (written, all) = if !is_sweep && holds(dir, MATCH) {
        report::make_match(dir)?
    } else {
        let what =
            if is_sweep { "the results directory of a sweep" } else { "a results directory" };
        require(dir, EXPERIMENT, what)?;
        let (against, position) = (&args.against, args.position.as_deref());
        report::make(dir, report::Beside { games, against, position })?
    };
    match all {
        // Programs ask for a table, which may be of results that nobody can write to.
        Err(why) if !args.output.is_text() => {
            say(format_args!("ttd: the report is not written: {why}"));
        }
        all => all?,
    }
    warn(dir, &written.left_out);
    if let Some(games) = games {
        warn(games, &written.left_out_of_games);
    }
    let results = Results::new("table", table(&written, args.table.as_deref())?);
    let paths = || written.reports().iter().map(|report| format!("{}\n", report.display()));
    args.output.print(|| paths().collect(), &results)?;
    Ok(Exit::Done)
}

/// The table of this name; the main one, if none is named.
fn table(written: &Written, name: Option<&str>) -> Result<Table, Usage> {
    let Some(name) = name else { return Ok(written.main_table().cloned().unwrap_or_default()) };
    written.table(name).cloned().ok_or_else(|| {
        let known: Vec<&str> = written.tables.iter().map(|(name, _)| *name).collect();
        let near = nearest(name, known.iter().copied());
        let near = near.map(|near| format!(": did you mean {near}?")).unwrap_or_default();
        Usage(format!("--table: `{name}` found, one of {} expected{near}", known.join(", ")))
    })
}
