//! `ttd compare`: did the speedups change?

use super::output::{Output, Results};
use super::results::{holds, require};
use super::{Exit, Usage, format, say};
use crate::experiment::EXPERIMENT;
use crate::matches::MATCH;
use crate::report::compare::{Change, Comparison, Kind, Options};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// Results directory of the sweep to compare with
    base: PathBuf,
    /// Results directory of the same sweep by another program
    new: PathBuf,
    /// Largest change that counts as none. The 95% interval of NEW's speedup / BASE's speedup over
    /// the runs decides. A regression is an interval that ends below 1 - PERCENT; an improvement is
    /// one that begins above 1 + PERCENT
    #[arg(long, value_name = "PERCENT", default_value = "3%", value_parser = share)]
    threshold: f64,
    /// End with status 4 if there is a regression, and with 1 if rows of a side cannot be used
    #[arg(long)]
    fail_on_regression: bool,
    /// Compare times too, although the two were not measured in turns
    #[arg(long)]
    times: bool,
    /// Differences that are allowed beside the program: some of build, machine, settings, engines,
    /// experiment
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    allow: Vec<Kind>,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    for dir in [&args.base, &args.new] {
        check(dir)?;
    }
    let options =
        Options { threshold: args.threshold, times: args.times, allowed: args.allow.clone() };
    let comparison = Comparison::of(&args.base, &args.new, &options)?;
    let (head, foot) = (comparison.head(), comparison.foot());
    let text = || {
        let table = format::table(&comparison.table(), 3);
        format!("{}\n\n{table}\n{}\n", head.join("\n"), foot.join("\n"))
    };
    let [base, new] = &comparison.programs;
    let results = Results::new("rows", comparison.figures())
        .with("base", base.as_str())
        .with("new", new.as_str())
        .with("threshold", comparison.threshold)
        .and("differences", comparison.differing())
        .with("left_out", comparison.missing.clone())
        .with("notes", comparison.plain_notes());
    args.output.print(text, &results)?;
    if args.output.is_csv() {
        head.iter().chain(&foot).for_each(say);
    }
    if args.fail_on_regression && comparison.damaged {
        anyhow::bail!("rows were left out: --fail-on-regression needs complete results");
    }
    let failed = args.fail_on_regression && comparison.count(Change::Regression) > 0;
    Ok(if failed { Exit::Regression } else { Exit::Done })
}

fn check(dir: &Path) -> anyhow::Result<()> {
    let expected = "the results directory of a sweep";
    if !holds(dir, EXPERIMENT) && holds(dir, MATCH) {
        let found = format!("there is no {EXPERIMENT}, but that of a match");
        return Err(Usage(format!("{}: {found}: expected {expected}", dir.display())).into());
    }
    require(dir, EXPERIMENT, expected)
}

/// `3%`, or `3`.
fn share(text: &str) -> Result<f64, String> {
    let percent: Option<f64> = text.strip_suffix('%').unwrap_or(text).trim().parse().ok();
    let share = percent.map(|percent| percent / 100.0).filter(|share| (0.0..1.0).contains(share));
    share.ok_or_else(|| "a percentage from 0 to below 100 expected, such as 3%".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_percentages() {
        for (text, expected) in [("3%", 0.03), ("3", 0.03), ("0", 0.0), ("2.5 %", 0.025)] {
            assert!((share(text).expect("a share") - expected).abs() < 1e-12, "{text}");
        }
        for text in ["", "%", "-1%", "100%", "x", "nan"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}
