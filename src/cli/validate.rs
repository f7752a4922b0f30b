//! `ttd validate`: is the simulation true?

use super::output::{Output, Results};
use super::results::{require, warn};
use super::{Exit, Usage};
use crate::experiment::EXPERIMENT;
use crate::report::validation::{self, ValidationError};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Results directory of the experiment on real cores
    real: PathBuf,
    /// Results directory of the same experiment on virtual cores
    simulated: PathBuf,
    /// Directory for the comparison [default: `validation` in the second directory]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &ValidateArgs) -> anyhow::Result<Exit> {
    for dir in [&args.real, &args.simulated] {
        require(dir, EXPERIMENT, "a results directory")?;
    }
    let out = args.out.clone().unwrap_or_else(|| args.simulated.join("validation"));
    let validation = match validation::write(&args.real, &args.simulated, &out) {
        Err(ValidationError::Unlike(what)) => return Err(Usage(what).into()),
        validation => validation?,
    };
    for (dir, left_out) in [&args.real, &args.simulated].into_iter().zip(&validation.left_out) {
        warn(dir, left_out);
    }
    let verdicts: Vec<String> =
        validation.verdicts.iter().map(|verdict| verdict.replace("**", "")).collect();
    let report = validation.report.display().to_string();
    let results = Results::new("pairs", validation.table())
        .with("verdicts", verdicts.clone())
        .with("report", report.clone());
    args.output.print(|| format!("{}\n\n{report}\n", verdicts.join("\n")), &results)?;
    Ok(Exit::Done)
}
