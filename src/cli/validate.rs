//! `ttd validate`: is the simulation true?

use super::output::{Output, Results};
use super::results::{require, warn};
use super::{Exit, Usage, format};
use crate::experiment::EXPERIMENT;
use crate::report::validation::{self, Regression, ValidationError};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ValidateArgs {
    /// Results directory of the experiment on real cores
    real: PathBuf,
    /// Results directory of the same experiment on virtual cores
    simulated: PathBuf,
    /// More such pairs of directories: REAL VIRTUAL REAL VIRTUAL ...
    more: Vec<PathBuf>,
    /// Directory for the comparison [default: `validation` in the second directory]
    #[arg(long, value_name = "DIR", conflicts_with = "more")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &ValidateArgs) -> anyhow::Result<Exit> {
    let dirs: Vec<&PathBuf> = [&args.real, &args.simulated].into_iter().chain(&args.more).collect();
    if !dirs.len().is_multiple_of(2) {
        let what = "an odd number of directories found, pairs expected: REAL VIRTUAL ...";
        return Err(Usage(what.to_owned()).into());
    }
    for dir in &dirs {
        require(dir, EXPERIMENT, "a results directory")?;
    }
    let (mut pairs, mut verdicts, mut reports) = (Vec::new(), Vec::new(), Vec::new());
    for both in dirs.chunks(2) {
        let [real, simulated] = [both[0], both[1]];
        let out = args.out.clone().unwrap_or_else(|| simulated.join("validation"));
        let validation = match validation::write(real, simulated, &out) {
            Err(ValidationError::Unlike(what)) => return Err(Usage(what).into()),
            validation => validation?,
        };
        for (dir, left_out) in both.iter().zip(&validation.left_out) {
            warn(dir, left_out);
        }
        verdicts.extend(validation.verdicts.iter().map(|verdict| verdict.replace("**", "")));
        reports.push(validation.report.display().to_string());
        pairs.extend(validation.pairs);
    }
    let regression = Regression::of(&pairs).map(|regression| regression.in_words());
    let text = || {
        let table = format::table(&validation::side_by_side(&pairs), 1);
        let regression =
            regression.as_ref().map_or_else(String::new, |words| format!("{words}\n\n"));
        format!("{}\n\n{table}\n{regression}{}\n", verdicts.join("\n"), reports.join("\n"))
    };
    let results = Results::new("pairs", validation::table(&pairs))
        .with("verdicts", verdicts.clone())
        .with("regression", regression.clone())
        .with("report", reports.join("\n"));
    args.output.print(text, &results)?;
    Ok(Exit::Done)
}
