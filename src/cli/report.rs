//! `ttd report`.

use super::{Exit, Usage};
use crate::experiment::EXPERIMENT;
use crate::report;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The results directory
    dir: PathBuf,
}

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let dir = &args.dir;
    if !dir.join(EXPERIMENT).is_file() {
        let what =
            format!("{}: there is no {EXPERIMENT}: expected a results directory", dir.display());
        return Err(Usage(what).into());
    }
    report::write(dir)?;
    writeln!(io::stdout().lock(), "{}", dir.join("report.md").display())?;
    Ok(Exit::Done)
}
